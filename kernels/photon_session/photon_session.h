/* Photon propagation as a service. A session keeps one kernel resident on a device; events are
 * submitted to it while it runs, and each comes back as a future or by a callback. An event's
 * result depends only on its descriptor, whatever else runs. docs/photon_session.md. It is
 * installed as a library, together with what makes its detectors.
 *
 * All functions may be called from any thread unless they say otherwise. */
#ifndef PHOTON_SESSION_H
#define PHOTON_SESSION_H

#include "../photon_propagate/photon_bvh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, sentence) */
#define PHOTON_SESSION_STATUS_MAP(X)                                                               \
    X(OK, "done")                                                                                  \
    X(PENDING, "the event has not ended yet")                                                      \
    X(FULL, "the queue of events is full: wait until one has ended and submit again")              \
    X(CANCELLED, "the event was cancelled; it has no result")                                      \
    X(CLOSED, "the session is being closed and takes no more events")                              \
    X(LOST, "the device stopped, or host and device lost each other; open a new session")          \
    X(INVALID, "a descriptor or a configuration is invalid")                                       \
    X(TOO_LARGE, "more than the arena was made for")                                               \
    X(BUSY, "another session is open on this device: close it first")                              \
    X(NO_DEVICE, "there is no such device here")                                                   \
    X(NO_MEMORY, "out of memory on the host or on the device")                                     \
    X(CHECKPOINTED, "the event was stopped; submit its checkpoint to go on with it")

typedef enum photon_session_status {
#define X(name, sentence) PHOTON_SESSION_##name,
    PHOTON_SESSION_STATUS_MAP(X)
#undef X
} photon_session_status;

/* The sentence of a status; never NULL. */
const char *photon_session_status_text(photon_session_status status);

/* ---- arenas */

/* Geometry and materials in device memory, for as long as sessions use them. */
typedef struct photon_device_arena photon_device_arena;

/* What photons move in: a geometry, and the tables of its materials (propagate_case.h). */
typedef struct photon_detector {
    const photon_geometry *geometry;
    const float           *media, *surfaces;
} photon_detector;

enum {
    PHOTON_DETECTORS_MOST = 4
};

/* Copies the detectors to device number `device`; an event names a detector by its index.
 * NO_DEVICE, INVALID and NO_MEMORY leave *arena NULL. The caller frees, after the sessions that use
 * it. */
photon_session_status photon_device_arena_create(int device, const photon_detector *detectors,
                                                 int n_detectors, photon_device_arena **arena);
/* Accepts NULL. */
void photon_device_arena_free(photon_device_arena *arena);

/* What an update has copied. */
typedef struct photon_update {
    int64_t bytes, bytes_uploaded; /* of the detector; of these, bytes of pages that differ */
} photon_update;

enum {
    PHOTON_UPDATE_PAGE = 4096 /* bytes */
};

/* Replaces a detector of the arena: the pages that differ are uploaded. There is room for the
 * triangles, the tree and the sensors that the arena was made with; a detector that needs more is
 * TOO_LARGE. An update is possible only between sessions, because the kernel keeps parts of a
 * detector where an upload does not reach: BUSY while a session is open on the device, and none can
 * be opened meanwhile. INVALID; NO_MEMORY. With all of these nothing has changed. LOST: the device
 * has failed. Part of the detector may then be the new one's, and sessions are LOST until an update
 * has succeeded, which then uploads everything. Checkpoints of events in the old detector become
 * INVALID. `update` may be NULL. */
photon_session_status photon_device_arena_update(photon_device_arena *arena, int detector,
                                                 const photon_detector *changed,
                                                 photon_update         *update);

/* Pinned host memory in segments, for photons that go to the device and results that come back. */
typedef struct photon_staging_arena photon_staging_arena;

typedef struct photon_staging_spec {
    int64_t photons_most; /* of an event */
    int     uploads;      /* batches that are uploaded at once: 2 overlap */
    int     results;      /* that may exist at once, of unfreed futures too */
} photon_staging_spec;

