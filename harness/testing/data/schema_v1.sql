-- The evidence file of Assay, schema version 1: what was planned, what was found, what was measured.
--
-- Append-only: rows are written once and never changed or deleted; triggers refuse it. The one
-- exception: raw samples may be dropped (pruned), their block's count and median stay.
-- No verdict, no number: a measurement refers, by a foreign key checked at commit, to a verdict PASS
-- of its own point. Whoever writes, a file that breaks this cannot be committed.
-- Conventions
--   units         in the column's name: _ns nanoseconds, _s seconds, _bytes or bytes_ bytes
--   text          UTF-8; '' is "unknown" or "none"
--   NULL numbers  "says nothing here", and NaN: SQLite has no NaN
--   infinity      REAL infinity (written 9e999 in SQL, read back as Inf)
--   seeds         unsigned 64-bit numbers kept as signed ones of the same bits: printf('%u', seed)
--   times of day  UTC, ISO 8601 with milliseconds and Z
--   is_... can_.. 0 or 1

PRAGMA application_id = 1095979865; -- 'ASSY': tells this file from another program's database
PRAGMA user_version = 1;            -- version of this schema; a program refuses a newer one

-- ---- what a run stands on -----------------------------------------------------------------------

-- One build of the program that wrote a run. Runs of one build share the row.
CREATE TABLE build (
    build_id      INTEGER PRIMARY KEY, -- row id, local to this file
    binary_id     TEXT NOT NULL,       -- build id that the linker put into the executable
    kernels_id    TEXT NOT NULL,       -- the same of the kernel module
    assay_version TEXT NOT NULL,       -- release of the framework
    git_commit    TEXT NOT NULL,       -- of the project that the kernels belong to
    git_dirty     INTEGER NOT NULL CHECK (git_dirty IN (0, 1)), -- uncommitted changes when built
    compiler      TEXT NOT NULL,       -- host compiler and version
    cuda_compiler TEXT NOT NULL,       -- device compiler and version
    build_type    TEXT NOT NULL,       -- release, asan, tsan
    build_flags   TEXT NOT NULL,       -- flags that change code generation
    UNIQUE (binary_id, kernels_id, assay_version, git_commit, git_dirty, compiler, cuda_compiler,
            build_type, build_flags)
) STRICT;

-- One physical device. Keyed by UUID, so that its place in the machine does not matter.
CREATE TABLE device (
    device_id INTEGER PRIMARY KEY, -- row id, local to this file
    kind      TEXT NOT NULL,       -- cuda or host
    uuid      TEXT NOT NULL,       -- '' for the host device, which has none
    name      TEXT NOT NULL,       -- product name, the CPU's model for the host device
    UNIQUE (kind, uuid, name)
) STRICT;

-- A device as one or more runs found it: what a driver, a setting or a slot can change.
CREATE TABLE device_state (
    device_state_id     INTEGER PRIMARY KEY, -- row id, local to this file
    device_id           INTEGER NOT NULL REFERENCES device, -- whose state
    pci_bus_id          TEXT NOT NULL,    -- slot
    driver              TEXT NOT NULL,    -- driver release
    driver_cuda_version INTEGER NOT NULL, -- CUDA version the driver offers: 13000 is 13.0; 0 none
    runtime_version     INTEGER NOT NULL, -- CUDA runtime: 13000 is 13.0; 0 none
    compute_capability  INTEGER NOT NULL, -- 90 is 9.0; 0 none
    sm_count            INTEGER NOT NULL, -- multiprocessors; CPUs on the host device
    sm_clock_khz        INTEGER NOT NULL, -- highest SM clock as reported; 0 unknown
    memory_clock_khz    INTEGER NOT NULL, -- highest memory clock as reported; 0 unknown
    memory_bus_bits     INTEGER NOT NULL, -- width of the memory bus as reported; 0 unknown
    ecc                 INTEGER NOT NULL, -- error correction on: 1; 0 off or unknown
    memory_bytes        INTEGER NOT NULL, -- device memory in all
    l2_bytes            INTEGER NOT NULL, -- last level cache
    can_time            INTEGER NOT NULL CHECK (can_time IN (0, 1)), -- 0: checks only, no times
    UNIQUE (device_id, pci_bus_id, driver, driver_cuda_version, runtime_version, compute_capability,
            sm_count, sm_clock_khz, memory_clock_khz, memory_bus_bits, ecc, memory_bytes, l2_bytes,
            can_time)
) STRICT;

