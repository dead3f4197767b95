/* Reads rows into structures: ceilings and processes of a run; and values from a configuration. */
#include "store_internal.h"

#include <string.h>

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

/* ---- processes ---- */

/* Columns of ASSAY_SQL_EACH_PROCESS. */
enum {
    COLUMN_KEY,
    COLUMN_REGIME,
    COLUMN_CLOCK,
    COLUMN_DECIDES,
    COLUMN_BYTES,
    COLUMN_FLOPS,
    COLUMN_CELLS,
    COLUMN_N_PROCESSES,
    COLUMN_PROCESS,
    COLUMN_TIME,
    COLUMN_SM_CLOCK,
    COLUMN_THROTTLED,
    COLUMN_DISCARDED
};

static assay_status read_process_row(const assay_store *store, sqlite3_stmt *stmt,
                                     assay_process_row *row)
{
    assay_status st = ASSAY_OK;

    *row = (assay_process_row) {
        .key            = assay_store_text_at(stmt, COLUMN_KEY),
        .decides        = assay_store_count_at(stmt, COLUMN_DECIDES) == 1,
        .n_processes    = assay_store_int_at(stmt, COLUMN_N_PROCESSES),
        .process        = assay_store_int_at(stmt, COLUMN_PROCESS),
        .time_ns        = assay_store_real_at(stmt, COLUMN_TIME),
        .sm_clock_mhz   = assay_store_real_at(stmt, COLUMN_SM_CLOCK),
        .n_throttled    = (int64_t)assay_store_real_at(stmt, COLUMN_THROTTLED),
        .n_discarded    = (int64_t)assay_store_real_at(stmt, COLUMN_DISCARDED),
        .bytes_declared = assay_store_count_at(stmt, COLUMN_BYTES),
        .cells          = assay_store_int_at(stmt, COLUMN_CELLS),
        .flops          = assay_store_real_at(stmt, COLUMN_FLOPS),
    };
    if (!row->key)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "%s: out of memory for a process", store->path);
    ASSAY_CHECK(
        assay_store_read_word(store, stmt, COLUMN_REGIME, ASSAY_COLUMN_REGIME, &row->regime));
    ASSAY_CHECK(assay_store_read_word(store, stmt, COLUMN_CLOCK, ASSAY_COLUMN_CLOCK, &row->clock));
out:
    return st;
}

assay_status assay_store_each_process(assay_store *store, int64_t run_id, bool all_clocks,
                                      assay_status (*visit)(void                    *context,
                                                            const assay_process_row *row),
                                      void *context)
{
    assay_process_row row;
    assay_binder      b      = { 0 };
    bool              is_row = false;
    assay_status      st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_EACH_PROCESS, &b));
    assay_bind_int(&b, run_id);
    assay_bind_int(&b, all_clocks);
    ASSAY_CHECK(assay_store_step(&b, &is_row));
    while (is_row) {
        ASSAY_CHECK(read_process_row(store, b.stmt, &row));
        ASSAY_CHECK(visit(context, &row));
        ASSAY_CHECK(assay_store_step(&b, &is_row));
    }
out:
    if (is_row)
        assay_store_reset(&b);
    return st;
}

/* ---- axes ---- */

/* Reads up to one of the characters of `ends`, unless a backslash escapes it, and removes
 * backslashes. Returns where it ended. */
static const char *read_part(const char *from, const char *ends, char *to, size_t size)
{
    size_t n = 0;

    for (; *from && !strchr(ends, *from); from++) {
        if (*from == '\\' && from[1])
            from++;
        if (n + 1 < size)
            to[n++] = *from;
    }
    to[n] = '\0';
    return from;
}

bool assay_store_axis_value(const char *axes, const char *name, char *value, size_t size)
{
    char found[ASSAY_NAME_SIZE];

    while (*axes) {
        axes = read_part(axes, "=;", found, sizeof found);
        axes = read_part(*axes == '=' ? axes + 1 : axes, ";", value, size);
        if (strcmp(found, name) == 0)
            return true;
        axes += *axes == ';';
    }
    return false;
}
