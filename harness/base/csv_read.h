/* Reads CSV (RFC 4180). It knows neither the store nor the meaning of columns. */
#ifndef ASSAY_CSV_READ_H
#define ASSAY_CSV_READ_H

#include "status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A field and its position in the file: line and column, both from 1; columns count bytes. */
typedef struct assay_csv_cell {
    const char *text; /* without quotes */
    int64_t     line, column;
} assay_csv_cell;

/* A whole file. Row 0 is the header; every row has n_columns cells. */
typedef struct assay_csv {
    char           *path; /* of the file, for messages */
    char           *text; /* the memory that cells point into */
    assay_csv_cell *cells;
    int64_t         n_columns, n_rows; /* including the header */
} assay_csv;

/* Reads a file. Records end with CR LF, LF or the end of the file. A byte order mark is skipped.
 * Fails with ASSAY_E_USAGE, which says PATH:LINE:COLUMN and what is wrong: a quote that is never
 * closed, text around quotes, a quote or CR in a bare field, a zero byte, more or fewer fields than
 * the header, a column without a name or with one used before. Fails with ASSAY_E_IO if the file
 * cannot be read. The caller frees. */
assay_status assay_csv_read(const char *path, assay_csv *csv);
/* The same from a text in memory, which is copied. */
assay_status assay_csv_parse(const char *path, const char *text, size_t size, assay_csv *csv);
void         assay_csv_free(assay_csv *csv); /* accepts NULL; zeroes *csv */

/* Would a spreadsheet take this text for a formula? It does if the text begins with = + - @, a tab
 * or a CR, after any apostrophes, and is not a number. A writer of CSV puts an apostrophe before
 * such a text; the reader removes one, so both forms mean the same text. */
bool assay_csv_is_formula(const char *text);

const assay_csv_cell *assay_csv_at(const assay_csv *csv, int64_t row, int64_t column);
/* Returns the number of the column; -1: there is none. */
int64_t assay_csv_find(const assay_csv *csv, const char *name);

#ifdef __cplusplus
}
#endif
#endif
