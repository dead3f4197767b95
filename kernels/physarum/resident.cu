/* fused_resident: one cooperative kernel does all steps between two sorts, with agents in registers
 * or shared memory and grid barriers in place of kernel ends (resident.cuh). It refuses more agents
 * than the blocks that fit on the device at once can hold. */
#include "resident.cuh"
#include "sorted_call.h"

#include <stdio.h>

/* ---- the kernel */

template <int ITEMS> static __global__ void __launch_bounds__(resident_size<ITEMS>::THREADS, 1)
    resident_kernel(resident_run r)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const resident_share                          share   = share_of_block(r);
    const resident_part                           part    = first_part(r);
    grid_barrier                                  barrier = { r.arrived, r.passed * gridDim.x };
    const float                                  *field   = r.field;
    resident_agents<ITEMS>                        agents  = agents_in<ITEMS>(shared);
    resident_views<resident_size<ITEMS>::GROUP>   views;

    load_agents(r.record, share, &agents);
    if constexpr (resident_size<ITEMS>::IS_ORDERED)
        order_block(agents);
    look(r, agents, 0, &views);
    for (int left = r.left;; left--) {
        float *const here  = left % 2 != 0 ? r.copy[1] : r.copy[0];
        float *const there = left % 2 != 0 ? r.copy[0] : r.copy[1];
        float *const next  = left != 0 ? r.state[1].field : r.state[0].field;

        sense_and_deposit(r, share, left == 0, field, here, &views, &agents);
        arrive(&barrier);
        await(barrier);
        update(r, part, here, next, left > 0 ? there : nullptr);
        field = next;
        arrive(&barrier);
        if (left == r.left - r.steps + 1)
            break; /* all blocks have seen the end of the kernel */
        if constexpr (resident_size<ITEMS>::IS_ORDERED)
            if ((r.left - left + 1) % ORDER_EVERY == 0)
                order_block(agents);
        look(r, agents, 0, &views);
        await(barrier);
    }
    if (r.left >= r.steps)
        store_agents(r.record, r.agents, share, agents);
}

/* ---- what fits */

/* Tuning axes beside those of sorted_call.h. */
enum {
    TUNE_BLOCK,
    TUNE_PER_SM /* blocks on a multiprocessor, at most */
};

/* CUDA's error numbers. */
enum {
    TOO_MUCH_SHARED = 1,  /* cudaErrorInvalidValue */
    TOO_LARGE       = 720 /* cudaErrorCooperativeLaunchTooLarge */
};

template <int ITEMS> static size_t shared_bytes(unsigned block)
{
    return block * resident_size<ITEMS>::BYTES;
}

/* Blocks on the device at once: `per_sm` on each multiprocessor if they fit, 0 if a block may not
 * have that much shared memory. Returns 0 or an error number. */
template <int ITEMS> static int resident_blocks(unsigned block, int64_t per_sm, int64_t *blocks)
{
    const size_t bytes = shared_bytes<ITEMS>(block);
    int          n_sms = 0, fit = 0;
    int          error = assay_allow_shared(resident_kernel<ITEMS>, bytes);

    if (error == 0)
        error = assay_resident_blocks(resident_kernel<ITEMS>, block, bytes, &n_sms, &fit);
    else if (error == TOO_MUCH_SHARED) {
        (void)assay_launch_status(); /* clears the error: the next launch would get the blame */
        error = 0;
    }
    *blocks = n_sms * (per_sm < fit ? per_sm : fit);
    return error;
}

template <int ITEMS>
static void launch(const resident_run &run, unsigned blocks, unsigned block, assay_stream stream)
{
    assay_launch_co_resident(resident_kernel<ITEMS>, blocks, block, shared_bytes<ITEMS>(block),
                             stream, run);
}

/* Agents a thread, and the kernel for them. */
struct resident_way {
    int      items;
    unsigned most_threads; /* of a block */
    int (*blocks)(unsigned block, int64_t per_sm, int64_t *blocks);
    void (*launch)(const resident_run &run, unsigned blocks, unsigned block, assay_stream stream);
};

template <int ITEMS> constexpr resident_way way_of(void)
{
    return resident_way { ITEMS, resident_size<ITEMS>::THREADS, resident_blocks<ITEMS>,
                          launch<ITEMS> };
}

static const resident_way ways[] = { way_of<1>(), way_of<2>(), way_of<4>(), way_of<8>(),
                                     way_of<16>() };

struct resident_fit {
    int                 error; /* 0, or why the rest is not known */
    const resident_way *way;   /* NULL: too many agents */
    unsigned            block, blocks;
    int64_t             most; /* the most agents that any way can hold */
};

/* At most as many blocks as give each thread an agent or a cell. */
static unsigned useful_blocks(const physarum_grid &g, unsigned block, int64_t most)
{
    const int64_t cells  = static_cast<int64_t>(g.height) * g.width;
    const int64_t wanted = assay_blocks_for(cells > g.agents ? cells : g.agents, block);

    return static_cast<unsigned>(wanted < most ? wanted : most);
}

/* Chooses the fewest agents a thread that hold all agents: with more threads, more loads wait for
 * memory at once. */
