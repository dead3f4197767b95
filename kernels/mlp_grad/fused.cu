/* mlp_grad, fused: a block does both passes for 32 samples at a time; a second kernel adds up the
 * results of the blocks. */
#include "mlp_fused.cuh"
#include "mlp_launch.h"

static __device__ inline double run_tile(const mlp_fused_args &f, const fused_memory &m, int64_t s0)
{
    const int last = f.at.n_layers - 1;
    double    square;

    load_x(f, m, s0);
    __syncthreads();
    for (int l = 0; l < last; l++) {
        hidden_layer(f, m, l);
        __syncthreads();
    }
    square = output_layer(f, m, s0);
    __syncthreads();
    for (int l = last; l >= 0; l--) {
        add_gradient(m, l);
        add_bias_gradient(m, l);
        backward_layer(f, m, l, s0);
        __syncthreads();
    }
    return square;
}

/* The block's part of a layer's gradient. */
static __device__ inline void write_gradient(const mlp_fused_args &f, const fused_memory &m, int l)
{
    const int me   = static_cast<int>(threadIdx.x);
    const int n_in = static_cast<int>(f.at.n[l]), n_out = static_cast<int>(f.at.n[l + 1]);
    float    *part = f.parts + blockIdx.x * f.part_size;

    for (int own = 0; own < OWN; own++) {
        const int row = me / 16 + own / 4 * 16, column = me % 16 + own % 4 * 16;

        if (row < n_out && column < n_in)
            part[f.at.weights_at[l] + row * n_in + column] = m.sums[(l * OWN + own) * THREADS + me];
    }
    if (me < n_out)
        part[f.at.weights_at[f.at.n_layers] + f.at.biases_at[l] + me] = m.d_biases[l * EXTENT + me];
}

static __global__ void __launch_bounds__(THREADS) network_kernel(mlp_fused_args f)
{
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    float                                        *base = reinterpret_cast<float *>(dynamic_shared);
    const fused_memory                            m    = place(base, f.at.n_layers);
    double                                        square = 0;

    for (int l = 0; l < f.at.n_layers; l++)
        load_weights(f, m, l);
    for (int64_t tile = blockIdx.x; tile < f.tiles; tile += gridDim.x)
        square += run_tile(f, m, tile * SAMPLES);
    for (int l = 0; l < f.at.n_layers; l++)
        write_gradient(f, m, l);
    /* The deltas are no longer needed. */
    square = mlp_block_sum(reinterpret_cast<double *>(m.delta), square);
    if (threadIdx.x == 0)
        f.losses[blockIdx.x] = square;
}

/* ---- what the blocks found, added ---- */

enum {
    COLUMNS = 32, /* adjacent numbers that a block takes */
    GROUPS  = THREADS / COLUMNS
};

/* Each group of threads takes every eighth part; then the groups' sums are added in order. The last
 * block computes the loss. */
static __global__ void __launch_bounds__(THREADS)
    add_blocks_kernel(mlp_fused_args f, int64_t n_parts, float *d_weights, float *d_biases,
                      double loss_factor, double *loss)
{
    __shared__ float sums[THREADS];
    const int        me = static_cast<int>(threadIdx.x), group = me / COLUMNS;
    const int64_t    i         = static_cast<int64_t>(blockIdx.x) * COLUMNS + me % COLUMNS;
    const int64_t    n_weights = f.at.weights_at[f.at.n_layers];
    float            sum       = 0;

    if (blockIdx.x == gridDim.x - 1) {
        __shared__ double squares[THREADS];
        double            square = 0;

        for (int64_t p = me; p < n_parts; p += THREADS)
            square += f.losses[p];
        square = mlp_block_sum(squares, square);
        if (me == 0)
            *loss = loss_factor * square;
        return;
    }
    if (i < f.part_size)
#pragma unroll 8
        for (int64_t p = group; p < n_parts; p += GROUPS)
            sum += f.parts[p * f.part_size + i];
    sums[me] = sum;
    __syncthreads();
    if (group > 0 || i >= f.part_size)
        return;
    for (int g = 1; g < GROUPS; g++)
        sum += sums[g * COLUMNS + me];
    *(i < n_weights ? d_weights + i : d_biases + i - n_weights) = sum;
}

/* ---- launches ---- */

static int64_t tiles_of(const mlp_spec *spec) { return assay_ceil_div(spec->batch, SAMPLES); }

static int64_t blocks_of(const mlp_spec *spec, const mlp_tuning &tuning)
{
    return min(tiles_of(spec), tuning.blocks);
}

bool mlp_fused_supports(const mlp_spec *spec)
{
    return spec->inputs <= EXTENT && mlp_widest(spec) <= EXTENT && spec->depth + 1 <= MAX_LAYERS;
}

mlp_demand mlp_fused_demand(const mlp_spec *spec, const mlp_tuning &tuning)
{
    const mlp_layout at = mlp_layout_of(spec);
    mlp_demand       demand;

    demand.layers = false;
    demand.losses = blocks_of(spec, tuning);
    demand.parts  = demand.losses * (at.weights_at[at.n_layers] + at.biases_at[at.n_layers]);
    return demand;
}

static mlp_fused_args args_of(const mlp_call &call)
{
    const mlp_buf *buf = call.buf;
    mlp_fused_args f   = {};

    f.at         = call.at;
    f.activation = call.spec->activation;
    f.factor     = mlp_delta_factor(call.spec);
    f.batch      = call.spec->batch;
    f.tiles      = tiles_of(call.spec);
    f.x = buf->x, f.target = buf->target, f.weights = buf->weights, f.biases = buf->biases;
    f.y = buf->y, f.d_x = buf->d_x;
    f.parts     = call.memory.parts;
    f.part_size = call.at.weights_at[call.at.n_layers] + call.at.biases_at[call.at.n_layers];
    f.losses    = call.memory.losses;
    return f;
}

int mlp_run_fused(const mlp_call &call)
{
    const mlp_fused_args f      = args_of(call);
    const unsigned       blocks = static_cast<unsigned>(blocks_of(call.spec, call.tuning));
    const size_t         bytes  = static_cast<size_t>(floats_of(f.at.n_layers)) * sizeof(float);
    const double         n      = static_cast<double>(call.spec->batch * call.spec->outputs);
    int                  error  = assay_allow_shared(network_kernel, bytes);

    if (error != MLP_OK)
        return error;
    network_kernel<<<blocks, THREADS, bytes, call.stream>>>(f);
    error = assay_launch_status();
    if (error != MLP_OK)
        return error;
    add_blocks_kernel<<<assay_blocks_for(f.part_size, COLUMNS) + 1, THREADS, 0, call.stream>>>(
        f, static_cast<int64_t>(blocks), call.buf->d_weights, call.buf->d_biases,
        call.spec->loss_weight / n, call.buf->loss);
    return assay_launch_status();
}
