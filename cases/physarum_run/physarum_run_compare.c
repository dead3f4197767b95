/* The comparer of physarum_run. Two correct kernels that round differently diverge after some
 * steps, so that the end of a call cannot be compared with a reference from its beginning. Every
 * call stores the state before its last step; from there the last step is compared with the
 * reference in double, agent by agent and cell by cell. Whether that state came from the input is
 * judged by what no rounding changes: agents keep their headings modulo the turn, and (an invariant
 * of the case) mass balances. Over few steps, agents and field stay near the reference's. */
#include "physarum_run_compare.h"

#include "../../kernels/physarum/physarum_case.h"
#include "../../reference/physarum/physarum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BINS = 64 /* of headings modulo the turn */
};

typedef struct run {
    const assay_evidence *e;
    physarum_model        m;
    const float          *pos, *angle, *field;             /* before the last step, as stored */
    const float          *new_pos, *new_angle, *new_field; /* after it */
    int64_t               cells, steps;
    assay_expected        expect[3];
} run;

/* Writes the reason; `text` says what is wrong. */
static assay_verdict wrong(char *reason, size_t size, const char *text)
{
    const size_t n = strlen(text) < size ? strlen(text) : size - 1;

    memcpy(reason, text, n);
    reason[n] = '\0';
    return ASSAY_WRONG_VALUE;
}

static double fewer_than(double mean) { return mean + 6 * sqrt(mean) + 12; }

/* ---- the state before the last step */

static bool is_place(const run *r, float v, int64_t extent)
{
    const bool is_open = r->m.semantics == PHYSARUM_CANONICAL;

    return v >= 0 && (is_open ? v < (float)extent : v <= (float)extent);
}

static bool are_places(const run *r, const float *pos)
{
    for (int64_t i = 0; i < r->m.agents; i++)
        if (!is_place(r, pos[2 * i], r->m.height) || !is_place(r, pos[2 * i + 1], r->m.width))
            return false;
    return true;
}

static bool are_finite(const float *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(from[i]))
            return false;
    return true;
}

/* Headings modulo the turn in bins; `edge` counts headings that an error may carry into a bin or
 * out of it. */
typedef struct histogram {
    int64_t count[BINS], edge[BINS];
} histogram;

static histogram histogram_of(const run *r, const float *angle, double error)
{
    const double width = (double)r->m.spread / BINS;
    histogram    h     = { .edge = { 0 } };

    for (int64_t i = 0; i < r->m.agents; i++) {
        const double turns = floor((double)angle[i] / (double)r->m.spread);
        const double rest  = ((double)angle[i] - turns * (double)r->m.spread) / width;
        const int    bin   = (int)rest < BINS ? (int)rest : BINS - 1;
        const double place = rest - bin;

        h.count[bin]++;
        if (fmin(place, 1 - place) * width <= error) {
            h.edge[bin]++;
            h.edge[(bin + (place < 0.5 ? BINS - 1 : 1)) % BINS]++;
        }
    }
    return h;
}

/* No step turns by more than the spread, so that a heading cannot be any number: the error that is
 * allowed below grows with it. */
static bool are_reachable(const run *r)
{
    const float *first = r->e->in[PHYSARUM_BUF_ANGLE];
    double       most  = 4 + (double)(r->steps + 1) * (double)r->m.spread;

    for (int64_t i = 0; i < r->m.agents; i++)
        most = fmax(most, fabs((double)first[i]) + (double)(r->steps + 1) * (double)r->m.spread);
    for (int64_t i = 0; i < r->m.agents; i++)
        if (!(fabs((double)r->angle[i]) <= most))
            return false;
    return true;
}

/* A turn in fp32 is rounded at the size of the heading. */
static bool are_same_headings(const run *r)
{
    const float *first = r->e->in[PHYSARUM_BUF_ANGLE];
    double       most  = 4;
    histogram    at_start, now;
    double       error;

    for (int64_t i = 0; i < r->m.agents; i++)
        most = fmax(most, fabs((double)r->angle[i]) + 1);
    error = (double)(r->steps + 1) * PHYSARUM_ANGLE_ERROR * most / 4;
    if (!(2 * error < (double)r->m.spread / BINS))
        return true; /* bins are too narrow to show anything */
    at_start = histogram_of(r, first, error);
    now      = histogram_of(r, r->angle, error);
    for (int b = 0; b < BINS; b++)
        if (llabs(at_start.count[b] - now.count[b]) > at_start.edge[b] + now.edge[b])
            return false;
    return true;
}

