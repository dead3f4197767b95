/* The type of each column of the CSV report. A column is never moved, renamed or removed: this
 * table reads files of all releases. */
#include "store_import_internal.h"

/* T text, I integer, R real, S seed; _N: a number about a kernel, or what belongs to one. */
/* clang-format off */
#define T(name)   { name, ASSAY_CSV_TEXT, false }
#define I(name)   { name, ASSAY_CSV_INTEGER, false }
#define R(name)   { name, ASSAY_CSV_REAL, false }
#define S(name)   { name, ASSAY_CSV_SEED, false }
#define T_N(name) { name, ASSAY_CSV_TEXT, true }
#define I_N(name) { name, ASSAY_CSV_INTEGER, true }
#define R_N(name) { name, ASSAY_CSV_REAL, true }
/* Of a measurement. */
#define M(kind, name, size, rule) { #name, KIND_##kind, true },
/* Of its policy. */
#define P(kind, name)      { #name, KIND_##kind, true },
#define P_MORE(kind, name) { "policy_" #name, KIND_##kind, true },
#define KIND_REGIME  ASSAY_CSV_REGIME
#define KIND_CLOCK   ASSAY_CSV_CLOCK
#define KIND_TEXT    ASSAY_CSV_TEXT
#define KIND_FLUSH   ASSAY_CSV_TEXT
#define KIND_TRUTH   ASSAY_CSV_INTEGER
#define KIND_INT     ASSAY_CSV_INTEGER
#define KIND_INT64   ASSAY_CSV_INTEGER
#define KIND_COUNT64 ASSAY_CSV_INTEGER
#define KIND_REAL    ASSAY_CSV_REAL

const assay_csv_column assay_csv_columns[] = {
    T("run_uuid"), T("started_utc"), T("host"), T("device"), T("device_uuid"), T("driver"),
    T("lane"), T("assay_version"), T("git_commit"), I("git_dirty"), T("case"), I("case_version"),
    T("variant"), T("baseline"), T("config"), T("key"), S("seed"), I("cells"), T("state"),
    T("verdict"), T("outcome"), T("reason"), T("worst_input"), T("worst_output"), R("worst_ratio"),
    T("rule"), R("c"), R("u_out"), R("u_acc"), T("growth"), I("max_ulp"),
    ASSAY_MEASUREMENT_HEAD(M)
    ASSAY_MEASUREMENT_TAKEN(M)
    ASSAY_POLICY_FIRST(P)
    T_N("block_medians_ns"), T_N("block_samples"), T_N("block_processes"),
    I("launches"), I("workspace_bytes"), I("device_bytes"), I("peak_bytes"),
    ASSAY_MEASUREMENT_WORK(M)
    R_N("gb_per_s"), R_N("own_gb_per_s"), R_N("gflop_per_s"),
    ASSAY_MEASUREMENT_LIMITS(M)
    R_N("share_of_ceiling"), R_N("speedup"), R_N("speedup_lo"), R_N("speedup_hi"),
    I_N("speedup_pairs"), I_N("speedup_processes"), T_N("speedup_finding"), T_N("speedup_reason"),
    R_N("counted_dram_bytes"), R_N("counted_l2_bytes"), R_N("counted_fp32_flops"),
    R_N("counted_fp64_flops"), I_N("registers"), I_N("local_bytes"), I_N("shared_bytes"),
    T_N("code_hashes"),
    /* since the report is imported: */
    T("verb"), T("run_reason"), S("run_seed"), T("ended_utc"), I("exit_status"), T("binary_id"),
    T("kernels_id"), T("compiler"), T("cuda_compiler"), T("cuda_toolkit"), T("build_type"),
    I("runtime_version"), I("compute_capability"), I("sm_count"), I("memory_bytes"), I("l2_bytes"),
    T("case_what"), T("axis_kinds"), I("is_reference"), I("is_timed"), T("expected"),
    T("finished_utc"), T("worst_verdict"), T("worst_reason"), I("worst_is_invariant"),
    S("worst_seed"), I("worst_runs"), R("worst_terms"), T("worst_why"),
    ASSAY_MEASUREMENT_MORE(M)
    ASSAY_POLICY_MORE(P_MORE)
    I_N("policy_method"), T_N("block_sequence"), T_N("block_cycles"), T_N("block_clock_mhz"),
    T_N("block_throttled"), T_N("block_discarded"), { "speedup_clock", ASSAY_CSV_CLOCK, true },
    T_N("kernels"), T_N("metrics"), T("variant_what"), T("rate_fact"), T("rate_along"),
    R_N("giga_per_s"), T("tuned"), T("tuned_by"),
    ASSAY_MEASUREMENT_LAST(M)
};
/* clang-format on */

const int assay_csv_n_columns = sizeof assay_csv_columns / sizeof assay_csv_columns[0];
const int assay_csv_n_first   = 96;
