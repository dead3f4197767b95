/* Sessions: an event gives what the case's variants compute, bit for bit, whatever else runs, in
 * whatever order, and by whichever way its photons and its records travel. */
#include "photon_session_test.h"

#include "../../../kernels/photon_propagate/propagate_case.h"
#include "../../../reference/photon_propagate/photon_propagate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PHOTONS_MOST = 1009,
    RESULTS      = 8
};

static const struct {
    int      detector;
    int64_t  photons;
    uint32_t seed;
} plan[] = {
    { SESSION_TEST_BOX, 1, 1 },           { SESSION_TEST_WHITE, 33, 2 },
    { SESSION_TEST_BOX, 0, 3 },           { SESSION_TEST_BOX, 257, 20 },
    { SESSION_TEST_BOX, 257, 21 },        { SESSION_TEST_WHITE, 97, 20 },
    { SESSION_TEST_BOX, 1009, 1u << 31 },
};
enum {
    EVENTS = sizeof plan / sizeof *plan
};
static session_expected expected[EVENTS];

static photon_event_descriptor event_of(int k)
{
    return session_test_event(plan[k].detector, plan[k].photons, plan[k].seed);
}

static void check_future(photon_future *f, const session_expected *x, const char *what)
{
    const photon_session_status st         = photon_future_wait(f, 60e9);
    const char                 *difference = st == PHOTON_SESSION_OK
                                                 ? session_difference(x, photon_future_result(f))
                                                 : photon_session_status_text(st);

    trial_expect(difference == NULL, "%s, %d photons, seed %u: %s", what, (int)x->event.photons,
                 x->event.seed, difference);
}

/* ---- replay */

/* All events, from the first or from the last, all submitted at once. */
static void check_order(session_rig *rig, const photon_session_config *config, bool is_reversed,
                        const char *what)
{
    photon_session *session = session_test_open(rig, config);
    photon_future  *future[EVENTS];

    if (!session)
        return;
    for (int n = 0; n < EVENTS; n++) {
        const int                     k = is_reversed ? EVENTS - 1 - n : n;
        const photon_event_descriptor e = event_of(k);

        trial_expect(photon_submit_event(session, &e, &future[k]) == PHOTON_SESSION_OK,
                     "%s: event %d is not taken", what, k);
    }
    for (int k = 0; k < EVENTS; k++)
        check_future(future[k], &expected[k], what);
    for (int k = 0; k < EVENTS; k++)
        photon_future_free(future[k]);
    trial_expect(photon_session_close(session) == PHOTON_SESSION_OK, "%s: close", what);
}

