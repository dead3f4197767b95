/* The sum of all elements by CUB, in single precision. */
#include "reduction_device.cuh"

#ifndef ASSAY_HOST_KERNELS

#include <cub/device/device_reduce.cuh>

/* The operands are float whatever type is read, and so is CUB's accumulator. */
struct add_floats {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename T> static cudaError_t reduce(const reduction_input<T> &in, float *sum,
                                                void *temporary, size_t *bytes, assay_stream stream)
{
    return cub::DeviceReduce::Reduce(temporary, *bytes, in.x, sum, in.n, add_floats(), 0.0f,
                                     stream);
}

/* Called before there are buffers. */
template <typename T> static size_t needed(const assay_args *args)
{
    const reduction_input<T> in    = { args->count[REDUCTION_X], nullptr };
    size_t                   bytes = 0;

    return reduce<T>(in, nullptr, nullptr, &bytes, nullptr) == cudaSuccess ? bytes : 0;
}

template <typename T> static int launch(const assay_args *args, assay_stream stream)
{
    size_t bytes = args->workspace_bytes;

    if (args->workspace == nullptr) /* CUB would take this for the question how much it needs */
        return static_cast<int>(cudaErrorInvalidValue);
    return static_cast<int>(reduce(reduction_input_of<T>(args), reduction_sum_of(args),
                                   args->workspace, &bytes, stream));
}

ASSAY_WORKSPACE(reduction_cub_workspace)
{
    OPS_LAUNCH_BY_TYPE(args->param[REDUCTION_TYPE], return needed<T>(args));
}

ASSAY_LAUNCHER(reduction_cub)
{
    OPS_LAUNCH_BY_TYPE(args->param[REDUCTION_TYPE], return launch<T>(args, stream));
}

#endif
