/* The queries of the JSON, Markdown and HTML reports. ?1 is the run. A query of rows that belong to
 * another query's row names their owner first; both come in planned order. */
#include "store_queries.h"

#define OF_POINT  "FROM point AS p JOIN "
#define OF_PASSED "FROM point AS p " JOIN_PASSED "JOIN "
#define IN_RUN    " ON x.point_id = p.point_id WHERE p.run_id = ?1 ORDER BY p.ordinal, "
#define OF_DEVICE                                                                                  \
    "(SELECT s.device_id FROM run AS r JOIN device_state AS s USING (device_state_id) "

/* The newest 100 runs with times on the device of this run, up to this one; and of them the series
 * that this run has a time to believe in. */
#define RECENT                                                                                     \
    "recent AS (SELECT r.run_id FROM run AS r JOIN device_state AS s ON s.device_state_id = "      \
    "r.device_state_id WHERE s.device_id = " OF_DEVICE "WHERE r.run_id = ?1) AND r.started_utc "   \
    "<= (SELECT started_utc FROM run WHERE run_id = ?1) AND EXISTS (SELECT 1 FROM point AS p "     \
    "JOIN measurement AS m ON m.point_id = p.point_id WHERE p.run_id = r.run_id) ORDER BY "        \
    "r.started_utc DESC, r.run_id DESC LIMIT 100)"
#define SERIES                                                                                     \
    "WITH " RECENT ", mine AS (SELECT p.key, c.version AS case_version, m.regime, m.clock FROM "   \
    "point AS p JOIN config AS f ON f.config_id = p.config_id JOIN case_version AS c ON "          \
    "c.case_version_id = f.case_version_id JOIN measurement AS m ON m.point_id = p.point_id "      \
    "WHERE p.run_id = ?1 AND m.decides = 1), seen AS (SELECT dense_rank() OVER (ORDER BY a.key, "  \
    "a.case_version, a.regime, a.clock) AS series, a.*, h.run_id, h.started_utc, h.median_ns, "    \
    "h.q1_ns, h.q3_ns, h.n_samples, h.n_processes FROM mine AS a JOIN history AS h ON h.key = "    \
    "a.key AND h.case_version = a.case_version AND h.regime = a.regime AND h.clock = a.clock "     \
    "WHERE h.run_id IN (SELECT run_id FROM recent) AND h.median_ns IS NOT NULL) "

