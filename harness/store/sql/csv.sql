-- The CSV report. Columns are only ever added, at the end: exchange/store_import_columns.c says
-- what each is, and reads them back. {p.measurement.head} and its like are columns of rows/columns.c.

-- fragment: once(x)
-- Lists that can be long, and are the same in all lines of a point, stand in the first of them.
CASE WHEN row_number() OVER (PARTITION BY v.point_id ORDER BY p.measurement_id) = 1 THEN $x END

-- fragment: field(x)
-- One of several fields of an entry in a list: \ before \ ; and |.
replace(replace(replace($x, '\', '\\'), ';', '\;'), '|', '\|')

-- name: csv
-- A line for each measurement, and one for a point without any. `blocks` has the facts of each block, in time order.
-- assay_exact is ours (store_functions.c).
WITH blocks AS (
    SELECT measurement_id,
           group_concat(median_ns, ';') AS block_medians_ns,
           group_concat(n_samples, ';') AS block_samples,
           group_concat(process, ';') AS block_processes,
           group_concat(sequence, ';') AS block_sequence,
           group_concat(cycles, ';') AS block_cycles,
           group_concat(mhz, ';') AS block_clock_mhz,
           group_concat(throttled, ';') AS block_throttled,
           group_concat(discarded, ';') AS block_discarded
    FROM (
        SELECT b.measurement_id,
               assay_exact(b.median_ns) AS median_ns,
               b.n_samples,
               coalesce(b.process, '') AS process,
               coalesce(b.sequence, '') AS sequence,
               assay_exact(b.median_cycles) AS cycles,
               assay_exact(b.sm_clock_mhz) AS mhz,
               coalesce(b.n_throttled, '') AS throttled,
               coalesce(b.n_discarded, '') AS discarded
        FROM point AS p
        JOIN measurement AS m ON m.point_id = p.point_id
        JOIN sample_block AS b ON b.measurement_id = m.measurement_id
        WHERE p.run_id = ?1
        ORDER BY b.measurement_id, b.block
    )
    GROUP BY measurement_id
), kernels AS (
    SELECT point_id, group_concat(entry, ';') AS kernels
    FROM (
        SELECT l.point_id,
               @field(l.kernel)@
                   || CASE WHEN l.kernel = '' AND l.grid_x = 0 THEN '|||' -- an older file did not say it
                           ELSE printf('|%dx%dx%d|%dx%dx%d|', l.grid_x, l.grid_y, l.grid_z,
                                       l.block_x, l.block_y, l.block_z)
                      END
                   || coalesce(l.registers, '') || '|'
                   || coalesce(l.local_bytes, '') || '|'
                   || coalesce(l.static_shared_bytes, '') || '|'
                   || coalesce(l.dynamic_shared_bytes, '') || '|'
                   || assay_exact(l.time_ns) AS entry
        FROM point AS p
        JOIN launch AS l ON l.point_id = p.point_id
        WHERE p.run_id = ?1
        ORDER BY l.point_id, l.ordinal
    )
    GROUP BY point_id
), metrics AS (
    SELECT point_id, group_concat(entry, ';') AS metrics
    FROM (
        SELECT x.point_id,
               @field(x.name)@ || '|'
                   || x.status || '|'
                   || assay_exact(x.value) || '|'
                   || coalesce(x.n_passes, '') || '|'
                   || @field(x.replay)@ || '|'
                   || @field(x.reason)@ AS entry
        FROM point AS p
        JOIN metric AS x ON x.point_id = p.point_id
        WHERE p.run_id = ?1
        ORDER BY x.metric_id
    )
    GROUP BY point_id
)
SELECT -- the run
       v.run_uuid,
       v.started_utc,
       v.host,
       v.device,
       v.device_uuid,
       s.driver,
       v.lane,
       b.assay_version,
       b.git_commit,
       b.git_dirty,
       -- the point, and what became of it
       v.case_name AS "case",
       v.case_version,
       v.variant,
       v.baseline,
       v.axes AS config,
       v.key,
       v.seed,
       v.cells,
       v.state,
       v.verdict,
       v.outcome,
       v.reason,
       -- its worst check
       wo.input AS worst_input,
       wo.output AS worst_output,
       w.worst_ratio,
       {wt.check_result.rule},
       -- the measurement
       {p.measurement.head},
       {p.measurement.taken},
       -- its policy, and its blocks
       {l.policy.first},
       z.block_medians_ns,
       z.block_samples,
       z.block_processes,
       -- what the check took
       v.launches,
       v.workspace_bytes,
       v.device_bytes,
       v.peak_bytes,
       -- what was moved and computed, and the ceilings of that
       {p.measurement.work},
       p.gb_per_s,
       p.own_gb_per_s,
       p.gflop_per_s,
       {p.measurement.limits},
       p.share_of_ceiling,
       -- against the declared baseline
       k.ratio AS speedup,
       k.lo AS speedup_lo,
       k.hi AS speedup_hi,
       k.n_pairs AS speedup_pairs,
       k.n_processes AS speedup_processes,
       k.finding AS speedup_finding,
       k.reason AS speedup_reason,
       -- counters
       d.dram_bytes AS counted_dram_bytes,
       d.l2_bytes AS counted_l2_bytes,
       d.fp32_flops AS counted_fp32_flops,
       d.fp64_flops AS counted_fp64_flops,
       -- code
       n.registers,
       n.local_bytes,
       n.shared_bytes,
       @once(n.code_hashes)@ AS code_hashes,
       -- more of the run
       r.verb,
       r.reason AS run_reason,
       printf('%u', r.seed) AS run_seed,
       x.ended_utc,
       x.exit_status,
       b.binary_id,
       b.kernels_id,
       b.compiler,
       b.cuda_compiler,
       b.cuda_toolkit,
       b.build_type,
       nullif(s.runtime_version, 0) AS runtime_version,
       nullif(s.compute_capability, 0) AS compute_capability,
       nullif(s.sm_count, 0) AS sm_count,
       nullif(s.memory_bytes, 0) AS memory_bytes,
       nullif(s.l2_bytes, 0) AS l2_bytes,
       -- more of the point
       c.what AS case_what,
       (
           SELECT group_concat(kind, ';')
           FROM (SELECT kind FROM axis_value AS a WHERE a.config_id = v.config_id ORDER BY position)
       ) AS axis_kinds,
       v.is_reference,
       v.is_timed,
       (
           SELECT group_concat(verdict, ';')
           FROM (
               SELECT verdict
               FROM expected_verdict AS a
               WHERE a.point_id = v.point_id
               ORDER BY verdict
           )
       ) AS expected,
       v.finished_utc,
       -- more of its worst check
       @worst_verdict@ AS worst_verdict,
       CASE WHEN w.finding_id IS NOT NULL THEN coalesce(wd.reason, '') END AS worst_reason,
       wo.is_invariant AS worst_is_invariant,
       CASE
           WHEN wd.seed IS NOT NULL THEN printf('%u', wd.seed)
           WHEN w.finding_id IS NOT NULL THEN v.seed
       END AS worst_seed,
       nullif(wo.n_runs, 0) AS worst_runs,
       wt.terms AS worst_terms,
       wt.why AS worst_why,
       -- more of the measurement
       {p.measurement.more},
       -- more of its policy
       {l.policy.more AS policy_},
       l.method AS policy_method,
       -- more of its blocks
       z.block_sequence,
       z.block_cycles,
       z.block_clock_mhz,
       z.block_throttled,
       z.block_discarded,
       -- what came later
       k.clock AS speedup_clock,
       @once(g.kernels)@ AS kernels,
       @once(h.metrics)@ AS metrics,
       v.variant_what,
       v.rate_fact,
       v.rate_along,
       p.giga_per_s,
       -- values of tuning axes that an earlier search had chosen, and which
       y.tuning AS tuned,
       y.reason AS tuned_by{, p.measurement.last}
FROM verdicts AS v
JOIN run AS r ON r.run_id = v.run_id
LEFT JOIN run_end AS x ON x.run_id = r.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN config AS f ON f.config_id = v.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
@join_worst(v)@
LEFT JOIN timed AS p ON p.run_id = ?1 AND p.point_id = v.point_id
LEFT JOIN blocks AS z ON z.measurement_id = p.measurement_id
LEFT JOIN policy AS l ON l.policy_id = p.policy_id
LEFT JOIN counted AS d ON d.run_id = ?1 AND d.point_id = v.point_id
LEFT JOIN code AS n ON n.run_id = ?1 AND n.point_id = v.point_id
LEFT JOIN kernels AS g ON v.verdict = 'PASS' AND g.point_id = v.point_id
LEFT JOIN metrics AS h ON v.verdict = 'PASS' AND h.point_id = v.point_id
LEFT JOIN tuning_trial AS y ON y.point_id = v.point_id AND y.is_chosen = 1 AND y.reason <> ''
@join_speedup@
WHERE v.run_id = ?1
ORDER BY v.ordinal, p.measurement_id;
