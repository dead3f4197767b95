/* One step of AdamW: the numbers that all elements share, one element, four neighbours, and kernels
 * over all elements. A template parameter says how an element is advanced, so that a wrong way has
 * the same kernels around it. */
#ifndef ADAMW_CUH
#define ADAMW_CUH

#include "../ops/ops_types.cuh"
#include "adamw_case.h"

#include <math.h>

/* Computed in double once a step, so that no thread divides by what all elements share. */
struct adamw_rates {
    float keep, beta1, rest1, beta2, rest2;
    float rate, scale2; /* lr and 1, each divided by its bias correction */
    float eps;
};

inline adamw_rates adamw_rates_of(const assay_args *args, int64_t step)
{
    const double *s = args->scalar;
    const double  t = static_cast<double>(args->param[ADAMW_FIRST_STEP] + step);
    adamw_rates   r;

    r.keep   = static_cast<float>(1 - s[ADAMW_LR] * s[ADAMW_DECAY]);
    r.beta1  = static_cast<float>(s[ADAMW_BETA1]);
    r.rest1  = static_cast<float>(1 - s[ADAMW_BETA1]);
    r.beta2  = static_cast<float>(s[ADAMW_BETA2]);
    r.rest2  = static_cast<float>(1 - s[ADAMW_BETA2]);
    r.rate   = static_cast<float>(s[ADAMW_LR] / (1 - pow(s[ADAMW_BETA1], t)));
    r.scale2 = static_cast<float>(1 / (1 - pow(s[ADAMW_BETA2], t)));
    r.eps    = static_cast<float>(s[ADAMW_EPS]);
    return r;
}

struct adamw_right {
    static __device__ void advance(const adamw_rates &r, float g, float &p, float &m, float &v)
    {
        m = fmaf(r.beta1, m, r.rest1 * g);
        v = fmaf(r.beta2, v, r.rest2 * g * g);
        p = fmaf(-r.rate, m / (sqrtf(v * r.scale2) + r.eps), p * r.keep);
    }
};

/* Elements begin to end of the buffers. */
template <typename T, bool HAS_MASTER> struct adamw_call {
    int64_t     begin, end;
    adamw_rates rates;
    T          *p;
    const T    *g;
    float      *m, *v, *master;
};

template <typename T, bool HAS_MASTER>
adamw_call<T, HAS_MASTER> adamw_call_of(const assay_args *args, int64_t step)
{
    const int64_t begin = args->param[ADAMW_OFFSET];

    return { begin,
             begin + args->param[ADAMW_N],
             adamw_rates_of(args, step),
             static_cast<T *>(args->buf[ADAMW_P]),
             static_cast<const T *>(args->buf[ADAMW_G]) + step * args->param[ADAMW_STRIDE],
             static_cast<float *>(args->buf[ADAMW_M]),
             static_cast<float *>(args->buf[ADAMW_V]),
             static_cast<float *>(args->buf[ADAMW_MASTER]) };
}

/* ---- one element ---- */

template <typename WAY, typename T, bool HAS_MASTER>
__device__ inline void adamw_one(const adamw_call<T, HAS_MASTER> &c, int64_t i)
{
    float p = HAS_MASTER ? c.master[i] : ops_float(c.p[i]), m = c.m[i], v = c.v[i];

    WAY::advance(c.rates, ops_float(c.g[i]), p, m, v);
    c.m[i] = m;
    c.v[i] = v;
    c.p[i] = ops_round<T>(p);
    if (HAS_MASTER)
        c.master[i] = p;
}

template <typename WAY, typename T, bool HAS_MASTER>
static __global__ void adamw_scalar_kernel(adamw_call<T, HAS_MASTER> c)
{
    const int64_t i = c.begin + static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < c.end)
        adamw_one<WAY>(c, i);
}

/* ---- four neighbours: 16 bytes of fp32, 8 of a type of 16 bits ---- */

template <typename T> struct alignas(4 * sizeof(T)) adamw_four {
    T v[4];
};

template <typename T> __device__ inline adamw_four<T> load_four(const T *from, int64_t vector)
{
    return reinterpret_cast<const adamw_four<T> *>(from)[vector];
}
template <typename T> __device__ inline void store_four(T *to, int64_t vector, adamw_four<T> four)
{
    reinterpret_cast<adamw_four<T> *>(to)[vector] = four;
}

