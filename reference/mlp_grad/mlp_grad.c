/* MLP gradient in double, from the definition: a(l+1) = f(W(l) a(l) + b(l)), loss = w/N sum (y -
 * t)^2, and the chain rule backwards. Each value comes with the variance of its rounding error in
 * fp32, in units of 2^-48. The rules (u = 2^-24, M the sum of the terms' magnitudes):
 *
 *   sum of n products    sum of (factor^2 variance of the other factor) + n M^2: each of the n
 *                        roundings is at most u times a partial sum, and that at most M
 *   tanh                 (1 - h^2)^2 of z's variance + (2 h)^2: half of 2 units in the last place
 *   1 - h^2              (2 h)^2 of h's variance + h^4 + (1 - h^2)^2
 *   max(z, 0)            z's variance; where z is so near 0 that fp32 may be on the other side,
 *                        the slope may be off by 1
 *
 * Errors are taken as independent, so that their variances add (Higham and Mary 2019). */
#include "mlp_grad.h"

#include "../../kernels/mlp_grad/mlp_case.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

assay_reference_fn mlp_grad_reference;

enum {
    MAX_CHUNKS = 64
};

static const double UNIT = 0x1p-24;

/* Numbers with their variances, [batch][n]. */
typedef struct values {
    double *value, *variance;
} values;

typedef struct layer {
    int64_t       n_in, n_out;
    const double *weights, *biases; /* weights [n_out][n_in] */
    double       *by_input;         /* the weights as [n_in][n_out] */
    values        a;                /* inputs of the layer */
    values        slope;            /* of the activation before it; none for layer 0 */
    values        delta;            /* d loss / d (W a + b) */
    values        d_weights, d_biases;
} layer;

typedef struct network {
    const mlp_spec *spec;
    int             n_layers;
    layer           layers[MLP_MAX_LAYERS];
    const double   *target;
    double         *magnitudes; /* one row of the widest values for each chunk */
    int64_t         widest;
    values          y, d_x;
    int             now; /* the present layer */
} network;

/* ---- forward */

static void add_products(int64_t n, double factor, double variance, const double *row, values *sum,
                         double *magnitude)
{
    double *restrict value = sum->value, *restrict var = sum->variance;

    for (int64_t j = 0; j < n; j++) {
        const double term = factor * row[j];

        value[j] += term;
        magnitude[j] += fabs(term);
        var[j] += row[j] * row[j] * variance;
    }
}

static void add_roundings(int64_t n, double n_roundings, double *variance, const double *magnitude)
{
    for (int64_t j = 0; j < n; j++)
        variance[j] += n_roundings * magnitude[j] * magnitude[j];
}

static void apply_tanh(double *h, double *variance, double *slope, double *slope_variance)
{
    *h              = tanh(*h);
    *slope          = (1 - *h) * (1 + *h);
    *variance       = *slope * *slope * *variance + 4 * *h * *h;
    *slope_variance = 4 * *h * *h * *variance + pow(*h, 4) + *slope * *slope;
}

static void apply_relu(double *h, double *variance, double *slope, double *slope_variance)
{
    const double reach    = MLP_TOLERANCE_C * UNIT * sqrt(*variance);
    const double flip     = 1 / (MLP_TOLERANCE_C * UNIT); /* c u times this is an error of 1 */
    const bool   is_doubt = fabs(*h) < reach;

    *slope          = *h > 0;
    *slope_variance = is_doubt ? flip * flip : 0;
    *variance       = *h > 0 || is_doubt ? *variance : 0;
    *h              = fmax(*h, 0);
}

static void activate(const network *net, values h, values slope, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        (net->spec->activation == MLP_TANH ? apply_tanh : apply_relu)(
            &h.value[j], &h.variance[j], &slope.value[j], &slope.variance[j]);
}

static values row_of(values all, int64_t row, int64_t n)
{
    return (values) { all.value + row * n, all.variance + row * n };
}

