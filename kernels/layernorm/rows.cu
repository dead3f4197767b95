/* layernorm with rows in registers: of a block, or of a group of lanes of a warp. */
#include "../norms/norms_registers.cuh"
#include "../norms/norms_warp.cuh"

#include "layer_places.cuh"

ASSAY_WORKSPACE(layernorm_registers_workspace) { return norms_registers_bytes(args, NORMS_LAYER); }
ASSAY_LAUNCHER(layernorm_registers)
{
    return norms_registers<NORMS_LAYER>(args, LAYER_PLACES, stream);
}

ASSAY_WORKSPACE(layernorm_warp_rows_workspace) { return norms_warp_bytes(args, NORMS_LAYER); }
ASSAY_LAUNCHER(layernorm_warp_rows) { return norms_warp<NORMS_LAYER>(args, LAYER_PLACES, stream); }
