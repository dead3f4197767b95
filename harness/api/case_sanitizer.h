/* Suppressions: what the tools of compute-sanitizer report although the kernel is right. Part of
 * case.h.
 */
#ifndef ASSAY_CASE_SANITIZER_H
#define ASSAY_CASE_SANITIZER_H

/* X(name, text): the tools of compute-sanitizer. */
#define ASSAY_GPU_TOOL_MAP(X)                                                                      \
    X(NONE, "")                                                                                    \
    X(MEMCHECK, "memcheck")   /* accesses that are misaligned or outside of allocations */         \
    X(RACECHECK, "racecheck") /* accesses to shared memory that nothing orders */                  \
    X(INITCHECK, "initcheck") /* reads of global memory that was never written */                  \
    X(SYNCCHECK, "synccheck") /* uses of barriers that CUDA does not define */

typedef enum assay_gpu_tool {
#define X(name, text) ASSAY_GPU_TOOL_##name,
    ASSAY_GPU_TOOL_MAP(X)
#undef X
    ASSAY_N_GPU_TOOLS
} assay_gpu_tool;
const char *assay_gpu_tool_text(assay_gpu_tool tool);

enum {
    ASSAY_MAX_PLACE       = 120, /* bytes of the text of .place, */
    ASSAY_MAX_PLACE_FIRST = 50   /* and of its first function or file */
};

/* A suppression of reports on code that is right. If the tool watched the variant and reported
 * nothing that it is for, the suppression is out of date: the run says so and fails. */
typedef struct assay_unseen {
    const char    *variant; /* NULL ends the list */
    assay_gpu_tool tool;
    /* Functions or files, separated by ", ". It is for reports of which each access is in one of
     * them. Reports name a function even if it was inlined into a kernel. NULL: the tool cannot
     * watch this variant at all, and its points are UNSUPPORTED under the tool. The store names a
     * row by its first one: rows of one variant and tool begin with different ones. */
    const char *place;
    const char *reason;
} assay_unseen;

#endif
