/* What a schedule draws: random numbers, and the order of blocks and threads. */
#ifndef ASSAY_HOST_SCHEDULE_H
#define ASSAY_HOST_SCHEDULE_H

#include "device.h"

#include <stdint.h>

struct assay_block;

/* SplitMix64: any seed gives a good stream. */
struct assay_random {
    uint64_t state;

    uint64_t next(void)
    {
        state += 0x9e3779b97f4a7c15u;
        uint64_t z = state;

        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    /* from 0 to n - 1; n > 0 */
    uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
};

#pragma GCC visibility push(hidden)

assay_random assay_random_of(const assay_schedule *schedule, uint64_t number);

/* The number of the block at a position, of n blocks. */
uint64_t assay_order_at(const assay_schedule *schedule, uint64_t position, uint64_t n);
/* Fills block->order with threads that can run in the next round. Returns how many. */
unsigned assay_shuffle_round(assay_block *block);
/* The same for the lanes of a warp; marks all of them as not having polled. */
unsigned assay_shuffle_warp(assay_block *block, unsigned warp);

#pragma GCC visibility pop

#endif
