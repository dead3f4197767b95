/* Workspace and sorts of a call of a variant that sorts agents. */
#include "sorted_call.h"

#include <math.h>

bool sorted_turns_by_eighths(const physarum_grid &g)
{
    return fabsf(g.spread - 0.785398163f) <= 1e-6f;
}

static size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256; }

static size_t place_bytes(const physarum_grid &g)
{
    return padded(sizeof(uint2) * static_cast<size_t>(g.agents));
}
static size_t rest_bytes(const physarum_grid &g)
{
    return padded(sizeof(float) * static_cast<size_t>(g.agents));
}
static size_t field_bytes(const physarum_grid &g)
{
    return padded(sizeof(float) * static_cast<size_t>(g.height) * static_cast<size_t>(g.width));
}

size_t sorted_workspace(const assay_args *args)
{
    const physarum_grid g = physarum_grid_of(args);

    return place_bytes(g) + rest_bytes(g) + 2 * field_bytes(g) +
           physarum_sort_bytes(g, physarum_tiles_of(g, args->tune[SORTED_TUNE_TILE]));
}

/* The next `bytes` of the workspace. */
static void *take(unsigned char **memory, size_t bytes)
{
    void *const part = *memory;

    *memory += bytes;
    return part;
}

sorted_call sorted_call_of(const assay_args *args, void *workspace)
{
    unsigned char *memory = static_cast<unsigned char *>(workspace);
    sorted_call    c      = {};

    c.g            = physarum_grid_of(args);
    c.tiles        = physarum_tiles_of(c.g, args->tune[SORTED_TUNE_TILE]);
    c.agents.place = static_cast<uint2 *>(take(&memory, place_bytes(c.g)));
    c.agents.rest  = static_cast<float *>(take(&memory, rest_bytes(c.g)));
    c.copy[0]      = static_cast<float *>(take(&memory, field_bytes(c.g)));
    c.copy[1]      = static_cast<float *>(take(&memory, field_bytes(c.g)));
    c.sort         = physarum_sort_memory_of(c.g, c.tiles, memory);
    return c;
}

int sorted_sort_at(const sorted_call &c, int64_t j, const physarum_slot &from, assay_stream stream)
{
    return j == 0 ? physarum_sort(c.g, c.tiles, c.sort, from, stream)
                  : physarum_sort_again(c.g, c.tiles, c.sort, c.agents, stream);
}

physarum_slot sorted_before_last(const assay_args *args)
{
    physarum_slot slot;

    slot.pos   = static_cast<float2 *>(args->buf[PHYSARUM_BUF_BEFORE_POS]);
    slot.angle = static_cast<float *>(args->buf[PHYSARUM_BUF_BEFORE_ANGLE]);
    slot.field = static_cast<float *>(args->buf[PHYSARUM_BUF_BEFORE_FIELD]);
    return slot;
}
