/* Reads text baselines back into a store: files that the CSV report wrote, parsed by csv_read.h. */
#ifndef ASSAY_STORE_IMPORT_H
#define ASSAY_STORE_IMPORT_H

#include "base/csv_read.h"
#include "store/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a column of the CSV report. */
typedef enum assay_csv_kind {
    ASSAY_CSV_TEXT,
    ASSAY_CSV_INTEGER, /* signed, 64 bits */
    ASSAY_CSV_REAL,
    ASSAY_CSV_SEED,   /* unsigned, 64 bits */
    ASSAY_CSV_REGIME, /* a word of metric.h */
    ASSAY_CSV_CLOCK,
} assay_csv_kind;

typedef struct assay_csv_column {
    const char    *name;
    assay_csv_kind kind;
    bool           is_number; /* a number about a kernel: empty without a PASS */
} assay_csv_column;

/* All columns, in their order. Every file has the first assay_csv_n_first ones. Files of older
 * releases lack some of the others, whose values are then not recorded. */
extern const assay_csv_column assay_csv_columns[];
extern const int              assay_csv_n_columns, assay_csv_n_first;

/* The result of an import. */
typedef struct assay_import {
    int64_t n_runs, n_points; /* that the store did not have */
    int64_t n_known;          /* runs that the store had already, with the same contents */
} assay_import;

/* Adds the runs of n files, or nothing. What a file does not say is not recorded (NULL, or '' and 0
 * where there must be a value). Each run is read back as the CSV report would write it and compared
 * with its lines. A run that the store already has must have the same contents. Fails with
 * ASSAY_E_USAGE, which says PATH:LINE:COLUMN and why: the file is not what the report writes, there
 * is a number without a PASS, or lines contradict each other or the store. */
assay_status assay_store_import(assay_store *store, const assay_csv *files, int n,
                                assay_import *result);

#ifdef __cplusplus
}
#endif
#endif
