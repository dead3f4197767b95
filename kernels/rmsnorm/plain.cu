/* rmsnorm; each step reads memory again. Any width. */
#include "../norms/norms_plain.cuh"

#include "rms_places.cuh"

ASSAY_WORKSPACE(rmsnorm_plain_workspace) { return norms_plain_bytes(args, NORMS_RMS); }
ASSAY_LAUNCHER(rmsnorm_plain) { return norms_plain<NORMS_RMS>(args, RMS_PLACES, stream); }
