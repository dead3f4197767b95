/* Addresses of shared memory in 32 bits, and which memory an address lies in. */
#include "host/address_space.h"

#include "executor.h"

namespace
{
/* The first bits of such an address. A pointer that was cut to 32 bits does not have them. */
const uint32_t ADDRESS_TAG = 0x5a000000;
} // namespace

static assay_thread *running_thread(const char *file, int line)
{
    assay_worker *worker = assay_worker_self;

    if (!worker || !worker->current)
        assay_abort(file, line, "an address of shared memory outside a kernel");
    return worker->current;
}

/* Finds the array that holds this byte or ends right before it; NULL if there is none. */
static const assay_shared_entry *find_array(const assay_thread *thread, const char *p)
{
    for (const assay_shared_entry &entry : thread->block->shared.entries)
        if (p >= entry.data && p <= entry.data + entry.bytes)
            return &entry;
    return nullptr;
}

uint32_t assay_host_shared_address(const void *p, const char *file, int line)
{
    assay_thread             *thread = running_thread(file, line);
    const char               *at     = static_cast<const char *>(p);
    const assay_shared_entry *entry  = find_array(thread, at);

    if (!entry)
        assay_fault_stop(thread, ASSAY_FAULT_ADDRESS, "%p at %s is no address of shared memory", p,
                         assay_site_text({ file, line }).text);
    return ADDRESS_TAG |
           static_cast<uint32_t>(entry->start + static_cast<size_t>(at - entry->data));
}

void *assay_host_shared_pointer(uint32_t address, const char *file, int line)
{
    assay_thread *thread = running_thread(file, line);
    const size_t  place  = address ^ ADDRESS_TAG;

    for (const assay_shared_entry &entry : thread->block->shared.entries)
        if (place >= entry.start && place <= entry.start + entry.bytes)
            return entry.data + (place - entry.start);
    assay_fault_stop(thread, ASSAY_FAULT_ADDRESS,
                     "0x%08x at %s is an address of no shared array of this block", address,
                     assay_site_text({ file, line }).text);
}

bool assay_host_is_shared(const void *p)
{
    const assay_worker       *worker = assay_worker_self;
    const assay_shared_entry *entry =
        worker && worker->current ? find_array(worker->current, static_cast<const char *>(p))
                                  : nullptr;

    return entry && p != entry->data + entry->bytes;
}

bool assay_host_is_local(const void *p)
{
    const assay_worker *worker = assay_worker_self;

    return worker && worker->current && assay_fiber_holds(worker->current->fiber, p);
}
