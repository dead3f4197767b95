/* A session from inside: what its thread and the threads of its callers share. */
#ifndef SESSION_INTERNAL_H
#define SESSION_INTERNAL_H

#include "photon_arena.h"
#include "session_ranges.h"

#include <pthread.h>
#include <stdatomic.h>

/* It has two holders: the caller, and the session until it has resolved the future. */
struct photon_future {
    pthread_mutex_t         lock;
    pthread_cond_t          resolved;
    atomic_int              n_holders;
    atomic_bool             wants_cancel, wants_checkpoint;
    atomic_int              status; /* photon_session_status; written under the lock */
    photon_event_descriptor event;
    photon_batch            batch; /* event.batch or event.device_batch, if there is one */
    photon_result           result;
    photon_staging_arena   *arena;
    void                   *segment;    /* of the result, or NULL */
    void                   *checkpoint; /* of the result, or NULL */
    uint64_t                submitted_ns, started_ns, ended_ns;
    uint64_t                range; /* from submission to its end */
};

/* NULL: no memory. The caller and the session hold it. */
photon_future *session_future_create(const photon_event_descriptor *event,
                                     photon_staging_arena          *arena);
/* Runs the callback, then wakes the threads that wait, then gives up the session's hold. `session`
 * is for the callback. */
void session_future_resolve(photon_future *future, photon_session *session,
                            photon_session_status status);
/* Gives up one of the two holds. */
void session_future_let_go(photon_future *future);

/* Nanoseconds of the host's clock. */
uint64_t session_now_ns(void);

/* Where an event on the device is. */
typedef enum session_stage {
    SESSION_FREE,
    SESSION_UPLOADING,
    SESSION_RUNNING,
    SESSION_DOWNLOADING,
    SESSION_SAVING, /* of an event that was stopped: its photons are being copied to the host */
    SESSION_READY   /* waits until the events before it are resolved */
} session_stage;

typedef struct session_slot {
    session_stage         stage;
    photon_future        *future;
    uint32_t              ticket;
    uint64_t              number;    /* in the order in which events began */
    void                 *upload;    /* segment, while UPLOADING */
    uint64_t              packed_ns; /* when it was full */
    uint64_t              range;     /* of a copy in progress, or 0 */
    bool                  has_asked; /* has asked the device to end a cancelled event */
    bool                  keeps;     /* has asked for a checkpoint with it */
    photon_session_status status;    /* valid when the slot is READY */
    uint32_t              tally_before[PHOTON_TALLIES]; /* of the checkpoint with which it began */
    int64_t n_given, n_coming; /* ends in parts that were given; ends in the part that is being
                                * fetched */
} session_slot;

/* What the session's thread remembers about the device. */
typedef struct session_watch {
    uint32_t device_beat;
    uint64_t heard_ns, looked_ns, busy_ns;
} session_watch;

struct photon_session {
    photon_device_arena  *device_arena;
    photon_staging_arena *staging_arena;
    photon_runtime       *runtime;
    photon_session_config config; /* with defaults in place of zeros */
    session_launch        launch;
    session_mail         *mail;
    void                 *memory; /* all of the session's device memory */
    session_clock        *clocks; /* pinned, for the telemetry */
    photon_end_row       *parts;  /* pinned, one of each slot */
    float    *states; /* pinned: pages of one event, for the checkpoint in progress; or NULL */
    pthread_t thread;

    /* Used only by the session's thread. */
    session_slot  slot[SESSION_SLOTS];
    uint64_t      n_begun, next_resolved;
    uint32_t      n_tickets, n_cancels;
    int64_t       n_resolved;
    session_slot *states_of;   /* whose pages are in `states`, or NULL */
    bool          has_refused; /* the device has refused a copy: the session is lost */
    session_watch watch;

    pthread_mutex_t  lock; /* protects the following members */
    pthread_cond_t   has_work, has_room;
    photon_future  **queue; /* a ring of config.queue */
    int              n_queued, first;
    bool             is_closing, is_lost;
    photon_telemetry totals;    /* counts and samples */
    uint32_t         n_samples; /* of the kernel's samples: how many are in totals */
    int              n_running;

    pthread_mutex_t telemetry_lock;
};

/* Puts in defaults; false: the configuration is invalid. */
bool session_configure(const photon_session_config *given, photon_session_config *config);
/* Allocates all memory and sets session->launch; false: no memory, or no room for the kernel. */
bool session_allocate(photon_session *session);
void session_release(photon_session *session);

/* The session's thread. */
void *session_run(void *session);

/* ---- for the session's thread: events on the device */

/* Takes events from the queue as long as there is room for them; returns whether it took any. */
bool session_begin_events(photon_session *session);
/* Moves every event on as far as it has come; returns whether any moved. */
bool session_move_events(photon_session *session);
/* Ends all events that are still there, after the kernel has ended. */
void session_end_events(photon_session *session, photon_session_status status);

/* The next event of the queue, or NULL. */
photon_future *session_next_queued(photon_session *session);
/* Writes a slot's order for the kernel and rings the bell. */
void session_give(photon_session *session, session_slot *slot);
/* Does the kernel write the event's records to host memory? */
bool session_is_direct(const photon_session *session, const photon_future *future);
/* Has the kernel written the notice of the event's end? */
bool session_is_through(const photon_session *session, const session_slot *slot);
/* Fetches the event's next part, if it is whole or the event is over; or gives it to the callback
 * when it has arrived. Returns whether it did either. */
bool session_move_parts(photon_session *session, session_slot *slot, bool is_over);
/* Are there parts to fetch or to give? */
bool session_has_parts(const photon_session *session, const session_slot *slot, bool is_over);
/* Checks the descriptor's checkpoint: it must be whole, of the descriptor's detector, and of
 * photons that may go on. */
photon_session_status session_check_checkpoint(const photon_session          *session,
                                               const photon_event_descriptor *event);
/* What the event takes from its checkpoint, which was checked. */
void session_take_head(const photon_event_descriptor *event, photon_event_descriptor *taken);
/* Fills the event's result from the checkpoint, and the session's states, which are free; enqueues
 * the upload. */
void session_load_checkpoint(photon_session *session, session_slot *slot);
/* For an event that was stopped: fetches its pages and records once the states are free, then makes
 * the checkpoint. Returns whether it did either. */
bool session_move_checkpoint(photon_session *session, session_slot *slot);
/* Takes whether a copy and its mark were enqueued. A device that refuses has failed: what was to be
 * copied is not there, and the session ends as LOST. */
bool session_accept(photon_session *session, bool is_enqueued);
/* Ends the range of a copy that has arrived, if there is one. */
void session_end_copy(session_slot *slot);
/* Records of a slot in device memory; records of a result in its segment. */
float *session_slot_records(const photon_session *session, const session_slot *slot);
float *session_result_records(const photon_session *session, const photon_future *future);
/* Counts the event and resolves it. */
void session_resolve(photon_session *session, photon_future *future, photon_session_status status);

/* Rings the bell: tells all orders and cancels so far, and whether the kernel is to end. */
void session_ring(photon_session *session, bool must_stop);

/* Messages to the bus, if there is one: a sample of the device, with s->lock held; an event that
 * has ended, by the session's thread. */
void session_say_sample(photon_session *session, uint32_t number, const session_sample *sample);
void session_say_event(photon_session *session, const photon_future *future);

/* Adds the device's new samples to the totals. Any thread may call it. */
void session_read_samples(photon_session *session);

#endif
