/* The tensor operations of the variant ops, from memory to memory. Each says what one kernel does
 * with its element i. */
#ifndef PHYSARUM_OPS_CUH
#define PHYSARUM_OPS_CUH

#include "physarum_launch.h"

enum {
    OPS_BLOCK = 256
};

/* A kernel named after a part of the step, so that a timeline can tell the parts apart. The part's
 * type launches it. */
#define OPS_PART(part)                                                                             \
    template <typename Operation>                                                                  \
    static __global__ void part##_kernel(int64_t n, Operation operation)                           \
    {                                                                                              \
        const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;             \
                                                                                                   \
        if (i < n)                                                                                 \
            operation(i);                                                                          \
    }                                                                                              \
    struct part {                                                                                  \
        template <typename Operation>                                                              \
        static void launch(int64_t n, const Operation &operation, assay_stream stream)             \
        {                                                                                          \
            part##_kernel<Operation>                                                               \
                <<<assay_blocks_for(n, OPS_BLOCK), OPS_BLOCK, 0, stream>>>(n, operation);          \
        }                                                                                          \
    }

/* ---- element by element. `stride` and `offset` say where an operand's elements lie, so that a
 * column of a matrix can be an operand too. */

struct ops_view {
    const float     *at;
    int              stride, offset;
    __device__ float operator[](int64_t i) const { return at[i * stride + offset]; }
};

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
template <typename Op> struct ops_with_number {
    Op              op;
    float          *to;
    ops_view        a;
    float           b;
    __device__ void operator()(int64_t i) const { to[i] = op(a[i], b); }
};

template <typename Op> struct ops_with_tensor {
    Op              op;
    float          *to;
    const float    *a, *b;
    __device__ void operator()(int64_t i) const { to[i] = op(a[i], b[i]); }
};

/* [n, 3, 2] + [n, 1, 2] */
struct ops_add_position {
    float          *to;
    const float    *offsets, *pos;
    __device__ void operator()(int64_t i) const { to[i] = pos[i / 6 * 2 + i % 2] + offsets[i]; }
};

/* Remainder of y, x pairs by the extents, with the sign of the divisor. */
struct ops_remainder {
    float          *to;
    const float    *from;
    float           height, width;
    __device__ void operator()(int64_t i) const
    {
        const float extent = i % 2 == 0 ? height : width;
        const float r      = fmodf(from[i], extent);

        to[i] = r < 0.0f ? r + extent : r;
    }
};

/* `parts` tensors of rows of `width` numbers, side by side. */
struct ops_stack {
    float          *to;
    const float    *from[3];
    int             parts, width;
    __device__ void operator()(int64_t i) const
    {
        const int64_t row = i / (parts * width), rest = i % (parts * width);

        to[i] = from[rest / width][row * width + rest % width];
    }
};

/* ---- repeat and sample */

struct ops_repeat {
    float          *to;
    const float    *from;
    int64_t         cells;
    __device__ void operator()(int64_t i) const { to[i] = from[i % cells]; }
};

__device__ inline float ops_or_zero(const physarum_grid &g, const float *field, int y, int x)
{
    return y >= 0 && y < g.height && x >= 0 && x < g.width ? field[y * g.width + x] : 0.0f;
}

/* From three images and [3, n, 1, 2] places in [-1, 1], x first: corners aligned, zeros outside. */
struct ops_grid_sample {
    physarum_grid   g;
    float          *to;
    const float    *images, *places;
    __device__ void operator()(int64_t i) const
    {
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
};

/* ---- decide */

/* Along the first axis of [3, n]: the first of the largest. */
struct ops_argmax {
    int64_t        *to;
    const float    *from;
    int64_t         n;
    __device__ void operator()(int64_t i) const
    {
        const int64_t best = from[n + i] > from[i];

        to[i] = from[2 * n + i] > from[best * n + i] ? 2 : best;
    }
};

struct ops_equal {
    unsigned char  *to;
    const int64_t  *from;
    int64_t         value;
    __device__ void operator()(int64_t i) const { to[i] = from[i] == value; }
};

struct ops_where {
    float               *to;
    const unsigned char *is_first;
    const float         *first, *second;
    __device__ void      operator()(int64_t i) const { to[i] = is_first[i] ? first[i] : second[i]; }
};

/* ---- deposit */

struct ops_to_integer {
    int64_t        *to;
    ops_view        from;
    __device__ void operator()(int64_t i) const { to[i] = static_cast<int64_t>(from[i]); }
};

struct ops_clamp {
    int64_t        *to;
    const int64_t  *from;
    int64_t         most;
    __device__ void operator()(int64_t i) const
    {
        to[i] = from[i] < 0 ? 0 : from[i] > most ? most : from[i];
    }
};

/* Reads field cells by two tensors of indices. */
struct ops_gather {
    float          *to;
    const float    *field;
    const int64_t  *y, *x;
    int             width;
    __device__ void operator()(int64_t i) const { to[i] = field[y[i] * width + x[i]]; }
};

/* Indices that repeat write the same sum again. */
struct ops_put {
    float          *field;
    const float    *from;
    const int64_t  *y, *x;
    int             width;
    __device__ void operator()(int64_t i) const
    {
        assay_store_relaxed(reinterpret_cast<unsigned *>(field) + y[i] * width + x[i],
                            __float_as_uint(from[i]));
    }
};

/* ---- convolution with a square of equal weights, zeros outside */

struct ops_convolve {
    physarum_grid   g;
    float          *to;
    const float    *from;
    __device__ void operator()(int64_t i) const
    {
        const int y = static_cast<int>(i / g.width), x = static_cast<int>(i % g.width);
        const int radius = g.blur / 2;
        float     sum    = 0.0f;

        for (int dy = -radius; dy <= radius; dy++)
            for (int dx = -radius; dx <= radius; dx++)
                sum += g.share * ops_or_zero(g, from, y + dy, x + dx);
        to[i] = sum;
    }
};

#endif
