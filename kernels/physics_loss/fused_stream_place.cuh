/* The roles of the threads of a block of the streaming kernel for the gradient with respect to the
 * fields, and what its shared memory holds.
 *
 * Threads: ROWS rows of the tile and one row above and below, of LANES vectors each; then the
 * vectors left and right of each row, of which one cell is in the ring around the tile. Rows two
 * away and the corners are only read into shared memory: each thread stages one of their
 * vectors. */
#ifndef ASSAY_FUSED_STREAM_PLACE_CUH
#define ASSAY_FUSED_STREAM_PLACE_CUH

#include "fused_field.cuh"

/* Shared memory of a block, in vectors. The threads that one phase of a 16-byte access serves are
 * neighbours in a row and cover all banks, so that rows need no padding. */
template <int V, int LANES, int ROWS> struct field_shape {
    static constexpr int MAIN    = (ROWS + 2) * LANES; /* threads of rows */
    static constexpr int THREADS = (MAIN + 2 * ROWS + 31) / 32 * 32;
    static constexpr int WIDTH   = LANES + 2; /* of a row of fields: one vector more each side */
    static constexpr int FIELD   = (ROWS + 4) * WIDTH; /* a component: two rows more each side */
    static constexpr int FLUX    = (ROWS + 2) * LANES; /* a component: one row more each side */
    static constexpr int SIDE    = 2 * ROWS;           /* cells beside the tile */
    static constexpr int STAGED  = 4 * (2 * LANES + 4);
    /* Two planes of each. */
    static constexpr int BYTES = 2 * 4 * ((FIELD + FLUX) * V + SIDE) * 4;
    static_assert(STAGED <= THREADS, "one staged vector a thread");
    static_assert(32 % LANES == 0 && MAIN % 32 == 0, "a row is in one warp");
    static_assert(V >= 2, "the cell beside the tile has its outer neighbour in its own vector");
};

enum {
    FIELD_IN        = 1,  /* has cells of the tile */
    FIELD_READ      = 2,  /* has cells to read */
    FIELD_RING      = 4,  /* sends along y */
    FIELD_LEFT_OF   = 8,  /* the vector left of a row: sends along x */
    FIELD_RIGHT_OF  = 16, /* the vector right of a row */
    FIELD_AT_LEFT   = 32, /* the value left of its cells is not in the next lane */
    FIELD_AT_RIGHT  = 64,
    FIELD_END_LEFT  = 128, /* a zero_gradient end of the grid */
    FIELD_END_RIGHT = 256,
    FIELD_END_LOW   = 512,
    FIELD_END_HIGH  = 1024
};

struct field_role {
    unsigned column; /* its vector's place in a plane */
    int      field;  /* its place in the shared plane of fields, of fluxes along y, */
    int      flux;
    int      side; /* and beside the tile: of fluxes along x */
    unsigned is;   /* bits of the enumeration */
};

/* Where a tile is, and how much of it is inside the grid. */
struct field_extent {
    int x0, y0, lanes, rows;
};

template <int V, int LANES, int ROWS> __device__ static inline field_extent
field_extent_of(const phys_kernel_args &a, const phys_tile &tile)
{
    field_extent e;

    e.x0    = tile.x * LANES * V;
    e.y0    = tile.y * ROWS;
    e.lanes = min(LANES, (a.nx - e.x0) / V);
    e.rows  = min(ROWS, a.ny - e.y0);
    return e;
}

/* The place in a plane of the vector at a tile's row and lane, each up to two outside the tile.
 * Outside a zero_gradient end along x it is the end's own vector, which is not used. */
template <int V> __device__ static inline int64_t
field_place(const phys_kernel_args &a, const field_extent &e, int row, int lane)
{
    const int y = phys_source(e.y0 + row, a.ny, a.periodic[1]);
    const int x = phys_source(e.x0 / V + lane, a.nx / V, a.periodic[0]) * V;

    return static_cast<int64_t>(y) * a.nx + x;
}

