/* Reports a run's measurements through Google Benchmark: its filter, its console, its JSON. */
#ifndef ASSAY_BENCH_REPORT_H
#define ASSAY_BENCH_REPORT_H

#include "plan/plan.h"
#include "store/store.h"

/* The flags of Google Benchmark, as they were given. */
typedef struct assay_bench_flags {
    char *words[ASSAY_MAX_WORDS];
    int   n;
    bool  all_clocks; /* all clocks, not only those that decide; names are then key/regime/clock */
} assay_bench_flags;

/* Before anything is measured, keeps the points of a plan that --benchmark_filter may select in
 * some regime ("key/regime"). ASSAY_E_NOTHING if none is left. */
assay_status assay_bench_filter(const assay_bench_flags *flags, assay_plan *plan);
/* Is only a list of names requested (--benchmark_list_tests)? Then prints the names that a run of
 * this plan can have on a device that can, or cannot, time kernels. */
bool assay_bench_lists(const assay_bench_flags *flags, const assay_plan *plan, bool can_time);

/* Reports everything that was measured in the run, under these flags. `database` is the store's
 * path, for the report's context. */
assay_status assay_bench_report(assay_store *store, const char *database, int64_t run_id,
                                assay_case_table cases, const assay_bench_flags *flags);

#endif
