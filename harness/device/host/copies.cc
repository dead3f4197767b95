/* Asynchronous copies into shared memory. Each copy arrives at a moment that the schedule draws,
 * between its call and the return of the wait for it. So a thread that does not wait reads the old
 * content. To ThreadSanitizer, the thread of the copy reads and writes at that moment. */
#include "executor.h"

#include "host/copy_calls.h"

namespace
{
const uint64_t WHEN_WAITED_FOR = UINT64_MAX;
/* One of four copies arrives at once, one within a few rounds, the others when they are waited
 * for. */
const uint32_t N_CHANCES = 4, N_ROUNDS = 4;
} // namespace

/* ---- arriving */

static void land(assay_block *block, assay_thread *thread, const assay_copy &copy)
{
    void *self = assay_tsan_current();

    assay_tsan_switch(assay_fiber_tsan_context(thread->fiber));
    /* These are calls with sizes that the compiler does not know, so that ThreadSanitizer sees
     * them. */
    if (copy.bytes > 0)
        memcpy(copy.to, copy.from, copy.bytes);
    if (copy.n_zeros > 0)
        memset(copy.to + copy.bytes, 0, copy.n_zeros);
    if (copy.barrier)
        assay_mbarrier_arrive(block, copy.barrier, !copy.is_bulk,
                              copy.is_bulk ? static_cast<unsigned>(copy.bytes) : 0);
    assay_tsan_switch(self);
    block->copies.n_on_way--;
    block->worker->has_progress = true;
}

static bool is_arrival(const assay_copy &copy) { return copy.barrier && !copy.to; }

/* Lets those copies of a thread arrive that `is_due` selects. An arrival at a barrier follows when
 * no copy is left before it. */
template <typename Due> static void land_some(assay_block *block, unsigned rank, Due is_due)
{
    std::vector<assay_copy> &on_way = block->copies.threads[rank].on_way;
    size_t                   kept   = 0;

    for (size_t i = 0; i < on_way.size(); i++) {
        const assay_copy copy = on_way[i];

        if (is_arrival(copy) ? kept == 0 : is_due(copy, i))
            land(block, &block->threads[rank], copy);
        else
            on_way[kept++] = copy;
    }
    on_way.resize(kept);
}

void assay_copies_round(assay_block *block, unsigned n_threads)
{
    assay_copies  *copies = &block->copies;
    const uint64_t now    = copies->now += n_threads;

    if (now < copies->next_due)
        return;
    copies->next_due = WHEN_WAITED_FOR;
    for (unsigned rank = 0; rank < block->n_threads; rank++) {
        land_some(block, rank, [now](const assay_copy &copy, size_t) { return copy.due <= now; });
        for (const assay_copy &copy : copies->threads[rank].on_way)
            copies->next_due = copy.due < copies->next_due ? copy.due : copies->next_due;
    }
}

void assay_copies_leave(assay_thread *thread)
{
    land_some(thread->block, thread->rank, [](const assay_copy &, size_t) { return true; });
}

void assay_copies_end(assay_block *block)
{
    for (assay_thread_copies &thread : block->copies.threads) {
        thread.on_way.clear();
        thread.n_groups = 0;
    }
    block->copies.is_used  = false;
    block->copies.n_on_way = 0;
}

void assay_copies_settle(assay_block *block, uint64_t *barrier)
{
    uint64_t n_arrivals = 0, bytes = 0;

    if (block->copies.n_on_way == 0)
        return;
    for (const assay_thread_copies &thread : block->copies.threads)
        for (const assay_copy &copy : thread.on_way) {
            n_arrivals += copy.barrier == barrier && !copy.is_bulk;
            bytes += copy.barrier == barrier && copy.is_bulk ? copy.bytes : 0;
        }
    if (n_arrivals + bytes == 0 || !assay_mbarrier_is_missing(barrier, n_arrivals, bytes))
        return;
    for (unsigned rank = 0; rank < block->n_threads; rank++) {
        const std::vector<assay_copy> &on_way = block->copies.threads[rank].on_way;
        size_t end = 0; /* index of the last arrival; all copies before it are due */

        for (size_t i = 0; i < on_way.size(); i++)
            if (on_way[i].barrier == barrier && is_arrival(on_way[i]))
                end = i;
        land_some(block, rank, [barrier, end](const assay_copy &copy, size_t i) {
            return copy.barrier == barrier || i < end;
        });
    }
}

/* ---- setting out */

static uint64_t draw_due(assay_block *block)
{
    switch (block->launch->schedule.order) {
    case ASSAY_ASCENDING:
        return WHEN_WAITED_FOR;
    case ASSAY_DESCENDING:
        return 0;
    case ASSAY_SHUFFLED:
    case ASSAY_UNFAIR:
        break;
    }
    switch (block->random.below(N_CHANCES)) {
    case 0:
        return 0;
    case 1:
        return block->copies.now + 1 + block->random.below(N_ROUNDS * block->n_threads);
    default:
        return WHEN_WAITED_FOR;
    }
}

/* Allocates in the home context, so that no thread is ordered before another. */
static assay_thread_copies *copies_of(assay_thread *thread)
{
    assay_block *block = thread->block;

    if (!block->copies.is_used) {
        void *self = assay_tsan_current();

        assay_tsan_switch(block->worker->home.tsan_context);
        block->copies.threads.resize(block->n_threads);
        assay_tsan_switch(self);
        block->copies.is_used  = true;
        block->copies.n_on_way = 0;
        block->copies.now      = 0;
        block->copies.next_due = WHEN_WAITED_FOR;
    }
    return &block->copies.threads[thread->rank];
}

