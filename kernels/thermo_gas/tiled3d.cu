/* thermo_gas: a block computes a box of TX x TY x 32 cells. The primitives of the box and its six
 * faces are derived once and shared. */
#include "gas_launch.cuh"
#include "gas_plane.cuh"

enum {
    LANES = 32
};

template <int TX, int TY> struct box_shape {
    static constexpr int THREADS = TX * TY * LANES;
    static constexpr int ROW     = LANES + 2;
    static constexpr int PLANE   = (TY + 2) * ROW;
    static constexpr int CELLS   = (TX + 2) * PLANE; /* with a halo of one, corners left empty */
    using shelf                  = gas_shelf<CELLS, 0>;
};

struct box_grid {
    int tiles_y, tiles_z;
};

/* Place p of the halo, -1 to n, on a periodic axis of g cells. */
__device__ static inline int wrapped(int p, int g) { return p < 0 ? p + g : p >= g ? p - g : p; }

/* Loads the thread's share of the box and its halo: cells with at most one coordinate outside. A
 * box at the end of an axis may be shorter; its halo is then closer. */
template <int TX, int TY>
__device__ static inline void load_box(const gas_args &a, const int at[3], const int size[3],
                                       typename box_shape<TX, TY>::shelf *box)
{
    using shape = box_shape<TX, TY>;

    for (int n = static_cast<int>(threadIdx.x); n < shape::CELLS; n += shape::THREADS) {
        const int  i = n / shape::PLANE - 1, j = n % shape::PLANE / shape::ROW - 1;
        const int  k     = n % shape::ROW - 1;
        const bool out_i = i < 0 || i == size[0], out_j = j < 0 || j == size[1];
        const bool out_k = k < 0 || k == size[2];

        if (i > size[0] || j > size[1] || k > size[2] || out_i + out_j + out_k > 1)
            continue;
        gas_put(box, n,
                gas_cell_of(thermo_load(
                    a.from, (wrapped(at[0] + i, a.gx) * a.gy + wrapped(at[1] + j, a.gy)) * a.gz +
                                wrapped(at[2] + k, a.gz))));
    }
}

template <int N, int D> __device__ static inline bool
add_from_box(gas_rates *r, const gas_shelf<N, 0> *box, int place, int step, const gas_cell &here)
{
    return gas_add_direction<D>(r, gas_get<D>(box, place - step), here,
                                gas_get<D>(box, place + step));
}

template <int N> __device__ static inline gas_cell cell_from(const gas_shelf<N, 0> *box, int place)
{
    const gas_side s = gas_get<0>(box, place);

    return { s.u,
             { s.velocity, box->velocity[1][place], box->velocity[2][place] },
             s.p,
             s.temperature,
             s.signal };
}

template <int TX, int TY, int STAGE> static __global__ void __launch_bounds__(TX *TY *LANES)
    gas_box_kernel(gas_args a, box_grid grid)
{
    using shape = box_shape<TX, TY>;
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    typename shape::shelf *box = reinterpret_cast<typename shape::shelf *>(dynamic_shared);
    const int thread = static_cast<int>(threadIdx.x), tile = static_cast<int>(blockIdx.x);
    const int at[3]   = { tile / grid.tiles_z / grid.tiles_y * TX,
                          tile / grid.tiles_z % grid.tiles_y * TY, tile % grid.tiles_z * LANES };
    const int size[3] = { min(TX, a.gx - at[0]), min(TY, a.gy - at[1]), min(LANES, a.gz - at[2]) };
    const int i = thread / LANES / TY, j = thread / LANES % TY, k = thread % LANES;
    const int place = ((i + 1) * (TY + 2) + j + 1) * shape::ROW + k + 1;
    const int cell  = ((at[0] + i) * a.gy + at[1] + j) * a.gz + at[2] + k;

    load_box<TX, TY>(a, at, size, box);
    __syncthreads();
    if (i >= size[0] || j >= size[1] || k >= size[2])
        return;
    const gas_cell here = cell_from(box, place);
    gas_rates      r;
    bool           are = add_from_box<shape::CELLS, 0>(&r, box, place, shape::PLANE, here);

    are &= add_from_box<shape::CELLS, 1>(&r, box, place, shape::ROW, here);
    are &= add_from_box<shape::CELLS, 2>(&r, box, place, 1, here);

    thermo_state v = gas_advance(here.u, r, here.p, a.dt_per_2dx, a.dt_heat);

    if (STAGE == 2)
        v = gas_average(thermo_load(a.start, cell), v);
    thermo_store(a.to, cell, gas_judge<STAGE>(a, cell, here, are, v));
}

template <int TX, int TY, int STAGE> static int launch_box(const gas_args &a, assay_stream stream)
{
    using shape              = box_shape<TX, TY>;
    constexpr size_t bytes   = sizeof(typename shape::shelf);
    const box_grid   grid    = { (a.gy + TY - 1) / TY, (a.gz + LANES - 1) / LANES };
    const int        tiles_x = (a.gx + TX - 1) / TX;
    const unsigned   blocks  = static_cast<unsigned>(tiles_x * grid.tiles_y * grid.tiles_z);
    const int        error   = assay_allow_shared(gas_box_kernel<TX, TY, STAGE>, bytes);

    if (error != 0)
        return error;
    gas_box_kernel<TX, TY, STAGE><<<blocks, shape::THREADS, bytes, stream>>>(a, grid);
    return assay_launch_status();
}

static const struct {
    int64_t x, y;
    int (*stage[2])(const gas_args &a, assay_stream stream);
} BOXES[] = {
    { 4, 4, { launch_box<4, 4, 1>, launch_box<4, 4, 2> } },
    { 4, 8, { launch_box<4, 8, 1>, launch_box<4, 8, 2> } },
    { 2, 4, { launch_box<2, 4, 1>, launch_box<2, 4, 2> } },
    { 2, 8, { launch_box<2, 8, 1>, launch_box<2, 8, 2> } },
};

ASSAY_LAUNCHER(thermo_gas_tiled3d)
{
    for (const auto &box : BOXES)
        if (box.x == args->tune[0] && box.y == args->tune[1])
            return gas_run_two_stages(args, [&](const gas_args &a, int stage) {
                return box.stage[stage - 1](a, stream);
            });
    return GAS_INVALID_VALUE;
}
