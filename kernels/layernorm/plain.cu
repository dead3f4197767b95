/* layernorm; each step reads memory again. Any width. */
#include "../norms/norms_plain.cuh"

#include "layer_places.cuh"

ASSAY_WORKSPACE(layernorm_plain_workspace) { return norms_plain_bytes(args, NORMS_LAYER); }
ASSAY_LAUNCHER(layernorm_plain) { return norms_plain<NORMS_LAYER>(args, LAYER_PLACES, stream); }
