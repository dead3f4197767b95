/* Memory and arguments of a call of a launcher. */
#include "physarum_call.h"

#include <stdlib.h>
#include <string.h>

static void set_shape(physarum_call *c, const physarum_model *m, int64_t steps)
{
    const int64_t param[]  = { m->height, m->width, m->agents, m->semantics, m->blur, 0, steps, 1 };
    const double  scalar[] = { (double)m->step, (double)m->reach, (double)m->spread,
                               m->blend,        m->decay,         m->deposit };
    const int64_t tune[]   = { 128, 4, 4, 32 }; /* block, rows, tile, every */

    memcpy(c->param, param, sizeof param);
    memcpy(c->scalar, scalar, sizeof scalar);
    memcpy(c->tune, tune, sizeof tune);
    for (int k = 0; k < 3; k++) {
        c->count[3 * k]     = 2 * m->agents;
        c->count[3 * k + 1] = m->agents;
        c->count[3 * k + 2] = m->height * m->width;
    }
}

static void *aligned(size_t bytes)
{
    void *memory = aligned_alloc(256, (bytes / 256 + 1) * 256);

    if (!memory)
        abort();
    return memory;
}

void physarum_call_shape(physarum_call *c, const physarum_model *m, int64_t steps)
{
    memset(c, 0, sizeof *c);
    set_shape(c, m, steps);
    c->args = (assay_args) {
        .buf = c->buf, .count = c->count, .param = c->param, .scalar = c->scalar, .tune = c->tune
    };
}

void physarum_call_create(physarum_call *c, const physarum_model *m, int64_t steps,
                          assay_workspace_fn *workspace)
{
    physarum_call_shape(c, m, steps);
    for (int b = 0; b < 9; b++)
        c->buf[b] = aligned((size_t)c->count[b] * sizeof(float));
    for (int k = 0; k < 3; k++)
        c->state[k] = (physarum_owned) { c->buf[3 * k], c->buf[3 * k + 1], c->buf[3 * k + 2] };
    physarum_call_workspace(c, workspace);
}

void physarum_call_workspace(physarum_call *c, assay_workspace_fn *workspace)
{
    free(c->args.workspace);
    c->args.workspace_bytes = workspace(&c->args);
    c->args.workspace       = aligned(c->args.workspace_bytes);
}

void physarum_call_free(physarum_call *c)
{
    for (int b = 0; b < 9; b++)
        free(c->buf[b]);
    free(c->args.workspace);
}
