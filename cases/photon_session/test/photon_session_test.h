/* What the programs on photon_session share: detectors, arenas, and the expected results of
 * events. */
#ifndef PHOTON_SESSION_TEST_H
#define PHOTON_SESSION_TEST_H

#include "../../../kernels/photon_session/photon_session.h"

#include "../../testing/trial.h"

enum {
    SESSION_TEST_BOX,   /* with a scintillator; staged. Or a mesh from a file in its place */
    SESSION_TEST_WHITE, /* a white sphere */
    SESSION_TEST_DETECTORS
};

/* Arenas with both detectors. */
typedef struct session_rig {
    photon_geometry       geometry[SESSION_TEST_DETECTORS];
    float                *media[SESSION_TEST_DETECTORS], *surfaces[SESSION_TEST_DETECTORS];
    int                   source[SESSION_TEST_DETECTORS]; /* medium whose spectrum the source has */
    photon_device_arena  *device;
    photon_staging_arena *staging;
} session_rig;

/* `mesh`: an OBJ file in place of the box, with the materials beside it, or NULL; INVALID, with a
 * sentence on stderr, if it is not one. NO_DEVICE if there is no device; the caller closes in any
 * case. */
photon_session_status session_rig_open(session_rig *rig, const photon_staging_spec *spec,
                                       const char *mesh);
void                  session_rig_close(session_rig *rig);

/* The same for a whole program: -1 to go on, or the status to return, with everything closed; 77 if
 * there is no device. */
int session_rig_start(session_rig *rig, const photon_staging_spec *spec, const char *program);

/* An event of the case's source. */
photon_event_descriptor session_test_event(int detector, int64_t photons, uint32_t seed);

/* A copy of a batch of n in device memory; it is made and freed while no session is open. */
typedef struct session_device_batch {
    photon_batch batch;
    void        *memory;
} session_device_batch;
bool session_device_batch_make(session_rig *rig, const photon_batch *host, int64_t n,
                               session_device_batch *copy);
void session_device_batch_free(session_rig *rig, session_device_batch *copy);

/* The result of an event by a variant of the case, on the same device, while no session is open:
 * arrays that the caller frees. */
typedef struct session_expected {
    photon_event_descriptor event;
    int64_t                 words, n_tally; /* of records */
    uint32_t               *records, *tally;
} session_expected;
typedef enum session_variant {
    SESSION_PER_STEP,
    SESSION_PERSISTENT
} session_variant;
bool session_expect(session_rig *rig, const photon_event_descriptor *event, session_variant variant,
                    session_expected *expected);
void session_expected_free(session_expected *expected);

/* Compares every bit of the result: NULL, or what differs. */
const char *session_difference(const session_expected *expected, const photon_result *result);

/* ---- steps of a test, each a check; without a session or a future the program ends */

photon_session *session_test_open(session_rig *rig, const photon_session_config *config);
void            session_test_close(photon_session *session, const char *what);
photon_future  *session_test_submit(photon_session *session, const photon_event_descriptor *e,
                                    const char *what);
void session_test_check(const photon_result *r, const session_expected *x, const char *what);
/* Waits, checks, frees. */
void session_test_finish(photon_future *f, const session_expected *x, const char *what);

#endif