static void keep(assay_block *block, assay_thread_copies *mine, const assay_copy &copy)
{
    void *self = assay_tsan_current();

    if (!is_arrival(copy) && copy.due < block->copies.next_due)
        block->copies.next_due = copy.due;
    assay_tsan_switch(block->worker->home.tsan_context);
    mine->on_way.push_back(copy);
    assay_tsan_switch(self);
}

static void set_out(assay_thread *thread, assay_copy copy)
{
    assay_block         *block = thread->block;
    assay_thread_copies *mine  = copies_of(thread);

    block->copies.now++;
    copy.group = mine->n_groups;
    copy.due   = is_arrival(copy) ? 0 : draw_due(block);
    block->copies.n_on_way++;
    if (copy.due == 0 && (!is_arrival(copy) || mine->on_way.empty()))
        land(block, thread, copy);
    else
        keep(block, mine, copy);
    /* Threads that sleep at the barrier may now only wait for copies. */
    if (copy.barrier)
        assay_mbarrier_changed(block, copy.barrier);
}

/* Stops the thread if its copy is wrong. */
static void check(assay_thread *thread, const char *name, const assay_copy &copy, size_t alignment)
{
    const uintptr_t to    = reinterpret_cast<uintptr_t>(copy.to),
                    from  = reinterpret_cast<uintptr_t>(copy.from);
    const size_t      all = copy.bytes + copy.n_zeros;
    const char *const why = !assay_shared_find(thread->block, copy.to, all)
                                ? "the destination does not lie in an array of shared memory"
                            : to % alignment != 0
                                ? "the destination is not aligned to the size of the copy"
                            : from % alignment != 0 && copy.bytes > 0
                                ? "the source is not aligned to the size of the copy"
                                : nullptr;

    if (why)
        assay_fault_stop(thread, ASSAY_FAULT_ADDRESS,
                         "%s of %zu bytes from %p to %p at %s, thread %u: %s", name, all,
                         static_cast<const void *>(copy.from), static_cast<void *>(copy.to),
                         assay_site_text(thread->site).text, thread->rank, why);
    assay_asan_touch(copy.from, copy.bytes);
}

void assay_host_copy_async(void *to, const void *from, size_t bytes_copied, size_t bytes_total,
                           const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);
    assay_copy    copy {};

    if ((bytes_total != 4 && bytes_total != 8 && bytes_total != 16) || bytes_copied > bytes_total)
        assay_fault_stop(thread, ASSAY_FAULT_MISUSE,
                         "cp.async of %zu bytes, %zu of them copied, at %s, thread %u: a copy has "
                         "4, 8 or 16",
                         bytes_total, bytes_copied, assay_site_text(thread->site).text,
                         thread->rank);
    copy.to      = static_cast<char *>(to);
    copy.from    = static_cast<const char *>(from);
    copy.bytes   = bytes_copied;
    copy.n_zeros = bytes_total - bytes_copied;
    check(thread, "cp.async", copy, bytes_total);
    set_out(thread, copy);
}

void assay_host_copy_any(void *to, const void *from, size_t bytes, uint64_t *barrier,
                         const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);
    assay_copy    copy {};

    if (bytes == 0)
        return;
    if (!assay_shared_find(thread->block, to, 1)) {
        memcpy(to, from, bytes);
        return;
    }
    copy.to      = static_cast<char *>(to);
    copy.from    = static_cast<const char *>(from);
    copy.bytes   = bytes;
    copy.barrier = barrier;
    check(thread, "memcpy_async", copy, 1);
    if (barrier)
        assay_mbarrier_add(thread->block, barrier);
    set_out(thread, copy);
}

void assay_host_copy_bulk(void *to, const void *from, size_t bytes, uint64_t *barrier,
                          const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);
    assay_copy    copy {};

    if (bytes == 0 || bytes % 16 != 0 || bytes >= 1u << 20)
        assay_fault_stop(thread, ASSAY_FAULT_MISUSE,
                         "cp.async.bulk of %zu bytes at %s, thread %u: a copy has a multiple of 16",
                         bytes, assay_site_text(thread->site).text, thread->rank);
    copy.to      = static_cast<char *>(to);
    copy.from    = static_cast<const char *>(from);
    copy.bytes   = bytes;
    copy.barrier = barrier;
    copy.is_bulk = true;
    check(thread, "cp.async.bulk", copy, 16);
    set_out(thread, copy);
}

/* ---- waiting */

void assay_host_copy_commit(const char *file, int line)
{
    copies_of(assay_thread_running(file, line))->n_groups++;
}

/* Waits for the copies of the first n_groups groups. */
static void wait_for(assay_thread *thread, unsigned n_groups)
{
    assay_block   *block  = thread->block;
    const unsigned before = block->copies.n_on_way;

    land_some(block, thread->rank,
              [n_groups](const assay_copy &copy, size_t) { return copy.group < n_groups; });
    if (block->copies.n_on_way != before)
        assay_host_yield(ASSAY_YIELD_WRITE, thread->site.file, thread->site.line);
}

void assay_host_copy_wait(unsigned n_left, const char *file, int line)
{
    assay_thread  *thread   = assay_thread_running(file, line);
    const unsigned n_groups = copies_of(thread)->n_groups;

    if (n_left < n_groups)
        wait_for(thread, n_groups - n_left);
}

void assay_host_copy_wait_all(const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    copies_of(thread)->n_groups++;
    wait_for(thread, UINT32_MAX);
}

void assay_host_copy_arrive(uint64_t *barrier, bool is_expected, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);
    assay_copy    copy {};

    copy.barrier = barrier;
    if (!is_expected)
        assay_mbarrier_add(thread->block, barrier);
    set_out(thread, copy);
}
