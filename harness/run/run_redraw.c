/* Replaces inputs by other contents, so that an answer that a launcher keeps from an earlier call
 * is of no use to it, or is noticed. */
#include "run_time_internal.h"

#include "base/entropy.h"
#include "base/text.h"

#include <math.h>

static bool is_running(const point_timing *a) { return a->is_up && !assay_run_has_failed(&a->p); }

static assay_status redraw_one(point_timing *a, uint64_t draw)
{
    progress    *p  = &a->p;
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_run_prepare(p, assay_run_timed_input(p->point), draw));
    assay_run_bind(p);
    ASSAY_CHECK(assay_buffers_arm(&p->buffers, p->inputs, 0, true));
    a->draw = draw;
out:
    return st;
}

assay_status assay_run_redraw(group *g, int first, int end, uint64_t draw)
{
    assay_status st = ASSAY_OK;

    for (int i = first; i < end && !g->runner->is_spent; i++)
        if (is_running(&g->timings[i]) && g->timings[i].draw != draw)
            ASSAY_CHECK(redraw_one(&g->timings[i], draw));
out:
    return st;
}

/* ---- after a block ---- */

assay_status assay_run_prove_block(group *g, point_timing *a)
{
    const assay_judged *judged = &a->timed->judged.of_draw[a->draw];
    assay_fault         fault;
    assay_status        st = ASSAY_OK;

    if (a->n_metrics == 0 || !is_running(a))
        return ASSAY_OK;
    ASSAY_CHECK(
        a->p.sink->note(a->p.sink->context, a->p.place, "proof", assay_run_timing_limit_s(g, a)));
    ASSAY_CHECK(assay_timer_call_unannounced(a->timer[0], &fault));
    assay_run_add_fault(&a->p, &fault);
    if (is_running(a))
        ASSAY_CHECK(assay_run_verify_left(&a->p, judged));
out:
    return st;
}

/* ---- after all blocks ---- */

/* Chooses contents that no launcher can have met before, in this run or in another. */
static assay_status choose_draw(uint64_t *draw)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_entropy_fill(draw, sizeof *draw));
    *draw |= UINT64_C(1) << 63; /* differs from all numbers of blocks */
out:
    return st;
}

/* The timer that overwrites outputs before each sample; NULL: there is none. */
static assay_timer *timer_of(const point_timing *a)
{
    for (int m = 0; m < a->n_metrics; m++)
        if (assay_timer_spoils(a->timer[m]))
            return a->timer[m];
    return NULL;
}

static assay_status take_one(group *g, point_timing *a, uint64_t draw, double *time_ns)
{
    assay_fault  fault;
    assay_status st = ASSAY_OK;

    *time_ns = NAN;
    /* In case of doubt, makes caches and threads of the host alike: the code that makes the inputs
     * runs again. */
    if (!a->p.memory.api && a->kept.n > 0)
        assay_inputs_free(a->p.inputs);
    ASSAY_CHECK(redraw_one(a, draw));
    ASSAY_CHECK(
        a->p.sink->note(a->p.sink->context, a->p.place, "timing", assay_run_timing_limit_s(g, a)));
    ASSAY_CHECK(assay_timer_take_one(timer_of(a), time_ns, &fault));
    assay_run_add_fault(&a->p, &fault);
out:
    return st;
}

/* Takes one sample with new contents, then one with the same again. */
static assay_status take_pair(group *g, point_timing *a, uint64_t draw)
{
    double       new_ns = NAN, same_ns = NAN;
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(take_one(g, a, draw, &new_ns));
    if (is_running(a))
        ASSAY_CHECK(take_one(g, a, draw, &same_ns));
    assay_shortcut_add(&a->kept, timer_of(a), new_ns, same_ns);
out:
    return st;
}

static bool is_open(const point_timing *a)
{
    return is_running(a) && timer_of(a) && assay_shortcut_is_open(&a->kept);
}

static assay_status take_pairs(group *g, int first, int end, bool *any)
{
    uint64_t     draw;
    assay_status st = ASSAY_OK;

    *any = false;
    ASSAY_CHECK(choose_draw(&draw));
    for (int i = first; i < end && !g->runner->is_spent; i++) {
        if (!is_open(&g->timings[i]))
            continue;
        ASSAY_CHECK(take_pair(g, &g->timings[i], draw));
        *any = true;
    }
out:
    return st;
}

static void judge_kept(point_timing *a)
{
    char where[64], reason[ASSAY_REASON_SIZE];

    if (!is_running(a) || !assay_shortcut_is_found(&a->kept))
        return;
    assay_timer_name(timer_of(a), where, sizeof where);
    (void)assay_text_set(reason, sizeof reason,
                         "it takes %.4g us with the inputs of the call before, and %.4g us with "
                         "new ones (%s): it keeps its answer",
                         1e-3 * a->kept.spared_ns, 1e-3 * a->kept.full_ns, where);
    assay_run_add_finding(&a->p, ASSAY_SUSPECT, reason);
}

assay_status assay_run_judge_kept(group *g, int first, int end)
{
    bool         any = g->process == 0 && !g->records;
    assay_status st  = ASSAY_OK;

    while (any && !g->runner->is_spent)
        ASSAY_CHECK(take_pairs(g, first, end, &any));
    for (int i = first; i < end; i++)
        judge_kept(&g->timings[i]);
out:
    return st;
}
