/* Physics loss, fused, gradient with respect to the fields: a tile of TX x TY cells marches along
 * z, with three planes of fields in shared memory.
 *
 * The gradient at a cell takes the fluxes of the cells beside it along each axis, which are made of
 * their residuals and fields. So the tile holds the cotangents of a plane with a ring of one cell
 * around it, and the fields with a ring of two. A thread keeps fluxes along z from plane to plane.
 * Outside a zero_gradient end the flux is minus the end cell's. This kernel takes any grid: it
 * reads one value at a time. */
#include "fused_field.cuh"

static const int THREADS = 256;

template <int TX, int TY> struct tiled_shape {
    static constexpr int WX = TX + 4, WY = TY + 4, PLANE = WX * WY; /* fields, two cells around */
    static constexpr int GX = TX + 2, GY = TY + 2, RING = GX * GY;  /* cotangents, one around */
    static constexpr int EACH    = TX * TY / THREADS;               /* cells of a thread */
    static constexpr int STRIDE  = THREADS / TX; /* rows between a thread's cells */
    static constexpr int FETCHES = (PLANE + THREADS - 1) / THREADS;
    static constexpr int BYTES   = (3 * 4 * PLANE + 4 * RING) * static_cast<int>(sizeof(float));
    static_assert(THREADS % TX == 0 && EACH >= 1, "whole rows, and a cell for each thread");
    static_assert(2 * TX + 2 * TY <= THREADS, "one cell of the ring a thread");
};

/* Where a tile is, and how much of it is inside the grid. */
struct tiled_extent {
    int x0, y0, width, height;
};

/* Places in a plane of memory of the values that a thread fetches; -1: nothing. */
template <int TX, int TY> __device__ static inline void
tiled_sources(const phys_kernel_args &a, const tiled_extent &e, int thread, int64_t *from)
{
    using shape = tiled_shape<TX, TY>;

#pragma unroll
    for (int i = 0; i < shape::FETCHES; i++) {
        const int place = thread + i * THREADS, x = place % shape::WX - 2,
                  y        = place / shape::WX - 2;
        const bool is_used = place < shape::PLANE && x < e.width + 2 && y < e.height + 2;

        from[i] = !is_used
                      ? -1
                      : static_cast<int64_t>(phys_source(e.y0 + y, a.ny, a.periodic[1])) * a.nx +
                            phys_source(e.x0 + x, a.nx, a.periodic[0]);
    }
}

template <int FETCHES> __device__ static inline void
tiled_fetch(const phys_kernel_args &a, const int64_t *from, int64_t plane, float (*to)[4])
{
#pragma unroll
    for (int i = 0; i < FETCHES; i++)
        if (from[i] >= 0)
#pragma unroll
            for (int c = 0; c < 4; c++)
                to[i][c] = a.now[c][plane + from[i]];
}

template <int TX, int TY> __device__ static inline void
tiled_publish(const int64_t *from, int thread, const float (*values)[4], float *plane)
{
    using shape = tiled_shape<TX, TY>;

#pragma unroll
    for (int i = 0; i < shape::FETCHES; i++)
        if (from[i] >= 0)
#pragma unroll
            for (int c = 0; c < 4; c++)
                plane[c * shape::PLANE + thread + i * THREADS] = values[i][c];
}

/* Three planes of fields in shared memory: the current one, and those below and above it. */
struct tiled_planes {
    const float *below, *here, *above;
};

/* Values and differences of the cell at place i of the shared planes. */
template <int TX, int TY, bool CENTRAL> __device__ static inline phys_cell
tiled_cell(const phys_kernel_args &a, const tiled_planes &planes, int i, int64_t at)
{
    using shape = tiled_shape<TX, TY>;
    phys_cell cell;

#pragma unroll
    for (int c = 0; c < 4; c++) {
        const float *here = planes.here + c * shape::PLANE + i;

        cell.now[c]  = here[0];
        cell.step[c] = (CENTRAL ? a.after[c][at] : here[0]) - a.before[c][at];
        cell.dx[c]   = here[1] - here[-1];
        cell.dy[c]   = here[shape::WX] - here[-shape::WX];
        cell.dz[c]   = planes.above[c * shape::PLANE + i] - planes.below[c * shape::PLANE + i];
    }
    return cell;
}

