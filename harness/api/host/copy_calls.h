/* Asynchronous copies and barriers in memory: what kernel code calls in the host executor for them.
 * Copies of a thread lie in groups, as PTX's cp.async has them; barriers are PTX's mbarriers. */
#ifndef ASSAY_HOST_COPY_CALLS_H
#define ASSAY_HOST_COPY_CALLS_H

#include "device_calls.h"

#pragma GCC visibility push(hidden)

/* ---- copies into shared memory: the bytes are read and written at some moment before the wait for
 * them returns. In ascending order this is the wait itself, in descending order the call, else the
 * schedule's seed decides for each copy. */

/* cp.async: bytes_total is 4, 8 or 16, what is beyond bytes_copied becomes zero. */
void assay_host_copy_async(void *to, const void *from, size_t bytes_copied, size_t bytes_total,
                           const char *file, int line);
/* Any size and alignment. What is not into shared memory is copied at once. With a barrier its
 * phase is not over before the copy is. */
void assay_host_copy_any(void *to, const void *from, size_t bytes, uint64_t *barrier,
                         const char *file, int line);
/* cp.async.bulk: multiples of 16 bytes; completes as many at the barrier. */
void assay_host_copy_bulk(void *to, const void *from, size_t bytes, uint64_t *barrier,
                          const char *file, int line);
/* The copies since the last commit are a group. */
void assay_host_copy_commit(const char *file, int line);
/* Until at most the newest n_left groups are on their way. */
void assay_host_copy_wait(unsigned n_left, const char *file, int line);
/* For all copies of the thread, committed or not. */
void assay_host_copy_wait_all(const char *file, int line);
/* cp.async.mbarrier.arrive: an arrival once all copies are there that the thread has begun so far.
 * is_expected (.noinc): the barrier's count has it already. */
void assay_host_copy_arrive(uint64_t *barrier, bool is_expected, const char *file, int line);

/* ---- mbarriers: `parity` is that of the phase to wait for; the first is 0 */

void assay_host_mbarrier_init(uint64_t *barrier, unsigned count, const char *file, int line);
void assay_host_mbarrier_inval(uint64_t *barrier, const char *file, int line);
/* `count` arrivals, after expecting `bytes` more in this phase; is_drop: later phases expect as
 * many arrivals less. Returns the state before. */
uint64_t assay_host_mbarrier_arrive(uint64_t *barrier, unsigned count, unsigned bytes, bool is_drop,
                                    const char *file, int line);
void     assay_host_mbarrier_expect(uint64_t *barrier, unsigned bytes, const char *file, int line);
void assay_host_mbarrier_complete(uint64_t *barrier, unsigned bytes, const char *file, int line);
/* Is the phase over? A poll; try: lets others run first if it is not. */
bool assay_host_mbarrier_test(uint64_t *barrier, bool parity, const char *file, int line);
bool assay_host_mbarrier_try(uint64_t *barrier, bool parity, const char *file, int line);
/* Until it is over. */
void assay_host_mbarrier_wait(uint64_t *barrier, bool parity, const char *file, int line);

#pragma GCC visibility pop

/* Of a state that an arrival returned. */
inline bool     assay_host_mbarrier_parity(uint64_t state) { return state >> 61 & 1u; }
inline unsigned assay_host_mbarrier_pending(uint64_t state)
{
    return static_cast<unsigned>(state & 0xfffffu);
}

#endif
