/* Who is who in a block of the streaming kernel for the gradient with respect to the fields, and
 * what its shared memory holds.
 *
 * Threads: ROWS rows of the tile, of LANES vectors each; then the row above and the one below; then
 * the vectors left and right of each row, of which one cell is in the ring around the tile. Rows
 * two away and the corners are only read into shared memory, by the threads outside the tile. */
#ifndef ASSAY_FUSED_STREAM_PLACE_CUH
#define ASSAY_FUSED_STREAM_PLACE_CUH

#include "fused_field.cuh"

/* Vectors that a thread outside the tile copies to shared memory for others, at most. */
#define FIELD_STAGES 3

/* A vector that is only staged: from plane 0 of memory to a place of the shared plane. */
struct field_staged {
    const float *from; /* NULL: none */
    int          to;
    int          is_mirrored; /* beyond a zero_gradient end along x */
};

/* Shared memory of a block, in units of its arrays. The threads that one phase of a 16-byte access
 * serves are neighbours in a row and cover all banks: rows need no padding. */
template <int VECTOR, int LANE_COUNT, int ROW_COUNT> struct field_shape {
    static constexpr int V = VECTOR, LANES = LANE_COUNT, ROWS = ROW_COUNT;
    static constexpr int OWN     = ROWS * LANES;       /* threads with cells of the tile */
    static constexpr int MAIN    = (ROWS + 2) * LANES; /* threads of rows */
    static constexpr int THREADS = (MAIN + 2 * ROWS + 31) / 32 * 32;
    static constexpr int WIDTH   = LANES + 2; /* of a row: a vector each side */
    static constexpr int FIELD =
        (ROWS + 4) * WIDTH; /* vectors of a component: two rows each side */
    static constexpr int FLUX_Y =
        (ROWS + 2) * LANES;                     /* vectors of a component: one row each side */
    static constexpr int FLUX_X = ROWS * WIDTH; /* floats of a component, each way */
    static constexpr int STAGED = 4 * (2 * LANES + 4);
    static constexpr int OTHERS = THREADS - OWN; /* threads outside the tile */
    /* One plane, in vectors: fields and fluxes along y; then, in floats, fluxes along x both ways.
     */
    static constexpr int VECTORS = 4 * (FIELD + FLUX_Y);
    static constexpr int PLANE   = VECTORS * V + 2 * 4 * FLUX_X;
    static constexpr int PLANES  = 3; /* at work, above, and the one that is on its way */
    static constexpr int BYTES =
        PLANES * PLANE * 4 + FIELD_STAGES * OTHERS * static_cast<int>(sizeof(field_staged));
    static_assert(32 % LANES == 0 && OWN % 32 == 0 && MAIN % 32 == 0, "warps are of one kind");
    static_assert(PLANE % 4 == 0, "what follows is aligned");
    static_assert(STAGED <= FIELD_STAGES * OTHERS, "each of the others stages that many");
    static_assert(V >= 2, "the cell beside the tile has its outer neighbour in its own vector");
};

template <class SHAPE> using field_vector = phys_vector<SHAPE::V>;

/* What a thread is there for; the same for all threads of a warp. */
enum field_kind {
    FIELD_OWN,  /* cells of the tile */
    FIELD_ROW,  /* cells of the row above or below: what they send along y */
    FIELD_SIDE, /* the vector left or right of a row: what it sends along x */
};

enum {
    FIELD_READ      = 1, /* has cells to read */
    FIELD_SENDS     = 2, /* its fluxes are those of cells, not of a zero_gradient end */
    FIELD_END_LEFT  = 4, /* a zero_gradient end of the grid */
    FIELD_END_RIGHT = 8,
    FIELD_END_LOW   = 16,
    FIELD_END_HIGH  = 32,
    FIELD_END       = FIELD_END_LEFT | FIELD_END_RIGHT | FIELD_END_LOW | FIELD_END_HIGH
};

struct field_role {
    unsigned column; /* its vector, in a plane */
    int      field;  /* its place in the shared plane of fields, */
    int      flux_y; /* of fluxes along y */
    int      flux_x; /* and along x */
    unsigned is;     /* bits of the enumeration */
};

/* Where a tile is, and how much of it is grid. */
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

/* Place in a plane of the vector at a tile's row and lane, each up to two outside. Outside a
 * zero_gradient end along x it is the end's own vector. */
