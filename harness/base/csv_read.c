/* Reads CSV (RFC 4180), and names the byte at which a file is not CSV. */
#include "csv_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of reading. Fields are unquoted in place: `to` never overtakes `from`. */
typedef struct reader {
    assay_csv *csv;
    char      *from, *to, *end;
    char      *line_start;
    int64_t    line;
    int64_t    n_cells, capacity;
} reader;

static int64_t column_of(const reader *r, const char *at) { return at - r->line_start + 1; }

static assay_status fail_at(const reader *r, const char *at, const char *what)
{
    return ASSAY_FAIL(ASSAY_E_USAGE, "%s:%lld:%lld: %s", r->csv->path, (long long)r->line,
                      (long long)column_of(r, at), what);
}

static assay_status append_cell(reader *r, const assay_csv_cell *cell)
{
    if (r->n_cells == r->capacity) {
        const int64_t   capacity = r->capacity ? 2 * r->capacity : 1024;
        assay_csv_cell *cells    = realloc(r->csv->cells, (size_t)capacity * sizeof *cells);

        if (!cells)
            return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the fields of %s", r->csv->path);
        r->csv->cells = cells;
        r->capacity   = capacity;
    }
    r->csv->cells[r->n_cells++] = *cell;
    return ASSAY_OK;
}

/* A line break inside quotes belongs to the field. */
static void pass_char(reader *r)
{
    const char c = *r->from++;

    *r->to++ = c;
    if (c == '\n') {
        r->line++;
        r->line_start = r->from;
    }
}

/* Reads from after the opening quote to after the closing one. */
static assay_status read_quoted(reader *r, const assay_csv_cell *opened)
{
    for (;;) {
        if (r->from == r->end)
            return ASSAY_FAIL(ASSAY_E_USAGE, "%s:%lld:%lld: this quote is never closed",
                              r->csv->path, (long long)opened->line, (long long)opened->column);
        if (*r->from == '\0')
            return fail_at(r, r->from, "a zero byte is not allowed");
        if (*r->from == '"') {
            r->from++;
            if (r->from == r->end || *r->from != '"')
                return ASSAY_OK;
        }
        pass_char(r);
    }
}

static bool ends_line(const reader *r)
{
    if (r->from == r->end || *r->from == '\n')
        return true;
    return *r->from == '\r' && r->from + 1 < r->end && r->from[1] == '\n';
}

static assay_status read_bare(reader *r)
{
    for (; !ends_line(r) && *r->from != ','; pass_char(r)) {
        if (*r->from == '"')
            return fail_at(r, r->from, "a quote inside a field that does not start with one");
        if (*r->from == '\r')
            return fail_at(r, r->from, "a CR without an LF, outside of quotes");
        if (*r->from == '\0')
            return fail_at(r, r->from, "a zero byte is not allowed");
    }
    return ASSAY_OK;
}

/* Reads one field and the comma after it, if there is one. The caller writes the zero after the
 * unquoted text, once it has seen what ends the field. */
static assay_status read_field(reader *r, bool *is_last)
{
    assay_status   st;
    assay_csv_cell cell   = { .text = r->to, .line = r->line, .column = column_of(r, r->from) };
    const bool     quoted = r->from < r->end && *r->from == '"';

    if (quoted) {
        r->from++;
        ASSAY_CHECK(read_quoted(r, &cell));
        if (!ends_line(r) && *r->from != ',') {
            st = fail_at(r, r->from, "text after the closing quote of a field");
            goto out;
        }
    } else {
        ASSAY_CHECK(read_bare(r));
    }
    *is_last = ends_line(r);
    if (!*is_last)
        r->from++;
    ASSAY_CHECK(append_cell(r, &cell));
out:
    return st;
}

static void pass_line_end(reader *r)
{
    if (r->from < r->end && *r->from == '\r')
        r->from++;
    if (r->from < r->end)
        r->from++;
    r->line++;
    r->line_start = r->from;
}

/* The text has one byte of room before it. A field and its comma or line end are at least as long
 * as the field and a zero, so zeros after unquoted fields always fit. */
static assay_status read_record(reader *r)
{
    assay_csv    *csv     = r->csv;
    const int64_t first   = r->n_cells;
    bool          is_last = false;
    assay_status  st      = ASSAY_OK;

    while (!is_last) {
        ASSAY_CHECK(read_field(r, &is_last));
        if (!is_last)
            *r->to++ = '\0';
    }
    if (csv->n_rows == 0)
        csv->n_columns = r->n_cells;
    if (r->n_cells - first != csv->n_columns) {
        st = ASSAY_FAIL(ASSAY_E_USAGE, "%s:%lld:1: %lld fields, and the header has %lld", csv->path,
                        (long long)csv->cells[first].line, (long long)(r->n_cells - first),
                        (long long)csv->n_columns);
        goto out;
    }
    csv->n_rows++;
    pass_line_end(r);
    *r->to++ = '\0';
out:
    return st;
}

