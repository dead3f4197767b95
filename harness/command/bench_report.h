/* A run's measurements through Google Benchmark: its filter, its console, its JSON. */
#ifndef ASSAY_BENCH_REPORT_H
#define ASSAY_BENCH_REPORT_H

#include "cli.h"
#include "store/store.h"

/* Keeps those points of a plan of which --benchmark_filter may want a metric ("key/regime/clock"):
 * before anything is measured. ASSAY_E_NOTHING if none is left. */
assay_status assay_bench_filter(const assay_cli *cli, assay_plan *plan);
/* Is only a list of names wanted (--benchmark_list_tests)? Then it is printed: those that a run of
 * this plan could have on a device that can, or cannot, time kernels. */
bool assay_bench_lists(const assay_cli *cli, const assay_plan *plan, bool can_time);

/* Everything that was measured in the run, under the flags of the command line. */
assay_status assay_bench_report(assay_store *store, int64_t run_id, const assay_cli *cli);

#endif
