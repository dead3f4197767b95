/* Numbers that the case photon_session, its reference and its launchers share: those of
 * photon_propagate, a history, for each of a stream of events. No arithmetic. */
#ifndef SESSION_CASE_H
#define SESSION_CASE_H

#include "../photon_propagate/propagate_case.h"

/* After the parameters of photon_propagate. */
enum {
    SESSION_PARAM_EVENTS = PROPAGATE_PARAM_IS_HARD + 1,
    SESSION_PARAMS
};

/* Buffers are those of photon_propagate. Of the following, each event has a part of its own, as
 * long as in photon_propagate and in the order of events. All events share the others. */
static const int session_case_by_event[] = {
    PROPAGATE_BUF_EVENT,     PROPAGATE_BUF_END_PLACE, PROPAGATE_BUF_END_TIME,
    PROPAGATE_BUF_END_FLAGS, PROPAGATE_BUF_END_FACE,  PROPAGATE_BUF_TALLY,
};
enum {
    SESSION_CASE_BY_EVENT = sizeof session_case_by_event / sizeof *session_case_by_event
};

#endif
