-- The evidence file of Assay, schema version 6: what was planned, what was found, what was measured.
--
-- Append-only: rows are written once and never changed or deleted; triggers refuse it. The one
-- exception: raw samples may be dropped (pruned), their block's count and median stay.
-- No verdict, no number: every number about a kernel (measurement, comparison, launch, section, metric,
-- time of a tuning trial) refers, by a foreign key checked at commit, to a verdict PASS of its own point.
-- Whoever writes, a file that breaks this cannot be committed.
-- Files of version 5 are taken over row by row; what those did not record is NULL in them, also where
-- it is text.
-- Conventions
--   units         in the column's name: _ns nanoseconds, _s seconds, _bytes or bytes_ bytes
--   text          UTF-8; '' is "unknown" or "none"; NULL is "not recorded" (versions 1, 2)
--   NULL numbers  "says nothing here", and NaN: SQLite has no NaN
--   infinity      REAL infinity (written 9e999 in SQL, read back as Inf)
--   seeds         unsigned 64-bit numbers kept as signed ones of the same bits: printf('%u', seed)
--   times of day  UTC, ISO 8601 with milliseconds and Z
--   is_... can_.. 0 or 1; so are decides and git_dirty
--   a figure      a time means nothing without its regime and its clock: they stand beside it everywhere

PRAGMA application_id = 1095979865; -- 'ASSY': tells this file from another program's database
PRAGMA user_version = 6;            -- version of this schema; a program refuses a newer one

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
    git_branch       TEXT, -- branch that was checked out; '' detached or unknown
    git_commit_utc   TEXT, -- when the commit was made
    git_diff_hash    TEXT, -- hash of the changes to tracked files since; '' none
    cuda_toolkit     TEXT, -- release of the CUDA toolkit; '' built without
    cuda_architectures TEXT, -- GPU architectures that the kernels were compiled for
    cupti            TEXT, -- API version of CUPTI; '' built without
    sqlite           TEXT, -- release of the SQLite library
    google_benchmark TEXT, -- release of Google Benchmark; '' built without
    UNIQUE (binary_id, kernels_id, assay_version, git_commit, git_dirty, compiler, cuda_compiler,
            build_type, build_flags, git_branch, git_commit_utc, git_diff_hash, cuda_toolkit,
            cuda_architectures, cupti, sqlite, google_benchmark)
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
    nvml                TEXT,             -- release of NVML; '' not there
    vbios               TEXT,             -- release of the card's firmware; '' unknown
    mig                 INTEGER CHECK (mig IN (0, 1)),         -- 1: partitioned (MIG); NULL unknown
    persistence         INTEGER CHECK (persistence IN (0, 1)), -- 1: the driver stays loaded; NULL unknown
    compute_mode        INTEGER,          -- 0 default, 2 prohibited, 3 exclusive process; NULL unknown
    power_limit_w       REAL,             -- power limit that is enforced; NULL unknown
    power_limit_default_w  REAL,          -- power limit that the card comes with; NULL unknown
    application_sm_mhz     INTEGER,       -- SM clock set for applications, as read back; NULL none or unknown
    application_memory_mhz INTEGER,       -- memory clock set for applications; NULL none or unknown
    numa_node           INTEGER,          -- of the host that it hangs on; NULL none or unknown
    UNIQUE (device_id, pci_bus_id, driver, driver_cuda_version, runtime_version, compute_capability,
            sm_count, sm_clock_khz, memory_clock_khz, memory_bus_bits, ecc, memory_bytes, l2_bytes,
            can_time, nvml, vbios, mig, persistence, compute_mode, power_limit_w,
            power_limit_default_w, application_sm_mhz, application_memory_mhz, numa_node)
) STRICT;

-- One start of the program. Host facts are the run's own: they change between two runs.
CREATE TABLE run (
    run_id            INTEGER PRIMARY KEY, -- row id, local to this file
    uuid              TEXT NOT NULL UNIQUE CHECK (uuid <> ''), -- the same in every file it is merged into
    started_utc       TEXT NOT NULL,       -- start
    verb              TEXT NOT NULL,       -- check, bench, run, profile, trace; or the name of a program of one's own
    command           TEXT NOT NULL,       -- the command line, quoted for a shell
    options           TEXT NOT NULL,       -- what resume needs, one --name=value a line
    seed              INTEGER NOT NULL,    -- seed of the run, from which the points' seeds come
    lane              TEXT NOT NULL,       -- where verdicts were found: cuda, host, asan, tsan, or a tool of compute-sanitizer
    host              TEXT NOT NULL,       -- host name
    kernel_release    TEXT NOT NULL,       -- operating system kernel
    cpu_model         TEXT NOT NULL,       -- CPU
    n_cpus            INTEGER NOT NULL,    -- CPUs usable by the run
    memory_free_bytes INTEGER NOT NULL,    -- device memory free at the start; 0 unknown
    build_id          INTEGER NOT NULL REFERENCES build,       -- which program
    device_state_id   INTEGER NOT NULL REFERENCES device_state, -- which device, in which state
    reason            TEXT CHECK (reason IN ('nightly', 'pr', 'local')), -- who asked for it
    monotonic_s       REAL,    -- clock of the boot (CLOCK_MONOTONIC) at the start
    boot_id           TEXT,    -- which boot of the host; '' unknown
    user_name         TEXT,    -- who ran it
    container         TEXT,    -- id of the container; '' none or unknown
    environment       TEXT,    -- CUDA_, NVIDIA_ and LD_ variables, NAME=value, quoted for a shell
    ci_url            TEXT,    -- page of the CI job; '' none
    governor          TEXT,    -- frequency governor of the CPU; '' unknown
    turbo             INTEGER CHECK (turbo IN (0, 1)), -- 1: the CPU may exceed its base clock; NULL unknown
    smt               INTEGER CHECK (smt IN (0, 1)),   -- 1: several threads share a CPU core; NULL unknown
    affinity          TEXT,    -- CPUs that the run may use: 0-7,16; '' unknown
    load_average      REAL     -- of the minute before the start; NULL unknown
) STRICT;
CREATE INDEX run_by_device ON run (device_state_id);

-- The end of a run. A run without a row here was interrupted, or still runs.
CREATE TABLE run_end (
    run_id      INTEGER PRIMARY KEY REFERENCES run, -- which run
    ended_utc   TEXT NOT NULL,                      -- end
    exit_status INTEGER NOT NULL                    -- as given to the caller of the program
) STRICT;

-- What the device can do, measured at the start of a timing run (again where a run was resumed): the floor
-- under every time (the null kernel) and the ceilings over every rate.
CREATE TABLE ceiling (
    ceiling_id        INTEGER PRIMARY KEY, -- row id, local to this file
    run_id            INTEGER NOT NULL REFERENCES run, -- of which run
    kind              TEXT NOT NULL,    -- null, copy, read, write, triad (bytes), fma (fp32)
    regime            TEXT NOT NULL,    -- as of a measurement
    clock             TEXT NOT NULL,    -- as of a measurement
    working_set_bytes INTEGER NOT NULL, -- all buffers of the kernel; 0 for null and fma
    n_samples         INTEGER NOT NULL CHECK (n_samples >= 0), -- samples
    median_ns         REAL,             -- time of one call
    rate              REAL,             -- bytes a second; fma: flop/s; NULL: null has none
    measured_utc      TEXT NOT NULL     -- when
) STRICT;
CREATE INDEX ceiling_by_run ON ceiling (run_id, kind, regime, clock, working_set_bytes);

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
-- then 'done': see the view verdicts. The view point is the same with the key of each.
CREATE TABLE planned_point (
    point_id     INTEGER PRIMARY KEY, -- row id, local to this file
    run_id       INTEGER NOT NULL REFERENCES run,    -- of which run
    ordinal      INTEGER NOT NULL CHECK (ordinal >= 0), -- place in the plan, from 0
    config_id    INTEGER NOT NULL REFERENCES config, -- case, version and axis values
    variant      TEXT NOT NULL, -- the implementation
    baseline     TEXT NOT NULL, -- the variant that its speed-up is given against; '' none
    own_key      TEXT CHECK (own_key <> ''), -- key; NULL: CASE/VARIANT/AXIS=VALUE/..., which it nearly always is
    seed         INTEGER NOT NULL, -- with the key, replays the point
    is_reference INTEGER NOT NULL CHECK (is_reference IN (0, 1)), -- 1: its PASS is no check
    is_timed     INTEGER NOT NULL CHECK (is_timed IN (0, 1)), -- 1: to be timed once it has passed
    cells        INTEGER NOT NULL, -- problem size for rates: elements, cells, particles
    bytes_declared    INTEGER, -- compulsory traffic of the case: inputs once, outputs once
    bytes_moved       INTEGER, -- traffic of the variant by its own design; NULL not given
    working_set_bytes INTEGER, -- inputs and outputs, each once: what a cache would have to hold
    flops             REAL,    -- arithmetic that the mathematics needs
    variant_what TEXT, -- what the variant is, in one line; '' nothing said
    rate_fact    TEXT, -- fact (metric, replay check) that cells over time are multiplied by for the rate; '' none
    rate_along   TEXT, -- fact that rates are drawn along, like along an axis; '' none
    UNIQUE (run_id, ordinal)
) STRICT;
-- And so its key, which is made of these; several choices of tuning values have keys of their own.
CREATE UNIQUE INDEX point_by_config ON planned_point (run_id, config_id, variant, coalesce(own_key, ''));

-- The verdicts that a point may get in its lane: PASS alone, unless the variant is broken on purpose.
CREATE TABLE expected_verdict (
    point_id INTEGER NOT NULL REFERENCES planned_point, -- of which point
    verdict  TEXT NOT NULL,                     -- one allowed verdict
    PRIMARY KEY (point_id, verdict)
) STRICT, WITHOUT ROWID;

-- ---- what was found -----------------------------------------------------------------------------

-- What checks say is said once, however many points and runs say it. A tolerance, an output held to it and a finding
-- are rows that others refer to; what all checks of a point found, in order, is one list, and points that found the
-- same share it: variants that compute the same bits, a kernel night after night. The view check_result gives each
-- check back as one row, and takes one: its triggers take it apart.

-- How an element is judged. The same one has one row.
CREATE TABLE tolerance (
    tolerance_id INTEGER PRIMARY KEY, -- row id, local to this file
    rule         TEXT NOT NULL, -- how an element was judged
    c            REAL,    -- factor of the bound c * (u_out*|ref| + u_acc*g(terms)*magnitude)
    u_out        REAL,    -- unit roundoff of the output
    u_acc        REAL,    -- unit roundoff of the accumulation
    growth       TEXT,    -- g: growth of the error with the number of terms
    terms        REAL,    -- terms in the longest sum
    max_ulp      INTEGER, -- units in the last place that the ULP rule allows; NULL: another rule
    why          TEXT NOT NULL -- the reason for this tolerance
) STRICT;
CREATE UNIQUE INDEX tolerance_once ON tolerance (why, rule, ifnull(c, ''), ifnull(u_out, ''), ifnull(u_acc, ''),
    ifnull(growth, 0), ifnull(terms, ''), ifnull(max_ulp, ''));

