/* The host functions of this folder's plain files as launchers, one line each. */
#include "kernel.h"

typedef void plain_host(const float *x, float *y, int n);
typedef void stream_host(const float *x, float *y, int n, cudaStream_t stream);
typedef void working_host(const float *x, float *y, float *w, int n, cudaStream_t stream);

plain_host launch_deduced, launch_by_pointer, launch_by_pointer_wrong, launch_several,
    launch_several_wrong;
stream_host launch_on_stream, launch_by_macro, launch_by_macro_wrong, constant_set_twice,
    constant_set_once, managed, managed_kept, structure, structure_copied_early;
working_host launch_cooperative, launch_cooperative_wrong, launch_by_configuration,
    launch_by_configuration_wrong;

#define X ASSAY_BUFFER(const float, 0)
#define Y ASSAY_BUFFER(float, 1)
#define W ASSAY_BUFFER(float, 2)
#define N ASSAY_PARAM(0)
#define CALLER(function, ...)                                                                      \
    ASSAY_CALLER(selftest_constructs_##function, function(X, Y, __VA_ARGS__))

CALLER(launch_deduced, N)
CALLER(launch_by_pointer, N)
CALLER(launch_by_pointer_wrong, N)
CALLER(launch_several, N)
CALLER(launch_several_wrong, N)
CALLER(launch_on_stream, N, stream)
CALLER(launch_by_macro, N, stream)
CALLER(launch_by_macro_wrong, N, stream)
CALLER(constant_set_twice, N, stream)
CALLER(constant_set_once, N, stream)
CALLER(managed, N, stream)
CALLER(managed_kept, N, stream)
CALLER(structure, N, stream)
CALLER(structure_copied_early, N, stream)
CALLER(launch_cooperative, W, N, stream)
CALLER(launch_cooperative_wrong, W, N, stream)
CALLER(launch_by_configuration, W, N, stream)
CALLER(launch_by_configuration_wrong, W, N, stream)
