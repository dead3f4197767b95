/* assert of a kernel ends the launch with its condition, as on a GPU; of host code, the program.
 * May be included several times, as the C library's. */
#include_next <assert.h>
#if defined(ASSAY_TRANSLATED) && !defined(NDEBUG)
#undef assert
#define assert(condition)                                                                          \
    ((condition) ? static_cast<void>(0)                                                            \
                 : assay_host_failed_assertion(#condition, __FILE__, __LINE__))
#endif
