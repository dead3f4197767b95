/* What the tables of physarum and physarum_run share: axes, and variants with the same
 * launchers. */
#ifndef PHYSARUM_VARIANTS_H
#define PHYSARUM_VARIANTS_H

#include "physarum_bytes.h"
#include "physarum_shape.h"

#include "../../kernels/physarum/physarum_case.h"

assay_launch_fn physarum_cpu_omp; /* kernels/physarum/cpu_omp.c */

#define PHYSARUM_AXIS_SEMANTICS                                                                    \
    ASSAY_AXIS("semantics", ASSAY_AXIS_TEXT, ASSAY_WORD(PHYSARUM_CANONICAL, "canonical"),          \
               ASSAY_WORD(PHYSARUM_TORCH, "torch"), ASSAY_WORD(PHYSARUM_TRITON, "triton"))
#define PHYSARUM_REAL_GRIDS                                                                        \
    ASSAY_FGRID(256, 256, 1), ASSAY_FGRID(512, 512, 1), ASSAY_FGRID(1024, 1024, 1),                \
        ASSAY_FGRID(2048, 2048, 1), ASSAY_FGRID(4096, 4096, 1), ASSAY_FGRID(8192, 8192, 1)
#define PHYSARUM_REAL_AGENTS                                                                       \
    ASSAY_F(100), ASSAY_F(10000), ASSAY_F(1 << 16), ASSAY_F(1 << 18), ASSAY_F(1 << 20),            \
        ASSAY_F(1 << 22), ASSAY_F(1 << 24), ASSAY_F(1 << 26)

/* Threads of a block of agents; rows of the field that a warp updates. */
#define PHYSARUM_BLOCK ASSAY_TUNING("block", 256, 128, 512)
#define PHYSARUM_ROWS  ASSAY_TUNING("rows", 2, 1, 4)

/* Rows without their names. */
#define PHYSARUM_CPU_OMP                                                                           \
    .cpu = physarum_cpu_omp, .flags = ASSAY_THREADED, .bytes_moved = physarum_cpu_omp_bytes
#define PHYSARUM_OPS                                                                               \
    .launch = "physarum_ops", .workspace = "physarum_ops_workspace",                               \
    .sections = physarum_sections, .unsupported = physarum_torch_alone,                            \
    .flags = ASSAY_DETERMINISTIC, .bytes_moved = physarum_ops_bytes
#define PHYSARUM_TWO_KERNEL                                                                        \
    .launch = "physarum_two_kernel", .workspace = "physarum_two_kernel_workspace",                 \
    .tuning = { PHYSARUM_BLOCK }, .sections = physarum_sections,                                   \
    .unsupported = physarum_not_torch, .flags = ASSAY_DETERMINISTIC,                               \
    .bytes_moved = physarum_two_kernel_bytes
/* For every way to launch them, in any semantics. */
#define PHYSARUM_FUSED_STEPS                                                                       \
    .workspace = "physarum_fused_workspace", .tuning = { PHYSARUM_BLOCK, PHYSARUM_ROWS },          \
    .sections = physarum_sections, .flags = ASSAY_DETERMINISTIC,                                   \
    .bytes_moved = physarum_fused_bytes
#define PHYSARUM_FUSED                                                                             \
    .launch = "physarum_fused", .baseline = "two_kernel", .unsupported = physarum_not_torch,       \
    PHYSARUM_FUSED_STEPS
#define PHYSARUM_FUSED_TORCH                                                                       \
    .launch = "physarum_fused", .baseline = "ops", .unsupported = physarum_torch_alone,            \
    PHYSARUM_FUSED_STEPS
/* In calls of many steps. */
#define PHYSARUM_FUSED_GRAPH                                                                       \
    PHYSARUM_FUSED_STEPS, .launch = "physarum_fused_graph", .setup = "physarum_fused_graph_setup", \
                          .teardown = "physarum_fused_graph_teardown", .baseline = "fused",        \
                          .gpu_only = "CUDA graph"
#define PHYSARUM_TILE_AND_EVERY                                                                    \
    ASSAY_TUNING("tile", 1, 4), ASSAY_TUNING("every", PHYSARUM_SORT_EVERY, 64)
#define PHYSARUM_FUSED_SORTED                                                                      \
    .launch = "physarum_fused_sorted", .sections = physarum_sections,                              \
    .workspace = "physarum_fused_sorted_workspace", .baseline = "fused",                           \
    .tuning      = { PHYSARUM_BLOCK, ASSAY_TUNING("rows", 1, 2, 4), PHYSARUM_TILE_AND_EVERY },     \
    .unsupported = physarum_sorted_limits, .bytes_moved = physarum_sorted_bytes
#define PHYSARUM_FUSED_RESIDENT                                                                    \
    .launch = "physarum_fused_resident", .setup = "physarum_fused_resident_setup",                 \
    .sections = physarum_sections, .workspace = "physarum_fused_resident_workspace",               \
    .baseline    = "fused_sorted",                                                                 \
    .tuning      = { ASSAY_TUNING("block", 512, 256, 1024), ASSAY_TUNING("per_sm", 2, 1),          \
                     PHYSARUM_TILE_AND_EVERY },                                                    \
    .unsupported = physarum_sorted_limits, .bytes_moved = physarum_resident_bytes
#define PHYSARUM_PEER_OF_TORCH(way)                                                                \
    .peer = { "physarum.py", (way) }, .baseline = "ops", .sections = physarum_sections,            \
    .unsupported = physarum_torch_alone
#define PHYSARUM_PEER_OF_TRITON                                                                    \
    .peer = { "physarum.py", "triton" }, .baseline = "two_kernel", .sections = physarum_sections,  \
    .unsupported = physarum_triton_alone

/* All rows of a case whose calls make several steps. */
#define PHYSARUM_CALL_VARIANTS                                                                     \
    { .name = "cpu_ref", .cpu = physarum_run_cpu_ref, .flags = ASSAY_IS_REFERENCE },               \
        { .name = "cpu_omp", PHYSARUM_CPU_OMP }, { .name = "ops", PHYSARUM_OPS },                  \
        { .name = "two_kernel", PHYSARUM_TWO_KERNEL }, { .name = "fused", PHYSARUM_FUSED },        \
        { .name = "fused_torch", PHYSARUM_FUSED_TORCH },                                           \
        { .name = "fused_graph", PHYSARUM_FUSED_GRAPH },                                           \
        { .name = "fused_sorted", PHYSARUM_FUSED_SORTED },                                         \
        { .name = "fused_resident", PHYSARUM_FUSED_RESIDENT },                                     \
        { .name = "torch_eager", PHYSARUM_PEER_OF_TORCH("eager") },                                \
        { .name = "torch_compile", PHYSARUM_PEER_OF_TORCH("compile") },                            \
    {                                                                                              \
        .name = "triton", PHYSARUM_PEER_OF_TRITON                                                  \
    }

#endif
