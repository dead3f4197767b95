/* The generators of cuda/curand_kernel.h: Philox4x32-10 (Salmon and others, 2011), xorwow
 * (Marsaglia, 2003), MRG32k3a (L'Ecuyer, 1999), each with its jumps. cuRAND's documentation gives
 * the distance between subsequences; a jump is a power of the matrix of one step. The documentation
 * does not say how a seed becomes a state: that was derived from states that curand_init made on a
 * GPU. */
#ifndef ASSAY_HOST_RANDOM_STATES_H
#define ASSAY_HOST_RANDOM_STATES_H

#include "vector_types.h"

#include <stdint.h>
#include <string.h>

/* ---- Philox: ten rounds over a counter */

inline uint4 assay_philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t a = UINT64_C(0xD2511F53) * counter.x, b = UINT64_C(0xCD9E8D57) * counter.z;

        counter =
            uint4 { static_cast<unsigned>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(b),
                    static_cast<unsigned>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(a) };
        key = uint2 { key.x + 0x9E3779B9u, key.y + 0xBB67AE85u };
    }
    return counter;
}

/* Adds to a counter of 128 bits, from its 32-bit word `first` on. */
inline void assay_philox_advance(uint4 *counter, unsigned first, unsigned long long n)
{
    unsigned words[4];
    uint64_t carry = 0;

    memcpy(words, counter, sizeof words);
    for (unsigned i = first; i < 4; i++) {
        const uint64_t part = i - first < 2 ? n >> 32 * (i - first) & 0xffffffffu : 0;

        carry += words[i] + part;
        words[i] = static_cast<unsigned>(carry);
        carry >>= 32;
    }
    memcpy(counter, words, sizeof words);
}

/* ---- xorwow: 160 bits with a step that is linear over GF(2), and a counter that is added */

struct assay_xorwow {
    unsigned d, v[5];
};

inline void assay_xorwow_shift(unsigned *v)
{
    const unsigned t = v[0] ^ v[0] >> 2;

    memmove(v, v + 1, 4 * sizeof *v);
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

/* A matrix over GF(2). Column b: what a step makes of bit b alone. */
struct assay_xorwow_matrix {
    unsigned column[160][5];

    void apply(unsigned *v) const
    {
        unsigned sum[5] = { 0, 0, 0, 0, 0 };

        for (unsigned bit = 0; bit < 160; bit++)
            for (unsigned i = 0; i < 5 && (v[bit / 32] >> bit % 32 & 1u) != 0; i++)
                sum[i] ^= column[bit][i];
        memcpy(v, sum, sizeof sum);
    }
};

/* The matrix of 2^i steps. */
class assay_xorwow_jumps
{
  public:
    static constexpr unsigned SUBSEQUENCE = 67; /* subsequences are 2^67 steps apart */

    assay_xorwow_jumps()
    {
        memset(power_, 0, sizeof power_);
        for (unsigned bit = 0; bit < 160; bit++) {
            power_[0].column[bit][bit / 32] = 1u << bit % 32;
            assay_xorwow_shift(power_[0].column[bit]);
        }
        for (unsigned i = 1; i < N; i++)
            for (unsigned bit = 0; bit < 160; bit++) {
                memcpy(power_[i].column[bit], power_[i - 1].column[bit], 5 * sizeof(unsigned));
                power_[i - 1].apply(power_[i].column[bit]);
            }
    }
    /* n * 2^first steps */
    void jump(unsigned *v, unsigned long long n, unsigned first) const
    {
        for (unsigned i = first; n != 0; i++, n >>= 1)
            if ((n & 1) != 0)
                power_[i].apply(v);
    }

  private:
    static constexpr unsigned N = SUBSEQUENCE + 64;
    assay_xorwow_matrix       power_[N];
};
inline const assay_xorwow_jumps &assay_xorwow_all_jumps(void)
{
    static const assay_xorwow_jumps jumps;

    return jumps;
}

inline void assay_xorwow_jump(assay_xorwow *state, unsigned long long n)
{
    assay_xorwow_all_jumps().jump(state->v, n, 0);
    state->d += 362437u * static_cast<unsigned>(n);
}
/* The counter repeats after 2^32 steps. */
inline void assay_xorwow_jump_subsequences(assay_xorwow *state, unsigned long long n)
{
    assay_xorwow_all_jumps().jump(state->v, n, assay_xorwow_jumps::SUBSEQUENCE);
}

/* Marsaglia's initial state, changed by both halves of the seed. */
inline assay_xorwow assay_xorwow_seeded(unsigned long long seed)
{
    const unsigned low  = (static_cast<unsigned>(seed) ^ 0xaad26b49u) * 1099087573u;
    const unsigned high = (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;

    return assay_xorwow { 6615241u + low + high,
                          { 123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                            5783321u + low } };
}
inline unsigned assay_xorwow_next(assay_xorwow *state)
{
    assay_xorwow_shift(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}

/* ---- MRG32k3a: two recurrences of order three */

constexpr uint64_t ASSAY_MRG_M1 = 4294967087u, ASSAY_MRG_M2 = 4294944443u;

struct assay_mrg {
    unsigned s1[3], s2[3];
};
struct assay_mrg_matrix {
    uint64_t at[3][3];
};
constexpr assay_mrg_matrix ASSAY_MRG_STEP1 = {
    { { 0, 1, 0 }, { 0, 0, 1 }, { ASSAY_MRG_M1 - 810728, 1403580, 0 } }
};
constexpr assay_mrg_matrix ASSAY_MRG_STEP2 = {
    { { 0, 1, 0 }, { 0, 0, 1 }, { ASSAY_MRG_M2 - 1370589, 0, 527612 } }
};

inline assay_mrg_matrix assay_mrg_product(const assay_mrg_matrix &a, const assay_mrg_matrix &b,
                                          uint64_t m)
{
    assay_mrg_matrix c {};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c.at[i][j] = (c.at[i][j] + a.at[i][k] * b.at[k][j] % m) % m;
    return c;
}

/* n * 2^log2 steps of one recurrence */
inline void assay_mrg_jump_one(unsigned *s, assay_mrg_matrix step, uint64_t m, unsigned long long n,
                               int log2)
{
    for (; log2 > 0 && n != 0; log2--)
        step = assay_mrg_product(step, step, m);
    for (; n != 0; n >>= 1) {
        const uint64_t v[3] = { s[0], s[1], s[2] };

        for (int i = 0; i < 3 && (n & 1) != 0; i++)
            s[i] = static_cast<unsigned>(
                (step.at[i][0] * v[0] % m + step.at[i][1] * v[1] % m + step.at[i][2] * v[2] % m) %
                m);
        step = assay_mrg_product(step, step, m);
    }
}
inline void assay_mrg_jump(assay_mrg *state, unsigned long long n, int log2)
{
    assay_mrg_jump_one(state->s1, ASSAY_MRG_STEP1, ASSAY_MRG_M1, n, log2);
    assay_mrg_jump_one(state->s2, ASSAY_MRG_STEP2, ASSAY_MRG_M2, n, log2);
}

/* 1 to ASSAY_MRG_M1 */
inline unsigned assay_mrg_next(assay_mrg *state)
{
    assay_mrg_jump(state, 1, 0);
    return state->s1[2] > state->s2[2]
               ? state->s1[2] - state->s2[2]
               : static_cast<unsigned>(state->s1[2] + (ASSAY_MRG_M1 - state->s2[2]));
}

#endif
