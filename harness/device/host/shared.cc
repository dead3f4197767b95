/* Shared memory of a block: one array for each __shared__ variable, of its exact size. It is filled
 * with what its launch says (NaN first, then large or small values). The gaps between arrays must
 * stay untouched: AddressSanitizer watches them, other builds check them when the block ends. Under
 * ThreadSanitizer every array is allocated for each block, since reusing memory for the next block
 * would look like a race. Its place in the arena then only gives its address of 32 bits. */
#include "case.h"
#include "executor.h"

#include <algorithm>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace
{
const size_t GAP_MIN = 128, GAP_MAX = 4096;
/* The most memory that a block may have, with gaps. */
const size_t ARENA_BYTES = size_t { 2 } << 20;
const char   DYNAMIC_KEY = 0;
} // namespace

/* The content of memory before a thread writes it: these two bytes repeated. A maximum ignores NaN,
 * so launches alternate between large and small values, both as floating-point numbers and as
 * integers. */
static uint16_t fill_of(const assay_block *block)
{
    switch (block->launch->schedule.order) {
    case ASSAY_ASCENDING:
        return ASSAY_SHARED_NAN;
    case ASSAY_DESCENDING:
        return 0x7f7f;
    case ASSAY_SHUFFLED:
    case ASSAY_UNFAIR:
        break;
    }
    return block->number % 2 == 0 ? 0xfefe : 0x8080;
}

/* `memory` is at an even address. */
static void fill(const assay_block *block, char *memory, size_t bytes)
{
    const uint16_t pair = fill_of(block);

    /* ThreadSanitizer sees this by the call of memset, since the executor is not instrumented. */
    memset(memory, pair & 0xff, bytes);
    for (size_t i = 1; i < bytes && pair >> 8 != (pair & 0xff); i += 2)
        memory[i] = static_cast<char>(pair >> 8);
}

static size_t round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

