/* Steps by the reference in place, or by one call of the kernels on copies in device memory. */
#include "physarum_simulation.h"

#include "physarum_call.h"

#include "../../testing/phys_device.h"

#include <stdio.h>
#include <string.h>

assay_launch_fn    physarum_fused; /* all three semantics */
assay_workspace_fn physarum_fused_workspace;

physarum_simulation physarum_simulation_create(const physarum_model *m, uint64_t seed,
                                               const float *field, bool uses_kernels)
{
    physarum_simulation s = { *m, physarum_state_create(m), uses_kernels };

    physarum_state_seed(m, seed, &s.state);
    if (field)
        memcpy(s.state.field, field, (size_t)(m->height * m->width) * sizeof *field);
    return s;
}

void physarum_simulation_free(physarum_simulation *s) { physarum_state_free(&s->state); }

static size_t bytes_of(const physarum_call *c, int b)
{
    return (size_t)c->count[b] * sizeof(float);
}

static bool allocate(physarum_call *c)
{
    bool is_there = true;

    for (int b = 0; b < 9; b++) {
        c->buf[b] = phys_device_alloc(bytes_of(c, b));
        is_there  = is_there && c->buf[b];
    }
    c->args.workspace_bytes = physarum_fused_workspace(&c->args);
    c->args.workspace       = phys_device_alloc(c->args.workspace_bytes);
    return is_there && c->args.workspace;
}

static void release(physarum_call *c)
{
    for (int b = 0; b < 9; b++)
        phys_device_release(c->buf[b]);
    phys_device_release(c->args.workspace);
}

static bool run(physarum_call *c, const physarum_owned *s)
{
    float *const state[] = { s->pos, s->angle, s->field };
    bool         is_done = allocate(c);

    for (int b = 0; b < 3 && is_done; b++)
        is_done = phys_device_upload(c->buf[b], state[b], bytes_of(c, b));
    is_done = is_done && physarum_fused(&c->args, NULL) == 0 && phys_device_wait();
    for (int b = 0; b < 3 && is_done; b++)
        is_done = phys_device_download(state[b], c->buf[3 + b], bytes_of(c, 3 + b));
    return is_done;
}

bool physarum_simulation_advance(physarum_simulation *s, int64_t steps, char *error, size_t size)
{
    physarum_call c;
    bool          is_done;

    if (!s->uses_kernels) {
        (void)physarum_advance(&s->model, s->state.pos, s->state.angle, s->state.field, steps);
        return true;
    }
    physarum_call_shape(&c, &s->model, steps);
    is_done = run(&c, &s->state);
    release(&c);
    if (!is_done)
        (void)snprintf(error, size, "the device has failed: %s", phys_device_message());
    return is_done;
}
