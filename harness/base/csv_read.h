/* Reading CSV as RFC 4180 has it. Knows neither the store nor what columns mean. */
#ifndef ASSAY_CSV_READ_H
#define ASSAY_CSV_READ_H

#include "status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A field and where it stands in the file, both from 1; columns count bytes. */
typedef struct assay_csv_cell {
    const char *text; /* unquoted */
    int64_t     line, column;
} assay_csv_cell;

/* A whole file. Row 0 is the header; every row has n_columns cells. */
typedef struct assay_csv {
    char           *path; /* for messages */
    char           *text; /* what the cells point into */
    assay_csv_cell *cells;
    int64_t         n_columns, n_rows; /* rows with the header */
} assay_csv;

/* Reads a file. Records end with CR LF or LF, the last one also with the end of the file; a byte
 * order mark is passed over. ASSAY_E_USAGE says PATH:LINE:COLUMN and what is wrong there: a quote
 * that is never closed, text around quotes, a quote or CR in a bare field, a zero byte, more or
 * fewer fields than the header, a column named twice or not at all. ASSAY_E_IO if it cannot be
 * read. Caller frees. */
assay_status assay_csv_read(const char *path, assay_csv *csv);
/* The same from memory; the text is copied. */
assay_status assay_csv_parse(const char *path, const char *text, size_t size, assay_csv *csv);
void         assay_csv_free(assay_csv *csv); /* accepts NULL; zeroes */

/* Would a spreadsheet take this text for a formula, or for the guard of one? It begins with = + -
 * @, a tab or a CR, behind any apostrophes, and is no number. Who writes CSV puts an apostrophe
 * before it; the reader takes one away from such a cell, so that with it and without it, it is the
 * same text. */
bool assay_csv_is_formula(const char *text);

const assay_csv_cell *assay_csv_at(const assay_csv *csv, int64_t row, int64_t column);
int64_t assay_csv_find(const assay_csv *csv, const char *name); /* column; -1: there is none */

#ifdef __cplusplus
}
#endif
#endif
