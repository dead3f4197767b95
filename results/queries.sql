-- Questions to a results database, one statement each: copy one, or run all with
--   sqlite3 -box results/assay.db < results/queries.sql
-- harness/schema.sql says what each table and column means. REAL infinity prints as Inf; a NULL ratio
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

-- Speed-up against the declared baseline in the newest run that has one.
SELECT case_name, axes, variant, baseline, regime, clock, median_ns / 1e3 AS median_us,
    round(speedup, 3) AS speedup
FROM speedup WHERE run_id = (SELECT max(run_id) FROM speedup)
ORDER BY case_name, axes, regime, speedup DESC;

-- Bandwidth by the compulsory bytes of the case and by the variant's own, GB/s.
SELECT p.key, m.regime, m.clock, m.median_ns / 1e3 AS median_us,
    round(m.bytes_declared / m.median_ns, 1) AS gb_per_s,
    round(m.bytes_moved / m.median_ns, 1) AS own_gb_per_s
FROM measurement AS m JOIN point AS p ON p.point_id = m.point_id
WHERE p.run_id = (SELECT max(run_id) FROM point NATURAL JOIN measurement)
ORDER BY p.ordinal, m.regime;

-- One series along time: change the key.
SELECT started_utc, device, driver, git_commit, regime, clock, median_ns, q1_ns, q3_ns
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

-- What was skipped, and why.
SELECT run_id, verdict, reason, count(*) AS points, count(DISTINCT case_name) AS cases FROM verdicts
WHERE outcome = 'skipped' GROUP BY run_id, verdict, reason ORDER BY run_id DESC, points DESC;

-- What is left of interrupted runs.
SELECT v.run_id, v.started_utc, count(*) AS points_left FROM verdicts AS v
WHERE v.state = 'ready' AND NOT EXISTS (SELECT 1 FROM run_end AS e WHERE e.run_id = v.run_id)
GROUP BY v.run_id ORDER BY v.run_id DESC;

-- Variants slower than their baseline somewhere.
SELECT case_name, variant, baseline, axes, regime, clock, round(speedup, 3) AS speedup
FROM speedup WHERE speedup < 1 ORDER BY speedup LIMIT 20;
