/* Kernels behind test_executor_video.c: integer intrinsics on three words for each thread. */
#include "kernel.h"

#include "executor_video_list.h"

#ifdef ASSAY_HOST_KERNELS
#include "host/intrinsics.h"
#endif

#define CALL_ONE(function)   function(a)
#define CALL_TWO(function)   function(a, b)
#define CALL_THREE(function) function(a, b, c)
#define CALL_TWO_SIGNED(function)                                                                  \
    static_cast<unsigned>(function(static_cast<int>(a), static_cast<int>(b)))
#define CALL_THREE_SIGNED(function)                                                                \
    static_cast<unsigned>(function(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)))

/* out[instruction * n + i] */
static __global__ void lanes_kernel(const unsigned *in, unsigned *out, int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    int64_t        at = i;

#define RUN(function, call, lanes, is_signed, plain)                                               \
    out[at] = CALL_##call(function);                                                               \
    at += n;
    VIDEO_LIST(RUN)
#undef RUN
}

ASSAY_LAUNCHER(executor_lanes)
{
    const int64_t n = args->param[0];

    lanes_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(
        static_cast<const unsigned *>(args->buf[0]), static_cast<unsigned *>(args->buf[1]), n);
    return assay_launch_status();
}

template <typename V> static __device__ V vector_of(unsigned word)
{
    V v;

    memcpy(&v, &word, sizeof v);
    return v;
}

static __device__ void compare_two(unsigned a, unsigned b, video_more *m)
{
    const int s = static_cast<int>(a), t = static_cast<int>(b);
    bool      is[12];

    m->sads2      = __vsads2(a, b);
    m->sads4      = __vsads4(a, b);
    m->sadu2      = __vsadu2(a, b);
    m->sadu4      = __vsadu4(a, b);
    m->larger_s   = static_cast<unsigned>(__vibmax_s32(s, t, &is[0]));
    m->larger_u   = __vibmax_u32(a, b, &is[1]);
    m->smaller_s  = static_cast<unsigned>(__vibmin_s32(s, t, &is[2]));
    m->smaller_u  = __vibmin_u32(a, b, &is[3]);
    m->larger_s2  = __vibmax_s16x2(a, b, &is[5], &is[4]);
    m->larger_u2  = __vibmax_u16x2(a, b, &is[7], &is[6]);
    m->smaller_s2 = __vibmin_s16x2(a, b, &is[9], &is[8]);
    m->smaller_u2 = __vibmin_u16x2(a, b, &is[11], &is[10]);
    m->first      = 0;
    for (unsigned i = 0; i < 12; i++)
        m->first |= static_cast<unsigned>(is[i]) << i;
}

static __device__ void multiply(unsigned a, unsigned b, unsigned c, video_more *m)
{
    const int s = static_cast<int>(a), t = static_cast<int>(b), u = static_cast<int>(c);

    m->dp4a       = __dp4a(s, t, u);
    m->dp4a_u     = __dp4a(a, b, c);
    m->dp4a_v     = __dp4a(vector_of<char4>(a), vector_of<char4>(b), u);
    m->dp4a_vu    = __dp4a(vector_of<uchar4>(a), vector_of<uchar4>(b), c);
    m->dp2a_lo    = __dp2a_lo(s, t, u);
    m->dp2a_hi    = __dp2a_hi(s, t, u);
    m->dp2a_lo_u  = __dp2a_lo(a, b, c);
    m->dp2a_hi_u  = __dp2a_hi(a, b, c);
    m->dp2a_lo_v  = __dp2a_lo(vector_of<short2>(a), vector_of<char4>(b), u);
    m->dp2a_hi_v  = __dp2a_hi(vector_of<short2>(a), vector_of<char4>(b), u);
    m->dp2a_lo_vu = __dp2a_lo(vector_of<ushort2>(a), vector_of<uchar4>(b), c);
    m->dp2a_hi_vu = __dp2a_hi(vector_of<ushort2>(a), vector_of<uchar4>(b), c);
}

static __global__ void more_kernel(const unsigned *in, video_more *out, int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const unsigned  a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    const int       s = static_cast<int>(a), t = static_cast<int>(b);
    const long long v = static_cast<long long>(static_cast<unsigned long long>(a) << 32 | c),
                    w = static_cast<long long>(static_cast<unsigned long long>(b) << 32 | a);
    video_more m {};

    compare_two(a, b, &m);
    multiply(a, b, c, &m);
    m.funnel_l = __funnelshift_lc(a, b, c % 40);
    m.funnel_r = __funnelshift_rc(a, b, c % 40);
    m.hadd     = __hadd(s, t);
    m.rhadd    = __rhadd(s, t);
    m.uhadd    = __uhadd(a, b);
    m.urhadd   = __urhadd(a, b);
    m.sad      = __sad(s, t, c);
    m.umin     = umin(a, b);
    m.umax     = umax(a, b);
    m.mul64hi  = __mul64hi(v, w);
    m.llmin    = llmin(v, w);
    m.llmax    = llmax(v, w);
    m.ullmin   = ullmin(static_cast<unsigned long long>(v), static_cast<unsigned long long>(w));
    m.ullmax   = ullmax(static_cast<unsigned long long>(v), static_cast<unsigned long long>(w));
    out[i]     = m;
}

ASSAY_LAUNCHER(executor_integers)
{
    const int64_t n = args->param[0];

    more_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(
        static_cast<const unsigned *>(args->buf[0]), static_cast<video_more *>(args->buf[1]), n);
    return assay_launch_status();
}
