/* Wrong on purpose, each variant in one way: accesses past the end, or values never written. One
 * warp does everything. */
#include "kernel.h"

namespace
{
enum fault {
    NONE,
    COPY,
    COPY_BYTES,
    IN_PLACE,
    TOP,
    TOP_BEFORE,
    TOP_IF,
    KTOP,
    KLOW,
    SANE_SUM,
    UNSET_WORK,
    UNSET_OUTPUT,
    UNSET_SHARED
};

struct field {
    int64_t        n;
    const float   *x;
    const int     *k;
    const uint8_t *is_set;
    float         *best, *y;
    uint8_t       *was_set;
    float         *sum, *top;
    int           *ktop, *klow;
    float         *work;
};

field field_of(const assay_args *args)
{
    return field { args->count[0],
                   static_cast<const float *>(args->buf[0]),
                   static_cast<const int *>(args->buf[1]),
                   static_cast<const uint8_t *>(args->buf[2]),
                   static_cast<float *>(args->buf[3]),
                   static_cast<float *>(args->buf[4]),
                   static_cast<uint8_t *>(args->buf[5]),
                   static_cast<float *>(args->buf[6]),
                   static_cast<float *>(args->buf[7]),
                   static_cast<int *>(args->buf[8]),
                   static_cast<int *>(args->buf[9]),
                   static_cast<float *>(args->buf[10]) };
}

const unsigned WARP = 32;

/* Wrong: threads of the last round without an element take one anyway. */
__device__ int64_t rounded_up(int64_t n, bool is_wrong)
{
    return is_wrong ? (n / WARP + 1) * WARP : n;
}

template <fault F> __device__ void copy_all(const field &f)
{
    for (int64_t i = threadIdx.x; i < rounded_up(f.n, F == COPY); i += WARP)
        f.y[i] = f.x[i];
    for (int64_t i = threadIdx.x; i < rounded_up(f.n, F == COPY_BYTES); i += WARP)
        f.was_set[i] = f.is_set[i];
    for (int64_t i = threadIdx.x; i < rounded_up(f.n, F == IN_PLACE); i += WARP)
        f.best[i] = fmaxf(f.best[i], f.x[i]);
}

/* The sum of this lane. */
template <fault F> __device__ float sum_of(const field &f)
{
    float sum = 0;

    for (int64_t i = threadIdx.x; i < f.n + (F == SANE_SUM); i += WARP)
        if (fabsf(f.x[i]) < 1000)
            sum += f.x[i];
    return sum;
}

template <fault F> __device__ float top_of(const field &f)
{
    float top = f.x[0];

    for (int64_t i = static_cast<int64_t>(threadIdx.x) - (F == TOP_BEFORE);
         i < f.n + (F == TOP || F == TOP_IF); i += WARP) {
        if (F != TOP_IF)
            top = fmaxf(top, f.x[i]);
        else if (f.x[i] > top)
            top = f.x[i];
    }
    return top;
}

/* The maximum of the warp, in lane 0, together with what one place of memory already holds. */
template <fault F> __device__ float top_kept(const field &f, float top)
{
    __shared__ float kept[1];
    float           *place = F == UNSET_WORK ? f.work : F == UNSET_OUTPUT ? f.top : kept;

    if (F != UNSET_WORK && F != UNSET_OUTPUT && F != UNSET_SHARED)
        *place = top;
    *place = fmaxf(*place, top);
    return *place;
}
} // namespace

template <fault F> static __global__ void selftest_past_kernel(field f)
{
    float sum = sum_of<F>(f), top = top_of<F>(f);
    int   ktop = f.k[0], klow = f.k[0];

    copy_all<F>(f);
    for (int64_t i = threadIdx.x; i < f.n + (F == KTOP); i += WARP)
        ktop = max(ktop, f.k[i]);
    for (int64_t i = threadIdx.x; i < f.n + (F == KLOW); i += WARP)
        klow = min(klow, f.k[i]);
    for (int d = WARP / 2; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
        top  = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
        ktop = max(ktop, __shfl_xor_sync(0xffffffffu, ktop, d));
        klow = min(klow, __shfl_xor_sync(0xffffffffu, klow, d));
    }
    if (threadIdx.x == 0) {
        *f.sum  = sum;
        *f.top  = top_kept<F>(f, top);
        *f.ktop = ktop;
        *f.klow = klow;
    }
}

#define LAUNCHER(name, fault)                                                                      \
    ASSAY_LAUNCHER(selftest_past_##name)                                                           \
    {                                                                                              \
        selftest_past_kernel<fault><<<1, WARP, 0, stream>>>(field_of(args));                       \
        return assay_launch_status();                                                              \
    }
LAUNCHER(right, NONE)
LAUNCHER(copy, COPY)
LAUNCHER(copy_bytes, COPY_BYTES)
LAUNCHER(in_place, IN_PLACE)
LAUNCHER(top, TOP)
LAUNCHER(top_before, TOP_BEFORE)
LAUNCHER(top_if, TOP_IF)
LAUNCHER(ktop, KTOP)
LAUNCHER(klow, KLOW)
LAUNCHER(sane_sum, SANE_SUM)
LAUNCHER(unset_work, UNSET_WORK)
LAUNCHER(unset_output, UNSET_OUTPUT)
LAUNCHER(unset_shared, UNSET_SHARED)
