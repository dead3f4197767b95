/* The reader of OBJ text. Whatever the bytes are, it reads nothing outside them: each statement is
 * first cut out into a line of its own. */
#include "photon_mesh.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_SIZE    = 4096, /* bytes of a statement, including its end */
    MOST_CORNERS = 256   /* of a polygon */
};

typedef struct reader {
    const char             *text;
    size_t                  size, at;
    int64_t                 line, n_lines; /* of the statement; read so far */
    const photon_mesh_name *names, *name;  /* the list; the name in force */
    uint32_t                sensor;        /* of the next faces */
    photon_mesh            *mesh;
    char                   *reason;
} reader;

static photon_status fail(const reader *r, photon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes "line 7: " and the sentence. */
static photon_status fail(const reader *r, photon_status status, const char *format, ...)
{
    const int n = snprintf(r->reason, PHOTON_REASON_SIZE, "line %lld: ", (long long)r->line);
    va_list   arguments;

    if (n < 0 || n >= PHOTON_REASON_SIZE)
        return status;
    va_start(arguments, format);
    (void)vsnprintf(r->reason + n, (size_t)(PHOTON_REASON_SIZE - n), format, arguments);
    va_end(arguments);
    return status;
}

static photon_status added(const reader *r, photon_status status)
{
    if (status == PHOTON_TOO_LARGE)
        return fail(r, status, "more than %d vertices or triangles", PHOTON_MESH_MOST);
    return status == PHOTON_OK ? PHOTON_OK : fail(r, status, "no memory for the mesh");
}

/* ---- words */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_end_of_word(char c) { return c == '\0' || is_blank(c); }

static const char *skip_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

static const char *end_of_word(const char *p)
{
    while (!is_end_of_word(*p))
        p++;
    return p;
}

/* How much of a word a message shows. */
static int shown(const char *word)
{
    const ptrdiff_t size = end_of_word(word) - word;

    return size < 24 ? (int)size : 24;
}

/* ---- vertices */

/* A word that is a decimal number; the caller handles NaN and infinity. */
static bool read_number(const char **p, double *number)
{
    const char *const end = end_of_word(*p);
    char             *stop;

    *number = strtod(*p, &stop);
    if (stop != end || memchr(*p, 'x', (size_t)(end - *p)) || memchr(*p, 'X', (size_t)(end - *p)))
        return false;
    *p = end;
    return true;
}

/* Three coordinates. After them may come a weight (for rational curves: it moves no vertex) or a
 * colour. */
static photon_status read_vertex(reader *r, const char *p)
{
    double number[6];
    float  at[3];
    int    n = 0;

    for (p = skip_blanks(p); *p != '\0'; p = skip_blanks(p), n++)
        if (n >= 6 || !read_number(&p, &number[n]))
            return fail(r, PHOTON_BROKEN,
                        "a vertex needs three numbers, or four or six: not '%.*s'", shown(p), p);
    if (n != 3 && n != 4 && n != 6)
        return fail(r, PHOTON_BROKEN, "a vertex needs three numbers, or four or six, and has %d",
                    n);
    for (int k = 0; k < n; k++)
        if (!(fabs(number[k]) <= 1e6))
            return fail(r, PHOTON_INVALID,
                        "a number of a vertex is not finite, or a coordinate further than 1e6 from "
                        "the origin");
    for (int a = 0; a < 3; a++)
        at[a] = (float)number[a];
    return added(r, photon_mesh_add_vertex(r->mesh, at));
}

/* ---- faces */

/* What a corner names besides its vertex. Neither is read, so that it may name what does not
 * exist. */
enum {
    HAS_TEXTURE = 1,
    HAS_NORMAL  = 2
};

typedef struct corner {
    const char *word;
    long long   vertex; /* from 1 or, if negative, back from the last */
    int         has;
} corner;

/* A whole number; if it is too large, the largest possible one. */
static bool read_index(const char **p, long long *index)
{
    char *end;

    if (!isdigit((unsigned char)**p) && **p != '-' && **p != '+')
        return false;
    *index = strtoll(*p, &end, 10);
    if (end == *p)
        return false;
    *p = end;
    return true;
}

/* Reads "7", "7/1", "7//3" or "7/1/3"; *p then points after it. */
static bool read_corner(const char **p, corner *c)
{
    long long other;

    *c = (corner) { .word = *p };
    if (!read_index(p, &c->vertex))
        return false;
    for (int has = HAS_TEXTURE; **p == '/' && has <= HAS_NORMAL; has *= 2) {
        ++*p;
        if (has == HAS_TEXTURE && **p == '/')
            continue;
        if (!read_index(p, &other) || other == 0)
            return false;
        c->has |= has;
    }
    return is_end_of_word(**p);
}

/* The number of the corner's vertex in the mesh. */
static photon_status find_vertex(const reader *r, const corner *c, uint32_t *vertex)
{
    const long long n = r->mesh->n_vertices;

    if (c->vertex == 0 || c->vertex > n || c->vertex < -n)
        return fail(r, PHOTON_INVALID, "a face names vertex %.*s, but %lld came before it",
                    shown(c->word), c->word, n);
    *vertex = (uint32_t)(c->vertex > 0 ? c->vertex - 1 : n + c->vertex);
    return PHOTON_OK;
}

/* Corner n of the face; it must have the form of the first corner. */
static photon_status next_corner(const reader *r, const char **p, int n, corner *first,
                                 uint32_t *vertex)
{
    corner c;

    if (n >= MOST_CORNERS)
        return fail(r, PHOTON_TOO_LARGE, "a face of more than %d corners", MOST_CORNERS);
    if (!read_corner(p, &c))
        return fail(r, PHOTON_BROKEN,
                    "a corner of a face is no number, nor a/b, a//c or a/b/c: '%.*s'",
                    shown(c.word), c.word);
    if (n == 0)
        *first = c;
    if (c.has != first->has)
        return fail(r, PHOTON_BROKEN, "corners of a face are not of one kind: '%.*s'",
                    shown(c.word), c.word);
    return find_vertex(r, &c, vertex);
}

static photon_status read_face(reader *r, const char *p)
{
    const photon_face face   = { r->name->codes, r->sensor };
    uint32_t          fan[3] = { 0 };
    int               n      = 0;
    corner            first  = { 0 };

    for (p = skip_blanks(p); *p != '\0'; p = skip_blanks(p), n++) {
        photon_status status = next_corner(r, &p, n, &first, &fan[n < 2 ? n : 2]);

        if (status != PHOTON_OK)
            return status;
        if (n < 2)
            continue;
        status = added(r, photon_mesh_add_triangle(r->mesh, fan, face));
        if (status != PHOTON_OK)
            return status;
        fan[1] = fan[2];
    }
    return n >= 3 ? PHOTON_OK : fail(r, PHOTON_BROKEN, "a face needs three corners");
}

/* ---- surfaces */

/* The rest of the line is the name, including blanks within it. */
static photon_status read_name(reader *r, const char *p)
{
    size_t n = 0;

    p = skip_blanks(p);
    for (size_t k = 0; p[k] != '\0'; k++)
        n = is_blank(p[k]) ? n : k + 1;
    for (const photon_mesh_name *name = r->names; name->name; name++) {
        if (strlen(name->name) != n || memcmp(name->name, p, n) != 0)
            continue;
        r->name   = name;
        r->sensor = PHOTON_NO_SENSOR;
        if (name->is_sensor)
            r->sensor = (uint32_t)r->mesh->n_sensors++;
        return PHOTON_OK;
    }
    return fail(r, PHOTON_INVALID, "usemtl names '%.*s', which is none of the known surfaces",
                (int)(n < 64 ? n : 64), p);
}

/* ---- statements */

static photon_status pass_over(reader *r, const char *p)
{
    (void)r, (void)p;
    return PHOTON_OK;
}

/* Statements that say nothing about triangles are ignored. Curves, surfaces of curves and other
 * files are statements that this reader does not know, because a mesh without them is another
 * mesh. */
static const struct {
    const char *word;
    photon_status (*read)(reader *r, const char *rest);
} statements[] = {
    { "v", read_vertex },    { "f", read_face },          { "usemtl", read_name },
    { "vt", pass_over },     { "vn", pass_over },         { "vp", pass_over },
    { "o", pass_over },      { "g", pass_over },          { "s", pass_over },
    { "l", pass_over },      { "p", pass_over },          { "mg", pass_over },
    { "mtllib", pass_over }, { "maplib", pass_over },     { "usemap", pass_over },
    { "bevel", pass_over },  { "c_interp", pass_over },   { "d_interp", pass_over },
    { "lod", pass_over },    { "shadow_obj", pass_over }, { "trace_obj", pass_over },
};

static photon_status read_statement(reader *r, const char *line)
{
    const char *p = skip_blanks(line);
    size_t      n = 0;

    if (*p == '\0')
        return PHOTON_OK;
    n = (size_t)(end_of_word(p) - p);
    for (size_t k = 0; k < sizeof statements / sizeof *statements; k++)
        if (strlen(statements[k].word) == n && memcmp(statements[k].word, p, n) == 0)
            return statements[k].read(r, p + n);
    return fail(r, PHOTON_BROKEN, "begins with no statement of an OBJ file");
}

/* ---- lines */

/* Bytes of a line before its comment. A comment sign must begin a word, since a name may contain
 * it. */
static size_t before_comment(const char *from, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (from[k] == '#' && (k == 0 || is_blank(from[k - 1])))
            return k;
    return n;
}

/* Appends the next line of the text, without its end and without a comment, to the `size` bytes of
 * `line`. A line that ends in a backslash goes on in the next one, and the backslash becomes a
 * blank; a comment does not go on. */
static photon_status append_line(reader *r, char line[LINE_SIZE], size_t *size, bool *goes_on)
{
    const char  *from = r->text + r->at;
    const size_t rest = r->size - r->at;
    const char  *end  = memchr(from, '\n', rest);
    size_t       all  = end ? (size_t)(end - from) : rest, n;

    r->n_lines++;
    r->at += all + (end != NULL);
    if (memchr(from, '\0', all))
        return fail(r, PHOTON_BROKEN, "holds a zero byte: this is no text");
    all -= all > 0 && from[all - 1] == '\r';
    n        = before_comment(from, all);
    *goes_on = n > 0 && from[n - 1] == '\\';
    if (n >= LINE_SIZE - *size)
        return fail(r, PHOTON_BROKEN, "longer than %d bytes", LINE_SIZE - 1);
    if (*goes_on && !end)
        return fail(r, PHOTON_BROKEN, "goes on in the next line, but it is the last");
    memcpy(line + *size, from, n);
    *size += n;
    if (*goes_on)
        line[*size - 1] = ' ';
    return PHOTON_OK;
}

/* The next statement; messages name the line in which it begins. */
static photon_status next_statement(reader *r, char line[LINE_SIZE])
{
    photon_status status  = PHOTON_OK;
    size_t        size    = 0;
    bool          goes_on = true;

    r->line = r->n_lines + 1;
    while (status == PHOTON_OK && goes_on && r->at < r->size)
        status = append_line(r, line, &size, &goes_on);
    line[size] = '\0';
    return status;
}

photon_status photon_mesh_read_obj(const char *text, size_t size, const photon_mesh_name *names,
                                   photon_mesh *mesh, char reason[PHOTON_REASON_SIZE])
{
    reader        r = { .text   = text,
                        .size   = size,
                        .names  = names,
                        .name   = names,
                        .sensor = PHOTON_NO_SENSOR,
                        .mesh   = mesh,
                        .reason = reason };
    char          line[LINE_SIZE];
    photon_status status = PHOTON_OK;

    *mesh = (photon_mesh) { 0 };
    if (names->is_sensor)
        r.sensor = (uint32_t)mesh->n_sensors++;
    while (status == PHOTON_OK && r.at < r.size) {
        status = next_statement(&r, line);
        if (status == PHOTON_OK)
            status = read_statement(&r, line);
    }
    if (status == PHOTON_OK)
        status = photon_mesh_check(mesh, reason);
    if (status != PHOTON_OK)
        photon_mesh_free(mesh);
    return status;
}