-- One start of the program. Host facts are the run's own: they change between two runs.
CREATE TABLE run (
    run_id            INTEGER PRIMARY KEY, -- row id, local to this file
    uuid              TEXT NOT NULL UNIQUE CHECK (uuid <> ''), -- the same in every file it is merged into
    started_utc       TEXT NOT NULL,       -- start
    verb              TEXT NOT NULL,       -- check, bench, run
    command           TEXT NOT NULL,       -- the command line, quoted for a shell
    options           TEXT NOT NULL,       -- what resume needs, one --name=value a line
    seed              INTEGER NOT NULL,    -- seed of the run, from which the points' seeds come
    lane              TEXT NOT NULL,       -- cuda, host, asan, tsan: where verdicts were found
    host              TEXT NOT NULL,       -- host name
    kernel_release    TEXT NOT NULL,       -- operating system kernel
    cpu_model         TEXT NOT NULL,       -- CPU
    n_cpus            INTEGER NOT NULL,    -- CPUs usable by the run
    memory_free_bytes INTEGER NOT NULL,    -- device memory free at the start; 0 unknown
    build_id          INTEGER NOT NULL REFERENCES build,       -- which program
    device_state_id   INTEGER NOT NULL REFERENCES device_state -- which device, in which state
) STRICT;
CREATE INDEX run_by_device ON run (device_state_id);

-- The end of a run. A run without a row here was interrupted, or still runs.
CREATE TABLE run_end (
    run_id      INTEGER PRIMARY KEY REFERENCES run, -- which run
    ended_utc   TEXT NOT NULL,                      -- end
    exit_status INTEGER NOT NULL                    -- as given to the caller of the program
) STRICT;

-- ---- what was planned ---------------------------------------------------------------------------

-- A case as defined. Its version is raised whenever numbers stop being comparable.
CREATE TABLE case_version (
    case_version_id INTEGER PRIMARY KEY, -- row id, local to this file
    name            TEXT NOT NULL,       -- axpy
    version         INTEGER NOT NULL,    -- of the definition
    what            TEXT NOT NULL,       -- what the case computes, one line
    UNIQUE (name, version)
) STRICT;

-- One choice of a value for each axis of a case. Variants and runs with equal axes share the row, so
-- equal configurations are found by id.
CREATE TABLE config (
    config_id       INTEGER PRIMARY KEY, -- row id, local to this file
    case_version_id INTEGER NOT NULL REFERENCES case_version, -- whose axes
    axes            TEXT NOT NULL, -- name=value;name=value in axis order; \ before \ ; = in a name or value
    UNIQUE (case_version_id, axes)
) STRICT;

-- The same values, typed. Of value_x, value_y, value_z an integer axis has the first, a grid all
-- three extents, a text axis none.
CREATE TABLE axis_value (
    config_id INTEGER NOT NULL REFERENCES config, -- of which choice
    position  INTEGER NOT NULL CHECK (position >= 0), -- place of the axis in the case
    name      TEXT NOT NULL,                      -- name of the axis
    kind      TEXT NOT NULL CHECK (kind IN ('int', 'grid', 'text')), -- type of the axis
    value_x   INTEGER, -- the integer, or the extent along x
    value_y   INTEGER, -- the extent along y
    value_z   INTEGER, -- the extent along z
    text      TEXT NOT NULL, -- the value as in the key
    PRIMARY KEY (config_id, position),
    UNIQUE (config_id, name),
    CHECK ((value_x IS NULL) = (kind = 'text')),
    CHECK ((value_y IS NULL) = (kind <> 'grid')),
    CHECK ((value_z IS NULL) = (kind <> 'grid'))
) STRICT, WITHOUT ROWID;

