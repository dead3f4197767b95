/* The reader of materials. Whatever the bytes are, it reads nothing outside them: each line is
 * first cut out into words of its own. */
#include "photon_materials_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAIL(r, status, ...) materials_fail((r), (r)->line, (status), __VA_ARGS__)

/* ---- words and numbers */

/* A decimal number within limits, which excludes NaN. */
static bool read_number(const char *word, double least, double most, double *number)
{
    char *end;

    if (isspace((unsigned char)word[0]) || strpbrk(word, "xX"))
        return false;
    *number = strtod(word, &end);
    return *end == '\0' && *number >= least && *number <= most;
}

static int find(const materials_part *parts, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(parts[k].name, name) == 0)
            return k;
    return -1;
}

/* ---- media and surfaces */

static photon_status begin(materials_reader *r, materials_part *parts, int *n, int most,
                           const char *what)
{
    const char *const name = r->n_words > 1 ? r->word[1] : "";

    if (r->n_words != 2)
        return FAIL(r, PHOTON_BROKEN, "%s wants one word, its name", what);
    if (strlen(name) >= PHOTON_NAME_SIZE)
        return FAIL(r, PHOTON_BROKEN, "a name has up to %d bytes", PHOTON_NAME_SIZE - 1);
    if (find(parts, *n, name) >= 0)
        return FAIL(r, PHOTON_INVALID, "%s '%s' is there already", what, name);
    if (*n >= most)
        return FAIL(r, PHOTON_TOO_LARGE, "more than %d of what begins with '%s'", most, what);
    parts[*n] = (materials_part) { .line = r->line };
    memcpy(parts[(*n)++].name, name, strlen(name) + 1);
    return PHOTON_OK;
}

static photon_status read_medium(materials_reader *r)
{
    r->kind = MATERIALS_MEDIUM;
    return begin(r, r->medium, &r->n_media, PHOTON_MEDIA, "medium");
}

static photon_status read_surface(materials_reader *r)
{
    r->kind = MATERIALS_SURFACE;
    return begin(r, r->surface + 1, &r->n_surfaces, PHOTON_SURFACES - 1, "surface");
}

/* ---- curves */

static const struct {
    const char    *word;
    materials_kind kind;
    int            place;
    double         least, most;
} curves[] = {
    { "index", MATERIALS_MEDIUM, PHOTON_MEDIUM_INDEX, 1, 10 },
    { "absorption", MATERIALS_MEDIUM, PHOTON_MEDIUM_ABSORB, 1e-6, 1e9 },
    { "scattering", MATERIALS_MEDIUM, PHOTON_MEDIUM_SCATTER, 1e-6, 1e9 },
    { "reemission", MATERIALS_MEDIUM, PHOTON_MEDIUM_REEMIT, 0, 1 },
    { "emission", MATERIALS_MEDIUM, MATERIALS_EMISSION, 0, 1e9 },
    { "delay", MATERIALS_MEDIUM, MATERIALS_DELAY, 0, 1e6 },
    { "absorb", MATERIALS_SURFACE, 0, 0, 1 },
    { "detect", MATERIALS_SURFACE, 1, 0, 1 },
    { "diffuse", MATERIALS_SURFACE, 2, 0, 1 },
    { "specular", MATERIALS_SURFACE, 3, 0, 1 },
};

/* Wavelengths of a spectrum must be within those of the tables: nothing is known of a photon beyond
 * them. */