const assay_named_query assay_report_queries[] = {
    /* ---- what the run stands on: one row each ---- */
    { "json_run", "SELECT r.run_id, r.uuid, r.started_utc, e.ended_utc, e.exit_status, r.verb, "
                  "r.command, printf('%u', r.seed) AS seed, r.lane, r.host, r.kernel_release, "
                  "r.cpu_model, r.n_cpus, r.memory_free_bytes FROM run AS r LEFT JOIN run_end AS e "
                  "ON e.run_id = r.run_id WHERE r.run_id = ?1" },
    { "json_build", "SELECT b.binary_id, b.kernels_id, b.assay_version, b.git_commit, b.git_dirty, "
                    "b.compiler, b.cuda_compiler, b.build_type, b.build_flags FROM run AS r JOIN "
                    "build AS b ON b.build_id = r.build_id WHERE r.run_id = ?1" },
    { "json_device",
      "SELECT d.kind, d.name, d.uuid, s.pci_bus_id, s.driver, s.driver_cuda_version, "
      "s.runtime_version, s.compute_capability, s.sm_count, s.sm_clock_khz, s.memory_clock_khz, "
      "s.memory_bus_bits, s.ecc, s.memory_bytes, s.l2_bytes, s.can_time FROM run AS r JOIN "
      "device_state AS s ON s.device_state_id = r.device_state_id JOIN device AS d ON d.device_id "
      "= s.device_id WHERE r.run_id = ?1" },
    { "json_policies", "SELECT * FROM policy WHERE policy_id IN (SELECT m.policy_id FROM point AS "
                       "p JOIN measurement AS m ON m.point_id = p.point_id WHERE p.run_id = ?1) "
                       "ORDER BY policy_id" },
    { "json_ceilings", "SELECT {c.ceiling}, c.measured_utc FROM ceilings AS c WHERE c.run_id = ?1 "
                       "ORDER BY c.ceiling_id" },

    { "json_measured", "SELECT count(*) AS n_measurements FROM point AS p JOIN measurement AS m ON "
                       "m.point_id = p.point_id WHERE p.run_id = ?1" },

    /* ---- points, and what belongs to each ---- */
    { "json_points",
      "SELECT p.point_id, p.ordinal, p.case_name, p.case_version, p.variant, p.baseline, p.axes, "
      "p.key, p.seed, p.cells, p.is_reference, p.is_timed, p.state, p.outcome, p.verdict, "
      "p.reason, (SELECT group_concat(e.verdict, ' or ') FROM expected_verdict AS e WHERE "
      "e.point_id = p.point_id) AS expected, w.input AS worst_input, w.output AS worst_output, "
      "w.worst_ratio, p.launches, p.workspace_bytes, p.device_bytes, p.peak_bytes, p.wall_s, "
      "p.finished_utc, p.variant_what, p.rate_fact, p.rate_along FROM verdicts AS p LEFT JOIN "
      "check_result AS w ON w.check_id = " WORST_CHECK " WHERE p.run_id = ?1 ORDER BY p.ordinal" },
    { "json_axis_values", "SELECT p.point_id, x.name, x.kind, x.text, x.value_x, x.value_y, "
                          "x.value_z " OF_POINT "axis_value AS x ON x.config_id = p.config_id "
                          "WHERE p.run_id = ?1 ORDER BY p.ordinal, x.position" },
    { "json_checks",
      "SELECT p.point_id, {x.check_result} " OF_POINT "check_result AS x" IN_RUN "x.check_id" },
    { "json_measurements",
      "SELECT x.point_id, x.measurement_id, {x.measurement.head}, x.policy_id, "
      "{x.measurement.taken}, x.bytes_declared, x.bytes_moved, x.working_set_bytes, x.flops, "
      "x.gb_per_s, x.own_gb_per_s, x.gflop_per_s, x.giga_per_s, {x.measurement.limits}, "
      "x.share_of_ceiling{, x.measurement.last} "
      "FROM timed AS x WHERE x.run_id = ?1 ORDER BY x.ordinal, x.measurement_id" },
    { "json_blocks",
      "SELECT m.measurement_id, x.block, {x.sample_block.place}, {x.sample_block.counts}, "
      "{x.sample_block.state} " OF_PASSED
      "measurement AS m ON m.point_id = p.point_id JOIN sample_block AS x ON "
      "x.measurement_id = m.measurement_id WHERE p.run_id = ?1 ORDER BY p.ordinal, "
      "m.measurement_id, x.block" },
    { "json_undecided",
      "SELECT x.point_id, x.regime, x.cannot_tell AS reason FROM deciding AS x JOIN point AS p ON "
      "p.point_id = x.point_id WHERE x.run_id = ?1 AND x.cannot_tell IS NOT NULL ORDER BY "
      "p.ordinal, x.regime" },
    { "json_comparisons",
      "SELECT k.point_id, {k.comparison.pair}, {k.comparison.found}, k.finding, k.reason FROM "
      "compared AS k WHERE k.run_id = ?1 ORDER BY k.ordinal, k.comparison_id" },
    { "json_launches",
      "SELECT p.point_id, {x.launch.code}, x.regime, x.clock, {x.launch.time} " OF_PASSED
      "launch AS x" IN_RUN "x.ordinal" },
    { "json_sections",
      "SELECT p.point_id, {x.section.part}, x.regime, x.clock, {x.section.time} " OF_PASSED
      "section AS x" IN_RUN "x.section_id" },
    { "json_counters",
      "SELECT p.point_id, x.name, x.status, x.reason, x.regime, x.value, x.replay " OF_PASSED
      "metric AS x" IN_RUN "x.metric_id" },
    { "json_counted", "SELECT p.point_id, x.dram_bytes, x.dram_read_bytes, x.dram_write_bytes, "
                      "x.l2_bytes, x.fp32_flops, x.fp64_flops " OF_POINT
                      "counted AS x ON x.run_id = ?1 AND x.point_id = p.point_id WHERE p.run_id = "
                      "?1 ORDER BY p.ordinal" },
    { "json_trials",
      "SELECT p.point_id, x.tuning, x.verdict, x.reason, x.regime, x.clock, x.n_samples, "
      "CASE WHEN (SELECT g.verdict FROM verdict AS g WHERE g.point_id = p.point_id) = 'PASS' THEN "
      "x.median_ns END AS median_ns, x.is_chosen, CASE WHEN (SELECT g.verdict FROM verdict AS g "
      "WHERE g.point_id = p.point_id) = 'PASS' THEN p.cells / x.median_ns * CASE WHEN "
      "coalesce(p.rate_fact, '') = '' THEN 1.0 ELSE (SELECT k.value FROM metric AS k WHERE "
      "k.point_id = p.point_id AND k.name = p.rate_fact AND k.replay = 'check') END END AS "
      "giga_per_s " OF_POINT "tuning_trial AS x" IN_RUN "x.trial_id" },

    /* Each comparison of this run with another, as it was recorded last. */
    { "json_changes",
      "SELECT k.from_run, (SELECT run_id FROM run AS a WHERE a.uuid = k.from_run) AS from_run_id, "
      "k.to_key AS key, k.regime, k.clock, k.verdict, k.effect, k.lo, k.hi, k.p_corrected, "
      "k.cycles_effect, k.threshold, k.band, k.reason, k.compared_utc FROM change AS k JOIN run AS "
      "r ON r.uuid = k.to_run WHERE r.run_id = ?1 AND NOT EXISTS (SELECT 1 FROM change AS n WHERE "
      "n.to_run = k.to_run AND n.from_run = k.from_run AND n.to_key = k.to_key AND n.regime = "
      "k.regime AND (n.compared_utc, n.change_id) > (k.compared_utc, k.change_id)) ORDER BY CASE "
      "k.verdict WHEN 'SLOWER' THEN 0 WHEN 'CANNOT_TELL' THEN 1 WHEN 'FASTER' THEN 2 ELSE 3 END, "
      "abs(k.effect) DESC, k.to_key, k.regime" },

    /* ---- along time ---- */
    { "json_history_runs",
      "WITH " RECENT " SELECT r.run_id, r.uuid, r.started_utc, b.git_commit, b.git_dirty, s.driver "
      "FROM recent AS n JOIN run AS r ON r.run_id = n.run_id JOIN build AS b ON b.build_id = "
      "r.build_id JOIN device_state AS s ON s.device_state_id = r.device_state_id ORDER BY "
      "r.started_utc, r.run_id" },
    { "json_history", SERIES "SELECT DISTINCT series, key, case_version, regime, clock FROM seen "
                             "ORDER BY series" },
    { "json_history_values", SERIES "SELECT series, run_id, median_ns, q1_ns, q3_ns, n_samples, "
                                    "n_processes FROM seen ORDER BY series, started_utc, run_id" },

    /* ---- for Markdown: every point, every time, every comparison ---- */
    { "md_verdicts",
      "SELECT p.case_name, p.axes, p.variant, p.outcome, coalesce(p.verdict, 'not finished') AS "
      "verdict, w.worst_ratio, w.input, w.output, p.reason FROM verdicts AS p LEFT JOIN "
      "check_result AS w ON w.check_id = " WORST_CHECK " WHERE p.run_id = ?1 ORDER BY p.ordinal" },
    { "md_times",
      "SELECT p.case_name, p.axes, p.variant, d.regime, coalesce(d.clock, 'CANNOT_TELL') AS clock, "
      "d.median_ns, d.q1_ns, d.q3_ns, d.n_samples, d.n_processes, d.gb_per_s, d.gflop_per_s, "
      "100 * d.share_of_ceiling AS ceiling_percent, CASE WHEN d.cannot_tell IS NOT NULL THEN "
      "d.cannot_tell WHEN d.is_below_floor THEN 'near the floor; ' || coalesce(d.decision, '') "
      "ELSE d.decision END AS why FROM deciding AS d JOIN verdicts AS p ON p.point_id = d.point_id "
      "WHERE d.run_id = ?1 ORDER BY p.ordinal, d.regime" },
    { "md_comparisons",
      "SELECT case_name, axes, kind, variant, against, regime, clock, ratio, lo, hi, n_pairs, "
      "n_processes, finding, reason FROM compared WHERE run_id = ?1 ORDER BY ordinal, "
      "comparison_id" },
    { "md_ceilings", "SELECT kind, regime, clock, working_set_bytes, median_ns, rate FROM ceilings "
                     "WHERE run_id = ?1 ORDER BY ceiling_id" },
    { "md_sections",
      "SELECT v.case_name, v.axes, v.variant, x.name, x.regime, x.clock, x.launches, x.time_ns, "
      "100 * x.share AS percent FROM verdicts AS v JOIN section AS x ON x.point_id = v.point_id "
      "WHERE v.run_id = ?1 AND v.verdict = 'PASS' ORDER BY v.ordinal, x.section_id" },
    { NULL, NULL },
};