template <typename T, bool HAS_MASTER> struct adamw_weights {
    adamw_four<T>     p, g;
    adamw_four<float> m, v, master;

    __device__ void load(const adamw_call<T, HAS_MASTER> &c, int64_t at)
    {
        if constexpr (HAS_MASTER)
            master = load_four(c.master, at);
        else
            p = load_four(c.p, at);
        g = load_four(c.g, at);
        m = load_four(c.m, at);
        v = load_four(c.v, at);
    }
    template <typename WAY> __device__ void advance(const adamw_rates &r)
    {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float wide = HAS_MASTER ? master.v[k] : ops_float(p.v[k]);

            WAY::advance(r, ops_float(g.v[k]), wide, m.v[k], v.v[k]);
            p.v[k] = ops_round<T>(wide);
            if constexpr (HAS_MASTER)
                master.v[k] = wide;
        }
    }
    __device__ void store(const adamw_call<T, HAS_MASTER> &c, int64_t at) const
    {
        store_four(c.m, at, m);
        store_four(c.v, at, v);
        store_four(c.p, at, p);
        if constexpr (HAS_MASTER)
            store_four(c.master, at, master);
    }
};

/* A thread has VECTORS vectors, a block's width apart: all loads are in flight before the first is
 * needed. The first threads take the elements before the first whole vector and after the last, one
 * each. */
template <typename WAY, typename EDGE_WAY, int VECTORS, typename T, bool HAS_MASTER>
static __global__ void adamw_vector_kernel(adamw_call<T, HAS_MASTER> c)
{
    const int64_t body     = min((c.begin + 3) / 4 * 4, c.end);
    const int64_t body_end = max(body, c.end / 4 * 4), head = body - c.begin;
    const int64_t thread = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int64_t first =
        body / 4 + static_cast<int64_t>(blockIdx.x) * blockDim.x * VECTORS + threadIdx.x;
    const int64_t edge = thread < head ? c.begin + thread : body_end + thread - head;

    adamw_weights<T, HAS_MASTER> x[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (first + k * static_cast<int64_t>(blockDim.x) < body_end / 4)
            x[k].load(c, first + k * static_cast<int64_t>(blockDim.x));
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int64_t at = first + k * static_cast<int64_t>(blockDim.x);

        if (at < body_end / 4) {
            x[k].template advance<WAY>(c.rates);
            x[k].store(c, at);
        }
    }
    if (edge < c.end)
        adamw_one<EDGE_WAY>(c, edge);
}

/* ---- launches ---- */

template <typename WAY, typename T, bool HAS_MASTER>
void adamw_launch_scalar(adamw_call<T, HAS_MASTER> c, unsigned block, assay_stream stream)
{
    adamw_scalar_kernel<WAY, T, HAS_MASTER>
        <<<assay_blocks_for(c.end - c.begin, block), block, 0, stream>>>(c);
}

template <typename WAY, typename EDGE_WAY, int VECTORS, typename T, bool HAS_MASTER>
void adamw_launch_vector(adamw_call<T, HAS_MASTER> c, unsigned block, assay_stream stream)
{
    adamw_vector_kernel<WAY, EDGE_WAY, VECTORS, T, HAS_MASTER>
        <<<assay_blocks_for((c.end - c.begin) / 4, block * VECTORS), block, 0, stream>>>(c);
}

/* Runs CALL for each step, with the type T and HAS_MASTER of the point and the adamw_call `c`. */
#define ADAMW_EACH_STEP(MASTER, ...)                                                               \
    do {                                                                                           \
        constexpr bool HAS_MASTER = MASTER;                                                        \
                                                                                                   \
        for (int64_t step = 0; step < args->param[ADAMW_STEPS]; step++) {                          \
            const adamw_call<T, HAS_MASTER> c = adamw_call_of<T, HAS_MASTER>(args, step);          \
                                                                                                   \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    } while (0)
#define ADAMW_LAUNCHER(name, ...)                                                                  \
    template <typename T> static void name##_steps(const assay_args *args, assay_stream stream)    \
    {                                                                                              \
        if constexpr (sizeof(T) < sizeof(float)) {                                                 \
            if (args->param[ADAMW_HAS_MASTER]) {                                                   \
                ADAMW_EACH_STEP(true, __VA_ARGS__);                                                \
                return;                                                                            \
            }                                                                                      \
        }                                                                                          \
        ADAMW_EACH_STEP(false, __VA_ARGS__);                                                       \
    }                                                                                              \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        if (args->param[ADAMW_N] > 0)                                                              \
            OPS_LAUNCH_BY_TYPE(args->param[ADAMW_TYPE], name##_steps<T>(args, stream));            \
        return assay_launch_status();                                                              \
    }

#endif
