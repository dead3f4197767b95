/* Drops raw samples. What is known of a block (its count, median, clocks and power) stays, and so
 * does every verdict. */
#include "store_internal.h"

#include <inttypes.h>
#include <math.h>

assay_status assay_store_prune(assay_store *store, double older_than_s, int64_t keep,
                               int64_t *n_blocks)
{
    assay_binder b   = { .store = store };
    bool         row = false;
    assay_status st;

    *n_blocks = 0;
    if (store->open_point || store->is_planning)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "a point or a plan is open: nothing can be pruned");
    if (keep < 0 || (keep == 0 && isnan(older_than_s)))
        return ASSAY_FAIL(ASSAY_E_USAGE, "nothing says which samples are to be dropped");
    b.rc = sqlite3_prepare_v2(store->db, assay_sql_prune, -1, &b.stmt, NULL);
    if (b.rc != SQLITE_OK)
        return assay_store_fail(store->db, store->path, b.rc);
    assay_bind_real(&b, older_than_s);
    assay_bind_int(&b, keep);
    ASSAY_CHECK(assay_store_step(&b, &row));
    *n_blocks = sqlite3_changes64(store->db);
    /* Returns the space to the disk. */
    if (*n_blocks > 0)
        ASSAY_CHECK(assay_store_exec(store->db, store->path, "VACUUM"));
out:
    (void)sqlite3_finalize(b.stmt);
    return st;
}
