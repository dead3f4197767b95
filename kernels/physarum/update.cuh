/* Blur, blend and decay: a cell, or some rows of the field by a warp. */
#ifndef PHYSARUM_UPDATE_CUH
#define PHYSARUM_UPDATE_CUH

#include "physarum_launch.h"

/* ---- any width: a thread a cell */

/* A place on a torus, or -1 outside a field with borders. */
template <bool TORUS> __device__ inline int place_on(int i, int extent)
{
    if (i >= 0 && i < extent)
        return i;
    return TORUS ? (i % extent + extent) % extent : -1;
}

template <bool TORUS>
__device__ inline float mean_around(const physarum_grid &g, const float *from, int y, int x)
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
    return sum * g.share;
}

/* From `deposited` to `field` and, unless NULL, to `copy`; so below. */
template <bool TORUS> __device__ inline void
update_cell(const physarum_grid &g, const float *deposited, float *field, float *copy, int cell)
{
    const float value =
        g.remain * (g.keep * deposited[cell] +
                    g.blend * mean_around<TORUS>(g, deposited, cell / g.width, cell % g.width));

    field[cell] = value;
    if (copy)
        copy[cell] = value;
}

/* ---- widths of whole warps: four columns a lane, neighbours by shuffle, ROWS rows a warp */

enum {
    UPDATE_COLUMNS = 128 /* of a warp */
};

/* Else cell by cell. */
inline bool update_by_rows(const physarum_grid &g)
{
    return g.width % UPDATE_COLUMNS == 0 && g.height >= 8;
}

/* Four cells of a row and, in the first and the last lane, the RADIUS cells beyond the warp's. */
template <int RADIUS> struct row_part {
    float4 here;
    float  beyond[RADIUS]; /* [0] is next to the four */
};

/* A column on a torus, or -1 outside a field with borders; at most one width off. */
template <bool TORUS> __device__ inline int column_at(int x, int width)
{
    if (x >= 0 && x < width)
        return x;
    return TORUS ? x < 0 ? x + width : x - width : -1;
}

/* `row` is NULL above and below a field with borders. */
template <int RADIUS, bool TORUS>
__device__ inline row_part<RADIUS> load_row(const float *row, int x, int width)
{
    const unsigned   lane   = threadIdx.x % 32;
    const bool       is_row = TORUS || row;
    row_part<RADIUS> part;

    part.here = is_row ? *reinterpret_cast<const float4 *>(row + x) : make_float4(0, 0, 0, 0);
    for (int k = 0; k < RADIUS; k++) {
        const int column = column_at<TORUS>(lane == 0 ? x - 1 - k : x + 4 + k, width);

        part.beyond[k] = is_row && column >= 0 && (lane == 0 || lane == 31) ? row[column] : 0.0f;
    }
    return part;
}

/* Sums along x of 2 RADIUS + 1 cells around each of the four. All lanes of the warp are here. */
template <int RADIUS> __device__ inline float4 sum_along(const row_part<RADIUS> &p)
{
    const unsigned lane  = threadIdx.x % 32;
    const float4   c     = p.here;
    float          left  = __shfl_up_sync(0xffffffffu, c.w, 1), left_2;
    float          right = __shfl_down_sync(0xffffffffu, c.x, 1), right_2;

    left  = lane == 0 ? p.beyond[0] : left;
    right = lane == 31 ? p.beyond[0] : right;
    if (RADIUS == 1)
        return make_float4(left + c.x + c.y, c.x + c.y + c.z, c.y + c.z + c.w, c.z + c.w + right);
    left_2  = __shfl_up_sync(0xffffffffu, c.z, 1);
    right_2 = __shfl_down_sync(0xffffffffu, c.y, 1);
    left_2  = lane == 0 ? p.beyond[RADIUS - 1] : left_2;
    right_2 = lane == 31 ? p.beyond[RADIUS - 1] : right_2;
    return make_float4(left_2 + left + c.x + c.y + c.z, left + c.x + c.y + c.z + c.w,
                       c.x + c.y + c.z + c.w + right, c.y + c.z + c.w + right + right_2);
}

__device__ inline void add_to(float4 *sum, float4 v)
{
    sum->x += v.x;
    sum->y += v.y;
    sum->z += v.z;
    sum->w += v.w;
}

__device__ inline float blended(const physarum_grid &g, float here, float sum)
{
    return g.remain * (g.keep * here + g.blend * (g.share * sum));
}

/* y: at most one height off. */
template <bool TORUS>
__device__ inline const float *row_at(const physarum_grid &g, const float *field, int y)
{
    if (TORUS)
        y += y < 0 ? g.height : y >= g.height ? -g.height : 0;
    return TORUS || (y >= 0 && y < g.height) ? field + static_cast<int64_t>(y) * g.width : nullptr;
}

/* Rows y0 to y0 + ROWS - 1, four columns from x a lane, of those below the height. All lanes of the
 * warp are here. */
template <int RADIUS, bool TORUS, int ROWS>
__device__ inline void update_rows(const physarum_grid &g, const float *deposited, float *field,
                                   float *copy, int x, int y0)
{
    row_part<RADIUS> part[ROWS + 2 * RADIUS];
    float4           along[ROWS + 2 * RADIUS];

    /* All of them before the first is needed: they are one way to memory, not one each. */
#pragma unroll
    for (int r = 0; r < ROWS + 2 * RADIUS; r++)
        part[r] = load_row<RADIUS, TORUS>(row_at<TORUS>(g, deposited, y0 + r - RADIUS), x, g.width);
#pragma unroll
    for (int r = 0; r < ROWS + 2 * RADIUS; r++)
        along[r] = sum_along<RADIUS>(part[r]);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int64_t at  = static_cast<int64_t>(y0 + r) * g.width + x;
        float4        sum = along[r];
        float4        v;

#pragma unroll
        for (int k = 1; k <= 2 * RADIUS; k++)
            add_to(&sum, along[r + k]);
        v = make_float4(
            blended(g, part[r + RADIUS].here.x, sum.x), blended(g, part[r + RADIUS].here.y, sum.y),
            blended(g, part[r + RADIUS].here.z, sum.z), blended(g, part[r + RADIUS].here.w, sum.w));
        if (y0 + r < g.height) {
            *reinterpret_cast<float4 *>(field + at) = v;
            if (copy)
                *reinterpret_cast<float4 *>(copy + at) = v;
        }
    }
}

#endif
