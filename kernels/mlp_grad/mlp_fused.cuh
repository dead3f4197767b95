/* Layers of mlp_grad in one block's shared memory: weights, and activations and deltas of 32
 * samples. Extents up to 64; smaller ones are padded with zeros, which add nothing. */
#ifndef ASSAY_MLP_FUSED_CUH
#define ASSAY_MLP_FUSED_CUH

#include "mlp_device.cuh"
#include "mlp_layout.h"

enum {
    EXTENT     = 64, /* rows and columns of a layer, neurons of an activation */
    SAMPLES    = 32, /* of a block's tile */
    THREADS    = 256,
    MAX_LAYERS = 3,  /* what the 163 KB of an A100 hold; an H100 has 227 */
    OWN        = 16, /* weights of a layer whose gradient one thread has */

    /* Rows start four banks apart, so that eight rows of 16 bytes are read at once. */
    WEIGHT_STRIDE = EXTENT + 4,
    SAMPLE_STRIDE = SAMPLES + 4,
    WEIGHTS_SIZE  = EXTENT * WEIGHT_STRIDE,
    VALUES_SIZE   = EXTENT * SAMPLE_STRIDE
};

struct mlp_fused_args {
    mlp_layout   at;
    int          activation;
    float        factor; /* of delta */
    int64_t      batch, tiles;
    const float *x, *target, *weights, *biases;
    float       *y, *d_x;
    float       *parts; /* [block][weights, then biases] */
    int64_t      part_size;
    double      *losses; /* [block] */
};

/* The block's memory, in floats from the start of its dynamic part. */
struct fused_memory {
    float *weights;  /* [layer][n_out][WEIGHT_STRIDE] */
    float *biases;   /* [layer][EXTENT] */
    float *a;        /* [layer][n_in][SAMPLE_STRIDE]: inputs of the layer */
    float *delta;    /* [2][n_out][SAMPLE_STRIDE]: layers alternate */
    float *sums;     /* [layer][OWN][THREADS]: gradient of the weights */
    float *d_biases; /* [layer][EXTENT] */
};

static __host__ __device__ inline int floats_of(int n_layers)
{
    return n_layers * (WEIGHTS_SIZE + 2 * EXTENT + VALUES_SIZE + OWN * THREADS) + 2 * VALUES_SIZE;
}

static __device__ inline fused_memory place(float *base, int n_layers)
{
    fused_memory m;

    m.weights  = base;
    m.biases   = m.weights + n_layers * WEIGHTS_SIZE;
    m.a        = m.biases + n_layers * EXTENT;
    m.delta    = m.a + n_layers * VALUES_SIZE;
    m.sums     = m.delta + 2 * VALUES_SIZE;
    m.d_biases = m.sums + n_layers * OWN * THREADS;
    return m;
}

/* ---- in and out ---- */

static __device__ inline void load_weights(const mlp_fused_args &f, const fused_memory &m, int l)
{
    const int    column = static_cast<int>(threadIdx.x) % EXTENT;
    const int    first  = static_cast<int>(threadIdx.x) / EXTENT;
    const int    n_in = static_cast<int>(f.at.n[l]), n_out = static_cast<int>(f.at.n[l + 1]);
    const float *from = f.weights + f.at.weights_at[l];
    float       *to   = m.weights + l * WEIGHTS_SIZE;

#pragma unroll
    for (int row = first; row < EXTENT; row += THREADS / EXTENT)
        to[row * WEIGHT_STRIDE + column] =
            row < n_out && column < n_in ? from[row * n_in + column] : 0;
    if (threadIdx.x < EXTENT) {
        m.biases[l * EXTENT + column]   = column < n_out ? f.biases[f.at.biases_at[l] + column] : 0;
        m.d_biases[l * EXTENT + column] = 0;
    }
#pragma unroll
    for (int own = 0; own < OWN; own++)
        m.sums[(l * OWN + own) * THREADS + static_cast<int>(threadIdx.x)] = 0;
}

static __device__ inline void load_x(const mlp_fused_args &f, const fused_memory &m, int64_t s0)
{
    const int column = static_cast<int>(threadIdx.x) % EXTENT;
    const int first  = static_cast<int>(threadIdx.x) / EXTENT;
    const int n_in   = static_cast<int>(f.at.n[0]);

#pragma unroll
    for (int s = first; s < SAMPLES; s += THREADS / EXTENT)
        m.a[column * SAMPLE_STRIDE + s] =
            column < n_in && s0 + s < f.batch ? f.x[(s0 + s) * n_in + column] : 0;
}

