/* From the C API's arguments to the steps of a method; the output layer's delta and the loss. */
#include "mlp_device.cuh"
#include "mlp_launch.h"

/* ---- memory ---- */

static void *take(unsigned char *base, size_t *used, int64_t count, size_t size)
{
    void *const taken = base == NULL ? NULL : base + *used;

    *used += (static_cast<size_t>(count) * size + 255) / 256 * 256;
    return taken;
}

size_t mlp_place(const mlp_spec *spec, const mlp_demand &demand, void *base, mlp_memory *memory)
{
    unsigned char *const from = static_cast<unsigned char *>(base);
    const int64_t        row  = demand.layers ? spec->batch : 0;
    size_t               used = 0;
    mlp_memory           m    = {};

    for (int l = 0; l < spec->depth; l++)
        m.h[l] = static_cast<float *>(take(from, &used, row * spec->width, sizeof(float)));
    for (int i = 0; i < 2; i++)
        m.delta[i] = static_cast<float *>(take(from, &used, row * mlp_widest(spec), sizeof(float)));
    m.losses = static_cast<double *>(take(from, &used, demand.losses, sizeof(double)));
    m.parts  = static_cast<float *>(take(from, &used, demand.parts, sizeof(float)));
    m.ones   = static_cast<float *>(take(from, &used, demand.ones, sizeof(float)));
    if (memory != NULL)
        *memory = m;
    return used;
}

/* ---- steps ---- */

int mlp_begin(const mlp_spec *spec, const mlp_buf *buf, const mlp_demand &demand, void *workspace,
              size_t workspace_bytes, mlp_call *call)
{
    const int error = mlp_check(spec, buf);

    if (error != MLP_OK)
        return error;
    if (workspace == NULL || reinterpret_cast<uintptr_t>(workspace) % 16 != 0 ||
        workspace_bytes < mlp_place(spec, demand, workspace, &call->memory))
        return MLP_INVALID_WORKSPACE;
    call->spec = spec;
    call->buf  = buf;
    call->at   = mlp_layout_of(spec);
    return MLP_OK;
}

mlp_step mlp_step_of(const mlp_call &call, int l)
{
    const mlp_layout &at  = call.at;
    const mlp_buf    *buf = call.buf;
    mlp_step          s   = {};

    s.batch      = call.spec->batch;
    s.n_in       = at.n[l];
    s.n_out      = at.n[l + 1];
    s.is_first   = l == 0;
    s.is_last    = l == at.n_layers - 1;
    s.activation = call.spec->activation;
    s.a          = l == 0 ? buf->x : call.memory.h[l - 1];
    s.weights    = buf->weights + at.weights_at[l];
    s.biases     = buf->biases + at.biases_at[l];
    s.next       = s.is_last ? buf->y : call.memory.h[l];
    s.delta      = call.memory.delta[l % 2];
    s.d_a        = l == 0 ? buf->d_x : call.memory.delta[(l + 1) % 2];
    s.d_weights  = buf->d_weights + at.weights_at[l];
    s.d_biases   = buf->d_biases + at.biases_at[l];
    return s;
}

static int run_steps(const mlp_call &call, const mlp_steps &steps)
{
    const int last  = call.at.n_layers - 1;
    int       error = MLP_OK;

    for (int l = 0; l <= last && error == MLP_OK; l++)
        error = steps.forward(call, mlp_step_of(call, l));
    if (error == MLP_OK)
        error = steps.delta(call, mlp_step_of(call, last));
    for (int l = last; l >= 0 && error == MLP_OK; l--) {
        error = steps.gradient(call, mlp_step_of(call, l));
        if (error == MLP_OK)
            error = steps.backward(call, mlp_step_of(call, l));
    }
    return error;
}

int mlp_run(const mlp_spec *spec, const mlp_buf *buf, const mlp_steps &steps,
            const mlp_demand &demand, void *library, void *workspace, size_t workspace_bytes,
            const mlp_tuning &tuning, assay_stream stream)
{
    mlp_call  call  = {};
    const int error = mlp_begin(spec, buf, demand, workspace, workspace_bytes, &call);

    if (error != MLP_OK)
        return error;
    call.tuning  = tuning;
    call.library = library;
    call.stream  = stream;
    return run_steps(call, steps);
}

/* ---- the output layer ---- */

enum {
    BLOCK = 256 /* mlp_block_sum is made for it */
};

float mlp_delta_factor(const mlp_spec *spec)
{
    return static_cast<float>(2 * spec->loss_weight /
                              static_cast<double>(spec->batch * spec->outputs));
}

static __global__ void delta_kernel(int64_t count, float factor, const float *y,
                                    const float *target, float *delta, double *losses)
{
    const int64_t     i      = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x;
    double            square = 0;
    __shared__ double sums[BLOCK];

    if (i < count) {
        const float r = y[i] - target[i];

        delta[i] = factor * r;
        square   = static_cast<double>(r) * static_cast<double>(r);
    }
    square = mlp_block_sum(sums, square);
    if (threadIdx.x == 0)
        losses[blockIdx.x] = square;
}

static __global__ void loss_kernel(int64_t count, double factor, const double *losses, double *loss)
{
    __shared__ double sums[BLOCK];
    double            sum = 0;

    for (int64_t i = threadIdx.x; i < count; i += BLOCK)
        sum += losses[i];
    sum = mlp_block_sum(sums, sum);
    if (threadIdx.x == 0)
        *loss = factor * sum;
}

int64_t mlp_delta_losses(const mlp_spec *spec)
{
    return assay_ceil_div(spec->batch * spec->outputs, BLOCK);
}

int mlp_launch_loss(const mlp_call &call, int64_t count)
{
    const double n = static_cast<double>(call.spec->batch * call.spec->outputs);

    loss_kernel<<<1, BLOCK, 0, call.stream>>>(count, call.spec->loss_weight / n, call.memory.losses,
                                              call.buf->loss);
    return assay_launch_status();
}

int mlp_launch_delta(const mlp_call &call, const mlp_step &s)
{
    const int64_t  count  = s.batch * s.n_out;
    const unsigned blocks = assay_blocks_for(count, BLOCK);
    int            error;

    if (blocks == 0)
        return MLP_INVALID_GRID;
    delta_kernel<<<blocks, BLOCK, 0, call.stream>>>(count, mlp_delta_factor(call.spec), s.next,
                                                    call.buf->target, s.delta, call.memory.losses);
    error = assay_launch_status();
    return error == MLP_OK ? mlp_launch_loss(call, blocks) : error;
}
