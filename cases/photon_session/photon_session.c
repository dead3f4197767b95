/* photon_session: a stream of events through a session, which keeps one kernel on the device, and
 * the same events by launches of photon_propagate. What does opening a session cost, and what does
 * it gain? docs/photon_session.md. */
#include "../photon_propagate/photon_propagate_compare.h"
#include "../photon_propagate/photon_propagate_inputs.h"
#include "../photon_propagate/photon_propagate_mesh.h"
#include "photon_session_compare.h"

#include "../../kernels/photon_session/session_case.h"

assay_reference_fn photon_session_reference; /* reference/photon_session/photon_session.c */

enum {
    AXIS_DETECTOR,
    AXIS_PHOTONS,
    AXIS_EVENTS
};

enum {
    DETECTOR_BOX, /* with a scintillator */
    DETECTOR_WHITE,
    MOST_STEPS  = 64,
    REAL        = 1000, /* photons of real sizes */
    EDGE_EVENTS = 5
};

static const struct {
    int geometry, material;
} detectors[] = {
    [DETECTOR_BOX]   = { PHOTON_BOX, PHOTON_SCINTILLATOR },
    [DETECTOR_WHITE] = { PHOTON_SPHERE, PHOTON_WHITE },
};

/* ---- the shape */

static void set_buffer(assay_shape *s, int b, const char *name, assay_role role, assay_type type,
                       int64_t count)
{
    s->buf[b] = (assay_buffer) { .name = name, .role = role, .type = type, .count = count };
}

static void set_detector_buffers(assay_shape *s)
{
    const int64_t triangles = s->param[PROPAGATE_PARAM_TRIANGLES];

    set_buffer(s, PROPAGATE_BUF_NODES, "nodes", ASSAY_IN, ASSAY_U32,
               8 * photon_geometry_nodes_most(triangles));
    set_buffer(s, PROPAGATE_BUF_TRIANGLES, "triangles", ASSAY_IN, ASSAY_F32, 12 * triangles);
    set_buffer(s, PROPAGATE_BUF_FACES, "faces", ASSAY_IN, ASSAY_U32, 2 * triangles);
    set_buffer(s, PROPAGATE_BUF_MEDIA, "media", ASSAY_IN, ASSAY_F32,
               PHOTON_MEDIA * PHOTON_MEDIUM_SIZE);
    set_buffer(s, PROPAGATE_BUF_SURFACES, "surfaces", ASSAY_IN, ASSAY_F32,
               PHOTON_SURFACES * PHOTON_SURFACE_SIZE);
}

/* Pages are for the variants that are launches, one event after the other. Weights are not judged:
 * those of a session are 1. */
static void set_event_buffers(assay_shape *s)
{
    const int64_t photons = s->param[PROPAGATE_PARAM_PHOTONS];
    const int64_t events  = s->param[SESSION_PARAM_EVENTS];
    const int64_t lanes   = (photons + PHOTON_PAGE - 1) / PHOTON_PAGE * PHOTON_PAGE;
    const int64_t rows    = events * PHOTON_GENERATIONS * photons;

    set_buffer(s, PROPAGATE_BUF_EVENT, "event", ASSAY_IN, ASSAY_U32, events);
    s->buf[PROPAGATE_BUF_EVENT].fill = (assay_fill)ASSAY_INTEGERS(0, 1 << 30, 1);
    set_buffer(s, PROPAGATE_BUF_WEIGHT, "weight", ASSAY_IN, ASSAY_F32, 0);
    set_buffer(s, PROPAGATE_BUF_REAL, "real", ASSAY_WORK, ASSAY_F32, PHOTON_REALS * lanes);
    set_buffer(s, PROPAGATE_BUF_WORD, "word", ASSAY_WORK, ASSAY_U32, PHOTON_WORDS * lanes);
    set_buffer(s, PROPAGATE_BUF_END_PLACE, "end_place", ASSAY_OUT, ASSAY_F32, 3 * rows);
    set_buffer(s, PROPAGATE_BUF_END_TIME, "end_time", ASSAY_OUT, ASSAY_F32, rows);
    set_buffer(s, PROPAGATE_BUF_END_FLAGS, "end_flags", ASSAY_OUT, ASSAY_U32, rows);
    set_buffer(s, PROPAGATE_BUF_END_FACE, "end_face", ASSAY_OUT, ASSAY_I32, rows);
    set_buffer(s, PROPAGATE_BUF_END_WEIGHT, "end_weight", ASSAY_WORK, ASSAY_F32, 0);
    set_buffer(s, PROPAGATE_BUF_TALLY, "tally", ASSAY_OUT, ASSAY_U32,
               events * (PHOTON_TALLIES + s->param[PROPAGATE_PARAM_SENSORS]));
}

/* Tables once, and the records of all events. */
static void set_work(assay_shape *s)
{
    s->cells = s->param[PROPAGATE_PARAM_PHOTONS] * s->param[SESSION_PARAM_EVENTS];
    for (int b = PROPAGATE_BUF_NODES; b <= PROPAGATE_BUF_EVENT; b++)
        s->bytes_read += 4 * s->buf[b].count;
    for (int b = PROPAGATE_BUF_END_PLACE; b <= PROPAGATE_BUF_TALLY; b++)
        s->bytes_written += 4 * s->buf[b].count;
}

