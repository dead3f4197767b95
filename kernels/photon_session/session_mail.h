/* What the host and the resident kernel write to each other, in pinned host memory that both see,
 * and the arguments of the kernel. In C, CUDA C++ and C++. */
#ifndef SESSION_MAIL_H
#define SESSION_MAIL_H

#include "../photon_propagate/photon_ends.h"
#include "photon_session.h"

enum {
    SESSION_SLOTS     = 64,  /* a power of two: tickets wrap */
    SESSION_SAMPLES   = 256, /* kept for the host */
    SESSION_SMS       = 256, /* the most SMs */
    SESSION_DETECTORS = 4,
    SESSION_BELL_STOP = 1, /* in the upper half of the bell, beside the number of cancels */
};

/* Photons of a session have no weight: until they are initialised, photons that are given have
 * their flags in its place. The rest of their words follows from the order. */
enum {
    SESSION_GIVEN_FLAGS = PHOTON_WEIGHT
};

/* What happens to photons of a cancelled event. */
typedef enum session_cancel_kind {
    SESSION_GOES_ON,
    SESSION_DROPS, /* photons that come up are dropped */
    SESSION_KEEPS  /* ... after their state was written to their page */
} session_cancel_kind;

/* Flags that no photon has. In a record: its photon is left in its page. In a page made from a
 * checkpoint: there is no photon. */
#define SESSION_LEFT 0xffffffffu
#define SESSION_GONE 0xffffffffu

/* Where an event's photons come from. */
typedef enum session_given {
    SESSION_OF_SOURCE,
    SESSION_IN_PAGES, /* reals in the slot's pages */
    SESSION_IN_BATCH, /* in the order's arrays */
    SESSION_IN_STATES /* in the slot's pages, with the order's tally: from a checkpoint */
} session_given;

/* An event for the kernel. */
typedef struct session_order {
    uint32_t      ticket, slot;
    uint32_t      photons, steps, detector;
    uint32_t      given; /* session_given */
    uint32_t      wants_parts;
    uint32_t      seed;
    photon_source source;  /* the kernel sets its event */
    photon_batch  batch;   /* in device memory */
    float        *records; /* [6 * 3 * photons] words: place, time, flags, face */
    uint32_t     *tally;   /* host memory, [n_tally] */
} session_order;

/* An event's end, as the kernel tells it to the host. */
typedef struct session_notice {
    uint32_t done; /* ticket + 1, written last */
    uint32_t n_spawned, n_dropped;
    uint32_t pad;
    uint64_t admitted_ns, ended_ns; /* by the device's clock */
    uint64_t more[12];              /* fills up 128 bytes: each slot has a line of its own */
} session_notice;

typedef struct session_sample {
    uint64_t time_ns;
    uint32_t n_active, n_spawn, n_unfinished, n_finished, n_busy_warps;
    uint32_t pad;
} session_sample;

typedef struct session_mail {
    /* Written by the host. The bell: the lower half has the tickets submitted, the upper half 2 *
     * cancels + SESSION_BELL_STOP. It is one word, so that the kernel looks at one place. */
    uint64_t      bell;
    uint64_t      bell_line[15];
    uint32_t      host_beat;
    uint32_t      beat_line[31];
    uint64_t      cancel[SESSION_SLOTS]; /* session_cancel_kind << 32 | ticket + 1; by slot */
    session_order order[SESSION_SLOTS];  /* by ticket */
    /* Written by the device. */
    uint32_t       device_beat;
    uint32_t       n_samples;
    uint64_t       beat_ns; /* of the last beat, by the device's clock */
    uint32_t       device_line[28];
    session_notice notice[SESSION_SLOTS]; /* by slot */
    session_sample sample[SESSION_SAMPLES];
} session_mail;

/* An event in device memory, on lines of its own. */
typedef struct session_event {
    session_order order;
    uint64_t      admitted_ns;
    uint64_t      line[15];
    uint64_t      source; /* photons << 32 | photons that warps have claimed */
    uint64_t      source_line[15];
    int32_t       live;                 /* injected + spawned - finished */
    uint32_t      cancelled, n_dropped; /* session_cancel_kind */
    uint32_t      n_ends;               /* ends that have a place in a part */
    uint32_t      live_line[28];
} session_event;

/* The work of an SM (on the host device, of a block); the sums are right whenever none of its warps
 * is at work. */
typedef struct session_clock {
    uint64_t sm_ns, warp_ns;   /* with at least one warp at work; summed over warps */
    uint64_t n_steps, n_lanes; /* steps of warps, and of lanes that had a photon */
    uint64_t work_cycles, stage_cycles[PHOTON_STAGES];
    uint32_t n_busy; /* warps at work */
    uint32_t line[11];
} session_clock;

typedef struct session_control {
    uint32_t n_admitted; /* tickets */
    uint32_t line_0[31];
    uint32_t current; /* ticket of the event from whose source warps claim */
    uint32_t line_1[31];
    uint32_t must_stop;
    uint32_t line_2[31];
    uint32_t is_sparse; /* fewer warps are at work than compact_below says */
    uint32_t line_3[31];
    uint64_t begun_ns;
    uint32_t slot_of[SESSION_SLOTS]; /* by ticket */
} session_control;

/* The arguments of the kernel: in device memory unless it says otherwise. */
typedef struct session_launch {
    session_mail    *mail; /* pinned host memory */
    session_control *control;
    session_event   *events;  /* [slots] */
    session_clock   *clocks;  /* [SESSION_SMS] */
    uint32_t        *tallies; /* [slots][n_tally] */
    float           *records; /* [slots][records_words] */
    void            *rings;   /* two, of one word an item */
    photon_pages     pages;   /* places slot << log2_places | photon */
    photon_world     detectors[SESSION_DETECTORS];
    photon_end_row  *ends;       /* [slots][n_parts][part_ends], in the order of the ends */
    uint32_t        *written;    /* [slots][n_parts]: ends that have been written */
    uint32_t        *ready;      /* [slots][n_parts], pinned host memory: ticket + 1 when all are
                                  * written */
    uint32_t part_ends, n_parts; /* n_parts: of the largest event */
    uint32_t n_detectors, n_slots, n_tally, log2_places;
    uint32_t vacant, every, spawn_depth, budget;
    float    compact_below;
    uint32_t blocks, block, n_sms;
    uint64_t sample_interval_ns, patience_ns;
} session_launch;

#ifdef __cplusplus
extern "C" {
#endif

/* Sets how many blocks there will be (as many as fit, at most launch->blocks unless that is 0) and
 * how many SMs. All of these return 0 or an error number. */
int session_plan(session_launch *launch);
/* Launches: resets the rings, then stays. */
int session_start(const session_launch *launch, assay_stream stream);
/* Waits for the stream. */
int session_await(assay_stream stream);

/* Bytes of the two rings: room for every place in each. */
size_t session_rings_bytes(const session_launch *launch);

#ifdef __cplusplus
}
#endif

#endif
