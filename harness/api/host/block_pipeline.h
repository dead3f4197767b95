/* cuda::pipeline for host compilation, written from the documentation of libcu++. A pipeline of one
 * thread uses groups of copies; one of a block uses two barriers in memory for each stage. */
#ifndef ASSAY_HOST_BLOCK_PIPELINE_H
#define ASSAY_HOST_BLOCK_PIPELINE_H

#include "block_barrier.h"

namespace cuda
{

enum class pipeline_role {
    producer,
    consumer
};

/* A stage is full when every producer has committed it and its copies have arrived. It is empty
 * again when every consumer has released it. */
template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state
{
  public:
    pipeline_shared_state()                                         = default;
    pipeline_shared_state(const pipeline_shared_state &)            = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

    uint64_t assay_full[Stages], assay_empty[Stages];
    unsigned assay_n_producers;
};

template <thread_scope Scope> class pipeline
{
  public:
    pipeline(uint64_t *full, uint64_t *empty, unsigned n_stages)
        : full_(full), empty_(empty), n_stages_(n_stages)
    {
    }
    pipeline(pipeline &&)                 = default;
    pipeline(const pipeline &)            = delete;
    pipeline &operator=(const pipeline &) = delete;

    void producer_acquire(ASSAY_HOST_SITE)
    {
        if (head_ >= n_stages_)
            assay_host_mbarrier_wait(&empty_[head_ % n_stages_], (head_ / n_stages_ - 1) % 2 != 0,
                                     file, line);
    }
    void producer_commit(ASSAY_HOST_SITE)
    {
        assay_host_copy_arrive(&full_[head_++ % n_stages_], true, file, line);
    }
    void consumer_wait(ASSAY_HOST_SITE)
    {
        assay_host_mbarrier_wait(&full_[tail_ % n_stages_], tail_ / n_stages_ % 2 != 0, file, line);
    }
    void consumer_release(ASSAY_HOST_SITE)
    {
        (void)assay_host_mbarrier_arrive(&empty_[tail_++ % n_stages_], 1, 0, false, file, line);
    }
    bool quit(void) { return true; }
    /* Waits until all stages but the newest n_left are full. */
    void assay_wait_prior(unsigned n_left, const char *file, int line)
    {
        for (unsigned stage = tail_; stage + n_left < head_; stage++)
            assay_host_mbarrier_wait(&full_[stage % n_stages_], stage / n_stages_ % 2 != 0, file,
                                     line);
    }

  private:
    uint64_t *full_, *empty_;
    unsigned  n_stages_, head_ = 0, tail_ = 0;
};

template <> class pipeline<thread_scope_thread>
{
  public:
    pipeline()                            = default;
    pipeline(pipeline &&)                 = default;
    pipeline(const pipeline &)            = delete;
    pipeline &operator=(const pipeline &) = delete;

    void producer_acquire(void) {}
    void producer_commit(ASSAY_HOST_SITE)
    {
        assay_host_copy_commit(file, line);
        head_++;
    }
    /* Waits for the oldest stage that was not waited for yet. */
    void consumer_wait(ASSAY_HOST_SITE)
    {
        if (head_ != tail_)
            assay_host_copy_wait(head_ - ++tail_, file, line);
    }
    void consumer_release(void) {}
    bool quit(void) { return true; }
    void assay_wait_prior(unsigned n_left, const char *file, int line)
    {
        assay_host_copy_wait(n_left, file, line);
        tail_ = head_ - tail_ > n_left ? head_ - n_left : tail_;
    }

  private:
    unsigned head_ = 0, tail_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline(void) { return {}; }

/* ---- pipelines of a group: every thread of it calls, the first initialises */

template <typename Group, thread_scope Scope, unsigned char Stages> inline pipeline<Scope>
assay_make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                    unsigned n_producers, unsigned n_consumers, const char *file, int line)
{
    if (group.thread_rank() == 0)
        for (unsigned stage = 0; stage < Stages; stage++) {
            assay_host_mbarrier_init(&state->assay_full[stage], n_producers, file, line);
            assay_host_mbarrier_init(&state->assay_empty[stage], n_consumers, file, line);
        }
    group.sync(file, line);
    return pipeline<Scope>(state->assay_full, state->assay_empty, Stages);
}

/* All threads produce and consume. */
template <typename Group, thread_scope Scope, unsigned char Stages> inline pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, ASSAY_HOST_SITE)
{
    const unsigned n = static_cast<unsigned>(group.size());

    return assay_make_pipeline(group, state, n, n, file, line);
}
/* The first n_producers threads produce, the others consume. */
template <typename Group, thread_scope Scope, unsigned char Stages>
inline pipeline<Scope> make_pipeline(const Group                          &group,
                                     pipeline_shared_state<Scope, Stages> *state,
                                     size_t n_producers, ASSAY_HOST_SITE)
{
    const unsigned n = static_cast<unsigned>(group.size()), p = static_cast<unsigned>(n_producers);

    return assay_make_pipeline(group, state, p, n - p, file, line);
}
/* Each thread passes its own role. */
template <typename Group, thread_scope Scope, unsigned char Stages>
inline pipeline<Scope> make_pipeline(const Group                          &group,
                                     pipeline_shared_state<Scope, Stages> *state,
                                     pipeline_role                         role, ASSAY_HOST_SITE)
{
    if (group.thread_rank() == 0)
        state->assay_n_producers = 0;
    group.sync(file, line);
    if (role == pipeline_role::producer)
        (void)__atomic_fetch_add(&state->assay_n_producers, 1u, __ATOMIC_RELAXED);
    group.sync(file, line);
    return make_pipeline(group, state, size_t { state->assay_n_producers }, file, line);
}

/* ---- copies of the stage that is being filled */

template <typename Group, typename T, typename Size, thread_scope Scope>
inline async_contract_fulfillment memcpy_async(const Group &group, T *to, const T *from, Size bytes,
                                               pipeline<Scope> &, ASSAY_HOST_SITE)
{
    assay_host_check_aligned(bytes, to, from, file, line);
    assay_host_copy_shared(group, to, from, static_cast<size_t>(bytes), nullptr, file, line);
    return async_contract_fulfillment::async;
}
template <typename Group, typename Size, thread_scope Scope>
inline async_contract_fulfillment memcpy_async(const Group &group, void *to, const void *from,
                                               Size bytes, pipeline<Scope> &pipe, ASSAY_HOST_SITE)
{
    return memcpy_async(group, static_cast<char *>(to), static_cast<const char *>(from), bytes,
                        pipe, file, line);
}
template <typename T, typename Size, thread_scope Scope> inline async_contract_fulfillment
memcpy_async(T *to, const T *from, Size bytes, pipeline<Scope> &pipe, ASSAY_HOST_SITE)
{
    return memcpy_async(assay_single_thread(), to, from, bytes, pipe, file, line);
}

template <unsigned Left, thread_scope Scope>
inline void pipeline_consumer_wait_prior(pipeline<Scope> &pipe, ASSAY_HOST_SITE)
{
    pipe.assay_wait_prior(Left, file, line);
}
/* The barrier's phase does not end before all copies that the thread has begun. */
template <thread_scope Scope, typename Completion>
inline void pipeline_producer_commit(pipeline<thread_scope_thread> &,
                                     barrier<Scope, Completion> &to, ASSAY_HOST_SITE)
{
    assay_host_copy_arrive(to.assay_word(), false, file, line);
}

} // namespace cuda

#endif
