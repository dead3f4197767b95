/* The texts of the store's statements, and of what those that add rows are made. Parameters are
 * bound from the left, in the order of the numbers. */
#include "store_internal.h"

const char *const assay_statement_sql[ASSAY_N_STATEMENTS] = {
    [ASSAY_SQL_BEGIN]    = "BEGIN IMMEDIATE",
    [ASSAY_SQL_COMMIT]   = "COMMIT",
    [ASSAY_SQL_ROLLBACK] = "ROLLBACK",
    [ASSAY_SQL_FIND_BUILD] =
        "SELECT build_id FROM build WHERE binary_id = ?1 AND assay_version = ?2 AND git_commit = "
        "?3 AND git_dirty = ?4 AND compiler = ?5 AND cuda_compiler = ?6 AND build_type = ?7 AND "
        "build_flags = ?8 AND kernels_id = ?9 AND git_branch = ?10 AND git_commit_utc = ?11 AND "
        "git_diff_hash = ?12 AND cuda_toolkit = ?13 AND cuda_architectures = ?14 AND cupti = ?15 "
        "AND sqlite = ?16 AND google_benchmark = ?17",
    [ASSAY_SQL_FIND_DEVICE] =
        "SELECT device_id FROM device WHERE kind = ?1 AND uuid = ?2 AND name = ?3",
    [ASSAY_SQL_FIND_DEVICE_STATE] =
        "SELECT device_state_id FROM device_state WHERE device_id = ?1 AND pci_bus_id = ?2 AND "
        "driver = ?3 AND driver_cuda_version = ?4 AND runtime_version = ?5 AND compute_capability "
        "= "
        "?6 AND sm_count = ?7 AND sm_clock_khz = ?8 AND memory_clock_khz = ?9 AND memory_bus_bits "
        "= "
        "?10 AND ecc = ?11 AND memory_bytes = ?12 AND l2_bytes = ?13 AND can_time = ?14 AND nvml "
        "= ?15 AND vbios = ?16 AND mig IS ?17 AND persistence IS ?18 AND compute_mode IS ?19 AND "
        "power_limit_w IS ?20 AND power_limit_default_w IS ?21 AND application_sm_mhz IS ?22 AND "
        "application_memory_mhz IS ?23 AND numa_node IS ?24",
    [ASSAY_SQL_FIND_CASE] =
        "SELECT case_version_id FROM case_version WHERE name = ?1 AND version = ?2",
    [ASSAY_SQL_FIND_CONFIG] =
        "SELECT config_id FROM config WHERE case_version_id = ?1 AND axes = ?2",
    [ASSAY_SQL_NEXT_ORDINAL] = "SELECT coalesce(max(ordinal) + 1, 0) FROM point WHERE run_id = ?1",
    [ASSAY_SQL_POINT_STATE] =
        "SELECT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id) FROM point AS p "
        "WHERE p.point_id = ?1",
    [ASSAY_SQL_FIND_POLICY] =
        "SELECT policy_id FROM policy WHERE n_processes = ?1 AND n_blocks = ?2 AND budget_s = ?3 "
        "AND target_relative_error = ?4 AND min_samples = ?5 AND max_samples = ?6 AND max_calls = "
        "?7 AND sample_target_ns = ?8 AND warm_window = ?9 AND max_warmup = ?10 AND rewarm = ?11 "
        "AND warm_agreement = ?12 AND warm_share = ?13 AND flush_kind = ?14 AND short_ns = ?15 AND "
        "floor_factor = ?16 AND ceiling_margin = ?17 AND clock_gap_ns = ?18 AND clock_gap_share = "
        "?19 AND invalid_reasons = ?20 AND graph_calls = ?21 AND graph_target_ns = ?22 AND "
        "clock_tie = ?23 AND confident_samples = ?24 AND method = ?25",
    [ASSAY_SQL_FIND_RUN] = "SELECT run_id FROM run WHERE uuid = ?1",
    [ASSAY_SQL_FIND_INTERRUPTED] =
        "SELECT r.run_id, r.uuid, r.command, r.verb, r.options, r.seed, r.lane, r.host, "
        "r.kernel_release, r.cpu_model, r.n_cpus, b.assay_version, b.git_commit, b.git_dirty, "
        "b.compiler, b.cuda_compiler, b.build_type, b.build_flags, b.binary_id, b.kernels_id, "
        "d.uuid FROM run AS r JOIN device_state AS s ON s.device_state_id = r.device_state_id JOIN "
        "device AS d ON d.device_id = s.device_id "
        "JOIN build AS b ON b.build_id = r.build_id WHERE r.verb <> 'trace' AND r.command <> '' "
        "AND NOT "
        "EXISTS (SELECT "
        "1 FROM run_end AS e "
        "WHERE e.run_id = r.run_id) ORDER BY r.started_utc DESC, r.run_id DESC LIMIT 1",
    [ASSAY_SQL_LATEST_RUN] =
        "SELECT r.run_id FROM run AS r WHERE EXISTS (SELECT 1 FROM point AS p JOIN verdict AS v ON "
        "v.point_id = p.point_id WHERE p.run_id = r.run_id) ORDER BY r.started_utc DESC, r.run_id "
        "DESC LIMIT 1",
    [ASSAY_SQL_EACH_READY] =
        "SELECT p.ordinal, p.point_id, p.key, p.seed FROM point AS p WHERE p.run_id = ?1 AND "
        "p.ordinal > ?2 AND NOT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id) "
        "ORDER BY p.ordinal LIMIT 1",
    [ASSAY_SQL_READ_BLOCKS] =
        "SELECT m.n_samples, m.n_blocks, b.crc32, b.time_ns, b.clock_crc32, b.clock_mhz, " //
    ASSAY_BLOCK_COLUMNS " FROM measurement AS m LEFT JOIN sample_block AS b ON "
        "b.measurement_id = m.measurement_id WHERE m.measurement_id = ?1 ORDER BY b.block",
    [ASSAY_SQL_EACH_BLOCK] =
        "SELECT p.key, m.regime, m.clock, m.n_blocks, m.decides, m.median_ns, "
        "m.bytes_declared, m.flops, p.cells, " ASSAY_BLOCK_COLUMNS
        " FROM point AS p JOIN verdict AS v ON v.point_id = p.point_id AND v.verdict = 'PASS' JOIN "
        "measurement AS m ON m.point_id = p.point_id JOIN sample_block AS b "
        "ON b.measurement_id = m.measurement_id WHERE p.run_id = ?1 ORDER BY p.ordinal, "
        "m.measurement_id, b.block",
    [ASSAY_SQL_EACH_CEILING] =
        "SELECT kind, regime, clock, working_set_bytes, n_samples, median_ns, rate FROM ceilings "
        "WHERE run_id = ?1 ORDER BY ceiling_id",
};