static bool map_arena(assay_shared *shared)
{
    void *memory;

    if (shared->memory)
        return true;
    memory = mmap(nullptr, ARENA_BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    shared->memory = static_cast<char *>(memory);
    assay_asan_poison(shared->memory, ARENA_BYTES);
    return true;
}

/* Finds the place of an array: [gap] array [gap]. False if there is no room left. */
static bool find_place(const assay_shared *shared, assay_shared_entry *entry, size_t alignment)
{
    const size_t gap   = std::min(std::max(entry->bytes, GAP_MIN), GAP_MAX);
    const size_t start = round_up(shared->used + gap, std::max(alignment, size_t { 16 }));
    const size_t end   = round_up(start + entry->bytes, 16) + gap;

    entry->start     = start;
    entry->gap_bytes = end - start - entry->bytes;
    return end <= ARENA_BYTES;
}

static char *take_arena(assay_block *block, const assay_shared_entry &entry)
{
    assay_shared *shared = &block->shared;
    const size_t  after = entry.start + entry.bytes, end = after + entry.gap_bytes;

    if (!map_arena(shared))
        return nullptr;
    assay_asan_unpoison(shared->memory + shared->used, end - shared->used);
    fill(block, shared->memory + shared->used, end - shared->used);
    assay_asan_poison(shared->memory + shared->used, entry.start - shared->used);
    assay_asan_poison(shared->memory + after, entry.gap_bytes);
    return shared->memory + entry.start;
}

/* Under ThreadSanitizer: allocates for an array of this block alone. One byte more keeps the end of
 * an array from being the beginning of another. */
static char *take_heap(assay_block *block, size_t bytes, size_t alignment)
{
    void *memory = nullptr;

    if (posix_memalign(&memory, std::max(alignment, size_t { 16 }), bytes + 1) != 0)
        return nullptr;
    fill(block, static_cast<char *>(memory), bytes);
    assay_tsan_release(&block->objects->shared);
    return static_cast<char *>(memory);
}

/* Only the limit of dynamic memory can be raised. With it, static and dynamic memory together may
 * have the most that a block can have. */
static void check_size(assay_thread *thread, size_t dynamic_bytes)
{
    const assay_shared &shared = thread->block->shared;
    const size_t        limit  = thread->block->launch->is_shared_raised
                                     ? size_t { ASSAY_DYNAMIC_SHARED_MAX }
                                     : size_t { ASSAY_STATIC_SHARED_MAX };

    if (shared.static_bytes > ASSAY_STATIC_SHARED_MAX)
        assay_fault_stop(thread, ASSAY_FAULT_LAUNCH,
                         "%zu bytes of static shared memory at %s: a kernel may have %u",
                         shared.static_bytes, assay_site_text(thread->site).text,
                         ASSAY_STATIC_SHARED_MAX);
    if (shared.static_bytes + dynamic_bytes > limit)
        assay_fault_stop(thread, ASSAY_FAULT_LAUNCH,
                         "%zu bytes of static and %zu of dynamic shared memory at %s: this kernel "
                         "may have %zu (see cudaFuncSetAttribute)",
                         shared.static_bytes, dynamic_bytes, assay_site_text(thread->site).text,
                         limit);
}

/* Allocates in the home context, so that no thread of the block is ordered before another. */
static char *allocate(assay_block *block, assay_shared_entry *entry, size_t alignment)
{
    void *self = assay_tsan_current();

    assay_tsan_switch(block->worker->home.tsan_context);
    if (find_place(&block->shared, entry, alignment))
        entry->data =
            block->objects ? take_heap(block, entry->bytes, alignment) : take_arena(block, *entry);
    if (entry->data) {
        block->shared.used = entry->start + entry->bytes + entry->gap_bytes;
        block->shared.entries.push_back(*entry);
    }
    assay_tsan_switch(self);
    return entry->data;
}

static char *add_entry(assay_thread *thread, const assay_shared_entry &wanted, size_t alignment)
{
    assay_block       *block = thread->block;
    assay_shared_entry entry = wanted;

    if (entry.key != &DYNAMIC_KEY)
        block->shared.static_bytes += entry.bytes;
    check_size(thread, block->launch->request->dynamic_bytes);
    if (!allocate(block, &entry, alignment))
        assay_fault_stop(thread, ASSAY_FAULT_MEMORY, "no memory for the shared array %s at %s",
                         entry.name, assay_site_text(entry.site).text);
    return entry.data;
}

static void *find_or_add(const assay_shared_entry &wanted, size_t alignment)
{
    assay_worker *worker = assay_worker_self;
    assay_thread *thread = worker ? worker->current : nullptr;
    char         *data   = nullptr;

    if (!thread)
        assay_abort(wanted.site.file, wanted.site.line, "shared memory outside a kernel");
    for (const assay_shared_entry &entry : thread->block->shared.entries) {
        if (entry.key != wanted.key)
            continue;
        if (entry.bytes != wanted.bytes)
            assay_fault_stop(thread, ASSAY_FAULT_OTHER,
                             "shared array %s at %s has %zu bytes in one thread, %zu in another",
                             wanted.name, assay_site_text(wanted.site).text, entry.bytes,
                             wanted.bytes);
        data = entry.data;
        break;
    }
    if (!data) {
        thread->site = wanted.site;
        data         = add_entry(thread, wanted, alignment);
    }
    if (thread->block->objects)
        assay_tsan_acquire(&thread->block->objects->shared);
    return data;
}

void *assay_host_shared_array(const void *key, size_t bytes, size_t alignment, const char *name,
                              const char *file, int line)
{
    return find_or_add({ key, nullptr, bytes, 0, 0, name, { file, line } }, alignment);
}

void *assay_host_shared_dynamic(const char *file, int line)
{
    const assay_worker *worker = assay_worker_self;
    const size_t bytes = worker && worker->launch ? worker->launch->request->dynamic_bytes : 0;

    return find_or_add({ &DYNAMIC_KEY, nullptr, bytes, 0, 0, "(dynamic)", { file, line } }, 16);
}

const assay_shared_entry *assay_shared_find(const assay_block *block, const void *p, size_t bytes)
{
    const char *first = static_cast<const char *>(p);

    for (const assay_shared_entry &entry : block->shared.entries)
        if (first >= entry.data && first < entry.data + entry.bytes)
            return first + bytes <= entry.data + entry.bytes ? &entry : nullptr;
    return nullptr;
}

void assay_shared_begin(assay_block *block)
{
    block->shared.used         = 0;
    block->shared.static_bytes = 0;
    block->shared.entries.clear();
    if (ASSAY_HAS_TSAN) {
        block->objects = static_cast<assay_block_objects *>(calloc(1, sizeof *block->objects));
        if (!block->objects)
            assay_fault_raise(block, ASSAY_FAULT_MEMORY, "no memory for a block");
    }
}

/* The first byte in the gap after an array that was written, or -1. */
static long written_after(const assay_block *block, const assay_shared_entry &entry)
{
    const uint16_t pair = fill_of(block);

    for (size_t i = entry.bytes; i < entry.bytes + entry.gap_bytes; i++)
        if (entry.data[i] != static_cast<char>(pair >> 8 * (i % 2)))
            return static_cast<long>(i - entry.bytes);
    return -1;
}

static void check_gaps(assay_block *block)
{
    for (const assay_shared_entry &entry : block->shared.entries) {
        const long at = written_after(block, entry);

        if (at >= 0)
            assay_fault_raise(block, ASSAY_FAULT_ADDRESS,
                              "shared array %s of %zu bytes (%s) was written beyond its end, at "
                              "byte %zu",
                              entry.name, entry.bytes, assay_site_text(entry.site).text,
                              entry.bytes + static_cast<size_t>(at));
    }
}

/* A separate context (the janitor) frees: it is ordered after the block, and orders no thread. */
static void free_heap(assay_block *block)
{
    assay_worker *worker = block->worker;

    if (!worker->janitor)
        worker->janitor = assay_tsan_create();
    assay_tsan_switch(worker->janitor);
    assay_tsan_acquire(&block->objects->finish);
    for (const assay_shared_entry &entry : block->shared.entries)
        free(entry.data);
    assay_tsan_switch(worker->home.tsan_context);
    free(block->objects);
    block->objects = nullptr;
}

void assay_shared_end(assay_block *block)
{
    if (block->objects) {
        free_heap(block);
    } else if (block->shared.used > 0) {
        if (!ASSAY_HAS_ASAN && !block->launch->has_fault)
            check_gaps(block);
        assay_asan_poison(block->shared.memory, block->shared.used);
    }
    block->shared.entries.clear();
    block->shared.used = 0;
}

void assay_shared_destroy(assay_shared *shared)
{
    if (!shared->memory)
        return;
    assay_asan_unpoison(shared->memory, ARENA_BYTES);
    (void)munmap(shared->memory, ARENA_BYTES);
    shared->memory = nullptr;
}
