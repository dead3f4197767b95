/* Random numbers of a CUDA thread for host compilation, by the documentation of cuRAND's device
 * interface: XORWOW, Philox4_32_10, MRG32k3a. Integers and uniform numbers are those of a GPU, bit
 * for bit. Normal numbers may differ in the last digits, which come from log and sin. */
#ifndef ASSAY_HOST_CUDA_CURAND_KERNEL_H
#define ASSAY_HOST_CUDA_CURAND_KERNEL_H

#include "host/host_math.h"
#include "host/random_states.h"

/* ---- states. Normal numbers come in pairs: the second one is kept for the next call of the same
 * kind; a call of another kind draws new numbers */

enum assay_waiting {
    ASSAY_WAITS_NOT,
    ASSAY_WAITS_NORMAL,
    ASSAY_WAITS_LOG_NORMAL
};
template <typename T> struct assay_second {
    assay_waiting waits;
    T             value;
};
struct assay_normal_waiting {
    assay_second<float>  of_float;
    assay_second<double> of_double;
};
struct curandStateXORWOW {
    assay_xorwow         bits;
    assay_normal_waiting normal;
};
struct curandStatePhilox4_32_10 {
    uint4                counter, output;
    uint2                key;
    unsigned             used; /* of the output */
    assay_normal_waiting normal;
};
struct curandStateMRG32k3a {
    assay_mrg            bits;
    assay_normal_waiting normal;
};
using curandStateXORWOW_t        = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;
using curandStateMRG32k3a_t      = curandStateMRG32k3a;
using curandState                = curandStateXORWOW;
using curandState_t              = curandStateXORWOW;

/* ---- jumps */

inline void skipahead(unsigned long long n, curandStateXORWOW *state)
{
    assay_xorwow_jump(&state->bits, n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW *state)
{
    assay_xorwow_jump_subsequences(&state->bits, n);
}
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    const unsigned used = state->used + static_cast<unsigned>(n % 4);

    assay_philox_advance(&state->counter, 0, n / 4 + used / 4);
    state->used   = used % 4;
    state->output = assay_philox(state->counter, state->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    assay_philox_advance(&state->counter, 2, n);
    state->output = assay_philox(state->counter, state->key);
}
inline void skipahead(unsigned long long n, curandStateMRG32k3a *state)
{
    assay_mrg_jump(&state->bits, n, 0);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *state)
{
    assay_mrg_jump(&state->bits, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *state)
{
    assay_mrg_jump(&state->bits, n, 127);
}

/* ---- seeds */

inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateXORWOW *state)
{
    *state = curandStateXORWOW { assay_xorwow_seeded(seed), {} };
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStatePhilox4_32_10 *state)
{
    *state     = curandStatePhilox4_32_10 {};
    state->key = uint2 { static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32) };
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
/* Each number of the first state is 12345, times one half of the seed. */
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateMRG32k3a *state)
{
    const uint64_t part[2] = { (seed & 0xffffffffu) ^ 0x55555555u, (seed >> 32) ^ 0xAAAAAAAAu };

    *state = curandStateMRG32k3a {};
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t by1 = seed == 0 ? 1 : part[i % 2], by2 = seed == 0 ? 1 : part[(i + 1) % 2];

        state->bits.s1[i] = static_cast<unsigned>(by1 % ASSAY_MRG_M1 * 12345u % ASSAY_MRG_M1);
        state->bits.s2[i] = static_cast<unsigned>(by2 % ASSAY_MRG_M2 * 12345u % ASSAY_MRG_M2);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

/* ---- 32 bits */

inline unsigned curand(curandStateXORWOW *state) { return assay_xorwow_next(&state->bits); }
inline unsigned curand(curandStatePhilox4_32_10 *state)
{
    const unsigned words[4] = { state->output.x, state->output.y, state->output.z,
                                state->output.w };
    const unsigned result   = words[state->used];

    skipahead(1, state);
    return result;
}
/* maps m1 numbers to 2^32 */
inline unsigned curand(curandStateMRG32k3a *state)
{
    const double scaled = assay_mrg_next(&state->bits) * 1.000000048662;

    return scaled < 0x1p32 ? static_cast<unsigned>(scaled) : 0xffffffffu;
}
inline uint4 curand4(curandStatePhilox4_32_10 *state)
{
    uint4 result;

    result.x = curand(state);
    result.y = curand(state);
    result.z = curand(state);
    result.w = curand(state);
    return result;
}

/* ---- uniform: above 0, and up to 1 */

inline float assay_uniform_of(unsigned bits)
{
    return static_cast<float>(bits) * 0x1p-32f + 0x1p-33f;
}
/* The upper 21 bits of the second word are the highest. */
inline double assay_uniform_of(unsigned low, unsigned high)
{
    const uint64_t bits = static_cast<uint64_t>(low) ^ static_cast<uint64_t>(high) << 21;

    return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}
template <typename State> inline float curand_uniform(State *state)
{
    return assay_uniform_of(curand(state));
}
/* Made of two words; with Philox another function makes it of one. */
template <typename State> inline double assay_uniform_double(State *state)
{
    const unsigned low = curand(state);

    return assay_uniform_of(low, curand(state));
}
inline double curand_uniform_double(curandStateXORWOW *state)
{
    return assay_uniform_double(state);
}
inline double curand_uniform_double(curandStatePhilox4_32_10 *state)
{
    return (static_cast<double>(curand(state)) + 1) * 0x1p-32;
}
inline double curand_uniform_double(curandStateMRG32k3a *state)
{
    return static_cast<double>(assay_mrg_next(&state->bits)) * (1 / 4294967087.0);
}
inline double assay_uniform_double(curandStateMRG32k3a *state)
{
    return curand_uniform_double(state);
}
inline float curand_uniform(curandStateMRG32k3a *state)
{
    return static_cast<float>(curand_uniform_double(state));
}
inline float4 curand_uniform4(curandStatePhilox4_32_10 *state)
{
    const uint4 bits = curand4(state);

    return float4 { assay_uniform_of(bits.x), assay_uniform_of(bits.y), assay_uniform_of(bits.z),
                    assay_uniform_of(bits.w) };
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10 *state)
{
    const uint4 bits = curand4(state);

    return double2 { assay_uniform_of(bits.x, bits.y), assay_uniform_of(bits.z, bits.w) };
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10 *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);

    return double4 { a.x, a.y, b.x, b.y };
}