/* Adds the flux along an axis of the cell at place i; sign is -1 for the cell above. */
template <int TX, int TY>
__device__ static inline void tiled_receive(const phys_kernel_args &a, const float *here,
                                            const float *cotangents, int i, int g, int axis,
                                            float sign, float sum[4])
{
    using shape            = tiled_shape<TX, TY>;
    const float v          = here[(1 + axis) * shape::PLANE + i] * a.per_two_h[axis];
    const float s          = here[i] * a.per_two_h[axis];
    const float sent_by[4] = { cotangents[g], cotangents[shape::RING + g],
                               cotangents[2 * shape::RING + g], cotangents[3 * shape::RING + g] };

#pragma unroll
    for (int c = 0; c < 4; c++)
        sum[c] = fmaf(sign, phys_flux(sent_by, c, axis, v, s), sum[c]);
}

/* One cell of a thread: its places, and what it keeps from plane to plane. */
struct tiled_mine {
    int     i, g; /* places in the shared planes of fields and cotangents */
    int64_t column;
    bool    is_in;
    int     x, y;    /* in the grid */
    float   sum[4];  /* gradient of the plane below, without what the current plane sends down */
    float   sent[4]; /* flux along z of the plane below */
};

template <int TX, int TY> __device__ static inline tiled_mine
tiled_mine_of(const phys_kernel_args &a, const tiled_extent &e, int thread, int k)
{
    using shape  = tiled_shape<TX, TY>;
    const int  x = thread % TX, y = thread / TX + k * shape::STRIDE;
    tiled_mine m = {};

    m.i      = (y + 2) * shape::WX + x + 2;
    m.g      = (y + 1) * shape::GX + x + 1;
    m.x      = e.x0 + x;
    m.y      = e.y0 + y;
    m.is_in  = x < e.width && y < e.height;
    m.column = static_cast<int64_t>(m.y) * a.nx + m.x;
    return m;
}

/* The ring cell that a thread has, if any. */
template <int TX, int TY> __device__ static inline tiled_mine
tiled_ring_of(const phys_kernel_args &a, const tiled_extent &e, int thread)
{
    using shape       = tiled_shape<TX, TY>;
    const bool is_row = thread < 2 * TX;
    const int  side   = thread - 2 * TX;
    const int  x      = is_row ? thread % TX : side < TY ? -1 : e.width;
    const int  y      = is_row ? (thread < TX ? -1 : e.height) : side % TY;
    tiled_mine m      = {};

    m.is_in  = thread < 2 * TX + 2 * TY && (is_row ? x < e.width : y < e.height);
    m.i      = (y + 2) * shape::WX + x + 2;
    m.g      = (y + 1) * shape::GX + x + 1;
    m.column = static_cast<int64_t>(phys_source(e.y0 + y, a.ny, a.periodic[1])) * a.nx +
               phys_source(e.x0 + x, a.nx, a.periodic[0]);
    return m;
}

template <int TX, int TY, bool CENTRAL> __device__ static inline phys_cell
tiled_cotangents(const phys_kernel_args &a, const tiled_planes &planes, const tiled_mine &m,
                 int64_t plane, float *cotangents, float r[4], float g[4])
{
    using shape          = tiled_shape<TX, TY>;
    const phys_cell cell = tiled_cell<TX, TY, CENTRAL>(a, planes, m.i, plane + m.column);

    phys_residual(a, cell, r);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        g[c]                              = a.gradient_factor[c > 0] * r[c];
        cotangents[c * shape::RING + m.g] = g[c];
    }
    return cell;
}

/* One cell's values as vectors, as the writing functions take them. */
struct tiled_values {
    phys_vector<1> of[4];
};
__device__ static inline tiled_values tiled_vectors(const float from[4])
{
    tiled_values to;

#pragma unroll
    for (int c = 0; c < 4; c++)
        to.of[c].at[0] = from[c];
    return to;
}

/* Call after the barrier: adds the fluxes of the neighbouring cells. */
template <int TX, int TY> __device__ static inline void
tiled_gather(const phys_kernel_args &a, const float *here, const float *cotangents, tiled_mine *m)
{
    using shape        = tiled_shape<TX, TY>;
    const bool ends[4] = { !a.periodic[0] && m->x == 0, !a.periodic[0] && m->x == a.nx - 1,
                           !a.periodic[1] && m->y == 0, !a.periodic[1] && m->y == a.ny - 1 };

#pragma unroll
    for (int n = 0; n < 4; n++) {
        const int axis = n / 2, to = n % 2 == 0 ? -1 : 1;
        const int i = ends[n] ? 0 : axis == 0 ? to : to * shape::WX;
        const int g = ends[n] ? 0 : axis == 0 ? to : to * shape::GX;

        tiled_receive<TX, TY>(a, here, cotangents, m->i + i, m->g + g, axis,
                              static_cast<float>(ends[n] ? to : -to), m->sum);
    }
}

