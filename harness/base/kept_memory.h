/* A pool of large blocks for data that is copied from a device. It saves time: of a new block the
 * system clears each page, which costs more than the copy into it. For one thread at a time. */
#ifndef ASSAY_KEPT_MEMORY_H
#define ASSAY_KEPT_MEMORY_H

#include <stddef.h>

/* Returns a block of at least `bytes` with any contents; NULL: no memory. */
void *assay_kept_take(size_t bytes);

/* Returns a block to the pool; accepts NULL. */
void assay_kept_give(void *memory);

/* Frees all blocks that are not in use. */
void assay_kept_release(void);

#endif