/* INVALID and NO_MEMORY leave *arena NULL. The caller frees, after sessions and futures and before
 * the device arena. */
photon_session_status photon_staging_arena_create(photon_device_arena       *device_arena,
                                                  const photon_staging_spec *spec,
                                                  photon_staging_arena     **arena);
/* Accepts NULL. */
void photon_staging_arena_free(photon_staging_arena *arena);

/* ---- events */

/* Photons that are given: arrays of n, in host memory or in device memory (the descriptor says
 * which). They belong to the caller, who must not change them from the submission until the event
 * has ended. Before submitting, the caller must wait for the stream or thread that wrote them. */
typedef struct photon_batch {
    const float    *pos, *dir, *pol; /* [3 * n]: all x, all y, all z */
    const float    *wavelength;      /* [n], nm */
    const float    *time;            /* [n], ns */
    const uint32_t *flags; /* [n], 0 or PHOTON_ISOTROPIC_INIT (then dir, pol and wavelength are
                            * drawn); NULL: all 0 */
} photon_batch;

typedef struct photon_session photon_session;
typedef struct photon_result  photon_result;

/* Runs on the session's thread, which does nothing else meanwhile, before the future is resolved.
 * It may submit, cancel and poll, but not wait or close. The result is valid until it returns. A
 * callback that takes longer than the session's patience loses the device. */
typedef void photon_callback(void *context, photon_session *session, const photon_result *result);

/* What row `row` of a result's records holds, in one piece of 32 bytes. */
typedef struct photon_end_row {
    uint32_t row;
    float    place[3], time;
    uint32_t flags;
    int32_t  face;
    uint32_t pad;
} photon_end_row;

/* Some of an event's ends, in the order in which they happened. All parts together are the whole
 * result: rows that are in no part have flags 0, face -1, and zeros. */
typedef struct photon_part {
    uint32_t              seed;
    int64_t               photons;
    int64_t               first, n; /* ends in earlier parts; ends in this part */
    double                age_ns;   /* since the event was submitted */
    const photon_end_row *ends;     /* [n], valid until the callback returns */
} photon_part;

/* Like photon_callback, for a part while its event runs; the last part comes before the event's own
 * callback. An event that is cancelled or lost gives no more parts. */
typedef void photon_part_callback(void *context, photon_session *session, const photon_part *part);

typedef struct photon_event_descriptor {
    int                 detector;
    int64_t             photons;
    int                 steps;        /* the most steps of a photon, 1 to PHOTON_MOST_STEPS */
    uint32_t            seed;         /* with a photon's index, the key of all its random numbers */
    int                 medium;       /* the medium whose spectrum the source has */
    float               pos[3], time; /* an isotropic source, if there is no batch */
    const photon_batch *batch;        /* NULL: the source */
    /* A batch in memory of the session's device, read in place: nothing is packed or copied. Flags
     * other than PHOTON_ISOTROPIC_INIT are not accepted. NULL: the source, or batch. */
    const photon_batch *device_batch;
    /* The checkpoint of an event that was stopped, in this session or another: the event goes on,
     * to the result that it would have had. Photons, steps, seed and the whole source come from the
     * checkpoint; the detector must be the same, under any index. It belongs to the caller until
     * the event has ended. NULL: the event begins. */
    const void           *checkpoint;
    size_t                checkpoint_bytes;
    bool                  wants_records;
    photon_callback      *callback;      /* NULL: only the future */
    photon_part_callback *part_callback; /* NULL: no parts. Needs a session with part_ends */
    void                 *context;       /* of both callbacks */
} photon_event_descriptor;

