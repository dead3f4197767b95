/* cuda::barrier for host compilation, by the documentation of libcu++: a barrier in memory, and
 * copies that its phase waits for. */
#ifndef ASSAY_HOST_BLOCK_BARRIER_H
#define ASSAY_HOST_BLOCK_BARRIER_H

#include "aligned_size.h"
#include "copy_calls.h"
#include "thread_scope.h"

#include <type_traits>

namespace cuda
{

struct assay_no_completion {
};
/* Stands for the group where a single thread copies. */
struct assay_single_thread {
    static constexpr unsigned size(void) { return 1; }
    static constexpr unsigned thread_rank(void) { return 0; }
};

enum class async_contract_fulfillment {
    none,
    async
};

template <thread_scope Scope, typename Completion = assay_no_completion> class barrier
{
    static_assert(std::is_empty<Completion>::value,
                  "the host device has no barriers with a completion function");

  public:
    /* Belongs to one phase, and may be waited for once. */
    class arrival_token
    {
      public:
        arrival_token()                                 = default;
        arrival_token(arrival_token &&)                 = default;
        arrival_token &operator=(arrival_token &&)      = default;
        arrival_token(const arrival_token &)            = delete;
        arrival_token &operator=(const arrival_token &) = delete;

      private:
        friend class barrier;
        explicit arrival_token(uint64_t state) : state_(state) {}
        uint64_t state_ = 0;
    };

    barrier() = default;
    explicit barrier(ptrdiff_t expected, Completion = {}, ASSAY_HOST_SITE)
    {
        assay_host_mbarrier_init(&word_, static_cast<unsigned>(expected), file, line);
    }
    barrier(const barrier &)            = delete;
    barrier &operator=(const barrier &) = delete;

    static constexpr ptrdiff_t max(void) { return (ptrdiff_t { 1 } << 20) - 1; }

    arrival_token arrive(ptrdiff_t count = 1, ASSAY_HOST_SITE)
    {
        return arrival_token(
            assay_host_mbarrier_arrive(&word_, static_cast<unsigned>(count), 0, false, file, line));
    }
    void wait(arrival_token &&token, ASSAY_HOST_SITE) const
    {
        assay_host_mbarrier_wait(&word_, assay_host_mbarrier_parity(token.state_), file, line);
    }
    void wait_parity(bool parity, ASSAY_HOST_SITE) const
    {
        assay_host_mbarrier_wait(&word_, parity, file, line);
    }
    bool try_wait(arrival_token &&token, ASSAY_HOST_SITE) const
    {
        return assay_host_mbarrier_try(&word_, assay_host_mbarrier_parity(token.state_), file,
                                       line);
    }
    bool try_wait_parity(bool parity, ASSAY_HOST_SITE) const
    {
        return assay_host_mbarrier_try(&word_, parity, file, line);
    }
    void arrive_and_wait(ASSAY_HOST_SITE) { wait(arrive(1, file, line), file, line); }
    void arrive_and_drop(ASSAY_HOST_SITE)
    {
        (void)assay_host_mbarrier_arrive(&word_, 1, 0, true, file, line);
    }

    friend void init(barrier *b, ptrdiff_t expected, Completion = {}, ASSAY_HOST_SITE)
    {
        assay_host_mbarrier_init(&b->word_, static_cast<unsigned>(expected), file, line);
    }
    uint64_t            *assay_word(void) const { return &word_; }
    static arrival_token assay_token(uint64_t state) { return arrival_token(state); }

  private:
    mutable uint64_t word_;
};

/* ---- copies that a phase waits for */

template <typename Group, typename T, typename Size, thread_scope Scope, typename Completion>
inline async_contract_fulfillment memcpy_async(const Group &group, T *to, const T *from, Size bytes,
                                               barrier<Scope, Completion> &b, ASSAY_HOST_SITE)
{
    assay_host_check_aligned(bytes, to, from, file, line);
    assay_host_copy_shared(group, to, from, static_cast<size_t>(bytes), b.assay_word(), file, line);
    return async_contract_fulfillment::async;
}
template <typename Group, typename Size, thread_scope Scope, typename Completion>
inline async_contract_fulfillment memcpy_async(const Group &group, void *to, const void *from,
                                               Size bytes, barrier<Scope, Completion> &b,
                                               ASSAY_HOST_SITE)
{
    return memcpy_async(group, static_cast<char *>(to), static_cast<const char *>(from), bytes, b,
                        file, line);
}
template <typename T, typename Size, thread_scope Scope, typename Completion>
inline async_contract_fulfillment memcpy_async(T *to, const T *from, Size bytes,
                                               barrier<Scope, Completion> &b, ASSAY_HOST_SITE)
{
    return memcpy_async(assay_single_thread(), to, from, bytes, b, file, line);
}

namespace device
{
template <thread_scope Scope, typename Completion>
inline uint64_t *barrier_native_handle(barrier<Scope, Completion> &b)
{
    return b.assay_word();
}
template <thread_scope Scope, typename Completion>
inline typename barrier<Scope, Completion>::arrival_token
barrier_arrive_tx(barrier<Scope, Completion> &b, ptrdiff_t count, ptrdiff_t bytes, ASSAY_HOST_SITE)
{
    return barrier<Scope, Completion>::assay_token(
        assay_host_mbarrier_arrive(b.assay_word(), static_cast<unsigned>(count),
                                   static_cast<unsigned>(bytes), false, file, line));
}
template <thread_scope Scope, typename Completion>
inline void barrier_expect_tx(barrier<Scope, Completion> &b, ptrdiff_t bytes, ASSAY_HOST_SITE)
{
    assay_host_mbarrier_expect(b.assay_word(), static_cast<unsigned>(bytes), file, line);
}
template <typename T, size_t Alignment, thread_scope Scope, typename Completion>
inline async_contract_fulfillment memcpy_async_tx(T *to, const T *from,
                                                  aligned_size_t<Alignment>   bytes,
                                                  barrier<Scope, Completion> &b, ASSAY_HOST_SITE)
{
    static_assert(Alignment >= 16, "a copy that completes bytes is aligned to 16");
    assay_host_copy_bulk(to, from, bytes.value, b.assay_word(), file, line);
    return async_contract_fulfillment::async;
}
} // namespace device

namespace std
{
template <typename Completion = assay_no_completion> class barrier
    : public cuda::barrier<thread_scope_system, Completion>
{
  public:
    using cuda::barrier<thread_scope_system, Completion>::barrier;
};
} // namespace std

} // namespace cuda

#endif