static photon_status read_points(const materials_reader *r, size_t which, photon_curve *c)
{
    const bool   is_spectrum = curves[which].place == MATERIALS_EMISSION;
    const double first       = is_spectrum ? (double)PHOTON_WAVELENGTH_FIRST : 1;
    const double last =
        is_spectrum ? first + (PHOTON_WAVELENGTHS - 1) * (double)PHOTON_WAVELENGTH_SPACING : 1e6;

    if (r->n_words < 3 || r->n_words % 2 == 0)
        return FAIL(r, PHOTON_BROKEN, "%s wants pairs of a wavelength and a value", r->word[0]);
    c->n = r->n_words / 2;
    for (int k = 0; k < c->n; k++) {
        if (!read_number(r->word[1 + 2 * k], first, last, &c->nm[k]))
            return FAIL(r, PHOTON_INVALID, "no wavelength from %g to %g nm: '%.24s'", first, last,
                        r->word[1 + 2 * k]);
        if (k > 0 && c->nm[k] <= c->nm[k - 1])
            return FAIL(r, PHOTON_INVALID, "wavelengths grow, but %g follows %g", c->nm[k],
                        c->nm[k - 1]);
        if (!read_number(r->word[2 + 2 * k], curves[which].least, curves[which].most, &c->value[k]))
            return FAIL(r, PHOTON_INVALID, "no number from %g to %g: '%.24s'", curves[which].least,
                        curves[which].most, r->word[2 + 2 * k]);
    }
    return PHOTON_OK;
}

static photon_status read_delay(const materials_reader *r, size_t which, materials_part *to)
{
    if (r->n_words != 2 ||
        !read_number(r->word[1], curves[which].least, curves[which].most, &to->delay))
        return FAIL(r, PHOTON_INVALID, "delay wants one number from %g to %g, in ns",
                    curves[which].least, curves[which].most);
    return PHOTON_OK;
}

static photon_status read_curve(materials_reader *r, size_t which)
{
    materials_part *const to =
        r->kind == MATERIALS_MEDIUM ? &r->medium[r->n_media - 1] : &r->surface[r->n_surfaces];
    const int     place = curves[which].place;
    photon_curve  curve;
    photon_status status;

    if (r->kind != curves[which].kind)
        return FAIL(r, PHOTON_BROKEN, "%s is of a %s, and stands behind none", r->word[0],
                    curves[which].kind == MATERIALS_MEDIUM ? "medium" : "surface");
    if (to->has & 1u << place)
        return FAIL(r, PHOTON_INVALID, "'%s' has its %s already", to->name, r->word[0]);
    to->has |= 1u << place;
    if (place == MATERIALS_DELAY)
        return read_delay(r, which, to);
    status = read_points(r, which, &curve);
    if (status != PHOTON_OK)
        return status;
    if (place < MATERIALS_SHARES)
        photon_curve_sample(&curve, to->value[place]);
    else if (!photon_curve_quantiles(&curve, to->emission))
        return FAIL(r, PHOTON_INVALID, "the spectrum of '%s' is 0 everywhere", to->name);
    return PHOTON_OK;
}

/* ---- faces and the source */

/* The medium or the surface named by a word, or a failure. */
static photon_status read_reference(const materials_reader *r, const char *what, int at,
                                    int *number)
{
    const bool            is_surface = strcmp(what, "surface") == 0;
    const materials_part *parts      = is_surface ? r->surface + 1 : r->medium;

    if (strcmp(r->word[at], what) != 0)
        return FAIL(r, PHOTON_BROKEN, "'%s' was to come, not '%.24s'", what, r->word[at]);
    *number = find(parts, is_surface ? r->n_surfaces : r->n_media, r->word[at + 1]);
    if (*number < 0)
        return FAIL(r, PHOTON_INVALID, "there is no %s '%.24s' above", is_surface ? what : "medium",
                    r->word[at + 1]);
    *number += is_surface;
    return PHOTON_OK;
}

/* face NAME inside MEDIUM outside MEDIUM [surface SURFACE] */
static photon_status read_face(materials_reader *r)
{
    materials_face f = { r->line, 0, 0, 0 };
    photon_status  status;

    r->kind = MATERIALS_NOTHING;
    if (r->n_words != 6 && r->n_words != 8)
        return FAIL(r, PHOTON_BROKEN,
                    "face wants: NAME inside MEDIUM outside MEDIUM [surface SURFACE]");
    if (r->n_faces >= PHOTON_FACES_MOST)
        return FAIL(r, PHOTON_TOO_LARGE, "more than %d faces", PHOTON_FACES_MOST);
    if (strlen(r->word[1]) >= PHOTON_NAME_SIZE)
        return FAIL(r, PHOTON_BROKEN, "a name has up to %d bytes", PHOTON_NAME_SIZE - 1);
    for (int k = 0; k < r->n_faces; k++)
        if (strcmp(r->m->face[k], r->word[1]) == 0)
            return FAIL(r, PHOTON_INVALID, "face '%s' is there already", r->word[1]);
    status = read_reference(r, "inside", 2, &f.inside);
    if (status == PHOTON_OK)
        status = read_reference(r, "outside", 4, &f.outside);
    if (status == PHOTON_OK && r->n_words == 8)
        status = read_reference(r, "surface", 6, &f.surface);
    if (status != PHOTON_OK)
        return status;
    memcpy(r->m->face[r->n_faces], r->word[1], strlen(r->word[1]) + 1);
    r->face[r->n_faces++] = f;
    return PHOTON_OK;
}

