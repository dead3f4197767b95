/* mlp_grad, naive: a kernel for each step, a thread for each result, operands from global
 * memory. */
#include "mlp_device.cuh"
#include "mlp_launch.h"

/* The thread's number in its launch. */
static __device__ inline int64_t my_number(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

static __global__ void forward_kernel(mlp_step s)
{
    const int64_t me = my_number();

    if (me >= s.batch * s.n_out)
        return;
    const int64_t b = me / s.n_out, j = me % s.n_out;
    float         z = s.biases[j];

    for (int64_t k = 0; k < s.n_in; k++)
        z = fmaf(s.weights[j * s.n_in + k], s.a[b * s.n_in + k], z);
    s.next[me] = s.is_last ? z : mlp_activate(s.activation, z);
}

static __global__ void weights_kernel(mlp_step s)
{
    const int64_t me = my_number();

    if (me >= s.n_out * s.n_in)
        return;
    const int64_t j = me / s.n_in, i = me % s.n_in;
    float         sum = 0;

    for (int64_t b = 0; b < s.batch; b++)
        sum = fmaf(s.delta[b * s.n_out + j], s.a[b * s.n_in + i], sum);
    s.d_weights[me] = sum;
}

static __global__ void biases_kernel(mlp_step s)
{
    const int64_t j   = my_number();
    float         sum = 0;

    if (j >= s.n_out)
        return;
    for (int64_t b = 0; b < s.batch; b++)
        sum += s.delta[b * s.n_out + j];
    s.d_biases[j] = sum;
}

static __global__ void backward_kernel(mlp_step s)
{
    const int64_t me = my_number();

    if (me >= s.batch * s.n_in)
        return;
    const int64_t b = me / s.n_in, i = me % s.n_in;
    float         sum = 0;

    for (int64_t j = 0; j < s.n_out; j++)
        sum = fmaf(s.delta[b * s.n_out + j], s.weights[j * s.n_in + i], sum);
    s.d_a[me] = s.is_first ? sum : sum * mlp_slope(s.activation, s.a[me]);
}

static int launch(const mlp_call &call, const mlp_step &s, void (*kernel)(mlp_step),
                  int64_t threads)
{
    const unsigned blocks = assay_blocks_for(threads, call.tuning.block);

    if (blocks == 0)
        return MLP_INVALID_GRID;
    kernel<<<blocks, static_cast<unsigned>(call.tuning.block), 0, call.stream>>>(s);
    return assay_launch_status();
}

static int forward(const mlp_call &call, const mlp_step &s)
{
    return launch(call, s, forward_kernel, s.batch * s.n_out);
}

static int gradient(const mlp_call &call, const mlp_step &s)
{
    const int error = launch(call, s, weights_kernel, s.n_out * s.n_in);

    return error == MLP_OK ? launch(call, s, biases_kernel, s.n_out) : error;
}

static int backward(const mlp_call &call, const mlp_step &s)
{
    return launch(call, s, backward_kernel, s.batch * s.n_in);
}

extern const mlp_steps MLP_NAIVE_STEPS = { forward, mlp_launch_delta, gradient, backward };

mlp_demand mlp_naive_demand(const mlp_spec *spec)
{
    mlp_demand demand;

    demand.losses = mlp_delta_losses(spec);
    return demand;
}