/* ---- forward: a thread has four neurons, eight apart, of two samples ---- */

struct fused_place {
    int neuron, sample; /* the first ones of the thread */
};

static __device__ inline fused_place forward_place(void)
{
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;

    return { lane % 8 + 32 * (warp % 2), 2 * (lane / 8 + 4 * (warp / 2)) };
}

static __device__ inline void forward_sums(const float *weights, const float *biases,
                                           const float *a, fused_place at, float (&z)[4][2])
{
#pragma unroll
    for (int q = 0; q < 4; q++)
        z[q][0] = z[q][1] = biases[at.neuron + 8 * q];
#pragma unroll 4
    for (int k = 0; k < EXTENT; k += 4) {
        float2 in[4];

#pragma unroll
        for (int i = 0; i < 4; i++)
            in[i] = *reinterpret_cast<const float2 *>(a + (k + i) * SAMPLE_STRIDE + at.sample);
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const float4 w = *reinterpret_cast<const float4 *>(
                weights + (at.neuron + 8 * q) * WEIGHT_STRIDE + k);

            z[q][0] = fmaf(w.x, in[0].x, z[q][0]), z[q][1] = fmaf(w.x, in[0].y, z[q][1]);
            z[q][0] = fmaf(w.y, in[1].x, z[q][0]), z[q][1] = fmaf(w.y, in[1].y, z[q][1]);
            z[q][0] = fmaf(w.z, in[2].x, z[q][0]), z[q][1] = fmaf(w.z, in[2].y, z[q][1]);
            z[q][0] = fmaf(w.w, in[3].x, z[q][0]), z[q][1] = fmaf(w.w, in[3].y, z[q][1]);
        }
    }
}

static __device__ inline void hidden_layer(const mlp_fused_args &f, const fused_memory &m, int l)
{
    const fused_place at = forward_place();
    float            *to = m.a + (l + 1) * VALUES_SIZE;
    float             z[4][2];

    forward_sums(m.weights + l * WEIGHTS_SIZE, m.biases + l * EXTENT, m.a + l * VALUES_SIZE, at, z);
#pragma unroll
    for (int q = 0; q < 4; q++) {
        const int neuron = at.neuron + 8 * q;
        float2    h =
            make_float2(mlp_activate(f.activation, z[q][0]), mlp_activate(f.activation, z[q][1]));

        *reinterpret_cast<float2 *>(to + neuron * SAMPLE_STRIDE + at.sample) = h;
    }
}

/* One output of one sample: stores y and its delta, and adds its square to the loss. */
static __device__ inline float output_delta(const mlp_fused_args &f, int neuron, int64_t sample,
                                            float y, double *square)
{
    const int64_t n  = f.at.n[f.at.n_layers];
    const int64_t to = sample * n + neuron;
    float         r;

    if (neuron >= n || sample >= f.batch)
        return 0;
    r       = y - f.target[to];
    f.y[to] = y;
    *square += static_cast<double>(r) * static_cast<double>(r);
    return f.factor * r;
}

static __device__ inline double output_layer(const mlp_fused_args &f, const fused_memory &m,
                                             int64_t s0)
{
    const int         l  = f.at.n_layers - 1;
    const fused_place at = forward_place();
    float            *to = m.delta + l % 2 * VALUES_SIZE;
    float             z[4][2];
    double            square = 0;

    forward_sums(m.weights + l * WEIGHTS_SIZE, m.biases + l * EXTENT, m.a + l * VALUES_SIZE, at, z);
#pragma unroll
    for (int q = 0; q < 4; q++) {
        const int neuron = at.neuron + 8 * q;
        float2    delta;

        delta.x = output_delta(f, neuron, s0 + at.sample, z[q][0], &square);
        delta.y = output_delta(f, neuron, s0 + at.sample + 1, z[q][1], &square);
        *reinterpret_cast<float2 *>(to + neuron * SAMPLE_STRIDE + at.sample) = delta;
    }
    return square;
}

/* ---- backward ---- */

static __device__ inline float dot_four(float4 a, float4 b, float sum)
{
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}

