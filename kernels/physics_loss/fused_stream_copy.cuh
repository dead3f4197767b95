/* How fields come to a block of the streaming kernel for the gradient with respect to the fields:
 * the planes of shared memory, and copies to them that are under way while others are worked on. */
#ifndef ASSAY_FUSED_STREAM_COPY_CUH
#define ASSAY_FUSED_STREAM_COPY_CUH

#include "fused_stream_place.cuh"

/* A plane of shared memory. */
template <class SHAPE> struct field_shared {
    field_vector<SHAPE> *field;
    field_vector<SHAPE> *flux_y;
    float               *to_right; /* fluxes along x: what the last cell of a vector sends, */
    float               *to_left;  /* and the first one */

    __device__ field_shared(float *plane)
    {
        field    = reinterpret_cast<field_vector<SHAPE> *>(plane);
        flux_y   = field + 4 * SHAPE::FIELD;
        to_right = plane + SHAPE::VECTORS * SHAPE::V;
        to_left  = to_right + 4 * SHAPE::FLUX_X;
    }
};

/* What a thread holds from plane to plane. */
template <class SHAPE> struct field_cells {
    field_vector<SHAPE> plane[3][4];         /* t1: below, at work and above, in turn */
    field_vector<SHAPE> before[4], after[4]; /* t0; t2 with central time only */
    field_vector<SHAPE> sum[4];  /* gradient of the plane below, but for what comes from above it */
    field_vector<SHAPE> sent[4]; /* flux along z of the plane below */
};

/* The offset, in elements, of the plane that plane z, at most two outside the grid, stands for. It
 * is worked out wherever it is wanted: that takes no register from plane to plane. */
__device__ static inline int64_t field_offset(const phys_kernel_args &a, int z)
{
    const int over = a.periodic[2] ? a.nz : z - a.nz + 1;

#pragma unroll
    for (int i = 0; i < 2; i++) /* twice round a grid of one plane */
        z -= z >= a.nz ? over : 0;
    return z * (static_cast<int64_t>(a.nx) * a.ny);
}

/* A plane's offset is the same for all threads, and a thread's cells are at the same place of each
 * plane. */
template <int V> __device__ static inline void field_load(const phys_kernel_args &a, int64_t plane,
                                                          unsigned column, phys_vector<V> to[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
        to[c] = phys_load<V>(a.now[c], plane + column);
}

/* Values that the plane at work needs once: t0, and t2 with central time. */
template <bool CENTRAL, class SHAPE>
__device__ static inline void field_load_once(const phys_kernel_args &a, int64_t plane,
                                              unsigned column, field_cells<SHAPE> *cells)
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cells->before[c] = phys_load_once<SHAPE::V>(a.before[c], plane + column);
        if (CENTRAL)
            cells->after[c] = phys_load_once<SHAPE::V>(a.after[c], plane + column);
    }
}

/* What does not change while a block marches. */
template <class SHAPE> struct field_block {
    float     *memory; /* SHAPE::PLANES planes */
    field_kind kind;
    field_role role;
    /* Of a thread outside the tile the first of what it stages, in shared memory: there are no
     * registers to spare. The others lie field_shape::OTHERS apart. */
    field_staged *staged;
    phys_range    range;
};

template <class SHAPE>
__device__ static inline float *field_memory(const field_block<SHAPE> &b, int phase)
{
    return b.memory + phase % SHAPE::PLANES * SHAPE::PLANE;
}

/* Starts copying floats of global memory to shared memory. */
template <int COUNT> __device__ static inline void field_copy(float *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "n"(4 * COUNT)
                 : "memory");
}

/* All copies that this thread has started so far are one group. */
__device__ static inline void field_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until at most PENDING groups of this thread are on their way. */
template <int PENDING> __device__ static inline void field_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/* A vector beyond a zero_gradient end along x is the end's own one, mirrored: its cell beside the
 * tile is the end cell. */
template <int V>
__device__ static inline void field_copy_mirrored(float *to, const float *from, bool is_mirrored)
{
#pragma unroll
    for (int v = 0; v < V; v++)
        field_copy<1>(to + v, from + (is_mirrored ? V - 1 - v : v));
}

/* Starts bringing a plane of fields to shared memory: a thread's own vectors, and those that it
 * stages for others. */
template <field_kind KIND, class SHAPE> __device__ static inline void
field_fetch(const phys_kernel_args &a, const field_block<SHAPE> &b, int64_t plane, float *to)
{
    constexpr int V = SHAPE::V;

    if (b.role.is & FIELD_READ)
#pragma unroll
        for (int c = 0; c < 4; c++) {
            const float *from  = a.now[c] + (plane + b.role.column);
            float       *place = to + (c * SHAPE::FIELD + b.role.field) * V;

            if (KIND == FIELD_SIDE)
                field_copy_mirrored<V>(place, from, !(b.role.is & FIELD_SENDS));
            else
                field_copy<V>(place, from);
        }
    if (KIND != FIELD_OWN)
#pragma unroll
        for (int i = 0; i < FIELD_STAGES; i++) {
            const field_staged staged = b.staged[i * SHAPE::OTHERS];

            if (staged.from != NULL)
                field_copy_mirrored<V>(to + staged.to * V, staged.from + plane, staged.is_mirrored);
        }
    field_commit();
}

#endif
