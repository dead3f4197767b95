/* From activity records to the time of each sample, and to the kernels of one call. */
#include "recorder.h"

#include "stats.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char GATE[]  = "assay_own_gate";
static const char CLOCK[] = "assay_own_clock";
static const char OWN[]   = "assay_own_";

/* Names are mangled or not: either way they hold the function's own. */
static bool is_kernel(const assay_activity *r, const char *name)
{
    return r->kind == ASSAY_ACTIVITY_KERNEL && r->name && strstr(r->name, name);
}

bool assay_record_is_own(const assay_activity *record) { return is_kernel(record, OWN); }

static bool is_work(const assay_activity *r)
{
    return (r->kind == ASSAY_ACTIVITY_KERNEL && !assay_record_is_own(r)) ||
           r->kind == ASSAY_ACTIVITY_MEMCPY || r->kind == ASSAY_ACTIVITY_MEMSET;
}

/* A sample's records: those of its work lie in first..end-1 among others. */
typedef struct stretch {
    int64_t first, end;
} stretch;

/* The next gate with the clock reading behind it, from *place on; false if there is none. A gate
 * without its reading, and a reading without its gate, end the search: something was lost. */
static bool find_stretch(const assay_activity *records, int64_t n, int64_t *place, stretch *s)
{
    for (s->first = -1; *place < n; ++*place) {
        const assay_activity *r = &records[*place];

        if (is_kernel(r, GATE)) {
            if (s->first >= 0)
                return false;
            s->first = *place + 1;
        } else if (is_kernel(r, CLOCK)) {
            s->end = (*place)++;
            return s->first >= 0;
        }
    }
    return false;
}

static double time_of(const assay_activity *records, const stretch *s)
{
    int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;

    for (int64_t i = s->first; i < s->end; i++) {
        if (!is_work(&records[i]))
            continue;
        if (records[i].start_ns < start_ns)
            start_ns = records[i].start_ns;
        if (records[i].end_ns > end_ns)
            end_ns = records[i].end_ns;
    }
    return end_ns > start_ns ? (double)(end_ns - start_ns) : (double)NAN;
}

/* As many gates, and as many clock readings, as there were samples. */
static bool is_complete(const assay_activity *records, int64_t n_records, int64_t n)
{
    int64_t gates = 0, clocks = 0;

    for (int64_t i = 0; i < n_records; i++) {
        gates += is_kernel(&records[i], GATE);
        clocks += is_kernel(&records[i], CLOCK);
    }
    return gates == n && clocks == n;
}

void assay_record_times(const assay_activity *records, int64_t n_records, int64_t n_dropped,
                        double *time_ns, int64_t n)
{
    int64_t place = 0, found = 0;
    stretch s;

    while (find_stretch(records, n_records, &place, &s)) {
        if (found < n)
            time_ns[found] = time_of(records, &s);
        found++;
    }
    if (found != n || n_dropped != 0 || !is_complete(records, n_records, n))
        for (int64_t i = 0; i < n; i++)
            time_ns[i] = NAN;
}

/* ---- the kernels of one call ---- */

static void fill_launch(const assay_activity *r, int ordinal, assay_launch_row *row)
{
    *row = (assay_launch_row) { .ordinal              = ordinal,
                                .registers            = (int)r->registers,
                                .local_bytes          = (int)r->local_bytes,
                                .static_shared_bytes  = (int)r->static_shared_bytes,
                                .dynamic_shared_bytes = (int)r->dynamic_shared_bytes };
    (void)assay_text_set(row->kernel, sizeof row->kernel, "%s", r->name ? r->name : "");
    (void)assay_text_set(row->code_hash, sizeof row->code_hash, "%s", r->code_hash);
    for (int d = 0; d < 3; d++) {
        row->grid[d]  = (int)r->grid[d];
        row->block[d] = (int)r->block[d];
    }
}

static bool is_same_launch(const assay_launch_row *row, const assay_activity *r)
{
    const char *name = r->name ? r->name : "";

    for (int d = 0; d < 3; d++)
        if (row->grid[d] != (int)r->grid[d] || row->block[d] != (int)r->block[d])
            return false;
    return strncmp(row->kernel, name, sizeof row->kernel - 1) == 0;
}

/* All durations of one launch of the call, over the calls. */
typedef struct durations {
    double *ns; /* owned: n_calls of each launch */
    int64_t n_calls, capacity;
} durations;

static bool add_call(durations *d, const double *call, int n)
{
    if (d->n_calls == d->capacity) {
        const int64_t capacity = d->capacity > 0 ? 2 * d->capacity : 32;
        double       *grown    = realloc(d->ns, (size_t)(capacity * n) * sizeof *grown);

        if (!grown)
            return false;
        d->ns       = grown;
        d->capacity = capacity;
    }
    memcpy(d->ns + d->n_calls++ * n, call, (size_t)n * sizeof *call);
    return true;
}

/* The first call makes the rows, the others must be like it. Returns the launches of this call, -1
 * if it differs or has more than there is room for. */
static int read_call(const assay_activity *records, const stretch *s, bool is_first,
                     assay_launch_row *rows, int capacity, double *call)
{
    int n = 0;

    for (int64_t i = s->first; i < s->end; i++) {
        if (!is_work(&records[i]))
            continue;
        if (n == capacity)
            return -1;
        if (is_first)
            fill_launch(&records[i], n, &rows[n]);
        else if (!is_same_launch(&rows[n], &records[i]))
            return -1;
        call[n++] = (double)(records[i].end_ns - records[i].start_ns);
    }
    return n;
}

static bool set_medians(const durations *d, assay_launch_row *rows, int n)
{
    double *one = malloc((size_t)d->n_calls * sizeof *one);

    for (int k = 0; one && k < n; k++) {
        assay_summary s;

        for (int64_t c = 0; c < d->n_calls; c++)
            one[c] = d->ns[c * n + k];
        if (assay_stats_summarize(one, d->n_calls, &s) == ASSAY_OK)
            rows[k].time_ns = s.median;
    }
    free(one);
    return one != NULL;
}

int assay_record_launches(const assay_activity *records, int64_t n_records, assay_launch_row *rows,
                          int capacity)
{
    double   *call  = calloc((size_t)(capacity > 0 ? capacity : 1), sizeof *call);
    durations d     = { .ns = NULL };
    int       n     = -1;
    int64_t   place = 0;
    stretch   s;

    while (call && find_stretch(records, n_records, &place, &s)) {
        const int in_call = read_call(records, &s, n < 0, rows, capacity, call);

        if (in_call == 0)
            continue; /* nothing lay behind that gate: the device was being opened */
        if (in_call < 0 || (n >= 0 && in_call != n) || !add_call(&d, call, in_call)) {
            n = 0;
            break;
        }
        n = in_call;
    }
    if (n > 0 && !set_medians(&d, rows, n))
        n = 0;
    free(d.ns);
    free(call);
    return n > 0 ? n : 0;
}

assay_status assay_record_collect(void *source, double *time_ns, int64_t n)
{
    assay_record_source  *s         = source;
    const assay_activity *records   = NULL;
    int64_t               n_records = 0, n_dropped = 0;
    assay_status          st = ASSAY_OK;

    st = s->cupti->activity_collect(&records, &n_records, &n_dropped);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", s->cupti->message());
    assay_record_times(records, n_records, n_dropped, time_ns, n);
    s->n_launches = assay_record_launches(records, n_records, s->launches, ASSAY_MAX_LAUNCHES);
out:
    return st;
}
