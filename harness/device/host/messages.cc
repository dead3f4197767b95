/* Messages: moments of threads' clocks that ThreadSanitizer keeps. Their memory is hidden from the
 * tool. */
#include "orders_internal.h"

#ifdef ASSAY_TSAN

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void __tsan_atomic64_store(volatile long long *object, long long value, int order);

namespace
{
const size_t CHUNK_BYTES = size_t { 1 } << 20;

std::atomic<uint64_t> n_messages;
} // namespace

/* Allocates by a system call that the tool does not see; the memory is kept for the next launch. */
void *assay_order_memory(assay_order_pool *pool, size_t bytes)
{
    if (!pool->chunk || pool->used + bytes > CHUNK_BYTES) {
        char *next = pool->chunk ? *reinterpret_cast<char **>(pool->chunk) : nullptr;

        if (!next) {
            const long got = syscall(SYS_mmap, nullptr, CHUNK_BYTES, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);

            if (got == -1)
                abort();
            next = reinterpret_cast<char *>(got);
            if (pool->chunk)
                *reinterpret_cast<char **>(pool->chunk) = next;
            else
                pool->first_chunk = next;
        }
        pool->chunk = next;
        pool->used  = ASSAY_ORDER_POOL_HEAD;
    }
    pool->used += bytes;
    return pool->chunk + pool->used - bytes;
}

assay_order_pool *assay_order_pool_here(void) { return &assay_worker_self->orders; }

assay_message_link *assay_message_hold(assay_message *message, assay_message_link *next)
{
    assay_order_pool   *pool = assay_order_pool_here();
    assay_message_link *link = pool->free_links;

    if (link)
        pool->free_links = link->next;
    else
        link = static_cast<assay_message_link *>(assay_order_memory(pool, sizeof *link));
    link->message      = message;
    link->later        = nullptr;
    link->next         = next;
    link->is_of_block  = false;
    link->is_of_update = false;
    message->n_holders.fetch_add(1, std::memory_order_relaxed);
    return link;
}

void assay_message_let_go(assay_message *message)
{
    assay_order_pool *pool = assay_order_pool_here();

    if (!message || message->n_holders.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    message->next_free  = pool->free_messages;
    pool->free_messages = message;
}

void assay_message_drop(assay_message_link **at)
{
    assay_order_pool   *pool = assay_order_pool_here();
    assay_message_link *link = *at;

    *at = link->next;
    assay_message_let_go(link->message);
    assay_message_let_go(link->later);
    link->next       = pool->free_links;
    pool->free_links = link;
}

void assay_message_keep(assay_message **at, assay_message *message)
{
    if (message)
        message->n_holders.fetch_add(1, std::memory_order_relaxed);
    assay_message_let_go(*at);
    *at = message;
}

/* A message of all that the thread has done up to now. The store with release erases what the
 * object was used for before. The caller is its first holder. */
assay_message *assay_message_new(const assay_thread *thread)
{
    assay_order_pool *pool    = assay_order_pool_here();
    assay_message    *message = pool->free_messages;

    if (message)
        pool->free_messages = message->next_free;
    else
        message = static_cast<assay_message *>(assay_order_memory(pool, sizeof *message));
    __tsan_atomic64_store(&message->object, 0, __ATOMIC_RELEASE);
    message->n_holders.store(1, std::memory_order_relaxed);
    message->fiber        = thread->fiber;
    message->block        = thread->block;
    message->block_number = thread->block->number;
    message->number       = n_messages.fetch_add(1, std::memory_order_relaxed);
    message->warp         = thread->rank / ASSAY_WARP_LANES;
    return message;
}

void assay_message_acquire(const assay_message *message)
{
    assay_tsan_acquire(const_cast<long long *>(&message->object));
}

/* Is the message from the same block? Successive blocks are at the same place in memory, so the
 * number is compared as well. */
bool assay_message_is_near(const assay_message *message, const assay_thread *thread)
{
    return message->block == thread->block && message->block_number == thread->block->number;
}

#endif
