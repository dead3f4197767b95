/* Wrong on purpose, each variant in one way: indices, pointers and values. One element a thread. */
#include "kernel.h"

namespace
{
const unsigned BLOCK = 256;

struct field {
    int64_t      rows, columns, n;
    float        a;
    const float *x;
    float       *y;
};

field field_of(const assay_args *args)
{
    return field { args->param[0],
                   args->param[1],
                   args->count[1],
                   static_cast<float>(args->scalar[0]),
                   static_cast<const float *>(args->buf[0]),
                   static_cast<float *>(args->buf[1]) };
}

__device__ int64_t thread_number(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ float right_value(const field &f, int64_t i)
{
    const bool is_last = i % f.columns == f.columns - 1;

    return fmaf(f.a, f.x[i], is_last ? f.x[i] : f.x[i + 1]);
}
} // namespace

/* The launcher `name` of the kernel `name_kernel`, with a thread for every element. */
#define LAUNCHER(name)                                                                             \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        const field f = field_of(args);                                                            \
                                                                                                   \
        name##_kernel<<<assay_blocks_for(f.n, BLOCK), BLOCK, 0, stream>>>(f);                      \
        return assay_launch_status();                                                              \
    }

static __global__ void selftest_map_right_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = right_value(f, i);
}
LAUNCHER(selftest_map_right)

/* ---- reads */

/* The last column is not treated specially: it reads the first element of the next row, and the
 * last element reads what lies after the buffer. */
static __global__ void selftest_map_read_past_end_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = fmaf(f.a, f.x[i], f.x[i + 1]);
}
LAUNCHER(selftest_map_read_past_end)

/* Reads ahead before it knows whether there is a next element. The values are right: only a tool
 * that sees the access can tell. It is volatile because otherwise the compiler would remove the
 * fault. */
static __global__ void selftest_map_unused_read_past_end_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n) {
        const float next    = *static_cast<const volatile float *>(&f.x[i + 1]);
        const bool  is_last = i % f.columns == f.columns - 1;

        f.y[i] = fmaf(f.a, f.x[i], is_last ? f.x[i] : next);
    }
}
LAUNCHER(selftest_map_unused_read_past_end)

/* Loads two neighbours at once. Every second pair begins at an address from which no GPU can load
 * two; a CPU can. */
static __global__ void selftest_map_misaligned_kernel(field f)
{
    const int64_t i       = thread_number();
    const bool    is_last = i % f.columns == f.columns - 1;

    if (i < f.n && is_last) {
        f.y[i] = right_value(f, i);
    } else if (i < f.n) {
        const float2 two = *reinterpret_cast<const float2 *>(&f.x[i]);

        f.y[i] = fmaf(f.a, two.x, two.y);
    }
}
LAUNCHER(selftest_map_misaligned)

/* The same, member by member. */
static __global__ void selftest_map_misaligned_members_kernel(field f)
{
    const int64_t i       = thread_number();
    const bool    is_last = i % f.columns == f.columns - 1;

    if (i < f.n && is_last) {
        f.y[i] = right_value(f, i);
    } else if (i < f.n) {
        const float2 *two = reinterpret_cast<const float2 *>(&f.x[i]);

        f.y[i] = fmaf(f.a, two->x, two->y);
    }
}
LAUNCHER(selftest_map_misaligned_members)

/* ---- writes */

static __global__ void selftest_map_write_past_end_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = right_value(f, i);
    else if (i == f.n)
        f.y[i] = 0.0f;
}
LAUNCHER(selftest_map_write_past_end)

static __global__ void selftest_map_write_before_start_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = right_value(f, i);
    if (i == 0)
        f.y[i - 1] = 0.0f;
}
LAUNCHER(selftest_map_write_before_start)

/* Uses a size as an address: nothing is mapped that low on any device. */
static __global__ void selftest_map_wild_pointer_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = right_value(f, i);
    if (i == 0)
        *reinterpret_cast<float *>(static_cast<uintptr_t>(f.columns) * sizeof(float)) = 0.0f;
}
LAUNCHER(selftest_map_wild_pointer)

static __global__ void selftest_map_swapped_index_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i % f.columns * f.rows + i / f.columns] = right_value(f, i);
}
LAUNCHER(selftest_map_swapped_index)

/* The number of blocks is rounded down. */
ASSAY_LAUNCHER(selftest_map_unwritten_tail)
{
    const field f = field_of(args);

    selftest_map_right_kernel<<<static_cast<unsigned>(f.n / BLOCK), BLOCK, 0, stream>>>(f);
    return assay_launch_status();
}

/* No other thread reads element 0, so the output is right and there is no race. */
static __global__ void selftest_map_changed_input_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = right_value(f, i);
    if (i == 0)
        const_cast<float *>(f.x)[i] += 1.0f;
}
LAUNCHER(selftest_map_changed_input)

/* ---- values */

static __global__ void selftest_map_one_nan_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = i == f.n / 2 ? NAN : right_value(f, i);
}
LAUNCHER(selftest_map_one_nan)

/* Returns the right value in double; *bound gets how far the case lets an element differ from
 * it. */
static __device__ double exact_value(const field &f, int64_t i, double *bound)
{
    const double roundoff = 0x1p-24;
    const bool   is_last  = i % f.columns == f.columns - 1;
    const double product  = static_cast<double>(f.a) * static_cast<double>(f.x[i]);
    const double next     = static_cast<double>(is_last ? f.x[i] : f.x[i + 1]);

    *bound = roundoff * fabs(product + next) + roundoff * (fabs(product) + fabs(next));
    return product + next;
}

/* The largest float that is within the bound. */
static __device__ float value_at_bound(const field &f, int64_t i)
{
    double       bound;
    const double exact = exact_value(f, i, &bound);
    float        value = static_cast<float>(exact + bound);

    while (static_cast<double>(value) - exact > bound)
        value = nextafterf(value, -INFINITY);
    while (static_cast<double>(nextafterf(value, INFINITY)) - exact <= bound)
        value = nextafterf(value, INFINITY);
    return value;
}

static __global__ void selftest_map_at_bound_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = i == f.n / 2 ? value_at_bound(f, i) : right_value(f, i);
}
LAUNCHER(selftest_map_at_bound)

/* One unit in the last place more than that. */
static __global__ void selftest_map_past_bound_kernel(field f)
{
    const int64_t i = thread_number();

    if (i < f.n)
        f.y[i] = i == f.n / 2 ? nextafterf(value_at_bound(f, i), INFINITY) : right_value(f, i);
}
LAUNCHER(selftest_map_past_bound)
