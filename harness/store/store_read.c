/* Rows that the store hands back as structures: ceilings and blocks of a run. */
#include "store_internal.h"

/* ---- ceilings ---- */

assay_status assay_store_read_ceilings(assay_store *store, int64_t run_id,
                                       assay_status (*visit)(void                    *context,
                                                             const assay_ceiling_row *row),
                                       void *context)
{
    assay_ceiling_row row;
    int               at;
    assay_binder      b      = { 0 };
    bool              is_row = false;
    assay_status      st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_EACH_CEILING, &b));
    assay_bind_int(&b, run_id);
    ASSAY_CHECK(assay_store_step(&b, &is_row));
    while (is_row) {
        at = 0;
        ASSAY_CHECK(assay_store_read_row(store, b.stmt, &at, ASSAY_TABLE_CEILING, "", &row));
        ASSAY_CHECK(visit(context, &row));
        ASSAY_CHECK(assay_store_step(&b, &is_row));
    }
out:
    if (is_row)
        assay_store_reset(&b);
    return st;
}

/* ---- blocks ---- */

/* Columns of ASSAY_SQL_EACH_BLOCK. */
enum {
    COLUMN_KEY,
    COLUMN_REGIME,
    COLUMN_CLOCK,
    COLUMN_N_BLOCKS,
    COLUMN_DECIDES,
    COLUMN_MEDIAN,
    COLUMN_BYTES,
    COLUMN_FLOPS,
    COLUMN_CELLS,
    COLUMN_BLOCK
};

static assay_status read_block_row(const assay_store *store, sqlite3_stmt *stmt,
                                   assay_block_row *row)
{
    int          at = COLUMN_BLOCK + 1;
    assay_status st;

    *row = (assay_block_row) {
        .key            = assay_store_text_at(stmt, COLUMN_KEY),
        .decides        = assay_store_count_at(stmt, COLUMN_DECIDES) == 1,
        .n_blocks       = assay_store_int_at(stmt, COLUMN_N_BLOCKS),
        .block          = assay_store_int_at(stmt, COLUMN_BLOCK),
        .median_ns      = assay_store_real_at(stmt, COLUMN_MEDIAN),
        .bytes_declared = assay_store_count_at(stmt, COLUMN_BYTES),
        .cells          = assay_store_int_at(stmt, COLUMN_CELLS),
        .flops          = assay_store_real_at(stmt, COLUMN_FLOPS),
    };
    if (!row->key)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "%s: out of memory for a block", store->path);
    ASSAY_CHECK(
        assay_store_read_word(store, stmt, COLUMN_REGIME, ASSAY_COLUMN_REGIME, &row->regime));
    ASSAY_CHECK(assay_store_read_word(store, stmt, COLUMN_CLOCK, ASSAY_COLUMN_CLOCK, &row->clock));
    ASSAY_CHECK(assay_store_read_row(store, stmt, &at, ASSAY_TABLE_BLOCK, "", &row->about));
out:
    return st;
}

assay_status assay_store_each_block(assay_store *store, int64_t run_id,
                                    assay_status (*visit)(void                  *context,
                                                          const assay_block_row *row),
                                    void *context)
{
    assay_block_row row;
    assay_binder    b      = { 0 };
    bool            is_row = false;
    assay_status    st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_EACH_BLOCK, &b));
    assay_bind_int(&b, run_id);
    ASSAY_CHECK(assay_store_step(&b, &is_row));
    while (is_row) {
        ASSAY_CHECK(read_block_row(store, b.stmt, &row));
        ASSAY_CHECK(visit(context, &row));
        ASSAY_CHECK(assay_store_step(&b, &is_row));
    }
out:
    if (is_row)
        assay_store_reset(&b);
    return st;
}
