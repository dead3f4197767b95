/* The tables of columns.h. */
#include "columns.h"

#include <math.h>
#include <string.h>

/* ---- when a column is NULL ---- */

static bool is_without_samples(const void *row)
{
    return ((const assay_measurement_row *)row)->n_samples == 0;
}

/* Of a check: the column belongs to a number that its rule does not use. */
static bool is_unbound(const void *row)
{
    return ((const assay_check_row *)row)->rule != ASSAY_RULE_BOUND;
}

static bool is_without_ulp(const void *row)
{
    return ((const assay_check_row *)row)->rule != ASSAY_RULE_ULP;
}

static bool has_no_bad(const void *row)
{
    return ((const assay_check_row *)row)->first_bad_index < 0;
}

static bool is_unknown(const void *row) { return !((const assay_comparison_row *)row)->is_known; }

static bool is_not_ok(const void *row)
{
    const assay_metric_row *metric = row;

    return strncmp(metric->status, "ok", sizeof metric->status) != 0;
}

static bool is_empty_block(const void *row) { return ((const assay_block *)row)->n_samples == 0; }

/* Also for 0: an older worker leaves it so, and no memory runs at 0 MHz. */
static bool has_no_memory_before(const void *row)
{
    return ((const assay_block *)row)->memory_before_mhz <= 0;
}

static bool has_no_temperature_before(const void *row)
{
    return ((const assay_block *)row)->temperature_before_c <= 0;
}

static bool is_of_case(const void *row) { return !((const assay_calibration_row *)row)->key[0]; }

static bool has_no_spread(const void *row)
{
    const assay_calibration_row *calibration = row;

    return calibration->process_df <= 0 || isnan(calibration->process_sd);
}

/* ---- columns ---- */

#define SIZE_OF(type, member) sizeof(((type *)NULL)->member)
/* A column of ROW: its name, when it is NULL, and its group. */
#define COLUMN(name_, kind_, member_, is_null_, group_)                                            \
    {                                                                                              \
        .name = (name_), .kind = ASSAY_COLUMN_##kind_, .offset = offsetof(ROW, member_),           \
        .size = SIZE_OF(ROW, member_), .is_null = (is_null_), .group = (group_)                    \
    }
#define C(kind, member)             COLUMN(#member, kind, member, NULL, "")
#define C_AS(name, kind, member)    COLUMN(name, kind, member, NULL, "")
#define C_IF(kind, member, is_null) COLUMN(#member, kind, member, is_null, "")
#define C_IN(group, kind, member)   COLUMN(#member, kind, member, NULL, group)
#define BEGUN(kind, member)         C_IN("begun", kind, member) /* a run is resumed with these */