/* ---- few steps: also near the reference */

/* How often agents of the reference were in doubt before. Fields that round differently differ by
 * up to 64 u a step. */
static int64_t doubts_before(const run *r)
{
    physarum_model m = r->m;
    float         *part[3];
    int64_t        doubts = -1;

    m.has_doubts  = true;
    m.field_error = (double)r->steps * 64 * PHYSARUM_ROUNDOFF;
    for (int b = 0; b < 3; b++) {
        const size_t bytes = (size_t)r->e->shape->buf[PHYSARUM_BUF_POS + b].count * sizeof(float);

        part[b] = malloc(bytes + 1);
        if (part[b])
            memcpy(part[b], r->e->in[PHYSARUM_BUF_POS + b], bytes);
    }
    if (part[0] && part[1] && part[2])
        doubts = physarum_advance(&m, part[0], part[1], part[2], r->steps - 1);
    for (int b = 0; b < 3; b++)
        free(part[b]);
    return doubts;
}

static double distance_on(double a, double b, double period)
{
    const double d = fabs(a - b);

    return period > 0 ? fmin(d, fabs(period - d)) : d;
}

/* Is the stored agent i the reference's agent k? Within a millionth of the extent a step, and by
 * heading. */
static bool is_agent(const run *r, int64_t i, int64_t k)
{
    const double *pos       = r->e->expected[PHYSARUM_BUF_BEFORE_POS].value;
    const double *angle     = r->e->expected[PHYSARUM_BUF_BEFORE_ANGLE].value;
    const double  extent[2] = { (double)r->m.height, (double)r->m.width };
    const double  turn      = r->m.semantics == PHYSARUM_CANONICAL ? 6.283185307179586 : 0;
    const double  near      = (double)r->steps * 4 * PHYSARUM_ANGLE_ERROR;

    for (int64_t a = 0; a < 2; a++)
        if (!(distance_on((double)r->pos[2 * i + a], pos[2 * k + a], extent[a]) <=
              near * (1 + extent[a] / 8)))
            return false;
    return distance_on((double)r->angle[i], angle[k], turn) <= near;
}

/* For any order in which a kernel keeps its agents; most kernels keep the input's. */
static int64_t count_strangers(const run *r)
{
    const int64_t n         = r->m.agents;
    uint8_t      *is_used   = calloc((size_t)n + 1, 1);
    int64_t       strangers = is_used ? 0 : n;

    for (int64_t i = 0; i < n && is_used; i++) {
        int64_t k = 0;

        while (k < n && (is_used[(i + k) % n] || !is_agent(r, i, (i + k) % n)))
            k++;
        if (k < n)
            is_used[(i + k) % n] = 1;
        strangers += k == n;
    }
    free(is_used);
    return strangers;
}

static double field_distance(const run *r)
{
    const double *expected = r->e->expected[PHYSARUM_BUF_BEFORE_FIELD].value;
    double        off      = 0;

    for (int64_t i = 0; i < r->cells; i++)
        off += fmax(0, fabs((double)r->field[i] - expected[i]) -
                           (double)r->steps * 64 * PHYSARUM_ROUNDOFF * (fabs(expected[i]) + 1));
    return off;
}

/* One agent in doubt may go astray, and lead another one astray a step, which doubles their number.
 * Each moves two deposits a step. */
static bool is_near_reference(const run *r)
{
    const int64_t doubts = doubts_before(r);
    const double  astray = (double)doubts * ldexp(0.25, (int)r->steps);

    return doubts >= 0 && (double)count_strangers(r) <= astray &&
           field_distance(r) <= 2 * r->m.deposit * (double)r->steps * astray;
}

static assay_verdict judge_before(const run *r, char *reason, size_t size)
{
    if (!are_places(r, r->pos))
        return wrong(reason, size, "before the last step an agent is not on the grid");
    if (!are_finite(r->angle, r->m.agents) || !are_finite(r->field, r->cells))
        return wrong(reason, size, "before the last step a heading or a cell is no number");
    if (!are_reachable(r) || !are_same_headings(r))
        return wrong(reason, size,
                     "headings modulo the turn are not those that the agents began with");
    if (physarum_is_followed(&r->m, r->steps) && !is_near_reference(r))
        return wrong(reason, size, "within a few steps the state is another than the reference's");
    return ASSAY_PASS;
}