#define ADD(table_, now_, row, ...)                                                                \
    {                                                                                              \
        .table = (table_), .first = { __VA_ARGS__ }, .rows = { ASSAY_TABLE_##row }, .n_rows = 1,   \
        .now = (now_)                                                                              \
    }

const assay_insert assay_inserts[ASSAY_N_STATEMENTS] = {
    /* rows that are no structure */
    [ASSAY_SQL_ADD_CASE]     = { .table = "case_version", .first = { "name", "version", "what" } },
    [ASSAY_SQL_ADD_CONFIG]   = { .table = "config", .first = { "case_version_id", "axes" } },
    [ASSAY_SQL_ADD_AXIS]     = { .table = "axis_value",
                                 .first = { "config_id", "position", "name", "kind", "value_x",
                                            "value_y", "value_z", "text" } },
    [ASSAY_SQL_ADD_EXPECTED] = { .table = "expected_verdict", .first = { "point_id", "verdict" } },
    [ASSAY_SQL_ADD_RUN_END]  = { .table = "run_end",
                                 .first = { "run_id", "exit_status" },
                                 .now   = "ended_utc" },
    /* rows with what only the caller knows before and behind */
    [ASSAY_SQL_ADD_DEVICE_STATE] = { .table  = "device_state",
                                     .first  = { "device_id" },
                                     .rows   = { ASSAY_TABLE_DEVICE_STATE,
                                                 ASSAY_TABLE_DEVICE_SETTINGS },
                                     .n_rows = 2 },
    [ASSAY_SQL_ADD_POLICY]       = { .table  = "policy",
                                     .rows   = { ASSAY_TABLE_POLICY },
                                     .n_rows = 1,
                                     .last   = { "method" } },
    [ASSAY_SQL_ADD_BLOCK]        = { .table  = "sample_block",
                                     .first  = { "measurement_id", "block" },
                                     .rows   = { ASSAY_TABLE_BLOCK },
                                     .n_rows = 1,
                                     .last   = { "crc32", "time_ns", "clock_crc32", "clock_mhz" } },
    [ASSAY_SQL_ADD_TRIAL]        = { .table  = "tuning_trial",
                                     .first  = { "point_id" },
                                     .rows   = { ASSAY_TABLE_TRIAL },
                                     .n_rows = 1,
                                     .last   = { "point_verdict" } },
    /* rows behind the ids of what they belong to */
    [ASSAY_SQL_ADD_BUILD]  = { .table = "build", .rows = { ASSAY_TABLE_BUILD }, .n_rows = 1 },
    [ASSAY_SQL_ADD_DEVICE] = { .table = "device", .rows = { ASSAY_TABLE_DEVICE }, .n_rows = 1 },
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
