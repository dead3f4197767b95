/* Arguments of the physarum launchers, where the states are in memory, and copies. */
#include "physarum_launch.h"

#include <math.h>

physarum_grid physarum_grid_of(const assay_args *args)
{
    const double *s = args->scalar;
    physarum_grid g = {};

    g.height        = static_cast<int>(args->param[PHYSARUM_PARAM_HEIGHT]);
    g.width         = static_cast<int>(args->param[PHYSARUM_PARAM_WIDTH]);
    g.agents        = static_cast<int>(args->param[PHYSARUM_PARAM_AGENTS]);
    g.semantics     = static_cast<int>(args->param[PHYSARUM_PARAM_SEMANTICS]);
    g.blur          = static_cast<int>(args->param[PHYSARUM_PARAM_BLUR]);
    g.extent_y      = static_cast<float>(g.height);
    g.extent_x      = static_cast<float>(g.width);
    g.step          = static_cast<float>(s[PHYSARUM_SCALAR_STEP]);
    g.reach         = static_cast<float>(s[PHYSARUM_SCALAR_REACH]);
    g.spread        = static_cast<float>(s[PHYSARUM_SCALAR_SPREAD]);
    g.spread_sine   = static_cast<float>(sin(s[PHYSARUM_SCALAR_SPREAD]));
    g.spread_cosine = static_cast<float>(cos(s[PHYSARUM_SCALAR_SPREAD]));
    g.keep          = static_cast<float>(1 - s[PHYSARUM_SCALAR_BLEND]);
    g.blend         = static_cast<float>(s[PHYSARUM_SCALAR_BLEND]);
    g.remain        = static_cast<float>(1 - s[PHYSARUM_SCALAR_DECAY]);
    g.share         = static_cast<float>(1.0 / (g.blur * g.blur));
    g.of_cell = static_cast<float>((1 - s[PHYSARUM_SCALAR_DECAY]) * (1 - s[PHYSARUM_SCALAR_BLEND]));
    g.of_sum  = static_cast<float>((1 - s[PHYSARUM_SCALAR_DECAY]) * s[PHYSARUM_SCALAR_BLEND] /
                                  (g.blur * g.blur));
    g.deposit = static_cast<float>(s[PHYSARUM_SCALAR_DEPOSIT]);
    g.is_small = fminf(g.extent_y, g.extent_x) < g.reach + g.step + 2;
    return g;
}

static physarum_slot slot_at(const assay_args *args, int pos, int angle, int field)
{
    physarum_slot slot;

    slot.pos   = static_cast<float2 *>(args->buf[pos]);
    slot.angle = static_cast<float *>(args->buf[angle]);
    slot.field = static_cast<float *>(args->buf[field]);
    return slot;
}

physarum_slot physarum_slot_of(const assay_args *args, int64_t j)
{
    const int64_t left  = args->param[PHYSARUM_PARAM_STEPS] - j;
    const int     field = left == 0 ? PHYSARUM_BUF_NEW_FIELD : PHYSARUM_BUF_BEFORE_FIELD;

    if (j == 0)
        return slot_at(args, PHYSARUM_BUF_POS, PHYSARUM_BUF_ANGLE, PHYSARUM_BUF_FIELD);
    if (left % 2 == 0)
        return slot_at(args, PHYSARUM_BUF_NEW_POS, PHYSARUM_BUF_NEW_ANGLE, field);
    return slot_at(args, PHYSARUM_BUF_BEFORE_POS, PHYSARUM_BUF_BEFORE_ANGLE, field);
}

int physarum_device_threads(int64_t *threads)
{
#ifndef ASSAY_HOST_KERNELS
    int n_sms = 0, of_sm = 0;
    int error = assay_device_attribute(cudaDevAttrMultiProcessorCount, &n_sms);

    if (error == 0)
        error = assay_device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, &of_sm);
    *threads = static_cast<int64_t>(n_sms) * of_sm;
    return error;
#else
    *threads = 512; /* few, so that blocks have more agents than threads */
    return 0;
#endif
}

/* ---- copies: four numbers a thread; the first threads take the last n % 4 */

static __global__ void physarum_copy_kernel(float *to, const float *from, int64_t n)
{
    const int64_t i    = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int64_t tail = n - n % 4 + i;

    if (i < n / 4)
        reinterpret_cast<float4 *>(to)[i] = reinterpret_cast<const float4 *>(from)[i];
    if (i < n % 4)
        to[tail] = from[tail];
}

void physarum_copy(float *to, const float *from, int64_t count, assay_stream stream)
{
    const unsigned block = 256;

    if (count > 0)
        physarum_copy_kernel<<<assay_blocks_for(count / 4 + 3, block), block, 0, stream>>>(to, from,
                                                                                           count);
}

void physarum_keep_input(const assay_args *args, assay_stream stream)
{
    if (args->param[PHYSARUM_PARAM_STEPS] != 1 || !args->param[PHYSARUM_PARAM_KEEPS_BEFORE])
        return;
    for (int b = 0; b <= PHYSARUM_BUF_FIELD; b++)
        physarum_copy(static_cast<float *>(args->buf[PHYSARUM_BUF_BEFORE_POS + b]),
                      static_cast<const float *>(args->buf[PHYSARUM_BUF_POS + b]),
                      args->count[PHYSARUM_BUF_POS + b], stream);
}
