/* The JSON of Google Benchmark, as its compare.py reads it: one benchmark for each point and regime
 * by the clock that decides, one repetition for each process, and the aggregates over the
 * processes. With details there is one benchmark for each measurement, whatever its clock. */
#include "report_json.h"

#include "base/sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a repetition has: its time, and rates as the library calls them. */
enum {
    REAL_TIME,
    BYTES_PER_SECOND,
    FLOPS,
    ITEMS_PER_SECOND,
    SM_CLOCK,
    N_VALUES
};
static const char *const value_names[N_VALUES] = { "real_time", "bytes_per_second", "flops",
                                                   "items_per_second", "sm_clock_MHz" };

enum {
    MAX_SUFFIX = 16 /* "_median" */
};

/* One measurement, collected process by process. */
typedef struct family {
    FILE       *out;
    bool        has_all_clocks; /* each clock has a family of its own, and names hold the clock */
    char       *name;           /* key/regime, or key/regime/clock, and room for a suffix */
    size_t      name_size;      /* without the suffix */
    const char *label;
    double     *value[N_VALUES]; /* one for each process with valid samples; NaN: unknown */
    int64_t     n;
    int64_t     index;       /* of the family among those of the file */
    bool        has_entries; /* the file has one benchmark already */
} family;

static void free_family(family *f)
{
    free(f->name);
    f->name = NULL;
    for (int v = 0; v < N_VALUES; v++) {
        free(f->value[v]);
        f->value[v] = NULL;
    }
}

/* ---- aggregates ---- */

static double mean_of(const double *x, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* Sorts a copy, since repetitions stay in time order. NaN without memory, which leaves the value
 * out. */
static double median_of(const double *x, int64_t n)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);
    double  median = (double)NAN;

    if (!sorted)
        return median;
    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, assay_compare_doubles);
    median = n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
    free(sorted);
    return median;
}

