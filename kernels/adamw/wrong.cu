/* Wrong on purpose: eps inside the root, moments in half precision, no master weights, an ignored
 * offset. */
#include "adamw.cuh"

static const unsigned BLOCK = 256;

/* 1 / sqrt(v + eps^2) in place of 1 / (sqrt(v) + eps): up to 1.41 times the step, at v = eps^2. */
struct eps_inside {
    static __device__ void advance(const adamw_rates &r, float g, float &p, float &m, float &v)
    {
        m = fmaf(r.beta1, m, r.rest1 * g);
        v = fmaf(r.beta2, v, r.rest2 * g * g);
        p = fmaf(-r.rate, m * rsqrtf(fmaf(v, r.scale2, r.eps * r.eps)), p * r.keep);
    }
};

/* The original's fp32 kernel: its body is right, its tail is not. */
ASSAY_LAUNCHER(adamw_tail_eps_inside)
{
    for (int64_t step = 0; step < args->param[ADAMW_STEPS]; step++)
        adamw_launch_vector<adamw_right, eps_inside, 1>(adamw_call_of<float, false>(args, step),
                                                        BLOCK, stream);
    return assay_launch_status();
}

/* The original's kernel for large arrays of 16-bit types. */
template <typename T, bool HAS_MASTER>
static void launch_large(adamw_call<T, HAS_MASTER> c, assay_stream stream)
{
    if constexpr (sizeof(T) < sizeof(float))
        adamw_launch_vector<eps_inside, eps_inside, 2>(c, BLOCK, stream);
}

ADAMW_LAUNCHER(adamw_ilp_eps_inside, launch_large(c, stream))

/* Moments that are rounded to fp16: values below 6e-8 become 0, and squares of gradients are that
 * small. */
struct half_moments {
    static __device__ void advance(const adamw_rates &r, float g, float &p, float &m, float &v)
    {
        adamw_right::advance(r, g, p, m, v);
        m = ops_float(ops_round<__half>(m));
        v = ops_float(ops_round<__half>(v));
    }
};

ADAMW_LAUNCHER(adamw_half_moments, adamw_launch_scalar<half_moments>(c, BLOCK, stream))

/* The rounded parameters are advanced, and copied to the master weights. */
template <typename T> static __global__ void adamw_no_master_kernel(adamw_call<T, true> c)
{
    const int64_t i = c.begin + static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < c.end) {
        float p = ops_float(c.p[i]), m = c.m[i], v = c.v[i];

        adamw_right::advance(c.rates, ops_float(c.g[i]), p, m, v);
        c.m[i]      = m;
        c.v[i]      = v;
        c.p[i]      = ops_round<T>(p);
        c.master[i] = ops_float(c.p[i]);
    }
}

template <typename T, bool HAS_MASTER>
static void launch_no_master(adamw_call<T, HAS_MASTER> c, assay_stream stream)
{
    if constexpr (HAS_MASTER)
        adamw_no_master_kernel<T>
            <<<assay_blocks_for(c.end - c.begin, BLOCK), BLOCK, 0, stream>>>(c);
}

ADAMW_LAUNCHER(adamw_no_master, launch_no_master(c, stream))

/* The pointers are moved by the offset, and then treated as aligned. */
template <typename T, bool HAS_MASTER>
static adamw_call<T, HAS_MASTER> moved(adamw_call<T, HAS_MASTER> c)
{
    c.p += c.begin;
    c.g += c.begin;
    c.m += c.begin;
    c.v += c.begin;
    c.master = HAS_MASTER ? c.master + c.begin : nullptr;
    c.end -= c.begin;
    c.begin = 0;
    return c;
}

ADAMW_LAUNCHER(adamw_ignores_offset, adamw_launch_vector<adamw_right, adamw_right, 1>(
                                         moved(c), static_cast<unsigned>(args->tune[0]), stream))
