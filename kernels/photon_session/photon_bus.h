/* Messages of sessions to whoever has subscribed: samples of the resident kernel, and the times of
 * each event. No subscriber delays a session: each has a ring and a thread of its own. A message
 * that finds the ring full is lost to that subscriber, and counted. */
#ifndef PHOTON_BUS_H
#define PHOTON_BUS_H

#include "photon_session.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum photon_message_kind {
    PHOTON_MESSAGE_SAMPLE,
    PHOTON_MESSAGE_EVENT
} photon_message_kind;

/* A sample of the resident kernel, at config.sample_interval_ns. */
typedef struct photon_sample {
    int64_t number;  /* since the kernel began; a gap: the session came too late */
    double  time_ns; /* by the device's clock */
    int64_t busy_warps, active_photons, spawn_queue, finished_photons, unfinished;
} photon_sample;

/* An event that has ended. */
typedef struct photon_event_report {
    int64_t               number; /* within the session, in order of their ends, from 1 */
    photon_session_status status;
    int                   detector;
    uint32_t              seed;
    int64_t               photons, n_spawned;
    photon_times          times;
} photon_event_report;

typedef struct photon_message {
    photon_message_kind kind;
    int64_t             n_lost; /* messages that this subscriber lost before this one */
    photon_sample       sample; /* this member or the next, as `kind` says */
    photon_event_report event;
} photon_message;

/* Runs on the subscriber's thread. It may take its time, but must not flush or close a session. */
typedef void photon_subscriber(void *context, const photon_message *message);

typedef struct photon_bus photon_bus;

/* NO_MEMORY leaves *bus NULL. The caller frees. A session takes the bus from its configuration; a
 * bus may serve several sessions, together or one after the other. */
photon_session_status photon_bus_create(photon_bus **bus);

/* `room`: how many messages may wait for it. Not while a session has the bus. INVALID, NO_MEMORY,
 * TOO_LARGE (PHOTON_SUBSCRIBERS_MOST). */
photon_session_status photon_bus_subscribe(photon_bus *bus, int room, photon_subscriber *subscriber,
                                           void *context);
enum {
    PHOTON_SUBSCRIBERS_MOST = 8
};

/* Returns when every subscriber has had all earlier messages. photon_session_close does this after
 * it has read the last samples. Accepts NULL. */
void photon_bus_flush(photon_bus *bus);
/* Flushes and ends the subscribers' threads; call it after the sessions. Accepts NULL. */
void photon_bus_free(photon_bus *bus);

/* A subscriber that writes one JSON object a line to the FILE that is the context. */
photon_subscriber photon_bus_write_json;

#ifdef __cplusplus
}
#endif

#endif
