/* rmsnorm with rows in registers: of a block, or of a group of lanes of a warp. */
#include "../norms/norms_registers.cuh"
#include "../norms/norms_warp.cuh"

#include "rms_places.cuh"

ASSAY_WORKSPACE(rmsnorm_registers_workspace) { return norms_registers_bytes(args, NORMS_RMS); }
ASSAY_LAUNCHER(rmsnorm_registers) { return norms_registers<NORMS_RMS>(args, RMS_PLACES, stream); }

ASSAY_WORKSPACE(rmsnorm_warp_rows_workspace) { return norms_warp_bytes(args, NORMS_RMS); }
ASSAY_LAUNCHER(rmsnorm_warp_rows) { return norms_warp<NORMS_RMS>(args, RMS_PLACES, stream); }
