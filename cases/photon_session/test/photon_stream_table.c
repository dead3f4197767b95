/* Figures of repeats: a machine that others use as well disturbs one now and then, so that what is
 * said is the median, with both extremes beside it. */
#include "photon_stream.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool stream_table_make(stream_table *t, const char *const *names, int n_figures, int n_rows,
                       int n_repeats)
{
    const size_t n = (size_t)n_rows * (size_t)n_figures * (size_t)n_repeats;

    *t = (stream_table) { .name      = names,
                          .n_rows    = n_rows,
                          .n_figures = n_figures,
                          .n_repeats = n_repeats,
                          .value     = calloc(n, sizeof *t->value),
                          .label     = calloc((size_t)n_rows, sizeof *t->label) };
    return (t->value && t->label) || stream_fail("figures", PHOTON_SESSION_NO_MEMORY);
}

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

void stream_table_label(stream_table *t, int row, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(t->label[row], sizeof t->label[row], format, arguments);
    va_end(arguments);
}

static void print_row(const stream_table *t, int row)
{
    const int n = t->n_repeats;

    for (int k = 0; k < t->n_figures; k++) {
        double sorted[STREAM_REPEATS], median;

        memcpy(sorted, values_of(t, row, k), (size_t)n * sizeof *sorted);
        median = stream_median(sorted, n);
        if (!isnan(median))
            printf("%s,%s,%d,%.6g,%.6g,%.6g\n", t->label[row], t->name[k], n, median, sorted[0],
                   sorted[n - 1]);
    }
}

bool stream_finish(stream *s, stream_table *t, bool works)
{
    for (int row = 0; works && row < t->n_rows; row++)
        print_row(t, row);
    (void)fflush(stdout); /* what has been measured is there, whatever comes */
    stream_close(s);
    free(t->label);
    free(t->value);
    return works;
}

bool stream_each_size(const stream_question *q, int64_t least, int64_t most,
                      bool (*measure)(const stream_question *q, int64_t photons))
{
    bool works = true;

    for (int64_t photons = least; works && photons <= q->photons && photons <= most; photons *= 10)
        works = measure(q, photons);
    return works;
}
