/* A run's measurements through Google Benchmark: its filter, its console, its JSON. */
#ifndef ASSAY_BENCH_REPORT_H
#define ASSAY_BENCH_REPORT_H

#include "plan/plan.h"
#include "store/store.h"

/* Flags of Google Benchmark as they were given. */
typedef struct assay_bench_flags {
    char *words[ASSAY_MAX_WORDS];
    int   n;
    bool  all_clocks; /* not only those that decide; names are then key/regime/clock */
} assay_bench_flags;

/* Keeps those points of a plan of which --benchmark_filter may want a regime ("key/regime"):
 * before anything is measured. ASSAY_E_NOTHING if none is left. */
assay_status assay_bench_filter(const assay_bench_flags *flags, assay_plan *plan);
/* Is only a list of names wanted (--benchmark_list_tests)? Then it is printed: those that a run of
 * this plan could have on a device that can, or cannot, time kernels. */
bool assay_bench_lists(const assay_bench_flags *flags, const assay_plan *plan, bool can_time);

/* Everything that was measured in the run, under these flags; `database` is the store's path, for
 * the report's context. */
assay_status assay_bench_report(assay_store *store, const char *database, int64_t run_id,
                                assay_case_table cases, const assay_bench_flags *flags);

#endif
