/* What the tools of compute-sanitizer take for a fault in a kernel that is right. A part of case.h.
 */
#ifndef ASSAY_CASE_SANITIZER_H
#define ASSAY_CASE_SANITIZER_H

/* X(name, text): the tools of compute-sanitizer. */
#define ASSAY_GPU_TOOL_MAP(X)                                                                      \
    X(NONE, "")                                                                                    \
    X(MEMCHECK, "memcheck")   /* accesses outside of allocations, or misaligned */                 \
    X(RACECHECK, "racecheck") /* accesses to shared memory that nothing orders */                  \
    X(INITCHECK, "initcheck") /* reads of global memory that nobody has written */                 \
    X(SYNCCHECK, "synccheck") /* barriers that are used as CUDA does not define */

typedef enum assay_gpu_tool {
#define X(name, text) ASSAY_GPU_TOOL_##name,
    ASSAY_GPU_TOOL_MAP(X)
#undef X
    ASSAY_N_GPU_TOOLS
} assay_gpu_tool;
const char *assay_gpu_tool_text(assay_gpu_tool tool);

enum {
    ASSAY_MAX_PLACE = 120 /* characters of a place below */
};

/* A suppression: a correct idiom that a tool reports as a fault. If the tool watched the variant
 * and reported nothing of the kind, the run says so and fails. */
typedef struct assay_unseen {
    const char    *variant; /* NULL ends the list */
    assay_gpu_tool tool;
    /* In each access of the reports that it is for: a function or a file, or several, ", " between
     * two. Where a function was inlined into a kernel, reports name the function. NULL: the tool
     * cannot watch this variant at all, and its points are UNSUPPORTED under it. */
    const char *place;
    const char *reason;
} assay_unseen;

#endif
