/* Tests the MLP reference itself: derivatives by the complex step, a network computed by hand,
 * identities, refusal of invalid arguments. Needs no GPU. */
#include "../../../reference/mlp_grad/mlp_grad.h"
#include "../../physics_loss/test/phys_test.h"
#include "mlp_test.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum {
    MAX_VALUES = 4096
};

/* One network in double with its results. */
typedef struct full_net {
    mlp_spec    spec;
    mlp_tensors size;
    double      in[MLP_FIRST_OUTPUT][MAX_VALUES];
    double      out[MLP_N_TENSORS][2][MAX_VALUES]; /* value, deviation */
    double      loss[2];
} full_net;

static void run(full_net *net)
{
    const mlp_grad_inputs  in  = { net->in[MLP_X], net->in[MLP_TARGET], net->in[MLP_WEIGHTS],
                                   net->in[MLP_BIASES] };
    const mlp_grad_results out = {
        .y         = { net->out[MLP_Y][0], net->out[MLP_Y][1] },
        .d_x       = { net->out[MLP_D_X][0], net->out[MLP_D_X][1] },
        .d_weights = { net->out[MLP_D_WEIGHTS][0], net->out[MLP_D_WEIGHTS][1] },
        .d_biases  = { net->out[MLP_D_BIASES][0], net->out[MLP_D_BIASES][1] },
        .loss      = { &net->loss[0], &net->loss[1] },
    };

    trial_expect(mlp_grad_in_double(&net->spec, &in, &out, mlp_grad_serial_for) == MLP_OK,
                 "%s: no memory", mlp_describe(&net->spec));
}

static void make(full_net *net, mlp_spec spec, unsigned seed)
{
    memset(net, 0, sizeof *net);
    net->spec = spec;
    mlp_tensors_measure(&spec, &net->size);
    for (int t = 0; t < MLP_FIRST_OUTPUT; t++)
        for (int64_t i = 0; i < net->size.count[t]; i++)
            net->in[t][i] = mlp_random(seed * MLP_N_TENSORS + (unsigned)t, (uint64_t)i);
    run(net);
}

/* ---- complex step: Im L(p + ih) / h is dL/dp, without a difference that cancels ---- */

static const double STEP = 0x1p-100;

static double complex activate(int activation, double complex z)
{
    if (activation == MLP_RELU)
        return creal(z) > 0 ? z : 0;
    return ctanh(z);
}

/* Takes one sample through all layers; `moved` is the input that gets the imaginary step. */
static double complex number(const full_net *net, mlp_tensor t, int64_t i, const double *moved)
{
    return net->in[t][i] + (&net->in[t][i] == moved ? STEP : 0) * I;
}

static void through_layer(const full_net *net, int l, int64_t weight, int64_t bias,
                          const double *moved, double complex a[64])
{
    const mlp_spec *s       = &net->spec;
    const int64_t   n_in    = l == 0 ? s->inputs : s->width;
    const bool      is_last = l == s->depth;
    double complex  next[64];

    for (int64_t j = 0; j < (is_last ? s->outputs : s->width); j++) {
        double complex z = number(net, MLP_BIASES, bias + j, moved);

        for (int64_t k = 0; k < n_in; k++)
            z += number(net, MLP_WEIGHTS, weight + j * n_in + k, moved) * a[k];
        next[j] = is_last ? z : activate(s->activation, z);
    }
    memcpy(a, next, sizeof next);
}

static double complex loss_with_step(const full_net *net, const double *moved)
{
    const mlp_spec *s   = &net->spec;
    double complex  sum = 0, a[64];

    for (int64_t b = 0; b < s->batch; b++) {
        int64_t weight = 0, bias = 0;

        for (int64_t i = 0; i < s->inputs; i++)
            a[i] = number(net, MLP_X, b * s->inputs + i, moved);
        for (int l = 0; l <= s->depth; l++) {
            through_layer(net, l, weight, bias, moved, a);
            weight += s->width * (l == 0 ? s->inputs : s->width);
            bias += s->width;
        }
        for (int64_t j = 0; j < s->outputs; j++) {
            const double complex r = a[j] - number(net, MLP_TARGET, b * s->outputs + j, moved);

            sum += r * r;
        }
    }
    return s->loss_weight / (double)(s->batch * s->outputs) * sum;
}

