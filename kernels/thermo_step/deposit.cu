/* The deposit of a step: calls thermo_scatter's own launchers, with arguments made for them. */
#include "../thermo_scatter/scatter_case.h"
#include "../thermo_scatter/scatter_launchers.h"
#include "step_launch.h"

/* Particles that a thread of the tiled deposit counts: thermo_scatter's default. */
enum {
    COUNT_ITEMS = 16
};

/* Arguments of a call, with the arrays that they point to. */
struct scatter_call {
    assay_args args;
    void      *buf[SCATTER_N_BUFS];
    int64_t    count[SCATTER_N_BUFS], param[SCATTER_PARAM_OUTPUTS + 1], tune[3];
    double     scalar[SCATTER_SCALAR_DX + 1];
};

static void set_buffers(const assay_args *args, scatter_call *call)
{
    static const struct {
        int to, from;
    } same[] = {
        { SCATTER_BUF_POS, STEP_BUF_POS },       { SCATTER_BUF_VEL, STEP_BUF_VEL },
        { SCATTER_BUF_MASS, STEP_BUF_MASS },     { SCATTER_BUF_HEAT, STEP_BUF_HEAT },
        { SCATTER_BUF_ENERGY, STEP_BUF_ENERGY }, { SCATTER_BUF_RHO, STEP_BUF_RHO },
        { SCATTER_BUF_MOM, STEP_BUF_MOM },       { SCATTER_BUF_E_INT, STEP_BUF_E },
        { SCATTER_BUF_ERRORS, STEP_BUF_ERRORS },
    };

    for (const auto &b : same) {
        call->buf[b.to]   = args->buf ? args->buf[b.from] : nullptr;
        call->count[b.to] = args->count[b.from];
    }
}

static void set_call(const assay_args *args, step_way way, double dx, scatter_call *call)
{
    *call = {};
    set_buffers(args, call);
    for (int d = 0; d < 3; d++)
        call->param[SCATTER_PARAM_GX + d] = args->param[STEP_PARAM_GX + d];
    call->param[SCATTER_PARAM_OUTPUTS] = SCATTER_FIELDS;
    call->scalar[SCATTER_SCALAR_DX]    = dx;
    call->tune[0]     = args->tune[way == STEP_TILED ? STEP_TUNE_WINDOW : STEP_TUNE_BLOCK];
    call->tune[1]     = COUNT_ITEMS;
    call->tune[2]     = args->tune[STEP_TUNE_BLOCK];
    call->args.buf    = args->buf ? call->buf : nullptr;
    call->args.count  = call->count;
    call->args.param  = call->param;
    call->args.scalar = call->scalar;
    call->args.tune   = call->tune;
}

size_t step_deposit_workspace(const assay_args *args, step_way way)
{
    scatter_call call;

    set_call(args, way, 0, &call); /* the size does not depend on the spacing */
    return way == STEP_TILED ? thermo_scatter_tiled_workspace(&call.args) : 0;
}

int step_deposit(const step_call &c, assay_stream stream)
{
    scatter_call call;

    set_call(c.args, c.way, c.q.dx, &call);
    call.args.workspace       = c.deposit_memory;
    call.args.workspace_bytes = c.deposit_bytes;
    return c.way == STEP_TILED ? thermo_scatter_tiled(&call.args, stream)
                               : thermo_scatter_atomic_native(&call.args, stream);
}
