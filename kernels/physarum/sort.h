/* Sorting of agents by tiles of the grid: a counting sort whose launches do not depend on the data.
 */
#ifndef PHYSARUM_SORT_H
#define PHYSARUM_SORT_H

#include "physarum_launch.h"

/* Agents as the variants that sort keep them (sorted_agent.cuh). */
struct physarum_sorted {
    uint2 *place; /* place and turn, which steps change */
    float *rest;  /* of the heading */
};

/* Tiles of 2^shift cells a side, numbered along a Z-order curve. They are larger than asked for if
 * a scan of two levels could not number them. */
struct physarum_tiles {
    int     shift;
    int64_t count; /* bins: tiles of the square around the grid whose side is a power of 2 */
};
physarum_tiles physarum_tiles_of(const physarum_grid &g, int64_t tile);

/* Scratch of one sort, and its result. */
struct physarum_sort_memory {
    uint4    *record; /* [agents], in the order of tiles (record_of) */
    unsigned *next;   /* [tiles], agents of a tile; then its next place, counted from total[tile /
                       * 2048] */
    unsigned *total;  /* [2048], agents of 2048 tiles; then the sum of those before them */
};
size_t               physarum_sort_bytes(const physarum_grid &g, const physarum_tiles &tiles);
physarum_sort_memory physarum_sort_memory_of(const physarum_grid &g, const physarum_tiles &tiles,
                                             void *memory);

/* Writes the agents of `from` (positions and headings, or sorted ones) to the records, in order of
 * their tiles. Returns 0 or an error number. */
int physarum_sort(const physarum_grid &g, const physarum_tiles &tiles,
                  const physarum_sort_memory &memory, const physarum_slot &from,
                  assay_stream stream);
int physarum_sort_again(const physarum_grid &g, const physarum_tiles &tiles,
                        const physarum_sort_memory &memory, const physarum_sorted &from,
                        assay_stream stream);

void physarum_split_records(const physarum_grid &g, const uint4 *record, const physarum_sorted &to,
                            assay_stream stream);

#endif
