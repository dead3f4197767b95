/* Orders of memory as ThreadSanitizer is told of them (orders.cc): what a thread carries from its
 * releases to its writes, and from its reads to its acquires. */
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

/* Of a thread; empty where nobody is told, for threads should be small. */
struct assay_orders {
#ifdef ASSAY_TSAN
    /* What its fences have released, for whoever may be told: by its next relaxed write. */
    assay_message *for_device, *for_block;
    bool           for_system; /* and for the host */
    /* What relaxed reads saw, until a fence acquires it. */
    assay_message_link *seen;
    const void         *last_read; /* a place whose messages have been taken, at this version */
    uint64_t            last_version;
    bool                last_is_update;
    const char         *update_file; /* the last read-modify-write that saw something */
    int                 update_line;
    /* Volatile words that it has read since: what they told is looked up later. */
    const void *recent[ASSAY_N_RECENT_READS];
    unsigned    n_recent;
#endif
};

/* A barrier that stood in for the fence of a reader. */
struct assay_order_note {
    const char *update_file, *barrier_file; /* NULL: there was none */
    int         update_line, barrier_line;
};

/* Of an OS thread: its memory for messages, taken back when a launch ends. */
struct assay_order_pool {
    char               *first_chunk, *chunk; /* each begins with where the next one is */
    size_t              used;
    assay_message      *free_messages;
    assay_message_link *free_links;
    assay_order_note    note;
};

#pragma GCC visibility push(hidden)

/* A thread begins anew; what it carried is forgotten. */
void assay_orders_begin(assay_thread *thread);
/* The running thread arrives at a barrier of the block, or of lanes of its warp. Unless the memory
 * model is strict, what its read-modify-writes saw of others is thereby acquired. */
void assay_orders_barrier(assay_thread *thread, bool is_of_warp);
/* Before a launch, outside of it: nothing is known of any word. */
void assay_orders_reset(assay_launch *launch);
/* Is each reader to have its own fence? $ASSAY_STRICT_MEMORY_MODEL */
bool assay_orders_are_strict(void);

#pragma GCC visibility pop

#endif