#define RULE_NEVER      NULL
#define RULE_NO_SAMPLES is_without_samples
/* clang-format off */
#define MEASURED(group_, kind_, member_, rule_)                                                    \
    { #member_, ASSAY_COLUMN_##kind_, offsetof(assay_measurement_row, member_),                    \
      SIZE_OF(assay_measurement_row, member_), RULE_##rule_, group_ },
#define HEAD(kind, name, size, rule)   MEASURED("head", kind, name, rule)
#define TAKEN(kind, name, size, rule)  MEASURED("taken", kind, name, rule)
#define WORK(kind, name, size, rule)   MEASURED("work", kind, name, rule)
#define LIMITS(kind, name, size, rule) MEASURED("limits", kind, name, rule)
#define MORE(kind, name, size, rule)   MEASURED("more", kind, name, rule)
#define LAST(kind, name, size, rule)   MEASURED("last", kind, name, rule)
static const assay_column measurement[] = {
    ASSAY_MEASUREMENT_HEAD(HEAD)
    ASSAY_MEASUREMENT_TAKEN(TAKEN)
    ASSAY_MEASUREMENT_WORK(WORK)
    ASSAY_MEASUREMENT_LIMITS(LIMITS)
    ASSAY_MEASUREMENT_MORE(MORE)
    ASSAY_MEASUREMENT_LAST(LAST)
};
/* clang-format on */

/* clang-format off */
#define ROW assay_policy
#define POLICY_FIRST(kind, member) C_IN("first", kind, member),
#define POLICY_MORE(kind, member)  C_IN("more", kind, member),
static const assay_column policy[] = {
    ASSAY_POLICY_FIRST(POLICY_FIRST)
    ASSAY_POLICY_MORE(POLICY_MORE)
};
#undef ROW
/* clang-format on */

/* The middle that pairs of blocks compare; it is not computed again here. */
#define ROW assay_block
static const assay_column sample_block[] = {
    C_IN("counts", INT64, n_samples),
    C_IN("counts", COUNT64, n_throttled),
    C_IN("counts", COUNT64, n_discarded),
    C_IN("place", COUNT, process),
    COLUMN("sequence", COUNT, order, NULL, "place"),
    C_IN("place", REAL, start_s),
    COLUMN("median_ns", REAL, median_ns, is_empty_block, "state"),
    C_IN("state", REAL, median_cycles),
    C_IN("state", REAL, sm_clock_mhz),
    C_IN("state", COUNT64, reasons),
    C_IN("state", COUNT, memory_mhz),
    C_IN("state", COUNT, temperature_c),
    C_IN("state", REAL, power_before_w),
    C_IN("state", REAL, power_after_w),
    C_IN("state", REAL, energy_j),
    C_IF(COUNT, memory_before_mhz, has_no_memory_before),
    C_IF(COUNT, temperature_before_c, has_no_temperature_before),
};
#undef ROW

#define ROW assay_check_row
static const assay_column check_result[] = {
    C(INPUT, input),
    C(TEXT, output),
    C(TRUTH, is_invariant),
    C(VERDICT, verdict),
    C(TEXT, reason),
    C(SEED, seed),
    C(INT, n_runs),
    C_IN("rule", RULE, rule),
    COLUMN("c", REAL, c, is_unbound, "rule"),
    COLUMN("u_out", REAL, u_out, is_unbound, "rule"),
    COLUMN("u_acc", REAL, u_acc, is_unbound, "rule"),
    COLUMN("growth", GROWTH, growth, is_unbound, "rule"),
    C_IF(REAL, terms, is_unbound),
    COLUMN("max_ulp", INT64, max_ulp, is_without_ulp, "rule"),
    C(TEXT, why),
    C(COUNT64, count),
    C(COUNT64, n_failed),
    C_AS("first_bad", COUNT64, first_bad_index),
    C_IF(REAL, first_bad_value, has_no_bad),
    C_IF(REAL, first_bad_expected, has_no_bad),
    C(REAL, worst_ratio),
    C(REAL, max_abs_error),
    C(REAL, max_abs_expected),
    C(REAL, max_ulp_error),
    C(REAL, relative_l2),
    C(COUNT64, n_exempt),
    C(REAL, exempt_share_predicted),
};
#undef ROW

#define ROW assay_verdict_row
static const assay_column verdict[] = {
    C(VERDICT, verdict),      C(TEXT, reason),
    C(COUNT, launches),       C(COUNT64, workspace_bytes),
    C(COUNT64, device_bytes), C(COUNT64, peak_bytes),
    C(REAL, wall_s),
};
#undef ROW

#define ROW assay_comparison_row
static const assay_column comparison[] = {
    C_IN("pair", TEXT, kind),
    C_IN("pair", TEXT, against),
    C_IN("pair", REGIME, regime),
    C_IN("pair", CLOCK, clock),
    C(TRUTH, is_known),
    COLUMN("ratio", REAL, ratio, is_unknown, "found"),
    COLUMN("lo", REAL, lo, is_unknown, "found"),
    COLUMN("hi", REAL, hi, is_unknown, "found"),
    C_IN("found", INT, n_pairs),
    C_IN("found", INT, n_processes),
    C(TEXT, reason),
};
#undef ROW

#define ROW assay_launch_row
static const assay_column launch[] = {
    C_IN("code", INT, ordinal),
    C_IN("code", TEXT, kernel),
    COLUMN("grid_x", INT, grid[0], NULL, "code"),
    COLUMN("grid_y", INT, grid[1], NULL, "code"),
    COLUMN("grid_z", INT, grid[2], NULL, "code"),
    COLUMN("block_x", INT, block[0], NULL, "code"),
    COLUMN("block_y", INT, block[1], NULL, "code"),
    COLUMN("block_z", INT, block[2], NULL, "code"),
    C_IN("code", COUNT, registers),
    C_IN("code", COUNT, local_bytes),
    C_IN("code", COUNT, static_shared_bytes),
    C_IN("code", COUNT, dynamic_shared_bytes),
    C_IN("code", TEXT, code_hash),
    C_IN("time", REAL, time_ns),
};
#undef ROW

#define ROW assay_section_row
static const assay_column section[] = {
    C_IN("part", TEXT, name),
    C_IN("part", INT, launches),
    C_IN("time", REAL, time_ns),
    C_IN("time", REAL, share),
};
#undef ROW

#define ROW assay_metric_row
static const assay_column metric[] = {
    C(TEXT, name),      C(TEXT, status), C(TEXT, reason), C_IF(REAL, value, is_not_ok),
    C(COUNT, n_passes), C(TEXT, replay),
};
#undef ROW

#define ROW assay_trial_row
static const assay_column tuning_trial[] = {
    C(TEXT, tuning), C(VERDICT, verdict), C(TEXT, reason),    C(REGIME, regime),
    C(CLOCK, clock), C(INT64, n_samples), C(REAL, median_ns), C(TRUTH, is_chosen),
};
#undef ROW

#define ROW assay_ceiling_row
static const assay_column ceiling[] = {
    C(TEXT, kind),       C(REGIME, regime),  C(CLOCK, clock), C(INT64, working_set_bytes),
    C(INT64, n_samples), C(REAL, median_ns), C(REAL, rate),
};
#undef ROW

#define ROW assay_point_row
static const assay_column point[] = {
    C(TEXT, variant),        C(TEXT, baseline),           C(TEXT, key),    C(SEED, seed),
    C(TRUTH, is_reference),  C(TRUTH, is_timed),          C(INT64, cells), C(INT64, bytes_declared),
    C(COUNT64, bytes_moved), C(INT64, working_set_bytes), C(REAL, flops),  C(TEXT, variant_what),
    C(TEXT, rate_fact),      C(TEXT, rate_along),
};
#undef ROW

#define ROW assay_run_row
static const assay_column run[] = {
    BEGUN(TEXT, uuid),      BEGUN(TEXT, verb),
    BEGUN(TEXT, command),   BEGUN(TEXT, options),
    BEGUN(SEED, seed),      BEGUN(TEXT, lane),
    BEGUN(TEXT, host),      BEGUN(TEXT, kernel_release),
    BEGUN(TEXT, cpu_model), BEGUN(INT, n_cpus),
    C(TEXT, reason),        C(REAL, monotonic_s),
    C(TEXT, boot_id),       C_AS("user_name", TEXT, user),
    C(TEXT, container),     C(TEXT, environment),
    C(TEXT, ci_url),        C(TEXT, governor),
    C(COUNT, turbo),        C(COUNT, smt),
    C(TEXT, affinity),      C(REAL, load_average),
};

static const assay_column build[] = {
    BEGUN(TEXT, binary_id),  BEGUN(TEXT, assay_version),  BEGUN(TEXT, git_commit),
    BEGUN(TRUTH, git_dirty), BEGUN(TEXT, compiler),       BEGUN(TEXT, cuda_compiler),
    BEGUN(TEXT, build_type), BEGUN(TEXT, build_flags),    BEGUN(TEXT, kernels_id),
    C(TEXT, git_branch),     C(TEXT, git_commit_utc),     C(TEXT, git_diff_hash),
    C(TEXT, cuda_toolkit),   C(TEXT, cuda_architectures), C(TEXT, cupti),
    C(TEXT, sqlite),         C(TEXT, google_benchmark),
};
#undef ROW

#define ROW assay_device_info
static const assay_column device[] = { C(TEXT, kind), C(TEXT, uuid), C(TEXT, name) };

static const assay_column device_state[] = {
    C(TEXT, pci_bus_id),         C(TEXT, driver),
    C(INT, driver_cuda_version), C(INT, runtime_version),
    C(INT, compute_capability),  C(INT, sm_count),
    C(INT, sm_clock_khz),        C(INT, memory_clock_khz),
    C(INT, memory_bus_bits),     C(INT, ecc),
    C(INT64, memory_bytes),      C(INT64, l2_bytes),
    C(TRUTH, can_time),
};
#undef ROW

#define ROW assay_device_settings
static const assay_column device_settings[] = {
    C(TEXT, nvml),
    C(TEXT, vbios),
    C(COUNT, mig),
    C(COUNT, persistence),
    C(COUNT, compute_mode),
    C(REAL, power_limit_w),
    C(REAL, power_limit_default_w),
    C(COUNT, application_sm_mhz),
    C(COUNT, application_memory_mhz),
    C(COUNT, numa_node),
};
#undef ROW

#define ROW assay_annotation_row
static const assay_column annotation[] = {
    C(TEXT, uuid), C(TEXT, series), C(TEXT, run_uuid), C(TEXT, text), C(TEXT, who),
};
#undef ROW

#define ROW assay_accepted_row
static const assay_column accepted_baseline[] = {
    C(TEXT, uuid), C(TEXT, name), C(TEXT, run_uuid), C(TEXT, why), C(TEXT, who),
};
#undef ROW

#define ROW assay_calibration_row
static const assay_column calibration[] = {
    C(TEXT, uuid),
    C(TEXT, case_name),
    C(INT, case_version),
    C(REGIME, regime),
    C(CLOCK, clock),
    C(TEXT, device_kind),
    C(TEXT, device_name),
    C_IF(TEXT, key, is_of_case),
    C_IF(TEXT, tuning, is_of_case),
    C(INT64, n_comparisons),
    C(REAL, false_slower),
    C(REAL, false_faster),
    C(REAL, cannot_tell),
    C(REAL, band),
    C_IF(REAL, process_sd, has_no_spread),
    C_IF(COUNT64, process_df, has_no_spread),
    C(TEXT, method),
    C(TEXT, runs),
};
#undef ROW

#define ROW assay_change_row
static const assay_column change[] = {
    C(TEXT, uuid),
    C(TEXT, from_run),
    C(TEXT, to_run),
    C(TEXT, from_key),
    C(TEXT, to_key),
    C(REGIME, regime),
    C(CLOCK, clock),
    C(REAL, effect),
    C(REAL, lo),
    C(REAL, hi),
    C(REAL, p),
    C(REAL, p_corrected),
    C(REAL, cycles_effect),
    C(REAL, threshold),
    C(REAL, band),
    C(TEXT, verdict),
    C(TEXT, reason),
};
#undef ROW

#define TABLE(id, table, type, columns_)                                                           \
    [ASSAY_TABLE_##id] = { .name     = #table,                                                     \
                           .row_size = sizeof(type),                                               \
                           .columns  = (columns_),                                                 \
                           .n        = (int)(sizeof(columns_) / sizeof(columns_)[0]) }

const assay_row_table assay_row_tables[ASSAY_N_TABLES] = {
    TABLE(MEASUREMENT, measurement, assay_measurement_row, measurement),
    TABLE(POLICY, policy, assay_policy, policy),
    TABLE(BLOCK, sample_block, assay_block, sample_block),
    TABLE(CHECK, check_result, assay_check_row, check_result),
    TABLE(VERDICT, verdict, assay_verdict_row, verdict),
    TABLE(COMPARISON, comparison, assay_comparison_row, comparison),
    TABLE(LAUNCH, launch, assay_launch_row, launch),
    TABLE(SECTION, section, assay_section_row, section),
    TABLE(METRIC, metric, assay_metric_row, metric),
    TABLE(TRIAL, tuning_trial, assay_trial_row, tuning_trial),
    TABLE(CEILING, ceiling, assay_ceiling_row, ceiling),
    TABLE(POINT, point, assay_point_row, point),
    TABLE(RUN, run, assay_run_row, run),
    TABLE(BUILD, build, assay_run_row, build),
    TABLE(DEVICE, device, assay_device_info, device),
    TABLE(DEVICE_STATE, device_state, assay_device_info, device_state),
    TABLE(DEVICE_SETTINGS, device_state, assay_device_settings, device_settings),
    TABLE(ANNOTATION, annotation, assay_annotation_row, annotation),
    TABLE(ACCEPTED, accepted_baseline, assay_accepted_row, accepted_baseline),
    TABLE(CALIBRATION, calibration, assay_calibration_row, calibration),
    TABLE(CHANGE, change, assay_change_row, change),
};
