/* Kernels that a case declares: those that the module's files have registered, and their launch. */
#include "executor.h"
#include "host/plain_launch.h"

bool assay_host_device_kernel(int i, assay_kernel_entry *entry)
{
    const assay_host_kernel_entry *kernel = assay_host_kernels();

    for (; kernel && i > 0; i--)
        kernel = kernel->next;
    if (!kernel)
        return false;
    *entry = { kernel->name, kernel->type, kernel };
    return true;
}

static void launch_planned(const assay_planned_kernel &k, const assay_args *args,
                           assay_stream stream)
{
    const auto          *entry = static_cast<const assay_host_kernel_entry *>(k.kernel);
    void                *address[ASSAY_MAX_KERNEL_PARAMETERS];
    const void          *value[ASSAY_MAX_KERNEL_PARAMETERS];
    assay_launch_request request =
        assay_host_request(k.name, "(as declared)", 0, dim3(k.grid[0], k.grid[1], k.grid[2]),
                           dim3(k.block[0], k.block[1], k.block[2]), k.shared_bytes, stream);

    for (int i = 0; i < k.n_arguments; i++) {
        address[i] = k.argument[i].buffer >= 0 ? args->buf[k.argument[i].buffer] : nullptr;
        value[i]   = k.argument[i].buffer >= 0 ? static_cast<const void *>(&address[i])
                                               : k.argument[i].bytes;
    }
    request.is_co_resident = k.is_co_resident;
    request.allows_shared  = true;
    assay_host_set_configuration(&request);
    entry->call(entry->kernel,
                const_cast<void *const *>(reinterpret_cast<const void *const *>(value)));
}

int assay_host_launch_plan(const assay_args *args, assay_stream stream)
{
    for (int i = 0; i < args->plan->n; i++)
        launch_planned(args->plan->kernel[i], args, stream);
    return assay_host_launch_status();
}
