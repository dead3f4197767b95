/* mlp_grad, tiled: each step is one product of tiles. The gradient of the weights, a long sum with
 * few results, is cut into parts that are added afterwards. */
#include "mlp_launch.h"
#include "mlp_product.cuh"

/* Adds up the gradient of a layer from its parts: first the weights, then the biases. */
static __global__ void add_parts_kernel(int64_t n_weights, int64_t part_size, int64_t n_parts,
                                        const float *parts, float *weights, float *biases)
{
    const int64_t i   = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    float         sum = 0;

    if (i >= part_size)
        return;
    for (int64_t p = 0; p < n_parts; p++)
        sum += parts[p * part_size + i];
    *(i < n_weights ? weights + i : biases + i - n_weights) = sum;
}

/* ---- launches ---- */

static int64_t tiles_of(int64_t m, int64_t n, int64_t tile)
{
    return assay_ceil_div(m, tile) * assay_ceil_div(n, tile);
}

/* Number of parts: a product over the batch has few tiles and a long sum. */
static int64_t parts_of(int64_t m, int64_t n, int64_t k, int64_t tile, int64_t blocks)
{
    const int64_t shortest = 128;
    const int64_t parts    = min(blocks / tiles_of(m, n, tile), assay_ceil_div(k, shortest));

    return parts > 1 ? parts : 1;
}

static int64_t choose_tile(int64_t m, int64_t n, int64_t k, bool has_parts, const mlp_tuning &t)
{
    const int64_t parts = has_parts ? parts_of(m, n, k, 128, t.blocks) : 1;

    return m > 64 && n > 64 && tiles_of(m, n, 128) * parts >= t.wide_from ? 128 : 64;
}

/* Tile, parts and the memory for them of one layer's gradient. */
struct gradient_cut {
    int64_t tile, parts, k_part, part_size;
};

static gradient_cut cut_of(int64_t n_out, int64_t n_in, int64_t batch, const mlp_tuning &tuning)
{
    const int64_t deepest = 16; /* tile_shape::DEPTH of the smaller tile, a multiple of the other */
    gradient_cut  cut;

    cut.tile      = choose_tile(n_out, n_in, batch, true, tuning);
    cut.parts     = parts_of(n_out, n_in, batch, cut.tile, tuning.blocks);
    cut.k_part    = assay_ceil_div(assay_ceil_div(batch, cut.parts), deepest) * deepest;
    cut.parts     = assay_ceil_div(batch, cut.k_part);
    cut.part_size = n_out * n_in + n_out;
    return cut;
}

mlp_demand mlp_tiled_demand(const mlp_spec *spec, const mlp_tuning &tuning)
{
    const mlp_layout at = mlp_layout_of(spec);
    mlp_demand       demand;

    demand.losses = tiles_of(spec->batch, spec->outputs, 64);
    for (int l = 0; l < at.n_layers; l++) {
        const gradient_cut cut = cut_of(at.n[l + 1], at.n[l], spec->batch, tuning);

        if (cut.parts > 1)
            demand.parts = max(demand.parts, cut.parts * cut.part_size);
    }
    return demand;
}

static bool is_aligned(const void *p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }

template <int TILE, bool A_ALONG_K, bool B_ALONG_K>
static int launch_tile(const mlp_call &call, mlp_product &p, int64_t *blocks)
{
    const int64_t parts = assay_ceil_div(p.k, p.k_part);

    p.tiles_m = assay_ceil_div(p.m, TILE);
    p.tiles_n = assay_ceil_div(p.n, TILE);
    *blocks   = p.tiles_m * p.tiles_n * parts;
    if (*blocks > INT32_MAX)
        return MLP_INVALID_GRID;
    product_kernel<TILE, A_ALONG_K, B_ALONG_K>
        <<<static_cast<unsigned>(*blocks), THREADS, 0, call.stream>>>(p);
    return assay_launch_status();
}

