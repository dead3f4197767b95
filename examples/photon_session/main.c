/* An event of 1000 photons from one point of a box with a scintillator, through a session; how they
 * ended, on the terminal. */
#include <photon_propagate/photon_detector.h>
#include <photon_propagate/propagate_case.h>
#include <photon_session/photon_session.h>

#include <stdio.h>

static float media[PHOTON_MEDIA * PHOTON_MEDIUM_SIZE];
static float surfaces[PHOTON_SURFACES * PHOTON_SURFACE_SIZE];

static const char *const ends[PHOTON_TALLIES] = {
    [PHOTON_TALLY_NO_HIT]         = "escaped",
    [PHOTON_TALLY_BULK_ABSORB]    = "absorbed in a medium",
    [PHOTON_TALLY_DETECT]         = "detected",
    [PHOTON_TALLY_SURFACE_ABSORB] = "absorbed at a surface",
    [PHOTON_TALLY_REEMIT]         = "absorbed and re-emitted",
    [PHOTON_TALLY_OUT_OF_STEPS]   = "out of steps",
    [PHOTON_TALLY_NAN_ABORT]      = "lost to NaN",
};

static int failed(const char *what, const char *why)
{
    (void)fprintf(stderr, "photons: %s: %s\n", what, why);
    return 1;
}

static int build_detector(photon_geometry *geometry)
{
    char          reason[PHOTON_REASON_SIZE];
    photon_mesh   mesh;
    photon_status status = photon_detector_mesh(PHOTON_BOX, &mesh, reason);

    if (status == PHOTON_OK)
        status = photon_geometry_build(&mesh, geometry, reason);
    photon_mesh_free(&mesh);
    photon_detector_media(PHOTON_SCINTILLATOR, media);
    photon_detector_surfaces(PHOTON_SCINTILLATOR, surfaces);
    return status == PHOTON_OK ? 0 : failed("the detector", reason);
}

static int run_event(photon_session *session)
{
    const photon_event_descriptor event = { .photons = 1000,
                                            .steps   = 64,
                                            .seed    = 1,
                                            .medium  = PHOTON_MEDIUM_VESSEL,
                                            .pos     = { 0.37f, -0.21f, 0.13f } };
    photon_future                *future;
    photon_session_status         status = photon_submit_event(session, &event, &future);

    if (status == PHOTON_SESSION_OK)
        status = photon_future_wait(future, -1);
    for (int k = 0; status == PHOTON_SESSION_OK && k < PHOTON_TALLIES; k++)
        printf("%6u %s\n", photon_future_result(future)->tally[k], ends[k]);
    photon_future_free(future); /* before the arenas, whatever the result of the event */
    return status == PHOTON_SESSION_OK ? 0
                                       : failed("the event", photon_session_status_text(status));
}

/* Arenas outlive the sessions on them. */
static int run_session(photon_device_arena *device, photon_staging_arena *staging)
{
    const photon_session_config config = { .slots = 2 }; /* 0 means the default */
    photon_session             *session;
    photon_session_status       status = photon_session_open(device, staging, &config, &session);
    int                         result;

    if (status != PHOTON_SESSION_OK)
        return failed("open", photon_session_status_text(status));
    result = run_event(session);
    status = photon_session_close(session);
    return status == PHOTON_SESSION_OK ? result
                                       : failed("close", photon_session_status_text(status));
}

int main(void)
{
    const photon_staging_spec spec     = { .photons_most = 1000, .results = 2 };
    photon_geometry           geometry = { 0 };
    photon_detector           detector = { &geometry, media, surfaces };
    photon_device_arena      *device   = NULL;
    photon_staging_arena     *staging  = NULL;
    photon_session_status     status;
    int                       result = build_detector(&geometry);

    if (result == 0) {
        status = photon_device_arena_create(0, &detector, 1, &device);
        if (status == PHOTON_SESSION_OK)
            status = photon_staging_arena_create(device, &spec, &staging);
        result = status == PHOTON_SESSION_OK ? run_session(device, staging)
                                             : failed("arenas", photon_session_status_text(status));
    }
    photon_staging_arena_free(staging);
    photon_device_arena_free(device);
    photon_geometry_free(&geometry);
    return result;
}
