/* Orders of memory under ThreadSanitizer, which knows no fences. A release hands on a message: a
 * moment of a thread's clock, kept in an object of the tool. Each word that is written atomically
 * has the messages that its readers get; a thread that acquires acquires these objects. By the
 * rules of C++ and PTX:
 *
 *   a release, or a write after a fence  leaves a message: of that moment, or of the fence
 *   a write without either               removes what others have left, and keeps its own
 *   a read-modify-write                  keeps what is there
 *   an acquire                           takes the messages of the word
 *   a relaxed read                       takes them once a fence comes
 *
 * and each as far as both scopes reach. A kernel's operation on a word and the report of it are one
 * step, under the lock of the word's bucket. The lock, the memory and all accesses here are this
 * file's own: the tool would see those of the C library, and order threads by them. */
#include "orders_internal.h"

#include <stdlib.h>

bool assay_orders_are_strict(void)
{
    static const bool is_strict = [] {
        const char *text = getenv("ASSAY_STRICT_MEMORY_MODEL");

        return text && text[0] && text[0] != '0';
    }();

    return is_strict;
}

#ifndef ASSAY_TSAN

void assay_orders_begin(assay_thread *) {}
void assay_orders_barrier(assay_thread *, bool) {}
void assay_orders_reset(assay_launch *) {}

#else

namespace
{
struct word {
    const void         *address;
    assay_message_link *left; /* messages for its readers */
    uint64_t            version;
    word               *next;
};
struct bucket {
    std::atomic<bool> is_locked;
    word             *first;
};
const unsigned N_BUCKETS = 1u << 12;

bucket                buckets[N_BUCKETS];
std::atomic<bool>     has_words;
std::atomic<uint64_t> n_versions;
} // namespace

/* ---- words */

static bucket *bucket_of(const void *p)
{
    const uint64_t z = (reinterpret_cast<uintptr_t>(p) >> 2) * 0x9e3779b97f4a7c15u;

    return &buckets[z >> 52];
}

static bucket *lock(const void *p)
{
    bucket *b = bucket_of(p);

    while (b->is_locked.exchange(true, std::memory_order_acquire))
        continue;
    return b;
}

static void unlock(bucket *b) { b->is_locked.store(false, std::memory_order_release); }

static word *find(const bucket *b, const void *p)
{
    word *w = b->first;

    while (w && w->address != p)
        w = w->next;
    return w;
}

static word *add_word(bucket *b, const void *p)
{
    word *w = static_cast<word *>(assay_order_memory(assay_order_pool_here(), sizeof(word)));

    w->address = p;
    w->left    = nullptr;
    w->version = 0;
    w->next    = b->first;
    b->first   = w;
    has_words.store(true, std::memory_order_relaxed);
    return w;
}

/* ---- reading */

static bool can_see(const assay_thread *thread, const assay_message_link *link,
                    assay_host_scope scope)
{
    return assay_message_is_near(link->message, thread) ||
           (!link->is_of_block && scope != ASSAY_SCOPE_BLOCK);
}

/* Keeps a message that was read, until a fence; of each other thread only the last one. */
static void keep_seen(assay_thread *thread, const assay_message_link *left, bool is_update)
{
    assay_orders       *own = &thread->orders;
    assay_message_link *l   = own->seen;

    while (l && (l->message->fiber != left->message->fiber || l->is_of_update != is_update))
        l = l->next;
    if (!l) {
        own->seen               = assay_message_hold(left->message, own->seen);
        own->seen->is_of_update = is_update;
        assay_message_keep(&own->seen->later, left->later);
        return;
    }
    if (l->message->number < left->message->number)
        assay_message_keep(&l->message, left->message);
    if (left->later && (!l->later || l->later->number < left->later->number))
        assay_message_keep(&l->later, left->later);
}

/* The thread has read the word. Its messages are acquired now, or wait for a fence. */
static void take(assay_thread *thread, const word *w, unsigned what, assay_host_scope scope)
{
    assay_orders *own       = &thread->orders;
    const bool    is_update = (what & ASSAY_ATOMIC_WRITES) != 0;

    if (!(what & ASSAY_ATOMIC_ACQUIRES) && own->last_read == w->address &&
        own->last_version == w->version && own->last_is_update >= is_update)
        return;
    for (const assay_message_link *l = w->left; l; l = l->next) {
        if (l->message->fiber == thread->fiber || !can_see(thread, l, scope))
            continue;
        if (what & ASSAY_ATOMIC_ACQUIRES)
            assay_message_acquire(l->message);
        else
            keep_seen(thread, l, is_update);
    }
    if (what & ASSAY_ATOMIC_ACQUIRES)
        return;
    own->last_read      = w->address;
    own->last_version   = w->version;
    own->last_is_update = is_update;
}

