/* Status: did the harness work? What is true of a kernel is a verdict: see case.h. */
#ifndef ASSAY_STATUS_H
#define ASSAY_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text): one line per status; the enum and the texts come from this table. */
#define ASSAY_STATUS_MAP(X)                                                                        \
    X(OK, "ok")                                                                                    \
    X(E_USAGE, "wrong use")                                                                        \
    X(E_NOTHING, "nothing selected")                                                               \
    X(E_MEMORY, "out of host memory")                                                              \
    X(E_DEVICE_MEMORY, "out of device memory")                                                     \
    X(E_DEVICE, "device error")                                                                    \
    X(E_UNSUPPORTED, "not supported here")                                                         \
    X(E_DATABASE, "database error")                                                                \
    X(E_IO, "input or output error")                                                               \
    X(E_CASE, "a case is defined wrongly")                                                         \
    X(E_INTERNAL, "internal error")

typedef enum assay_status {
#define X(name, text) ASSAY_##name,
    ASSAY_STATUS_MAP(X)
#undef X
} assay_status;

/* The text of a status; "unknown status" for a value outside the table. */
const char *assay_status_text(assay_status status);

/* Records a failure of this thread and returns `status`. Only the first failure since the last
 * assay_status_reset is kept: it is the cause of the later ones. */
assay_status assay_fail(assay_status status, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The sentence that this thread recorded, and the "file:line" of its failure. Both are "" if there
 * is none, never NULL, and valid until the thread records or resets. */
const char *assay_status_message(void);
const char *assay_status_where(void);
void        assay_status_reset(void);

/* Records a failure with a sentence: return ASSAY_FAIL(ASSAY_E_IO, "cannot read %s", path); */
#define ASSAY_FAIL(status, ...) assay_fail((status), __FILE__, __LINE__, __VA_ARGS__)

/* For a function with a variable `assay_status st` and a label `out:`. Evaluates expr; if it fails,
 * records that and goes to `out`.
 */
#define ASSAY_CHECK(expr)                                                                          \
    do {                                                                                           \
        st = (expr);                                                                               \
        if (st != ASSAY_OK) {                                                                      \
            (void)assay_fail(st, __FILE__, __LINE__, "%s", #expr);                                 \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

/* The same for a condition: unless it holds, records a sentence and goes to `out` with `status` in
 * st. */
#define ASSAY_REQUIRE(condition, status, ...)                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            st = assay_fail((status), __FILE__, __LINE__, __VA_ARGS__);                            \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

/* Checks an invariant of the harness itself: prints and aborts if it does not hold. */
#define ASSAY_ASSERT(condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            assay_abort(__FILE__, __LINE__, #condition);                                           \
    } while (0)
__attribute__((noreturn)) void assay_abort(const char *file, int line, const char *what);

#ifdef __cplusplus
}
#endif
#endif
