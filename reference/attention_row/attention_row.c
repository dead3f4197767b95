/* Scaled dot-product attention and its gradient in double, from the definition. Each value comes
 * with the error that fp32 arithmetic may make, to first order, in units of u = 2^-24:
 *
 *   score s of size d          sqrt(d) u |scale| |q| |k|: a sum of d products, whose terms sum up
 *                              to at most the product of the norms; and the roundings of the scale,
 *                              of the conversion to powers of two, and of the sum with the bias
 *   exp(s - m)                 relative: 2 |s - m| u and the function's own 4 u
 *   a running maximum          rescales what was summed by a rounded factor; for n keys in any
 *                              order about log(n) times
 *   out = sum P v              P ds (v - out): the common part of all scores of a row cancels, so
 *                              that a row that sees one key has no error from its score
 *   sums of n terms            sqrt(n) u of the sum of their magnitudes (Higham and Mary 2019)
 *   types of 16 bits           P and dS may be rounded to the type, as matrix instructions take
 *                              them, independently of each other; and out before its product with
 *                              d_out
 *
 * The backward pass computes P again from the logarithm of the row's sum, which was rounded: there
 * nothing cancels. */
#include "kernel.h"

#include "../../kernels/attention_row/attention_case.h"

#include <math.h>
#include <stdlib.h>

assay_reference_fn attention_row_reference;

static const double UNIT = 0x1p-24;

enum {
    ROWS_OF_A_CHUNK = 16
};

/* What is known of a row after all its keys. */
typedef struct row_facts {
    double top, log_sum; /* maximum; logarithm of the sum of exp(s - maximum) */
    double score_error;  /* sum of P times the errors of the scores */
    double delta, delta_error;
} row_facts;

typedef struct problem {
    const assay_reference_args *args;
    int64_t                     heads, n_q, n_k, d;
    bool                        is_causal;
    double                      scale;
    double     u_type, tiny; /* of values that are rounded to 16 bits; 0 for fp32 */
    double    *q, *k, *v, *d_out;
    double    *q_norm, *k_norm, *v_norm, *d_out_norm;
    row_facts *rows;
} problem;

/* ---- a row and a key */

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double bias_of(const problem *p, int64_t head, int64_t key)
{
    const float *bias = p->args->in[ATTN_BUF_BIAS];

    return p->args->count[ATTN_BUF_BIAS] == 0 ? 0 : (double)bias[head / p->heads * p->n_k + key];
}

static bool is_seen(const problem *p, int64_t head, int64_t query, int64_t key)
{
    return !(p->is_causal && key > query) && bias_of(p, head, key) > (double)-INFINITY;
}

/* The score, and the part of its error that does not come from the exponential. */
static double score(const problem *p, int64_t row, int64_t column, double *error)
{
    const double product = p->scale * dot(p->q + row * p->d, p->k + column * p->d, p->d);
    const double sum     = product + bias_of(p, column / p->n_k, column % p->n_k);

    *error = sqrt((double)p->d) * p->scale * p->q_norm[row] * p->k_norm[column] +
             3 * fabs(product) + fabs(sum);
    return sum;
}

static double power_error(const problem *p, double below_top)
{
    return 2 * below_top + 4 + 4 * sqrt(log2((double)p->n_k) + 1);
}

/* The error of a rounding to the type of the buffers, in units of u. */
static double narrowed(const problem *p, double x)
{
    return p->u_type == 0 ? 0 : fmax(p->u_type * fabs(x), p->tiny) / UNIT;
}

/* ---- forward: one row */

typedef struct scratch {
    double *weight, *error; /* of each key */
    double *sum, *magnitude, *square;
} scratch;