template <bool A_ALONG_K, bool B_ALONG_K>
static int launch(const mlp_call &call, mlp_product p, int64_t tile, int64_t *blocks)
{
    p.a_vectors = is_aligned(p.a) && (A_ALONG_K ? p.k : p.m) % 4 == 0;
    p.b_vectors = is_aligned(p.b) && (B_ALONG_K ? p.k : p.n) % 4 == 0;
    p.c_vectors = is_aligned(p.c) && p.n % 4 == 0 && p.part_size % 4 == 0;
    return tile == 128 ? launch_tile<128, A_ALONG_K, B_ALONG_K>(call, p, blocks)
                       : launch_tile<64, A_ALONG_K, B_ALONG_K>(call, p, blocks);
}

static int forward(const mlp_call &call, const mlp_step &s)
{
    const int64_t tile = choose_tile(s.batch, s.n_out, s.n_in, false, call.tuning);
    mlp_product   p    = {};
    int64_t       blocks;
    int           error;

    p.m = s.batch, p.n = s.n_out, p.k = p.k_part = s.n_in;
    p.a = s.a, p.b = s.weights, p.c = s.next;
    p.finish     = s.is_last ? FINISH_OUTPUT : FINISH_HIDDEN;
    p.activation = s.activation;
    p.biases     = s.biases;
    if (s.is_last) {
        p.other  = call.buf->target;
        p.delta  = s.delta;
        p.factor = mlp_delta_factor(call.spec);
        p.losses = call.memory.losses;
    }
    error = launch<true, true>(call, p, tile, &blocks);
    return error == MLP_OK && s.is_last ? mlp_launch_loss(call, blocks) : error;
}

/* The product of the last layer has already done it. */
static int no_delta(const mlp_call &, const mlp_step &) { return MLP_OK; }

static int add_parts(const mlp_call &call, const mlp_step &s, const gradient_cut &cut)
{
    const unsigned blocks = assay_blocks_for(cut.part_size, THREADS);

    if (blocks == 0)
        return MLP_INVALID_GRID;
    add_parts_kernel<<<blocks, THREADS, 0, call.stream>>>(
        s.n_out * s.n_in, cut.part_size, cut.parts, call.memory.parts, s.d_weights, s.d_biases);
    return assay_launch_status();
}

static int gradient(const mlp_call &call, const mlp_step &s)
{
    const gradient_cut cut       = cut_of(s.n_out, s.n_in, s.batch, call.tuning);
    const bool         has_parts = cut.parts > 1;
    mlp_product        p         = {};
    int64_t            blocks;
    int                error;

    p.m = s.n_out, p.n = s.n_in, p.k = s.batch, p.k_part = cut.k_part;
    p.a = s.delta, p.b = s.a;
    p.c         = has_parts ? call.memory.parts : s.d_weights;
    p.row_sums  = has_parts ? p.c + s.n_out * s.n_in : s.d_biases;
    p.part_size = has_parts ? cut.part_size : 0;
    p.finish    = FINISH_PLAIN;
    error       = launch<false, false>(call, p, cut.tile, &blocks);
    return error == MLP_OK && has_parts ? add_parts(call, s, cut) : error;
}

static int backward(const mlp_call &call, const mlp_step &s)
{
    const int64_t tile = choose_tile(s.batch, s.n_in, s.n_out, false, call.tuning);
    mlp_product   p    = {};
    int64_t       blocks;

    p.m = s.batch, p.n = s.n_in, p.k = p.k_part = s.n_out;
    p.a = s.delta, p.b = s.weights, p.c = s.d_a;
    p.finish     = s.is_first ? FINISH_PLAIN : FINISH_SLOPE;
    p.activation = s.activation;
    p.other      = s.a;
    return launch<true, false>(call, p, tile, &blocks);
}

extern const mlp_steps MLP_TILED_STEPS = { forward, no_delta, gradient, backward };