template <int V> __device__ static inline int64_t
field_place(const phys_kernel_args &a, const field_extent &e, int row, int lane)
{
    const int y = phys_source(e.y0 + row, a.ny, a.periodic[1]);
    const int x = phys_source(e.x0 / V + lane, a.nx / V, a.periodic[0]) * V;

    return static_cast<int64_t>(y) * a.nx + x;
}

/* The zero_gradient ends of the grid that the vector at a row and a lane is at. */
template <int V> __device__ static inline unsigned
field_ends(const phys_kernel_args &a, const field_extent &e, int row, int lane)
{
    const int y = e.y0 + row, x = e.x0 + lane * V;
    unsigned  is = 0;

    is |= !a.periodic[0] && x == 0 ? FIELD_END_LEFT : 0;
    is |= !a.periodic[0] && x + V == a.nx ? FIELD_END_RIGHT : 0;
    is |= !a.periodic[1] && y == 0 ? FIELD_END_LOW : 0;
    is |= !a.periodic[1] && y == a.ny - 1 ? FIELD_END_HIGH : 0;
    return is;
}

/* Is a lane, or a row, one outside the tile beyond such an end? */
template <int V> __device__ static inline bool field_is_beyond_x(const phys_kernel_args &a,
                                                                 const field_extent &e, int lane)
{
    const int x = e.x0 + lane * V;

    return !a.periodic[0] && (x < 0 || x >= a.nx);
}
__device__ static inline bool field_is_beyond_y(const phys_kernel_args &a, const field_extent &e,
                                                int row)
{
    const int y = e.y0 + row;

    return !a.periodic[1] && (y < 0 || y >= a.ny);
}

template <int LANES, int ROWS> __device__ static inline field_kind field_kind_of(int thread)
{
    return thread < ROWS * LANES ? FIELD_OWN : thread < (ROWS + 2) * LANES ? FIELD_ROW : FIELD_SIDE;
}

template <int V, int LANES, int ROWS> __device__ static inline field_role
field_role_of(const phys_kernel_args &a, const field_extent &e, int thread)
{
    using shape           = field_shape<V, LANES, ROWS>;
    const field_kind kind = field_kind_of<LANES, ROWS>(thread);
    const int        side = thread - shape::MAIN, of_row = thread / LANES;
    int              row = of_row, lane = thread % LANES;
    bool             is_there;
    field_role       r;

    if (kind == FIELD_ROW)
        row = of_row == ROWS ? -1 : e.rows;
    if (kind == FIELD_SIDE) {
        row  = side % ROWS;
        lane = side < ROWS ? -1 : e.lanes;
    }
    is_there = kind == FIELD_SIDE ? side < 2 * ROWS && row < e.rows
                                  : lane < e.lanes && (kind == FIELD_ROW || row < e.rows);
    r.is     = 0;
    if (is_there)
        r.is = FIELD_READ | field_ends<V>(a, e, row, lane) |
               (field_is_beyond_x<V>(a, e, lane) || field_is_beyond_y(a, e, row) ? 0 : FIELD_SENDS);
    /* A thread without cells looks where it may. */
    if (!is_there)
        row = lane = 0;
    r.column = is_there ? static_cast<unsigned>(field_place<V>(a, e, row, lane)) : 0;
    r.field  = (row + 2) * shape::WIDTH + lane + 1;
    r.flux_y = (row + 1) * LANES + max(lane, 0);
    r.flux_x = max(row, 0) * shape::WIDTH + lane + 1;
    return r;
}

/* The i-th one of a block. */
template <int V, int LANES, int ROWS> __device__ static inline field_staged
field_staged_of(const phys_kernel_args &a, const field_extent &e, int i)
{
    using shape        = field_shape<V, LANES, ROWS>;
    constexpr int EACH = 2 * LANES + 4;
    const int     c = i / EACH, of = i % EACH;
    const bool    is_corner = of >= 2 * LANES, is_above = is_corner ? of & 1 : of >= LANES;
    const int     lane    = !is_corner ? of % LANES : of & 2 ? e.lanes : -1;
    const int     outside = is_corner ? 1 : 2;
    const int     row     = is_above ? e.rows - 1 + outside : -outside;
    field_staged  s       = { NULL, 0, false };

    if (i < 0 || c >= 4 || (!is_corner && lane >= e.lanes))
        return s;
    s.from = (c == 0 ? a.now[0] : a.now[1] + (c - 1) * a.cells) + field_place<V>(a, e, row, lane);
    s.to   = c * shape::FIELD + (row + 2) * shape::WIDTH + lane + 1;
    s.is_mirrored = is_corner && field_is_beyond_x<V>(a, e, lane);
    return s;
}

#endif