static void look_up(assay_thread *thread, const void *p)
{
    bucket     *b = lock(p);
    const word *w = find(b, p);

    if (w)
        take(thread, w, ASSAY_ATOMIC_READS, ASSAY_SCOPE_SYSTEM);
    unlock(b);
}

/* ---- writing

   A barrier that replaces a reader's fence orders the fenced update itself as well. In common
   idioms the thread that saw the update then writes the word plainly: count = 0. */

/* Leaves a message at the word. A thread's later message includes its earlier ones. */
static void leave(word *w, assay_message *message, assay_message *later, bool is_of_block)
{
    for (const assay_message_link *l = w->left; l && !later; l = l->next)
        if (l->message == message && l->is_of_block <= is_of_block)
            return;
    w->version = n_versions.fetch_add(1, std::memory_order_relaxed) + 1;
    for (assay_message_link **at = &w->left; *at;)
        if ((*at)->message->fiber == message->fiber && (*at)->is_of_block >= is_of_block)
            assay_message_drop(at);
        else
            at = &(*at)->next;
    w->left              = assay_message_hold(message, w->left);
    w->left->is_of_block = is_of_block;
    assay_message_keep(&w->left->later, later);
}

/* Removes messages from the word. A plain write removes those of other threads. An update removes
 * those that it acquires and hands on in its own message. */
static void drop_left(word *w, const assay_thread *thread, unsigned what, assay_host_scope scope)
{
    const bool is_update = (what & ASSAY_ATOMIC_READS) != 0;
    const bool hands_on  = (what & ASSAY_ATOMIC_ACQUIRES) && (what & ASSAY_ATOMIC_RELEASES) &&
                          scope != ASSAY_SCOPE_BLOCK;

    if (is_update && !hands_on)
        return;
    for (assay_message_link **at = &w->left; *at;)
        if (is_update ? can_see(thread, *at, scope) : (*at)->message->fiber != thread->fiber)
            assay_message_drop(at);
        else
            at = &(*at)->next;
}

static void put(assay_thread *thread, bucket *b, word *w, const void *p, unsigned what,
                assay_host_scope scope)
{
    assay_orders *own         = &thread->orders;
    const bool    is_of_block = scope == ASSAY_SCOPE_BLOCK;
    const bool    is_fenced   = own->for_device || own->for_block;
    const bool    releases    = (what & ASSAY_ATOMIC_RELEASES) != 0;
    const bool    is_idiom = is_fenced && (what & ASSAY_ATOMIC_READS) && !assay_orders_are_strict();
    assay_message *now     = releases || is_idiom ? assay_message_new(thread) : nullptr;
    const bool     tells   = now || is_fenced;

    if (!w && tells)
        w = add_word(b, p);
    if (!w)
        return;
    drop_left(w, thread, what, scope);
    if (releases)
        leave(w, now, nullptr, is_of_block);
    else {
        if (own->for_device)
            leave(w, own->for_device, now, is_of_block);
        if (own->for_block)
            leave(w, own->for_block, now, true);
    }
    assay_message_let_go(now);
    if (own->for_system)
        assay_tsan_release(const_cast<void *>(p));
}

/* ---- what kernels call */

void assay_host_atomic_begin(const void *p)
{
    if (assay_order_thread())
        (void)lock(p);
}

void assay_host_atomic_end(const void *p, unsigned what, assay_host_scope scope, const char *file,
                           int line)
{
    assay_thread *thread = assay_order_thread();
    bucket       *b      = bucket_of(p);
    word         *w;

    if (!thread)
        return;
    w = find(b, p);
    if (w && w->left && (what & ASSAY_ATOMIC_READS)) {
        take(thread, w, what, scope);
        if (what & ASSAY_ATOMIC_WRITES) {
            thread->orders.update_file = file;
            thread->orders.update_line = line;
        }
    }
    if (what & ASSAY_ATOMIC_WRITES)
        put(thread, b, w, p, what, scope);
    unlock(b);
}

