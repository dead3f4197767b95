/* Blur, blend and decay in one pass over the field. */
#include "update.cuh"

enum {
    WARPS = 4 /* of a block that updates rows */
};

template <bool TORUS> static __global__ void
update_cells_kernel(physarum_grid g, const float *deposited, float *field, float *copy)
{
    const int cell = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    physarum_begin_update();
    if (cell < g.height * g.width)
        update_cell<TORUS>(g, deposited, field, copy, cell);
}

template <int RADIUS, bool TORUS, int ROWS> static __global__ void __launch_bounds__(32 * WARPS)
    update_rows_kernel(physarum_grid g, const float *deposited, float *field, float *copy)
{
    const int x = static_cast<int>(blockIdx.x) * UPDATE_COLUMNS + static_cast<int>(threadIdx.x) * 4;
    const int y0 = (static_cast<int>(blockIdx.y) * WARPS + static_cast<int>(threadIdx.y)) * ROWS;

    physarum_begin_update();
    if (y0 < g.height)
        update_rows<RADIUS, TORUS, ROWS>(g, deposited, field, copy, x, y0);
}

/* ---- choice */

template <int RADIUS, bool TORUS, int ROWS>
static void launch_rows(const physarum_grid &g, const float *deposited, float *field, float *copy,
                        assay_stream stream)
{
    const dim3 blocks(static_cast<unsigned>(g.width / UPDATE_COLUMNS),
                      assay_blocks_for(g.height, WARPS * ROWS));

    assay_launch_dependent(update_rows_kernel<RADIUS, TORUS, ROWS>, blocks, dim3(32, WARPS), 0,
                           stream, g, deposited, field, copy);
}

template <int RADIUS, bool TORUS>
static void choose_rows(const physarum_grid &g, const float *deposited, float *field, float *copy,
                        int64_t rows, assay_stream stream)
{
    if (rows == 1)
        launch_rows<RADIUS, TORUS, 1>(g, deposited, field, copy, stream);
    else if (rows == 2)
        launch_rows<RADIUS, TORUS, 2>(g, deposited, field, copy, stream);
    else
        launch_rows<RADIUS, TORUS, 4>(g, deposited, field, copy, stream);
}

template <bool TORUS> static void launch(const physarum_grid &g, const float *deposited,
                                         float *field, float *copy, int64_t rows,
                                         assay_stream stream)
{
    const unsigned block = 256;

    if (!update_by_rows(g))
        assay_launch_dependent(update_cells_kernel<TORUS>,
                               assay_blocks_for(static_cast<int64_t>(g.height) * g.width, block),
                               block, 0, stream, g, deposited, field, copy);
    else if (g.blur == 3)
        choose_rows<1, TORUS>(g, deposited, field, copy, rows, stream);
    else
        choose_rows<2, TORUS>(g, deposited, field, copy, rows, stream);
}

void physarum_launch_update(const physarum_grid &g, const float *deposited, float *field,
                            float *copy, int64_t rows, assay_stream stream)
{
    if (g.semantics == PHYSARUM_CANONICAL)
        launch<true>(g, deposited, field, copy, rows, stream);
    else
        launch<false>(g, deposited, field, copy, rows, stream);
}
