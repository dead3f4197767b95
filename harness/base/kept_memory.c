/* A pool of large blocks. A request gets the smallest block that is large enough. */
#include "kept_memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    MAX_BLOCKS = 256,    /* enough for all outputs of all runs */
    SMALL      = 1 << 20 /* bytes; smaller blocks come from the allocator */
};

typedef struct block {
    void  *memory;
    size_t bytes;
    bool   is_used;
} block;

static block blocks[MAX_BLOCKS];

/* Finds a block that fits and is at most twice too large; NULL: there is none. */
static block *smallest_for(size_t bytes)
{
    block *best = NULL;

    for (block *b = blocks; b < blocks + MAX_BLOCKS; b++)
        if (b->memory && !b->is_used && b->bytes >= bytes && b->bytes / 2 <= bytes &&
            (!best || b->bytes < best->bytes))
            best = b;
    return best;
}

static block *find(const void *memory)
{
    for (block *b = blocks; b < blocks + MAX_BLOCKS; b++)
        if (b->memory == memory)
            return b;
    return NULL;
}

void *assay_kept_take(size_t bytes)
{
    block *b      = bytes < SMALL ? NULL : smallest_for(bytes);
    void  *memory = b ? b->memory : malloc(bytes ? bytes : 1);

    if (!b && memory && bytes >= SMALL) {
        b = find(NULL);
        if (b)
            *b = (block) { .memory = memory, .bytes = bytes };
    }
    if (b)
        b->is_used = true;
    return memory;
}

void assay_kept_give(void *memory)
{
    block *b = memory ? find(memory) : NULL;

    if (b)
        b->is_used = false;
    else
        free(memory);
}

void assay_kept_release(void)
{
    for (block *b = blocks; b < blocks + MAX_BLOCKS; b++)
        if (b->memory && !b->is_used) {
            free(b->memory);
            *b = (block) { .memory = NULL };
        }
}