static void forward_samples(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const network *net       = context;
    const layer   *at        = &net->layers[net->now];
    const bool     is_last   = net->now == net->n_layers - 1;
    double        *magnitude = net->magnitudes + chunk * net->widest;

    for (int64_t b = begin; b < end; b++) {
        const values a = row_of(at->a, b, at->n_in);
        values       z = row_of(is_last ? net->y : at[1].a, b, at->n_out);

        memset(z.variance, 0, (size_t)at->n_out * sizeof(double));
        for (int64_t j = 0; j < at->n_out; j++) {
            z.value[j]   = at->biases[j];
            magnitude[j] = fabs(at->biases[j]);
        }
        for (int64_t k = 0; k < at->n_in; k++)
            add_products(at->n_out, a.value[k], a.variance[k], at->by_input + k * at->n_out, &z,
                         magnitude);
        add_roundings(at->n_out, (double)at->n_in + 1, z.variance, magnitude);
        if (!is_last)
            activate(net, z, row_of(at[1].slope, b, at->n_out), at->n_out);
    }
}

/* ---- loss */

/* y - t rounds once, and so do the factor 2w/N and the product with it. A square adds one more, and
 * the mean of the errors' squares does not cancel: 16 u^2 of it for 4 deviations. Outputs of one
 * sample share the errors of its activations, so that their deviations are added, not their
 * variances (with 2 activations for 99 outputs 1.08 times the bound was seen). */
static void loss_and_delta(network *net, const mlp_grad_result *loss)
{
    const int64_t n      = net->spec->batch * net->spec->outputs;
    const double  factor = net->spec->loss_weight / (double)n;
    const values  delta  = net->layers[net->n_layers - 1].delta;
    double        sum = 0, variance = 0, squares = 0, of_sample = 0;

    for (int64_t i = 0; i < n; i++) {
        const double r = net->y.value[i] - net->target[i];
        const double v = net->y.variance[i] + r * r;

        delta.value[i]    = 2 * factor * r;
        delta.variance[i] = 4 * factor * factor * v + 2 * delta.value[i] * delta.value[i];
        sum += r * r;
        variance += pow(r, 4);
        squares += v;
        of_sample += 2 * fabs(r) * sqrt(v);
        if ((i + 1) % net->spec->outputs == 0) {
            variance += of_sample * of_sample;
            of_sample = 0;
        }
    }
    *loss->value     = factor * sum;
    *loss->deviation = fabs(factor) * (sqrt(variance) + MLP_TOLERANCE_C * UNIT * squares);
}

/* ---- backward */

/* Through the activation before the layer. */
static void apply_slope(values d, values slope, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double s = slope.value[i], product = d.value[i] * s;

        d.variance[i] =
            s * s * d.variance[i] + d.value[i] * d.value[i] * slope.variance[i] + product * product;
        d.value[i] = product;
    }
}

static void backward_samples(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const network *net       = context;
    const layer   *at        = &net->layers[net->now];
    double        *magnitude = net->magnitudes + chunk * net->widest;
    const size_t   bytes     = (size_t)at->n_in * sizeof(double);

    for (int64_t b = begin; b < end; b++) {
        const values delta = row_of(at->delta, b, at->n_out);
        values       d     = row_of(net->now == 0 ? net->d_x : at[-1].delta, b, at->n_in);

        memset(d.value, 0, bytes);
        memset(d.variance, 0, bytes);
        memset(magnitude, 0, bytes);
        for (int64_t j = 0; j < at->n_out; j++)
            add_products(at->n_in, delta.value[j], delta.variance[j], at->weights + j * at->n_in,
                         &d, magnitude);
        add_roundings(at->n_in, (double)at->n_out, d.variance, magnitude);
        if (net->now > 0)
            apply_slope(d, row_of(at->slope, b, at->n_in), at->n_in);
    }
}

