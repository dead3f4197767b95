/* Physics loss, fused, planes streaming along z: chooses the kernel for a call. */
#include "phys_stream.h"

/* Streaming needs rows of vectors, and planes whose places fit in 32 bits. Other grids go to the
 * tiled kernels, which read single values where they must. */
static bool is_streamable(const phys_kernel_args *a)
{
    return phys_vector_width(a) == 4 && static_cast<int64_t>(a->nx) * a->ny <= UINT32_MAX;
}

/* Is more wanted of a plane than its gradients at t1? */
static bool wants_plane(const phys_kernel_args *a)
{
    return a->r[0] != NULL || a->r[1] != NULL || a->d_far[0][0] != NULL || a->d_far[1][0] != NULL;
}

static bool is_shape(const phys_tuning &tuning)
{
    return tuning.shape >= 1 && tuning.shape <= PHYS_STREAM_SHAPES;
}

int phys_launch_stream(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                       assay_stream stream)
{
    if (!is_shape(tuning))
        return PHYS_INVALID_VALUE;
    return is_streamable(a) ? phys_stream_residual(a, is_central, tuning, stream)
                            : phys_launch_march(a, is_central, tuning, stream);
}

int phys_launch_stream_field(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                             assay_stream stream)
{
    const int                    with_plane = wants_plane(a);
    phys_stream_fn *const *const shapes     = is_central ? phys_stream_field_central[with_plane]
                                                         : phys_stream_field_first_order[with_plane];

    if (!is_shape(tuning))
        return PHYS_INVALID_VALUE;
    return is_streamable(a) ? shapes[tuning.shape - 1](*a, tuning.waves, stream)
                            : phys_launch_tiled_field(a, is_central, tuning, stream);
}
