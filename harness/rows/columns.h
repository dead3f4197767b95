/* Rows as columns. Each kind of stored row has one table, from which the store makes the code that
 * adds, binds and reads it. Reports and the import use the tables of measurement and policy as
 * well. */
#ifndef ASSAY_COLUMNS_H
#define ASSAY_COLUMNS_H

#include "device.h"
#include "rows_stored.h"

#include <stddef.h>

/* The type of a member, and what the store makes of it. */
typedef enum assay_column_kind {
    ASSAY_COLUMN_TEXT,    /* an array of char */
    ASSAY_COLUMN_INT,     /* an int */
    ASSAY_COLUMN_COUNT,   /* an int; negative: NULL */
    ASSAY_COLUMN_INT64,   /* an int64_t */
    ASSAY_COLUMN_COUNT64, /* an int64_t; negative: NULL */
    ASSAY_COLUMN_REAL,    /* a double; NaN: NULL */
    ASSAY_COLUMN_TRUTH,   /* a bool; 0 or 1 */
    ASSAY_COLUMN_SEED,    /* a uint64_t; the signed number of the same bits */
    /* enumerations, stored as their words */
    ASSAY_COLUMN_REGIME,
    ASSAY_COLUMN_CLOCK,
    ASSAY_COLUMN_VERDICT,
    ASSAY_COLUMN_INPUT,
    ASSAY_COLUMN_RULE,
    ASSAY_COLUMN_GROWTH,
    ASSAY_COLUMN_FLUSH, /* an int */
} assay_column_kind;

typedef struct assay_column {
    const char       *name; /* in the database */
    assay_column_kind kind;
    size_t            offset, size; /* of the member */
    bool (*is_null)(
        const void *row); /* true: the column is NULL in this row; no function: never NULL */
    const char *group;    /* of columns that are together in a report; "" none */
} assay_column;

/* X(kind, name): the thresholds of assay_policy, as they are in the CSV report: the first ones
 * under their own names, the others as policy_... Neither list grows, since the CSV grows only at
 * its end: a new threshold is a line after them in the table (columns.c). */
#define ASSAY_POLICY_FIRST(X)                                                                      \
    X(REAL, budget_s)                                                                              \
    X(REAL, target_relative_error)                                                                 \
    X(INT64, min_samples)                                                                          \
    X(INT64, max_samples)
#define ASSAY_POLICY_MORE(X)                                                                       \
    X(INT, n_processes)                                                                            \
    X(INT, n_blocks)                                                                               \
    X(INT, max_calls)                                                                              \
    X(REAL, sample_target_ns)                                                                      \
    X(INT, warm_window)                                                                            \
    X(INT, max_warmup)                                                                             \
    X(INT, rewarm)                                                                                 \
    X(REAL, warm_agreement)                                                                        \
    X(REAL, warm_share)                                                                            \
    X(FLUSH, flush_kind)                                                                           \
    X(REAL, short_ns)                                                                              \
    X(REAL, floor_factor)                                                                          \
    X(REAL, ceiling_margin)                                                                        \
    X(REAL, clock_gap_ns)                                                                          \
    X(REAL, clock_gap_share)                                                                       \
    X(INT64, invalid_reasons)                                                                      \
    X(INT, graph_calls)                                                                            \
    X(REAL, graph_target_ns)                                                                       \
    X(INT64, confident_samples)                                                                    \
    X(REAL, clock_tie)

/* All kinds of rows that are stored. */
typedef enum assay_table_id {
    ASSAY_TABLE_MEASUREMENT,
    ASSAY_TABLE_POLICY,
    ASSAY_TABLE_BLOCK,
    ASSAY_TABLE_CHECK,
    ASSAY_TABLE_VERDICT,
    ASSAY_TABLE_COMPARISON,
    ASSAY_TABLE_LAUNCH,
    ASSAY_TABLE_SECTION,
    ASSAY_TABLE_METRIC,
    ASSAY_TABLE_TRIAL,
    ASSAY_TABLE_CEILING,
    ASSAY_TABLE_POINT,
    ASSAY_TABLE_RUN,
    ASSAY_TABLE_BUILD, /* of a run */
    ASSAY_TABLE_DEVICE,
    ASSAY_TABLE_DEVICE_STATE,    /* of a device's info */
    ASSAY_TABLE_DEVICE_SETTINGS, /* of a run; they stand in the row of the device's state */
    ASSAY_TABLE_ANNOTATION,
    ASSAY_TABLE_ACCEPTED,
    ASSAY_TABLE_CALIBRATION,
    ASSAY_TABLE_CHANGE,
    ASSAY_N_TABLES
} assay_table_id;

typedef struct assay_row_table {
    const char         *name; /* in the database */
    size_t              row_size;
    const assay_column *columns;
    int                 n;
} assay_row_table;

extern const assay_row_table assay_row_tables[ASSAY_N_TABLES];

#endif