/* Adds one more sample to row j of the gradient of the weights. */
static void add_sample(int64_t n, double delta, double delta_variance, values a, values *sum,
                       double *magnitude)
{
    double *restrict value = sum->value, *restrict var = sum->variance;

    for (int64_t i = 0; i < n; i++) {
        const double term = delta * a.value[i];

        value[i] += term;
        magnitude[i] += fabs(term);
        var[i] += a.value[i] * a.value[i] * delta_variance + delta * delta * a.variance[i];
    }
}

static void gradient_rows(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const network *net       = context;
    const layer   *at        = &net->layers[net->now];
    double        *magnitude = net->magnitudes + chunk * net->widest;
    const size_t   bytes     = (size_t)at->n_in * sizeof(double);

    for (int64_t j = begin; j < end; j++) {
        values row            = row_of(at->d_weights, j, at->n_in);
        values bias           = row_of(at->d_biases, j, 1);
        double bias_magnitude = 0;

        memset(row.value, 0, bytes);
        memset(row.variance, 0, bytes);
        memset(magnitude, 0, bytes);
        *bias.value = *bias.variance = 0;
        for (int64_t b = 0; b < net->spec->batch; b++) {
            const values delta = row_of(at->delta, b, at->n_out);

            add_sample(at->n_in, delta.value[j], delta.variance[j], row_of(at->a, b, at->n_in),
                       &row, magnitude);
            *bias.value += delta.value[j];
            *bias.variance += delta.variance[j];
            bias_magnitude += fabs(delta.value[j]);
        }
        add_roundings(at->n_in, (double)net->spec->batch, row.variance, magnitude);
        add_roundings(1, (double)net->spec->batch, bias.variance, &bias_magnitude);
    }
}

/* ---- the whole */

static int64_t chunk_of(int64_t count) { return (count + MAX_CHUNKS - 1) / MAX_CHUNKS; }

static void run(network *net, const mlp_grad_result *loss, assay_parallel_for_fn *parallel_for)
{
    const int64_t batch = net->spec->batch;

    for (net->now = 0; net->now < net->n_layers; net->now++)
        parallel_for(batch, chunk_of(batch), forward_samples, net);
    loss_and_delta(net, loss);
    for (net->now = net->n_layers - 1; net->now >= 0; net->now--) {
        const int64_t rows = net->layers[net->now].n_out;

        parallel_for(rows, chunk_of(rows), gradient_rows, net);
        parallel_for(batch, chunk_of(batch), backward_samples, net);
    }
}

/* Where the memory of a network lies: first counted, then handed out. */
typedef struct arena {
    double *start; /* NULL while counting */
    int64_t used;
} arena;

static double *take(arena *from, int64_t count)
{
    double *taken = from->start == NULL ? NULL : from->start + from->used;

    from->used += count;
    return taken;
}

static values take_values(arena *from, int64_t count)
{
    return (values) { take(from, count), take(from, count) };
}

static void place_layers(network *net, const mlp_grad_inputs *in, const mlp_grad_results *out,
                         arena *memory)
{
    const mlp_spec *spec    = net->spec;
    int64_t         weights = 0, biases = 0;

    for (int l = 0; l < net->n_layers; l++) {
        layer *at = &net->layers[l];

        at->n_in     = l == 0 ? spec->inputs : spec->width;
        at->n_out    = l == spec->depth ? spec->outputs : spec->width;
        at->by_input = take(memory, at->n_in * at->n_out);
        at->a        = take_values(memory, spec->batch * at->n_in);
        at->slope    = take_values(memory, l == 0 ? 0 : spec->batch * at->n_in);
        at->delta    = take_values(memory, spec->batch * at->n_out);
        at->weights  = in->weights + weights;
        at->biases   = in->biases + biases;
        at->d_weights =
            (values) { out->d_weights.value + weights, out->d_weights.deviation + weights };
        at->d_biases = (values) { out->d_biases.value + biases, out->d_biases.deviation + biases };
        weights += at->n_in * at->n_out;
        biases += at->n_out;
    }
    net->widest =
        (int64_t)fmax((double)spec->inputs, fmax((double)spec->width, (double)spec->outputs));
    net->magnitudes = take(memory, MAX_CHUNKS * net->widest);
}

