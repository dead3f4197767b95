/* Launches of plain CUDA C++: the configuration that the next kernel takes, and the kernels that
 * are registered by name. */
#include "host/plain_launch.h"
#include "executor.h"

namespace
{
enum asked : unsigned char {
    NOTHING,
    LAUNCH,
    KEY
};
/* State of the OS thread that runs the launcher. */
thread_local asked                what      = NOTHING;
thread_local assay_launch_request next      = {};
thread_local const void          *found_key = nullptr;

assay_host_kernel_entry *first_kernel = nullptr;
} // namespace

void assay_host_set_configuration(const assay_launch_request *request)
{
    assay_worker *self = assay_worker_self;

    if (self && self->current)
        assay_host_trap("a launch from within a kernel (dynamic parallelism): the host device has "
                        "none",
                        request->file, request->line);
    next = *request;
    what = LAUNCH;
}

bool assay_host_take_configuration(assay_launch_request *request)
{
    const bool has_one = what == LAUNCH;

    what = NOTHING;
    if (has_one)
        *request = next;
    else
        assay_executor_refuse_call();
    return has_one;
}

bool assay_host_is_asked(const void *key)
{
    if (what != KEY)
        return false;
    what      = NOTHING;
    found_key = key;
    return true;
}

const void *assay_host_key_of(const void *kernel)
{
    found_key = nullptr;
    what      = KEY;
    reinterpret_cast<void (*)(void)>(const_cast<void *>(kernel))();
    return found_key;
}

void assay_host_make_known(assay_host_kernel_entry *entry)
{
    entry->next  = first_kernel;
    first_kernel = entry;
}

const assay_host_kernel_entry *assay_host_kernels(void) { return first_kernel; }
