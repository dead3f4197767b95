/* From activity records to the time of each sample, and to the kernels of one call. */
#include "recorder.h"

#include "base/text.h"
#include "stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char GATE[]  = "assay_own_gate";
static const char CLOCK[] = "assay_own_clock";
static const char OWN[]   = "assay_own_";

/* Names may be mangled; either way they contain the name of the function. */
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

/* The records of one sample: the records of its work are among first..end-1. */
typedef struct stretch {
    int64_t first, end;
} stretch;

/* Finds the next gate, from *place on, with the clock reading that follows it; false if there is
 * none. A gate without a reading, or a reading without a gate, ends the search: a record was
 * lost. */
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

/* Are there as many gates, and as many clock readings, as there were samples? */
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

/* The calls read so far, with the time of each launch. */
typedef struct calls {
    assay_launch_row *rows; /* owned: those of the first call */
    int               n;    /* launches of a call; -1: none was read yet */
    double           *ns;   /* owned: n durations of each call */
    int64_t           n_calls, capacity;
    double           *call; /* owned: n durations of the current call */
} calls;

static void free_calls(calls *c)
{
    free(c->rows);
    free(c->ns);
    free(c->call);
}

static int64_t count_work(const assay_activity *records, const stretch *s)
{
    int64_t n = 0;

    for (int64_t i = s->first; i < s->end; i++)
        n += is_work(&records[i]);
    return n;
}

static assay_status begin_calls(calls *c, int n)
{
    assay_status st = ASSAY_OK;

    c->rows = calloc((size_t)n, sizeof *c->rows);
    c->call = calloc((size_t)n, sizeof *c->call);
    ASSAY_REQUIRE(c->rows && c->call, ASSAY_E_MEMORY, "no memory for %d launches", n);
    c->n = n;
out:
    return st;
}

static assay_status keep_call(calls *c)
{
    assay_status st = ASSAY_OK;

    if (c->n_calls == c->capacity) {
        const int64_t capacity = c->capacity > 0 ? 2 * c->capacity : 32;
        double       *grown    = realloc(c->ns, (size_t)(capacity * c->n) * sizeof *grown);

        ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for %lld calls", (long long)capacity);
        c->ns       = grown;
        c->capacity = capacity;
    }
    memcpy(c->ns + c->n_calls++ * c->n, c->call, (size_t)c->n * sizeof *c->call);
out:
    return st;
}

/* The first call makes the rows. Returns false if a later call is not like it. */
static bool read_call(const assay_activity *records, const stretch *s, calls *c)
{
    int n = 0;

    for (int64_t i = s->first; i < s->end; i++) {
        if (!is_work(&records[i]))
            continue;
        if (c->n_calls == 0)
            fill_launch(&records[i], n, &c->rows[n]);
        else if (!is_same_launch(&c->rows[n], &records[i]))
            return false;
        c->call[n++] = (double)(records[i].end_ns - records[i].start_ns);
    }
    return true;
}

/* Reads calls until one cannot be kept; *why has the reason. */
static assay_status read_calls(const assay_activity *records, int64_t n_records, calls *c,
                               char *why, size_t why_size)
{
    assay_status st    = ASSAY_OK;
    int64_t      place = 0;
    stretch      s;

    while (!why[0] && find_stretch(records, n_records, &place, &s)) {
        const int64_t n = count_work(records, &s);

        if (n == 0)
            continue; /* no work follows this gate: the device was being opened */
        if (n > ASSAY_MAX_LAUNCHES) {
            (void)assay_text_set(why, why_size, "a call of %lld kernels is longer than the %d kept",
                                 (long long)n, ASSAY_MAX_LAUNCHES);
            break;
        }
        if (c->n < 0)
            ASSAY_CHECK(begin_calls(c, (int)n));
        if (n != c->n || !read_call(records, &s, c))
            (void)assay_text_set(why, why_size, "the calls differ in their kernels");
        else
            ASSAY_CHECK(keep_call(c));
    }
out:
    return st;
}

static assay_status set_medians(const calls *c)
{
    assay_status st  = ASSAY_OK;
    double      *one = malloc((size_t)c->n_calls * sizeof *one);

    ASSAY_REQUIRE(one, ASSAY_E_MEMORY, "no memory for %lld calls", (long long)c->n_calls);
    for (int k = 0; k < c->n; k++) {
        assay_summary s;

        for (int64_t i = 0; i < c->n_calls; i++)
            one[i] = c->ns[i * c->n + k];
        if (assay_stats_summarize(one, c->n_calls, &s) == ASSAY_OK)
            c->rows[k].time_ns = s.median;
    }
out:
    free(one);
    return st;
}

assay_status assay_record_launches(const assay_activity *records, int64_t n_records,
                                   assay_launch_row **rows, int *n_rows, char *why, size_t why_size)
{
    assay_status st = ASSAY_OK;
    calls        c  = { .n = -1 };

    ASSAY_ASSERT(why_size > 0);
    *rows   = NULL;
    *n_rows = 0;
    why[0]  = '\0';
    ASSAY_CHECK(read_calls(records, n_records, &c, why, why_size));
    if (!why[0] && c.n_calls == 0)
        (void)assay_text_set(why, why_size, "no call is in the records");
    if (why[0])
        goto out;
    ASSAY_CHECK(set_medians(&c));
    *rows   = c.rows;
    *n_rows = c.n;
    c.rows  = NULL;
out:
    free_calls(&c);
    return st;
}

assay_status assay_record_work(const assay_activity *records, int64_t n_records,
                               assay_activity **work, int64_t *n_work, int64_t *n_calls)
{
    assay_status st    = ASSAY_OK;
    int64_t      place = 0;
    stretch      s;

    *n_work = *n_calls = 0;
    *work              = calloc((size_t)n_records + 1, sizeof **work);
    ASSAY_REQUIRE(*work, ASSAY_E_MEMORY, "no memory for %lld records", (long long)n_records);
    while (find_stretch(records, n_records, &place, &s)) {
        *n_calls += count_work(records, &s) > 0;
        for (int64_t i = s.first; i < s.end; i++)
            if (is_work(&records[i]))
                (*work)[(*n_work)++] = records[i];
    }
out:
    return st;
}

/* ---- the recorder ---- */

/* Says why launches are not kept. Missing records are reported as discarded samples, not here. */
static void say_why(assay_record_source *s, const char *why, int64_t n_dropped)
{
    if (s->has_said || n_dropped > 0 || s->n_launches > 0)
        return;
    s->has_said = true;
    (void)fprintf(stderr, "assay: the kernels of a call are not kept: %s\n", why);
}

assay_status assay_record_collect(void *source, double *time_ns, int64_t n)
{
    assay_record_source  *s         = source;
    const assay_activity *records   = NULL;
    int64_t               n_records = 0, n_dropped = 0;
    char                  why[160];
    assay_status          st = ASSAY_OK;

    st = s->cupti->activity_collect(&records, &n_records, &n_dropped);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", s->cupti->message());
    assay_record_times(records, n_records, n_dropped, time_ns, n);
    free(s->launches);
    ASSAY_CHECK(
        assay_record_launches(records, n_records, &s->launches, &s->n_launches, why, sizeof why));
    say_why(s, why, n_dropped);
out:
    return st;
}

void assay_record_source_free(assay_record_source *source)
{
    if (source)
        free(source->launches);
    free(source);
}
