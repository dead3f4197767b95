/* Calls from kernel code into the host device for asynchronous copies and barriers in memory. The
 * copies of a thread form groups, as those of PTX's cp.async; the barriers are PTX's mbarriers. */
#ifndef ASSAY_HOST_COPY_CALLS_H
#define ASSAY_HOST_COPY_CALLS_H

#include "device_calls.h"

#pragma GCC visibility push(hidden)

/* ---- copies into shared memory. The bytes are read and written at some moment before the wait for
 * them returns: in ascending order during the wait, in descending order during the call; in other
 * orders the schedule's seed decides for each copy. */

/* cp.async: bytes_total is 4, 8 or 16; bytes beyond bytes_copied become zero. */
void assay_host_copy_async(void *to, const void *from, size_t bytes_copied, size_t bytes_total,
                           const char *file, int line);
/* A copy of any size and alignment. One that does not go into shared memory is done at once. If a
 * barrier is given, its phase ends only after the copy. */
void assay_host_copy_any(void *to, const void *from, size_t bytes, uint64_t *barrier,
                         const char *file, int line);
/* cp.async.bulk: a multiple of 16 bytes, which completes the same number at the barrier. */
void assay_host_copy_bulk(void *to, const void *from, size_t bytes, uint64_t *barrier,
                          const char *file, int line);
/* Makes one group of the copies since the last commit. */
void assay_host_copy_commit(const char *file, int line);
/* Waits for all groups but the newest n_left. */
void assay_host_copy_wait(unsigned n_left, const char *file, int line);
/* Waits for all copies of the thread, committed or not. */
void assay_host_copy_wait_all(const char *file, int line);
/* cp.async.mbarrier.arrive: arrives when all copies that the thread has begun so far are done.
 * is_expected (.noinc): the barrier already counts this arrival. */
void assay_host_copy_arrive(uint64_t *barrier, bool is_expected, const char *file, int line);

/* ---- mbarriers: `parity` is that of the phase to wait for; the first is 0 */

void assay_host_mbarrier_init(uint64_t *barrier, unsigned count, const char *file, int line);
void assay_host_mbarrier_inval(uint64_t *barrier, const char *file, int line);
/* Expects `bytes` more in this phase, then makes `count` arrivals. is_drop: later phases expect so
 * many arrivals fewer. Returns the state before. */
uint64_t assay_host_mbarrier_arrive(uint64_t *barrier, unsigned count, unsigned bytes, bool is_drop,
                                    const char *file, int line);
void     assay_host_mbarrier_expect(uint64_t *barrier, unsigned bytes, const char *file, int line);
void assay_host_mbarrier_complete(uint64_t *barrier, unsigned bytes, const char *file, int line);
/* Is the phase over? try: lets other threads run first if it is not. */
bool assay_host_mbarrier_test(uint64_t *barrier, bool parity, const char *file, int line);
bool assay_host_mbarrier_try(uint64_t *barrier, bool parity, const char *file, int line);
/* Waits until the phase is over. */
void assay_host_mbarrier_wait(uint64_t *barrier, bool parity, const char *file, int line);

#pragma GCC visibility pop

/* The parity of a state that an arrival returned. */
inline bool     assay_host_mbarrier_parity(uint64_t state) { return state >> 61 & 1u; }
inline unsigned assay_host_mbarrier_pending(uint64_t state)
{
    return static_cast<unsigned>(state & 0xfffffu);
}

#endif
