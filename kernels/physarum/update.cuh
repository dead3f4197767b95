/* Blur, blend and decay: of one cell, or of some rows of the field by a warp. */
#ifndef PHYSARUM_UPDATE_CUH
#define PHYSARUM_UPDATE_CUH

#include "physarum_launch.h"

/* ---- any width: one thread a cell */

/* A place on a torus, or -1 outside a field with borders. */
template <bool TORUS> __device__ inline int place_on(int i, int extent)
{
    if (i >= 0 && i < extent)
        return i;
    return TORUS ? (i % extent + extent) % extent : -1;
}

template <bool TORUS>
__device__ inline float sum_around(const physarum_grid &g, const float *from, int y, int x)
{
    const int radius = g.blur / 2;
    float     sum    = 0.0f;

    for (int dy = -radius; dy <= radius; dy++) {
        const int row = place_on<TORUS>(y + dy, g.height);

        for (int dx = -radius; dx <= radius && row >= 0; dx++) {
            const int column = place_on<TORUS>(x + dx, g.width);

            if (column >= 0)
                sum += from[row * g.width + column];
        }
    }
    return sum;
}

__device__ inline float blended(const physarum_grid &g, float here, float sum)
{
    return g.of_cell * here + g.of_sum * sum;
}

/* From `deposited` to `field` and, unless NULL, to `copy`; the same holds below. */
template <bool TORUS> __device__ inline void
update_cell(const physarum_grid &g, const float *deposited, float *field, float *copy, int cell)
{
    const float value = blended(g, deposited[cell],
                                sum_around<TORUS>(g, deposited, cell / g.width, cell % g.width));

    field[cell] = value;
    if (copy)
        copy[cell] = value;
}

/* ---- widths of whole warps: four columns a lane, neighbours by shuffle, ROWS rows a warp */

enum {
    UPDATE_COLUMNS = 128 /* of a warp */
};

/* False: the field is updated cell by cell. */
inline bool update_by_rows(const physarum_grid &g)
{
    return g.width % UPDATE_COLUMNS == 0 && g.height >= 8;
}

/* Four cells of a row; the first and the last lane also have the RADIUS cells beyond the warp's. */
template <int RADIUS> struct row_part {
    float4 here;
    float  beyond[RADIUS]; /* [0] is next to the four */
};

/* The same as place_on, for places at most one extent outside. */
template <bool TORUS> __device__ inline int place_near(int i, int extent)
{
    if (i >= 0 && i < extent)
        return i;
    return TORUS ? i < 0 ? i + extent : i - extent : -1;
}

/* `row` is -1 above and below a field with borders. */
template <int RADIUS, bool TORUS>
__device__ inline row_part<RADIUS> load_row(const float *field, int row, int x, int width)
{
    const unsigned   lane = threadIdx.x % 32, first = static_cast<unsigned>(row * width);
    const bool       is_row = TORUS || row >= 0;
    row_part<RADIUS> part;

    part.here = is_row ? *reinterpret_cast<const float4 *>(field + (first + x)) : float4 {};
    for (int k = 0; k < RADIUS; k++) {
        const int  column  = place_near<TORUS>(lane == 0 ? x - 1 - k : x + 4 + k, width);
        const bool is_here = is_row && column >= 0 && (lane == 0 || lane == 31);

        part.beyond[k] = is_here ? field[first + column] : 0.0f;
    }
    return part;
}

__device__ inline float4 plus(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* The sum of 2 RADIUS + 1 rows. */
template <int RADIUS> __device__ inline row_part<RADIUS> sum_of_rows(const row_part<RADIUS> *row)
{
    row_part<RADIUS> sum = row[0];

#pragma unroll
    for (int r = 1; r <= 2 * RADIUS; r++) {
        sum.here = plus(sum.here, row[r].here);
        for (int k = 0; k < RADIUS; k++)
            sum.beyond[k] += row[r].beyond[k];
    }
    return sum;
}

/* Sums along x over 2 RADIUS + 1 cells around each of the four. All lanes of the warp call it. */
template <int RADIUS> __device__ inline float4 sum_along(const row_part<RADIUS> &p)
{
    const unsigned lane  = threadIdx.x % 32;
    const float4   c     = p.here;
    const float    first = c.x + c.y, last = c.z + c.w;
    float          left  = __shfl_up_sync(0xffffffffu, c.w, 1), left_2;
    float          right = __shfl_down_sync(0xffffffffu, c.x, 1), right_2;

    left  = lane == 0 ? p.beyond[0] : left;
    right = lane == 31 ? p.beyond[0] : right;
    if (RADIUS == 1)
        return make_float4(left + first, first + c.z, c.y + last, last + right);
    left_2  = __shfl_up_sync(0xffffffffu, c.z, 1);
    right_2 = __shfl_down_sync(0xffffffffu, c.y, 1);
    left_2  = lane == 0 ? p.beyond[RADIUS - 1] : left_2;
    right_2 = lane == 31 ? p.beyond[RADIUS - 1] : right_2;
    return make_float4(left_2 + left + first + c.z, left + first + last, first + last + right,
                       c.y + last + right + right_2);
}

/* Updates rows y0 to y0 + ROWS - 1, as far as they are below the height, four columns a lane from x
 * on. All lanes of the warp call it. */
template <int RADIUS, bool TORUS, int ROWS>
__device__ inline void update_rows(const physarum_grid &g, const float *deposited, float *field,
                                   float *copy, int x, int y0)
{
    row_part<RADIUS> part[ROWS + 2 * RADIUS];
    float4           value[ROWS];

    /* All loads come before the first use, so that they make one trip to memory together. */
#pragma unroll
    for (int r = 0; r < ROWS + 2 * RADIUS; r++)
        part[r] = load_row<RADIUS, TORUS>(deposited, place_near<TORUS>(y0 + r - RADIUS, g.height),
                                          x, g.width);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const float4 here = part[r + RADIUS].here;
        const float4 sum  = sum_along<RADIUS>(sum_of_rows<RADIUS>(part + r));

        value[r] = make_float4(blended(g, here.x, sum.x), blended(g, here.y, sum.y),
                               blended(g, here.z, sum.z), blended(g, here.w, sum.w));
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const unsigned at = static_cast<unsigned>((y0 + r) * g.width + x);

        if (y0 + r < g.height) {
            *reinterpret_cast<float4 *>(field + at) = value[r];
            if (copy)
                *reinterpret_cast<float4 *>(copy + at) = value[r];
        }
    }
}

#endif