/* ---- normal: two by two, from two uniform ones (Box and Muller), the sine first */

inline float2 assay_box_muller(float u, float v)
{
    const float radius = sqrtf(-2.0f * logf(u)), angle = 6.2831853f * v;

    return float2 { radius * sinf(angle), radius * cosf(angle) };
}
inline double2 assay_box_muller(double u, double v)
{
    const double radius = sqrt(-2 * log(u));

    return double2 { radius * sinpi(2 * v), radius * cospi(2 * v) };
}
template <typename State> inline float2 curand_normal2(State *state)
{
    const float u = curand_uniform(state);

    return assay_box_muller(u, curand_uniform(state));
}
template <typename State> inline double2 curand_normal2_double(State *state)
{
    const double u = assay_uniform_double(state);

    return assay_box_muller(u, assay_uniform_double(state));
}
inline float4 curand_normal4(curandStatePhilox4_32_10 *state)
{
    const float4 uniform = curand_uniform4(state);
    const float2 a       = assay_box_muller(uniform.x, uniform.y);
    const float2 b       = assay_box_muller(uniform.z, uniform.w);

    return float4 { a.x, a.y, b.x, b.y };
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10 *state)
{
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);

    return double4 { a.x, a.y, b.x, b.y };
}

/* Keeps the second of a pair for the next call. */
template <typename T, typename Draw>
inline T assay_one_of_two(assay_second<T> *second, assay_waiting kind, Draw draw)
{
    const bool is_there = second->waits == kind;

    second->waits = is_there ? ASSAY_WAITS_NOT : kind;
    if (is_there)
        return second->value;
    const auto pair = draw();
    second->value   = pair.y;
    return pair.x;
}
template <typename State> inline float curand_normal(State *state)
{
    return assay_one_of_two(&state->normal.of_float, ASSAY_WAITS_NORMAL,
                            [state] { return curand_normal2(state); });
}
template <typename State> inline double curand_normal_double(State *state)
{
    return assay_one_of_two(&state->normal.of_double, ASSAY_WAITS_NORMAL,
                            [state] { return curand_normal2_double(state); });
}

/* ---- numbers whose logarithm is normal */

template <typename State>
inline float2 curand_log_normal2(State *state, float mean, float deviation)
{
    const float2 normal = curand_normal2(state);

    return float2 { expf(mean + deviation * normal.x), expf(mean + deviation * normal.y) };
}
template <typename State>
inline double2 curand_log_normal2_double(State *state, double mean, double deviation)
{
    const double2 normal = curand_normal2_double(state);

    return double2 { exp(mean + deviation * normal.x), exp(mean + deviation * normal.y) };
}
template <typename State> inline float curand_log_normal(State *state, float mean, float deviation)
{
    return assay_one_of_two(
        &state->normal.of_float, ASSAY_WAITS_LOG_NORMAL,
        [state, mean, deviation] { return curand_log_normal2(state, mean, deviation); });
}
template <typename State>
inline double curand_log_normal_double(State *state, double mean, double deviation)
{
    return assay_one_of_two(
        &state->normal.of_double, ASSAY_WAITS_LOG_NORMAL,
        [state, mean, deviation] { return curand_log_normal2_double(state, mean, deviation); });
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10 *state, float mean, float deviation)
{
    const float4 normal = curand_normal4(state);

    return float4 { expf(mean + deviation * normal.x), expf(mean + deviation * normal.y),
                    expf(mean + deviation * normal.z), expf(mean + deviation * normal.w) };
}

#endif
