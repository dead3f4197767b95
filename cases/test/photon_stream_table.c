/* Figures of repeats: a machine that others use as well disturbs one now and then, so that what is
 * said is the median, with both extremes beside it. */
#include "photon_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool stream_table_make(stream_table *t, const char *const *names, int n_figures, int n_rows,
                       int n_repeats)
{
    const size_t n = (size_t)n_rows * (size_t)n_figures * (size_t)n_repeats;

    *t = (stream_table) { names, n_rows, n_figures, n_repeats, calloc(n, sizeof *t->value) };
    return t->value || stream_fail("figures", PHOTON_SESSION_NO_MEMORY);
}

void stream_table_free(stream_table *t) { free(t->value); }

static double *values_of(const stream_table *t, int row, int figure)
{
    return t->value + ((size_t)row * (size_t)t->n_figures + (size_t)figure) * (size_t)t->n_repeats;
}

void stream_table_set(stream_table *t, int row, int repeat, const double *figures)
{
    for (int k = 0; k < t->n_figures; k++)
        values_of(t, row, k)[repeat] = figures[k];
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

double stream_median(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, compare_doubles);
    return value[(n - 1) / 2];
}

void stream_table_print(const stream_table *t, int row, const char *label)
{
    const int n = t->n_repeats;

    for (int k = 0; k < t->n_figures; k++) {
        double sorted[STREAM_REPEATS], median;

        memcpy(sorted, values_of(t, row, k), (size_t)n * sizeof *sorted);
        median = stream_median(sorted, n);
        if (!isnan(median))
            printf("%s,%s,%d,%.6g,%.6g,%.6g\n", label, t->name[k], n, median, sorted[0],
                   sorted[n - 1]);
    }
    (void)fflush(stdout); /* what has been measured is there, whatever comes */
}
