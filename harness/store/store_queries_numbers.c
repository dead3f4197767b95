/* The reports' queries about numbers: times, comparisons, ceilings, launches, counters, sections,
 * tuning. */
#include "store_queries.h"

/* Where a configuration stands in the plan: at the first of its points. */
#define PLACE_OF_CONFIG                                                                            \
    "(SELECT min(o.ordinal) FROM point AS o WHERE o.run_id = p.run_id AND o.config_id = "          \
    "p.config_id)"

/* Point p with the names of its case and its axes. */
#define POINT_NAMES                                                                                \
    "point AS p JOIN config AS f ON f.config_id = p.config_id JOIN case_version AS c ON "          \
    "c.case_version_id = f.case_version_id "
#define POINT_PASSED POINT_NAMES JOIN_PASSED
#define CASE_COLUMNS "c.name AS case_name, c.version AS case_version, f.axes, p.variant"

/* What measurements of the same configuration say, in whichever run: it belongs to the case. */
#define OF_THIS_RUN "o.config_id IN (SELECT config_id FROM point WHERE run_id = ?1)"
#define DECLARED                                                                                   \
    "SELECT o.config_id, max(m.bytes_declared) AS bytes_declared, max(m.flops) AS flops FROM "     \
    "measurement AS m JOIN point AS o ON o.point_id = m.point_id WHERE " OF_THIS_RUN " GROUP BY "  \
    "o.config_id"
#define DECLARED_OWN                                                                               \
    "SELECT o.config_id, o.variant, max(m.bytes_moved) AS bytes_moved FROM measurement AS m JOIN " \
    "point AS o ON o.point_id = m.point_id WHERE " OF_THIS_RUN " GROUP BY o.config_id, o.variant"

/* One column a kind. */
#define CEILING_COLUMNS                                                                            \
    "max(CASE kind WHEN 'copy' THEN rate END) AS copy_rate, max(CASE kind WHEN 'read' THEN rate "  \
    "END) AS read_rate, max(CASE kind WHEN 'write' THEN rate END) AS write_rate, max(CASE kind "   \
    "WHEN 'triad' THEN rate END) AS triad_rate, max(CASE kind WHEN 'fma' THEN rate END) AS "       \
    "fma_rate, max(CASE kind WHEN 'null' THEN median_ns END) AS null_ns"

/* The axes of point p without axis a, as one text. */
#define OTHER_AXES(text_of)                                                                        \
    "(SELECT group_concat(one, ';') FROM (SELECT " text_of " AS one FROM axis_value AS o WHERE "   \
    "o.config_id = p.config_id AND o.position <> a.position ORDER BY o.position))"

