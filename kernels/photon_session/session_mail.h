/* What the host and the resident kernel write to each other, in pinned host memory that both see,
 * and what the kernel is launched with. In C, CUDA C++ and C++. */
#ifndef SESSION_MAIL_H
#define SESSION_MAIL_H

#include "../photon_propagate/photon_ends.h"
#include "photon_session.h"

enum {
    SESSION_SLOTS     = 64,  /* a power of two: tickets wrap */
    SESSION_SAMPLES   = 256, /* that are kept for the host */
    SESSION_SMS       = 256, /* at most */
    SESSION_DETECTORS = 4,
    SESSION_BELL_STOP = 1, /* in the upper half of the bell, beside the number of cancels */
};

/* Photons of a session have no weight: flags of those that are given are in its place until they
 * are initialized. Of their words, the rest follows from the order. */
enum {
    SESSION_GIVEN_FLAGS = PHOTON_WEIGHT
};

/* What becomes of photons of an event that is cancelled. */
typedef enum session_cancel_kind {
    SESSION_GOES_ON,
    SESSION_DROPS, /* those that come up are dropped */
    SESSION_KEEPS  /* ... after their state was written to their page */
} session_cancel_kind;

/* Flags that no photon has. In a record: its photon is left in its page. In a page that comes of a
 * checkpoint: there is none. */
#define SESSION_LEFT 0xffffffffu
#define SESSION_GONE 0xffffffffu

/* Where an event's photons come from. */
typedef enum session_given {
    SESSION_OF_SOURCE,
    SESSION_IN_PAGES, /* reals of the slot's pages */
    SESSION_IN_BATCH, /* the order's arrays */
    SESSION_IN_STATES /* the slot's pages, and the order's tally: of a checkpoint */
} session_given;

/* An event for the kernel. */
typedef struct session_order {
    uint32_t      ticket, slot;
    uint32_t      photons, steps, detector;
    uint32_t      given; /* session_given */
    uint32_t      wants_parts;
    uint32_t      seed;
    photon_source source;  /* its event is for the kernel to set */
    photon_batch  batch;   /* in device memory */
    float        *records; /* [6 * 3 * photons] words: place, time, flags, face */
    uint32_t     *tally;   /* host memory, [n_tally] */
} session_order;

/* An event's end, for the host. */
typedef struct session_notice {
    uint32_t done; /* ticket + 1, written last */
    uint32_t n_spawned, n_dropped;
    uint32_t pad;
    uint64_t admitted_ns, ended_ns; /* by the device */
    uint64_t more[12];              /* fills 128 bytes: a slot's line is its own */
} session_notice;

typedef struct session_sample {
    uint64_t time_ns;
    uint32_t n_active, n_spawn, n_unfinished, n_finished, n_busy_warps;
    uint32_t pad;
} session_sample;

typedef struct session_mail {
    /* The host writes. The bell: tickets submitted in the lower half; in the upper half 2 * cancels
     * + SESSION_BELL_STOP. One word, so that the kernel looks at one place. */
    uint64_t      bell;
    uint64_t      bell_line[15];
    uint32_t      host_beat;
    uint32_t      beat_line[31];
    uint64_t      cancel[SESSION_SLOTS]; /* session_cancel_kind << 32 | ticket + 1, by slot */
    session_order order[SESSION_SLOTS];  /* by ticket */
    /* The device writes. */
    uint32_t       device_beat;
    uint32_t       n_samples;
    uint64_t       beat_ns; /* of the last beat, by the device */
    uint32_t       device_line[28];
    session_notice notice[SESSION_SLOTS]; /* by slot */
    session_sample sample[SESSION_SAMPLES];
} session_mail;

/* An event in device memory, on lines of its own. */
typedef struct session_event {
    session_order order;
    uint64_t      admitted_ns;
    uint64_t      line[15];
    uint64_t      source; /* photons << 32 | those that warps have claimed */
    uint64_t      source_line[15];
    int32_t       live;                 /* injected + spawned - finished */
    uint32_t      cancelled, n_dropped; /* session_cancel_kind */
    uint32_t      n_ends;               /* that have a place in a part */
    uint32_t      live_line[28];
} session_event;

/* What an SM (on the host device, a block) has done; its sums are right whenever no warp of it is
 * at work. */
typedef struct session_clock {
    uint64_t sm_ns, warp_ns;   /* with at least one warp at work; by warp */
    uint64_t n_steps, n_lanes; /* steps of warps, and lanes that had a photon */
    uint64_t work_cycles, stage_cycles[PHOTON_STAGES];
    uint32_t n_busy; /* warps at work */
    uint32_t line[11];
} session_clock;

typedef struct session_control {
    uint32_t n_admitted; /* tickets */
    uint32_t line_0[31];
    uint32_t current; /* ticket whose source warps claim from */
    uint32_t line_1[31];
    uint32_t must_stop;
    uint32_t line_2[31];
    uint32_t is_sparse; /* fewer warps are at work than compact_below says */
    uint32_t line_3[31];
    uint64_t begun_ns;
    uint32_t slot_of[SESSION_SLOTS]; /* by ticket */
} session_control;

/* What the kernel is launched with: device memory unless it says otherwise. */
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
    photon_end_row  *ends;    /* [slots][n_parts][part_ends], in the order of ending */
    uint32_t        *written; /* [slots][n_parts]: ends that are in their place */
    uint32_t        *ready;   /* [slots][n_parts], pinned host memory: ticket + 1 when all are */
    uint32_t         part_ends, n_parts; /* n_parts: of the largest event */
    uint32_t         n_detectors, n_slots, n_tally, log2_places;
    uint32_t         vacant, every, spawn_depth, budget;
    float            compact_below;
    uint32_t         blocks, block, n_sms;
    uint64_t         sample_interval_ns, patience_ns;
} session_launch;

#ifdef __cplusplus
extern "C" {
#endif

/* How many blocks there will be: as many as fit, no more than launch->blocks unless that is 0; and
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