/* The role bits of a thread that belongs to a row. */
template <int V, int ROWS> __device__ static inline unsigned
field_row_bits(const phys_kernel_args &a, const field_extent &e, int thread_row, int row, int lane)
{
    unsigned is = 0;

    if (lane >= e.lanes || (thread_row < ROWS && row >= e.rows))
        return 0;
    is |= FIELD_READ | FIELD_RING | (thread_row < ROWS ? FIELD_IN : 0);
    is |= lane == 0 ? FIELD_AT_LEFT : 0;
    is |= lane == e.lanes - 1 ? FIELD_AT_RIGHT : 0;
    is |= !a.periodic[0] && e.x0 + lane == 0 ? FIELD_END_LEFT : 0;
    is |= !a.periodic[0] && e.x0 + (lane + 1) * V == a.nx ? FIELD_END_RIGHT : 0;
    is |= !a.periodic[1] && e.y0 + row == 0 ? FIELD_END_LOW : 0;
    is |= !a.periodic[1] && e.y0 + row == a.ny - 1 ? FIELD_END_HIGH : 0;
    return is;
}

/* The tile's own rows come first, so that all threads of a warp have the same role. */
template <int V, int LANES, int ROWS> __device__ static inline field_role
field_role_of(const phys_kernel_args &a, const field_extent &e, int thread)
{
    using shape        = field_shape<V, LANES, ROWS>;
    const int  other   = thread - shape::MAIN;
    const bool is_main = other < 0, is_right = other >= ROWS;
    const int  of_row = is_main ? thread / LANES : other % ROWS;
    const int  row    = of_row < ROWS ? of_row : of_row == ROWS ? -1 : e.rows;
    const int  lane   = is_main ? thread % LANES : is_right ? e.lanes : -1;
    field_role r;

    if (is_main)
        r.is = field_row_bits<V, ROWS>(a, e, of_row, row, lane);
    else if (other < shape::SIDE && row < e.rows)
        r.is = FIELD_READ | FIELD_AT_LEFT | FIELD_AT_RIGHT |
               (is_right ? FIELD_RIGHT_OF : FIELD_LEFT_OF);
    else
        r.is = 0;
    /* A thread without cells reads a place that is allowed. */
    r.column = r.is & FIELD_READ ? static_cast<unsigned>(field_place<V>(a, e, row, lane)) : 0;
    r.field  = r.is & FIELD_READ ? (row + 2) * shape::WIDTH + lane + 1 : shape::WIDTH + 1;
    r.flux   = r.is & FIELD_RING ? (row + 1) * LANES + lane : 0;
    r.side   = is_main ? row : other;
    return r;
}

/* A vector that is only staged: where in plane 0 it is in memory, and its place in the shared
 * plane. */
struct field_staged {
    const float *from; /* NULL: none */
    int          to;
};

template <int V, int LANES, int ROWS> __device__ static inline field_staged
field_staged_of(const phys_kernel_args &a, const field_extent &e, int thread)
{
    using shape        = field_shape<V, LANES, ROWS>;
    constexpr int EACH = 2 * LANES + 4;
    const int     c = thread / EACH, i = thread % EACH;
    const bool    is_corner = i >= 2 * LANES, is_above = is_corner ? i & 1 : i >= LANES;
    const int     lane    = !is_corner ? i % LANES : i & 2 ? e.lanes : -1;
    const int     outside = is_corner ? 1 : 2;
    const int     row     = is_above ? e.rows - 1 + outside : -outside;
    field_staged  s       = { NULL, 0 };

    if (c >= 4 || (!is_corner && lane >= e.lanes))
        return s;
    s.from = (c == 0 ? a.now[0] : a.now[1] + (c - 1) * a.cells) + field_place<V>(a, e, row, lane);
    s.to   = c * shape::FIELD + (row + 2) * shape::WIDTH + lane + 1;
    return s;
}

#endif
