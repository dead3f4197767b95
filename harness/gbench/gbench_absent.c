/* What gbench.h offers in a build without Google Benchmark: a sentence. */
#include "gbench.h"

static assay_status refuse(void)
{
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED,
                      "this assay was built without Google Benchmark: install it (Debian: "
                      "libbenchmark-dev) and build again, or use assay report");
}

const char *assay_gbench_version(void) { return NULL; }

assay_status assay_gbench_add_context(const char *key, const char *value)
{
    (void)key;
    (void)value;
    return refuse();
}

assay_status assay_gbench_report(char *const *flags, int n_flags, const assay_gbench_entry *entries,
                                 int64_t n_entries)
{
    (void)flags;
    (void)n_flags;
    (void)entries;
    (void)n_entries;
    return refuse();
}
