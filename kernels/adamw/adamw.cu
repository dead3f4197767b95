/* AdamW: one element a thread, four, or several times four. */
#include "adamw.cuh"

/* Tuning axes: threads of a block; vectors of a thread. */
enum {
    BLOCK,
    VECTORS
};

static unsigned block_of(const assay_args *args)
{
    return static_cast<unsigned>(args->tune[BLOCK]);
}

ADAMW_LAUNCHER(adamw_scalar, adamw_launch_scalar<adamw_right>(c, block_of(args), stream))

ADAMW_LAUNCHER(adamw_vector,
               adamw_launch_vector<adamw_right, adamw_right, 1>(c, block_of(args), stream))

template <typename T, bool HAS_MASTER>
static void launch_several(const assay_args *args, adamw_call<T, HAS_MASTER> c, assay_stream stream)
{
    if (args->tune[VECTORS] == 2)
        adamw_launch_vector<adamw_right, adamw_right, 2>(c, block_of(args), stream);
    else
        adamw_launch_vector<adamw_right, adamw_right, 4>(c, block_of(args), stream);
}

ADAMW_LAUNCHER(adamw_ilp, launch_several(args, c, stream))