/* Turns scores of the row into weights P, with their errors; false if it sees no key. */
static bool weigh(problem *p, int64_t row, const scratch *s)
{
    const int64_t head  = row / p->n_q;
    row_facts    *facts = &p->rows[row];
    double        sum   = 0;

    facts->top = (double)-INFINITY;
    for (int64_t j = 0; j < p->n_k; j++) {
        s->weight[j] = is_seen(p, head, row % p->n_q, j)
                           ? score(p, row, head * p->n_k + j, &s->error[j])
                           : (double)-INFINITY;
        facts->top   = fmax(facts->top, s->weight[j]);
    }
    if (facts->top == (double)-INFINITY)
        return false;
    for (int64_t j = 0; j < p->n_k; j++) {
        s->error[j] +=
            s->weight[j] > (double)-INFINITY ? power_error(p, facts->top - s->weight[j]) : 0;
        s->weight[j] = exp(s->weight[j] - facts->top);
        sum += s->weight[j];
    }
    facts->log_sum = log(sum);
    for (int64_t j = 0; j < p->n_k; j++) {
        s->weight[j] /= sum;
        facts->score_error += s->weight[j] * (s->weight[j] > 0 ? s->error[j] : 0);
    }
    return true;
}

/* Adds weight * x, and the parts of its error. */
static void accumulate(const problem *p, double weight, const double *x, const scratch *s)
{
    const double rounding = narrowed(p, weight);

    for (int64_t c = 0; c < p->d; c++) {
        const double term = weight * x[c];

        s->sum[c] += term;
        s->magnitude[c] += fabs(term);
        s->square[c] += rounding * rounding * x[c] * x[c];
    }
}

static void clear(const problem *p, const scratch *s)
{
    for (int64_t c = 0; c < p->d; c++)
        s->sum[c] = s->magnitude[c] = s->square[c] = 0;
}

/* Makes a complete sum the expectation of row `at` of a buffer, with `factor`. */
static void finish(const problem *p, int buffer, int64_t at, const scratch *s, double factor,
                   double terms)
{
    const assay_expected *e = &p->args->expect[buffer];

    for (int64_t c = 0; c < p->d; c++) {
        e->value[at * p->d + c] = factor * s->sum[c];
        e->magnitude[at * p->d + c] +=
            factor * (sqrt(terms) * s->magnitude[c] + sqrt(s->square[c]));
    }
}

static void forward_row(const problem *p, int64_t row, const scratch *s)
{
    const assay_expected *e = &p->args->expect[ATTN_BUF_OUT];
    const double         *v = p->v + row / p->n_q * p->n_k * p->d;

    clear(p, s);
    for (int64_t j = 0; j < p->n_k; j++)
        if (s->weight[j] > 0)
            accumulate(p, s->weight[j], v + j * p->d, s);
    finish(p, ATTN_BUF_OUT, row, s, 1, (double)p->n_k);
    for (int64_t j = 0; j < p->n_k; j++)
        for (int64_t c = 0; c < p->d && s->weight[j] > 0; c++)
            e->magnitude[row * p->d + c] +=
                s->weight[j] * s->error[j] * fabs(v[j * p->d + c] - s->sum[c]);
}

/* ---- backward */

/* delta = d_out . out, where out may have been rounded to the type. */
static void find_delta(problem *p, int64_t row)
{
    const assay_expected *e         = &p->args->expect[ATTN_BUF_OUT];
    const double         *d_out     = p->d_out + row * p->d;
    row_facts            *facts     = &p->rows[row];
    double                magnitude = 0, square = 0;

    for (int64_t c = 0; c < p->d; c++) {
        const double out = e->value[row * p->d + c], rounding = narrowed(p, out) * d_out[c];

        facts->delta += d_out[c] * out;
        facts->delta_error += fabs(d_out[c]) * e->magnitude[row * p->d + c];
        magnitude += fabs(d_out[c] * out);
        square += rounding * rounding;
    }
    facts->delta_error += sqrt((double)p->d) * magnitude + sqrt(square);
}

typedef struct pair {
    double weight, d_score; /* P and dS */
    double weight_error, d_score_error;
} pair;

