/* Kernels that do one thing as fast as the card can: what a case's kernel is measured against. The
 * launchers are exported by the CUDA kernel module and found by name; their kernels are called
 * assay_timed_copy and so on.
 *
 * count[0] is the number n of floats of every array, 0 included. Outputs come first: buf[0] is
 * written, buf[1] and buf[2] are read; 16-byte alignment (as alloc gives it) is required. Each call
 * gives the same results as the one before. Wrong parameters are launch error 1.
 *
 *   launcher              result                                     bytes a call
 *   assay_ceiling_copy    buf[0][i] = buf[1][i]                      8 n
 *   assay_ceiling_read    buf[0][b] = sum modulo 2^32 of the words   4 n (and 4 per 4 KiB written)
 *                         that block b read of buf[1]
 *   assay_ceiling_write   buf[0][i] = assay_ceiling_written(i)       4 n
 *   assay_ceiling_triad   buf[0][i] = fmaf(3, buf[2][i], buf[1][i])  12 n
 *   assay_ceiling_fma     buf[0][i] = assay_ceiling_counted(param)   4 n, and flops below
 *
 * copy, read, write and triad: param[0] is how many 16-byte words a thread has in flight, 1 to 4,
 * or 0 for the best at this size. fma: param[0] is the number of rounds. */
#ifndef ASSAY_DEVICE_CEILINGS_H
#define ASSAY_DEVICE_CEILINGS_H

#include "kernel.h"

#include <string.h>

enum {
    ASSAY_CEILING_CHAINS     = 8,    /* independent chains of dependent fmas, in each thread */
    ASSAY_CEILING_STEPS      = 32,   /* fmas of each chain in a round */
    ASSAY_CEILING_MAX_ROUNDS = 65535 /* up to here the counted result is an exact float */
};

#ifdef __cplusplus
extern "C" {
#endif

ASSAY_LAUNCHER(assay_ceiling_copy);
ASSAY_LAUNCHER(assay_ceiling_read);
ASSAY_LAUNCHER(assay_ceiling_write);
ASSAY_LAUNCHER(assay_ceiling_triad);
ASSAY_LAUNCHER(assay_ceiling_fma);

#ifdef __cplusplus
}
#endif

/* The value that assay_ceiling_write stores at index i: a float from 1 to 2 whose bits look random,
 * so that no part of the memory system can compress it. */
static inline float assay_ceiling_written(uint64_t i)
{
    const uint32_t bits = 0x3f800000u | ((uint32_t)i * 2654435761u) >> 9;
    float          value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Words that assay_ceiling_read may write to buf[0]. Zero them first: then their sum modulo 2^32 is
 * that of the n words read. */
static inline int64_t assay_ceiling_read_words(int64_t n) { return n / 1024 + 1; }

/* The value that assay_ceiling_fma stores in every element. Chain c starts at c, and each fma of it
 * adds 1, so the sum of the chains counts the fmas. */
static inline float assay_ceiling_counted(int64_t rounds)
{
    const int64_t chains = ASSAY_CEILING_CHAINS, steps = ASSAY_CEILING_STEPS;

    return (float)(chains * (chains - 1) / 2 + chains * steps * rounds);
}

/* Single-precision flops of one call of assay_ceiling_fma, two for each fma. */
static inline double assay_ceiling_flops(int64_t n, int64_t rounds)
{
    return 2.0 * ASSAY_CEILING_CHAINS * ASSAY_CEILING_STEPS * (double)rounds * (double)n;
}

#endif