static double stddev_of(const double *x, int64_t n)
{
    const double mean = mean_of(x, n);
    double       sum  = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

static double cv_of(const double *x, int64_t n)
{
    const double deviation = stddev_of(x, n);

    return deviation > 0 ? deviation / mean_of(x, n) : deviation;
}

static const struct {
    const char *name, *unit;
    double (*of)(const double *x, int64_t n);
} aggregates[] = {
    { "mean", "time", mean_of },
    { "median", "time", median_of },
    { "stddev", "time", stddev_of },
    { "cv", "percentage", cv_of },
};

/* ---- one benchmark ---- */

static void begin_entry(family *f, const char *suffix, const char *run_type)
{
    (void)fputs(f->has_entries ? ",\n{" : "\n{", f->out);
    f->has_entries = true;
    (void)snprintf(f->name + f->name_size, MAX_SUFFIX, "%s", suffix);
    (void)fputs("\"name\":", f->out);
    assay_json_text(f->out, f->name);
    f->name[f->name_size] = '\0';
    (void)fprintf(f->out, ",\"family_index\":%" PRId64 ",\"per_family_instance_index\":0",
                  f->index);
    (void)fputs(",\"run_name\":", f->out);
    assay_json_text(f->out, f->name);
    (void)fprintf(f->out, ",\"run_type\":\"%s\",\"repetitions\":%" PRId64 ",\"threads\":1",
                  run_type, f->n);
}

/* The time, and every rate that is known. */
static void end_entry(const family *f, int64_t iterations, const double *values)
{
    (void)fprintf(f->out, ",\"iterations\":%" PRId64 ",\"real_time\":", iterations);
    assay_json_number(f->out, values[REAL_TIME]);
    (void)fputs(",\"cpu_time\":0,\"time_unit\":\"ns\"", f->out);
    for (int v = REAL_TIME + 1; v < N_VALUES; v++) {
        if (!isfinite(values[v]))
            continue;
        (void)fprintf(f->out, ",\"%s\":", value_names[v]);
        assay_json_number(f->out, values[v]);
    }
    (void)fprintf(f->out, ",\"label\":\"%s\"}", f->label);
}

static void write_repetition(family *f, int64_t i)
{
    double values[N_VALUES];

    for (int v = 0; v < N_VALUES; v++)
        values[v] = f->value[v][i];
    begin_entry(f, "", "iteration");
    (void)fprintf(f->out, ",\"repetition_index\":%" PRId64, i);
    end_entry(f, 1, values);
}

static void write_aggregate(family *f, size_t a)
{
    double values[N_VALUES];
    char   suffix[MAX_SUFFIX];

    for (int v = 0; v < N_VALUES; v++)
        values[v] = aggregates[a].of(f->value[v], f->n);
    (void)snprintf(suffix, sizeof suffix, "_%s", aggregates[a].name);
    begin_entry(f, suffix, "aggregate");
    (void)fprintf(f->out, ",\"aggregate_name\":\"%s\",\"aggregate_unit\":\"%s\"",
                  aggregates[a].name, aggregates[a].unit);
    end_entry(f, f->n, values);
}

static void write_family(family *f)
{
    if (f->n == 0) {
        begin_entry(f, "", "iteration");
        (void)fputs(",\"repetition_index\":0,\"error_occurred\":true,\"error_message\":\"no valid "
                    "sample: see the report\",\"iterations\":0,\"real_time\":0,\"cpu_time\":0,"
                    "\"time_unit\":\"ns\"}",
                    f->out);
    }
    for (int64_t i = 0; i < f->n; i++)
        write_repetition(f, i);
    for (size_t a = 0; f->n > 1 && a < sizeof aggregates / sizeof aggregates[0]; a++)
        write_aggregate(f, a);
    f->index++;
}

/* ---- from the store ---- */

static assay_status begin_family(family *f, const assay_process_row *row)
{
    const char  *clock = assay_clock_text(row->clock);
    int          n     = -1;
    assay_status st    = ASSAY_OK;

    free_family(f);
    f->n     = 0;
    f->label = !f->has_all_clocks ? clock : row->decides ? "decides" : "";
    n        = asprintf(&f->name, "%s/%s%s%s%*s", row->key, assay_regime_text(row->regime),
                 f->has_all_clocks ? "/" : "", f->has_all_clocks ? clock : "", MAX_SUFFIX, "");
    if (n < 0)
        f->name = NULL;
    ASSAY_REQUIRE(f->name, ASSAY_E_MEMORY, "no memory for a name");
    f->name_size          = (size_t)n - MAX_SUFFIX;
    f->name[f->name_size] = '\0';
    for (int v = 0; v < N_VALUES; v++) {
        f->value[v] = calloc((size_t)row->n_processes, sizeof *f->value[v]);
        ASSAY_REQUIRE(f->value[v], ASSAY_E_MEMORY, "no memory for %" PRId64 " processes",
                      row->n_processes);
    }
out:
    return st;
}

static assay_status add_process(void *context, const assay_process_row *row)
{
    family      *f       = context;
    const double time_ns = row->time_ns;
    assay_status st      = ASSAY_OK;

    if (row->process == 0)
        ASSAY_CHECK(begin_family(f, row));
    if (isfinite(time_ns)) {
        f->value[REAL_TIME][f->n]        = time_ns;
        f->value[BYTES_PER_SECOND][f->n] = 1e9 * (double)row->bytes_declared / time_ns;
        f->value[FLOPS][f->n]            = 1e9 * row->flops / time_ns;
        f->value[ITEMS_PER_SECOND][f->n] = 1e9 * (double)row->cells / time_ns;
        f->value[SM_CLOCK][f->n]         = row->sm_clock_mhz;
        f->n++;
    }
    if (row->process + 1 == row->n_processes)
        write_family(f);
out:
    return st;
}

static bool is_known(assay_cursor *row, const char *column)
{
    const char *text = assay_cursor_text(row, assay_cursor_find(row, column));

    return text && *text;
}

/* Members of the context. Each is a column of a query that has one row. */
static assay_status write_context(const assay_report *report)
{
    static const struct {
        const char *query, *member, *column;
    } members[] = {
        { "json_run", "date", "started_utc" },
        { "json_run", "host_name", "host" },
        { "json_run", "num_cpus", "n_cpus" },
        { "json_run", "assay_run", "uuid" },
        { "json_device", "assay_device", "name" },
        { "json_device", "assay_driver", "driver" },
        { "json_build", "assay_version", "assay_version" },
        { "json_build", "assay_commit", "git_commit" },
    };
    assay_cursor *row = NULL;
    assay_status  st  = ASSAY_OK;

    (void)fputs("{\"context\":{\"executable\":\"assay\"", report->out);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        ASSAY_CHECK(assay_store_query(report->store, members[i].query, report->run_id, &row));
        if (assay_cursor_next(row, &st) && is_known(row, members[i].column)) {
            (void)fprintf(report->out, ",\n\"%s\":", members[i].member);
            assay_json_value(report->out, row, assay_cursor_find(row, members[i].column));
        }
        ASSAY_CHECK(st);
        assay_cursor_close(row);
        row = NULL;
    }
    (void)fputs("},\n\"benchmarks\":[", report->out);
out:
    assay_cursor_close(row);
    return st;
}

static assay_status write_all(const assay_report *report, bool all_clocks)
{
    family       f = { .out = report->out, .has_all_clocks = all_clocks };
    assay_status st;

    ASSAY_CHECK(write_context(report));
    ASSAY_CHECK(
        assay_store_each_process(report->store, report->run_id, all_clocks, add_process, &f));
    (void)fputs("]}\n", report->out);
out:
    free_family(&f);
    return st;
}

assay_status assay_report_benchmark(const assay_report *report) { return write_all(report, false); }
assay_status assay_report_benchmark_details(const assay_report *report)
{
    return write_all(report, true);
}
