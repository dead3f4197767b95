/* Inside of the host device: CUDA threads, blocks, launches and the OS threads that run them.
 *
 * A launch runs to its end before <<<>>> returns. Every OS thread (worker) runs its share of the
 * blocks: one after the other, or all at once if the launch is co-resident. A block runs in rounds.
 * In each round every thread that can run is resumed once, in the order of the schedule. An unfair
 * schedule has turns of a warp instead (unfair.cc), on one OS thread. Kernels' code runs on fibers,
 * everything else on the worker's own stack (at home).
 *
 * Barriers: of the block, of lanes (rendezvous.cc), of a part of the block (part.cc, named.cc), in
 * memory (mbarrier.cc), of the grid (grid.cc). Asynchronous copies (copies.cc) arrive at a moment
 * that the schedule draws, at the latest when they are waited for.
 *
 * Blocks that wait for each other without being co-resident may never end: CUDA promises them
 * nothing either. If on every worker threads only poll for a million turns and two seconds of its
 * CPU time since the last change, the launch ends as a deadlock; how busy the host is does not
 * matter. Polling is seen only at yield points. The translator makes one in each loop that it takes
 * for a wait (translate/waits.c); any other loop is left to the time limit of whoever started the
 * process.
 *
 * ThreadSanitizer is told explicitly what orders threads, and nothing else orders them: begin and
 * end of a launch, block and grid barriers, warp operations, and atomics and fences by their orders
 * (orders.cc). If one worker runs blocks in turn, their threads of the same rank share a context,
 * so races between these are not seen; but neighbouring blocks are on different workers, and other
 * schedules have other neighbours.
 *
 * Environment: ASSAY_HOST_THREADS, number of workers; ASSAY_HOST_NOTES, print what is legal but
 * suspicious; ASSAY_STRICT_MEMORY_MODEL, no barrier replaces a reader's fence. */
#ifndef ASSAY_HOST_EXECUTOR_H
#define ASSAY_HOST_EXECUTOR_H

#include "base/float_mode.h"
#include "device.h"
#include "fiber.h"
#include "host/block_calls.h"
#include "host/device_calls.h"
#include "orders.h"
#include "sanitizer.h"
#include "schedule.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <stdint.h>
#include <string.h>
#include <string>
#include <vector>

enum : unsigned {
    ASSAY_WARP_LANES         = 32,
    ASSAY_MAX_BLOCK_THREADS  = 1024,
    ASSAY_MAX_BLOCK_WARPS    = ASSAY_MAX_BLOCK_THREADS / ASSAY_WARP_LANES,
    ASSAY_STATIC_SHARED_MAX  = 48 * 1024,
    ASSAY_DYNAMIC_SHARED_MAX = 227 * 1024,
    /* Each resident thread may need a stack; ThreadSanitizer knows about 8000 contexts. */
    ASSAY_MAX_RESIDENT_THREADS = ASSAY_HAS_TSAN ? 4096 : 16384,
    ASSAY_N_NAMED_BARRIERS     = 16,
};

/* CUDA's numbers of launch errors. */
enum assay_launch_error : int {
    ASSAY_LAUNCH_OK              = 0,
    ASSAY_LAUNCH_VALUE           = 1,
    ASSAY_LAUNCH_MEMORY          = 2,
    ASSAY_LAUNCH_CONFIGURATION   = 9,
    ASSAY_LAUNCH_STREAM          = 400,
    ASSAY_LAUNCH_FAILURE         = 719,
    ASSAY_LAUNCH_COOPERATIVE_MAX = 720,
};