const assay_named_query assay_number_queries[] = {
    /* Every measurement, variants of one configuration and regime side by side. */
    { "timings",
      "SELECT p.case_name, p.case_version, p.axes, p.variant, p.baseline, p.key, p.regime, "
      "p.clock, p.decides, p.decision, w.worst_ratio, " RULE_COLUMNS ", p.tuning, p.n_samples, "
      "p.n_blocks, p.n_processes, p.process_spread, p.median_ns, p.q1_ns, p.q3_ns, "
      "p.median_cycles, p.sm_clock_mhz, p.n_throttled, p.n_discarded, p.stop_reason, p.verdict, "
      "p.gb_per_s, p.own_gb_per_s, p.gflop_per_s, p.share_of_bandwidth, p.share_of_flops, "
      "p.share_of_ceiling, p.is_below_floor, CASE WHEN p.rate_fact <> '' THEN p.giga_per_s END AS "
      "giga_per_s, k.ratio AS speedup, k.lo, k.hi FROM timed AS p LEFT "
      "JOIN check_result AS w ON w.check_id = " WORST_CHECK " " JOIN_SPEEDUP "WHERE p.run_id = ?1 "
      "ORDER BY p.case_name, p.case_version, " PLACE_OF_CONFIG ", p.regime, p.clock, p.ordinal" },

    /* Regimes of points in which no clock decides, by reason. */
    { "undecided",
      "SELECT d.case_name, d.case_version, d.regime, d.cannot_tell AS why, count(*) AS n_points, "
      "min(d.key) AS key FROM deciding AS d JOIN point AS p ON p.point_id = d.point_id WHERE "
      "d.run_id = ?1 AND d.cannot_tell IS NOT NULL AND EXISTS (SELECT 1 FROM measurement AS m "
      "WHERE m.point_id = d.point_id AND m.decides IS NOT NULL) GROUP BY d.case_name, "
      "d.case_version, d.regime, d.cannot_tell ORDER BY d.case_name, d.case_version, "
      "min(p.ordinal), d.regime" },

    /* Comparisons that stand beside no time: unknown ones, A/A, against another than the baseline.
     */
    { "compared",
      "SELECT p.case_name, p.case_version, p.axes, p.variant, p.kind, p.against, p.regime, "
      "p.clock, p.ratio, p.lo, p.hi, p.n_pairs, p.n_processes, p.finding, p.reason FROM compared "
      "AS p LEFT JOIN measurement AS m ON m.point_id = p.point_id AND m.regime = p.regime AND "
      "m.clock = p.clock WHERE p.run_id = ?1 AND (p.kind <> 'speedup' OR "
      "p.against <> p.baseline OR m.measurement_id IS NULL) ORDER BY p.case_name, "
      "p.case_version, " PLACE_OF_CONFIG ", p.kind, p.regime, p.clock, p.ordinal" },

    /* Times along each axis of numbers, all others alike: the rows of one series come together, in
       the order of its sizes. */
    { "fits",
      "WITH at AS (SELECT c.name AS case_name, c.version AS case_version, a.position, a.name AS "
      "axis, a.value_x, a.value_y, a.value_z, p.variant, p.ordinal, p.point_id, m.regime, m.clock, "
      "m.median_ns, m.is_below_floor, " OTHER_AXES(
          "quote(name) || '=' || quote(text)") " AS "
                                               "rest, " OTHER_AXES(
                                                   "name || '=' || text") " AS others "
                                                                          "FROM " POINT_PASSED
                                                                          "JOIN measurement "
                                                                          "AS m ON m.point_id = "
                                                                          "p.point_id AND "
                                                                          "m.decides = 1 JOIN "
                                                                          "axis_value AS a ON "
                                                                          "a.config_id = "
                                                                          "p.config_id AND a.kind "
                                                                          "<> 'text' WHERE "
                                                                          "p.run_id = ?1 AND "
                                                                          "m.median_ns IS NOT "
                                                                          "NULL) "
                                                                          "SELECT *, dense_rank() "
                                                                          "OVER (ORDER BY "
                                                                          "case_name, "
                                                                          "case_version, position, "
                                                                          "rest, regime, "
                                                                          "variant) AS series, "
                                                                          "min(ordinal) OVER "
                                                                          "(PARTITION BY "
                                                                          "case_name, "
                                                                          "case_version, position, "
                                                                          "rest) AS place_of_rest, "
                                                                          "min(ordinal) OVER "
                                                                          "(PARTITION BY "
                                                                          "case_name, "
                                                                          "case_version, variant) "
                                                                          "AS place_of_variant "
                                                                          "FROM at ORDER BY "
                                                                          "case_name, "
                                                                          "case_version, position, "
                                                                          "place_of_rest, "
                                                                          "rest, regime, "
                                                                          "place_of_variant, "
                                                                          "variant, value_x, "
                                                                          "value_y, value_z, "
                                                                          "ordinal" },

    /* One row: comparisons of points with themselves. */
    { "aa", "SELECT count(*) AS n, sum(lo IS NOT NULL AND hi IS NOT NULL) AS n_intervals, "
            "sum(lo > 1 OR hi < 1) AS n_excluding, max(abs(ratio - 1)) AS largest, "
            "sum(ratio IS NULL) AS n_unknown FROM compared WHERE run_id = ?1 AND kind = 'aa' "
            "HAVING count(*) > 0" },

    /* One row: what timing took. timing_s: the sample loops; whole_s: with checks and set-up. */
    { "cost",
      "SELECT count(*) AS n_points, sum(t.timing_s) AS timing_s, max(t.timing_s) AS most_s, "
      "(SELECT p.key FROM point AS p WHERE p.point_id = t.point_id) AS key, sum(v.wall_s) AS "
      "whole_s, sum(t.n_samples) AS n_samples, sum(t.timed_s) AS timed_s FROM (SELECT p.point_id, "
      "sum(m.wall_s) AS timing_s, sum(m.n_samples) AS n_samples, sum(1e-9 * m.n_samples * "
      "m.launches_per_sample * m.median_ns) AS timed_s FROM point AS p JOIN measurement AS m ON "
      "m.point_id = p.point_id WHERE p.run_id = ?1 GROUP BY p.point_id) AS t JOIN verdict AS v ON "
      "v.point_id = t.point_id HAVING count(*) > 0" },

    /* Largest of each variant's points. */
    { "memory",
      "SELECT c.name AS case_name, c.version AS case_version, p.variant, max(v.workspace_bytes) AS "
      "workspace_bytes, max(v.device_bytes) AS device_bytes, max(v.peak_bytes) AS peak_bytes "
      "FROM " POINT_NAMES "JOIN verdict AS v ON v.point_id = p.point_id WHERE p.run_id = ?1 GROUP "
      "BY c.name, c.version, p.variant HAVING "
      "max(coalesce(max(v.workspace_bytes), 0), coalesce(max(v.peak_bytes), 0)) > 0 ORDER BY "
      "c.name, c.version, min(p.ordinal)" },

    /* By regime, clock and working set. */
    { "ceilings",
      "SELECT regime, clock, working_set_bytes, " CEILING_COLUMNS " FROM ceilings WHERE run_id = "
      "?1 GROUP BY regime, clock, working_set_bytes ORDER BY regime, clock, working_set_bytes" },

    /* By which thresholds numbers were taken, and where the driver's library said nothing. */
    { "policies",
      "SELECT l.*, count(*) AS n_measurements FROM policy AS l JOIN measurement AS m ON "
      "m.policy_id = l.policy_id JOIN point AS p ON p.point_id = m.point_id WHERE p.run_id = ?1 "
      "AND l.n_processes IS NOT NULL GROUP BY l.policy_id ORDER BY l.policy_id" },
    { "nvml",
      "SELECT m.nvml AS why, count(*) AS n_measurements FROM measurement AS m JOIN point AS p ON "
      "p.point_id = m.point_id WHERE p.run_id = ?1 AND m.nvml <> '' GROUP BY m.nvml ORDER BY "
      "m.nvml" },

    /* The kernels of each variant's call; equal ones of several points once. */
    { "launches",
      "SELECT " CASE_COLUMNS ", count(*) AS n_points, l.ordinal, l.kernel, l.grid_x, l.grid_y, "
      "l.grid_z, l.block_x, l.block_y, l.block_z, l.registers, l.local_bytes, "
      "l.static_shared_bytes + l.dynamic_shared_bytes AS shared_bytes, l.code_hash, l.time_ns "
      "FROM " POINT_PASSED "JOIN launch AS l ON l.point_id = p.point_id WHERE p.run_id = ?1 GROUP "
      "BY c.name, c.version, p.variant, l.ordinal, l.kernel, l.grid_x, l.grid_y, l.grid_z, "
      "l.block_x, l.block_y, l.block_z, l.registers, l.local_bytes, l.static_shared_bytes, "
      "l.dynamic_shared_bytes, l.code_hash ORDER BY c.name, c.version, min(p.ordinal), l.ordinal" },

    /* What the case declares against what was counted. */
    { "counted",
      "SELECT " CASE_COLUMNS ", coalesce(p.bytes_declared, a.bytes_declared) AS bytes_declared, "
      "coalesce(p.flops, a.flops) AS flops, coalesce(p.bytes_moved, b.bytes_moved) AS bytes_moved, "
      "d.dram_bytes, "
      "d.dram_read_bytes, d.dram_write_bytes, d.l2_bytes, d.fp32_flops, d.fp64_flops "
      "FROM " POINT_NAMES
      "JOIN counted AS d ON d.run_id = ?1 AND d.point_id = p.point_id LEFT JOIN (" DECLARED
      ") AS a ON a.config_id = p.config_id LEFT JOIN (" DECLARED_OWN ") AS b ON "
      "b.config_id = p.config_id AND b.variant = p.variant WHERE p.run_id = ?1 AND "
      "coalesce(d.dram_bytes, d.l2_bytes, d.fp32_flops, d.fp64_flops) IS NOT NULL ORDER BY "
      "c.name, c.version, " PLACE_OF_CONFIG ", p.ordinal" },
    /* What the first call of a process took, beside what decides of the later ones. */
    { "first_calls",
      "SELECT " CASE_COLUMNS ", m.value AS first_ns, m.n_passes AS n_processes, t.regime, t.clock, "
      "t.median_ns, m.value / t.median_ns AS ratio FROM " POINT_PASSED
      "JOIN metric AS m ON m.point_id = p.point_id AND m.replay = 'first' LEFT JOIN measurement AS "
      "t ON t.point_id = p.point_id AND t.decides = 1 AND t.regime IN ('hot', 'e2e') WHERE "
      "p.run_id = ?1 ORDER BY c.name, c.version, " PLACE_OF_CONFIG ", p.ordinal" },
    { "facts", "SELECT " CASE_COLUMNS ", m.name, m.value FROM " POINT_PASSED
               "JOIN metric AS m ON m.point_id "
               "= p.point_id WHERE p.run_id = ?1 AND m.replay IN ('check', 'input') AND "
               "instr(m.name, '.') = 0 ORDER BY c.name, c.version, " PLACE_OF_CONFIG
               ", p.ordinal, m.metric_id" },
    { "metrics",
      "SELECT " CASE_COLUMNS ", m.name, m.value, m.replay FROM " POINT_PASSED "JOIN metric AS m ON "
      "m.point_id = p.point_id WHERE p.run_id = ?1 AND m.status = 'ok' AND m.replay NOT IN "
      "('check', 'input', 'first') "
      "ORDER BY c.name, c.version, " PLACE_OF_CONFIG ", p.ordinal, m.metric_id" },
    { "uncounted",
      "SELECT m.status, m.reason, count(DISTINCT m.name) AS n_metrics, min(m.name) AS name, "
      "count(DISTINCT m.point_id) AS n_points FROM metric AS m JOIN point AS p ON p.point_id = "
      "m.point_id WHERE p.run_id = ?1 AND m.status <> 'ok' GROUP BY m.status, m.reason ORDER BY "
      "m.status, m.reason" },
    { "sections",
      "SELECT " CASE_COLUMNS ", s.name, s.launches, s.time_ns, s.share FROM " POINT_PASSED "JOIN "
      "section AS s ON s.point_id = p.point_id WHERE p.run_id = ?1 ORDER BY c.name, "
      "c.version, " PLACE_OF_CONFIG ", p.ordinal, s.section_id" },

    /* One row a point that was tuned: what was tried, and what was chosen. */
    { "trials",
      "SELECT " CASE_COLUMNS ", a.n_trials, a.n_failed, CASE WHEN v.verdict = 'PASS' THEN "
      "a.slowest_ns END AS slowest_ns, t.tuning, t.regime, "
      "t.clock, CASE WHEN v.verdict = 'PASS' THEN t.median_ns END AS median_ns FROM " POINT_NAMES
      "LEFT JOIN verdict AS v ON v.point_id = p.point_id JOIN (SELECT point_id, count(*) AS "
      "n_trials, "
      "sum(verdict <> 'PASS') AS n_failed, max(median_ns) AS slowest_ns FROM tuning_trial GROUP "
      "BY point_id) AS a ON a.point_id = p.point_id LEFT JOIN tuning_trial AS t ON t.point_id = "
      "p.point_id AND t.is_chosen WHERE p.run_id = ?1 ORDER BY c.name, c.version, " PLACE_OF_CONFIG
      ", p.ordinal" },
    { NULL, NULL },
};
