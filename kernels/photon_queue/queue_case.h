/* How the case photon_queue numbers its buffers, parameters and counts, and its script at rest. The
 * case, the reference and the launchers share it, so that the numbers stand in one place. */
#ifndef PHOTON_QUEUE_CASE_H
#define PHOTON_QUEUE_CASE_H

enum {
    QUEUE_BUF_ITEMS,   /* [n_words][n_all]: what is pushed; word 0 is the id */
    QUEUE_BUF_TAKEN,   /* [n_words][n_all]: what was popped, at the consumers' places */
    QUEUE_BUF_ANSWERS, /* [steps]: items moved by each step of the script; empty unless at rest */
    QUEUE_BUF_STATS,   /* [QUEUE_N_STATS] */
    QUEUE_N_BUFS
};

enum {
    QUEUE_PARAM_CAPACITY,
    QUEUE_PARAM_WORDS,      /* of an item */
    QUEUE_PARAM_BLOCKS,     /* of the grid */
    QUEUE_PARAM_THREADS,    /* of a block */
    QUEUE_PARAM_PRODUCERS,  /* the first ones of each `period` blocks push; 0: every block does
                             * both */
    QUEUE_PARAM_PERIOD,     /* 1 if every block does both */
    QUEUE_PARAM_PUSHES,     /* operations of a producer thread */
    QUEUE_PARAM_POPS,       /* operations of a consumer thread */
    QUEUE_PARAM_BATCH,      /* items of an operation */
    QUEUE_PARAM_START,      /* of the counters */
    QUEUE_PARAM_N_FLOW,     /* items that go through the queue under contention */
    QUEUE_PARAM_N_ALL,      /* the same, plus those of the script at rest */
    QUEUE_PARAM_IS_WATCHED, /* counts, clock stamps, idle lanes, and the script */
    QUEUE_N_PARAMS
};

/* Counts of one side, pushes or pops. A time is from asking until done, by the clock of one
 * thread. */
enum {
    QUEUE_SIDE_RETRIES,
    QUEUE_SIDE_POLLS,
    QUEUE_SIDE_ATOMICS,
    QUEUE_SIDE_ASKED,   /* times that began */
    QUEUE_SIDE_DONE,    /* times that ended; the next one begins after it */
    QUEUE_SIDE_OUTSIDE, /* of those, times below 0 or from before the thread started */
    QUEUE_SIDE_WAITED,  /* ticks: sum of the times, each counted once for every item */
    QUEUE_SIDE_TICKS,   /* [QUEUE_BINS]: items by their time, in powers of two; the last bin is
                         * open */
    QUEUE_BINS       = 32,
    QUEUE_SIDE_STATS = QUEUE_SIDE_TICKS + QUEUE_BINS
};

enum {
    QUEUE_STAT_GAVE_UP,    /* threads that ran out of time */
    QUEUE_STAT_MISCOUNTED, /* chunks whose number of items is not the number pushed together */
    QUEUE_STAT_SPAN,       /* ticks from start to end, over all threads */
    QUEUE_STAT_PUSH,       /* [QUEUE_SIDE_STATS] */
    QUEUE_STAT_POP = QUEUE_STAT_PUSH + QUEUE_SIDE_STATS,
    QUEUE_N_STATS  = QUEUE_STAT_POP + QUEUE_SIDE_STATS
};

/* The script at rest: one block runs it step by step. Sizes: 1, a batch (the smaller of 128 and the
 * capacity), or the whole capacity in batches. */
enum {
    QUEUE_REST_BATCH  = 128,
    QUEUE_N_RESTARTS  = 2, /* of the long part, each with its own counters */
    QUEUE_TAIL_STEPS  = 4, /* on the ring as the flow has left it */
    QUEUE_SCRIPT_SIZE = 13,
    QUEUE_N_ANSWERS   = QUEUE_TAIL_STEPS + QUEUE_N_RESTARTS * QUEUE_SCRIPT_SIZE
};

#endif
