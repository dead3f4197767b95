/* fused_add_rmsnorm with rows in registers: of a block, or of a group of lanes of a warp. */
#include "../norms/norms_registers.cuh"
#include "../norms/norms_warp.cuh"

#include "fused_places.cuh"

ASSAY_WORKSPACE(fused_add_rmsnorm_registers_workspace)
{
    return norms_registers_bytes(args, NORMS_FUSED);
}
ASSAY_LAUNCHER(fused_add_rmsnorm_registers)
{
    return norms_registers<NORMS_FUSED>(args, fused_places(args), stream);
}

ASSAY_WORKSPACE(fused_add_rmsnorm_warp_rows_workspace)
{
    return norms_warp_bytes(args, NORMS_FUSED);
}
ASSAY_LAUNCHER(fused_add_rmsnorm_warp_rows)
{
    return norms_warp<NORMS_FUSED>(args, fused_places(args), stream);
}
