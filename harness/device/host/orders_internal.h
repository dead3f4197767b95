/* What the files that tell ThreadSanitizer of orders share: messages and their memory
 * (messages.cc), words and threads (orders.cc), volatile accesses (volatile.cc). */
#ifndef ASSAY_HOST_ORDERS_INTERNAL_H
#define ASSAY_HOST_ORDERS_INTERNAL_H

#include "executor.h"

struct assay_message {
    volatile long long    object; /* the tool keeps a clock for this address */
    std::atomic<unsigned> n_holders;
    const assay_fiber    *fiber;
    const assay_block    *block;
    uint64_t              block_number, number; /* later ones have higher numbers */
    unsigned              warp;
    assay_message        *next_free;
};

/* One holder of a message: a word, or a thread that has read one. */
struct assay_message_link {
    assay_message      *message;
    assay_message      *later; /* NULL, or the message after the fenced update that left it */
    assay_message_link *next;
    bool                is_of_block;  /* for threads of the same block alone */
    bool                is_of_update; /* seen by a read-modify-write */
};

inline assay_thread *assay_order_thread(void)
{
    return assay_worker_self ? assay_worker_self->current : nullptr;
}

#pragma GCC visibility push(hidden)

/* ---- messages.cc */
assay_order_pool *assay_order_pool_here(void);
/* The memory is valid until the next launch. */
void *assay_order_memory(assay_order_pool *pool, size_t bytes);
/* A message of all that the thread has done up to now. The caller is its first holder. */
assay_message *assay_message_new(const assay_thread *thread);
void           assay_message_let_go(assay_message *message); /* accepts NULL */
/* Replaces the message held in `at` by another one, or by NULL. */
void                assay_message_keep(assay_message **at, assay_message *message);
assay_message_link *assay_message_hold(assay_message *message, assay_message_link *next);
void                assay_message_drop(assay_message_link **at);
void                assay_message_acquire(const assay_message *message);
/* Is the message from a thread of the same block? */
bool assay_message_is_near(const assay_message *message, const assay_thread *thread);

/* ---- orders.cc: a volatile word is read or written by the running thread */
void assay_order_note_read(const void *p);
void assay_order_note_write(const void *p);

#pragma GCC visibility pop

#endif