/* One plane of one cell, except what needs the cells beside it. */
template <int TX, int TY, bool CENTRAL>
__device__ static inline void tiled_step(const phys_kernel_args &a, const tiled_planes &planes,
                                         const phys_range &range, int z, int64_t source,
                                         float *cotangents, tiled_mine *m, phys_squares *squares)
{
    const int64_t   plane_cells = static_cast<int64_t>(a.nx) * a.ny;
    float           r[4], g[4], sent[4];
    const phys_cell cell =
        tiled_cotangents<TX, TY, CENTRAL>(a, planes, *m, source * plane_cells, cotangents, r, g);

#pragma unroll
    for (int c = 0; c < 4; c++) {
        sent[c] = phys_flux(g, c, 2, cell.now[3] * a.per_two_h[2], cell.now[0] * a.per_two_h[2]);
        m->sum[c] -= sent[c];
    }
    if (z > range.begin)
        phys_store_gradient<1>(a.d, a.cells, (z - 1) * plane_cells + m->column, 0,
                               tiled_vectors(m->sum).of);
    if (z >= range.begin && z < range.end) {
        phys_own_gradient<CENTRAL>(a, cell, g, m->sum);
#pragma unroll
        for (int c = 0; c < 4; c++)
            m->sum[c] += z == range.first ? -sent[c] : m->sent[c];
        phys_write_plane<1>(a, z * plane_cells + m->column, 0, tiled_vectors(r).of);
        phys_add_squares(squares, r);
    }
#pragma unroll
    for (int c = 0; c < 4; c++)
        m->sent[c] = sent[c];
}

/* What a thread carries from plane to plane. */
template <int TX, int TY> struct tiled_march {
    using shape = tiled_shape<TX, TY>;
    float     *below, *here, *above; /* three planes of the tile and its halo, in shared memory */
    int        source, next;         /* where `here` and `above` come from */
    tiled_mine mine[shape::EACH];
    int64_t    from[shape::FETCHES];
    float      fetched[shape::FETCHES][4];
};

/* Fetches plane z into `to`. */
template <int TX, int TY>
static __device__ __forceinline__ void tiled_fill(const phys_kernel_args &a, int thread,
                                                  int64_t cells_below, float *to,
                                                  tiled_march<TX, TY> *m)
{
    tiled_fetch<tiled_shape<TX, TY>::FETCHES>(a, m->from, cells_below, m->fetched);
    tiled_publish<TX, TY>(m->from, thread, m->fetched, to);
}

/* Loads the three planes around the first one. */
template <int TX, int TY>
static __device__ __forceinline__ void tiled_start(const phys_kernel_args &a,
                                                   const tiled_extent &extent, int thread,
                                                   int first, float *shared, tiled_march<TX, TY> *m)
{
    using shape               = tiled_shape<TX, TY>;
    const int64_t plane_cells = static_cast<int64_t>(a.nx) * a.ny;

    m->below  = shared;
    m->here   = shared + 4 * shape::PLANE;
    m->above  = shared + 8 * shape::PLANE;
    m->source = phys_source(first, a.nz, a.periodic[2]);
    m->next   = phys_above(m->source, a.nz, a.periodic[2]);
#pragma unroll
    for (int k = 0; k < shape::EACH; k++)
        m->mine[k] = tiled_mine_of<TX, TY>(a, extent, thread, k);
    tiled_sources<TX, TY>(a, extent, thread, m->from);
    tiled_fill<TX, TY>(a, thread, phys_below(m->source, a.nz, a.periodic[2]) * plane_cells,
                       m->below, m);
    tiled_fill<TX, TY>(a, thread, m->source * plane_cells, m->here, m);
    tiled_fill<TX, TY>(a, thread, m->next * plane_cells, m->above, m);
    __syncthreads();
}

/* The plane below is no longer needed: the plane after next takes its place. */
template <int TX, int TY>
static __device__ __forceinline__ void tiled_advance(int beyond, tiled_march<TX, TY> *m)
{
    float *const free = m->below;

    m->below  = m->here;
    m->here   = m->above;
    m->above  = free;
    m->source = m->next;
    m->next   = beyond;
}

/* Completes the last plane: beyond the end the flux is minus the end cell's. */
template <int TX, int TY> static __device__ __forceinline__ void
tiled_finish(const phys_kernel_args &a, const phys_range &range, tiled_march<TX, TY> *m)
{
    const int64_t last = static_cast<int64_t>(a.nx) * a.ny * range.last;

#pragma unroll
    for (int k = 0; k < tiled_shape<TX, TY>::EACH; k++)
        if (m->mine[k].is_in && range.last < range.end) {
#pragma unroll
            for (int c = 0; c < 4; c++)
                m->mine[k].sum[c] += m->mine[k].sent[c];
            phys_store_gradient<1>(a.d, a.cells, last + m->mine[k].column, 0,
                                   tiled_vectors(m->mine[k].sum).of);
        }
}

