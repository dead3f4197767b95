/* Large blocks that are used again and again for what comes home from a device. A fresh one costs
 * more than the copy into it: the system clears each of its pages first. One thread at a time. */
#ifndef ASSAY_KEPT_MEMORY_H
#define ASSAY_KEPT_MEMORY_H

#include <stddef.h>

/* At least `bytes`, with any contents; NULL: no memory. */
void *assay_kept_take(size_t bytes);

/* Keeps a block for the next who takes one; accepts NULL. */
void assay_kept_give(void *memory);

/* Hands all that nobody uses back to the system. */
void assay_kept_release(void);

#endif