-- One output or invariant under one class of input, with its tolerance. The same one has one row.
CREATE TABLE checked_output (
    checked_output_id INTEGER PRIMARY KEY, -- row id, local to this file
    input        TEXT NOT NULL,    -- class of input: exact, random, ...
    output       TEXT NOT NULL,    -- name of the output or invariant; * all outputs at once
    is_invariant INTEGER NOT NULL CHECK (is_invariant IN (0, 1)), -- 1: an invariant
    n_runs       INTEGER NOT NULL, -- launches compared, each with another poison and schedule
    tolerance_id INTEGER NOT NULL REFERENCES tolerance, -- by which rule
    UNIQUE (output, input, tolerance_id, n_runs, is_invariant)
) STRICT;

-- What was found of one output, worst over the launches compared. The same has one row. Without a row in
-- finding_detail it has passed, with no element that failed and none that might, on inputs of the point's own seed.
CREATE TABLE finding (
    finding_id        INTEGER PRIMARY KEY, -- row id, local to this file
    checked_output_id INTEGER NOT NULL REFERENCES checked_output, -- of what
    count             INTEGER, -- elements
    worst_ratio       REAL, -- largest error over bound; above 1 fails; NULL: NaN or says nothing
    max_abs_error     REAL, -- largest absolute error
    max_abs_expected  REAL, -- largest absolute value of the reference
    max_ulp_error     REAL, -- largest error in units in the last place
    relative_l2       REAL, -- norm of the error over norm of the reference
    mark              REAL GENERATED ALWAYS AS (coalesce(nullif(relative_l2, 0.0), -- by which the same is found again
                          nullif(max_abs_expected, 0.0), worst_ratio)) VIRTUAL
) STRICT;
CREATE INDEX finding_by_mark ON finding (mark);

-- The rest of a finding that did not pass, or that says more.
CREATE TABLE finding_detail (
    finding_id             INTEGER PRIMARY KEY REFERENCES finding, -- of which finding
    verdict                TEXT NOT NULL, -- what is true of this output
    reason                 TEXT NOT NULL, -- why, in words; '' with PASS
    seed                   INTEGER, -- of the input; NULL: the point's
    n_failed               INTEGER, -- elements that failed
    first_bad              INTEGER, -- index of the first one that failed; NULL: none
    first_bad_value        REAL, -- what it held; NULL beside an index: NaN
    first_bad_expected     REAL, -- what the reference says
    n_exempt               INTEGER, -- elements that were allowed to differ (ties, cell edges)
    exempt_share_predicted REAL     -- share of such elements that the reference predicts
) STRICT;

-- What the checks of a point found, in their order. Points that found the same share the row.
CREATE TABLE finding_list (
    finding_list_id INTEGER PRIMARY KEY, -- row id, local to this file
    findings TEXT NOT NULL CHECK (findings <> ''),        -- ids of findings: 17,18,4
    worst_id INTEGER NOT NULL REFERENCES finding, -- the one nearest to its bound, or farthest past it; NaN is beyond all
    mark     TEXT GENERATED ALWAYS AS (substr(findings, -16)) VIRTUAL -- by which the same is found again
) STRICT;
CREATE INDEX finding_list_by_mark ON finding_list (mark);

-- Finished points with checks.
CREATE TABLE checked_point (
    point_id        INTEGER PRIMARY KEY REFERENCES planned_point, -- which point
    finding_list_id INTEGER NOT NULL REFERENCES finding_list -- what was found at it
) STRICT;

-- How near each output of each variant came to its bound in a run that has ended: the worst of its points, so that
-- errors are followed over many runs without all their checks. The view trend tells it of other runs, too.
CREATE TABLE run_error (
    run_id          INTEGER NOT NULL REFERENCES run, -- which run
    case_version_id INTEGER NOT NULL REFERENCES case_version, -- which case
    variant         TEXT NOT NULL,    -- the implementation
    is_reference    INTEGER NOT NULL, -- as of a point
    input           TEXT NOT NULL,    -- class of input
    output          TEXT NOT NULL,    -- name of the output or invariant
    worst_ratio     REAL,             -- largest error over bound; NULL: says nothing; infinite: failed without a number
    n_checks        INTEGER NOT NULL, -- checks
    n_failed        INTEGER NOT NULL, -- checks that failed
    PRIMARY KEY (run_id, case_version_id, variant, is_reference, input, output)
) STRICT, WITHOUT ROWID;

-- Points between their first check and their verdict: one row at most, but while rows are taken over from elsewhere.
CREATE TABLE open_point (
    point_id  INTEGER PRIMARY KEY REFERENCES planned_point, -- which point
    findings  TEXT NOT NULL,    -- as in finding_list, all but the last one: 17,18,
    newest_id INTEGER NOT NULL REFERENCES finding DEFERRABLE INITIALLY DEFERRED -- the last one
) STRICT;
CREATE INDEX open_point_by_newest ON open_point (newest_id);

-- The end of a point: the highest ranked of its findings and of what befell its process.
CREATE TABLE verdict (
    point_id        INTEGER PRIMARY KEY REFERENCES planned_point, -- of which point
    verdict         TEXT NOT NULL, -- what is true of the variant at this point
    reason          TEXT NOT NULL, -- why, in words; with PASS a note, what a case excuses, or ''
    launches        INTEGER,       -- kernels per call; NULL unknown
    workspace_bytes INTEGER,       -- workspace of the variant; NULL unknown
    device_bytes    INTEGER,       -- device memory of the point's buffers; NULL unknown
    peak_bytes      INTEGER,       -- device memory that its set-up and launches took in all; NULL unknown
    wall_s          REAL,          -- wall time spent on the point
    finished_utc    TEXT NOT NULL, -- when
    UNIQUE (point_id, verdict)     -- what every number refers to
) STRICT;

-- ---- what was measured --------------------------------------------------------------------------

-- How numbers were taken: every threshold that decided how many there are, which are valid and which clock
-- is believed. Measurements of one policy share the row. Version 1 kept four of them, of each metric
-- instead of each point: the others are NULL there. Version 2 had no method.
CREATE TABLE policy (
    policy_id             INTEGER PRIMARY KEY, -- row id, local to this file
    n_processes           INTEGER, -- processes that time a point, one after the other
    n_blocks              INTEGER, -- blocks of each metric in each process; variants alternate by block
    budget_s              REAL,    -- wall time for the timing of one point in one process
    target_relative_error REAL,    -- a block may end: half width of its median's interval over the median
    min_samples           INTEGER, -- fewest samples of a block, unless the budget ends it
    max_samples           INTEGER, -- most samples of a block
    max_calls             INTEGER, -- calls behind one gate, at most
    sample_target_ns      REAL,    -- a hot sample holds so many calls that it is this long
    warm_window           INTEGER, -- warm-up: so many times in a row must agree
    max_warmup            INTEGER, -- warm-up: calls, at most
    rewarm                INTEGER, -- calls before each later block
    warm_agreement        REAL,    -- warm-up: (largest - least) / least of times and of clocks
    warm_share            REAL,    -- warm-up: share of the budget, at most
    flush_kind            TEXT,    -- how the cache is flushed: write (dirty lines) or read
    short_ns              REAL,    -- below this event time the event clock does not decide
    floor_factor          REAL,    -- below so many times the null kernel a time is flagged
    ceiling_margin        REAL,    -- above (1 + this) of the ceiling a point is SUSPECT
    clock_gap_ns          REAL,    -- event and record clock may differ by the larger of this
    clock_gap_share       REAL,    -- and of this share of the time
    invalid_reasons       INTEGER, -- clock event reasons that make a sample invalid, a set of bits
    graph_calls           INTEGER, -- calls in one graph, at most
    graph_target_ns       REAL,    -- fewer if the graph would take longer than this
    confident_samples     INTEGER, -- no block ends on confidence with fewer
    clock_tie             REAL,    -- long kernel: event decides unless the record is smaller by this share
    method                INTEGER, -- version of what no option changes: the table in docs/measuring.md
    terms                 TEXT GENERATED ALWAYS AS ( -- all of it as one text, the same in every file
        quote(n_processes) || ' ' || quote(n_blocks) || ' ' || quote(budget_s) || ' ' ||
        quote(target_relative_error) || ' ' || quote(min_samples) || ' ' || quote(max_samples) || ' ' ||
        quote(max_calls) || ' ' || quote(sample_target_ns) || ' ' || quote(warm_window) || ' ' ||
        quote(max_warmup) || ' ' || quote(rewarm) || ' ' || quote(warm_agreement) || ' ' ||
        quote(warm_share) || ' ' || quote(flush_kind) || ' ' || quote(short_ns) || ' ' ||
        quote(floor_factor) || ' ' || quote(ceiling_margin) || ' ' || quote(clock_gap_ns) || ' ' ||
        quote(clock_gap_share) || ' ' || quote(invalid_reasons) || ' ' || quote(graph_calls) || ' ' ||
        quote(graph_target_ns) || ' ' || quote(confident_samples) || ' ' || quote(clock_tie) || ' ' ||
        quote(method)) VIRTUAL,
    UNIQUE (n_processes, n_blocks, budget_s, target_relative_error, min_samples, max_samples, max_calls,
            sample_target_ns, warm_window, max_warmup, rewarm, warm_agreement, warm_share, flush_kind,
            short_ns, floor_factor, ceiling_margin, clock_gap_ns, clock_gap_share, invalid_reasons,
            graph_calls, graph_target_ns, clock_tie, confident_samples, method)
) STRICT;