bool assay_csv_is_formula(const char *text)
{
    const char *behind = text + strspn(text, "'");
    char       *end    = NULL;

    if (!*behind || !strchr("=+-@\t\r", *behind))
        return false;
    if (behind > text)
        return true;
    (void)strtod(text, &end);
    return end == text || *end != '\0';
}

static void take_guards(assay_csv *csv)
{
    for (int64_t i = csv->n_columns; i < csv->n_columns * csv->n_rows; i++)
        if (csv->cells[i].text[0] == '\'' && assay_csv_is_formula(csv->cells[i].text))
            csv->cells[i].text++;
}

static assay_status check_header(const assay_csv *csv)
{
    for (int64_t c = 0; c < csv->n_columns; c++) {
        const assay_csv_cell *cell = assay_csv_at(csv, 0, c);

        if (cell->text[0] == '\0')
            return ASSAY_FAIL(ASSAY_E_USAGE, "%s:%lld:%lld: a column without a name", csv->path,
                              (long long)cell->line, (long long)cell->column);
        if (assay_csv_find(csv, cell->text) != c)
            return ASSAY_FAIL(ASSAY_E_USAGE, "%s:%lld:%lld: a second column '%s'", csv->path,
                              (long long)cell->line, (long long)cell->column, cell->text);
    }
    return ASSAY_OK;
}

static assay_status read_all(assay_csv *csv, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    assay_status      st     = ASSAY_OK;
    reader            r      = {
                        .csv = csv, .from = csv->text + 1, .to = csv->text, .end = csv->text + 1 + size, .line = 1
    };

    if (size >= sizeof mark - 1 && memcmp(r.from, mark, sizeof mark - 1) == 0)
        r.from += sizeof mark - 1;
    r.line_start = r.from;
    ASSAY_REQUIRE(r.from < r.end, ASSAY_E_USAGE, "%s:1:1: the file is empty", csv->path);
    while (r.from < r.end)
        ASSAY_CHECK(read_record(&r));
    ASSAY_CHECK(check_header(csv));
    take_guards(csv);
out:
    return st;
}

/* Allocates room for the text and for one byte on each side of it. */
static assay_status start(const char *path, size_t size, assay_csv *csv)
{
    assay_status st = ASSAY_OK;

    memset(csv, 0, sizeof *csv);
    csv->path = strdup(path);
    csv->text = malloc(size + 2);
    ASSAY_REQUIRE(csv->path && csv->text, ASSAY_E_MEMORY, "no memory for %s", path);
out:
    return st;
}

assay_status assay_csv_parse(const char *path, const char *text, size_t size, assay_csv *csv)
{
    assay_status st;

    ASSAY_CHECK(start(path, size, csv));
    memcpy(csv->text + 1, text, size);
    ASSAY_CHECK(read_all(csv, size));
out:
    if (st != ASSAY_OK)
        assay_csv_free(csv);
    return st;
}

/* Reads all of an open file; a pipe has no size to ask for. The caller frees. */
static assay_status read_stream(const char *path, FILE *file, char **text, size_t *size)
{
    assay_status st       = ASSAY_OK;
    size_t       capacity = 0, n = 0;

    do {
        if (*size == capacity) {
            char *grown = realloc(*text, capacity = capacity ? 2 * capacity : 65536);

            ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for %s", path);
            *text = grown;
        }
        n = fread(*text + *size, 1, capacity - *size, file);
        *size += n;
    } while (n > 0);
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
out:
    return st;
}

assay_status assay_csv_read(const char *path, assay_csv *csv)
{
    assay_status st   = ASSAY_OK;
    char        *text = NULL;
    size_t       size = 0;
    FILE        *file = fopen(path, "rb");

    memset(csv, 0, sizeof *csv);
    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
    ASSAY_CHECK(read_stream(path, file, &text, &size));
    ASSAY_CHECK(assay_csv_parse(path, text, size, csv));
out:
    if (file)
        (void)fclose(file);
    free(text);
    return st;
}

void assay_csv_free(assay_csv *csv)
{
    if (!csv)
        return;
    free(csv->path);
    free(csv->text);
    free(csv->cells);
    memset(csv, 0, sizeof *csv);
}

const assay_csv_cell *assay_csv_at(const assay_csv *csv, int64_t row, int64_t column)
{
    ASSAY_ASSERT(row >= 0 && row < csv->n_rows && column >= 0 && column < csv->n_columns);
    return &csv->cells[row * csv->n_columns + column];
}

int64_t assay_csv_find(const assay_csv *csv, const char *name)
{
    for (int64_t c = 0; c < csv->n_columns; c++)
        if (strcmp(csv->cells[c].text, name) == 0)
            return c;
    return -1;
}
