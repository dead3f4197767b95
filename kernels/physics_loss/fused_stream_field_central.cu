/* Physics loss, fused, planes streaming along z, gradient with respect to the fields: the kernels
 * for time `central`. */
#include "fused_stream_field.cuh"

/* [0] without and [1] with outputs besides the gradients at t1, by shape; see phys_stream.h. */
phys_stream_fn *const phys_stream_field_central[2][PHYS_STREAM_SHAPES] = {
    {
        field_launch<2, 32, 12, 1, true, false>,
        field_launch<4, 16, 12, 1, true, false>,
        field_launch<4, 16, 8, 2, true, false>,
        field_launch<4, 32, 8, 1, true, false>,
        field_launch<4, 16, 16, 1, true, false>,
    },
    {
        field_launch<2, 32, 12, 1, true, true>,
        field_launch<4, 16, 12, 1, true, true>,
        field_launch<4, 16, 8, 2, true, true>,
        field_launch<4, 32, 8, 1, true, true>,
        field_launch<4, 16, 16, 1, true, true>,
    },
};
