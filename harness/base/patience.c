/* How long a process may be silent: see patience.h. */
#include "patience.h"

#include "clock.h"
#include "text.h"

#include <math.h>

static const double LEAST_STEP_S = 0.005; /* half a tick of the clock in which CPU time is given */

void assay_patience_begin(assay_patience *p, pid_t pid, double limit_s)
{
    p->pid     = pid;
    p->limit_s = limit_s;
    p->began_s = assay_clock_s();
    p->used_s = p->slept_s = 0;
    p->n_looks             = 0;
}

double assay_patience_wait_s(const assay_patience *p)
{
    const double left_s = p->limit_s - (assay_clock_s() - p->began_s);

    return p->pid > 0 ? ASSAY_LOOK_S : fmax(left_s, 0);
}

static const double *find(const assay_look *look, pid_t thread)
{
    for (int i = 0; i < look->n; i++)
        if (look->rows[i].thread == thread)
            return &look->rows[i].cpu_s;
    return NULL;
}

/* The CPU time that this thread of `to` had in `from`. 0 for a new thread, and for one that reuses
 * the number of an ended one. */
static double before_s(const assay_look *from, pid_t thread, double now_s)
{
    const double *before = find(from, thread);

    return before && *before <= now_s ? *before : 0;
}

static bool is_there_still(const assay_look *to, pid_t thread, double cpu_s)
{
    const double *now = find(to, thread);

    return now && *now >= cpu_s;
}

/* The CPU time in `from` of all other threads, including those that have ended since. */
static double rest_at(const assay_look *from, const assay_look *to)
{
    double rest_s = from->rest_s;

    for (int i = 0; i < from->n; i++)
        if (!is_there_still(to, from->rows[i].thread, from->rows[i].cpu_s))
            rest_s += from->rows[i].cpu_s;
    return rest_s;
}

/* The most CPU time that one thread has used between two looks. All ended threads count as one. */
static double most_used_s(const assay_look *from, const assay_look *to)
{
    double most_s = to->rest_s - rest_at(from, to);

    for (int i = 0; i < to->n; i++) {
        const double now_s = to->rows[i].cpu_s;

        most_s = fmax(most_s, now_s - before_s(from, to->rows[i].thread, now_s));
    }
    return most_s;
}

bool assay_patience_judge(assay_patience *p, const assay_look *look, double elapsed_s)
{
    if (!look) {
        p->used_s = elapsed_s;
        return p->used_s >= p->limit_s;
    }
    if (p->n_looks == 0) {
        p->first = *look;
    } else {
        /* Ended threads may have run side by side. */
        p->used_s = fmin(most_used_s(&p->first, look), elapsed_s);
        if (!look->can_run && most_used_s(&p->last, look) < LEAST_STEP_S)
            p->slept_s += ASSAY_LOOK_S;
    }
    p->last = *look;
    p->n_looks++;
    return p->used_s >= p->limit_s || p->slept_s >= p->limit_s + ASSAY_SLEEP_GRACE_S;
}

bool assay_patience_is_over(assay_patience *p)
{
    assay_look   now;
    const bool   is_seen   = p->pid > 0 && assay_process_look(p->pid, &now);
    const double elapsed_s = assay_clock_s() - p->began_s;

    return assay_patience_judge(p, is_seen ? &now : NULL, elapsed_s);
}

const char *assay_patience_text(const assay_patience *p, char *text, size_t size)
{
    if (p->n_looks == 0)
        (void)assay_text_set(text, size, "within %g s", p->limit_s);
    else if (p->used_s >= p->limit_s)
        (void)assay_text_set(text, size, "within %g s of CPU time", p->limit_s);
    else
        (void)assay_text_set(text, size, "in %g s in which none of its threads could run",
                             p->slept_s);
    return text;
}
