/* fused_add_rmsnorm; each step reads memory again. Any width. */
#include "../norms/norms_plain.cuh"

#include "fused_places.cuh"

ASSAY_WORKSPACE(fused_add_rmsnorm_plain_workspace) { return norms_plain_bytes(args, NORMS_FUSED); }
ASSAY_LAUNCHER(fused_add_rmsnorm_plain)
{
    return norms_plain<NORMS_FUSED>(args, fused_places(args), stream);
}
