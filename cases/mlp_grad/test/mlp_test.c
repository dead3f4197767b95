/* Shared parts of the stand-alone MLP programs. */
#include "mlp_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mlp_tensor_name(mlp_tensor tensor)
{
    static const char *const names[] = { "x", "target", "weights",   "biases",
                                         "y", "d_x",    "d_weights", "d_biases" };

    return names[tensor];
}

void mlp_tensors_measure(const mlp_spec *s, mlp_tensors *t)
{
    const int64_t inner = s->depth - 1;

    t->count[MLP_X] = t->count[MLP_D_X] = s->batch * s->inputs;
    t->count[MLP_TARGET] = t->count[MLP_Y] = s->batch * s->outputs;
    t->count[MLP_WEIGHTS]                  = t->count[MLP_D_WEIGHTS] =
        s->width * (s->inputs + inner * s->width + s->outputs);
    t->count[MLP_BIASES] = t->count[MLP_D_BIASES] = s->depth * s->width + s->outputs;
}

/* 53 mixed bits of a counter (the finaliser of SplitMix64, Steele et al. 2014). */
double mlp_random(uint64_t seed, uint64_t index)
{
    uint64_t v = (seed << 32 | seed) + (index + 1) * 0x9E3779B97F4A7C15u;

    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return (double)((v ^ (v >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Weights of a size that keeps the pre-activations near 1 at any width. */
static float input_value(const mlp_spec *s, mlp_tensor tensor, unsigned seed, int64_t i)
{
    const double value = mlp_random(seed * MLP_N_TENSORS + (unsigned)tensor, (uint64_t)i);
    const double n     = i < s->inputs * s->width ? (double)s->inputs : (double)s->width;

    return (float)(tensor == MLP_WEIGHTS ? 3 / sqrt(n) * value : value);
}

bool mlp_tensors_create(const mlp_spec *spec, unsigned seed, mlp_tensors *t)
{
    memset(t, 0, sizeof *t);
    mlp_tensors_measure(spec, t);
    t->loss = (double)NAN;
    for (int i = 0; i < MLP_N_TENSORS; i++) {
        t->of[i] = malloc((size_t)t->count[i] * sizeof(float));
        if (t->of[i] == NULL)
            return false;
        for (int64_t k = 0; k < t->count[i]; k++)
            t->of[i][k] = i < MLP_FIRST_OUTPUT ? input_value(spec, (mlp_tensor)i, seed, k) : NAN;
    }
    return true;
}

void mlp_tensors_free(mlp_tensors *t)
{
    for (int i = 0; i < MLP_N_TENSORS; i++) {
        free(t->of[i]);
        t->of[i] = NULL;
    }
}

mlp_buf mlp_buf_of(float *const of[MLP_N_TENSORS], double *loss)
{
    return (mlp_buf) { .x         = of[MLP_X],
                       .target    = of[MLP_TARGET],
                       .weights   = of[MLP_WEIGHTS],
                       .biases    = of[MLP_BIASES],
                       .y         = of[MLP_Y],
                       .d_x       = of[MLP_D_X],
                       .d_weights = of[MLP_D_WEIGHTS],
                       .d_biases  = of[MLP_D_BIASES],
                       .loss      = loss };
}

const char *mlp_describe(const mlp_spec *s)
{
    static char text[128];

    (void)snprintf(text, sizeof text, "batch %lld, %lld-%dx%lld-%lld, %s", (long long)s->batch,
                   (long long)s->inputs, s->depth, (long long)s->width, (long long)s->outputs,
                   s->activation == MLP_TANH ? "tanh" : "relu");
    return text;
}

/* ---- hostile arguments ---- */

static void spoil_spec(const mlp_spec *spec, const mlp_buf *buf, mlp_invalid_fn *check,
                       void *context)
{
    static const int64_t extents[] = { 0, -1, INT64_MIN, INT64_C(1) << 31, INT64_MAX };
    mlp_spec             bad       = *spec;
    int64_t *const       members[] = { &bad.batch, &bad.inputs, &bad.width, &bad.outputs };
    const struct {
        const char *what;
        int        *member, value;
    } numbers[] = {
        { "depth 0", &bad.depth, 0 },
        { "depth too large", &bad.depth, MLP_MAX_DEPTH + 1 },
        { "activation below", &bad.activation, -1 },
        { "activation above", &bad.activation, MLP_N_ACTIVATIONS },
    };
    const double weights[] = { (double)NAN, (double)INFINITY, 1e39 };

    for (size_t m = 0; m < sizeof members / sizeof members[0]; m++)
        for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++, bad = *spec) {
            *members[m] = extents[e];
            check("extent", &bad, buf, context);
        }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++, bad = *spec) {
        *numbers[i].member = numbers[i].value;
        check(numbers[i].what, &bad, buf, context);
    }
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        bad.loss_weight = weights[i];
        check("loss weight", &bad, buf, context);
    }
}

void mlp_for_each_invalid(const mlp_spec *spec, const mlp_buf *buf, mlp_invalid_fn *check,
                          void *context)
{
    float *const of[] = { (float *)(uintptr_t)buf->x,
                          (float *)(uintptr_t)buf->target,
                          (float *)(uintptr_t)buf->weights,
                          (float *)(uintptr_t)buf->biases,
                          buf->y,
                          buf->d_x,
                          buf->d_weights,
                          buf->d_biases };

    check("no spec", NULL, buf, context);
    check("no buffers", spec, NULL, context);
    spoil_spec(spec, buf, check, context);
    for (int i = 0; i < MLP_N_TENSORS; i++) {
        float  *bad[MLP_N_TENSORS];
        mlp_buf spoilt;

        memcpy(bad, of, sizeof bad);
        bad[i] = NULL;
        spoilt = mlp_buf_of(bad, buf->loss);
        check(mlp_tensor_name((mlp_tensor)i), spec, &spoilt, context);
    }
    mlp_buf spoilt = *buf;

    spoilt.loss = NULL;
    check("no loss", spec, &spoilt, context);
}
