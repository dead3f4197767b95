/* Misaligned accesses of kernels. A CPU reads a float4 from any address and a GPU does not, so
 * kernels are compiled with -fsanitize=alignment if no other sanitizer is used. The functions that
 * the compiler then calls are here, so that no sanitizer's runtime is needed. In the lane of
 * AddressSanitizer UBSan's own runtime reports. */
#include "executor.h"

#ifndef ASSAY_ASAN

namespace
{
/* The data that compilers pass: clang's compiler-rt, ubsan_value.h and ubsan_handlers.h; gcc's are
 * the same. */
struct ubsan_site {
    const char *file;
    uint32_t    line, column;
};
struct type_name {
    uint16_t kind, info;
    char     text[1]; /* in quotes */
};
struct mismatch {
    ubsan_site       site;
    const type_name *type;
    unsigned char    log_alignment, access;
};
struct assumption {
    ubsan_site       site, assumed_at;
    const type_name *type;
};
const unsigned char IS_STORE = 1;
} // namespace

/* Runs on the stack of the thread that is about to access. Host code of a launcher may do what the
 * CPU allows. */
static void stop(const ubsan_site &site, const void *address, size_t alignment, const char *doing,
                 const char *type)
{
    const assay_worker *worker = assay_worker_self;

    if (!worker || !worker->current)
        return;
    assay_fault_stop(worker->current, ASSAY_FAULT_ADDRESS,
                     "misaligned address %p: %s %s, which needs %zu bytes of alignment, at %s, "
                     "thread %u; a GPU refuses it",
                     address, doing, type, alignment,
                     assay_site_text({ site.file, static_cast<int>(site.line) }).text,
                     worker->current->rank);
}

extern "C" {
__attribute__((visibility("hidden"))) void __ubsan_handle_type_mismatch_v1(const mismatch *m,
                                                                           const void     *address);
__attribute__((visibility("hidden"))) void __ubsan_handle_alignment_assumption(const assumption *a,
                                                                               const void *address,
                                                                               size_t alignment,
                                                                               size_t offset);
}

void __ubsan_handle_type_mismatch_v1(const mismatch *m, const void *address)
{
    stop(m->site, address, size_t { 1 } << m->log_alignment,
         m->access == IS_STORE ? "a store of" : "a load of", m->type->text);
}

void __ubsan_handle_alignment_assumption(const assumption *a, const void *address, size_t alignment,
                                         size_t)
{
    stop(a->site, address, alignment, "assumed of", a->type->text);
}

#endif
