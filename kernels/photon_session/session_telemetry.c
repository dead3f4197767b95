/* Telemetry: counts of the host, the kernel's own samples, and the SMs' clocks. */
#include "session_internal.h"

#include <sched.h>

static void set_depth(int64_t depth, int64_t *now, int64_t *most)
{
    *now  = depth;
    *most = depth > *most ? depth : *most;
}

static void read_sample(photon_telemetry *t, const session_sample *sample)
{
    t->n_samples++;
    t->busy_warps += sample->n_busy_warps;
    t->unfinished = sample->n_unfinished;
    set_depth(sample->n_active, &t->active_photons, &t->active_most);
    set_depth(sample->n_spawn, &t->spawn_queue, &t->spawn_most);
    set_depth(sample->n_finished, &t->finished_photons, &t->finished_most);
}

/* Samples that the device may be overwriting are lost. */
void session_read_samples(photon_session *s)
{
    uint32_t n;

    (void)pthread_mutex_lock(&s->lock);
    n = __atomic_load_n(&s->mail->n_samples, __ATOMIC_ACQUIRE);
    if (n - s->n_samples > SESSION_SAMPLES / 2) {
        s->totals.n_samples_lost += n - s->n_samples - SESSION_SAMPLES / 2;
        s->n_samples = n - SESSION_SAMPLES / 2;
    }
    for (; s->n_samples != n; s->n_samples++) {
        const session_sample *const sample = &s->mail->sample[s->n_samples % SESSION_SAMPLES];

        read_sample(&s->totals, sample);
        session_say_sample(s, s->n_samples, sample);
    }
    (void)pthread_mutex_unlock(&s->lock);
}

/* Fetches the SMs' clocks and the kernel's control words, on the stream of reductions. */
static bool fetch_clocks(photon_session *s)
{
    const uint64_t begun   = session_now_ns();
    const uint32_t n       = SESSION_SMS;
    void *const    control = s->clocks + n;

    if (!photon_runtime_copy(s->runtime, PHOTON_STREAM_REDUCE, s->clocks, s->launch.clocks,
                             n * sizeof *s->clocks) ||
        !photon_runtime_copy(s->runtime, PHOTON_STREAM_REDUCE, control, s->launch.control,
                             sizeof *s->launch.control) ||
        !photon_runtime_mark(s->runtime, PHOTON_STREAM_REDUCE, PHOTON_MARK_TELEMETRY))
        return false;
    while (!photon_runtime_is_past(s->runtime, PHOTON_MARK_TELEMETRY)) {
        if ((double)(session_now_ns() - begun) > s->config.patience_ns)
            return false;
        (void)sched_yield();
    }
    return true;
}

/* A period of work that has not ended has only subtracted its start from the sum: the present time
 * is added. */
static void reduce(photon_session *s, photon_telemetry *t)
{
    const session_control *const control = (const session_control *)(s->clocks + SESSION_SMS);
    const uint64_t               beat    = __atomic_load_n(&s->mail->beat_ns, __ATOMIC_ACQUIRE);
    const int64_t now = beat > control->begun_ns ? (int64_t)(beat - control->begun_ns) : 0;

    t->n_sms   = s->launch.n_sms;
    t->n_warps = (int64_t)s->launch.blocks * s->launch.block / 32;
    t->time_ns = (double)now;
    for (uint32_t k = 0; k < s->launch.n_sms; k++) {
        const session_clock *const c     = &s->clocks[k];
        const int64_t              sm_ns = (int64_t)c->sm_ns;

        t->sm_busy_ns += (double)(sm_ns < 0 ? sm_ns + now : sm_ns);
        t->warp_busy_ns += (double)((int64_t)c->warp_ns + c->n_busy * now);
        t->warp_steps += (double)c->n_steps;
        t->lane_steps += (double)c->n_lanes;
        t->work_cycles += (double)c->work_cycles;
        for (int stage = 0; stage < PHOTON_STAGES; stage++)
            t->stage_cycles[stage] += (double)c->stage_cycles[stage];
    }
}

photon_session_status photon_session_telemetry(photon_session *s, photon_telemetry *t)
{
    photon_session_status st = PHOTON_SESSION_OK;

    session_read_samples(s);
    (void)pthread_mutex_lock(&s->lock);
    *t           = s->totals;
    t->n_queued  = s->n_queued;
    t->n_running = s->n_running;
    if (s->is_lost)
        st = PHOTON_SESSION_LOST;
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_mutex_lock(&s->telemetry_lock);
    if (st == PHOTON_SESSION_OK && fetch_clocks(s))
        reduce(s, t);
    else
        st = PHOTON_SESSION_LOST;
    (void)pthread_mutex_unlock(&s->telemetry_lock);
    return st;
}
