/* Reads what was imported as the CSV report reads it, and compares it with the file. */
#include "store_import_internal.h"

#include <stdio.h>
#include <string.h>

/* Two texts of these lengths that are numbers, and the same one. */
static bool is_same_number(const char *a, size_t n, const char *b, size_t m)
{
    char   text[2][40];
    double x = 0, y = 0;

    if (n >= sizeof text[0] || m >= sizeof text[1])
        return false;
    (void)snprintf(text[0], sizeof text[0], "%.*s", (int)n, a);
    (void)snprintf(text[1], sizeof text[1], "%.*s", (int)m, b);
    return assay_import_real(text[0], &x) && assay_import_real(text[1], &y) && x == y;
}

/* An unknown grid, for which files of older releases have zeros. */
static bool is_no_grid(const char *text, size_t n)
{
    return n == 0 || (n == strlen("0x0x0") && strncmp(text, "0x0x0", n) == 0);
}

/* Compares lists a;b|c;..., numbers as numbers, since older files have more digits. */
static bool is_same_list(const char *a, const char *b)
{
    for (;;) {
        const size_t n = strcspn(a, ";|"), m = strcspn(b, ";|");
        const bool   is_same =
            (n == m && strncmp(a, b, n) == 0) || (is_no_grid(a, n) && is_no_grid(b, m));

        if (a[n] != b[m] || !(is_same || is_same_number(a, n, b, m)))
            return false;
        if (!a[n])
            return true;
        a += n + 1;
        b += m + 1;
    }
}

static bool is_among(int column, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(assay_csv_columns[column].name, names[i]) == 0)
            return true;
    return false;
}

/* The columns that are such lists; all other text is compared as it is. */
static bool has_numbers_in_list(int column)
{
    static const char *const names[] = { "block_medians_ns", "block_cycles", "block_clock_mhz",
                                         "kernels", "metrics" };

    return is_among(column, names, sizeof names / sizeof names[0]);
}

/* Does the cell say what the store says? Numbers are compared as numbers: 1.50 is 1.5. */
static bool is_equal(assay_cursor *row, int column, const char *cell)
{
    double      stored = 0, given = 0;
    const char *text;

    if (assay_cursor_is_real(row, column))
        return assay_cursor_number(row, column, &stored) && assay_import_real(cell, &given) &&
               stored == given;
    text = assay_cursor_text(row, column);
    text = text ? text : "";
    return has_numbers_in_list(column) ? is_same_list(text, cell) : strcmp(text, cell) == 0;
}

static assay_status differ(const assay_importer *im, int c, assay_cursor *row, bool was_there)
{
    const char *cell   = assay_import_text(im, assay_csv_columns[c].name);
    const char *stored = assay_cursor_text(row, c);

    return assay_import_fail(im, assay_csv_columns[c].name,
                             was_there ? "'%.80s', and the database has '%.80s' for this run"
                                       : "'%.80s' does not fit the rest of the file, which makes "
                                         "it '%.80s'",
                             cell, stored ? stored : "");
}

static void require_columns(const assay_cursor *row)
{
    ASSAY_ASSERT(assay_cursor_columns(row) == assay_csv_n_columns);
    for (int c = 0; c < assay_csv_n_columns; c++)
        ASSAY_ASSERT(strcmp(assay_cursor_name(row, c), assay_csv_columns[c].name) == 0);
}

/* A case version that the store had keeps its description, as in a merge: other files may have
 * another one, or none. */
static bool is_told_once(int column)
{
    return strcmp(assay_csv_columns[column].name, "case_what") == 0;
}

static bool is_same_as_before(const assay_importer *im, int64_t place)
{
    return strcmp(assay_csv_at(im->csv, im->row, place)->text,
                  assay_csv_at(im->csv, im->row - 1, place)->text) == 0;
}

static int64_t place_of(const assay_importer *im, const char *name)
{
    for (int c = 0; c < assay_csv_n_columns; c++)
        if (strcmp(assay_csv_columns[c].name, name) == 0)
            return im->place[c];
    return -1;
}

/* In older files every line of a point has what belongs only to the first. */
static bool is_repeated(const assay_importer *im, int column, int64_t first, assay_cursor *row)
{
    static const char *const names[] = { "code_hashes", "kernels", "metrics" };
    const char              *stored  = assay_cursor_text(row, column);
    const int64_t            place = im->place[column], key = place_of(im, "key");

    return is_among(column, names, sizeof names / sizeof names[0]) && im->row > first &&
           (!stored || !stored[0]) && key >= 0 && is_same_as_before(im, key) &&
           is_same_as_before(im, place);
}

const char *assay_import_axis(const char *column)
{
    const size_t n = strlen(ASSAY_CSV_AXIS);

    return strncmp(column, ASSAY_CSV_AXIS, n) == 0 ? column + n : NULL;
}

/* Columns of axes, where the file has them. */
static assay_status verify_axes(const assay_importer *im)
{
    const char *config = assay_import_text(im, "config");

    for (int64_t c = 0; c < im->csv->n_columns; c++) {
        const char           *axis = assay_import_axis(assay_csv_at(im->csv, 0, c)->text);
        const assay_csv_cell *cell = assay_csv_at(im->csv, im->row, c);
        char                  value[ASSAY_KEY_SIZE];

        if (!axis)
            continue;
        if (!assay_store_axis_value(config, axis, value, sizeof value))
            value[0] = '\0';
        if (strcmp(value, cell->text) != 0)
            return ASSAY_FAIL(ASSAY_E_USAGE,
                              "%s:%lld:%lld: axis %s: '%.80s', and config has '%.80s'",
                              im->csv->path, (long long)cell->line, (long long)cell->column, axis,
                              cell->text, value);
    }
    return ASSAY_OK;
}

static assay_status verify_row(const assay_importer *im, int64_t first, assay_cursor *row,
                               bool was_there)
{
    for (int c = 0; c < assay_csv_n_columns; c++) {
        if (im->place[c] >= 0 && !is_told_once(c) &&
            !is_equal(row, c, assay_csv_at(im->csv, im->row, im->place[c])->text) &&
            !is_repeated(im, c, first, row))
            return differ(im, c, row, was_there);
    }
    return verify_axes(im);
}

assay_status assay_import_verify(assay_importer *im, int64_t first, int64_t end, bool was_there)
{
    const char   *by  = was_there ? "the database" : "what the file says of its points";
    assay_cursor *row = NULL;
    assay_status  st;

    im->row = first;
    ASSAY_CHECK(assay_store_query(im->store, "csv", im->run_id, &row));
    require_columns(row);
    for (; assay_cursor_next(row, &st); im->row++) {
        if (im->row == end) {
            im->row = first;
            st      = assay_import_fail(im, NULL, "%s has more lines of this run", by);
            goto out;
        }
        ASSAY_CHECK(verify_row(im, first, row, was_there));
    }
    ASSAY_CHECK(st);
    if (im->row != end)
        st = assay_import_fail(im, NULL, "%s has no such line of this run", by);
out:
    assay_cursor_close(row);
    return st;
}
