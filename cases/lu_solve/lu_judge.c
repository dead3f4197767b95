/* The judges of lu_solve. A solution is judged by its residual (backward error): how far it is from
 * the exact one says more of the matrix than of the kernel. */
#include "lu_judge.h"

#include "../../reference/lu_solve/lu_factor.h"

#include <math.h>
#include <stdio.h>

enum {
    CHUNKS = 64
};

/* ---- who is reported, who is solved ---- */

typedef enum finding {
    RIGHT,
    NOT_REPORTED,
    WRONG_COLUMN,
    NOT_NAN,
    NOT_FINITE,
    NOT_EXACT
} finding;

static const struct {
    assay_verdict verdict;
    const char   *what;
} findings[] = {
    [RIGHT]        = { ASSAY_PASS, "right" },
    [NOT_REPORTED] = { ASSAY_WRONG_VALUE, "it is singular, and not reported" },
    [WRONG_COLUMN] = { ASSAY_WRONG_VALUE, "another column is reported, or a matrix that is sound" },
    [NOT_NAN]      = { ASSAY_WRONG_VALUE, "it is reported, and its x is not NaN throughout" },
    [NOT_FINITE]   = { ASSAY_NOT_FINITE, "it is not reported, and its x is not finite" },
    [NOT_EXACT]    = { ASSAY_WRONG_VALUE, "every step is exact, and x is not" },
};

typedef struct comparison {
    const assay_evidence *evidence;
    struct {
        finding found;
        int64_t m;
    } first[CHUNKS];
} comparison;

static int64_t info_of(const assay_evidence *e, int64_t m)
{
    return ((const int32_t *)e->out[LU_BUF_INFO])[m];
}

static double x_of(const assay_evidence *e, int64_t i)
{
    return assay_type_load((assay_type)e->shape->param[LU_PARAM_TYPE], e->out[LU_BUF_X], i);
}

static bool is_open(const assay_evidence *e, int64_t m)
{
    return e->expected[LU_BUF_INFO].law[m] == ASSAY_EXEMPT;
}

static finding judge_info(const assay_evidence *e, int64_t m)
{
    const int64_t info = info_of(e, m), wanted = e->expected[LU_BUF_INFO].integer[m];

    if (is_open(e, m))
        return info == 0 || (info >= wanted && info <= e->shape->param[LU_PARAM_N]) ? RIGHT
                                                                                    : WRONG_COLUMN;
    return info == wanted ? RIGHT : info == 0 ? NOT_REPORTED : WRONG_COLUMN;
}

static finding judge_system(const assay_evidence *e, int64_t m)
{
    const int64_t n     = e->shape->param[LU_PARAM_N];
    finding       found = judge_info(e, m);

    for (int64_t i = m * n; i < (m + 1) * n && found == RIGHT; i++) {
        const double x = x_of(e, i);

        if (info_of(e, m) != 0)
            found = isnan(x) ? RIGHT : NOT_NAN;
        else if (!isfinite(x))
            found = NOT_FINITE;
        else if (e->input == ASSAY_INPUT_EXACT && x != e->expected[LU_BUF_X].value[i])
            found = NOT_EXACT;
    }
    return found;
}

static void compare_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    comparison *c = context;

    for (int64_t m = begin; m < end && c->first[chunk].found == RIGHT; m++) {
        c->first[chunk].found = judge_system(c->evidence, m);
        c->first[chunk].m     = m;
    }
}

assay_verdict lu_solve_compare(const assay_evidence *e, char *reason, size_t size)
{
    comparison    c     = { .evidence = e };
    const int64_t batch = e->shape->param[LU_PARAM_BATCH];

    e->parallel_for(batch, batch / CHUNKS + 1, compare_chunk, &c);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        const finding found = c.first[chunk].found;

        if (found == RIGHT)
            continue;
        (void)snprintf(reason, size, "matrix %lld (info %lld, expected %lld): %s",
                       (long long)c.first[chunk].m, (long long)info_of(e, c.first[chunk].m),
                       (long long)e->expected[LU_BUF_INFO].integer[c.first[chunk].m],
                       findings[found].what);
        return findings[found].verdict;
    }
    return ASSAY_PASS;
}

/* ---- residuals ---- */

typedef struct residuals {
    const assay_evidence *evidence;
    double                worst[CHUNKS];
} residuals;

/* Half the distance from |x| to the next number of the type: how far the rounding of x may move it. */
static double half_step(assay_type type, double x)
{
    const double next = assay_type_at(type, assay_type_place(type, fabs(x)) + 1);

    return isfinite(next) ? (next - fabs(x)) / 2 : fabs(x) * assay_type_roundoff(type);
}

/* A step is 3 sums, of elimination and of both substitutions, whose n roundings each are at most u of
 * a part of (|L| |U| |x|)[i]. They are independent, so that 4 * sqrt(n) u is 4 deviations and more. */
static double bound_of(const lu_factors *f, double rounding, double sum)
{
    return rounding + 4 * sqrt((double)f->n) * ASSAY_U32_ROUNDOFF * sum;
}

/* The largest |b - A x| of a matrix over its bound. */
static double residual_of(const assay_evidence *e, const lu_factors *f, int64_t m)
{
    const assay_type type = (assay_type)e->shape->param[LU_PARAM_TYPE];
    double           x[LU_MAX_N], sums[LU_MAX_N], worst = 0;

    for (int64_t j = 0; j < f->n; j++)
        x[j] = x_of(e, m * f->n + j);
    lu_factors_sums(f, x, sums);
    for (int64_t i = 0; i < f->n; i++) {
        double residual = assay_type_load(type, e->in[LU_BUF_B], m * f->n + i), rounding = 0;

        for (int64_t j = 0; j < f->n; j++) {
            const double a = assay_type_load(type, e->in[LU_BUF_A], (m * f->n + j) * f->n + i);

            residual -= a * x[j];
            rounding += fabs(a) * half_step(type, x[j]);
        }
        const double ratio = fabs(residual) / bound_of(f, rounding, sums[i]);

        worst = ratio <= worst || residual == 0 ? worst : ratio;
    }
    return worst;
}

static void measure_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    residuals           *r = context;
    const assay_evidence *e = r->evidence;
    lu_factors            f;

    for (int64_t m = begin; m < end; m++) {
        if (info_of(e, m) != 0)
            continue;
        lu_factor(&f, (assay_type)e->shape->param[LU_PARAM_TYPE], e->in[LU_BUF_A],
                  e->shape->param[LU_PARAM_N], m);
        if (f.kind == LU_SINGULAR)
            continue;
        const double worst = residual_of(e, &f, m);

        r->worst[chunk] = worst <= r->worst[chunk] ? r->worst[chunk] : worst;
    }
}

assay_invariant_result lu_solve_residual(const assay_evidence *e)
{
    residuals     r     = { .evidence = e };
    const int64_t batch = e->shape->param[LU_PARAM_BATCH];
    double        worst = 0;

    e->parallel_for(batch, batch / CHUNKS + 1, measure_chunk, &r);
    for (int chunk = 0; chunk < CHUNKS; chunk++)
        worst = r.worst[chunk] <= worst ? worst : r.worst[chunk];
    return (assay_invariant_result) { .value = worst, .bound = 1 };
}
