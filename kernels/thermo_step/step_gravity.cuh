/* The potential of the deposited mass: phi = -4 pi G rho / k^2 in Fourier space, mean removed,
 * k = 2 pi fftfreq. Transforms are sums over one axis at a time, so any extent will do. */
#ifndef ASSAY_STEP_GRAVITY_CUH
#define ASSAY_STEP_GRAVITY_CUH

#include "step_device.cuh"

/* exp(-2 pi i m / g), in double before it is rounded: the tables are small. */
static __global__ void step_twiddles(step_problem q)
{
    const int g[3] = { q.grid.gx, q.grid.gy, q.grid.gz };
    const int t    = step_thread();
    int       m = t, d = 0;

    while (d < 3 && m >= g[d])
        m -= g[d++];
    if (d == 3)
        return;
    double sine, cosine;

    sincospi(-2.0 * m / g[d], &sine, &cosine);
    q.twiddle[t] = { static_cast<float>(cosine), static_cast<float>(sine) };
}

struct step_axis {
    int                 length, stride;
    const step_complex *twiddle;
};

__device__ inline step_axis step_axis_of(const step_problem &q, int d)
{
    if (d == 0)
        return { q.grid.gx, q.grid.gy * q.grid.gz, q.twiddle };
    if (d == 1)
        return { q.grid.gy, q.grid.gz, q.twiddle + q.grid.gx };
    return { q.grid.gz, 1, q.twiddle + q.grid.gx + q.grid.gy };
}

/* Place of a cell on an axis, as a frequency: 0, 1, ..., -1. */
__device__ inline float step_frequency(int at, int length)
{
    return static_cast<float>(2 * at < length ? at : at - length);
}

/* -4 pi G / (k^2 cells), 0 for the mean. */
__device__ inline float step_green(const step_problem &q, int cell)
{
    constexpr float pi = 3.14159265358979f;
    const int       k = cell % q.grid.gz, j = cell / q.grid.gz % q.grid.gy;
    const int       i      = cell / q.grid.gz / q.grid.gy;
    const float     x      = step_frequency(i, q.grid.gx) / static_cast<float>(q.grid.gx);
    const float     y      = step_frequency(j, q.grid.gy) / static_cast<float>(q.grid.gy);
    const float     z      = step_frequency(k, q.grid.gz) / static_cast<float>(q.grid.gz);
    const float     square = (x * x + y * y + z * z) * q.per_dx * q.per_dx;

    return cell == 0 ? 0.0f : -q.gravity / (pi * square * static_cast<float>(q.cells));
}

/* One pass along axis d, from spectrum FROM to the other one; the first reads rho, the last of the
 * forward ones multiplies, the last of all writes phi. */
template <bool FORWARD> static __global__ void step_transform(step_problem q, int d, int from)
{
    const int       cell = step_thread();
    const step_axis axis = step_axis_of(q, d);

    if (cell >= q.cells)
        return;
    const int           at = cell / axis.stride % axis.length, base = cell - at * axis.stride;
    const step_complex *in       = q.spectrum[from];
    const bool          is_first = FORWARD && d == 0, is_last = !FORWARD && d == 2;
    step_complex        sum = { 0, 0 };

    for (int j = 0, m = 0; j < axis.length; j++) {
        const int          other = base + j * axis.stride;
        const step_complex v     = is_first ? step_complex { q.u0.rho[other], 0 } : in[other];
        const step_complex w     = axis.twiddle[m];
        const float        sine  = FORWARD ? w.im : -w.im;

        sum.re += v.re * w.re - v.im * sine;
        sum.im += v.re * sine + v.im * w.re;
        m += at;
        m -= m >= axis.length ? axis.length : 0;
    }
    if (FORWARD && d == 2) {
        const float green = step_green(q, cell);

        sum = { sum.re * green, sum.im * green };
    }
    if (is_last)
        q.phi[cell] = sum.re;
    else
        q.spectrum[1 - from][cell] = sum;
}

#endif