template <int TX, int TY, bool CENTRAL> static __global__ void __launch_bounds__(THREADS, 2)
    tiled_field_kernel(phys_kernel_args a)
{
    using shape = tiled_shape<TX, TY>;
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    float              *shared      = reinterpret_cast<float *>(dynamic_shared);
    const int           thread      = static_cast<int>(threadIdx.x);
    const phys_tile     tile        = phys_tile_of_block(a);
    const phys_range    range       = phys_range_of(a, tile.z);
    const int64_t       plane_cells = static_cast<int64_t>(a.nx) * a.ny;
    const tiled_extent  extent      = { tile.x * TX, tile.y * TY, min(TX, a.nx - tile.x * TX),
                                        min(TY, a.ny - tile.y * TY) };
    const tiled_mine    ring        = tiled_ring_of<TX, TY>(a, extent, thread);
    float *const        cotangents  = shared + 3 * 4 * shape::PLANE;
    phys_squares        squares     = { 0, 0 };
    tiled_march<TX, TY> m           = {};

    tiled_start<TX, TY>(a, extent, thread, range.first, shared, &m);
#pragma unroll 1
    for (int z = range.first; z <= range.last; z++) {
        const tiled_planes planes = { m.below, m.here, m.above };
        const int          beyond = phys_above(m.next, a.nz, a.periodic[2]);

        if (z < range.last)
            tiled_fetch<shape::FETCHES>(a, m.from, beyond * plane_cells, m.fetched);
#pragma unroll
        for (int k = 0; k < shape::EACH; k++)
            if (m.mine[k].is_in)
                tiled_step<TX, TY, CENTRAL>(a, planes, range, z, m.source, cotangents, &m.mine[k],
                                            &squares);
        if (ring.is_in) {
            float r[4], g[4];

            (void)tiled_cotangents<TX, TY, CENTRAL>(a, planes, ring, m.source * plane_cells,
                                                    cotangents, r, g);
        }
        __syncthreads();
        tiled_publish<TX, TY>(m.from, thread, m.fetched, m.below);
#pragma unroll
        for (int k = 0; k < shape::EACH; k++)
            if (m.mine[k].is_in && z >= range.begin && z < range.end)
                tiled_gather<TX, TY>(a, m.here, cotangents, &m.mine[k]);
        __syncthreads();
        tiled_advance<TX, TY>(beyond, &m);
    }
    tiled_finish<TX, TY>(a, range, &m);
    if (a.loss[0] != NULL)
        phys_add_losses<THREADS>(a, squares, threadIdx.x);
}

template <int TX, int TY, bool CENTRAL>
static int launch_tile(phys_kernel_args a, int64_t wanted_blocks, assay_stream stream)
{
    using shape           = tiled_shape<TX, TY>;
    const auto     kernel = tiled_field_kernel<TX, TY, CENTRAL>;
    const unsigned blocks = phys_set_march(&a, TX, TY, wanted_blocks);
    const int      error  = assay_allow_shared(kernel, shape::BYTES + PHYS_LOSS_SHARED);

    if (blocks == 0 || error != PHYS_OK)
        return blocks == 0 ? PHYS_INVALID_GRID : error;
    kernel<<<blocks, THREADS, shape::BYTES, stream>>>(a);
    return assay_launch_status();
}

/* By time scheme: first_order, central. */
static const struct {
    int64_t x, y;
    int (*launch[2])(phys_kernel_args a, int64_t wanted_blocks, assay_stream stream);
} TILES[] = {
    { 64, 8, { launch_tile<64, 8, false>, launch_tile<64, 8, true> } },
    { 64, 16, { launch_tile<64, 16, false>, launch_tile<64, 16, true> } },
    { 32, 8, { launch_tile<32, 8, false>, launch_tile<32, 8, true> } },
    { 32, 16, { launch_tile<32, 16, false>, launch_tile<32, 16, true> } },
};

int phys_launch_tiled_field(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                            assay_stream stream)
{
    for (const auto &tile : TILES)
        if (tile.x == tuning.tile_x && tile.y == tuning.tile_y)
            return tile.launch[is_central](*a, tuning.blocks, stream);
    return PHYS_INVALID_VALUE;
}