static void acquire_seen(assay_thread *thread, assay_host_scope scope)
{
    assay_orders *own = &thread->orders;

    for (unsigned i = 0; i < own->n_recent && i < ASSAY_N_RECENT_READS; i++)
        look_up(thread, own->recent[i]);
    own->n_recent = 0;
    for (assay_message_link **at = &own->seen; *at;)
        if (scope != ASSAY_SCOPE_BLOCK || assay_message_is_near((*at)->message, thread)) {
            assay_message_acquire((*at)->message);
            assay_message_drop(at);
        } else
            at = &(*at)->next;
}

/* Replaces the message that was held; the caller's hold passes to `at`. */
static void replace(assay_message **at, assay_message *message)
{
    assay_message_let_go(*at);
    *at = message;
}

void assay_host_fence(unsigned what, assay_host_scope scope)
{
    assay_thread *thread = assay_order_thread();

    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!thread)
        return;
    if (what & ASSAY_ATOMIC_ACQUIRES)
        acquire_seen(thread, scope);
    if (!(what & ASSAY_ATOMIC_RELEASES))
        return;
    if (scope == ASSAY_SCOPE_BLOCK) {
        replace(&thread->orders.for_block, assay_message_new(thread));
        return;
    }
    replace(&thread->orders.for_block, nullptr);
    replace(&thread->orders.for_device, assay_message_new(thread));
    thread->orders.for_system |= scope == ASSAY_SCOPE_SYSTEM;
}

/* ---- volatile accesses (volatile.cc): relaxed ones */

void assay_order_note_read(const void *p)
{
    assay_thread *thread = assay_order_thread();
    assay_orders *own    = &thread->orders;
    const void  **recent = &own->recent[own->n_recent % ASSAY_N_RECENT_READS];

    for (unsigned i = 0; i < own->n_recent && i < ASSAY_N_RECENT_READS; i++)
        if (own->recent[i] == p)
            return;
    if (own->n_recent >= ASSAY_N_RECENT_READS)
        look_up(thread, *recent);
    *recent = p;
    own->n_recent++;
}

void assay_order_note_write(const void *p)
{
    assay_thread *thread = assay_order_thread();
    bucket       *b      = lock(p);

    put(thread, b, find(b, p), p, ASSAY_ATOMIC_WRITES, ASSAY_SCOPE_SYSTEM);
    unlock(b);
}

/* ---- what the executor calls */

void assay_orders_begin(assay_thread *thread)
{
    assay_orders *own = &thread->orders;

    while (own->seen)
        assay_message_drop(&own->seen);
    assay_message_let_go(own->for_device);
    assay_message_let_go(own->for_block);
    *own = assay_orders {};
}

void assay_orders_barrier(assay_thread *thread, bool is_of_warp)
{
    assay_orders     *own  = &thread->orders;
    assay_order_note *note = &assay_order_pool_here()->note;

    if (!own->seen || assay_orders_are_strict())
        return;
    for (assay_message_link **at = &own->seen; *at;) {
        const assay_message *m = (*at)->message;
        /* Threads that meet at this barrier need no fence. */
        const bool is_met = assay_message_is_near(m, thread) &&
                            (!is_of_warp || m->warp == thread->rank / ASSAY_WARP_LANES);

        if (!(*at)->is_of_update || is_met) {
            at = &(*at)->next;
            continue;
        }
        assay_message_acquire((*at)->later ? (*at)->later : m);
        assay_message_drop(at);
        if (!note->barrier_file)
            *note = assay_order_note { own->update_file, thread->site.file, own->update_line,
                                       thread->site.line };
    }
}

void assay_orders_reset(assay_launch *launch)
{
    for (unsigned i = 0; i < launch->n_workers; i++) {
        assay_order_pool *pool = &launch->workers[i].orders;

        *pool = assay_order_pool { pool->first_chunk, pool->first_chunk, ASSAY_ORDER_POOL_HEAD,
                                   nullptr,           nullptr,           {} };
    }
    if (!has_words.exchange(false, std::memory_order_relaxed))
        return;
    for (bucket &b : buckets)
        b.first = nullptr;
}

#endif
