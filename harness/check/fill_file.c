/* Contents of a buffer from a file: NumPy's format (.npy, written from its documentation: NEP 1 and
 * numpy.lib.format), or the bytes alone under any other name. A file of another type or length is
 * refused, since it is not the input that the case means. */
#include "fill_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREFIX       = 8,     /* magic and version */
    MOST_HEADER  = 65536, /* numpy itself refuses longer headers by default */
    MOST_EXTENTS = 32,
    MOST_TYPES   = 4
};

static const char MAGIC[] = "\x93NUMPY";

/* What NumPy calls each type. Types that NumPy lacks are bits of the same size. */
static const char *const names[ASSAY_N_TYPES][MOST_TYPES] = {
    [ASSAY_F32]    = { "<f4" },
    [ASSAY_F64]    = { "<f8" },
    [ASSAY_I32]    = { "<i4" },
    [ASSAY_U32]    = { "<u4" },
    [ASSAY_I64]    = { "<i8" },
    [ASSAY_U64]    = { "<u8" },
    [ASSAY_U8]     = { "|u1", "|b1" },
    [ASSAY_F16]    = { "<f2" },
    [ASSAY_BF16]   = { "<V2", "|V2", "<u2" },
    [ASSAY_F8E4M3] = { "|V1", "<V1", "|u1" },
    [ASSAY_F8E5M2] = { "|V1", "<V1", "|u1" },
    [ASSAY_I8]     = { "|i1" },
    [ASSAY_I16]    = { "<i2" },
    [ASSAY_U16]    = { "<u2" },
};

typedef struct source {
    FILE       *file;
    const char *path;
    const char *buffer; /* name */
} source;

/* ---- the header of .npy ---- */

typedef struct header {
    char    type[8];
    bool    is_fortran;
    int64_t count; /* elements */
} header;

/* Returns what follows 'key': in a Python dictionary; NULL: the key is not there. */
static const char *find_value(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    if (!at)
        return NULL;
    at += strlen(key);
    while (isspace((unsigned char)*at))
        at++;
    if (*at++ != ':')
        return NULL;
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Reads "(3, 4)" and returns the product; -1: it is not a shape, or is larger than any buffer. */
static int64_t read_shape(const char *at)
{
    int64_t count = 1;

    if (!at || *at++ != '(')
        return -1;
    for (int n = 0; n < MOST_EXTENTS; n++) {
        char     *end;
        long long extent;

        while (isspace((unsigned char)*at) || (n > 0 && *at == ','))
            at++;
        if (*at == ')')
            return count;
        errno  = 0;
        extent = strtoll(at, &end, 10);
        if (end == at || errno != 0 || extent < 0 || (extent > 0 && count > INT64_MAX / 8 / extent))
            return -1;
        count *= extent;
        at = end;
    }
    return -1;
}

static bool read_type(const char *at, char type[8])
{
    const char *end = at && *at == '\'' ? strchr(at + 1, '\'') : NULL;

    if (!end || end - at > 8)
        return false;
    memcpy(type, at + 1, (size_t)(end - at - 1));
    type[end - at - 1] = '\0';
    return true;
}

static bool parse_header(const char *text, header *h)
{
    const char *order = find_value(text, "'fortran_order'");

    if (!order || !read_type(find_value(text, "'descr'"), h->type))
        return false;
    h->is_fortran = strncmp(order, "False", 5) != 0;
    h->count      = read_shape(find_value(text, "'shape'"));
    return h->count >= 0;
}

static bool read_exactly(FILE *file, void *to, size_t bytes)
{
    return fread(to, 1, bytes, file) == bytes;
}

/* The length has 2 bytes in version 1, and 4 in later versions. */
static bool read_length(FILE *file, int version, size_t *length)
{
    unsigned char bytes[4] = { 0 };

    if (!read_exactly(file, bytes, version == 1 ? 2 : 4))
        return false;
    *length = bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    return *length <= MOST_HEADER;
}

static assay_status read_header(const source *s, header *h)
{
    assay_status  st = ASSAY_OK;
    unsigned char prefix[PREFIX];
    size_t        length = 0;
    char         *text   = NULL;

    if (!read_exactly(s->file, prefix, sizeof prefix) ||
        memcmp(prefix, MAGIC, sizeof MAGIC - 1) != 0 || prefix[6] < 1 || prefix[6] > 3)
        return ASSAY_FAIL(ASSAY_E_CASE, "buffer '%s': %s is not a .npy file of version 1 to 3",
                          s->buffer, s->path);
    if (!read_length(s->file, prefix[6], &length))
        return ASSAY_FAIL(ASSAY_E_CASE, "buffer '%s': %s has a header that is cut off, or too long",
                          s->buffer, s->path);
    text = calloc(length + 1, 1);
    ASSAY_REQUIRE(text, ASSAY_E_MEMORY, "no memory for the header of %s", s->path);
    ASSAY_REQUIRE(read_exactly(s->file, text, length) && parse_header(text, h), ASSAY_E_CASE,
                  "buffer '%s': %s has a header without type, order or shape", s->buffer, s->path);
out:
    free(text);
    return st;
}

static bool is_type(const char *name, assay_type type)
{
    for (int i = 0; i < MOST_TYPES && names[type][i]; i++)
        if (strcmp(name, names[type][i]) == 0)
            return true;
    return false;
}

static assay_status check_header(const source *s, const assay_buffer *b)
{
    header       h;
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(read_header(s, &h));
    ASSAY_REQUIRE(is_type(h.type, b->type), ASSAY_E_CASE,
                  "buffer '%s': %s holds '%s', not %s ('%s')", s->buffer, s->path, h.type,
                  assay_type_text(b->type), names[b->type][0]);
    ASSAY_REQUIRE(!h.is_fortran, ASSAY_E_CASE, "buffer '%s': %s is in Fortran order", s->buffer,
                  s->path);
    ASSAY_REQUIRE(h.count == b->count, ASSAY_E_CASE,
                  "buffer '%s': %s has %" PRId64 " elements, not %" PRId64, s->buffer, s->path,
                  h.count, b->count);
out:
    return st;
}

/* ---- the file ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

assay_status assay_fill_file(const assay_buffer *b, void *to)
{
    const size_t bytes = (size_t)b->count * assay_type_size(b->type);
    source       s     = { .path = b->fill.path, .buffer = b->name };
    assay_status st    = ASSAY_OK;

    ASSAY_REQUIRE(s.path && s.path[0], ASSAY_E_CASE, "buffer '%s': no file is named", b->name);
    s.file = fopen(s.path, "rbe");
    ASSAY_REQUIRE(s.file, ASSAY_E_CASE, "buffer '%s': cannot open %s: %s", b->name, s.path,
                  strerror(errno));
    if (ends_with(s.path, ".npy"))
        ASSAY_CHECK(check_header(&s, b));
    ASSAY_REQUIRE(read_exactly(s.file, to, bytes), ASSAY_E_CASE,
                  "buffer '%s': %s has fewer than %zu bytes of contents", b->name, s.path, bytes);
    ASSAY_REQUIRE(fgetc(s.file) == EOF, ASSAY_E_CASE,
                  "buffer '%s': %s has more than %zu bytes of contents", b->name, s.path, bytes);
out:
    if (s.file)
        (void)fclose(s.file);
    return st;
}
