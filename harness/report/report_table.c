/* Aligned columns. */
#include "report_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char absent[] = "-";

/* A heading is stored as a whole row: its text in the first cell, the others NULL. */
static void push(assay_table *table, char *cell)
{
    if (table->n_cells == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 256;
        char       **cells    = realloc(table->cells, capacity * sizeof *cells);

        if (!cells) {
            table->status = ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a table");
            free(cell);
            return;
        }
        table->cells    = cells;
        table->capacity = capacity;
    }
    table->cells[table->n_cells++] = cell;
}

void assay_table_add(assay_table *table, const char *format, ...)
{
    va_list list;
    char   *cell = NULL;

    if (table->status != ASSAY_OK)
        return;
    va_start(list, format);
    if (vasprintf(&cell, format, list) < 0)
        table->status = ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a table");
    else
        push(table, cell);
    va_end(list);
}

void assay_table_add_text(assay_table *table, assay_cursor *row, const char *column)
{
    const char *text = assay_row_text(row, column);

    assay_table_add(table, "%s", *text ? text : absent);
}

void assay_table_add_count(assay_table *table, assay_cursor *row, const char *column)
{
    const double n = assay_row_number(row, column);

    if (isnan(n))
        assay_table_add(table, "%s", absent);
    else
        assay_table_add(table, "%.0f", n);
}

void assay_table_add_positive(assay_table *table, assay_cursor *row, const char *column)
{
    const int64_t n = assay_row_count(row, column);

    if (n > 0)
        assay_table_add(table, "%" PRId64, n);
    else
        assay_table_add(table, "%s", absent);
}

void assay_table_add_time(assay_table *table, assay_cursor *row, const char *column)
{
    const double time_ns = assay_row_number(row, column);
    char         text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", isnan(time_ns) ? absent : assay_format_time(text, time_ns));
}

void assay_table_add_number(assay_table *table, double value, int digits)
{
    char text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", isnan(value) ? absent : assay_format_number(text, value, digits));
}

void assay_table_heading(assay_table *table, const char *text)
{
    ASSAY_ASSERT(table->status != ASSAY_OK || table->n_cells % (size_t)table->n_columns == 0);
    assay_table_add(table, "%s", text);
    for (int c = 1; c < table->n_columns && table->status == ASSAY_OK; c++)
        push(table, NULL);
}

static bool is_heading(const assay_table *table, size_t row)
{
    return table->n_columns > 1 && !table->cells[row * (size_t)table->n_columns + 1];
}

/* Columns on a terminal: a byte that is escaped takes more than one. */
static int width_of(const char *text)
{
    int  width    = 0;
    bool is_shown = true;

    while (*text) {
        const size_t n = assay_text_character(text, &is_shown);

        width += is_shown ? 1 : strchr("\n\t\r", *text) ? 2 : 4 * (int)n;
        text += n;
    }
    return width;
}

static void pad(FILE *out, int n)
{
    for (int i = 0; i < n; i++)
        (void)fputc(' ', out);
}

/* Width of column c; 0 if all its cells are empty. */
static int column_width(const assay_table *table, size_t n_rows, int c)
{
    int  width     = width_of(table->columns[c].title);
    bool says_much = false;

    for (size_t r = 0; r < n_rows; r++) {
        const char *cell = table->cells[r * (size_t)table->n_columns + (size_t)c];

        if (is_heading(table, r))
            continue;
        says_much = says_much || strcmp(cell, absent) != 0;
        width     = width_of(cell) > width ? width_of(cell) : width;
    }
    return says_much ? width : 0;
}

static assay_mark mark_of(unsigned form, const char *cell)
{
    static const struct {
        const char *word;
        assay_mark  mark;
    } verdicts[] = { { "SLOWER", ASSAY_MARK_BAD },
                     { "FASTER", ASSAY_MARK_GOOD },
                     { "CANNOT_TELL", ASSAY_MARK_DOUBT } };

    if (strcmp(cell, absent) == 0)
        return ASSAY_MARK_NONE;
    for (size_t i = 0; form & ASSAY_COLUMN_VERDICT && i < sizeof verdicts / sizeof *verdicts; i++)
        if (strcmp(cell, verdicts[i].word) == 0)
            return verdicts[i].mark;
    return form & ASSAY_COLUMN_BAD     ? ASSAY_MARK_BAD
           : form & ASSAY_COLUMN_DOUBT ? ASSAY_MARK_DOUBT
                                       : ASSAY_MARK_NONE;
}

static void print_cell(FILE *out, const char *cell, assay_mark mark)
{
    if (mark != ASSAY_MARK_NONE)
        (void)fputc((int)mark, out);
    assay_write_clean(out, cell);
    if (mark != ASSAY_MARK_NONE)
        (void)fputc(ASSAY_MARK_END, out);
}

/* Spaces before a cell are held back, so that no line ends with them. */
static void print_row(const assay_table *table, char *const *cells, const int *width, FILE *out,
                      int indent)
{
    int pending = indent;

    for (int c = 0; c < table->n_columns; c++) {
        const char *cell     = cells ? cells[c] : table->columns[c].title;
        const int   room     = width[c] - width_of(cell);
        const bool  is_right = table->columns[c].form & ASSAY_COLUMN_RIGHT;

        if (width[c] == 0)
            continue;
        pad(out, pending + (is_right ? room : 0));
        print_cell(out, cell, cells ? mark_of(table->columns[c].form, cell) : ASSAY_MARK_NONE);
        pending = 2 + (is_right ? 0 : room);
    }
    (void)fputc('\n', out);
}

assay_status assay_table_print(const assay_table *table, FILE *out, int indent)
{
    const size_t n = table->n_cells / (size_t)table->n_columns;
    int         *width;

    if (table->status != ASSAY_OK || n == 0)
        return table->status;
    width = calloc((size_t)table->n_columns, sizeof *width);
    if (!width)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a table");
    for (int c = 0; c < table->n_columns; c++)
        width[c] = column_width(table, n, c);
    print_row(table, NULL, width, out, indent);
    for (size_t r = 0; r < n; r++) {
        char *const *cells = table->cells + r * (size_t)table->n_columns;

        if (!is_heading(table, r)) {
            print_row(table, cells, width, out, indent);
            continue;
        }
        pad(out, indent > 2 ? indent - 2 : 0);
        assay_write_clean(out, cells[0]);
        (void)fputc('\n', out);
    }
    free(width);
    return ASSAY_OK;
}

void assay_table_free(assay_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->n_cells; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (assay_table) { .columns = table->columns, .n_columns = table->n_columns };
}
