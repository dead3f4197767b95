/* Orders of memory as ThreadSanitizer is told of them (orders.cc): what a thread keeps from its
 * releases until its writes, and from its reads until its acquires. */
#ifndef ASSAY_HOST_ORDERS_H
#define ASSAY_HOST_ORDERS_H

#include <stddef.h>
#include <stdint.h>

struct assay_block;
struct assay_launch;
struct assay_thread;
struct assay_worker;
struct assay_message;
struct assay_message_link;

enum : unsigned {
    ASSAY_N_RECENT_READS  = 8,
    ASSAY_ORDER_POOL_HEAD = 64, /* bytes of a chunk before its first use */
};

/* Orders of a thread. Empty without ThreadSanitizer, to keep threads small. */
struct assay_orders {
#ifdef ASSAY_TSAN
    /* Messages of its last fences, which its next relaxed write leaves for readers. */
    assay_message *for_device, *for_block;
    bool           for_system; /* and for the host */
    /* What relaxed reads saw, until a fence acquires it. */
    assay_message_link *seen;
    const void         *last_read; /* a place whose messages were taken, at the version below */
    uint64_t            last_version;
    bool                last_is_update;
    const char         *update_file; /* the last read-modify-write that read a message */
    int                 update_line;
    /* Volatile words that it has read since; their messages are looked up later. */
    const void *recent[ASSAY_N_RECENT_READS];
    unsigned    n_recent;
#endif
};

/* A barrier that replaced the fence of a reader. */
struct assay_order_note {
    const char *update_file, *barrier_file; /* NULL: there was none */
    int         update_line, barrier_line;
};

/* An OS thread's memory for messages, which is reused when a launch ends. */
struct assay_order_pool {
    char               *first_chunk, *chunk; /* each begins with the address of the next */
    size_t              used;
    assay_message      *free_messages;
    assay_message_link *free_links;
    assay_order_note    note;
};

#pragma GCC visibility push(hidden)

/* A thread begins; what it had kept is dropped. */
void assay_orders_begin(assay_thread *thread);
/* The running thread arrives at a barrier of the block, or of lanes of its warp. Unless the memory
 * model is strict, the messages that its read-modify-writes have read are acquired. */
void assay_orders_barrier(assay_thread *thread, bool is_of_warp);
/* Called outside of a launch, before it: forgets all words. */
void assay_orders_reset(assay_launch *launch);
/* Does each reader need a fence of its own? $ASSAY_STRICT_MEMORY_MODEL */
bool assay_orders_are_strict(void);

#pragma GCC visibility pop

#endif
