/* thermo_gas by tiles that march through the grid: both stages, with the shapes that can be
 * chosen. */
#include "gas_launch.cuh"
#include "gas_stream.cuh"

template <int ROWS, int WARPS, int UNROLL>
static int run_march(const assay_args *args, assay_stream stream)
{
    constexpr int BLOCKS = WARPS / ROWS; /* blocks that an SM shall hold */
    const int64_t planes = args->tune[3];

    return gas_run_two_stages(args, [=](const gas_args &a, int stage) {
        return stage == 1 ? march_launch<ROWS, 1, BLOCKS, UNROLL>(a, planes, march_alone(), stream)
                          : march_launch<ROWS, 2, BLOCKS, UNROLL>(a, planes, march_alone(), stream);
    });
}

/* By rows of a tile, warps that an SM shall hold (fewer leave each thread more registers), and
 * planes in a turn of the loop (with two there are no moves between registers). */
static const struct {
    int64_t rows, warps, unroll;
    int (*run)(const assay_args *args, assay_stream stream);
} TILES[] = {
    { 8, 24, 2, run_march<8, 24, 2> },   { 8, 16, 2, run_march<8, 16, 2> },
    { 4, 24, 2, run_march<4, 24, 2> },   { 4, 16, 2, run_march<4, 16, 2> },
    { 16, 24, 2, run_march<16, 16, 2> }, { 16, 16, 2, run_march<16, 16, 2> },
    { 8, 24, 1, run_march<8, 24, 1> },   { 8, 16, 1, run_march<8, 16, 1> },
    { 4, 24, 1, run_march<4, 24, 1> },   { 4, 16, 1, run_march<4, 16, 1> },
    { 16, 24, 1, run_march<16, 16, 1> }, { 16, 16, 1, run_march<16, 16, 1> },
};

ASSAY_LAUNCHER(thermo_gas_stream)
{
    for (const auto &tile : TILES)
        if (tile.rows == args->tune[0] && tile.warps == args->tune[1] &&
            tile.unroll == args->tune[2])
            return tile.run(args, stream);
    return GAS_INVALID_VALUE;
}
