/* Barriers in memory: PTX's mbarrier, a word that counts arrivals and bytes of a phase. Threads of
 * a block that wait for a barrier in its shared memory sleep until the phase is over. A barrier in
 * global memory is polled, since other blocks may arrive at it. */
#include "executor.h"

#include "host/copy_calls.h"

namespace
{
/* The word, from its lowest bit: arrivals to come in this phase and in each phase (20 bits each),
 * bytes to come (21, with a sign), the phase's parity. The highest two bits are 0; they never are
 * in the values that shared memory is filled with. */
const unsigned COUNT_BITS = 20, BYTES_BITS = 21;
const uint64_t COUNT_MAX = (uint64_t { 1 } << COUNT_BITS) - 1;
const int64_t  BYTES_MAX = (int64_t { 1 } << COUNT_BITS) - 1;
const uint64_t INVALID   = ~uint64_t { 0 };

struct state {
    int64_t pending, expected, bytes;
    bool    parity;
};
} // namespace

static bool is_barrier(uint64_t word) { return word >> 62 == 0; }

static state read(uint64_t word)
{
    const unsigned shift = 64 - BYTES_BITS - 2 * COUNT_BITS;

    return { static_cast<int64_t>(word & COUNT_MAX),
             static_cast<int64_t>(word >> COUNT_BITS & COUNT_MAX),
             static_cast<int64_t>(word << shift) >> (64 - BYTES_BITS), (word >> 61 & 1u) != 0 };
}

static uint64_t write(const state &s)
{
    const uint64_t bytes = static_cast<uint64_t>(s.bytes) & ((uint64_t { 1 } << BYTES_BITS) - 1);

    return static_cast<uint64_t>(s.pending) | static_cast<uint64_t>(s.expected) << COUNT_BITS |
           bytes << 2 * COUNT_BITS | uint64_t { s.parity } << 61;
}

static uint64_t load(const uint64_t *barrier) { return __atomic_load_n(barrier, __ATOMIC_ACQUIRE); }

/* The object by which ThreadSanitizer orders a phase; two objects alternate. */
static void *object_of(uint64_t *barrier, bool parity)
{
    return reinterpret_cast<char *>(barrier) + (parity ? 4 : 0);
}

/* On a thread's fiber this does not return. */
static void fail(assay_block *block, const uint64_t *barrier, const char *why)
{
    assay_thread *thread = block->worker->current;

    if (thread)
        assay_fault_stop(thread, ASSAY_FAULT_MISUSE, "barrier misuse at %s, thread %u, of %p: %s",
                         assay_site_text(thread->site).text, thread->rank,
                         static_cast<const void *>(barrier), why);
    assay_fault_raise(block, ASSAY_FAULT_MISUSE, "barrier misuse of %p by a copy: %s",
                      static_cast<const void *>(barrier), why);
}

/* Wakes the threads of the block that sleep until this phase is over. */
static void wake(assay_block *block, const uint64_t *barrier, bool parity)
{
    for (assay_thread &thread : block->threads)
        if (thread.state == ASSAY_THREAD_PHASE && thread.vote == parity &&
            thread.value == reinterpret_cast<uintptr_t>(barrier))
            assay_thread_wake(&thread);
    block->worker->has_progress = true;
}

/* Changes the barrier, and ends its phase when nothing more is to come. `change` returns what is
 * wrong, or nullptr. Returns the word before the change. */