-- One variant at one configuration in one run. Its state is 'ready' until it has a row in verdict,
-- then 'done': see the view verdicts.
CREATE TABLE point (
    point_id     INTEGER PRIMARY KEY, -- row id, local to this file
    run_id       INTEGER NOT NULL REFERENCES run,    -- of which run
    ordinal      INTEGER NOT NULL CHECK (ordinal >= 0), -- place in the plan, from 0
    config_id    INTEGER NOT NULL REFERENCES config, -- case, version and axis values
    variant      TEXT NOT NULL, -- the implementation
    baseline     TEXT NOT NULL, -- the variant that its speed-up is given against; '' none
    key          TEXT NOT NULL CHECK (key <> ''), -- names the point on a command line
    seed         INTEGER NOT NULL, -- with the key, replays the point
    is_reference INTEGER NOT NULL CHECK (is_reference IN (0, 1)), -- 1: its PASS is no check
    is_timed     INTEGER NOT NULL CHECK (is_timed IN (0, 1)), -- 1: to be timed once it has passed
    cells        INTEGER NOT NULL, -- problem size for rates: elements, cells, particles
    UNIQUE (run_id, ordinal),
    UNIQUE (run_id, key)
) STRICT;
CREATE INDEX point_by_config ON point (run_id, config_id, variant);
CREATE INDEX point_by_key ON point (key);

-- The verdicts that a point may get in its lane: PASS alone, unless the variant is broken on purpose.
CREATE TABLE expected_verdict (
    point_id INTEGER NOT NULL REFERENCES point, -- of which point
    verdict  TEXT NOT NULL,                     -- one allowed verdict
    PRIMARY KEY (point_id, verdict)
) STRICT, WITHOUT ROWID;

-- ---- what was found -----------------------------------------------------------------------------

-- One output or invariant under one class of input, worst over the launches compared: the rule as it
-- was applied, and what was found.
CREATE TABLE check_result (
    check_id       INTEGER PRIMARY KEY, -- row id, local to this file
    point_id       INTEGER NOT NULL REFERENCES point, -- of which point
    input          TEXT NOT NULL,    -- class of input: exact, random, ...
    output         TEXT NOT NULL,    -- name of the output or invariant; * all outputs at once
    is_invariant   INTEGER NOT NULL CHECK (is_invariant IN (0, 1)), -- 1: an invariant
    verdict        TEXT NOT NULL,    -- what is true of this output
    reason         TEXT NOT NULL,    -- why, in words; '' with PASS
    seed           INTEGER NOT NULL, -- of the input
    n_runs         INTEGER NOT NULL, -- launches compared, each with another poison and schedule
    rule           TEXT NOT NULL,    -- how an element was judged
    c              REAL,    -- factor of the bound c * (u_out*|ref| + u_acc*g(terms)*magnitude)
    u_out          REAL,    -- unit roundoff of the output
    u_acc          REAL,    -- unit roundoff of the accumulation
    growth         TEXT,    -- g: growth of the error with the number of terms
    terms          REAL,    -- terms in the longest sum
    max_ulp        INTEGER, -- units in the last place that the ULP rule allows; NULL: another rule
    why            TEXT NOT NULL, -- the reason for this tolerance
    count          INTEGER, -- elements
    n_failed       INTEGER, -- elements that failed
    first_bad      INTEGER, -- index of the first one that failed; NULL: none
    first_bad_value    REAL, -- what it held; NULL beside an index: NaN
    first_bad_expected REAL, -- what the reference says
    worst_ratio        REAL, -- largest error over bound; above 1 fails; NULL: NaN or says nothing
    max_abs_error      REAL, -- largest absolute error
    max_abs_expected   REAL, -- largest absolute value of the reference
    max_ulp_error      REAL, -- largest error in units in the last place
    relative_l2        REAL, -- norm of the error over norm of the reference
    n_exempt               INTEGER, -- elements that were allowed to differ (ties, cell edges)
    exempt_share_predicted REAL     -- share of such elements that the reference predicts
) STRICT;
CREATE INDEX check_by_point ON check_result (point_id);

