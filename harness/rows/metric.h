/* What a time is: its regime, and the clock that read it. They are words only in the store, in
 * reports and on the command line. */
#ifndef ASSAY_METRIC_H
#define ASSAY_METRIC_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, word). NONE comes first, since a zeroed row has neither regime nor clock. The others are
 * in the order of their words, so that rows are sorted as SQLite sorts them. */

/* The state of the caches, and how the kernel is launched. */
#define ASSAY_REGIME_MAP(X)                                                                        \
    X(NONE, "")     /* not timed */                                                                \
    X(COLD, "cold") /* L2 flushed before each sample */                                            \
    X(E2E, "e2e")   /* from the call until all is done */                                          \
    X(GRAPH, "graph")                                                                              \
    X(HOT, "hot") /* nothing flushed */

#define ASSAY_CLOCK_MAP(X)                                                                         \
    X(NONE, "") /* not timed; none decides */                                                      \
    X(EVENT, "event")                                                                              \
    X(GRAPH, "graph") /* events around a graph of several calls */                                 \
    X(HOST, "host")                                                                                \
    X(PEER, "peer") /* events of a peer's own process around whole steps */                        \
    X(RECORD, "record")

typedef enum assay_regime {
#define X(name, word) ASSAY_REGIME_##name,
    ASSAY_REGIME_MAP(X)
#undef X
    ASSAY_N_REGIMES
} assay_regime;

typedef enum assay_clock {
#define X(name, word) ASSAY_CLOCK_##name,
    ASSAY_CLOCK_MAP(X)
#undef X
    ASSAY_N_CLOCKS
} assay_clock;

/* Returns "unknown" for an invalid value. */
const char *assay_regime_text(assay_regime regime);
const char *assay_clock_text(assay_clock clock);
/* Finds the value of a word. False, with *found unchanged: there is no such word. */
bool assay_regime_find(const char *word, assay_regime *found);
bool assay_clock_find(const char *word, assay_clock *found);

#ifdef __cplusplus
}
#endif
#endif