/* Nanoseconds: times on the device by its clock, the others by the host's. */
typedef struct photon_times {
    double queued_ns;    /* from submission until it was given to the device (including packing and
                          * upload of a batch) */
    double pack_ns;      /* packing of a batch into its segment, by the session's thread */
    double upload_ns;    /* from the end of packing until its photons were seen to be on the
                          * device */
    double propagate_ns; /* on the device, from admission to the end of its last photon */
    double answer_ns;    /* from being given to the device until the host saw the end */
    double download_ns;  /* from that moment until the records were there */
    double total_ns;     /* from submission until the future was resolved */
} photon_times;

/* Records in order of photons: row g * photons + i belongs to generation g in place i, with flags 0
 * if there was no photon. The arrays are in the staging arena. */
struct photon_result {
    photon_session_status status; /* OK, CANCELLED, CHECKPOINTED, LOST, NO_MEMORY */
    uint32_t              seed;
    int64_t               photons, rows;
    int64_t               n_spawned; /* secondaries */
    const uint32_t       *tally;     /* [n_tally], propagate_case.h; NULL unless OK */
    int64_t               n_tally;
    const float          *place, *time; /* NULL unless OK and wanted */
    const uint32_t       *flags;
    const int32_t        *face;
    const void           *checkpoint; /* NULL unless CHECKPOINTED: bytes for a file, or to submit */
    size_t                checkpoint_bytes;
    photon_times          times;
};

/* ---- futures */

typedef struct photon_future photon_future;

/* PENDING, or how the event ended. */
photon_session_status photon_future_poll(photon_future *future);
/* Waits until the event has ended, or for this time at most; PENDING: the time is over. Negative:
 * without limit. */
photon_session_status photon_future_wait(photon_future *future, double timeout_ns);
/* Asks for the end of the event. It ends as CANCELLED, or as OK if it had already finished. */
void photon_future_cancel(photon_future *future);
/* NULL while PENDING. Valid until the future is freed. */
const photon_result *photon_future_result(photon_future *future);
/* Gives the result back to the arena; an event that has not ended goes on. Accepts NULL. */
void photon_future_free(photon_future *future);

/* ---- sessions */

/* When a warp of the resident kernel takes photons, and from which queue: 0 is the default. */
typedef struct photon_cadence {
    int vacant_lanes; /* compact: lanes without a photon before a warp takes more photons (8) */
    int every_steps;  /* compact: steps after which the warp fills vacant lanes, however few (0:
                       * never) */
    int spawn_depth;  /* emit_secondary: depth from which spawn_queue comes before all else (32);
                       * negative: only when nothing else is there */
    int budget;       /* propagate: steps before a photon goes back to active_photons (64) */
    /* compact: secondaries stay in spawn_queue until the share of busy warps is below this value,
     * up to 1. Then they move to active_photons and are taken from there (0: they are taken from
     * spawn_queue, as spawn_depth says) */
    double compact_below;
} photon_cadence;

/* A configuration may be all 0. */
typedef struct photon_session_config {
    int slots;         /* events on the device at once, up to PHOTON_SLOTS_MOST (4) */
    int queue;         /* events that wait on the host (16) */
    int blocks, block; /* of the resident kernel, at least two warps (default: as many as
                        * fit, of 256 threads) */
    int staged_nodes;  /* nodes of the first detector's tree that are in shared memory
                        * (512) */
    photon_cadence cadence;
    bool           is_in_order;    /* futures are resolved in order of submission */
    int64_t        zero_copy_most; /* photons up to which the kernel writes an event's records to
                                    * host memory itself (1000; negative: none, all are copied) */
    bool has_checkpoints; /* events can be stopped and continued: takes pinned memory, 72 bytes for
                           * each photon of the largest event */
    int64_t part_ends; /* ends in a part, 32 to PHOTON_PART_MOST (0: no event has parts). Takes 96
                        * bytes of device memory for each photon and slot */
    double             sample_interval_ns; /* of the telemetry (0: none) */
    double             patience_ns; /* how long one side waits for a sign of the other (5e9) */
    struct photon_bus *bus; /* where samples and times of events go, or NULL: photon_bus.h */
} photon_session_config;

