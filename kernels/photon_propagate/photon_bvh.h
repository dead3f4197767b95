/* A mesh prepared for tracing: a tree of boxes, and triangles in the order of its leaves. */
#ifndef PHOTON_BVH_H
#define PHOTON_BVH_H

#include "photon_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PHOTON_LEAF_MOST  = 4,  /* triangles of a leaf */
    PHOTON_TREE_DEPTH = 40, /* the most levels: what the stack of a traversal must hold */
};

/* How much larger boxes are than their contents, relative to the largest coordinate: a margin for
 * the rounding errors of tracing in single precision. photon_ray (photon_trace.h) derives it. */
#define PHOTON_BOX_PAD 0x1p-16f

/* 32 bytes. An inner node has count 0 and its children at `first` and `first + 1`, in one line of
 * 64 bytes. A leaf has triangles first to first + count - 1. The root is node 0. Node 1 is not a
 * node: its count says how many are in use. Nodes are stored level by level, so that the first k
 * are the top of the tree. */
typedef struct photon_node {
    float    low[3];
    uint32_t first;
    float    high[3];
    uint32_t count;
} photon_node;

/* 48 bytes: corner k, followed by component k of the unit normal. */
typedef struct photon_triangle {
    struct {
        float at[3], normal;
    } corner[3];
} photon_triangle;

/* Owns its arrays; starts as zeros. */
typedef struct photon_geometry {
    int64_t          n_nodes, n_triangles, n_sensors;
    photon_node     *node;
    photon_triangle *triangle;
    photon_face     *face; /* of each triangle */
} photon_geometry;

/* The most nodes that a tree of this many triangles can have, to allocate. */
static inline int64_t photon_geometry_nodes_most(int64_t n_triangles)
{
    return 2 * n_triangles + 1;
}

/* Checks the mesh and builds the tree; the caller frees. If it does not return PHOTON_OK the
 * geometry is empty. */
photon_status photon_geometry_build(const photon_mesh *mesh, photon_geometry *geometry,
                                    char reason[PHOTON_REASON_SIZE]);
/* Accepts NULL. */
void photon_geometry_free(photon_geometry *geometry);

#ifdef __cplusplus
}
#endif

#endif
