-- Questions to a results database, one statement each: copy one, or run all with
--   sqlite3 -box results/assay.db < results/queries.sql
-- harness/store/schema.sql says what each table and column means. REAL infinity prints as Inf; a NULL ratio
-- beside a failing verdict is NaN.

-- Runs, newest first: where, on what, and how they ended (no exit status: interrupted).
SELECT r.run_id, r.started_utc, r.host, d.name AS device, s.driver, r.lane, b.git_commit, b.git_dirty,
    e.exit_status, r.command
FROM run AS r
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
LEFT JOIN run_end AS e ON e.run_id = r.run_id
ORDER BY r.started_utc DESC LIMIT 20;

-- How every run came out.
SELECT run_id, outcome, verdict, count(*) AS points FROM verdicts
GROUP BY run_id, outcome, verdict ORDER BY run_id DESC, outcome;

-- What fails now: the newest verdict of each point, with the words that replay it.
SELECT key, device, lane, verdict, reason,
    'assay check --point ''' || replace(key, '''', '''\''''') || ''' --seed ' || seed AS replay
FROM latest WHERE outcome = 'failed' ORDER BY key;

-- Worst error over bound of every variant, with the rule it was held to and the reason for it.
SELECT case_name, variant, device, lane, input, output, worst_ratio, rule, c, u_out, u_acc, growth,
    max_ulp, why, key, seed
FROM worst_error
ORDER BY worst_ratio IS NULL AND verdict <> 'PASS' DESC, worst_ratio DESC;

-- Margins that shrink: variants that pass, but with less than a quarter of the bound left.
SELECT case_name, variant, input, output, worst_ratio, key FROM worst_error_by_output
WHERE verdict = 'PASS' AND worst_ratio > 0.75 ORDER BY worst_ratio DESC;

-- Times to believe in the newest run that has any, with their share of the measured ceiling.
SELECT key, regime, clock, median_ns / 1e3 AS median_us, round(100 * process_spread, 2) AS spread_percent,
    round(sm_clock_mhz) AS sm_mhz, round(gb_per_s, 1) AS gb_per_s, round(100 * share_of_ceiling, 1) AS ceiling_percent,
    is_below_floor, cannot_tell
FROM deciding WHERE run_id = (SELECT max(run_id) FROM timed) ORDER BY key, regime;

-- Speed-up against the declared baseline in the newest run that has one.
SELECT case_name, axes, variant, baseline, regime, clock, median_ns / 1e3 AS median_us, round(speedup, 3) AS speedup,
    round(lo, 3) AS lo, round(hi, 3) AS hi, n_processes, finding, reason
FROM speedup WHERE run_id = (SELECT max(run_id) FROM speedup)
ORDER BY case_name, axes, regime, speedup DESC;

-- Bandwidth by the compulsory bytes of the case and by the variant's own, GB/s, and the ceiling that it is held against.
SELECT key, regime, clock, decides, median_ns / 1e3 AS median_us, round(gb_per_s, 1) AS gb_per_s,
    round(own_gb_per_s, 1) AS own_gb_per_s, round(ceiling_bytes_per_s / 1e9, 1) AS ceiling_gb_per_s
FROM timed WHERE run_id = (SELECT max(run_id) FROM timed)
ORDER BY ordinal, regime, clock;

-- What the device could do, run by run.
SELECT run_id, kind, regime, clock, working_set_bytes, median_ns, rate FROM ceilings
ORDER BY run_id DESC, kind, regime, clock, working_set_bytes LIMIT 40;

-- Declared against counted, over every profiled point (of files before schema 3 nothing: points declared nothing there).
SELECT p.key, p.bytes_declared, c.dram_read_bytes, c.dram_write_bytes,
    round(c.dram_bytes / p.bytes_declared, 3) AS dram_ratio, p.flops, c.fp32_flops, c.fp64_flops
FROM counted AS c JOIN point AS p ON p.point_id = c.point_id
WHERE p.bytes_declared > 0 ORDER BY dram_ratio DESC;

-- Registers, local memory (spills) and shared memory of every kernel, largest first.
SELECT p.key, l.ordinal, l.kernel, l.registers, l.local_bytes, l.static_shared_bytes, l.dynamic_shared_bytes, l.code_hash
FROM launch AS l JOIN point AS p ON p.point_id = l.point_id
ORDER BY l.local_bytes DESC, l.registers DESC LIMIT 20;

-- Where the time of a call goes (regime hot, clock record).
SELECT p.key, s.name, s.launches, s.time_ns / 1e3 AS time_us, round(100 * s.share, 1) AS percent
FROM section AS s JOIN point AS p ON p.point_id = s.point_id ORDER BY p.point_id, s.section_id;

-- Every choice that was tried on tuning axes, and the one chosen; with a reason: by an earlier search (--tuned).
SELECT p.key, t.tuning, t.verdict, t.reason, t.regime, t.clock, t.median_ns / 1e3 AS median_us, t.is_chosen
FROM tuning_trial AS t JOIN point AS p ON p.point_id = t.point_id ORDER BY p.point_id, t.median_ns;

-- Counters that could not be had, and why.
SELECT status, reason, count(DISTINCT name) AS metrics, min(name) AS example FROM metric
WHERE status <> 'ok' GROUP BY status, reason;

-- One series along time: change the key.
SELECT started_utc, device, driver, git_commit, regime, clock, decides, median_ns, q1_ns, q3_ns, median_cycles
FROM history WHERE key = 'axpy/vec4/n=268435456' ORDER BY regime, clock, started_utc;

-- Spread: measurements whose middle half is wider than 5 % of their median.
SELECT p.run_id, p.key, m.regime, m.clock, m.n_samples, m.stop_reason,
    round(100 * (m.q3_ns - m.q1_ns) / m.median_ns, 1) AS spread_percent
FROM measurement AS m JOIN point AS p ON p.point_id = m.point_id
WHERE m.q3_ns - m.q1_ns > 0.05 * m.median_ns ORDER BY spread_percent DESC;

-- Do the blocks of one measurement agree? Smallest and largest block median.
SELECT p.run_id, p.key, m.regime, m.clock, count(*) AS blocks, min(b.median_ns) AS fastest_block_ns,
    max(b.median_ns) AS slowest_block_ns
FROM sample_block AS b
JOIN measurement AS m ON m.measurement_id = b.measurement_id
JOIN point AS p ON p.point_id = m.point_id
GROUP BY m.measurement_id ORDER BY max(b.median_ns) / min(b.median_ns) DESC LIMIT 20;

-- What the card did meanwhile: blocks with samples left out, clock event reasons (bits as in NVML) and heat.
SELECT p.key, m.regime, m.clock, b.process, b.block, b.n_samples, b.n_throttled, b.n_discarded,
    printf('0x%x', b.reasons) AS reasons, b.sm_clock_mhz, b.temperature_c, b.power_after_w
FROM sample_block AS b
JOIN measurement AS m ON m.measurement_id = b.measurement_id
JOIN point AS p ON p.point_id = m.point_id
WHERE b.n_throttled > 0 OR b.n_discarded > 0 ORDER BY b.n_throttled DESC LIMIT 20;

-- Comparisons of a variant with itself: how far from 1 is nothing at all?
SELECT key, regime, clock, ratio, lo, hi, n_pairs FROM compared WHERE kind = 'aa' ORDER BY abs(ratio - 1) DESC LIMIT 20;

-- What was skipped, and why.
SELECT run_id, verdict, reason, count(*) AS points, count(DISTINCT case_name) AS cases FROM verdicts
WHERE outcome = 'skipped' GROUP BY run_id, verdict, reason ORDER BY run_id DESC, points DESC;

-- What is left of interrupted runs.
SELECT v.run_id, v.started_utc, count(*) AS points_left FROM verdicts AS v
WHERE v.state = 'ready' AND NOT EXISTS (SELECT 1 FROM run_end AS e WHERE e.run_id = v.run_id)
GROUP BY v.run_id ORDER BY v.run_id DESC;

-- Variants slower than their baseline somewhere.
SELECT case_name, variant, baseline, axes, regime, clock, round(speedup, 3) AS speedup, round(hi, 3) AS hi
FROM speedup WHERE finding = 'SLOWER' ORDER BY speedup LIMIT 20;

-- Samples that follow on one another: where the next one is like the last, or all rise or fall, an interval over samples
-- is too narrow; intervals between runs are over processes for that reason.
SELECT p.run_id, p.key, m.regime, m.clock, m.n_samples, round(m.lag1, 2) AS lag1,
    round(100 * m.drift_ns / m.median_ns, 2) AS drift_percent
FROM measurement AS m JOIN point AS p ON p.point_id = m.point_id
WHERE abs(m.lag1) > 0.2 OR abs(m.drift_ns) > 0.01 * m.median_ns ORDER BY abs(m.lag1) DESC LIMIT 20;

-- The worst error over bound of each output, run by run.
SELECT case_name, variant, device, input, output, started_utc, worst_ratio FROM trend
WHERE NOT is_reference ORDER BY case_name, variant, device, input, output, started_utc LIMIT 40;
