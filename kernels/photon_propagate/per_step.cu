/* per_step: one launch a step, for the photons that have not ended. Their numbers are in one of two
 * lists. After each step the host reads how many are left, and swaps the lists. */
#include "propagate_launch.h"

/* Without a list: all photons, in order. */
static __global__ void propagate_step_kernel(photon_call call, const uint32_t *from, uint32_t n,
                                             uint32_t *to, uint32_t *n_to)
{
    extern __shared__ __align__(16) float shared[];
    const photon_world                    world     = photon_stage(call.world, shared);
    const uint32_t                        at        = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t                        i         = at < n && from ? from[at] : at;
    bool                                  is_active = false;

    if (at < n) {
        photon_state p = photon_load(call.pages, i);

        if (!(p.flags & PHOTON_ENDED)) {
            photon_step(&world, &p);
            is_active = photon_conclude(call, i, &p);
            if (p.flags & PHOTON_REEMIT) {
                p         = photon_secondary(&p);
                is_active = true;
            }
            photon_store(call.pages, i, &p);
        }
    }
    photon_append(to, n_to, is_active, i);
}

/* Two lists, and two counters that alternate. */
ASSAY_WORKSPACE(photon_propagate_per_step_workspace)
{
    return (2 * static_cast<size_t>(args->param[PROPAGATE_PARAM_PHOTONS]) + 2) * sizeof(uint32_t);
}

ASSAY_LAUNCHER(photon_propagate_per_step)
{
    const photon_call call    = photon_call_of(args, args->tune[1]);
    const unsigned    block   = static_cast<unsigned>(args->tune[0]);
    uint32_t *const   counter = static_cast<uint32_t *>(args->workspace);
    uint32_t *const   list[2] = { counter + 2, counter + 2 + call.ends.photons };
    uint32_t          n       = static_cast<uint32_t>(call.ends.photons);
    int               error = assay_allow_shared(propagate_step_kernel, photon_staged_bytes(call));

    photon_launch_initialize(args, stream);
    for (int k = 0; error == 0 && n > 0; k++) {
        uint32_t *const left = counter + k % 2;

        error = assay_memset_zero(left, sizeof *left, stream);
        propagate_step_kernel<<<assay_blocks_for(n, block), block, photon_staged_bytes(call),
                                stream>>>(call, k > 0 ? list[(k + 1) % 2] : nullptr, n, list[k % 2],
                                          left);
        if (!call.is_history)
            break;
        if (error == 0)
            error = assay_read_back(&n, left, sizeof n, stream);
    }
    photon_launch_tally(args, stream);
    return error != 0 ? error : assay_launch_status();
}