enum {
    PHOTON_SLOTS_MOST = 64,
    PHOTON_PART_LEAST = 32,
    PHOTON_PART_MOST  = 1 << 20
};

/* Allocates, launches the resident kernel and starts the session's thread; the staging arena must
 * be one that was made for the device arena. While the session is open nothing in the process may
 * wait for the whole device (cudaMalloc, cudaFree, cudaDeviceSynchronize, the legacy stream).
 * INVALID, BUSY, NO_MEMORY and LOST leave *session NULL. */
photon_session_status photon_session_open(photon_device_arena         *device_arena,
                                          photon_staging_arena        *staging_arena,
                                          const photon_session_config *config,
                                          photon_session             **session);
/* Ends the kernel. Events that have not ended are CANCELLED, or OK if they had finished; futures
 * stay valid. LOST: the device did not end, and its memory is not freed. Must not be called from a
 * callback, nor while another thread is in a call on the session. Accepts NULL. */
photon_session_status photon_session_close(photon_session *session);

/* Checks the descriptor and puts it into the queue. `future` may be NULL if there is a callback.
 * FULL at once if the queue is full; also INVALID, TOO_LARGE, CLOSED, LOST, NO_MEMORY. With any of
 * these *future is NULL. */
photon_session_status photon_try_submit_event(photon_session                *session,
                                              const photon_event_descriptor *event,
                                              photon_future                **future);
/* The same, but waits for room in the queue; in a callback it does not wait, but returns FULL. */
photon_session_status photon_submit_event(photon_session                *session,
                                          const photon_event_descriptor *event,
                                          photon_future                **future);

/* Asks for the end of the event, and for a checkpoint. It ends as CHECKPOINTED, as OK if it had
 * already finished, or as CANCELLED if that was asked for before. An event in the queue is stopped
 * as soon as it has begun. INVALID: the session has no checkpoints. */
photon_session_status photon_session_checkpoint(photon_session *session, photon_future *future);

/* ---- telemetry */

/* What a warp of the resident kernel does. */
typedef enum photon_session_stage {
    PHOTON_STAGE_INITIALIZE,  /* draws a photon at its source, or reads it from its page */
    PHOTON_STAGE_PROPAGATE,   /* a step, and the record of an end */
    PHOTON_STAGE_POSTPROCESS, /* tallies, and the ends of events */
    PHOTON_STAGE_COMPACT,     /* claims photons for vacant lanes, and puts photons back */
    PHOTON_STAGE_EMIT_SECONDARY,
    PHOTON_STAGES
} photon_session_stage;

typedef struct photon_telemetry {
    int64_t n_submitted, n_done, n_cancelled, n_queued, n_running;
    /* Sums since the kernel began, by its clocks: exact while nothing runs, otherwise a millisecond
     * old. The difference of two calls is what happened between them. */
    int64_t n_sms, n_warps;
    double  time_ns;
    double  sm_busy_ns, warp_busy_ns; /* of all SMs, with at least one warp at work; of all warps */
    double  warp_steps, lane_steps;   /* steps of warps; steps of lanes that had a photon */
    /* The same periods of work by the cycles of their SMs: all of them, and the part of each stage.
     * The cycles of a warp count when its period of work is over. */
    double work_cycles, stage_cycles[PHOTON_STAGES];
    /* Samples: how many, the sum of busy warps over them, and the depths of the queues, last and
     * largest. finished_photons are photons that have ended in events that have not. */
    int64_t n_samples, n_samples_lost;
    double  busy_warps;
    int64_t active_photons, active_most, spawn_queue, spawn_most, finished_photons, finished_most;
    int64_t unfinished; /* photons of events on the device */
} photon_telemetry;

/* Copies from the running kernel, on a stream of its own. LOST if the device does not answer. */
photon_session_status photon_session_telemetry(photon_session *session, photon_telemetry *t);

#ifdef __cplusplus
}
#endif

#endif