static photon_status read_source(materials_reader *r)
{
    r->kind = MATERIALS_NOTHING;
    if (r->source_line > 0)
        return FAIL(r, PHOTON_INVALID, "line %d names the source's medium already", r->source_line);
    r->source_line = r->line;
    if (r->n_words != 2)
        return FAIL(r, PHOTON_BROKEN, "source wants one word, a medium");
    r->m->source = find(r->medium, r->n_media, r->word[1]);
    return r->m->source >= 0
               ? PHOTON_OK
               : FAIL(r, PHOTON_INVALID, "there is no medium '%.24s' above", r->word[1]);
}

/* ---- statements and lines */

static const struct {
    const char *word;
    photon_status (*read)(materials_reader *r);
} statements[] = {
    { "medium", read_medium },
    { "surface", read_surface },
    { "face", read_face },
    { "source", read_source },
};

static photon_status read_statement(materials_reader *r)
{
    for (size_t k = 0; k < sizeof statements / sizeof *statements; k++)
        if (strcmp(r->word[0], statements[k].word) == 0)
            return statements[k].read(r);
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++)
        if (strcmp(r->word[0], curves[k].word) == 0)
            return read_curve(r, k);
    return FAIL(r, PHOTON_BROKEN, "'%.24s' begins no statement", r->word[0]);
}

/* The next line as words, without its comment. */
static photon_status next_line(materials_reader *r)
{
    const char  *from = r->text + r->at;
    const size_t rest = r->size - r->at;
    const char  *end  = memchr(from, '\n', rest), *comment;
    size_t       n    = end ? (size_t)(end - from) : rest;
    char        *place;

    r->line++;
    r->at += n + (end != NULL);
    r->n_words = 0;
    if (memchr(from, '\0', n))
        return FAIL(r, PHOTON_BROKEN, "holds a zero byte: this is no text");
    comment = memchr(from, '#', n);
    n       = comment ? (size_t)(comment - from) : n;
    if (n >= MATERIALS_LINE_SIZE)
        return FAIL(r, PHOTON_BROKEN, "longer than %d bytes", MATERIALS_LINE_SIZE - 1);
    memcpy(r->bytes, from, n);
    r->bytes[n] = '\0';
    for (char *word = strtok_r(r->bytes, " \t\r", &place); word;
         word       = strtok_r(NULL, " \t\r", &place)) {
        if (r->n_words >= MATERIALS_WORDS_MOST)
            return FAIL(r, PHOTON_TOO_LARGE, "a curve has up to %d points", PHOTON_POINTS_MOST);
        r->word[r->n_words++] = word;
    }
    return PHOTON_OK;
}

photon_status photon_materials_read(const char *file, const char *text, size_t size,
                                    photon_materials *m, char reason[PHOTON_REASON_SIZE])
{
    materials_reader *const r      = calloc(1, sizeof *r);
    photon_status           status = PHOTON_OK;

    memset(m, 0, sizeof *m);
    if (!r) {
        (void)snprintf(reason, PHOTON_REASON_SIZE, "no memory to read materials");
        return PHOTON_NO_MEMORY;
    }
    *r = (materials_reader) { .file = file, .text = text, .size = size, .m = m, .reason = reason };
    while (status == PHOTON_OK && r->at < r->size) {
        status = next_line(r);
        if (status == PHOTON_OK && r->n_words > 0)
            status = read_statement(r);
    }
    if (status == PHOTON_OK)
        status = materials_write_tables(r);
    free(r);
    return status;
}
