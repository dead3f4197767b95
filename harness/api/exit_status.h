/* Exit statuses of the program: the result of a whole command. Whether the harness worked is a
 * status: see status.h. What is true of one kernel is a verdict: see case.h. */
#ifndef ASSAY_EXIT_STATUS_H
#define ASSAY_EXIT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, number, words): the worst first. If several apply, the first one here is the result. */
#define ASSAY_EXIT_MAP(X)                                                                          \
    X(WRONG, 2, "a kernel is wrong, or a clock is")                                                \
    X(USAGE, 4, "wrong use, nothing selected, or something could not be run or judged")            \
    X(REGRESSION, 1, "slower than what it was held against")                                       \
    X(CANNOT_TELL, 3, "compared or measured, without a verdict")                                   \
    X(SKIPPED, 77, "all that was selected was skipped, each with a reason")                        \
    X(PASS, 0, "at least one check ran, and all passed; or what was asked for is done")

enum {
#define X(name, number, words) ASSAY_EXIT_##name = (number),
    ASSAY_EXIT_MAP(X)
#undef X
};

/* Returns the worse of two exit statuses, by the order above. A number outside the table counts as
 * ASSAY_EXIT_USAGE. */
int assay_exit_worse(int a, int b);

#ifdef __cplusplus
}
#endif
#endif
