/* Median of pairwise slopes. */
#include "theil_sen.h"

#include "base/sort.h"
#include "stats.h"

#include <stdlib.h>

double assay_theil_sen_median(double *values, int64_t n)
{
    qsort(values, (size_t)n, sizeof *values, assay_compare_doubles);
    return assay_stats_quantile(values, n, 0.5);
}

assay_status assay_theil_sen_slopes(const double *values, int64_t n, double **slopes,
                                    int64_t *n_slopes)
{
    assay_status st  = ASSAY_OK;
    double      *all = malloc((size_t)n * (size_t)n / 2 * sizeof *all);
    int64_t      k   = 0;

    ASSAY_REQUIRE(all, ASSAY_E_MEMORY, "no memory for the slopes of %lld values", (long long)n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            all[k++] = (values[j] - values[i]) / (double)(j - i);
    qsort(all, (size_t)k, sizeof *all, assay_compare_doubles);
    *slopes   = all;
    *n_slopes = k;
out:
    return st;
}

double assay_theil_sen_intercept(const double *values, int64_t n, double slope, double *work)
{
    for (int64_t i = 0; i < n; i++)
        work[i] = values[i] - slope * (double)i;
    return assay_theil_sen_median(work, n);
}