static void check_derivatives(const full_net *net, mlp_tensor of, mlp_tensor gradient)
{
    double largest = 0, worst = 0;

    for (int64_t i = 0; i < net->size.count[of]; i++) {
        const double got      = net->out[gradient][0][i];
        const double expected = cimag(loss_with_step(net, &net->in[of][i])) / STEP;

        largest = fmax(largest, fabs(expected));
        worst   = !(fabs(got - expected) <= worst) ? fabs(got - expected) : worst;
    }
    trial_expect(largest > 1e-3, "%s: %s says nothing, at most %g", mlp_describe(&net->spec),
                 mlp_tensor_name(gradient), largest);
    trial_expect(worst <= 1e-13 * largest, "%s: %s is off by %g of %g", mlp_describe(&net->spec),
                 mlp_tensor_name(gradient), worst, largest);
}

static void test_complex_step(void)
{
    static full_net net;

    for (int depth = 1; depth <= MLP_MAX_DEPTH; depth++)
        for (int activation = 0; activation < MLP_N_ACTIVATIONS; activation++) {
            make(&net, (mlp_spec) { 7, 3, 5, 2, depth, activation, 1.5 }, (unsigned)depth);
            trial_expect(fabs(creal(loss_with_step(&net, NULL)) - net.loss[0]) <=
                             1e-14 * net.loss[0],
                         "%s: loss %g", mlp_describe(&net.spec), net.loss[0]);
            check_derivatives(&net, MLP_X, MLP_D_X);
            check_derivatives(&net, MLP_WEIGHTS, MLP_D_WEIGHTS);
            check_derivatives(&net, MLP_BIASES, MLP_D_BIASES);
        }
}

/* ---- by hand ---- */

/* Two samples, 2-2-1, relu, weight 2 (the factor 2w/N is 2). W0 = 1 -1; 2 1, b0 = 0 -3,
 * W1 = 3 -2, b1 = 1; x = (2 1), (1 2), t = 1, -1.
 * Sample 1: z = 1, 2; h = 1 2; y = 3 - 4 + 1 = 0, r = -1, delta -2. Sample 2: z = -1, 1; h = 0 1;
 * y = -2 + 1 = -1, r = 0. Loss 2/2 * 1 = 1. d h = (-6, 4), both slopes 1:
 * d W0 = -12 -6; 8 4, d b0 = -6 4, d W1 = -2 -4, d b1 = -2, d x = (-6 + 8, 6 + 4) and 0. */
static void test_by_hand(void)
{
    static const double x[] = { 2, 1, 1, 2 }, t[] = { 1, -1 };
    static const double w[] = { 1, -1, 2, 1, 3, -2 }, b[] = { 0, -3, 1 };
    static const double y[] = { 0, -1 }, d_x[] = { 2, 10, 0, 0 };
    static const double d_w[] = { -12, -6, 8, 4, -2, -4 }, d_b[] = { -6, 4, -2 };
    static full_net     net;

    make(&net, (mlp_spec) { 2, 2, 2, 1, 1, MLP_RELU, 2 }, 0);
    memcpy(net.in[MLP_X], x, sizeof x);
    memcpy(net.in[MLP_TARGET], t, sizeof t);
    memcpy(net.in[MLP_WEIGHTS], w, sizeof w);
    memcpy(net.in[MLP_BIASES], b, sizeof b);
    run(&net);
    trial_expect(net.loss[0] == 1, "by hand: loss %g", net.loss[0]);
    for (int i = 0; i < 6; i++)
        trial_expect(net.out[MLP_D_WEIGHTS][0][i] == d_w[i], "by hand: d_weights[%d] = %g", i,
                     net.out[MLP_D_WEIGHTS][0][i]);
    for (int i = 0; i < 4; i++)
        trial_expect(net.out[MLP_D_X][0][i] == d_x[i], "by hand: d_x[%d] = %g", i,
                     net.out[MLP_D_X][0][i]);
    for (int i = 0; i < 3; i++)
        trial_expect(net.out[MLP_D_BIASES][0][i] == d_b[i], "by hand: d_biases[%d] = %g", i,
                     net.out[MLP_D_BIASES][0][i]);
    for (int i = 0; i < 2; i++)
        trial_expect(net.out[MLP_Y][0][i] == y[i], "by hand: y[%d] = %g", i, net.out[MLP_Y][0][i]);
}

