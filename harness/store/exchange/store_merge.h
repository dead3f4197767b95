/* The statements of a merge of two files. Only store_merge*.c include it. */
#ifndef ASSAY_STORE_MERGE_H
#define ASSAY_STORE_MERGE_H

#include "store/store_internal.h"

/* A table as a merge sees it. Its own id is local to a file. Other columns that end in _id and name
 * a table of `temp.merged` are translated. */
typedef struct assay_merge_table {
    const char *name;
    const char *own;  /* its own id; "" none */
    const char *key;  /* columns that name a row, " " around each; NULL: all but its own id */
    const char *link; /* column that says what a row belongs to; NULL: nothing */
    const char *set;  /* the things whose rows are merged: has columns old and new */
} assay_merge_table;

/* Runs the statements that a text makes of a table. In it stand for
 *   {T} {own} {link} {set}  what the table says
 *   {names}    its columns but its own id
 *   {values}   the same of row s of the source, ids translated
 *   {same}     row d is row s by its key
 *   {equal}    row d is row s in every column
 * Columns are those of the file that is written to, so no name from a source gets into a statement.
 * `with_blobs`: false leaves samples out, which may have been pruned. */
assay_status assay_merge_exec(assay_store *store, const char *text, const assay_merge_table *table,
                              bool with_blobs);

#endif
