/* The texts of the store's statements, and the parts of those that find or add rows. Parameters are
 * bound from the left, in the order of their numbers. */
#include "store_internal.h"

const char *const assay_statement_sql[ASSAY_N_STATEMENTS] = {
#define ENTRY(NAME, name) [ASSAY_SQL_##NAME] = assay_sql_##name,
    ASSAY_SQL_STATEMENTS(ENTRY)
#undef ENTRY
};

#define ADD(table_, now_, row, ...)                                                                \
    {                                                                                              \
        .table = (table_), .first = { __VA_ARGS__ }, .rows = { ASSAY_TABLE_##row }, .n_rows = 1,   \
        .now = (now_)                                                                              \
    }

/* A row that others share: found, or added. */
#define SHARED(NAME, ...)                                                                          \
    [ASSAY_SQL_FIND_##NAME] = { __VA_ARGS__, .is_sought = true },                                  \
    [ASSAY_SQL_ADD_##NAME]  = { __VA_ARGS__ }

const assay_insert assay_inserts[ASSAY_N_STATEMENTS] = {
    /* rows that others share */
    SHARED(BUILD, .table = "build", .rows = { ASSAY_TABLE_BUILD }, .n_rows = 1),
    SHARED(DEVICE, .table = "device", .rows = { ASSAY_TABLE_DEVICE }, .n_rows = 1),
    SHARED(DEVICE_STATE, .table = "device_state", .first = { "device_id" },
           .rows = { ASSAY_TABLE_DEVICE_STATE, ASSAY_TABLE_DEVICE_SETTINGS }, .n_rows = 2),
    SHARED(CONFIG, .table = "config", .first = { "case_version_id", "axes" }),
    SHARED(POLICY, .table = "policy", .rows = { ASSAY_TABLE_POLICY }, .n_rows = 1,
           .last = { "method" }),
    /* rows that are no structure */
    [ASSAY_SQL_ADD_CASE]     = { .table = "case_version", .first = { "name", "version", "what" } },
    [ASSAY_SQL_ADD_AXIS]     = { .table = "axis_value",
                                 .first = { "config_id", "position", "name", "kind", "value_x",
                                            "value_y", "value_z", "text" } },
    [ASSAY_SQL_ADD_EXPECTED] = { .table = "expected_verdict", .first = { "point_id", "verdict" } },
    [ASSAY_SQL_ADD_RUN_END]  = { .table = "run_end",
                                 .first = { "run_id", "exit_status" },
                                 .now   = "ended_utc" },
    /* rows with what only the caller knows before and behind */
    [ASSAY_SQL_ADD_BLOCK] = { .table  = "sample_block",
                              .first  = { "measurement_id", "block" },
                              .rows   = { ASSAY_TABLE_BLOCK },
                              .n_rows = 1,
                              .last   = { "crc32", "time_ns", "clock_crc32", "clock_mhz" } },
    [ASSAY_SQL_ADD_TRIAL] = { .table  = "tuning_trial",
                              .first  = { "point_id" },
                              .rows   = { ASSAY_TABLE_TRIAL },
                              .n_rows = 1,
                              .last   = { "point_verdict" } },
    /* rows behind the ids of what they belong to */
    [ASSAY_SQL_ADD_RUN] =
        ADD("run", "started_utc", RUN, "memory_free_bytes", "build_id", "device_state_id"),
    [ASSAY_SQL_ADD_POINT]       = ADD("point", NULL, POINT, "run_id", "ordinal", "config_id"),
    [ASSAY_SQL_ADD_CHECK]       = ADD("check_result", NULL, CHECK, "point_id"),
    [ASSAY_SQL_ADD_MEASUREMENT] = ADD("measurement", NULL, MEASUREMENT, "point_id", "policy_id"),
    [ASSAY_SQL_ADD_COMPARISON]  = ADD("comparison", NULL, COMPARISON, "point_id"),
    [ASSAY_SQL_ADD_LAUNCH]      = ADD("launch", NULL, LAUNCH, "point_id"),
    [ASSAY_SQL_ADD_SECTION]     = ADD("section", NULL, SECTION, "point_id"),
    [ASSAY_SQL_ADD_METRIC]      = ADD("metric", NULL, METRIC, "point_id"),
    [ASSAY_SQL_ADD_CEILING]     = ADD("ceiling", "measured_utc", CEILING, "run_id"),
    [ASSAY_SQL_ADD_VERDICT]     = ADD("verdict", "finished_utc", VERDICT, "point_id"),
    [ASSAY_SQL_ADD_ANNOTATION]  = ADD("annotation", "written_utc", ANNOTATION, NULL),
    [ASSAY_SQL_ADD_ACCEPTED]    = ADD("accepted_baseline", "accepted_utc", ACCEPTED, NULL),
    [ASSAY_SQL_ADD_CALIBRATION] = ADD("calibration", "calibrated_utc", CALIBRATION, NULL),
    [ASSAY_SQL_ADD_CHANGE]      = ADD("change", "compared_utc", CHANGE, NULL),
};