/* The weights of a thread: rows and columns 16 apart. */
static __device__ inline void add_gradient(const fused_memory &m, int l)
{
    const int    me = static_cast<int>(threadIdx.x), row = me / 16, column = me % 16;
    const float *delta = m.delta + l % 2 * VALUES_SIZE + row * SAMPLE_STRIDE;
    const float *a     = m.a + l * VALUES_SIZE + column * SAMPLE_STRIDE;
    float       *sums  = m.sums + l * OWN * THREADS + me;
    float        mine[4][4];

#pragma unroll
    for (int own = 0; own < OWN; own++)
        mine[own / 4][own % 4] = sums[own * THREADS];
#pragma unroll 2
    for (int s = 0; s < SAMPLES; s += 4) {
        float4 d[4], in[4];

#pragma unroll
        for (int q = 0; q < 4; q++) {
            d[q]  = *reinterpret_cast<const float4 *>(delta + 16 * q * SAMPLE_STRIDE + s);
            in[q] = *reinterpret_cast<const float4 *>(a + 16 * q * SAMPLE_STRIDE + s);
        }
#pragma unroll
        for (int own = 0; own < OWN; own++)
            mine[own / 4][own % 4] = dot_four(d[own / 4], in[own % 4], mine[own / 4][own % 4]);
    }
#pragma unroll
    for (int own = 0; own < OWN; own++)
        sums[own * THREADS] = mine[own / 4][own % 4];
}

/* The first threads each add up a neuron's deltas over all samples. */
static __device__ inline void add_bias_gradient(const fused_memory &m, int l)
{
    const int    me    = static_cast<int>(threadIdx.x);
    const float *delta = m.delta + l % 2 * VALUES_SIZE + me * SAMPLE_STRIDE;
    float        sum   = 0;

    if (me >= EXTENT)
        return;
    for (int s = 0; s < SAMPLES; s++)
        sum += delta[s];
    m.d_biases[l * EXTENT + me] += sum;
}

/* A thread has four neighbouring inputs of the layer, for two samples. */
static __device__ inline fused_place backward_place(void)
{
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;

    return { 4 * (lane % 8) + 32 * (warp % 2), 2 * (lane / 8 + 4 * (warp / 2)) };
}

static __device__ inline void backward_sums(const float *weights, const float *delta,
                                            fused_place at, float (&d)[4][2])
{
#pragma unroll
    for (int q = 0; q < 4; q++)
        d[q][0] = d[q][1] = 0;
#pragma unroll 8
    for (int j = 0; j < EXTENT; j++) {
        const float4 w = *reinterpret_cast<const float4 *>(weights + j * WEIGHT_STRIDE + at.neuron);
        const float2 g = *reinterpret_cast<const float2 *>(delta + j * SAMPLE_STRIDE + at.sample);

        d[0][0] = fmaf(w.x, g.x, d[0][0]), d[0][1] = fmaf(w.x, g.y, d[0][1]);
        d[1][0] = fmaf(w.y, g.x, d[1][0]), d[1][1] = fmaf(w.y, g.y, d[1][1]);
        d[2][0] = fmaf(w.z, g.x, d[2][0]), d[2][1] = fmaf(w.z, g.y, d[2][1]);
        d[3][0] = fmaf(w.w, g.x, d[3][0]), d[3][1] = fmaf(w.w, g.y, d[3][1]);
    }
}

/* Through the activation before the layer, to the other delta; before layer 0, to d_x. */
static __device__ inline void backward_layer(const mlp_fused_args &f, const fused_memory &m, int l,
                                             int64_t s0)
{
    const fused_place at = backward_place();
    const float      *a  = m.a + l * VALUES_SIZE;
    float            *to = m.delta + (l + 1) % 2 * VALUES_SIZE;
    float             d[4][2];

    backward_sums(m.weights + l * WEIGHTS_SIZE, m.delta + l % 2 * VALUES_SIZE, at, d);
#pragma unroll
    for (int q = 0; q < 4; q++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int neuron = at.neuron + q, sample = at.sample + i;
            const int place = neuron * SAMPLE_STRIDE + sample;

            if (l > 0)
                to[place] = d[q][i] * mlp_slope(f.activation, a[place]);
            else if (neuron < f.at.n[0] && s0 + sample < f.batch)
                f.d_x[(s0 + sample) * f.at.n[0] + neuron] = d[q][i];
        }
}

#endif