-- The end of a point: the highest ranked of its findings and of what befell its process.
CREATE TABLE verdict (
    point_id        INTEGER PRIMARY KEY REFERENCES point, -- of which point
    verdict         TEXT NOT NULL, -- what is true of the variant at this point
    reason          TEXT NOT NULL, -- why, in words; '' with PASS
    launches        INTEGER,       -- kernels per call; NULL unknown
    workspace_bytes INTEGER,       -- workspace of the variant; NULL unknown
    device_bytes    INTEGER,       -- device memory of the point in all; NULL unknown
    wall_s          REAL,          -- wall time spent on the point
    finished_utc    TEXT NOT NULL, -- when
    UNIQUE (point_id, verdict)     -- what a measurement refers to
) STRICT;

-- ---- what was measured --------------------------------------------------------------------------

-- One metric of one point: statistics over all its samples, and the policy that chose how many.
CREATE TABLE measurement (
    measurement_id      INTEGER PRIMARY KEY, -- row id, local to this file
    point_id            INTEGER NOT NULL REFERENCES point, -- of which point
    verdict             TEXT NOT NULL DEFAULT 'PASS' CHECK (verdict = 'PASS'), -- of the point: no other is timed
    regime              TEXT NOT NULL,    -- cold (cache flushed before each sample), hot, e2e (end to end)
    clock               TEXT NOT NULL,    -- event (on the device) or host
    n_samples           INTEGER NOT NULL CHECK (n_samples > 0), -- samples
    n_blocks            INTEGER NOT NULL CHECK (n_blocks > 0),  -- blocks they were taken in
    launches_per_sample INTEGER NOT NULL, -- calls behind one sample; times are per call
    median_ns           REAL, -- statistics of the samples, quantiles by linear interpolation
    mean_ns             REAL, -- arithmetic mean
    min_ns              REAL, -- smallest
    max_ns              REAL, -- largest
    p05_ns              REAL, -- 5 % quantile
    q1_ns               REAL, -- 25 % quantile
    q3_ns               REAL, -- 75 % quantile
    p95_ns              REAL, -- 95 % quantile
    stdev_ns            REAL, -- standard deviation
    stop_reason         TEXT NOT NULL, -- confidence, budget or samples: why sampling stopped
    target_relative_error REAL,   -- policy: half width of the median's interval over the median
    budget_s            REAL,     -- policy: wall time allowed
    flush_bytes         REAL,     -- policy: bytes written to flush the cache; 0 not flushed
    min_samples         INTEGER,  -- policy: fewest samples
    max_samples         INTEGER,  -- policy: most samples
    n_warmup            INTEGER,  -- calls before the first sample
    wall_s              REAL,     -- wall time spent
    bytes_declared      INTEGER,  -- compulsory traffic of the case: inputs once, outputs once
    bytes_moved         INTEGER,  -- traffic of the variant by its own design; NULL not given
    flops               REAL,     -- arithmetic that the mathematics needs
    UNIQUE (point_id, regime, clock),
    FOREIGN KEY (point_id, verdict) REFERENCES verdict (point_id, verdict)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- Raw samples of one block, in time order.
CREATE TABLE sample_block (
    measurement_id INTEGER NOT NULL REFERENCES measurement, -- of which measurement
    block          INTEGER NOT NULL CHECK (block >= 0),     -- place in time, from 0
    n_samples      INTEGER NOT NULL CHECK (n_samples >= 0), -- samples in the block
    median_ns      REAL,             -- their median
    crc32          INTEGER NOT NULL, -- CRC-32 (polynomial 0xEDB88320, as in zlib) of time_ns
    time_ns        BLOB,             -- n_samples binary64 values, little-endian; NULL: pruned
    PRIMARY KEY (measurement_id, block),
    CHECK (time_ns IS NULL OR length(time_ns) = 8 * n_samples)
) STRICT;

-- ---- append-only --------------------------------------------------------------------------------

CREATE TRIGGER build_kept BEFORE UPDATE ON build BEGIN SELECT RAISE(ABORT, 'append-only: build'); END;
CREATE TRIGGER build_held BEFORE DELETE ON build BEGIN SELECT RAISE(ABORT, 'append-only: build'); END;
CREATE TRIGGER device_kept BEFORE UPDATE ON device BEGIN SELECT RAISE(ABORT, 'append-only: device'); END;
CREATE TRIGGER device_held BEFORE DELETE ON device BEGIN SELECT RAISE(ABORT, 'append-only: device'); END;
CREATE TRIGGER device_state_kept BEFORE UPDATE ON device_state BEGIN SELECT RAISE(ABORT, 'append-only: device_state'); END;
CREATE TRIGGER device_state_held BEFORE DELETE ON device_state BEGIN SELECT RAISE(ABORT, 'append-only: device_state'); END;
CREATE TRIGGER run_kept BEFORE UPDATE ON run BEGIN SELECT RAISE(ABORT, 'append-only: run'); END;
CREATE TRIGGER run_held BEFORE DELETE ON run BEGIN SELECT RAISE(ABORT, 'append-only: run'); END;
CREATE TRIGGER run_end_kept BEFORE UPDATE ON run_end BEGIN SELECT RAISE(ABORT, 'append-only: run_end'); END;
CREATE TRIGGER run_end_held BEFORE DELETE ON run_end BEGIN SELECT RAISE(ABORT, 'append-only: run_end'); END;
CREATE TRIGGER case_version_kept BEFORE UPDATE ON case_version BEGIN SELECT RAISE(ABORT, 'append-only: case_version'); END;
CREATE TRIGGER case_version_held BEFORE DELETE ON case_version BEGIN SELECT RAISE(ABORT, 'append-only: case_version'); END;
CREATE TRIGGER config_kept BEFORE UPDATE ON config BEGIN SELECT RAISE(ABORT, 'append-only: config'); END;
CREATE TRIGGER config_held BEFORE DELETE ON config BEGIN SELECT RAISE(ABORT, 'append-only: config'); END;
CREATE TRIGGER axis_value_kept BEFORE UPDATE ON axis_value BEGIN SELECT RAISE(ABORT, 'append-only: axis_value'); END;
CREATE TRIGGER axis_value_held BEFORE DELETE ON axis_value BEGIN SELECT RAISE(ABORT, 'append-only: axis_value'); END;
CREATE TRIGGER point_kept BEFORE UPDATE ON point BEGIN SELECT RAISE(ABORT, 'append-only: point'); END;
CREATE TRIGGER point_held BEFORE DELETE ON point BEGIN SELECT RAISE(ABORT, 'append-only: point'); END;
CREATE TRIGGER expected_verdict_kept BEFORE UPDATE ON expected_verdict BEGIN SELECT RAISE(ABORT, 'append-only: expected_verdict'); END;
CREATE TRIGGER expected_verdict_held BEFORE DELETE ON expected_verdict BEGIN SELECT RAISE(ABORT, 'append-only: expected_verdict'); END;
CREATE TRIGGER check_result_kept BEFORE UPDATE ON check_result BEGIN SELECT RAISE(ABORT, 'append-only: check_result'); END;
CREATE TRIGGER check_result_held BEFORE DELETE ON check_result BEGIN SELECT RAISE(ABORT, 'append-only: check_result'); END;
CREATE TRIGGER verdict_kept BEFORE UPDATE ON verdict BEGIN SELECT RAISE(ABORT, 'append-only: verdict'); END;
CREATE TRIGGER verdict_held BEFORE DELETE ON verdict BEGIN SELECT RAISE(ABORT, 'append-only: verdict'); END;
CREATE TRIGGER measurement_kept BEFORE UPDATE ON measurement BEGIN SELECT RAISE(ABORT, 'append-only: measurement'); END;
CREATE TRIGGER measurement_held BEFORE DELETE ON measurement BEGIN SELECT RAISE(ABORT, 'append-only: measurement'); END;
CREATE TRIGGER sample_block_held BEFORE DELETE ON sample_block BEGIN SELECT RAISE(ABORT, 'append-only: sample_block'); END;

-- Pruning: the samples alone may go.
CREATE TRIGGER sample_block_kept BEFORE UPDATE ON sample_block
WHEN NEW.time_ns IS NOT NULL OR NEW.measurement_id IS NOT OLD.measurement_id
    OR NEW.block IS NOT OLD.block OR NEW.n_samples IS NOT OLD.n_samples
    OR NEW.median_ns IS NOT OLD.median_ns OR NEW.crc32 IS NOT OLD.crc32
BEGIN SELECT RAISE(ABORT, 'append-only: sample_block'); END;

-- A finished point takes nothing more, and an end is final (REPLACE does not ask the triggers above).
CREATE TRIGGER verdict_once BEFORE INSERT ON verdict
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER run_end_once BEFORE INSERT ON run_end
WHEN EXISTS (SELECT 1 FROM run_end WHERE run_id = NEW.run_id)
BEGIN SELECT RAISE(ABORT, 'the run has ended'); END;
CREATE TRIGGER check_result_closed BEFORE INSERT ON check_result
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER measurement_closed BEFORE INSERT ON measurement
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;

-- A PASS stands on at least one check that passed (the reference's own PASS is no check) and on none
-- that failed.
CREATE TRIGGER verdict_founded BEFORE INSERT ON verdict
WHEN NEW.verdict = 'PASS'
    AND NOT EXISTS (SELECT 1 FROM point WHERE point_id = NEW.point_id AND is_reference)
    AND NOT EXISTS (SELECT 1 FROM check_result WHERE point_id = NEW.point_id AND verdict = 'PASS')
BEGIN SELECT RAISE(ABORT, 'a PASS needs a check that passed'); END;
CREATE TRIGGER verdict_consistent BEFORE INSERT ON verdict
WHEN NEW.verdict = 'PASS' AND EXISTS (SELECT 1 FROM check_result
    WHERE point_id = NEW.point_id
        AND verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN'))
BEGIN SELECT RAISE(ABORT, 'a PASS beside a check that failed'); END;

-- ---- common questions ---------------------------------------------------------------------------

-- Every point with all that names it, its state and its verdict. outcome: ready (not finished),
-- passed, reference (the reference's own PASS, which is no check), skipped, caught (broken on purpose,
-- and found out) or failed.
CREATE VIEW verdicts AS
SELECT p.run_id, r.uuid AS run_uuid, r.started_utc, r.host, r.lane, d.device_id,
    d.name AS device, d.uuid AS device_uuid, c.name AS case_name, c.version AS case_version,
    p.variant, p.baseline, f.axes, p.key, printf('%u', p.seed) AS seed, p.cells,
    p.is_reference, p.is_timed, p.point_id, p.ordinal, p.config_id,
    CASE WHEN v.point_id IS NULL THEN 'ready' ELSE 'done' END AS state,
    v.verdict, v.reason, v.finished_utc, v.wall_s, v.launches, v.workspace_bytes, v.device_bytes,
    CASE WHEN v.point_id IS NULL THEN 'ready'
         WHEN v.verdict IN ('SKIPPED', 'UNSUPPORTED') THEN 'skipped'
         WHEN NOT EXISTS (SELECT 1 FROM expected_verdict AS e
                          WHERE e.point_id = p.point_id AND e.verdict = v.verdict) THEN 'failed'
         WHEN v.verdict = 'PASS' THEN CASE WHEN p.is_reference THEN 'reference' ELSE 'passed' END
         ELSE 'caught' END AS outcome
FROM point AS p
JOIN run AS r ON r.run_id = p.run_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
LEFT JOIN verdict AS v ON v.point_id = p.point_id;

-- The newest verdict of each point key on each device, by lane.
CREATE VIEW latest AS
SELECT * FROM (SELECT v.*, row_number() OVER (PARTITION BY key, device_id, lane
        ORDER BY finished_utc DESC, point_id DESC) AS age FROM verdicts AS v WHERE state = 'done')
WHERE age = 1;

-- Worst error over bound of each variant on each device, by class of input and output, over the newest
-- checks of its points: the rule that it was held to, the reason for that rule, and the key and seed that
-- replay it. A ratio of NULL with a failing verdict is NaN and counts as the worst of all. `verdict` and
-- `reason` are the check's, `point_verdict` is the point's.
CREATE VIEW worst_error_by_output AS
SELECT case_name, case_version, variant, is_reference, device, device_uuid, lane, input, output,
    worst_ratio, rule, c, u_out, u_acc, growth, terms, max_ulp, why, verdict, reason, point_verdict,
    key, seed, run_id, run_uuid, n_checks
FROM (SELECT v.case_name, v.case_version, v.variant, v.is_reference, v.device, v.device_uuid, v.lane,
        k.input, k.output, k.worst_ratio, k.rule, k.c, k.u_out, k.u_acc, k.growth, k.terms, k.max_ulp,
        k.why, k.verdict, k.reason, v.verdict AS point_verdict, v.key, v.seed, v.run_id, v.run_uuid,
        count(*) OVER output_of_variant AS n_checks,
        row_number() OVER (output_of_variant ORDER BY
            coalesce(k.worst_ratio,
                CASE WHEN k.verdict IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN') THEN -1.0
                     ELSE 9e999 END) DESC, k.check_id DESC) AS place
    FROM latest AS v JOIN check_result AS k ON k.point_id = v.point_id
    WINDOW output_of_variant AS (PARTITION BY v.case_name, v.case_version, v.variant, v.device_id,
                                 v.lane, k.input, k.output))
WHERE place = 1;

-- One row a variant and device: the worst of its newest points. A point without PASS comes before any
-- number; one that got no check at all (a crash, a refused launch) has a verdict and a reason but no rule.
CREATE VIEW worst_error AS
SELECT case_name, case_version, variant, is_reference, device, device_uuid, lane, n_points, verdict,
    outcome, reason, input, output, worst_ratio, rule, c, u_out, u_acc, growth, terms, max_ulp, why,
    key, seed, run_id, run_uuid
FROM (SELECT v.case_name, v.case_version, v.variant, v.is_reference, v.device, v.device_uuid, v.lane,
        v.verdict, v.outcome, v.reason, k.input, k.output, k.worst_ratio, k.rule, k.c, k.u_out,
        k.u_acc, k.growth, k.terms, k.max_ulp, k.why, v.key, v.seed, v.run_id, v.run_uuid,
        (SELECT count(*) FROM latest AS l WHERE l.case_name = v.case_name AND l.case_version =
            v.case_version AND l.variant = v.variant AND l.device_id = v.device_id AND l.lane =
            v.lane) AS n_points,
        row_number() OVER (PARTITION BY v.case_name, v.case_version, v.variant, v.device_id, v.lane
            ORDER BY v.outcome = 'failed' DESC, v.outcome = 'caught' DESC, v.outcome = 'skipped',
                k.verdict = v.verdict DESC, coalesce(k.worst_ratio,
                    CASE WHEN k.verdict = 'PASS' THEN -1.0 ELSE 9e999 END) DESC,
                v.point_id DESC, k.check_id DESC) AS place
    FROM latest AS v LEFT JOIN check_result AS k ON k.point_id = v.point_id)
WHERE place = 1;

-- Speed-up of each variant against its declared baseline: same run, same configuration, same regime
-- and clock. Both have passed, or they would have no measurement. CROSS JOIN keeps SQLite to this order.
CREATE VIEW speedup AS
SELECT p.run_id, c.name AS case_name, c.version AS case_version, f.axes, p.variant, p.baseline,
    m.regime, m.clock, m.median_ns, b.median_ns AS baseline_median_ns,
    b.median_ns / m.median_ns AS speedup, p.key, q.key AS baseline_key, m.measurement_id
FROM point AS p
CROSS JOIN point AS q ON q.run_id = p.run_id AND q.config_id = p.config_id AND q.variant = p.baseline
CROSS JOIN measurement AS m ON m.point_id = p.point_id
CROSS JOIN measurement AS b ON b.point_id = q.point_id AND b.regime = m.regime AND b.clock = m.clock
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id;

-- Every measurement with what its number depends on, to be read along time: one series per key,
-- case_version, device, regime and clock.
CREATE VIEW history AS
SELECT p.key, c.version AS case_version, d.name AS device, d.uuid AS device_uuid, m.regime, m.clock,
    r.started_utc, r.run_id, r.uuid AS run_uuid, b.git_commit, b.git_dirty, s.driver,
    s.runtime_version, m.median_ns, m.q1_ns, m.q3_ns, m.n_samples, m.stop_reason
FROM measurement AS m
JOIN point AS p ON p.point_id = m.point_id
JOIN run AS r ON r.run_id = p.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id;
