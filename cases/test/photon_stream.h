/* A stream of events through a session, held to what they must come to. */
#ifndef PHOTON_STREAM_H
#define PHOTON_STREAM_H

#include "photon_session_test.h"

enum {
    STREAM_KINDS = 4 /* events that differ in seed, and in size if the stream is mixed */
};

typedef struct stream_question {
    int64_t photons;
    int     events;
} stream_question;

typedef struct stream_shape {
    int     detector;
    int64_t photons;
    bool    is_mixed; /* sizes n, n / 2, n / 10, 1 */
    int     slots;    /* that sessions on it have at most */
} stream_shape;

typedef struct stream {
    session_rig      rig;
    photon_session  *session; /* or NULL */
    int              n_kinds;
    session_expected expected[STREAM_KINDS];
    int              window; /* events that are on their way at once */
    uint64_t         digest; /* of all kinds' results */
} stream;

typedef struct stream_figures {
    double           wall_ns, events, photons, latency_ns; /* latency: the mean */
    double           sm_share, warp_share, lane_share;
    double           sampled_share; /* of warps at work, by samples; NaN without one */
    photon_telemetry telemetry;
} stream_figures;

uint64_t stream_now_ns(void);
bool     stream_has_device(void);

/* Computes what all kinds must come to; false with a sentence on stderr. The caller closes in any
 * case. */
bool stream_open(stream *s, const stream_shape *shape);
void stream_close(stream *s);

/* Opens a session and holds one event of each kind to all its bits; then events have records or
 * not. The caller ends in any case; end is false if the session was lost. */
bool stream_begin(stream *s, const photon_session_config *config, bool wants_records);
bool stream_end(stream *s);

bool stream_is_tally_right(const stream *s, int kind, const photon_result *r);

/* Times n events of a session, kind after kind. */
bool stream_run(stream *s, int n, stream_figures *f);

#endif
