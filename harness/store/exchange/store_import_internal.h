/* What the files of the import share. No other module includes this. */
#ifndef ASSAY_STORE_IMPORT_INTERNAL_H
#define ASSAY_STORE_IMPORT_INTERNAL_H

#include "store/store_internal.h"
#include "store_import.h"

/* One for each text of sql/import.sql. Parameters have the names of CSV columns or of items
 * (below). */
typedef enum assay_import_statement {
#define ENTRY(NAME, name) ASSAY_##NAME,
    ASSAY_SQL_IMPORT(ENTRY)
#undef ENTRY
    ASSAY_N_IMPORTS
} assay_import_statement;

enum {
    ASSAY_MAX_COLUMNS = 256,
    ASSAY_MAX_ITEMS   = 16
};

/* A parameter that is not a column: an id, or a piece of a list. */
typedef struct assay_import_item {
    const char    *name;
    assay_csv_kind kind;
    const char
        *text; /* "": an empty text, or NULL if the column is not a text; NULL: `integer` is used */
    int64_t integer;
} assay_import_item;

/* One file that is being imported. */
typedef struct assay_importer {
    assay_store     *store;
    sqlite3_stmt    *statements[ASSAY_N_IMPORTS]; /* owned, on first use */
    const assay_csv *csv;
    int64_t          place[ASSAY_MAX_COLUMNS]; /* index of each known column in the file, or -1 */
    int64_t          row;                      /* the current row */
    int64_t          run_id, point_id, measurement_id, ordinal;
} assay_importer;

/* Fails with PATH:LINE:COLUMN of a column's cell in the current row; column NULL: of the row. */
assay_status assay_import_fail(const assay_importer *im, const char *column, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

/* A cell of the current row; NULL if the file has no such column. */
const char *assay_import_text(const assay_importer *im, const char *column);
bool        assay_import_is_given(const assay_importer *im, const char *column);

/* Runs one statement with the current row and these items; n_changed: rows that it added. */
assay_status assay_import_run(assay_importer *im, assay_import_statement which,
                              const assay_import_item *items, int n_items, int *n_changed);

bool assay_import_integer(const char *text, int64_t *value);
bool assay_import_real(const char *text, double *value);
bool assay_import_seed(const char *text, uint64_t *value);

/* A text divided at separators; a backslash before a separator escapes it. */
typedef struct assay_pieces {
    char  *text; /* a copy, cut */
    char **piece;
    int    n; /* at least 1; 0 before it was divided */
} assay_pieces;
assay_status assay_split(const char *text, char separator, assay_pieces *pieces); /* caller frees */
void         assay_pieces_free(assay_pieces *pieces);
char        *assay_find_separator(char *text, char separator); /* NULL: there is none */
/* Removes escapes, in place. */
char *assay_unescape(char *text);
/* Reads "64" or "64x32x16" as numbers. Returns how many, 1 or 3; 0: it is something else. */
int assay_read_extents(const char *text, int64_t extent[3]);

#define ASSAY_ITEM_ID(name_, value_)                                                               \
    {                                                                                              \
        .name = (name_), .integer = (value_)                                                       \
    }
#define ASSAY_ITEM(name_, kind_, text_)                                                            \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .text = (text_)                                          \
    }
#define ASSAY_N_ITEMS(items) ((int)(sizeof(items) / sizeof(items)[0]))

/* Import the lists of the current row: axes, blocks, kernels, counters. */
assay_status assay_import_axes(assay_importer *im);
assay_status assay_import_expected(assay_importer *im);
assay_status assay_import_blocks(assay_importer *im);
assay_status assay_import_kernels(assay_importer *im);
assay_status assay_import_metrics(assay_importer *im);

/* Returns the axis that a column of this name belongs to (--format csv-axes); NULL: none. */
const char *assay_import_axis(const char *column);

/* Compares rows first..end-1 of the file with what the CSV report says of the run. */
assay_status assay_import_verify(assay_importer *im, int64_t first, int64_t end, bool was_there);

#endif
