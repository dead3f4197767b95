/* layernorm, wrong on purpose: each launcher has a mistake that the check must find. */
#include "../norms/norms_wrong.cuh"

#include "layer_places.cuh"

#define LAYER_WRONG(name, fault)                                                                   \
    ASSAY_LAUNCHER(layernorm_##name)                                                               \
    {                                                                                              \
        return norms_wrong<NORMS_LAYER>(args, LAYER_PLACES, (fault), stream);                      \
    }
LAYER_WRONG(squares_alone, NORMS_SQUARES_ALONE)
LAYER_WRONG(eps_forgotten, NORMS_EPS_FORGOTTEN)
LAYER_WRONG(sum_in_type, NORMS_SUM_IN_TYPE)