/* ---- the last step */

static bool is_within(double got, const assay_expected *e, int64_t i)
{
    const double bound = PHYSARUM_ROUNDOFF * (fabs(e->value[i]) + e->magnitude[i]);

    return fabs(got - e->value[i]) <= bound;
}

/* Elements outside their bounds: exempt ones, and others. */
typedef struct count {
    int64_t exempt, wrong;
} count;

static count count_off(const float *got, const assay_expected *e, int64_t n)
{
    count c = { 0, 0 };

    for (int64_t i = 0; i < n; i++) {
        if (is_within((double)got[i], e, i))
            continue;
        c.exempt += e->law[i] == ASSAY_EXEMPT;
        c.wrong += e->law[i] != ASSAY_EXEMPT;
    }
    return c;
}

/* The field that follows from the agents as they were stored: no cell is exempt. */
static bool is_field_of_agents(run *r)
{
    assay_expected *f = &r->expect[2];

    physarum_next_field(&r->m, r->field, r->new_pos,
                        &(physarum_field_out) { .value = f->value, .magnitude = f->magnitude });
    for (int64_t i = 0; i < r->cells; i++)
        if (!is_within((double)r->new_field[i], f, i))
            return false;
    return true;
}

static assay_verdict judge_last(run *r, char *reason, size_t size)
{
    const int64_t n = r->m.agents;
    count         pos, angle;
    double        most;

    physarum_expect(&r->m, &(physarum_state) { r->pos, r->angle, r->field }, &r->expect[0],
                    &r->expect[1], &r->expect[2]);
    if (!are_places(r, r->new_pos))
        return wrong(reason, size, "after the last step an agent is not on the grid");
    pos   = count_off(r->new_pos, &r->expect[0], 2 * n);
    angle = count_off(r->new_angle, &r->expect[1], n);
    most  = fewer_than((double)n * physarum_doubt_share(&r->m));
    if (pos.wrong > 0)
        return wrong(reason, size, "the last step moves agents to other places than the reference");
    if (angle.wrong > 0)
        return wrong(reason, size, "the last step turns agents other ways than the reference");
    if ((double)pos.exempt > 2 * most || (double)angle.exempt > most)
        return wrong(reason, size,
                     "in the last step more agents differ under an exemption than predicted");
    if (!is_field_of_agents(r))
        return wrong(reason, size, "the field is not the one that follows from the agents");
    return ASSAY_PASS;
}

/* ---- all of it */

static bool allocate(assay_expected *e, int64_t n)
{
    const size_t size = (size_t)n + 1;

    e->value     = calloc(size, sizeof *e->value);
    e->magnitude = calloc(size, sizeof *e->magnitude);
    e->law       = calloc(size, sizeof *e->law);
    return e->value && e->magnitude && e->law;
}

static void release(assay_expected *e)
{
    free(e->value);
    free(e->magnitude);
    free(e->law);
}

assay_verdict physarum_run_compare(const assay_evidence *e, char *reason, size_t size)
{
    run r = {
        .e         = e,
        .m         = physarum_model_of(e->shape->param, e->shape->scalar, e->parallel_for),
        .pos       = e->out[PHYSARUM_BUF_BEFORE_POS],
        .angle     = e->out[PHYSARUM_BUF_BEFORE_ANGLE],
        .field     = e->out[PHYSARUM_BUF_BEFORE_FIELD],
        .new_pos   = e->out[PHYSARUM_BUF_NEW_POS],
        .new_angle = e->out[PHYSARUM_BUF_NEW_ANGLE],
        .new_field = e->out[PHYSARUM_BUF_NEW_FIELD],
        .cells     = e->shape->param[PHYSARUM_PARAM_HEIGHT] * e->shape->param[PHYSARUM_PARAM_WIDTH],
        .steps     = e->shape->param[PHYSARUM_PARAM_STEPS],
    };
    const bool has_memory = allocate(&r.expect[0], 2 * r.m.agents) &&
                            allocate(&r.expect[1], r.m.agents) && allocate(&r.expect[2], r.cells);
    assay_verdict verdict = ASSAY_NOT_RUN; /* not a finding: the harness says so */

    if (has_memory)
        verdict = judge_before(&r, reason, size);
    if (verdict == ASSAY_PASS)
        verdict = judge_last(&r, reason, size);
    for (int b = 0; b < 3; b++)
        release(&r.expect[b]);
    return verdict;
}
