/* The reader of OBJ text. Whatever the bytes are, nothing outside them is read: each statement is
 * cut out into a line of its own first. */
#include "photon_mesh.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_SIZE    = 4096, /* bytes of a statement, its end included */
    MOST_CORNERS = 256   /* of a polygon */
};

typedef struct reader {
    const char             *text;
    size_t                  size, at;
    int64_t                 line;
    const photon_mesh_name *names, *name; /* all, and the one in force */
    uint32_t                sensor;       /* of the faces that follow */
    photon_mesh            *mesh;
    char                   *reason;
} reader;

static photon_status fail(const reader *r, photon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "line 7: ", then the sentence. */
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

/* ---- numbers */

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static bool is_end_of_word(char c) { return c == '\0' || c == ' ' || c == '\t' || c == '\r'; }

static photon_status read_vertex(reader *r, const char *p)
{
    float at[3];

    for (int a = 0; a < 3; a++) {
        char  *end;
        double value;

        p     = skip_blanks(p);
        value = strtod(p, &end);
        if (end == p || !is_end_of_word(*end))
            return fail(r, PHOTON_BROKEN, "a vertex needs three numbers");
        if (!(fabs(value) <= 1e6))
            return fail(r, PHOTON_INVALID,
                        "a coordinate is not finite, or further than 1e6 from the origin");
        at[a] = (float)value;
        p     = end;
    }
    return added(r, photon_mesh_add_vertex(r->mesh, at));
}

/* The vertex number of "7", "7/1", "7//3" or "-1"; counted from 1 or, if negative, back from the
 * last. */
static photon_status read_corner(const reader *r, const char **p, uint32_t *corner)
{
    char     *end;
    long long number;

    errno  = 0;
    number = strtoll(*p, &end, 10);
    if (end == *p || !(is_end_of_word(*end) || *end == '/'))
        return fail(r, PHOTON_BROKEN, "a corner of a face is no number");
    if (errno != 0 || number == 0 || number > r->mesh->n_vertices || number < -r->mesh->n_vertices)
        return fail(r, PHOTON_INVALID, "a face names vertex %.24s, but %lld came before it", *p,
                    (long long)r->mesh->n_vertices);
    *corner = (uint32_t)(number > 0 ? number - 1 : r->mesh->n_vertices + number);
    while (!is_end_of_word(*end))
        end++;
    *p = end;
    return PHOTON_OK;
}

static photon_status read_face(reader *r, const char *p)
{
    const photon_face face   = { r->name->codes, r->sensor };
    uint32_t          fan[3] = { 0 };
    int               n      = 0;

    for (p = skip_blanks(p); *p != '\0'; p = skip_blanks(p), n++) {
        photon_status status;

        if (n >= MOST_CORNERS)
            return fail(r, PHOTON_TOO_LARGE, "a face of more than %d corners", MOST_CORNERS);
        status = read_corner(r, &p, &fan[n < 2 ? n : 2]);
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

static photon_status read_name(reader *r, const char *p)
{
    size_t n = 0;

    p = skip_blanks(p);
    while (!is_end_of_word(p[n]))
        n++;
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

static const struct {
    const char *word;
    photon_status (*read)(reader *r, const char *rest);
} statements[] = {
    { "v", read_vertex },    { "f", read_face },  { "usemtl", read_name }, { "vt", pass_over },
    { "vn", pass_over },     { "vp", pass_over }, { "o", pass_over },      { "g", pass_over },
    { "s", pass_over },      { "l", pass_over },  { "p", pass_over },      { "mtllib", pass_over },
    { "usemap", pass_over },
};

static photon_status read_statement(reader *r, const char *line)
{
    const char *p = skip_blanks(line);
    size_t      n = 0;

    if (*p == '\0' || *p == '#')
        return PHOTON_OK;
    while (isalpha((unsigned char)p[n]))
        n++;
    for (size_t k = 0; is_end_of_word(p[n]) && k < sizeof statements / sizeof *statements; k++)
        if (strlen(statements[k].word) == n && memcmp(statements[k].word, p, n) == 0)
            return statements[k].read(r, p + n);
    return fail(r, PHOTON_BROKEN, "begins with no statement of an OBJ file");
}

/* The next line without its end; a comment is cut off where it is longer than a statement may be.
 */
static photon_status next_line(reader *r, char line[LINE_SIZE])
{
    const char  *from = r->text + r->at;
    const size_t rest = r->size - r->at;
    const char  *end  = memchr(from, '\n', rest);
    size_t       n    = end ? (size_t)(end - from) : rest;

    r->line++;
    r->at += n + (end != NULL);
    if (memchr(from, '\0', n))
        return fail(r, PHOTON_BROKEN, "holds a zero byte: this is no text");
    if (n > 0 && from[0] == '#')
        n = 0;
    if (n >= LINE_SIZE)
        return fail(r, PHOTON_BROKEN, "longer than %d bytes", LINE_SIZE - 1);
    if (n > 0 && (from[n - 1] == '\\' || (n > 1 && from[n - 1] == '\r' && from[n - 2] == '\\')))
        return fail(r, PHOTON_BROKEN, "goes on in the next line, which this reader does not do");
    memcpy(line, from, n);
    line[n] = '\0';
    return PHOTON_OK;
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
        status = next_line(&r, line);
        if (status == PHOTON_OK)
            status = read_statement(&r, line);
    }
    if (status == PHOTON_OK)
        status = photon_mesh_check(mesh, reason);
    if (status != PHOTON_OK)
        photon_mesh_free(mesh);
    return status;
}