/* ---- identities ---- */

/* The gradient of a batch is the mean of its samples' gradients. */
static void check_batch_is_mean(int activation)
{
    static full_net all, one;
    const mlp_spec  spec            = { 6, 4, 9, 3, 2, activation, 0.7 };
    double          sum[MAX_VALUES] = { 0 }, loss = 0, worst = 0;

    make(&all, spec, 11);
    for (int64_t b = 0; b < spec.batch; b++) {
        make(&one, spec, 11);
        one.spec.batch = 1;
        memcpy(one.in[MLP_X], all.in[MLP_X] + b * 4, 4 * sizeof(double));
        memcpy(one.in[MLP_TARGET], all.in[MLP_TARGET] + b * 3, 3 * sizeof(double));
        run(&one);
        loss += one.loss[0] / 6;
        for (int64_t i = 0; i < all.size.count[MLP_D_WEIGHTS]; i++)
            sum[i] += one.out[MLP_D_WEIGHTS][0][i] / 6;
    }
    for (int64_t i = 0; i < all.size.count[MLP_D_WEIGHTS]; i++)
        worst = fmax(worst, fabs(sum[i] - all.out[MLP_D_WEIGHTS][0][i]));
    trial_expect(fabs(loss - all.loss[0]) < 1e-14 && worst < 1e-14,
                 "activation %d: the batch is not the mean of its samples, off by %g", activation,
                 worst);
}

/* If the network meets its target, all gradients are 0. */
static void check_perfect_fit(int activation)
{
    static full_net net;
    double          worst = 0;

    make(&net, (mlp_spec) { 5, 4, 9, 3, 3, activation, 0.7 }, 13);
    memcpy(net.in[MLP_TARGET], net.out[MLP_Y][0], sizeof net.in[MLP_TARGET]);
    run(&net);
    for (int64_t i = 0; i < MAX_VALUES; i++)
        worst = fmax(worst, fabs(net.out[MLP_D_WEIGHTS][0][i]) + fabs(net.out[MLP_D_X][0][i]));
    trial_expect(net.loss[0] == 0 && worst == 0, "activation %d: a perfect fit has gradients, %g",
                 activation, worst);
}

/* ---- hostile arguments ---- */

static void check_refused(const char *what, const mlp_spec *spec, const mlp_buf *buf, void *context)
{
    const float *y = context;

    trial_expect(cpu_mlp_grad(spec, buf) == MLP_INVALID_VALUE, "invalid %s is accepted", what);
    trial_expect(isnan(y[0]), "invalid %s: something is written", what);
}

static void test_hostile(void)
{
    const mlp_spec spec = { 3, 2, 4, 2, 2, MLP_TANH, 1 };
    mlp_tensors    t;

    if (trial_expect(mlp_tensors_create(&spec, 3, &t), "out of memory")) {
        const mlp_buf buf = mlp_buf_of(t.of, &t.loss);

        mlp_for_each_invalid(&spec, &buf, check_refused, t.of[MLP_Y]);
        trial_expect(cpu_mlp_grad(&spec, &buf) == MLP_OK && isfinite(t.of[MLP_D_WEIGHTS][0]),
                     "valid arguments are refused");
    }
    mlp_tensors_free(&t);
}

int main(void)
{
    test_complex_step();
    test_by_hand();
    for (int activation = 0; activation < MLP_N_ACTIVATIONS; activation++) {
        check_batch_is_mean(activation);
        check_perfect_fit(activation);
    }
    test_hostile();
    return trial_finish("test_mlp_cpu_ref");
}
