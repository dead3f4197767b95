/* Kernels of the variant ops: each does what one tensor operation does, from memory to memory. */
#ifndef PHYSARUM_OPS_CUH
#define PHYSARUM_OPS_CUH

#include "physarum_launch.h"

__device__ inline int64_t ops_thread(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/* ---- element by element. `stride` and `offset` say where an operand's elements lie: a column of a
 * matrix is an operand, too. */

struct ops_view {
    const float *at;
    int          stride, offset;
};
__device__ inline float ops_get(ops_view v, int64_t i) { return v.at[i * v.stride + v.offset]; }

struct ops_cosine {
    __device__ float operator()(float a, float) const { return cosf(a); }
};
struct ops_sine {
    __device__ float operator()(float a, float) const { return sinf(a); }
};
struct ops_plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct ops_times {
    __device__ float operator()(float a, float b) const { return a * b; }
};
struct ops_divided {
    __device__ float operator()(float a, float b) const { return a / b; }
};

/* One operand and a number. */
template <typename Op>
static __global__ void ops_with_number_kernel(Op op, int64_t n, float *to, ops_view a, float b)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = op(ops_get(a, i), b);
}

template <typename Op> static __global__ void ops_with_tensor_kernel(Op op, int64_t n, float *to,
                                                                     const float *a, const float *b)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = op(a[i], b[i]);
}

/* [n, 3, 2] + [n, 1, 2] */
static __global__ void ops_add_position_kernel(int64_t n, float *to, const float *offsets,
                                               const float *pos)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = pos[i / 6 * 2 + i % 2] + offsets[i];
}

/* Remainder of y, x pairs by the extents, with the sign of the divisor. */
static __global__ void ops_remainder_kernel(int64_t n, float *to, const float *from, float height,
                                            float width)
{
    const int64_t i = ops_thread();

    if (i < n) {
        const float extent = i % 2 == 0 ? height : width;
        const float r      = fmodf(from[i], extent);

        to[i] = r < 0.0f ? r + extent : r;
    }
}

/* ---- stack: `parts` tensors of `rows` rows with `width` numbers each, side by side */

struct ops_parts {
    const float *at[3];
};
static __global__ void ops_stack_kernel(int64_t n, float *to, ops_parts from, int parts, int width)
{
    const int64_t i = ops_thread();

    if (i < n) {
        const int64_t row = i / (parts * width), rest = i % (parts * width);

        to[i] = from.at[rest / width][row * width + rest % width];
    }
}

/* ---- repeat and sample */

static __global__ void ops_repeat_kernel(int64_t n, float *to, const float *from, int64_t cells)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = from[i % cells];
}

__device__ inline float ops_or_zero(const physarum_grid &g, const float *field, int y, int x)
{
    return y >= 0 && y < g.height && x >= 0 && x < g.width ? field[y * g.width + x] : 0.0f;
}

/* Three images, and [3, n, 1, 2] places in [-1, 1], x first: corners aligned, zeros outside. */
static __global__ void ops_grid_sample_kernel(physarum_grid g, float *to, const float *images,
                                              const float *places)
{
    const int64_t i = ops_thread();

    if (i < 3 * static_cast<int64_t>(g.agents)) {
        const float *const field =
            images + i / g.agents * (static_cast<int64_t>(g.height) * g.width);
        const float x  = (places[2 * i] + 1.0f) / 2.0f * (g.extent_x - 1.0f);
        const float y  = (places[2 * i + 1] + 1.0f) / 2.0f * (g.extent_y - 1.0f);
        const float x0 = floorf(x), y0 = floorf(y);
        const float right = x - x0, down = y - y0, left = x0 + 1.0f - x, up = y0 + 1.0f - y;
        const int   column = static_cast<int>(x0), row = static_cast<int>(y0);

        to[i] = ops_or_zero(g, field, row, column) * (left * up) +
                ops_or_zero(g, field, row, column + 1) * (right * up) +
                ops_or_zero(g, field, row + 1, column) * (left * down) +
                ops_or_zero(g, field, row + 1, column + 1) * (right * down);
    }
}

/* ---- decide */

/* Of [3, n] along the first axis: the first of the largest. */
static __global__ void ops_argmax_kernel(int64_t n, int64_t *to, const float *from)
{
    const int64_t i = ops_thread();

    if (i < n) {
        int64_t best = from[n + i] > from[i];

        to[i] = from[2 * n + i] > from[best * n + i] ? 2 : best;
    }
}

static __global__ void ops_equal_kernel(int64_t n, unsigned char *to, const int64_t *from,
                                        int64_t value)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = from[i] == value;
}

static __global__ void ops_where_kernel(int64_t n, float *to, const unsigned char *is_first,
                                        const float *first, const float *second)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = is_first[i] ? first[i] : second[i];
}

/* ---- deposit */

static __global__ void ops_to_integer_kernel(int64_t n, int64_t *to, ops_view from)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = static_cast<int64_t>(ops_get(from, i));
}

static __global__ void ops_clamp_kernel(int64_t n, int64_t *to, const int64_t *from, int64_t most)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = from[i] < 0 ? 0 : from[i] > most ? most : from[i];
}

static __global__ void ops_gather_kernel(int64_t n, float *to, const float *field, const int64_t *y,
                                         const int64_t *x, int width)
{
    const int64_t i = ops_thread();

    if (i < n)
        to[i] = field[y[i] * width + x[i]];
}

/* Indices that repeat write the same sum once more. */
static __global__ void ops_put_kernel(int64_t n, float *field, const float *from, const int64_t *y,
                                      const int64_t *x, int width)
{
    const int64_t i = ops_thread();

    if (i < n)
        assay_store_relaxed(reinterpret_cast<unsigned *>(field) + y[i] * width + x[i],
                            __float_as_uint(from[i]));
}

/* ---- convolution with a square of equal weights, zeros outside */

static __global__ void ops_convolve_kernel(physarum_grid g, float *to, const float *from)
{
    const int64_t i      = ops_thread();
    const int     radius = g.blur / 2;
    float         sum    = 0.0f;

    if (i >= static_cast<int64_t>(g.height) * g.width)
        return;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            sum += g.share * ops_or_zero(g, from, static_cast<int>(i / g.width) + dy,
                                         static_cast<int>(i % g.width) + dx);
    to[i] = sum;
}

#endif
