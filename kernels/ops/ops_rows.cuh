/* A small matrix in the registers of one warp: each lane has one or two lines of it. The kernels
 * shift what they keep, so that no register is chosen at run time. */
#ifndef ASSAY_OPS_ROWS_CUH
#define ASSAY_OPS_ROWS_CUH

#include "ops_any.cuh"

/* A lane has LINES lines, number lane and lane + 32, of up to WIDTH numbers. Places outside the
 * matrix are 0. */
template <int LINES> struct ops_lines {
    static constexpr int WIDTH = 32 * LINES;
    float                a[LINES][WIDTH];
};

template <typename T, int LINES>
__device__ inline void ops_load_lines_as(ops_lines<LINES> &to, const T *from, int n_lines,
                                         int width, int line_step, int step)
{
#pragma unroll
    for (int s = 0; s < LINES; s++) {
        const int i = ops_lane() + 32 * s;

#pragma unroll
        for (int j = 0; j < ops_lines<LINES>::WIDTH; j++)
            to.a[s][j] = i < n_lines && j < width ? ops_float(from[i * line_step + j * step]) : 0;
    }
}

/* Number j of line i is element first + i * line_step + j * step of an array of this type. */
template <int LINES> __device__ inline void ops_load_lines(ops_lines<LINES> &to, int type,
                                                           const void *from, int64_t first,
                                                           int n_lines, int width, int line_step,
                                                           int step)
{
    if (type == ASSAY_F32)
        ops_load_lines_as(to, static_cast<const float *>(from) + first, n_lines, width, line_step,
                          step);
    else if (type == ASSAY_F16)
        ops_load_lines_as(to, static_cast<const __half *>(from) + first, n_lines, width, line_step,
                          step);
    else
        ops_load_lines_as(to, static_cast<const __nv_bfloat16 *>(from) + first, n_lines, width,
                          line_step, step);
}

#endif