template <typename Change>
static uint64_t update(assay_block *block, uint64_t *barrier, Change change)
{
    uint64_t before = load(barrier), after;
    bool     is_over;

    do {
        state             next = read(before);
        const char *const why  = is_barrier(before)
                                     ? change(&next)
                                     : "no barrier was initialised here, or it is no longer valid";

        if (why) {
            fail(block, barrier, why);
            return before;
        }
        is_over = next.pending == 0 && next.bytes == 0;
        if (is_over) {
            next.pending = next.expected;
            next.parity  = !next.parity;
        }
        after = write(next);
    } while (!__atomic_compare_exchange_n(barrier, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    if (is_over)
        wake(block, barrier, read(before).parity);
    return before;
}

/* ---- for copies */

static uint64_t arrive(assay_block *block, uint64_t *barrier, unsigned count, int64_t bytes,
                       bool is_drop)
{
    assay_tsan_release(object_of(barrier, read(load(barrier)).parity));
    return update(block, barrier, [=](state *next) -> const char * {
        next->bytes += bytes;
        if (next->bytes > BYTES_MAX || next->bytes < -BYTES_MAX)
            return "more bytes are expected or completed than it can count";
        if (count > next->pending)
            return "more arrivals in a phase than it expects";
        next->pending -= count;
        next->expected -= is_drop ? count : 0;
        return nullptr;
    });
}

void assay_mbarrier_arrive(assay_block *block, uint64_t *barrier, unsigned count, unsigned bytes)
{
    (void)arrive(block, barrier, count, -int64_t { bytes }, false);
}

void assay_mbarrier_add(assay_block *block, uint64_t *barrier)
{
    (void)update(block, barrier, [](state *next) -> const char * {
        if (next->pending == static_cast<int64_t>(COUNT_MAX))
            return "more copies are pending than it can count";
        next->pending++;
        return nullptr;
    });
}

bool assay_mbarrier_is_missing(const uint64_t *barrier, uint64_t n_arrivals, uint64_t bytes)
{
    const state now = read(load(barrier));

    return now.pending == static_cast<int64_t>(n_arrivals) &&
           now.bytes == static_cast<int64_t>(bytes);
}

std::string assay_mbarrier_text(const assay_thread &thread)
{
    const state now = read(load(reinterpret_cast<const uint64_t *>(thread.value)));

    return "phase " + std::to_string(thread.vote) + ", " + std::to_string(now.pending) +
           " arrivals and " + std::to_string(now.bytes) + " bytes to come";
}

/* ---- for kernels */

void assay_host_mbarrier_init(uint64_t *barrier, unsigned count, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    if (count == 0 || count > COUNT_MAX)
        fail(thread->block, barrier, "a barrier expects 1 to 1048575 arrivals");
    if (reinterpret_cast<uintptr_t>(barrier) % sizeof *barrier != 0)
        fail(thread->block, barrier, "a barrier is aligned to 8 bytes");
    __atomic_store_n(barrier, write({ count, count, 0, false }), __ATOMIC_RELEASE);
    assay_host_yield(ASSAY_YIELD_WRITE, file, line);
}

void assay_host_mbarrier_inval(uint64_t *barrier, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    if (!is_barrier(load(barrier)))
        fail(thread->block, barrier, "no barrier was initialised here, or it is no longer valid");
    __atomic_store_n(barrier, INVALID, __ATOMIC_RELEASE);
    assay_host_yield(ASSAY_YIELD_WRITE, file, line);
}

static bool has_sleepers(const assay_block *block, const uint64_t *barrier)
{
    for (const assay_thread &thread : block->threads)
        if (thread.state == ASSAY_THREAD_PHASE &&
            thread.value == reinterpret_cast<uintptr_t>(barrier))
            return true;
    return false;
}

void assay_mbarrier_changed(assay_block *block, uint64_t *barrier)
{
    if (block->copies.n_on_way > 0 && has_sleepers(block, barrier))
        assay_copies_settle(block, barrier);
}

static void after_change(assay_block *block, uint64_t *barrier, const char *file, int line)
{
    assay_mbarrier_changed(block, barrier);
    assay_host_yield(ASSAY_YIELD_WRITE, file, line);
}

uint64_t assay_host_mbarrier_arrive(uint64_t *barrier, unsigned count, unsigned bytes, bool is_drop,
                                    const char *file, int line)
{
    assay_thread  *thread = assay_thread_running(file, line);
    const uint64_t before = arrive(thread->block, barrier, count, bytes, is_drop);

    after_change(thread->block, barrier, file, line);
    return before;
}

void assay_host_mbarrier_expect(uint64_t *barrier, unsigned bytes, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    (void)arrive(thread->block, barrier, 0, bytes, false);
    after_change(thread->block, barrier, file, line);
}

void assay_host_mbarrier_complete(uint64_t *barrier, unsigned bytes, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    (void)arrive(thread->block, barrier, 0, -int64_t { bytes }, false);
    after_change(thread->block, barrier, file, line);
}

/* Is the phase over? Then everything that was done before its end is visible. */
static bool is_over(assay_thread *thread, uint64_t *barrier, bool parity)
{
    if (!is_barrier(load(barrier)))
        fail(thread->block, barrier, "no barrier was initialised here, or it is no longer valid");
    if (read(load(barrier)).parity == parity)
        assay_copies_settle(thread->block, barrier);
    if (read(load(barrier)).parity == parity)
        return false;
    assay_tsan_acquire(object_of(barrier, parity));
    return true;
}

bool assay_host_mbarrier_test(uint64_t *barrier, bool parity, const char *file, int line)
{
    const bool over = is_over(assay_thread_running(file, line), barrier, parity);

    assay_host_yield(ASSAY_YIELD_POLL, file, line);
    return over;
}

bool assay_host_mbarrier_try(uint64_t *barrier, bool parity, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    if (is_over(thread, barrier, parity))
        return true;
    assay_host_yield(ASSAY_YIELD_SLEEP, file, line);
    return is_over(thread, barrier, parity);
}

void assay_host_mbarrier_wait(uint64_t *barrier, bool parity, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    while (!is_over(thread, barrier, parity)) {
        if (!assay_shared_find(thread->block, barrier, sizeof *barrier)) {
            assay_host_yield(ASSAY_YIELD_SLEEP, file, line);
            continue;
        }
        thread->value = reinterpret_cast<uintptr_t>(barrier);
        thread->vote  = parity;
        assay_thread_leave(thread, ASSAY_THREAD_PHASE);
        assay_tsan_acquire(object_of(barrier, parity));
        return;
    }
}