static void fill_layers(network *net, const double *x)
{
    memcpy(net->layers[0].a.value, x,
           (size_t)(net->spec->batch * net->spec->inputs) * sizeof(double));
    for (int l = 0; l < net->n_layers; l++) {
        const layer *at = &net->layers[l];

        for (int64_t i = 0; i < at->n_in; i++)
            for (int64_t j = 0; j < at->n_out; j++)
                at->by_input[i * at->n_out + j] = at->weights[j * at->n_in + i];
    }
}

static void take_roots(double *variance, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        variance[i] = sqrt(variance[i]);
}

int mlp_grad_in_double(const mlp_spec *spec, const mlp_grad_inputs *in, const mlp_grad_results *out,
                       assay_parallel_for_fn *parallel_for)
{
    network net    = { .spec = spec, .n_layers = spec->depth + 1, .target = in->target };
    arena   memory = { NULL, 0 };
    int64_t n      = 0;

    place_layers(&net, in, out, &memory);
    memory = (arena) { calloc((size_t)memory.used, sizeof(double)), 0 };
    if (memory.start == NULL)
        return MLP_INVALID_WORKSPACE;
    place_layers(&net, in, out, &memory);
    fill_layers(&net, in->x);
    net.y   = (values) { out->y.value, out->y.deviation };
    net.d_x = (values) { out->d_x.value, out->d_x.deviation };
    run(&net, &out->loss, parallel_for);
    for (int l = 0; l < net.n_layers; l++) {
        n = net.layers[l].n_in * net.layers[l].n_out;
        take_roots(net.layers[l].d_weights.variance, n);
        take_roots(net.layers[l].d_biases.variance, net.layers[l].n_out);
    }
    take_roots(out->y.deviation, spec->batch * spec->outputs);
    take_roots(out->d_x.deviation, spec->batch * spec->inputs);
    free(memory.start);
    return MLP_OK;
}

/* ---- the case */

static mlp_grad_result expected_of(const assay_expected *e)
{
    return (mlp_grad_result) { e->value, e->magnitude };
}

/* All inputs as double, one after another; NULL: out of memory. The caller frees. */
static double *widen(const assay_reference_args *args, mlp_grad_inputs *in)
{
    const int      from[] = { MLP_BUF_X, MLP_BUF_TARGET, MLP_BUF_WEIGHTS, MLP_BUF_BIASES };
    const double **to[]   = { &in->x, &in->target, &in->weights, &in->biases };
    int64_t        n = 0, at = 0;

    for (int i = 0; i < 4; i++)
        n += args->count[from[i]];
    double *all = malloc((size_t)n * sizeof(double));

    for (int i = 0; i < 4 && all != NULL; i++) {
        const float *single = args->in[from[i]];

        *to[i] = all + at;
        for (int64_t k = 0; k < args->count[from[i]]; k++)
            all[at++] = (double)single[k];
    }
    return all;
}

/* Without memory it expects NaN, which the harness refuses. */
void mlp_grad_reference(const assay_reference_args *args)
{
    const mlp_spec         spec   = mlp_case_spec(args->param, args->scalar);
    const assay_expected  *e      = args->expect;
    const mlp_grad_results expect = { .y         = expected_of(&e[MLP_BUF_Y]),
                                      .d_x       = expected_of(&e[MLP_BUF_D_X]),
                                      .d_weights = expected_of(&e[MLP_BUF_D_WEIGHTS]),
                                      .d_biases  = expected_of(&e[MLP_BUF_D_BIASES]),
                                      .loss      = expected_of(&e[MLP_BUF_LOSS]) };
    mlp_grad_inputs        in;
    double                *all = widen(args, &in);

    if (all == NULL || mlp_grad_in_double(&spec, &in, &expect, args->parallel_for) != MLP_OK)
        *expect.loss.value = (double)NAN;
    free(all);
}