struct assay_site {
    const char *file;
    int         line;
};
inline bool operator==(const assay_site &a, const assay_site &b)
{
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

enum assay_thread_state : unsigned char {
    ASSAY_THREAD_FRESH, /* not begun */
    ASSAY_THREAD_RUN,   /* can go on */
    ASSAY_THREAD_BARRIER,
    ASSAY_THREAD_WARP,
    ASSAY_THREAD_ACTIVE, /* in __activemask, until the round ends */
    ASSAY_THREAD_GRID,
    ASSAY_THREAD_PART,  /* in an assay_part_op */
    ASSAY_THREAD_PHASE, /* until the phase `vote` of the barrier at `value` is over */
    ASSAY_THREAD_DONE,
    ASSAY_N_THREAD_STATES
};

struct assay_block;
struct assay_launch;
struct assay_worker;

struct assay_thread {
    assay_thread_state state;
    unsigned char      op; /* assay_block_op, assay_warp_op or assay_part_op it waits in */
    bool               vote;
    bool               has_polled; /* its last yield was a poll */
    unsigned           rank;       /* in the block */
    unsigned           budget;     /* yield points to pass before it gives way */
    unsigned           mask, source;
    uint64_t           value; /* operand of a warp operation, then its result */
    assay_site         site;  /* the last line where it waited or gave way */
    uint3              index;
    assay_block       *block;
    assay_fiber       *fiber; /* NULL while fresh or done */
    assay_orders       orders;
    void              *warp_object; /* the object that orders its last rendezvous */
};

/* Lanes as bit masks. */
struct assay_warp {
    unsigned exists, done, waiting;
    unsigned runnable; /* including fresh ones */
};

/* One use of a named barrier, from the first arrival to the last. */
struct assay_named_barrier {
    unsigned      n_threads; /* 0: all */
    unsigned      arrived;   /* threads; a warp counts as 32 */
    unsigned      n_voters, n_voted;
    unsigned      turn; /* number of earlier uses */
    assay_part_op op;   /* of the first thread that arrived */
    assay_site    site;
};

/* Lanes at a barrier of a part of the block: `gathering` until their warp is complete, then
 * `arrived`. */
struct assay_part_warp {
    unsigned gathering, arrived;
};

/* Barriers of parts of a block; all zero unless used. */
struct assay_parts {
    bool                is_used;
    assay_part_warp     warps[ASSAY_MAX_BLOCK_WARPS];
    assay_named_barrier named[ASSAY_N_NAMED_BARRIERS];
};

/* Objects by which ThreadSanitizer orders threads. Each block has new memory for them, since an old
 * object would order the block after the one that used it before. */
struct assay_block_objects {
    uint64_t barrier[2]; /* two alternate: with one, a thread that is ahead would be ordered too */
    uint64_t shared;     /* allocation of shared memory */
    uint64_t finish;     /* the end of a thread, before its memory is given back */
    uint64_t warp[ASSAY_MAX_BLOCK_THREADS][2]; /* by the lowest lane of a rendezvous */
    unsigned char warp_turn[ASSAY_MAX_BLOCK_THREADS];
    uint64_t      named[ASSAY_N_NAMED_BARRIERS][2];
    uint64_t      group[ASSAY_MAX_BLOCK_WARPS][2]; /* by the first warp */
    unsigned char group_turn[ASSAY_MAX_BLOCK_WARPS];
};

/* Shared memory of a resident block: arrays with gaps between them that nothing may touch. */
struct assay_shared_entry {
    const void *key;
    char       *data;
    size_t      bytes, start, gap_bytes; /* start: its offset in the arena */
    const char *name;
    assay_site  site;
};
struct assay_shared {
    char                           *memory; /* one mapping, reused; NULL under ThreadSanitizer */
    size_t                          used;
    size_t                          static_bytes;
    std::vector<assay_shared_entry> entries;
};

/* An asynchronous copy that has not arrived. Without bytes it is an arrival at a barrier, which
 * waits for the copies before it. */
struct assay_copy {
    char       *to;
    const char *from;
    size_t      bytes, n_zeros;
    uint64_t    due; /* in the units of assay_copies.now; UINT64_MAX: only when it is waited for */
    unsigned    group;
    uint64_t   *barrier; /* or NULL */
    bool        is_bulk; /* its bytes count at the barrier */
};
struct assay_thread_copies {
    std::vector<assay_copy> on_way; /* oldest first */
    unsigned                n_groups;
};
struct assay_copies {
    bool     is_used;
    unsigned n_on_way;
    uint64_t now, next_due; /* counts: one for each resumed thread and each copy begun */
    std::vector<assay_thread_copies> threads; /* by rank */
};

struct assay_block {
    assay_launch *launch;
    assay_worker *worker;
    unsigned      slot; /* among the worker's resident blocks */
    uint64_t      number;
    uint3         index;
    assay_random  random;
    unsigned      n_threads, live, at_barrier, at_grid, active, runnable;
    unsigned      barrier_turn, held_turn;
    int           barrier_result;
    bool          waits_for_grid;
    uint64_t      grid_turn; /* grid barriers passed */
    uint32_t      held;      /* warps that wait until no other can run, as bits; since held_turn */
    bool          is_fair;   /* a thread has polled, so no warp is held */

    std::vector<assay_thread> threads;
    std::vector<uint16_t>     order; /* of this round, when shuffled */
    assay_warp                warps[ASSAY_MAX_BLOCK_WARPS];
    assay_parts               parts;
    assay_copies              copies;
    assay_shared              shared;
    assay_block_objects      *objects; /* NULL without ThreadSanitizer */

    uint64_t priority[ASSAY_MAX_BLOCK_WARPS]; /* in an unfair schedule */
    unsigned n_turns;                         /* in an unfair schedule */
};

struct assay_launch {
    const assay_launch_request *request;
    assay_schedule              schedule;
    uint64_t                    n_blocks;
    unsigned                    n_threads;        /* of a block */
    bool                        is_shared_raised; /* static and dynamic together may be 227 KiB */
    unsigned                    n_workers;
    assay_worker               *workers; /* [n_workers] */

    std::atomic<bool>     has_fault;
    assay_fault           fault;
    std::atomic<uint64_t> blocks_begun;
    std::atomic<uint64_t> grid_count; /* blocks done << 32 | blocks at the grid barrier */
    std::atomic<uint64_t> grid_turn;

    std::mutex mutex;                             /* of the facts below */
    char       float_mode[ASSAY_FLOAT_MODE_SIZE]; /* mode that a thread has left, or "" */
    assay_site grid_site;                         /* a place where a thread waits for the grid */
    uint64_t   n_early_exits; /* barriers that opened although threads had exited */
    assay_site early_exit;    /* the last of them */

    uint64_t begin_object, end_object, grid_object[2]; /* ThreadSanitizer */
};

struct assay_worker {
    unsigned         index;
    assay_launch    *launch; /* NULL between launches */
    assay_fiber_home home;
    assay_thread    *current;      /* NULL at home */
    bool             has_progress; /* in this round: something has changed, besides polls */
    uint64_t         n_resumed;
    /* For the search for spinning; other workers read these. */
    std::atomic<uint64_t> epoch;
    std::atomic<uint64_t> spun_at; /* 1 + the sum of epochs at which it only polled; 0: never */
    std::atomic<bool>     is_finished;

    std::vector<std::unique_ptr<assay_block>> blocks; /* resident ones, reused */
    std::vector<assay_fiber *>                fibers; /* free ones; under ThreadSanitizer all, by
                                                         slot and rank */
    void            *janitor; /* the context of ThreadSanitizer that frees memory */
    assay_order_pool orders;
};

/* The worker of this OS thread while it runs a launch. */
extern __thread assay_worker *assay_worker_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* A module does not share its executor with others. */
#pragma GCC visibility push(hidden)

/* ---- block.cc */
void assay_block_begin(assay_block *block, uint64_t number);
/* Runs one round or, in an unfair schedule, one turn of a warp, whose lanes are resumed once. True
 * while threads are left. */
bool assay_block_round(assay_block *block);
bool assay_block_turn(assay_block *block, unsigned warp);
void assay_block_end(assay_block *block); /* also if a fault stopped it */
/* The running thread leaves for home; returns when it is resumed. */
void assay_thread_leave(assay_thread *thread, assay_thread_state state);
/* A waiting thread can go on. */
void assay_thread_wake(assay_thread *thread);
/* Returns the running thread, and notes where it is. Device functions that wait have no meaning
 * outside a kernel: there the process ends. */
inline assay_thread *assay_thread_running(const char *file, int line)
{
    assay_worker *worker = assay_worker_self;

    if (!worker || !worker->current)
        assay_abort(file, line, "a device function that waits was called outside a kernel");
    worker->current->site = assay_site { file, line };
    return worker->current;
}

/* ---- rendezvous.cc: called at home */
void assay_warp_recheck(assay_block *block, unsigned warp); /* after a lane exited */
void assay_active_settle(assay_block *block);
void assay_barrier_settle(assay_block *block);
/* ---- part.cc */
void assay_part_recheck(assay_block *block, unsigned warp); /* after a lane exited */
/* "bar.sync 1, 64 (32 of 64 threads arrived)" */
std::string assay_part_text(const assay_thread &thread);
/* ---- grid.cc */
void assay_grid_settle(assay_block *block);
void assay_grid_block_done(assay_block *block);

/* ---- shared.cc */
void assay_shared_begin(assay_block *block);
void assay_shared_end(assay_block *block);
void assay_shared_destroy(assay_shared *shared);

/* Finds the array of the block's shared memory that holds these bytes, or NULL. */
const assay_shared_entry *assay_shared_find(const assay_block *block, const void *p, size_t bytes);

/* ---- copies.cc */
/* Lets copies arrive that are due; n_threads are about to be resumed. */
void assay_copies_round(assay_block *block, unsigned n_threads);
void assay_copies_leave(assay_thread *thread); /* all of its copies arrive */
void assay_copies_end(assay_block *block);
/* If all that a phase of the barrier still waits for are copies that have not arrived, lets them
 * arrive. */
void assay_copies_settle(assay_block *block, uint64_t *barrier);

/* ---- mbarrier.cc */
void assay_mbarrier_arrive(assay_block *block, uint64_t *barrier, unsigned count, unsigned bytes);
/* Adds one arrival to this phase only. */
void assay_mbarrier_add(assay_block *block, uint64_t *barrier);
/* Called after a change: threads that sleep at the barrier may now only wait for copies. */
void assay_mbarrier_changed(assay_block *block, uint64_t *barrier);
/* Does the phase wait for exactly this? */
bool assay_mbarrier_is_missing(const uint64_t *barrier, uint64_t n_arrivals, uint64_t bytes);
/* "phase 0, 3 arrivals and 128 bytes to come" */
std::string assay_mbarrier_text(const assay_thread &thread);

/* ---- fault.cc */
/* Records the launch's first fault and stops it; the sentence names kernel and block. */
void assay_fault_raise(assay_block *block, assay_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same on the fiber of a thread, which does not continue. */
[[noreturn]] void assay_fault_stop(assay_thread *thread, assay_fault_kind kind, const char *format,
                                   ...) __attribute__((format(printf, 3, 4)));
/* Where the threads of the block are, the most frequent line first. */
std::string assay_fault_threads(const assay_block *block);
/* No std::string, since the stacks it would be on are abandoned. */
struct assay_text {
    char text[128];
};
assay_text  assay_site_text(const assay_site &site);
const char *assay_warp_op_text(unsigned op);
const char *assay_block_op_text(unsigned op);

/* ---- worker.cc */
/* CPU time for which each OS thread polls before the launch counts as a deadlock. Tests lower
 * it. */
extern double assay_worker_spin_cpu_s;
/* Runs a worker's share of the launch. */
void assay_worker_run(assay_worker *worker);
void assay_worker_destroy(assay_worker *worker);
/* Runs the launch on `n_workers` OS threads, the caller being one; the pool keeps the others. */
void     assay_pool_run(assay_launch *launch, unsigned n_workers);
unsigned assay_pool_size(void);
/* Ends the OS threads and frees all stacks; the next launch starts them again. */
void assay_pool_shut_down(void);

/* ---- launch.cc: what device_host.cc needs */
void assay_executor_schedule(const assay_schedule *schedule);
/* Launches must come on this stream (NULL: on any). */
void assay_executor_expect_stream(const void *stream);
/* The text of the last refused launch; "" if none was refused. */
const char *assay_executor_launch_text(void);
/* Counts since the last reset. */
void assay_executor_reset_counts(void);
int  assay_executor_launches(void);
bool assay_executor_has_waited(void);
/* The first call of the runtime that waits or allocates, and where it was made; "" if there was
 * none. */
const char *assay_executor_wait_text(void);
/* An error that the launcher asked for, and thereby cleared; 0: none. */
int assay_executor_forgotten(void);
/* Reports a kernel that was called like a function of the host. */
void assay_executor_refuse_call(void);
/* ---- declared.cc: kernels of this module by number, and a launcher of those of args->plan */
bool assay_host_device_kernel(int i, assay_kernel_entry *entry);
int  assay_host_launch_plan(const assay_args *args, assay_stream stream);
/* The limits of shared memory that launchers have raised so far; undo sets them back to the
 * default. */
int64_t assay_executor_n_settings(void);
void    assay_executor_undo_settings(void);
/* Takes the pending fault out; kind NONE if there was none. */
/* A changed floating-point mode is reported after all other faults, since it stopped nothing. */
void assay_executor_take_fault(assay_fault *fault);

#pragma GCC visibility pop

#endif