static void photon_session_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int detector = (int)axis[AXIS_DETECTOR].i[0];
    const int geometry = detectors[detector].geometry;

    (void)input;
    s->param[PROPAGATE_PARAM_GEOMETRY]      = geometry;
    s->param[PROPAGATE_PARAM_MATERIAL]      = detectors[detector].material;
    s->param[PROPAGATE_PARAM_PHOTONS]       = axis[AXIS_PHOTONS].i[0];
    s->param[PROPAGATE_PARAM_STEPS]         = MOST_STEPS;
    s->param[PROPAGATE_PARAM_IS_HISTORY]    = 1;
    s->param[PROPAGATE_PARAM_SENSORS]       = photon_propagate_sensors(geometry);
    s->param[PROPAGATE_PARAM_TRIANGLES]     = photon_propagate_triangles(geometry);
    s->param[PROPAGATE_PARAM_MEDIUM]        = photon_propagate_medium(geometry);
    s->param[SESSION_PARAM_EVENTS]          = axis[AXIS_EVENTS].i[0];
    s->scalar[PROPAGATE_SCALAR_SOURCE_X]    = 0.37;
    s->scalar[PROPAGATE_SCALAR_SOURCE_Y]    = -0.21;
    s->scalar[PROPAGATE_SCALAR_SOURCE_Z]    = 0.13;
    s->scalar[PROPAGATE_SCALAR_SOURCE_TIME] = 5;
    set_detector_buffers(s);
    set_event_buffers(s);
    set_work(s);
}

/* ---- which values go together */

static const char *photon_session_uncountable(const assay_value *axis)
{
    return axis[AXIS_PHOTONS].i[0] > 1 << 28 || axis[AXIS_EVENTS].i[0] > 1 << 20
               ? "there are up to 2^28 photons in an event, and up to 2^20 events"
               : NULL;
}

static const char *photon_session_excluded(const assay_value *axis)
{
    const int64_t photons = axis[AXIS_PHOTONS].i[0], events = axis[AXIS_EVENTS].i[0];

    if (events == 0)
        return photons == 33 || photons == REAL ? NULL : "no events: 33 or 1000 photons in none";
    if (photons < REAL)
        return events <= EDGE_EVENTS ? NULL : "edge sizes: up to 5 events";
    if (events == EDGE_EVENTS)
        return "real sizes: 1, 16 or 256 events";
    return photons * events > 16 * 1000 * 1000 ? "up to 16 million photons" : NULL;
}

/* ---- the case */

#define WHY_RUNNING                                                                                \
    "as photon_propagate: the reference carries with every photon its errors; decisions within "   \
    "them are in doubt"
#define WHY_TALLY                                                                                  \
    "in each event every photon ends once, and the tally is the sum of the kernel's own records"

#define TUNING_SLOTS ASSAY_TUNING("slots", 4, 1, 2, 8, 16)

#define SESSION(variant, text, how)                                                                \
    .name = (variant), .what = (text), .launch = "photon_session_stream",                          \
    .setup = "photon_session_" how "_setup", .teardown = "photon_session_teardown",                \
    .baseline = "per_step", .flags = ASSAY_DETERMINISTIC | ASSAY_HOST_SYNC

const assay_case assay_case_photon_session = {
    .name        = "photon_session",
    .what        = "a stream of events through a session, from opening it to closing it",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("detector", ASSAY_AXIS_TEXT, ASSAY_WORD(DETECTOR_BOX, "box"),
                   ASSAY_WORD(DETECTOR_WHITE, "white")),
        ASSAY_AXIS("photons", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(33), ASSAY_Q(257), ASSAY_F(1000),
                   ASSAY_F(10000), ASSAY_F(100000)),
        ASSAY_AXIS("events", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(5), ASSAY_F(16),
                   ASSAY_F(256)),
    },
    .inputs      = ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = photon_session_shape,
    .reference   = photon_session_reference,
    .prepare     = photon_propagate_prepare,
    .compare     = photon_session_compare,
    .uncountable = photon_session_uncountable,
    .excluded    = photon_session_excluded,
    .tol         = { .rule  = ASSAY_RULE_BOUND,
                     .c     = 1,
                     .u_out = ASSAY_U32_ROUNDOFF,
                     .u_acc = ASSAY_U32_ROUNDOFF,
                     .why   = WHY_RUNNING },
    .tol_for     = { { "tally", { .rule = ASSAY_RULE_OWN, .why = WHY_TALLY } } },
    .invariants  = { { "tally_drift",
                       "photons in doubt go one way as often as the other: no tally is further from the "
                       "reference's than six deviations of their number",
                       photon_propagate_tally_drift, NULL } },
    .variants    = {
        { .name      = "per_step",
          .what      = "one event after the other, a launch a step",
          .launch    = "photon_session_per_step",
          .workspace = "photon_session_per_step_workspace",
          .flags     = ASSAY_DETERMINISTIC | ASSAY_HOST_SYNC },
        { .name      = "persistent",
          .what      = "one event after the other, a launch an event",
          .launch    = "photon_session_persistent",
          .workspace = "photon_session_persistent_workspace",
          .baseline  = "per_step",
          .flags     = ASSAY_DETERMINISTIC | ASSAY_HOST_SYNC },
        { SESSION("one_at_a_time", "a session, each event submitted when the one before is there",
                  "one_at_a_time") },
        { SESSION("pipelined", "a session with several events on the device", "pipelined"),
          .tuning = { TUNING_SLOTS } },
        { SESSION("given", "the same, photons from the host", "given") },
        { SESSION("direct_records", "the same, records written to host memory by the kernel",
                  "direct") },
    },
};
