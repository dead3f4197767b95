/* Sorting of agents by tiles of the grid: a counting sort whose launches do not depend on the data.
 */
#ifndef PHYSARUM_SORT_H
#define PHYSARUM_SORT_H

#include "physarum_launch.h"

/* An agent as the sorted variant keeps it: 16 bytes, and no sine to take. */
struct physarum_record {
    float y, x, sine, cosine;
};

/* Tiles of 2^shift cells a side, numbered along a Z-order curve; larger than asked for where a scan
 * of two levels could not number them. */
struct physarum_tiles {
    int     shift;
    int64_t count; /* bins, those of the square of a power of 2 around the grid */
};
physarum_tiles physarum_tiles_of(const physarum_grid &g, int64_t tile);

/* Scratch of one sort. */
struct physarum_sort_memory {
    unsigned *rank;  /* [agents], of an agent among those of its tile */
    unsigned *start; /* [tiles] */
    unsigned *total; /* [2048] */
};
size_t               physarum_sort_bytes(const physarum_grid &g, const physarum_tiles &tiles);
physarum_sort_memory physarum_sort_memory_of(const physarum_grid &g, const physarum_tiles &tiles,
                                             void *memory);

/* Agents of `from` (positions and headings), or of `records`, in order of their tiles to `to`. */
int physarum_sort(const physarum_grid &g, const physarum_tiles &tiles,
                  const physarum_sort_memory &memory, const physarum_slot &from,
                  physarum_record *to, assay_stream stream);
int physarum_sort_again(const physarum_grid &g, const physarum_tiles &tiles,
                        const physarum_sort_memory &memory, const physarum_record *from,
                        physarum_record *to, assay_stream stream);

#endif
