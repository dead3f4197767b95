/* The potential of the deposited mass: phi = -4 pi G rho / k^2 in Fourier space without the mean,
 * with k = 2 pi fftfreq. */
#ifndef ASSAY_STEP_GRAVITY_CUH
#define ASSAY_STEP_GRAVITY_CUH

#include "step_device.cuh"

/* The frequency at a place of an axis: 0, 1, ..., -1. */
__device__ inline float step_frequency(int at, int length)
{
    return static_cast<float>(2 * at < length ? at : at - length) / static_cast<float>(length);
}

/* Multiplies a mode by -4 pi G / (k^2 cells), the mean by 0. */
static __global__ void step_apply_green(step_problem q)
{
    constexpr float pi    = 3.14159265358979f;
    const int       depth = q.grid.gz / 2 + 1, mode = step_thread();

    if (mode >= q.grid.gx * q.grid.gy * depth)
        return;
    const float x      = step_frequency(mode / depth / q.grid.gy, q.grid.gx);
    const float y      = step_frequency(mode / depth % q.grid.gy, q.grid.gy);
    const float z      = step_frequency(mode % depth, q.grid.gz);
    const float square = (x * x + y * y + z * z) * q.per_dx * q.per_dx;
    const float green = mode == 0 ? 0.0f : -q.gravity / (pi * square * static_cast<float>(q.cells));

    q.spectrum[mode].re *= green;
    q.spectrum[mode].im *= green;
}

#endif