static pair gradient_of(const problem *p, int64_t row, int64_t column, double s, double error)
{
    const row_facts *facts    = &p->rows[row];
    const double     weight   = exp(s - facts->top - facts->log_sum);
    const double     d_weight = dot(p->d_out + row * p->d, p->v + column * p->d, p->d);
    const double     relative = error + power_error(p, facts->top - s) + facts->score_error +
                            fabs(facts->top) + fabs(facts->log_sum);
    const double d_weight_error =
        sqrt((double)p->d) * p->d_out_norm[row] * p->v_norm[column] + fabs(d_weight);

    return (pair) {
        .weight        = weight,
        .d_score       = weight * (d_weight - facts->delta),
        .weight_error  = weight * relative,
        .d_score_error = weight * (relative * fabs(d_weight - facts->delta) + d_weight_error +
                                   facts->delta_error),
    };
}

/* Adds the error of a factor to the outputs of row `at`. */
static void carry(const problem *p, int buffer, int64_t at, double error, const double *x)
{
    double *magnitude = p->args->expect[buffer].magnitude + at * p->d;

    for (int64_t c = 0; c < p->d; c++)
        magnitude[c] += error * fabs(x[c]);
}

static void backward_row(problem *p, int64_t row, const scratch *s)
{
    const int64_t head = row / p->n_q;

    clear(p, s);
    for (int64_t j = 0; j < p->n_k; j++) {
        const int64_t column = head * p->n_k + j;
        double        error;

        if (!is_seen(p, head, row % p->n_q, j))
            continue;
        const double value = score(p, row, column, &error);
        const pair   g     = gradient_of(p, row, column, value, error);

        accumulate(p, g.d_score, p->k + column * p->d, s);
        carry(p, ATTN_BUF_D_Q, row, p->scale * g.d_score_error, p->k + column * p->d);
    }
    finish(p, ATTN_BUF_D_Q, row, s, p->scale, (double)p->n_k);
}

/* Without memory it expects NaN, which the harness refuses. */
static void give_up(const problem *p, int buffer, int64_t begin, int64_t end)
{
    for (int64_t i = begin * p->d; i < end * p->d; i++)
        p->args->expect[buffer].value[i] = (double)NAN;
}

static void rows_of_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    problem      *p      = context;
    double       *memory = calloc((size_t)(2 * p->n_k + 3 * p->d), sizeof(double));
    const scratch s      = { .weight    = memory,
                             .error     = memory + p->n_k,
                             .sum       = memory + 2 * p->n_k,
                             .magnitude = memory + 2 * p->n_k + p->d,
                             .square    = memory + 2 * p->n_k + 2 * p->d };

    (void)chunk;
    if (memory == NULL)
        give_up(p, ATTN_BUF_OUT, begin, end);
    for (int64_t row = begin; row < end && memory != NULL; row++) {
        if (!weigh(p, row, &s))
            continue; /* zero by definition, and so is its gradient */
        forward_row(p, row, &s);
        if (p->args->param[ATTN_PARAM_HAS_BACKWARD]) {
            find_delta(p, row);
            backward_row(p, row, &s);
        }
    }
    free(memory);
}

static void backward_column(problem *p, int64_t column, const scratch *of_k, const scratch *of_v)
{
    const int64_t head = column / p->n_k;

    clear(p, of_k);
    clear(p, of_v);
    for (int64_t i = 0; i < p->n_q; i++) {
        const int64_t row = head * p->n_q + i;
        const double *q = p->q + row * p->d, *d_out = p->d_out + row * p->d;
        double        error;

        if (!is_seen(p, head, i, column % p->n_k))
            continue;
        const double value = score(p, row, column, &error);
        const pair   g     = gradient_of(p, row, column, value, error);

        accumulate(p, g.d_score, q, of_k);
        accumulate(p, g.weight, d_out, of_v);
        carry(p, ATTN_BUF_D_K, column, p->scale * g.d_score_error, q);
        carry(p, ATTN_BUF_D_V, column, g.weight_error, d_out);
    }
    finish(p, ATTN_BUF_D_K, column, of_k, p->scale, (double)p->n_q);
    finish(p, ATTN_BUF_D_V, column, of_v, 1, (double)p->n_q);
}