static resident_fit fit_of(const physarum_grid &g, const assay_args *args)
{
    resident_fit fit = {};

    fit.block = static_cast<unsigned>(args->tune[TUNE_BLOCK]);
    for (const resident_way &way : ways) {
        int64_t blocks = 0, most;

        if (fit.block <= way.most_threads)
            fit.error = way.blocks(fit.block, args->tune[TUNE_PER_SM], &blocks);
        if (fit.error != 0)
            break;
        most     = blocks * fit.block * way.items;
        fit.most = most > fit.most ? most : fit.most;
        if (most < g.agents || blocks == 0)
            continue;
        fit.way    = &way;
        fit.blocks = useful_blocks(g, fit.block, blocks);
        break;
    }
    return fit;
}

/* Keeps nothing: only says what does not fit. */
ASSAY_EXPORT int physarum_fused_resident_setup(const assay_args *args, void **state)
{
    static char        reason[160]; /* outlives a setup; the next one replaces it */
    const resident_fit fit = fit_of(physarum_grid_of(args), args);

    *state = nullptr;
    if (fit.error != 0 || fit.way)
        return fit.error;
    (void)snprintf(
        reason, sizeof reason,
        "at most %lld agents: as many as the blocks of %u threads that are resident at once "
        "have room for here",
        static_cast<long long>(fit.most), fit.block);
    *state = reason;
    return ASSAY_NOT_HERE;
}

/* ---- a call */

enum {
    COUNTER_BYTES = 256 /* a line of its own */
};

ASSAY_WORKSPACE(physarum_fused_resident_workspace)
{
    return COUNTER_BYTES + sorted_workspace(args);
}

/* Divisions that threads would otherwise do. Each warp takes two rows at a time if there are more
 * rows than warps. */
static void divide(resident_run *run, const resident_fit &fit)
{
    const physarum_grid &g      = run->g;
    const int            warps  = static_cast<int>(fit.blocks * fit.block / 32);
    const int            strips = g.width / UPDATE_COLUMNS;

    run->block_agents = static_cast<int>(assay_blocks_for((g.agents + 31) / 32, fit.blocks)) * 32;
    run->items        = static_cast<int>(assay_blocks_for(run->block_agents, fit.block));
    run->warp_rows    = !update_by_rows(g) || g.blur != 3 ? 0 : g.height * strips <= warps ? 1 : 2;
    run->parts_deep   = run->warp_rows == 2 ? (g.height + 1) / 2 : g.height;
    run->next_x       = warps / run->parts_deep * UPDATE_COLUMNS;
    run->next_y       = warps % run->parts_deep * run->warp_rows;
}

static resident_run run_of(const sorted_call &c, const assay_args *args, const resident_fit &fit)
{
    resident_run run = {};

    run.g        = c.g;
    run.inner    = inner_cells_of(c.g);
    run.copy[0]  = c.copy[0];
    run.copy[1]  = c.copy[1];
    run.state[0] = physarum_slot_of(args, args->param[PHYSARUM_PARAM_STEPS]);
    run.state[1] = sorted_before_last(args);
    run.arrived  = static_cast<unsigned *>(args->workspace);
    divide(&run, fit);
    return run;
}

/* Launches step j and those after it, up to the next sort or the end of the call. */
static void launch_from(const resident_fit &fit, const sorted_call &c, const assay_args *args,
                        int64_t j, resident_run run, assay_stream stream)
{
    const int64_t after = args->param[PHYSARUM_PARAM_STEPS] - j;
    const int64_t every = args->tune[SORTED_TUNE_EVERY];

    run.record = c.sort.record;
    run.agents = c.agents;
    run.field  = physarum_slot_of(args, j).field;
    run.passed = static_cast<unsigned>(2 * j);
    run.steps  = static_cast<int>(after < every ? after : every);
    run.left   = static_cast<int>(after - 1);
    fit.way->launch(run, fit.blocks, fit.block, stream);
}

ASSAY_LAUNCHER(physarum_fused_resident)
{
    char *const        memory = static_cast<char *>(args->workspace);
    const sorted_call  c      = sorted_call_of(args, memory + COUNTER_BYTES);
    const resident_fit fit    = fit_of(c.g, args);
    const int64_t      steps  = args->param[PHYSARUM_PARAM_STEPS];
    resident_run       run;
    int                error = assay_memset_zero(memory, COUNTER_BYTES, stream);

    if (!sorted_turns_by_eighths(c.g))
        return SORTED_NOT_AN_EIGHTH;
    if (fit.error != 0 || !fit.way)
        return fit.error != 0 ? fit.error : TOO_LARGE;
    run = run_of(c, args, fit);
    physarum_keep_input(args, stream);
    physarum_copy(c.copy[(steps - 1) % 2], physarum_slot_of(args, 0).field,
                  args->count[PHYSARUM_BUF_FIELD], stream);
    for (int64_t j = 0; j < steps && error == 0; j += args->tune[SORTED_TUNE_EVERY]) {
        error = sorted_sort_at(c, j, physarum_slot_of(args, j), stream);
        if (error == 0)
            launch_from(fit, c, args, j, run, stream);
    }
    return error != 0 ? error : assay_launch_status();
}