static void check_replay(session_rig *rig)
{
    static const struct {
        const char           *what;
        photon_session_config config;
    } row[] = {
        { "defaults", { .slots = 0 } },
        { "copied records", { .zero_copy_most = -1 } },
        { "one slot", { .slots = 1, .zero_copy_most = 100 } },
        { "in order", { .slots = 8, .is_in_order = true } },
        { "small budget, direct records",
          { .zero_copy_most = PHOTONS_MOST,
            .cadence        = { .vacant_lanes = 1, .spawn_depth = -1, .budget = 1 } } },
        { "late compaction",
          { .cadence = { .vacant_lanes = 32, .every_steps = 3, .spawn_depth = 1, .budget = 8 },
            .sample_interval_ns = 1e6 } },
        { "compaction by occupancy", { .cadence = { .compact_below = 0.5 } } },
        { "compaction almost never, small budget",
          { .cadence = { .budget = 2, .compact_below = 1e-9 }, .sample_interval_ns = 1e5 } },
        { "compaction unless all are at work",
          { .cadence = { .vacant_lanes = 32, .compact_below = 1 }, .blocks = 2 } },
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        for (int is_reversed = 0; is_reversed < 2; is_reversed++)
            check_order(rig, &row[k].config, is_reversed != 0, row[k].what);
}

/* ---- against the reference in double */

/* Follows a history; returns whether it ever came to a decision that rounding may turn. */
static bool count_history(const photon_ref_world *w, photon_ref p, int64_t *sums)
{
    bool in_doubt = false;

    for (;;) {
        photon_ref secondary = { .draw = 0 };

        photon_ref_run(w, 64, &p, &secondary);
        in_doubt = in_doubt || p.in_doubt;
        photon_ref_count(p.flags, p.face, w->faces, sums);
        if (!(p.flags & PHOTON_REEMIT))
            return in_doubt;
        p = secondary;
    }
}

/* A photon in doubt, and all that come from it, may be counted elsewhere. */
static void check_reference(const session_rig *rig, int k)
{
    const photon_geometry  *g = &rig->geometry[plan[k].detector];
    const photon_ref_world  w = { (const uint32_t *)g->node, (const uint32_t *)g->face,
                                  (const float *)g->triangle, rig->media[plan[k].detector],
                                  rig->surfaces[plan[k].detector] };
    photon_event_descriptor e = event_of(k);
    const void *const       buf[PROPAGATE_BUFFERS] = { [PROPAGATE_BUF_EVENT] = &e.seed };
    int64_t                 param[PROPAGATE_PARAM_IS_HARD + 1] = { 0 }, *sums = NULL, flips = 0;
    double scalar[4] = { (double)e.pos[0], (double)e.pos[1], (double)e.pos[2], (double)e.time };

    param[PROPAGATE_PARAM_PHOTONS] = e.photons;
    param[PROPAGATE_PARAM_STEPS]   = e.steps;
    param[PROPAGATE_PARAM_MEDIUM]  = e.medium;
    sums                           = calloc((size_t)expected[k].n_tally, sizeof *sums);
    if (!sums)
        abort();
    for (int64_t i = 0; i < e.photons; i++)
        flips += count_history(&w, photon_ref_source(buf, param, scalar, i), sums);
    /* Otherwise the bounds below would say little: a long history comes to many decisions. */
    trial_expect(flips <= 1 + e.photons / (plan[k].detector == SESSION_TEST_WHITE ? 3 : 10),
                 "event %d: %d in doubt of %d", k, (int)flips, (int)e.photons);
    for (int64_t t = 0; t < expected[k].n_tally; t++)
        trial_expect(llabs(sums[t] - (int64_t)expected[k].tally[t]) <= PHOTON_GENERATIONS * flips,
                     "event %d, tally %d: %d, the reference says %d, with %d in doubt", k, (int)t,
                     (int)expected[k].tally[t], (int)sums[t], (int)flips);
    free(sums);
}

/* ---- telemetry */

/* Waits until no warp is at work, so that all have recorded their work, and two samples have been
 * taken since: on a busy host the last one may be older than the end of the work. */
static photon_telemetry telemetry_at_rest(photon_session *session)
{
    const struct timespec pause  = { 0, 5000000 };
    photon_telemetry      before = { .work_cycles = -1 }, t = { .n_done = 0 };

    for (int k = 0; k < 1000; k++) {
        (void)nanosleep(&pause, NULL);
        trial_expect(photon_session_telemetry(session, &t) == PHOTON_SESSION_OK, "telemetry");
        if (t.work_cycles != before.work_cycles || t.warp_busy_ns != before.warp_busy_ns)
            before = t;
        else if (t.n_samples >= before.n_samples + 2)
            break;
    }
    return t;
}

/* Parts of one clock: their sum is no more than the whole. */
static void check_stages(const photon_telemetry *t)
{
    static const char *const name[PHOTON_STAGES] = { "initialize", "propagate", "postprocess",
                                                     "compact", "emit_secondary" };
    double                   sum                 = 0;

    for (int stage = 0; stage < PHOTON_STAGES; stage++) {
        trial_expect(t->stage_cycles[stage] > 0, "no cycles of %s", name[stage]);
        sum += t->stage_cycles[stage];
    }
    trial_expect(sum <= t->work_cycles, "stages of %g cycles in %g", sum, t->work_cycles);
}

static void check_telemetry(session_rig *rig)
{
    const photon_session_config   config  = { .slots = 2, .sample_interval_ns = 1e4 };
    photon_session               *session = session_test_open(rig, &config);
    const photon_event_descriptor e       = event_of(EVENTS - 1);
    photon_telemetry              t       = telemetry_at_rest(session);
    photon_future                *f;

    trial_expect(t.work_cycles == 0 && t.warp_steps == 0 && t.busy_warps == 0 &&
                     t.finished_most == 0,
                 "work before the first event: %g cycles, %g steps", t.work_cycles, t.warp_steps);
    for (int stage = 0; stage < PHOTON_STAGES; stage++)
        trial_expect(t.stage_cycles[stage] == 0, "stage %d before the first event", stage);
    for (int k = 0; k < 3; k++) {
        trial_expect(photon_submit_event(session, &e, &f) == PHOTON_SESSION_OK, "telemetry");
        trial_expect(photon_session_telemetry(session, &t) == PHOTON_SESSION_OK, "while it runs");
        check_future(f, &expected[EVENTS - 1], "telemetry");
        photon_future_free(f);
    }
    t = telemetry_at_rest(session);
    trial_expect(t.n_submitted == 3 && t.n_done == 3 && t.n_cancelled == 0 && t.n_queued == 0,
                 "counts: %d, %d, %d, %d", (int)t.n_submitted, (int)t.n_done, (int)t.n_cancelled,
                 (int)t.n_queued);
    trial_expect(t.n_samples > 0 && t.busy_warps >= 0 &&
                     t.busy_warps <= (double)(t.n_samples * t.n_warps),
                 "%d samples of %g warps at work", (int)t.n_samples, t.busy_warps);
    trial_expect(t.finished_most > 0 && t.finished_most < e.photons && t.finished_photons == 0 &&
                     t.unfinished == 0,
                 "%d finished of %d, at most %d", (int)t.finished_photons, (int)e.photons,
                 (int)t.finished_most);
    trial_expect(t.lane_steps >= 3 * (double)e.photons && t.lane_steps <= 32 * t.warp_steps,
                 "%g steps of lanes in %g of warps", t.lane_steps, t.warp_steps);
    trial_expect(t.warp_busy_ns >= t.sm_busy_ns && t.sm_busy_ns > 0 && t.time_ns > 0,
                 "busy %g ns of SMs, %g of warps, in %g", t.sm_busy_ns, t.warp_busy_ns, t.time_ns);
    check_stages(&t);
    trial_expect(photon_session_close(session) == PHOTON_SESSION_OK, "telemetry: close");
}

int main(void)
{
    const photon_staging_spec spec = { PHOTONS_MOST, 2, RESULTS };
    session_rig               rig;
    const int                 status = session_rig_start(&rig, &spec, "test_photon_session");
    session_expected          other;

    if (status >= 0)
        return status;
    for (int k = 0; k < EVENTS; k++) {
        const photon_event_descriptor e = event_of(k);

        trial_expect(session_expect(&rig, &e, SESSION_PER_STEP, &expected[k]) &&
                         session_expect(&rig, &e, SESSION_PERSISTENT, &other),
                     "event %d: no answer of the variants", k);
        trial_expect(memcmp(other.records, expected[k].records, (size_t)other.words * 4) == 0,
                     "event %d: persistent and per_step differ", k);
        session_expected_free(&other);
        check_reference(&rig, k);
    }
    check_replay(&rig);
    check_telemetry(&rig);
    for (int k = 0; k < EVENTS; k++)
        session_expected_free(&expected[k]);
    session_rig_close(&rig);
    return trial_finish("test_photon_session");
}
