/* assert. In a kernel a false condition ends the launch and is reported, as on a GPU; in host code
 * it ends the program. It may be included several times, like the C library's header. */
#include_next <assert.h>
#if defined(ASSAY_TRANSLATED) && !defined(NDEBUG)
#undef assert
#define assert(condition)                                                                          \
    ((condition) ? static_cast<void>(0)                                                            \
                 : assay_host_failed_assertion(#condition, __FILE__, __LINE__))
#endif