static void columns_of_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    problem      *p      = context;
    const int64_t d      = p->d;
    double       *memory = calloc((size_t)(6 * d), sizeof(double));
    const scratch of_k   = { .sum = memory, .magnitude = memory + d, .square = memory + 2 * d };
    const scratch of_v   = { .sum       = memory + 3 * d,
                             .magnitude = memory + 4 * d,
                             .square    = memory + 5 * d };

    (void)chunk;
    if (memory == NULL)
        give_up(p, ATTN_BUF_D_K, begin, end);
    for (int64_t column = begin; column < end && memory != NULL; column++)
        backward_column(p, column, &of_k, &of_v);
    free(memory);
}

/* ---- the whole */

/* Vectors of a buffer as double, followed by their norms. */
static void widen(const problem *p, int buffer, double **values, double **norms, double **memory)
{
    const int64_t    count = p->args->count[buffer];
    const assay_type type  = (assay_type)p->args->param[ATTN_PARAM_TYPE];

    *values = *memory;
    *norms  = *memory + count;
    *memory += count + count / p->d;
    for (int64_t i = 0; i < count; i++)
        (*values)[i] = assay_type_load(type, p->args->in[buffer], i);
    for (int64_t i = 0; i < count / p->d; i++)
        (*norms)[i] = sqrt(dot(*values + i * p->d, *values + i * p->d, p->d));
}

static int64_t doubles_of(const problem *p)
{
    const int64_t *count = p->args->count;
    const int64_t  n =
        count[ATTN_BUF_Q] + count[ATTN_BUF_K] + count[ATTN_BUF_V] + count[ATTN_BUF_D_OUT];

    return n + n / p->d;
}

static void run(problem *p, double *memory)
{
    const int64_t *count = p->args->count;

    widen(p, ATTN_BUF_Q, &p->q, &p->q_norm, &memory);
    widen(p, ATTN_BUF_K, &p->k, &p->k_norm, &memory);
    widen(p, ATTN_BUF_V, &p->v, &p->v_norm, &memory);
    widen(p, ATTN_BUF_D_OUT, &p->d_out, &p->d_out_norm, &memory);
    p->args->parallel_for(count[ATTN_BUF_Q] / p->d, ROWS_OF_A_CHUNK, rows_of_chunk, p);
    p->args->parallel_for(count[ATTN_BUF_D_K] / p->d, ROWS_OF_A_CHUNK, columns_of_chunk, p);
}

static problem problem_of(const assay_reference_args *args)
{
    const assay_type type      = (assay_type)args->param[ATTN_PARAM_TYPE];
    const bool       is_narrow = type != ASSAY_F32;

    return (problem) { .args      = args,
                       .heads     = args->param[ATTN_PARAM_HEADS],
                       .n_q       = args->param[ATTN_PARAM_QUERIES],
                       .n_k       = args->param[ATTN_PARAM_KEYS],
                       .d         = args->param[ATTN_PARAM_SIZE],
                       .is_causal = args->param[ATTN_PARAM_IS_CAUSAL] != 0,
                       .scale     = args->scalar[ATTN_SCALAR_SCALE],
                       .u_type    = is_narrow ? assay_type_roundoff(type) : 0,
                       .tiny      = is_narrow ? assay_type_smallest(type) / 2 : 0 };
}

void attention_row_reference(const assay_reference_args *args)
{
    problem       p      = problem_of(args);
    const int64_t rows   = args->count[ATTN_BUF_Q] / p.d;
    double       *memory = malloc((size_t)doubles_of(&p) * sizeof(double) + 1);

    p.rows = calloc((size_t)rows + 1, sizeof *p.rows);
    if (memory == NULL || p.rows == NULL)
        give_up(&p, ATTN_BUF_OUT, 0, rows);
    else
        run(&p, memory);
    free(p.rows);
    free(memory);
}