-- One metric of one point, a regime read by a clock: statistics over the valid samples of all processes.
CREATE TABLE measurement (
    measurement_id      INTEGER PRIMARY KEY, -- row id, local to this file
    point_id            INTEGER NOT NULL REFERENCES planned_point, -- of which point
    verdict             TEXT NOT NULL DEFAULT 'PASS' CHECK (verdict = 'PASS'), -- of the point: no other is timed
    regime              TEXT NOT NULL,    -- cold (cache flushed before each sample), hot, graph (CUDA graph), e2e (end to end)
    clock               TEXT NOT NULL,    -- event, graph (both on the device), record (activity records), host, peer
                                          -- (events of a peer's own process)
    n_samples           INTEGER NOT NULL CHECK (n_samples >= 0), -- valid samples; 0: all were invalid
    n_blocks            INTEGER NOT NULL CHECK (n_blocks > 0),  -- blocks they were taken in
    n_processes         INTEGER,          -- processes they were taken in
    launches_per_sample INTEGER NOT NULL, -- calls behind one sample; times are per call
    median_ns           REAL, -- middle of the samples: median; mean of the middle half where a clock ticks coarsely
    mean_ns             REAL, -- arithmetic mean
    min_ns              REAL, -- smallest
    max_ns              REAL, -- largest
    p05_ns              REAL, -- 5 % quantile
    q1_ns               REAL, -- 25 % quantile
    q3_ns               REAL, -- 75 % quantile
    p95_ns              REAL, -- 95 % quantile
    stdev_ns            REAL, -- standard deviation
    mad_ns              REAL, -- median of the distances from the median
    median_lo_ns        REAL, -- 95 % interval of median_ns, as if samples were independent; NULL below 6 samples
    median_hi_ns        REAL, -- its upper end
    median_interval     TEXT, -- where it comes from: ranks, quartiles (a coarse clock makes ranks too narrow); '' none
    lag1                REAL, -- correlation of each sample with the next one; NULL below 3 samples, or all alike
    drift_ns            REAL, -- what the straight line through the samples rises by from the first to the last
    process_spread      REAL, -- (largest - least) / median of the processes' medians; NULL with one
    median_cycles       REAL, -- SM cycles of a call, each sample by its own clock; NULL not read
    sm_clock_mhz        REAL, -- median SM clock over the samples; NULL not read
    n_throttled         INTEGER, -- samples left out: power or temperature held the clock back
    n_discarded         INTEGER, -- samples left out: the gate opened too early
    stop_reason         TEXT NOT NULL, -- why sampling stopped, weakest of all blocks: no graph, throttled, gate, budget, samples, confidence
    policy_id           INTEGER REFERENCES policy, -- by which thresholds
    flush_bytes         REAL,     -- bytes written or read to flush the cache; 0 not flushed
    n_warmup            INTEGER,  -- calls before the samples
    wall_s              REAL,     -- wall time spent
    energy_j            REAL,     -- of the device during all its blocks; NULL unknown
    nvml                TEXT,     -- '' or why clock reasons, power and temperature are unknown
    tuning              TEXT,     -- values of the variant's tuning axes: block=256; '' it has none
    bytes_declared      INTEGER,  -- compulsory traffic of the case: inputs once, outputs once
    bytes_moved         INTEGER,  -- traffic of the variant by its own design; NULL not given
    working_set_bytes   INTEGER,  -- inputs and outputs, each once: what a cache would have to hold
    flops               REAL,     -- arithmetic that the mathematics needs
    decides             INTEGER CHECK (decides IN (0, 1)), -- 1: this clock is the one to believe in this regime
    decision            TEXT,     -- the rule that said so, or why it does not decide
    floor_ns            REAL,     -- the null kernel in this regime by this clock; NULL unknown
    is_below_floor      INTEGER CHECK (is_below_floor IN (0, 1)), -- 1: under the policy's multiple of the floor
    ceiling_bytes_per_s REAL,     -- measured in this regime by this clock at this working set; NULL unknown
    ceiling_flops       REAL,     -- measured fp32 rate, flop/s; NULL unknown
    UNIQUE (point_id, regime, clock),
    CHECK (n_samples > 0 OR (median_ns IS NULL AND mean_ns IS NULL AND min_ns IS NULL AND max_ns IS NULL)),
    CHECK (n_samples > 0 OR decides IS NOT 1),
    FOREIGN KEY (point_id, verdict) REFERENCES verdict (point_id, verdict)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE UNIQUE INDEX one_decides ON measurement (point_id, regime) WHERE decides = 1;

-- Consecutive samples of one metric in one process, in time order, and what the device did meanwhile.
CREATE TABLE sample_block (
    measurement_id INTEGER NOT NULL REFERENCES measurement, -- of which measurement
    block          INTEGER NOT NULL CHECK (block >= 0),     -- place in the measurement, from 0
    process        INTEGER,          -- place of the process among those that timed the point, from 0
    sequence       INTEGER,          -- place in its process's sequence of blocks of all variants
    start_s        REAL,             -- of the first sample, since the process began to time the point
    n_samples      INTEGER NOT NULL CHECK (n_samples >= 0), -- valid samples in the block
    n_throttled    INTEGER,          -- samples left out: power or temperature held the clock back
    n_discarded    INTEGER,          -- samples left out: the gate opened too early
    median_ns      REAL,             -- middle of the samples, as above: what pairs of blocks compare (version 2: plain median)
    median_cycles  REAL,             -- median of their SM cycles
    sm_clock_mhz   REAL,             -- median SM clock over them
    reasons        INTEGER,          -- clock event reasons seen (NVML), a set of bits; NULL unknown
    memory_before_mhz    INTEGER,    -- memory clock before the block; NULL unknown
    temperature_before_c INTEGER,    -- before the block; NULL unknown
    memory_mhz     INTEGER,          -- memory clock after the block; NULL unknown
    temperature_c  INTEGER,          -- after the block; NULL unknown
    power_before_w REAL,             -- before the block; NULL unknown
    power_after_w  REAL,             -- after the block; NULL unknown
    energy_j       REAL,             -- by which the device's counter rose: it ticks slower than a block lasts, so mostly
                                     -- 0, and right only over many: measurement.energy_j; NULL unknown
    crc32          INTEGER NOT NULL, -- CRC-32 (polynomial 0xEDB88320, as in zlib) of time_ns
    time_ns        BLOB,             -- n_samples binary64 values, little-endian; NULL: pruned
    clock_crc32    INTEGER,          -- CRC-32 of clock_mhz; NULL: no sample's clock was read
    clock_mhz      BLOB,             -- SM clock of each sample, packed alike, NaN not read; NULL: none, or pruned
    PRIMARY KEY (measurement_id, block),
    CHECK (time_ns IS NULL OR length(time_ns) = 8 * n_samples),
    CHECK (clock_mhz IS NULL OR (clock_crc32 IS NOT NULL AND length(clock_mhz) = 8 * n_samples))
) STRICT;

-- A point against another variant at the same axis values in the same run, or (aa) against itself: paired
-- block by block.
CREATE TABLE comparison (
    comparison_id INTEGER PRIMARY KEY, -- row id, local to this file
    point_id      INTEGER NOT NULL REFERENCES planned_point, -- which point
    verdict       TEXT NOT NULL DEFAULT 'PASS' CHECK (verdict = 'PASS'), -- of the point
    kind          TEXT NOT NULL,    -- speedup, aa
    against       TEXT NOT NULL,    -- the other variant
    regime        TEXT NOT NULL,    -- as of a measurement
    clock         TEXT NOT NULL,    -- as of a measurement; '' where no clock decides
    is_known      INTEGER NOT NULL CHECK (is_known IN (0, 1)), -- 0: CANNOT_TELL
    ratio         REAL,             -- time of the other over time of this: above 1 this one is faster
    lo            REAL,             -- 95 % interval over processes; NULL below 3 processes
    hi            REAL,             -- its upper end
    n_pairs       INTEGER NOT NULL, -- pairs of blocks
    n_processes   INTEGER NOT NULL, -- processes they come from
    reason        TEXT NOT NULL,    -- why it cannot be told, or what to know about it
    UNIQUE (point_id, kind, against, regime, clock),
    CHECK ((ratio IS NOT NULL) = is_known),
    FOREIGN KEY (point_id, verdict) REFERENCES verdict (point_id, verdict)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- One kernel of one call, from activity records.
CREATE TABLE launch (
    launch_id   INTEGER PRIMARY KEY, -- row id, local to this file
    point_id    INTEGER NOT NULL REFERENCES planned_point, -- of which point
    verdict     TEXT NOT NULL DEFAULT 'PASS' CHECK (verdict = 'PASS'), -- of the point
    ordinal     INTEGER NOT NULL CHECK (ordinal >= 0), -- place in the call, from 0
    kernel      TEXT NOT NULL,    -- mangled name
    grid_x      INTEGER NOT NULL, -- blocks along x
    grid_y      INTEGER NOT NULL, -- blocks along y
    grid_z      INTEGER NOT NULL, -- blocks along z
    block_x     INTEGER NOT NULL, -- threads of a block along x
    block_y     INTEGER NOT NULL, -- threads of a block along y
    block_z     INTEGER NOT NULL, -- threads of a block along z
    registers   INTEGER,          -- of a thread; NULL unknown
    local_bytes INTEGER,          -- local memory of a thread: spills and arrays; NULL unknown
    static_shared_bytes  INTEGER, -- shared memory of a block that the compiler laid out; NULL unknown
    dynamic_shared_bytes INTEGER, -- shared memory of a block asked for at the launch; NULL unknown
    code_hash   TEXT NOT NULL,    -- hash of its machine code; '' unknown
    regime      TEXT NOT NULL DEFAULT 'hot' CHECK (regime = 'hot'),      -- of the time
    clock       TEXT NOT NULL DEFAULT 'record' CHECK (clock = 'record'), -- of the time
    time_ns     REAL,             -- median over calls
    UNIQUE (point_id, ordinal),
    FOREIGN KEY (point_id, verdict) REFERENCES verdict (point_id, verdict)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- A named part of one call, from activity records.
CREATE TABLE section (
    section_id INTEGER PRIMARY KEY, -- row id, local to this file
    point_id   INTEGER NOT NULL REFERENCES planned_point, -- of which point
    verdict    TEXT NOT NULL DEFAULT 'PASS' CHECK (verdict = 'PASS'), -- of the point
    name       TEXT NOT NULL,    -- sense, deposit, diffuse, ...
    launches   INTEGER NOT NULL, -- kernels of a call that belong to it
    regime     TEXT NOT NULL DEFAULT 'hot' CHECK (regime = 'hot'),      -- of the time
    clock      TEXT NOT NULL DEFAULT 'record' CHECK (clock = 'record'), -- of the time
    time_ns    REAL,             -- of a call
    share      REAL,             -- of the time of all sections
    UNIQUE (point_id, name),
    FOREIGN KEY (point_id, verdict) REFERENCES verdict (point_id, verdict)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- One hardware counter over one call; or a fact, which the case has read from the outputs of its check: then
-- `replay` is 'check', or 'input' for the one that tells apart what points of one key ran on; or what a peer told of
-- itself ('peer'); or what the first call of a process took: then it is 'first', and n_passes counts the processes. The
-- regime says nothing of these.
CREATE TABLE metric (
    metric_id INTEGER PRIMARY KEY, -- row id, local to this file
    point_id  INTEGER NOT NULL REFERENCES planned_point, -- of which point
    verdict   TEXT NOT NULL DEFAULT 'PASS' CHECK (verdict = 'PASS'), -- of the point
    name      TEXT NOT NULL,    -- full name: dram__bytes_read.sum
    status    TEXT NOT NULL CHECK (status IN ('ok', 'unsupported', 'no permission', 'failed')), -- could it be counted?
    reason    TEXT NOT NULL,    -- why not; '' with ok
    regime    TEXT NOT NULL DEFAULT 'cold' CHECK (regime = 'cold'), -- the cache was flushed (by reading) before the call
    value     REAL,             -- of one call; NULL: not counted, or NaN
    n_passes  INTEGER,          -- replays that the whole set took; NULL unknown
    replay    TEXT NOT NULL,    -- user (the call is repeated) or kernel (each kernel is)
    UNIQUE (point_id, name, replay),
    CHECK (value IS NULL OR status = 'ok'),
    FOREIGN KEY (point_id, verdict) REFERENCES verdict (point_id, verdict)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- One choice of values on a variant's tuning axes, tried at one point. A trial without a time may stand
-- beside any verdict of the point: it may be the reason for it. One that is chosen, without a time and with a reason
-- was not tried here: the point was planned with what an earlier search had chosen, as the reason tells.
CREATE TABLE tuning_trial (
    trial_id      INTEGER PRIMARY KEY, -- row id, local to this file
    point_id      INTEGER NOT NULL REFERENCES planned_point, -- at which point
    point_verdict TEXT CHECK (point_verdict = 'PASS'), -- of the point; NULL without a time
    tuning        TEXT NOT NULL,    -- block=256
    verdict       TEXT NOT NULL,    -- of this choice: only a PASS is timed
    reason        TEXT NOT NULL,    -- why, in words; '' with a PASS found here
    regime        TEXT NOT NULL,    -- as of a measurement; '' not timed
    clock         TEXT NOT NULL,    -- as of a measurement; '' not timed
    n_samples     INTEGER NOT NULL CHECK (n_samples >= 0), -- samples
    median_ns     REAL,             -- their median; NULL not timed
    is_chosen     INTEGER NOT NULL CHECK (is_chosen IN (0, 1)), -- 1: the choice that the measurements were taken with
    UNIQUE (point_id, tuning, regime, clock),
    CHECK ((median_ns IS NULL) = (point_verdict IS NULL)),
    CHECK (verdict = 'PASS' OR (median_ns IS NULL AND NOT is_chosen)),
    FOREIGN KEY (point_id, point_verdict) REFERENCES verdict (point_id, verdict)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE UNIQUE INDEX one_chosen ON tuning_trial (point_id) WHERE is_chosen = 1;

-- ---- what people and later runs made of it ------------------------------------------------------
-- These rows stand for themselves: named by a uuid, so that files can be merged. The runs that they speak of are
-- named by uuid and may be in another file.

-- A person's words about a series or a run.
CREATE TABLE annotation (
    annotation_id INTEGER PRIMARY KEY, -- row id, local to this file
    uuid          TEXT NOT NULL UNIQUE CHECK (uuid <> ''), -- the same in every file
    series        TEXT NOT NULL, -- series as in measured_series; '' about a run
    run_uuid      TEXT NOT NULL, -- run; '' about a series as a whole
    text          TEXT NOT NULL CHECK (text <> ''), -- what is to be known
    who           TEXT NOT NULL, -- who says so
    written_utc   TEXT NOT NULL, -- when
    CHECK (series <> '' OR run_uuid <> '')
) STRICT;

-- A run that a person accepted, and with which others are compared. The newest row of a name counts.
CREATE TABLE accepted_baseline (
    accepted_id INTEGER PRIMARY KEY, -- row id, local to this file
    uuid        TEXT NOT NULL UNIQUE CHECK (uuid <> ''), -- the same in every file
    name        TEXT NOT NULL CHECK (name <> ''),     -- name of the baseline: main
    run_uuid    TEXT NOT NULL CHECK (run_uuid <> ''), -- the run
    why         TEXT NOT NULL,   -- why it was accepted
    who         TEXT NOT NULL,   -- who accepted it
    accepted_utc TEXT NOT NULL   -- when
) STRICT;

-- How often the decision rule errs where nothing has changed: comparisons of a build with itself (A/A), of one
-- point of a case or of all of them together.
CREATE TABLE calibration (
    calibration_id INTEGER PRIMARY KEY, -- row id, local to this file
    uuid           TEXT NOT NULL UNIQUE CHECK (uuid <> ''), -- the same in every file
    case_name      TEXT NOT NULL, -- which case
    case_version   INTEGER NOT NULL, -- in which version
    regime         TEXT NOT NULL, -- as of a measurement
    clock          TEXT NOT NULL, -- as of a measurement
    device_kind    TEXT NOT NULL CHECK (device_kind <> ''), -- on what, as of a device: it says nothing of another
    device_name    TEXT NOT NULL, -- as of a device
    key            TEXT CHECK (key <> ''), -- of the point; NULL: all points of the case together
    tuning         TEXT, -- of the point, as of a measurement; NULL: all points together
    n_comparisons  INTEGER NOT NULL CHECK (n_comparisons > 0), -- A/A comparisons it stands on
    false_slower   REAL NOT NULL CHECK (false_slower BETWEEN 0 AND 1), -- share called SLOWER
    false_faster   REAL NOT NULL CHECK (false_faster BETWEEN 0 AND 1), -- share called FASTER
    cannot_tell    REAL NOT NULL CHECK (cannot_tell BETWEEN 0 AND 1),  -- share called CANNOT_TELL
    band           REAL CHECK (band >= 0), -- effect that A/A stays within: no smaller one is called a change; NULL: of a
                                           -- point, from too few comparisons
    process_sd     REAL CHECK (process_sd >= 0), -- of a point: spread of ln(time) between processes of one run; NULL
                                                 -- unknown. (Version 3: pooled over all points, used by nothing)
    process_df     INTEGER CHECK (process_df > 0), -- degrees of freedom it stands on; NULL unknown
    method         TEXT NOT NULL, -- how the band was found
    runs           TEXT NOT NULL, -- uuids of the runs behind it, separated by spaces
    calibrated_utc TEXT NOT NULL, -- when
    CHECK (false_slower + false_faster + cannot_tell <= 1.0000001),
    CHECK ((process_sd IS NULL) = (process_df IS NULL)),
    CHECK ((key IS NULL) = (tuning IS NULL)),
    CHECK (band IS NOT NULL OR key IS NOT NULL)
) STRICT;

-- The comparison of a point of one run with the same point of another, and its result.
CREATE TABLE change (
    change_id   INTEGER PRIMARY KEY, -- row id, local to this file
    uuid        TEXT NOT NULL UNIQUE CHECK (uuid <> ''), -- the same in every file
    from_run    TEXT NOT NULL, -- uuid of the run compared with
    to_run      TEXT NOT NULL, -- uuid of the run judged
    from_key    TEXT NOT NULL, -- key of the point there
    to_key      TEXT NOT NULL, -- key of the point here
    regime      TEXT NOT NULL, -- as of a measurement
    clock       TEXT NOT NULL, -- as of a measurement; '' where no clock decides
    effect      REAL,          -- time here over time there, less 1: above 0 slower; NULL unknown
    lo          REAL,          -- 95 % interval of the effect
    hi          REAL,          -- its upper end
    p           REAL CHECK (p BETWEEN 0 AND 1),           -- of no difference
    p_corrected REAL CHECK (p_corrected BETWEEN 0 AND 1), -- over all comparisons of the table
    cycles_effect REAL,        -- the same in SM cycles; NULL not read
    threshold   REAL NOT NULL, -- effect that matters, as asked for
    band        REAL,          -- the point's own band (calibration) or, for want of one, its case's; NULL not calibrated
    verdict     TEXT NOT NULL CHECK (verdict IN ('SAME', 'FASTER', 'SLOWER', 'CANNOT_TELL')), -- what it comes to
    reason      TEXT NOT NULL, -- why it cannot be told, or what to know about it
    compared_utc TEXT NOT NULL, -- when
    CHECK (effect IS NOT NULL OR verdict = 'CANNOT_TELL')
) STRICT;
CREATE INDEX change_by_run ON change (to_run);

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
CREATE TRIGGER ceiling_kept BEFORE UPDATE ON ceiling BEGIN SELECT RAISE(ABORT, 'append-only: ceiling'); END;
CREATE TRIGGER ceiling_held BEFORE DELETE ON ceiling BEGIN SELECT RAISE(ABORT, 'append-only: ceiling'); END;
CREATE TRIGGER case_version_kept BEFORE UPDATE ON case_version BEGIN SELECT RAISE(ABORT, 'append-only: case_version'); END;
CREATE TRIGGER case_version_held BEFORE DELETE ON case_version BEGIN SELECT RAISE(ABORT, 'append-only: case_version'); END;
CREATE TRIGGER config_kept BEFORE UPDATE ON config BEGIN SELECT RAISE(ABORT, 'append-only: config'); END;
CREATE TRIGGER config_held BEFORE DELETE ON config BEGIN SELECT RAISE(ABORT, 'append-only: config'); END;
CREATE TRIGGER axis_value_kept BEFORE UPDATE ON axis_value BEGIN SELECT RAISE(ABORT, 'append-only: axis_value'); END;
CREATE TRIGGER axis_value_held BEFORE DELETE ON axis_value BEGIN SELECT RAISE(ABORT, 'append-only: axis_value'); END;
CREATE TRIGGER planned_point_kept BEFORE UPDATE ON planned_point BEGIN SELECT RAISE(ABORT, 'append-only: planned_point'); END;
CREATE TRIGGER planned_point_held BEFORE DELETE ON planned_point BEGIN SELECT RAISE(ABORT, 'append-only: planned_point'); END;
CREATE TRIGGER expected_verdict_kept BEFORE UPDATE ON expected_verdict BEGIN SELECT RAISE(ABORT, 'append-only: expected_verdict'); END;
CREATE TRIGGER expected_verdict_held BEFORE DELETE ON expected_verdict BEGIN SELECT RAISE(ABORT, 'append-only: expected_verdict'); END;
CREATE TRIGGER tolerance_kept BEFORE UPDATE ON tolerance BEGIN SELECT RAISE(ABORT, 'append-only: tolerance'); END;
CREATE TRIGGER tolerance_held BEFORE DELETE ON tolerance BEGIN SELECT RAISE(ABORT, 'append-only: tolerance'); END;
CREATE TRIGGER checked_output_kept BEFORE UPDATE ON checked_output BEGIN SELECT RAISE(ABORT, 'append-only: checked_output'); END;
CREATE TRIGGER checked_output_held BEFORE DELETE ON checked_output BEGIN SELECT RAISE(ABORT, 'append-only: checked_output'); END;
CREATE TRIGGER finding_kept BEFORE UPDATE ON finding BEGIN SELECT RAISE(ABORT, 'append-only: finding'); END;
CREATE TRIGGER finding_held BEFORE DELETE ON finding BEGIN SELECT RAISE(ABORT, 'append-only: finding'); END;
CREATE TRIGGER finding_detail_kept BEFORE UPDATE ON finding_detail BEGIN SELECT RAISE(ABORT, 'append-only: finding_detail'); END;
CREATE TRIGGER finding_detail_held BEFORE DELETE ON finding_detail BEGIN SELECT RAISE(ABORT, 'append-only: finding_detail'); END;
CREATE TRIGGER finding_list_kept BEFORE UPDATE ON finding_list BEGIN SELECT RAISE(ABORT, 'append-only: finding_list'); END;
CREATE TRIGGER finding_list_held BEFORE DELETE ON finding_list BEGIN SELECT RAISE(ABORT, 'append-only: finding_list'); END;
CREATE TRIGGER checked_point_kept BEFORE UPDATE ON checked_point BEGIN SELECT RAISE(ABORT, 'append-only: checked_point'); END;
CREATE TRIGGER checked_point_held BEFORE DELETE ON checked_point BEGIN SELECT RAISE(ABORT, 'append-only: checked_point'); END;
CREATE TRIGGER run_error_kept BEFORE UPDATE ON run_error BEGIN SELECT RAISE(ABORT, 'append-only: run_error'); END;
CREATE TRIGGER run_error_held BEFORE DELETE ON run_error BEGIN SELECT RAISE(ABORT, 'append-only: run_error'); END;
CREATE TRIGGER open_point_kept BEFORE UPDATE ON open_point
WHEN NEW.point_id <> OLD.point_id OR NEW.findings <> OLD.findings || OLD.newest_id || ','
BEGIN SELECT RAISE(ABORT, 'append-only: open_point'); END;
CREATE TRIGGER open_point_held BEFORE DELETE ON open_point
WHEN NOT EXISTS (SELECT 1 FROM verdict WHERE point_id = OLD.point_id)
BEGIN SELECT RAISE(ABORT, 'append-only: open_point'); END;
CREATE TRIGGER verdict_kept BEFORE UPDATE ON verdict BEGIN SELECT RAISE(ABORT, 'append-only: verdict'); END;
CREATE TRIGGER verdict_held BEFORE DELETE ON verdict BEGIN SELECT RAISE(ABORT, 'append-only: verdict'); END;
CREATE TRIGGER policy_kept BEFORE UPDATE ON policy BEGIN SELECT RAISE(ABORT, 'append-only: policy'); END;
CREATE TRIGGER policy_held BEFORE DELETE ON policy BEGIN SELECT RAISE(ABORT, 'append-only: policy'); END;
CREATE TRIGGER measurement_kept BEFORE UPDATE ON measurement BEGIN SELECT RAISE(ABORT, 'append-only: measurement'); END;
CREATE TRIGGER measurement_held BEFORE DELETE ON measurement BEGIN SELECT RAISE(ABORT, 'append-only: measurement'); END;
CREATE TRIGGER sample_block_held BEFORE DELETE ON sample_block BEGIN SELECT RAISE(ABORT, 'append-only: sample_block'); END;
CREATE TRIGGER comparison_kept BEFORE UPDATE ON comparison BEGIN SELECT RAISE(ABORT, 'append-only: comparison'); END;
CREATE TRIGGER comparison_held BEFORE DELETE ON comparison BEGIN SELECT RAISE(ABORT, 'append-only: comparison'); END;
CREATE TRIGGER launch_kept BEFORE UPDATE ON launch BEGIN SELECT RAISE(ABORT, 'append-only: launch'); END;
CREATE TRIGGER launch_held BEFORE DELETE ON launch BEGIN SELECT RAISE(ABORT, 'append-only: launch'); END;
CREATE TRIGGER section_kept BEFORE UPDATE ON section BEGIN SELECT RAISE(ABORT, 'append-only: section'); END;
CREATE TRIGGER section_held BEFORE DELETE ON section BEGIN SELECT RAISE(ABORT, 'append-only: section'); END;
CREATE TRIGGER metric_kept BEFORE UPDATE ON metric BEGIN SELECT RAISE(ABORT, 'append-only: metric'); END;
CREATE TRIGGER metric_held BEFORE DELETE ON metric BEGIN SELECT RAISE(ABORT, 'append-only: metric'); END;
CREATE TRIGGER tuning_trial_kept BEFORE UPDATE ON tuning_trial BEGIN SELECT RAISE(ABORT, 'append-only: tuning_trial'); END;
CREATE TRIGGER tuning_trial_held BEFORE DELETE ON tuning_trial BEGIN SELECT RAISE(ABORT, 'append-only: tuning_trial'); END;
CREATE TRIGGER annotation_kept BEFORE UPDATE ON annotation BEGIN SELECT RAISE(ABORT, 'append-only: annotation'); END;
CREATE TRIGGER annotation_held BEFORE DELETE ON annotation BEGIN SELECT RAISE(ABORT, 'append-only: annotation'); END;
CREATE TRIGGER accepted_baseline_kept BEFORE UPDATE ON accepted_baseline BEGIN SELECT RAISE(ABORT, 'append-only: accepted_baseline'); END;
CREATE TRIGGER accepted_baseline_held BEFORE DELETE ON accepted_baseline BEGIN SELECT RAISE(ABORT, 'append-only: accepted_baseline'); END;
CREATE TRIGGER calibration_kept BEFORE UPDATE ON calibration BEGIN SELECT RAISE(ABORT, 'append-only: calibration'); END;
CREATE TRIGGER calibration_held BEFORE DELETE ON calibration BEGIN SELECT RAISE(ABORT, 'append-only: calibration'); END;
CREATE TRIGGER change_kept BEFORE UPDATE ON change BEGIN SELECT RAISE(ABORT, 'append-only: change'); END;
CREATE TRIGGER change_held BEFORE DELETE ON change BEGIN SELECT RAISE(ABORT, 'append-only: change'); END;

-- Pruning: the samples alone may go, with or without their clocks.
CREATE TRIGGER sample_block_kept BEFORE UPDATE ON sample_block
WHEN NEW.time_ns IS NOT NULL
    OR (NEW.clock_mhz IS NOT NULL AND NEW.clock_mhz IS NOT OLD.clock_mhz)
    OR (NEW.measurement_id, NEW.block, NEW.process, NEW.sequence, NEW.start_s, NEW.n_samples,
        NEW.n_throttled, NEW.n_discarded, NEW.median_ns, NEW.median_cycles, NEW.sm_clock_mhz,
        NEW.reasons, NEW.memory_before_mhz, NEW.temperature_before_c, NEW.memory_mhz, NEW.temperature_c, NEW.power_before_w, NEW.power_after_w,
        NEW.energy_j, NEW.crc32, NEW.clock_crc32)
    IS NOT
       (OLD.measurement_id, OLD.block, OLD.process, OLD.sequence, OLD.start_s, OLD.n_samples,
        OLD.n_throttled, OLD.n_discarded, OLD.median_ns, OLD.median_cycles, OLD.sm_clock_mhz,
        OLD.reasons, OLD.memory_before_mhz, OLD.temperature_before_c, OLD.memory_mhz, OLD.temperature_c, OLD.power_before_w, OLD.power_after_w,
        OLD.energy_j, OLD.crc32, OLD.clock_crc32)
BEGIN SELECT RAISE(ABORT, 'append-only: sample_block'); END;

-- A finished point takes nothing more, and an end is final (REPLACE does not ask the triggers above).
CREATE TRIGGER verdict_once BEFORE INSERT ON verdict
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER run_end_once BEFORE INSERT ON run_end
WHEN EXISTS (SELECT 1 FROM run_end WHERE run_id = NEW.run_id)
BEGIN SELECT RAISE(ABORT, 'the run has ended'); END;
CREATE TRIGGER tolerance_once_only BEFORE INSERT ON tolerance
WHEN EXISTS (SELECT 1 FROM tolerance WHERE tolerance_id = NEW.tolerance_id)
BEGIN SELECT RAISE(ABORT, 'append-only: tolerance'); END;
CREATE TRIGGER checked_output_once BEFORE INSERT ON checked_output
WHEN EXISTS (SELECT 1 FROM checked_output WHERE checked_output_id = NEW.checked_output_id)
BEGIN SELECT RAISE(ABORT, 'append-only: checked_output'); END;
CREATE TRIGGER finding_once BEFORE INSERT ON finding -- check_result_taken offers one that is there, which is not taken
WHEN EXISTS (SELECT 1 FROM finding WHERE finding_id = NEW.finding_id)
    AND NOT EXISTS (SELECT 1 FROM open_point WHERE newest_id = NEW.finding_id)
BEGIN SELECT RAISE(ABORT, 'append-only: finding'); END;
CREATE TRIGGER finding_list_once BEFORE INSERT ON finding_list
WHEN EXISTS (SELECT 1 FROM finding_list WHERE finding_list_id = NEW.finding_list_id)
BEGIN SELECT RAISE(ABORT, 'append-only: finding_list'); END;
CREATE TRIGGER open_point_closed BEFORE INSERT ON open_point
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER finding_detail_closed BEFORE INSERT ON finding_detail
WHEN NOT EXISTS (SELECT 1 FROM open_point WHERE newest_id = NEW.finding_id)
    OR NEW.finding_id <> (SELECT max(finding_id) FROM finding)
BEGIN SELECT RAISE(ABORT, 'the finding is whole'); END;
CREATE TRIGGER checked_point_closed BEFORE INSERT ON checked_point
WHEN NOT EXISTS (SELECT 1 FROM open_point WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER measurement_closed BEFORE INSERT ON measurement
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER sample_block_closed BEFORE INSERT ON sample_block
WHEN EXISTS (SELECT 1 FROM verdict AS v JOIN measurement AS m ON m.point_id = v.point_id
    WHERE m.measurement_id = NEW.measurement_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER comparison_closed BEFORE INSERT ON comparison
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER launch_closed BEFORE INSERT ON launch
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER section_closed BEFORE INSERT ON section
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER metric_closed BEFORE INSERT ON metric
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER tuning_trial_closed BEFORE INSERT ON tuning_trial
WHEN EXISTS (SELECT 1 FROM verdict WHERE point_id = NEW.point_id)
BEGIN SELECT RAISE(ABORT, 'the point is finished'); END;
CREATE TRIGGER ceiling_closed BEFORE INSERT ON ceiling
WHEN EXISTS (SELECT 1 FROM run_end WHERE run_id = NEW.run_id)
BEGIN SELECT RAISE(ABORT, 'the run has ended'); END;

-- The event clock reads far too much for a short kernel, so it gives no speed-up if one of the two
-- variants is short.
CREATE TRIGGER comparison_clock BEFORE INSERT ON comparison
WHEN NEW.kind = 'speedup' AND NEW.clock = 'event' AND NEW.is_known
    AND EXISTS (SELECT 1 FROM planned_point AS p
        JOIN planned_point AS q ON q.run_id = p.run_id AND q.config_id = p.config_id
            AND (q.point_id = p.point_id OR q.variant = NEW.against)
        JOIN measurement AS m ON m.point_id = q.point_id AND m.regime = NEW.regime
            AND m.clock = 'event'
        JOIN policy AS l ON l.policy_id = m.policy_id
        WHERE p.point_id = NEW.point_id AND m.median_ns < l.short_ns)
BEGIN SELECT RAISE(ABORT, 'no speed-up of so short a kernel by the event clock'); END;

-- What the checks of unfinished points have found so far, in their order.
CREATE VIEW open_finding AS
SELECT o.point_id, j.key AS place, f.finding_id, f.worst_ratio, coalesce(d.verdict, 'PASS') AS verdict
FROM open_point AS o
JOIN json_each('[' || o.findings || o.newest_id || ']') AS j
JOIN finding AS f ON f.finding_id = j.value
LEFT JOIN finding_detail AS d ON d.finding_id = f.finding_id;

-- A PASS stands on at least one check that passed (the reference's own PASS is no check) and on none
-- that failed.
CREATE TRIGGER verdict_founded BEFORE INSERT ON verdict
WHEN NEW.verdict = 'PASS'
    AND NOT EXISTS (SELECT 1 FROM planned_point WHERE point_id = NEW.point_id AND is_reference)
    AND NOT EXISTS (SELECT 1 FROM open_finding WHERE point_id = NEW.point_id AND verdict = 'PASS')
BEGIN SELECT RAISE(ABORT, 'a PASS needs a check that passed'); END;
CREATE TRIGGER verdict_consistent BEFORE INSERT ON verdict
WHEN NEW.verdict = 'PASS' AND EXISTS (SELECT 1 FROM open_finding WHERE point_id = NEW.point_id
    AND verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN'))
BEGIN SELECT RAISE(ABORT, 'a PASS beside a check that failed'); END;

-- ---- points with their keys ---------------------------------------------------------------------

-- Every point of every run. key names it on a command line.
CREATE VIEW point AS
SELECT p.point_id, p.run_id, p.ordinal, p.config_id, p.variant, p.baseline,
    coalesce(p.own_key, c.name || '/' || p.variant
        || CASE f.axes WHEN '' THEN '' ELSE '/' || replace(f.axes, ';', '/') END) AS key,
    p.seed, p.is_reference, p.is_timed, p.cells, p.bytes_declared, p.bytes_moved, p.working_set_bytes, p.flops,
    p.variant_what, p.rate_fact, p.rate_along
FROM planned_point AS p
LEFT JOIN config AS f ON f.config_id = p.config_id
LEFT JOIN case_version AS c ON c.case_version_id = f.case_version_id;

-- A new point: the key that is made of the rest is not stored.
CREATE TRIGGER point_taken INSTEAD OF INSERT ON point BEGIN
    SELECT RAISE(ABORT, 'a point needs a key') WHERE coalesce(NEW.key, '') = '';
    INSERT INTO planned_point (point_id, run_id, ordinal, config_id, variant, baseline, own_key, seed,
        is_reference, is_timed, cells, bytes_declared, bytes_moved, working_set_bytes, flops, variant_what, rate_fact, rate_along)
    VALUES (NEW.point_id, NEW.run_id, NEW.ordinal, NEW.config_id, NEW.variant, NEW.baseline,
        nullif(NEW.key, (SELECT c.name || '/' || NEW.variant
                || CASE f.axes WHEN '' THEN '' ELSE '/' || replace(f.axes, ';', '/') END
            FROM config AS f JOIN case_version AS c ON c.case_version_id = f.case_version_id
            WHERE f.config_id = NEW.config_id)),
        NEW.seed, NEW.is_reference, NEW.is_timed, NEW.cells, NEW.bytes_declared, NEW.bytes_moved, NEW.working_set_bytes,
        NEW.flops, NEW.variant_what, NEW.rate_fact, NEW.rate_along);
END;
CREATE TRIGGER point_kept INSTEAD OF UPDATE ON point BEGIN SELECT RAISE(ABORT, 'append-only: point'); END;
CREATE TRIGGER point_held INSTEAD OF DELETE ON point BEGIN SELECT RAISE(ABORT, 'append-only: point'); END;

-- ---- checks, taken apart and given back ---------------------------------------------------------

-- Every finding whole. own_seed: NULL where it is the point's.
CREATE VIEW findings AS
SELECT f.finding_id, f.mark, w.input, w.output, w.is_invariant, coalesce(d.verdict, 'PASS') AS verdict,
    coalesce(d.reason, '') AS reason, d.seed AS own_seed, w.n_runs, t.rule, t.c, t.u_out, t.u_acc, t.growth, t.terms,
    t.max_ulp, t.why, f.count, CASE WHEN d.finding_id IS NULL THEN 0 * f.count ELSE d.n_failed END AS n_failed,
    d.first_bad, d.first_bad_value, d.first_bad_expected, f.worst_ratio, f.max_abs_error, f.max_abs_expected,
    f.max_ulp_error, f.relative_l2,
    CASE WHEN d.finding_id IS NOT NULL THEN d.n_exempt WHEN NOT w.is_invariant THEN 0 * f.count END AS n_exempt,
    CASE WHEN d.finding_id IS NOT NULL THEN d.exempt_share_predicted WHEN NOT w.is_invariant THEN 0.0 * f.count END
        AS exempt_share_predicted
FROM finding AS f
JOIN checked_output AS w ON w.checked_output_id = f.checked_output_id
JOIN tolerance AS t ON t.tolerance_id = w.tolerance_id
LEFT JOIN finding_detail AS d ON d.finding_id = f.finding_id;

-- One output or invariant of a finished point under one class of input: the rule as it was applied, and what was found.
CREATE VIEW check_result AS
SELECT (c.point_id << 16) + j.key AS check_id, -- rises with the point, and with the place among its checks
    c.point_id, k.input, k.output, k.is_invariant, k.verdict, k.reason, coalesce(k.own_seed, p.seed) AS seed, k.n_runs,
    k.rule, k.c, k.u_out, k.u_acc, k.growth, k.terms, k.max_ulp, k.why, k.count, k.n_failed, k.first_bad,
    k.first_bad_value, k.first_bad_expected, k.worst_ratio, k.max_abs_error, k.max_abs_expected, k.max_ulp_error,
    k.relative_l2, k.n_exempt, k.exempt_share_predicted
FROM checked_point AS c
JOIN planned_point AS p ON p.point_id = c.point_id
JOIN finding_list AS l ON l.finding_list_id = c.finding_list_id
JOIN json_each('[' || l.findings || ']') AS j
JOIN findings AS k ON k.finding_id = j.value;

-- A check of a point that is not finished: a finding that is there already is added to the point's list, another one
-- is made first.
CREATE TRIGGER check_result_taken INSTEAD OF INSERT ON check_result BEGIN
    INSERT INTO tolerance (rule, c, u_out, u_acc, growth, terms, max_ulp, why)
    VALUES (NEW.rule, NEW.c, NEW.u_out, NEW.u_acc, NEW.growth, NEW.terms, NEW.max_ulp, NEW.why)
    ON CONFLICT DO NOTHING;
    INSERT INTO checked_output (input, output, is_invariant, n_runs, tolerance_id)
    VALUES (NEW.input, NEW.output, NEW.is_invariant, NEW.n_runs, (SELECT tolerance_id FROM tolerance
        WHERE (why, rule, c, u_out, u_acc, growth, terms, max_ulp)
            IS (NEW.why, NEW.rule, NEW.c, NEW.u_out, NEW.u_acc, NEW.growth, NEW.terms, NEW.max_ulp)))
    ON CONFLICT DO NOTHING;
    INSERT INTO open_point (point_id, findings, newest_id)
    VALUES (NEW.point_id, '', coalesce((SELECT min(k.finding_id) FROM findings AS k
        WHERE k.mark IS coalesce(nullif(NEW.relative_l2, 0.0), nullif(NEW.max_abs_expected, 0.0), NEW.worst_ratio)
        AND k.own_seed IS (SELECT nullif(NEW.seed, p.seed) FROM planned_point AS p WHERE p.point_id = NEW.point_id)
        AND (k.input, k.output, k.is_invariant, k.verdict, k.reason, k.n_runs, k.rule, k.c, k.u_out, k.u_acc, k.growth,
             k.terms, k.max_ulp, k.why, k.count, k.n_failed, k.first_bad, k.first_bad_value, k.first_bad_expected,
             k.worst_ratio, k.max_abs_error, k.max_abs_expected, k.max_ulp_error, k.relative_l2, k.n_exempt,
             k.exempt_share_predicted)
        IS  (NEW.input, NEW.output, NEW.is_invariant, NEW.verdict, NEW.reason, NEW.n_runs, NEW.rule, NEW.c, NEW.u_out,
             NEW.u_acc, NEW.growth, NEW.terms, NEW.max_ulp, NEW.why, NEW.count, NEW.n_failed, NEW.first_bad,
             NEW.first_bad_value, NEW.first_bad_expected, NEW.worst_ratio, NEW.max_abs_error, NEW.max_abs_expected,
             NEW.max_ulp_error, NEW.relative_l2, NEW.n_exempt, NEW.exempt_share_predicted)),
        (SELECT coalesce(max(finding_id), 0) + 1 FROM finding)))
    ON CONFLICT (point_id) DO UPDATE SET findings = findings || newest_id || ',', newest_id = excluded.newest_id;
    INSERT INTO finding (finding_id, checked_output_id, count, worst_ratio, max_abs_error, max_abs_expected,
        max_ulp_error, relative_l2)
    VALUES ((SELECT newest_id FROM open_point WHERE point_id = NEW.point_id),
        (SELECT checked_output_id FROM checked_output WHERE (input, output, is_invariant, n_runs)
            IS (NEW.input, NEW.output, NEW.is_invariant, NEW.n_runs)
         AND tolerance_id = (SELECT tolerance_id FROM tolerance WHERE (why, rule, c, u_out, u_acc, growth, terms, max_ulp)
            IS (NEW.why, NEW.rule, NEW.c, NEW.u_out, NEW.u_acc, NEW.growth, NEW.terms, NEW.max_ulp))),
        NEW.count, NEW.worst_ratio, NEW.max_abs_error, NEW.max_abs_expected, NEW.max_ulp_error, NEW.relative_l2)
    ON CONFLICT (finding_id) DO NOTHING;
    INSERT INTO finding_detail (finding_id, verdict, reason, seed, n_failed, first_bad, first_bad_value,
        first_bad_expected, n_exempt, exempt_share_predicted)
    SELECT o.newest_id, NEW.verdict, NEW.reason, nullif(NEW.seed, p.seed), NEW.n_failed, NEW.first_bad,
        NEW.first_bad_value, NEW.first_bad_expected, NEW.n_exempt, NEW.exempt_share_predicted
    FROM open_point AS o JOIN planned_point AS p ON p.point_id = o.point_id
    WHERE o.point_id = NEW.point_id AND changes() = 1 -- the finding is new
        AND (NEW.verdict, NEW.reason, NEW.seed, NEW.n_failed, NEW.first_bad, NEW.first_bad_value,
             NEW.first_bad_expected, NEW.n_exempt, NEW.exempt_share_predicted)
        IS NOT ('PASS', '', p.seed, 0 * NEW.count, NULL, NULL, NULL, CASE WHEN NOT NEW.is_invariant THEN 0 * NEW.count END,
             CASE WHEN NOT NEW.is_invariant THEN 0.0 * NEW.count END);
END;
CREATE TRIGGER check_result_kept INSTEAD OF UPDATE ON check_result BEGIN SELECT RAISE(ABORT, 'append-only: check_result'); END;
CREATE TRIGGER check_result_held INSTEAD OF DELETE ON check_result BEGIN SELECT RAISE(ABORT, 'append-only: check_result'); END;

-- The verdict closes the list.
CREATE TRIGGER verdict_taken AFTER INSERT ON verdict
WHEN EXISTS (SELECT 1 FROM open_point WHERE point_id = NEW.point_id)
BEGIN
    INSERT INTO finding_list (findings, worst_id)
    SELECT o.findings || o.newest_id, (SELECT k.finding_id FROM open_finding AS k WHERE k.point_id = o.point_id
            ORDER BY coalesce(k.worst_ratio, CASE WHEN k.verdict IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN')
                THEN -1.0 ELSE 9e999 END) DESC, k.place LIMIT 1)
    FROM open_point AS o
    WHERE o.point_id = NEW.point_id AND NOT EXISTS (SELECT 1 FROM finding_list AS l
        WHERE l.mark = substr(o.findings || o.newest_id, -16) AND l.findings = o.findings || o.newest_id);
    INSERT INTO checked_point (point_id, finding_list_id)
    SELECT o.point_id, l.finding_list_id FROM open_point AS o
    JOIN finding_list AS l ON l.mark = substr(o.findings || o.newest_id, -16) AND l.findings = o.findings || o.newest_id
    WHERE o.point_id = NEW.point_id;
    DELETE FROM open_point WHERE point_id = NEW.point_id;
END;

-- The same of runs that have not ended, from their checks.
CREATE VIEW open_run_error AS
SELECT o.run_id, f.case_version_id, p.variant, p.is_reference, k.input, k.output,
    max(CASE WHEN k.worst_ratio IS NULL AND k.verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN')
        THEN 9e999 ELSE k.worst_ratio END) AS worst_ratio,
    count(*) AS n_checks, sum(k.verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN')) AS n_failed
FROM run AS o
CROSS JOIN planned_point AS p ON p.run_id = o.run_id
JOIN config AS f ON f.config_id = p.config_id
JOIN check_result AS k ON k.point_id = p.point_id
WHERE NOT EXISTS (SELECT 1 FROM run_end AS e WHERE e.run_id = o.run_id)
GROUP BY o.run_id, f.case_version_id, p.variant, p.is_reference, k.input, k.output;

-- They are kept once the run ends.
CREATE TRIGGER run_end_taken BEFORE INSERT ON run_end BEGIN
    INSERT INTO run_error SELECT * FROM open_run_error WHERE run_id = NEW.run_id;
END;

-- ---- common questions ---------------------------------------------------------------------------

-- Every point with all that names it, its state and its verdict. outcome: ready (not finished),
-- passed, reference (the reference's own PASS, which is no check), skipped, caught (broken on purpose,
-- and found out) or failed.
CREATE VIEW verdicts AS
SELECT p.run_id, r.uuid AS run_uuid, r.started_utc, r.host, r.lane, d.device_id,
    d.name AS device, d.uuid AS device_uuid, c.name AS case_name, c.version AS case_version,
    p.variant, p.baseline, f.axes, p.key, printf('%u', p.seed) AS seed, p.cells,
    p.is_reference, p.is_timed, p.point_id, p.ordinal, p.config_id, p.variant_what, p.rate_fact, p.rate_along,
    CASE WHEN v.point_id IS NULL THEN 'ready' ELSE 'done' END AS state,
    v.verdict, v.reason, v.finished_utc, v.wall_s, v.launches, v.workspace_bytes, v.device_bytes,
    v.peak_bytes,
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
        v.verdict, v.outcome, v.reason, o.input, o.output, k.worst_ratio, t.rule, t.c, t.u_out,
        t.u_acc, t.growth, t.terms, t.max_ulp, t.why, v.key, v.seed, v.run_id, v.run_uuid,
        sum(coalesce(j.key, 0) = 0) OVER (PARTITION BY v.case_name, v.case_version, v.variant, v.device_id, v.lane)
            AS n_points, -- the first check of each, or none
        row_number() OVER (PARTITION BY v.case_name, v.case_version, v.variant, v.device_id, v.lane
            ORDER BY v.outcome = 'failed' DESC, v.outcome = 'caught' DESC, v.outcome = 'skipped',
                CASE WHEN k.finding_id IS NOT NULL THEN coalesce(d.verdict, 'PASS') END = v.verdict DESC,
                coalesce(k.worst_ratio, CASE WHEN k.finding_id IS NOT NULL AND d.verdict IS NULL OR d.verdict = 'PASS'
                    THEN -1.0 ELSE 9e999 END) DESC,
                v.point_id DESC, j.key DESC) AS place
    FROM latest AS v
    LEFT JOIN checked_point AS w ON w.point_id = v.point_id -- the view check_result, table by table: a view of
    LEFT JOIN finding_list AS l ON l.finding_list_id = w.finding_list_id -- several would be written out whole
    LEFT JOIN json_each('[' || l.findings || ']') AS j
    LEFT JOIN finding AS k ON k.finding_id = j.value
    LEFT JOIN checked_output AS o ON o.checked_output_id = k.checked_output_id
    LEFT JOIN tolerance AS t ON t.tolerance_id = o.tolerance_id
    LEFT JOIN finding_detail AS d ON d.finding_id = k.finding_id)
WHERE place = 1;

-- Every measurement with its point, its rates (bytes a nanosecond are gigabytes a second) and its distance
-- from floor and ceiling. share_of_ceiling: the time that the ceilings allow over the time taken, by the
-- bytes or by the flops of the case, whichever is larger; above 1 something is wrong. giga_per_s: cells a nanosecond,
-- times the fact that the case declares for its rate; NULL where that is not known. Only of points that
-- passed, also in a file whose triggers were away.
CREATE VIEW timed AS
SELECT p.run_id, p.ordinal, p.config_id, p.key, c.name AS case_name, c.version AS case_version, f.axes,
    p.variant, p.baseline, p.cells, p.rate_fact, m.*,
    m.bytes_declared / m.median_ns AS gb_per_s,
    m.bytes_moved / m.median_ns AS own_gb_per_s,
    m.flops / m.median_ns AS gflop_per_s,
    p.cells / m.median_ns * CASE WHEN coalesce(p.rate_fact, '') = '' THEN 1.0 ELSE (SELECT x.value FROM metric AS x
        WHERE x.point_id = p.point_id AND x.name = p.rate_fact AND x.replay = 'check') END AS giga_per_s,
    1e9 * m.bytes_declared / m.median_ns / m.ceiling_bytes_per_s AS share_of_bandwidth,
    1e9 * m.flops / m.median_ns / m.ceiling_flops AS share_of_flops,
    nullif(max(coalesce(1e9 * m.bytes_declared / m.median_ns / m.ceiling_bytes_per_s, 0.0),
               coalesce(1e9 * m.flops / m.median_ns / m.ceiling_flops, 0.0)), 0.0) AS share_of_ceiling
FROM measurement AS m
JOIN verdict AS v ON v.point_id = m.point_id AND v.verdict = 'PASS'
JOIN point AS p ON p.point_id = m.point_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id;

-- The time to believe: for each point and regime the measurement whose clock decides. Where none does there
-- is no clock and no time, and cannot_tell says why.
CREATE VIEW deciding AS
SELECT run_id, point_id, key, case_name, case_version, axes, variant, regime, clock, median_ns, q1_ns,
    q3_ns, process_spread, median_cycles, sm_clock_mhz, n_samples, n_processes, gb_per_s, gflop_per_s,
    share_of_ceiling, is_below_floor, decision, NULL AS cannot_tell, measurement_id
FROM timed WHERE decides = 1
UNION ALL
SELECT run_id, point_id, key, case_name, case_version, axes, variant, regime, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    CASE WHEN max(why) = min(why) THEN max(why) ELSE group_concat(clock || ': ' || why, '; ') END, NULL
FROM (SELECT *, CASE WHEN decides IS NULL THEN 'not judged (recorded by version 1)'
        WHEN decision = '' THEN 'no reason given' ELSE decision END AS why FROM timed)
GROUP BY run_id, point_id, regime HAVING max(coalesce(decides, 0)) = 0;

-- Every comparison and what it comes to. finding: FASTER and SLOWER (the interval leaves out 1),
-- NO_DIFFERENCE (it does not), NO_INTERVAL (too few processes for one), CANNOT_TELL (`reason` says why). A
-- ratio of a variant that did not pass, or against one, is no number.
CREATE VIEW compared AS
SELECT k.comparison_id, p.run_id, p.point_id, p.ordinal, p.config_id, c.name AS case_name, c.version AS case_version,
    f.axes, p.variant, p.baseline, k.kind, k.against, k.regime, k.clock,
    CASE WHEN u.verdict = 'PASS' AND v.verdict = 'PASS' THEN k.ratio END AS ratio,
    CASE WHEN u.verdict = 'PASS' AND v.verdict = 'PASS' THEN k.lo END AS lo,
    CASE WHEN u.verdict = 'PASS' AND v.verdict = 'PASS' THEN k.hi END AS hi,
    k.n_pairs, k.n_processes,
    CASE WHEN k.ratio IS NULL OR u.verdict IS NOT 'PASS' OR v.verdict IS NOT 'PASS' THEN 'CANNOT_TELL'
         WHEN k.lo IS NULL OR k.hi IS NULL THEN 'NO_INTERVAL'
         WHEN k.lo > 1 THEN 'FASTER'
         WHEN k.hi < 1 THEN 'SLOWER'
         ELSE 'NO_DIFFERENCE' END AS finding,
    CASE WHEN u.verdict IS NOT 'PASS' THEN p.variant || ': ' || coalesce(u.verdict, 'not finished')
         WHEN v.verdict IS 'PASS' OR NOT k.is_known THEN k.reason
         WHEN q.point_id IS NULL THEN k.against || ' is not in this run'
         ELSE k.against || ': ' || coalesce(v.verdict, 'not finished') END AS reason,
    p.key, CASE WHEN q.point_id IS NOT NULL THEN coalesce(q.own_key,
        c.name || '/' || k.against || CASE f.axes WHEN '' THEN '' ELSE '/' || replace(f.axes, ';', '/') END) END AS against_key,
    q.point_id AS against_id
FROM comparison AS k
JOIN point AS p ON p.point_id = k.point_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
LEFT JOIN verdict AS u ON u.point_id = p.point_id
LEFT JOIN planned_point AS q ON q.point_id = (SELECT min(o.point_id) FROM planned_point AS o
    WHERE o.run_id = p.run_id AND o.config_id = p.config_id AND o.variant = k.against)
LEFT JOIN verdict AS v ON v.point_id = q.point_id;

-- Speed-up of each variant against another, as a rule its declared baseline, in the same run at the same axis
-- values, by the clock that decides in the regime: see compared for `finding`. Against a peer (clock peer) each side
-- has the time by the clock that decides for it.
CREATE VIEW speedup AS
SELECT k.run_id, k.case_name, k.case_version, k.axes, k.variant, k.against AS baseline, k.regime,
    k.clock, k.ratio AS speedup, k.lo, k.hi, k.n_pairs, k.n_processes, k.finding, k.reason,
    m.median_ns, b.median_ns AS baseline_median_ns, k.key, k.against_key AS baseline_key,
    m.measurement_id
FROM compared AS k
LEFT JOIN measurement AS m ON m.point_id = k.point_id AND m.regime = k.regime
    AND (m.clock = k.clock OR (k.clock = 'peer' AND m.decides = 1)) AND EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = m.point_id AND v.verdict = 'PASS')
LEFT JOIN measurement AS b ON b.point_id = k.against_id AND b.regime = k.regime
    AND (b.clock = k.clock OR (k.clock = 'peer' AND b.decides = 1)) AND EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = b.point_id AND v.verdict = 'PASS')
WHERE k.kind = 'speedup';

-- What a measurement measures (series: case, axes, variant, regime, clock, kind and name of the device) and what
-- its number stands on beside the code under test (conditions), each as one text that is the same in every file,
-- values as SQL writes them. Along a series numbers may be compared; where its conditions
-- change, a new segment begins.
CREATE VIEW measured_series AS
SELECT m.measurement_id, m.point_id, p.run_id,
    quote(c.name) || ' ' || quote(f.axes) || ' ' || quote(p.variant) || ' ' || quote(m.regime) || ' '
        || quote(m.clock) || ' ' || quote(d.kind) || ' ' || quote(d.name) AS series,
    'case_version=' || quote(c.version) || ' device=' || quote(d.uuid) || ' driver=' || quote(s.driver)
        || ' runtime=' || quote(s.runtime_version) || ' toolkit='
        || quote(coalesce(nullif(b.cuda_toolkit, ''), b.cuda_compiler)) || ' tuning=' || quote(m.tuning)
        || ' policy=(' || coalesce(l.terms, '') || ')' AS conditions
FROM measurement AS m
JOIN verdict AS v ON v.point_id = m.point_id AND v.verdict = 'PASS'
JOIN point AS p ON p.point_id = m.point_id
JOIN run AS r ON r.run_id = p.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
LEFT JOIN policy AS l ON l.policy_id = m.policy_id;

-- Every measurement with what its number depends on, to be read along time: one line per series, cut where
-- the conditions change. `decides` tells the clock to believe from the others.
CREATE VIEW history AS
SELECT p.key, c.version AS case_version, d.name AS device, d.uuid AS device_uuid, m.regime, m.clock,
    m.decides, r.started_utc, r.run_id, r.uuid AS run_uuid, b.git_commit, b.git_dirty, s.driver,
    s.runtime_version, m.tuning, m.median_ns, m.median_lo_ns, m.median_hi_ns, m.q1_ns, m.q3_ns,
    m.process_spread, m.lag1, m.drift_ns, m.median_cycles, m.sm_clock_mhz, m.n_samples, m.n_processes,
    m.n_throttled, m.stop_reason, m.decision, n.series, n.conditions, r.reason, m.measurement_id
FROM measurement AS m
JOIN measured_series AS n ON n.measurement_id = m.measurement_id
JOIN point AS p ON p.point_id = m.point_id
JOIN run AS r ON r.run_id = p.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id;

-- How near each output of each variant came to its bound, run by run: the worst of the run's points. A ratio
-- that creeps up fails one day. worst_ratio is NULL where a check says nothing, and infinite where one failed
-- without a number.
CREATE VIEW trend AS
SELECT c.name AS case_name, c.version AS case_version, e.variant, e.is_reference, d.name AS device,
    d.uuid AS device_uuid, r.lane, e.input, e.output, r.started_utc, r.run_id, r.uuid AS run_uuid, e.worst_ratio,
    e.n_checks, e.n_failed
FROM (SELECT * FROM run_error UNION ALL SELECT * FROM open_run_error) AS e
JOIN run AS r ON r.run_id = e.run_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN case_version AS c ON c.case_version_id = e.case_version_id
ORDER BY case_name, c.version, e.variant, d.device_id, r.lane, e.input, e.output, r.started_utc, r.run_id;

-- What A/A says of the decision rule today, by case or point, regime, clock and device: the newest calibration of
-- each.
CREATE VIEW calibrated AS
SELECT * FROM (SELECT c.*, row_number() OVER (PARTITION BY case_name, case_version, key, tuning, regime, clock,
        device_kind, device_name ORDER BY calibrated_utc DESC, calibration_id DESC) AS age FROM calibration AS c)
WHERE age = 1;

-- The run that each name of a baseline stands for today.
CREATE VIEW baselines AS
SELECT name, run_uuid, why, who, accepted_utc, (SELECT run_id FROM run AS r WHERE r.uuid = a.run_uuid) AS run_id
FROM accepted_baseline AS a
WHERE NOT EXISTS (SELECT 1 FROM accepted_baseline AS n WHERE n.name = a.name
    AND (n.accepted_utc, n.accepted_id) > (a.accepted_utc, a.accepted_id));

-- What the counters say of each point that was profiled, beside nothing but names: bytes through DRAM and
-- L2, floating-point operations (an fma is two) in single and double precision. NULL: not counted.
CREATE VIEW counted AS
SELECT run_id, point_id, coalesce(dram, dram_read + dram_write) AS dram_bytes, dram_read AS dram_read_bytes,
    dram_write AS dram_write_bytes, coalesce(l2_bytes, 32 * l2_sectors) AS l2_bytes,
    fadd + fmul + 2 * ffma AS fp32_flops, dadd + dmul + 2 * dfma AS fp64_flops
FROM (SELECT p.run_id, m.point_id,
        max(CASE name WHEN 'dram__bytes.sum' THEN value END) AS dram,
        max(CASE name WHEN 'dram__bytes_read.sum' THEN value END) AS dram_read,
        max(CASE name WHEN 'dram__bytes_write.sum' THEN value END) AS dram_write,
        max(CASE name WHEN 'lts__t_bytes.sum' THEN value END) AS l2_bytes,
        max(CASE name WHEN 'lts__t_sectors.sum' THEN value END) AS l2_sectors,
        max(CASE name WHEN 'smsp__sass_thread_inst_executed_op_fadd_pred_on.sum' THEN value END) AS fadd,
        max(CASE name WHEN 'smsp__sass_thread_inst_executed_op_fmul_pred_on.sum' THEN value END) AS fmul,
        max(CASE name WHEN 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum' THEN value END) AS ffma,
        max(CASE name WHEN 'smsp__sass_thread_inst_executed_op_dadd_pred_on.sum' THEN value END) AS dadd,
        max(CASE name WHEN 'smsp__sass_thread_inst_executed_op_dmul_pred_on.sum' THEN value END) AS dmul,
        max(CASE name WHEN 'smsp__sass_thread_inst_executed_op_dfma_pred_on.sum' THEN value END) AS dfma
    FROM point AS p JOIN verdict AS v ON v.point_id = p.point_id AND v.verdict = 'PASS'
    JOIN metric AS m ON m.point_id = p.point_id GROUP BY p.run_id, m.point_id);

-- The blocks of each measurement as lists a;b;c in time order, for text: medians with digits enough to read
-- the same numbers back. An entry is empty where nothing is known.
CREATE VIEW block_lists AS
SELECT run_id, measurement_id, group_concat(median_ns, ';') AS block_medians_ns,
    group_concat(n_samples, ';') AS block_samples, group_concat(process, ';') AS block_processes
FROM (SELECT p.run_id, b.measurement_id, b.n_samples, coalesce(b.process, '') AS process,
        CASE WHEN b.median_ns IS NULL THEN ''
             WHEN CAST(printf('%!.15g', b.median_ns) AS REAL) = b.median_ns
                 THEN printf('%!.15g', b.median_ns)
             ELSE printf('%!.17g', b.median_ns) END AS median_ns
    FROM point AS p
    JOIN measurement AS m ON m.point_id = p.point_id
    JOIN sample_block AS b ON b.measurement_id = m.measurement_id
    ORDER BY b.measurement_id, b.block)
GROUP BY run_id, measurement_id;

-- What one call takes of the device, over all its kernels: the largest of each, and the code of all.
CREATE VIEW code AS
SELECT run_id, point_id, max(registers) AS registers, max(local_bytes) AS local_bytes,
    max(static_shared_bytes + dynamic_shared_bytes) AS shared_bytes,
    group_concat(code_hash, ';') AS code_hashes
FROM (SELECT p.run_id, l.* FROM point AS p
    JOIN verdict AS v ON v.point_id = p.point_id AND v.verdict = 'PASS' JOIN launch AS l ON l.point_id = p.point_id
    ORDER BY l.point_id, l.ordinal)
GROUP BY run_id, point_id;

-- The ceilings that count: the newest of each kind, regime, clock and working set of a run.
CREATE VIEW ceilings AS
SELECT * FROM ceiling AS c
WHERE NOT EXISTS (SELECT 1 FROM ceiling AS n
    WHERE n.run_id = c.run_id AND n.kind = c.kind AND n.regime = c.regime AND n.clock = c.clock
        AND n.working_set_bytes = c.working_set_bytes AND n.ceiling_id > c.ceiling_id);
