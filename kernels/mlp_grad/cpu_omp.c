/* The MLP gradient on the CPU in fp32, the threaded baseline: the threads of OpenMP share the
 * samples, then the rows of the weights. */
#include "mlp_case.h"
#include "mlp_layout.h"

#include <stdlib.h>
#include <string.h>

assay_launch_fn mlp_grad_cpu_omp;

typedef struct omp_call {
    const mlp_spec *spec;
    const mlp_buf  *buf;
    mlp_layout      at;
    float          *a[MLP_MAX_LAYERS + 1]; /* the inputs of layer l; [n_layers] is y */
    float          *delta[MLP_MAX_LAYERS]; /* d loss / d (W a + b) */
    bool            is_shared_out;         /* else waking the threads costs more than they save */
} omp_call;

static const int64_t SHARED_OUT_FROM = 1000000; /* products of a pass */

static float activate(int activation, float z)
{
    return activation == MLP_TANH ? tanhf(z) : z > 0 ? z : 0;
}

static float slope_of(int activation, float h)
{
    return activation == MLP_TANH ? 1 - h * h : h > 0 ? 1.0F : 0.0F;
}

static void forward_sample(const omp_call *k, int l, int64_t b)
{
    const int64_t n_in = k->at.n[l], n_out = k->at.n[l + 1];
    const float  *a       = k->a[l] + b * n_in;
    const float  *weights = k->buf->weights + k->at.weights_at[l];
    const float  *biases  = k->buf->biases + k->at.biases_at[l];
    float        *to      = k->a[l + 1] + b * n_out;

    for (int64_t j = 0; j < n_out; j++) {
        float z = biases[j];

#pragma omp simd reduction(+ : z)
        for (int64_t i = 0; i < n_in; i++)
            z += weights[j * n_in + i] * a[i];
        to[j] = l == k->spec->depth ? z : activate(k->spec->activation, z);
    }
}

static void backward_sample(const omp_call *k, int l, int64_t b)
{
    const int64_t n_in = k->at.n[l], n_out = k->at.n[l + 1];
    const float  *weights = k->buf->weights + k->at.weights_at[l];
    const float  *delta   = k->delta[l] + b * n_out;
    const float  *h       = k->a[l] + b * n_in;
    float        *to      = (l == 0 ? k->buf->d_x : k->delta[l - 1]) + b * n_in;

    memset(to, 0, (size_t)n_in * sizeof(float));
    for (int64_t j = 0; j < n_out; j++)
        for (int64_t i = 0; i < n_in; i++)
            to[i] += delta[j] * weights[j * n_in + i];
    for (int64_t i = 0; l > 0 && i < n_in; i++)
        to[i] *= slope_of(k->spec->activation, h[i]);
}

/* Row j of the gradient of layer l's weights, and its bias. */
static void gradient_row(const omp_call *k, int l, int64_t j)
{
    const int64_t n_in = k->at.n[l], n_out = k->at.n[l + 1];
    float        *row  = k->buf->d_weights + k->at.weights_at[l] + j * n_in;
    float         bias = 0;

    memset(row, 0, (size_t)n_in * sizeof(float));
    for (int64_t b = 0; b < k->spec->batch; b++) {
        const float  delta = k->delta[l][b * n_out + j];
        const float *a     = k->a[l] + b * n_in;

        bias += delta;
        for (int64_t i = 0; i < n_in; i++)
            row[i] += delta * a[i];
    }
    k->buf->d_biases[k->at.biases_at[l] + j] = bias;
}

static void forward(const omp_call *k)
{
    for (int l = 0; l < k->at.n_layers; l++) {
#pragma omp parallel for schedule(static) if (k->is_shared_out)
        for (int64_t b = 0; b < k->spec->batch; b++)
            forward_sample(k, l, b);
    }
}

static void loss_and_delta(const omp_call *k)
{
    const int64_t n      = k->spec->batch * k->spec->outputs;
    const double  factor = k->spec->loss_weight / (double)n;
    float        *delta  = k->delta[k->spec->depth];
    double        sum    = 0;

#pragma omp parallel for schedule(static) reduction(+ : sum) if (k->is_shared_out)
    for (int64_t i = 0; i < n; i++) {
        const float r = k->buf->y[i] - k->buf->target[i];

        delta[i] = (float)(2 * factor) * r;
        sum += (double)r * (double)r;
    }
    *k->buf->loss = factor * sum;
}

static void backward(const omp_call *k)
{
    for (int l = k->spec->depth; l >= 0; l--) {
#pragma omp parallel for schedule(static) if (k->is_shared_out)
        for (int64_t j = 0; j < k->at.n[l + 1]; j++)
            gradient_row(k, l, j);
#pragma omp parallel for schedule(static) if (k->is_shared_out)
        for (int64_t b = 0; b < k->spec->batch; b++)
            backward_sample(k, l, b);
    }
}

/* Allocates activations of the hidden layers, and a delta for each layer. NULL: out of memory. */
static float *give_memory(omp_call *k)
{
    const int64_t batch = k->spec->batch, width = k->spec->width;
    const int64_t count = batch * (k->at.biases_at[k->at.n_layers] + k->spec->depth * width);
    float *const  all   = malloc((size_t)count * sizeof(float));
    float        *rest  = all;

    for (int l = 0; l < k->at.n_layers && all != NULL; l++) {
        k->delta[l] = rest;
        rest += batch * k->at.n[l + 1];
        k->a[l] = l == 0 ? (float *)(uintptr_t)k->buf->x : rest;
        rest += l == 0 ? 0 : batch * width;
    }
    k->a[k->at.n_layers] = k->buf->y;
    return all;
}

int mlp_grad_cpu_omp(const assay_args *args, assay_stream stream)
{
    const mlp_spec spec  = mlp_case_spec(args->param, args->scalar);
    const mlp_buf  buf   = mlp_case_buf(args->buf);
    const int      error = mlp_check(&spec, &buf);
    omp_call       k     = { .spec = &spec, .buf = &buf };
    float         *memory;

    (void)stream;
    if (error != MLP_OK)
        return error;
    k.at            = mlp_layout_of(&spec);
    k.is_shared_out = spec.batch * k.at.weights_at[k.at.n_layers] >= SHARED_OUT_FROM;
    memory          = give_memory(&k);
    if (memory == NULL)
        return MLP_INVALID_WORKSPACE;
    forward(&k);
    loss_and_delta(&k);
    backward(&k);
    free(memory);
    return MLP_OK;
}
