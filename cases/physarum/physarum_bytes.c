/* Bytes that the variants of physarum move by their design. A pass over an array counts each
 * element once, however many threads read it. A field that agents access counts at most the cells
 * that they can reach. An agent is 12 bytes (place 8, heading 4), a cell 4. */
#include "physarum_bytes.h"

#include "../../kernels/physarum/physarum_case.h"

typedef struct sizes {
    int64_t agents, cells, steps;
    int64_t sensed;    /* bytes of cells that sensors read in a step: 3 cells an agent, or 4 around
                        * each sensor */
    int64_t deposited; /* bytes of cells that deposits read and write in a step */
    int64_t kept;      /* a single step stores its input as the state before it: a copy */
} sizes;

static int64_t at_most(int64_t n, int64_t most) { return n < most ? n : most; }

static sizes sizes_of(const assay_shape *s)
{
    const bool    is_torch = s->param[PHYSARUM_PARAM_SEMANTICS] == PHYSARUM_TORCH;
    const int64_t n        = s->param[PHYSARUM_PARAM_AGENTS];
    const int64_t cells    = s->param[PHYSARUM_PARAM_HEIGHT] * s->param[PHYSARUM_PARAM_WIDTH];
    const int64_t steps    = s->param[PHYSARUM_PARAM_STEPS];
    const bool    is_kept  = steps == 1 && s->param[PHYSARUM_PARAM_KEEPS_BEFORE];

    return (sizes) {
        .agents    = n,
        .cells     = cells,
        .steps     = steps,
        .sensed    = 4 * at_most((is_torch ? 12 : 3) * n, cells),
        .deposited = 8 * at_most(n, cells),
        .kept      = is_kept ? 24 * n + 8 * cells : 0,
    };
}

/* Agents 12 + 12, copy of the field 8, places again 8 to deposit; the field 4 + 4. */
int64_t physarum_cpu_omp_bytes(const assay_shape *s)
{
    const sizes z = sizes_of(s);

    return z.kept + z.steps * (32 * z.agents + 16 * z.cells + z.sensed + z.deposited);
}

/* Operations on agents, operands and result each. To sense: headings to cosines and sines 32 + 48 +
 * 48, stacked 48, scaled 48, added to places 56, wrapped 48, to [-1, 1] 144, stacked 48, sampled 24
 * + 12, samples stacked 24 and compared 20. To steer: 9 + 8 + 9 + 8 + 13 + 13. To move: 8 + 8 + 8 +
 * 8, stacked 16, added 24, wrapped 16. To deposit: cells 56, read 20, added 8, written 20.
 * Operations on cells: three images 4 + 12, if there are agents; mean 8, products 8 + 8, sum 12,
 * product 8. Each image is sensed. The first and the last step deposit into a copy, 8. */
int64_t physarum_ops_bytes(const assay_shape *s)
{
    enum {
        SENSE   = 32 + 48 + 48 + 48 + 48 + 56 + 48 + 144 + 48 + 24 + 12 + 24 + 20,
        STEER   = 9 + 8 + 9 + 8 + 13 + 13,
        MOVE    = 8 + 8 + 8 + 8 + 16 + 24 + 16,
        DEPOSIT = 56 + 20 + 8 + 20,
        IMAGES  = 4 + 12,
        DIFFUSE = 8 + 8 + 8 + 12 + 8
    };
    const sizes   z      = sizes_of(s);
    const int64_t agent  = SENSE + STEER + MOVE + DEPOSIT;
    const int64_t cell   = (z.agents > 0 ? IMAGES : 0) + DIFFUSE;
    const int64_t images = 3 * 4 * at_most(4 * z.agents, z.cells);

    return z.kept + 8 * z.cells * at_most(z.steps, 2) +
           z.steps * (agent * z.agents + cell * z.cells + images + z.deposited);
}

/* Agents 12 + 12, places again 8 to deposit; mean 8, blend 12, decay 8. The first and the last step
 * deposit into a copy, 8. */
int64_t physarum_two_kernel_bytes(const assay_shape *s)
{
    const sizes z = sizes_of(s);

    return z.kept + 8 * z.cells * at_most(z.steps, 2) +
           z.steps * (32 * z.agents + 28 * z.cells + z.sensed + z.deposited);
}

/* The field: copied once, 8. Each step reads where deposits went, and writes where the next one
 * senses and, except for the last step, where it deposits: 12. */
static int64_t fused_field(const sizes *z) { return 8 * z->cells + (12 * z->steps - 4) * z->cells; }

/* Agents 12 + 12. */
int64_t physarum_fused_bytes(const assay_shape *s)
{
    const sizes z = sizes_of(s);

    return z.kept + fused_field(&z) + z.steps * (24 * z.agents + z.sensed + z.deposited);
}

/* A tile a cell, in the square around the grid whose side is a power of two, at most 2^22: cleared
 * 4, counted 8, scanned 8, places taken 8. */
static int64_t tile_bytes(const assay_shape *s)
{
    const int64_t height = s->param[PHYSARUM_PARAM_HEIGHT], width = s->param[PHYSARUM_PARAM_WIDTH];
    int64_t       side = 1;

    while (side < height || side < width)
        side *= 2;
    return 28 * at_most(side, 2048) * at_most(side, 2048);
}

static int64_t sorts_of(const sizes *z)
{
    return (z->steps + PHYSARUM_SORT_EVERY - 1) / PHYSARUM_SORT_EVERY;
}

/* Places are counted, 8, and agents scattered as records, 12 + 16. */
static int64_t sort_bytes(const assay_shape *s, const sizes *z)
{
    return tile_bytes(s) + 36 * z->agents;
}

/* Agents 12 + 8; in the last step 12 + 12 + 12, as two states are stored; records 16 + 12. */
int64_t physarum_sorted_bytes(const assay_shape *s)
{
    const sizes   z     = sizes_of(s);
    const int64_t sorts = sorts_of(&z);

    return z.kept + fused_field(&z) + z.steps * (20 * z.agents + z.sensed + z.deposited) +
           16 * z.agents + sorts * (sort_bytes(s, &z) + 28 * z.agents);
}

/* The same, but records are read, 16, only after each sort, and agents written, 12, only before the
 * next. (Kernels with up to four agents a thread read 4 of a record again.) */
int64_t physarum_resident_bytes(const assay_shape *s)
{
    const sizes   z     = sizes_of(s);
    const int64_t sorts = sorts_of(&z);

    return z.kept + fused_field(&z) + z.steps * (z.sensed + z.deposited) +
           (28 * sorts + 12) * z.agents + sorts * sort_bytes(s, &z);
}
