/* Requests to a peer, one job at a time. Data goes through memory that both processes have mapped.
 */
#include "peer_internal.h"

#include "base/clock.h"
#include "base/text.h"
#include "plan/plan.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(sizeof(assay_peer_record) == 256, "docs/peers.md says where its parts lie");

enum {
    ALIGNMENT    = 256,
    REQUEST_SIZE = 8192
};

bool assay_peer_is_alive(const assay_peer *peer) { return peer && peer->pid > 0; }

const assay_peer_about *assay_peer_whom(const assay_peer *peer) { return &peer->about; }

bool assay_peer_runs(const assay_peer *peer, const assay_peer_script *script)
{
    return strcmp(peer->script, script->script) == 0 &&
           strcmp(peer->file, script->file ? script->file : "") == 0;
}

/* ---- requests ---- */

typedef struct request {
    char   text[REQUEST_SIZE];
    size_t length;
    bool   is_cut;
} request;

static void add(request *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(request *r, const char *format, ...)
{
    va_list list;
    int     n;

    va_start(list, format);
    n = vsnprintf(r->text + r->length, sizeof r->text - r->length, format, list);
    va_end(list);
    r->is_cut = r->is_cut || n < 0 || (size_t)n >= sizeof r->text - r->length;
    if (!r->is_cut)
        r->length += (size_t)n;
}

static const char *role_text(assay_role role)
{
    static const char *const texts[] = {
        [ASSAY_NO_BUFFER] = "",  [ASSAY_IN] = "in",     [ASSAY_OUT] = "out",
        [ASSAY_INOUT] = "inout", [ASSAY_WORK] = "work",
    };

    return texts[role];
}

static const char *const axis_kinds[] = {
    [ASSAY_AXIS_INT]  = "int",
    [ASSAY_AXIS_GRID] = "grid",
    [ASSAY_AXIS_TEXT] = "text",
};

static void write_axes(const assay_peer_job *job, request *r)
{
    char text[ASSAY_NAME_SIZE];

    for (const assay_axis *a = job->axes; a && a->name; a++)
        add(r, "\naxis %s %s %s", a->name, axis_kinds[a->kind],
            assay_value_text(a, &job->axis[a - job->axes], text, sizeof text));
}

static void write_job(const assay_peer *peer, request *r)
{
    const assay_peer_job *job = peer->job;
    const assay_shape    *s   = job->shape;

    add(r, "case %s\nword %s\nparams", job->case_name, job->word);
    for (int i = 0; i < ASSAY_MAX_PARAMS; i++)
        add(r, " %" PRId64, s->param[i]);
    add(r, "\nscalars");
    for (int i = 0; i < ASSAY_MAX_SCALARS; i++)
        add(r, " %.17g", s->scalar[i]);
    write_axes(job, r);
    for (int b = 0; b < assay_shape_buffer_count(s); b++)
        add(r, "\nbuffer %s %s %s %" PRId64 " %zu", s->buf[b].name, role_text(s->buf[b].role),
            assay_type_text(s->buf[b].type), s->buf[b].count, peer->offset[b]);
    add(r, "\narena %zu\n", peer->arena_bytes);
}

/* ---- the arena ---- */

static size_t lay_out(assay_peer *peer, const assay_shape *shape)
{
    size_t at = 0;

    for (int b = 0; b < assay_shape_buffer_count(shape); b++) {
        peer->offset[b] = at;
        at += (assay_buffer_bytes(&shape->buf[b]) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    peer->times_offset   = at;
    peer->records_offset = at + ASSAY_PEER_MOST_SAMPLES * sizeof(double);
    return peer->records_offset;
}

/* Its pages are allocated now, since a page that is missing when it is touched would kill this
 * process. */
static assay_status make_room(assay_peer *peer, size_t bytes)
{
    assay_status st     = ASSAY_OK;
    const int    error  = posix_fallocate(peer->arena_fd, 0, (off_t)bytes);
    void        *mapped = MAP_FAILED;

    ASSAY_REQUIRE(error == 0, ASSAY_E_MEMORY, "no memory for the %zu bytes that a peer shares: %s",
                  bytes, strerror(error));
    if (bytes <= peer->arena_bytes)
        goto out;
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, peer->arena_fd, 0);
    ASSAY_REQUIRE(mapped != MAP_FAILED, ASSAY_E_MEMORY, "cannot map %zu bytes of a peer: %s", bytes,
                  strerror(errno));
    if (peer->arena)
        (void)munmap(peer->arena, peer->arena_bytes);
    peer->arena       = mapped;
    peer->arena_bytes = bytes;
out:
    return st;
}

static void copy_all(const assay_peer *peer, bool is_home)
{
    const assay_shape *s = peer->job->shape;

    for (int b = 0; b < assay_shape_buffer_count(s); b++) {
        const size_t bytes = assay_buffer_bytes(&s->buf[b]);
        char        *there = peer->arena + peer->offset[b];

        if (s->buf[b].role == ASSAY_WORK || bytes == 0)
            continue;
        if (is_home)
            memcpy(peer->job->data[b], there, bytes);
        else
            memcpy(there, peer->job->data[b], bytes);
    }
}

/* ---- one job ---- */

assay_status assay_peer_open(assay_peer *peer, const assay_peer_job *job,
                             assay_peer_finding *finding)
{
    assay_status     st = ASSAY_OK;
    request          r  = { .length = 0 };
    assay_peer_reply reply;

    *finding  = (assay_peer_finding) { .verdict = ASSAY_NOT_RUN };
    peer->job = job;
    ASSAY_CHECK(make_room(peer, lay_out(peer, job->shape)));
    write_job(peer, &r);
    ASSAY_REQUIRE(!r.is_cut, ASSAY_E_INTERNAL, "the request to a peer does not fit");
    assay_peer_ask(peer, "open", r.text, "ready", job->limit_s, &reply, finding);
out:
    return st;
}

bool assay_peer_has_run(const assay_peer *peer) { return peer->has_run; }

static void take_step(assay_peer *peer, const assay_peer_reply *reply, double wall_s,
                      double *took_ns, assay_peer_finding *finding)
{
    int64_t ns = 0;

    if (!assay_peer_value(reply, "took"))
        return;
    if (!assay_peer_number(reply, "took", 1, INT64_MAX, &ns) || (double)ns > wall_s * 1e9)
        assay_peer_bury(peer, finding, ASSAY_CRASHED,
                        "the peer broke the protocol: the time of a step is invalid, or longer "
                        "than the call took");
    else
        *took_ns = (double)ns;
}

void assay_peer_run(assay_peer *peer, double *took_ns, assay_peer_finding *finding)
{
    double           began_s;
    assay_peer_reply reply;

    *finding = (assay_peer_finding) { .verdict = ASSAY_NOT_RUN };
    *took_ns = (double)NAN;
    copy_all(peer, false);
    began_s       = assay_clock_s();
    peer->has_run = true;
    assay_peer_ask(peer, "run", "", "done", peer->job->limit_s, &reply, finding);
    if (finding->verdict == ASSAY_NOT_RUN)
        take_step(peer, &reply, assay_clock_s() - began_s, took_ns, finding);
    copy_all(peer, true);
}

void assay_peer_close(assay_peer *peer)
{
    assay_peer_reply   reply;
    assay_peer_finding finding = { .verdict = ASSAY_NOT_RUN };

    if (!peer || !peer->job)
        return;
    if (assay_peer_is_alive(peer))
        assay_peer_ask(peer, "close", "", "closed", peer->job->limit_s, &reply, &finding);
    peer->job = NULL;
    /* Frees its pages, but keeps its size. If that fails, the pages serve the next job. */
    (void)fallocate(peer->arena_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                    (off_t)peer->arena_bytes);
}

/* ---- times ---- */

/* Returns NULL, or which time is impossible. wall_s: from request to answer. */
static const char *judge_times(const assay_peer_times *times, double wall_s)
{
    double sum_ns = 0;

    for (int64_t i = 0; i < times->n; i++) {
        if (!(isfinite(times->time_ns[i]) && times->time_ns[i] > 0))
            return "the time of a sample is invalid";
        sum_ns += times->time_ns[i];
    }
    return sum_ns > wall_s * 1e9 ? "the samples are longer than the call took" : NULL;
}

static void take_times(assay_peer *peer, const assay_peer_reply *reply, double wall_s,
                       assay_peer_times *times, assay_peer_finding *finding)
{
    const char *wrong = NULL;

    if (!assay_peer_number(reply, "samples", 1, ASSAY_PEER_MOST_SAMPLES, &times->n))
        wrong = "the number of samples is impossible";
    else if (!assay_peer_number(reply, "warmup", 0, INT32_MAX, &times->n_warmup))
        wrong = "the number of steps before the samples is missing";
    else if (!assay_peer_facts(reply, times->facts, &times->n_facts))
        wrong = "a fact without a number or a unique name, or too many facts";
    if (!wrong) {
        memcpy(times->time_ns, peer->arena + peer->times_offset,
               (size_t)times->n * sizeof times->time_ns[0]);
        wrong = judge_times(times, wall_s);
    }
    if (!assay_peer_number(reply, "peak", 0, INT64_MAX, &times->peak_bytes))
        times->peak_bytes = -1;
    if (wrong)
        assay_peer_bury(peer, finding, ASSAY_CRASHED, "the peer broke the protocol: %s", wrong);
}

void assay_peer_time(assay_peer *peer, assay_regime regime, double wall_s, assay_peer_times *times,
                     assay_peer_finding *finding)
{
    request          r       = { .length = 0 };
    const double     began_s = assay_clock_s();
    assay_peer_reply reply;

    *finding = (assay_peer_finding) { .verdict = ASSAY_NOT_RUN };
    times->n = times->n_warmup = 0;
    times->n_facts             = 0;
    times->peak_bytes          = -1;
    add(&r, "regime %s\nseconds %.9g\nmost %d\nat %zu\nl2 %" PRId64 "\n", assay_regime_text(regime),
        wall_s, ASSAY_PEER_MOST_SAMPLES, peer->times_offset, peer->job->l2_bytes);
    assay_peer_ask(peer, "time", r.text, "timed", peer->job->limit_s + wall_s, &reply, finding);
    if (finding->verdict == ASSAY_NOT_RUN)
        take_times(peer, &reply, assay_clock_s() - began_s, times, finding);
}

/* ---- records ---- */

static bool is_record(const assay_peer_record *r, double wall_s)
{
    const char *end = memchr(r->name, '\0', sizeof r->name);

    for (const char *c = r->name; end && c < end; c++)
        if (iscntrl((unsigned char)*c))
            return false;
    for (int d = 0; d < 3; d++)
        if (r->grid[d] < 0 || r->block[d] < 0)
            return false;
    return end && end > r->name && r->kind >= 0 && r->kind < ASSAY_PEER_N_KINDS &&
           r->registers >= 0 && r->correlation >= 0 && r->place >= 0 && r->start_ns >= 0 &&
           r->start_ns < INT64_MAX / 2 && r->duration_ns >= 0 &&
           (double)r->duration_ns <= wall_s * 1e9;
}

/* Returns NULL, or which record is impossible. */
static const char *judge_records(const assay_peer_recording *r, double wall_s)
{
    for (int64_t i = 0; i < r->n; i++) {
        if (!is_record(&r->records[i], wall_s))
            return "an invalid record";
        if (i > 0 && r->records[i].start_ns < r->records[i - 1].start_ns)
            return "records that are not sorted by their starts";
    }
    if (r->n > 0 && (double)(r->records[r->n - 1].start_ns - r->records[0].start_ns) > wall_s * 1e9)
        return "the records are longer than the call took";
    return NULL;
}

/* Returns NULL, or what is wrong. The records are copied before they are checked, since the peer
 * can still write to the shared memory. */
static assay_status take_records(const assay_peer *peer, const assay_peer_reply *reply,
                                 double wall_s, assay_peer_recording *r, const char **wrong)
{
    assay_status st = ASSAY_OK;

    *wrong = "the number of records is impossible";
    if (!assay_peer_number(reply, "records", 0, ASSAY_PEER_MOST_RECORDS, &r->n) ||
        (assay_peer_value(reply, "left") &&
         !assay_peer_number(reply, "left", 0, INT32_MAX, &r->n_left_out)))
        goto out;
    r->records = calloc((size_t)r->n + 1, sizeof *r->records);
    ASSAY_REQUIRE(r->records, ASSAY_E_MEMORY, "no memory for %" PRId64 " records", r->n);
    memcpy(r->records, peer->arena + peer->records_offset, (size_t)r->n * sizeof *r->records);
    *wrong = judge_records(r, wall_s);
out:
    return st;
}

assay_status assay_peer_trace(assay_peer *peer, bool is_first, assay_peer_recording *recording,
                              assay_peer_finding *finding)
{
    assay_status     st      = ASSAY_OK;
    request          r       = { .length = 0 };
    const double     began_s = assay_clock_s();
    const char      *wrong   = NULL;
    assay_peer_reply reply;

    *finding   = (assay_peer_finding) { .verdict = ASSAY_NOT_RUN };
    *recording = (assay_peer_recording) { .n = 0 };
    /* Behind everything else, and only if requested. */
    ASSAY_CHECK(make_room(peer, peer->records_offset +
                                    ASSAY_PEER_MOST_RECORDS * sizeof(assay_peer_record)));
    if (is_first)
        copy_all(peer, false);
    peer->has_run = true;
    add(&r, "call %s\nmost %d\nat %zu\narena %zu\n", is_first ? "first" : "later",
        ASSAY_PEER_MOST_RECORDS, peer->records_offset, peer->arena_bytes);
    assay_peer_ask(peer, "trace", r.text, "traced", peer->job->limit_s, &reply, finding);
    if (finding->verdict == ASSAY_NOT_RUN)
        ASSAY_CHECK(take_records(peer, &reply, assay_clock_s() - began_s, recording, &wrong));
out:
    if (st != ASSAY_OK || wrong) {
        free(recording->records);
        *recording = (assay_peer_recording) { .n = 0 };
    }
    if (wrong)
        assay_peer_bury(peer, finding, ASSAY_CRASHED, "the peer broke the protocol: %s", wrong);
    return st;
}
