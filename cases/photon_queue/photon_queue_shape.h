/* What the case photon_queue and the shelf with its broken kernels share: buffers, items, the
 * judge. */
#ifndef PHOTON_QUEUE_SHAPE_H
#define PHOTON_QUEUE_SHAPE_H

#include "case.h"

/* Who pushes and who pops: of `period` blocks the first `producers` push and the others pop; 0:
 * every thread pushes and pops in turn. */
typedef struct photon_queue_workload {
    int64_t producers, period;
} photon_queue_workload;

typedef struct photon_queue_point {
    photon_queue_workload workload;
    int64_t               capacity, blocks, threads;
    int64_t               operations; /* of a thread with the workload's smallest share */
    int64_t               batch, payload_bytes, start;
} photon_queue_point;

/* Watched: the flow takes counts and times, lanes sit out, and the script at rest follows. */
void photon_queue_set_shape(const photon_queue_point *p, bool is_watched, assay_shape *s);

/* NULL, or why this is not a point. */
const char *photon_queue_wrong_sizes(const photon_queue_point *p);

/* Checks: every item leaves once, whole, in the order of its producer; the answers at rest are
 * right; times are those of the operations; nobody ran out of time. Reports the first that does not
 * hold, and then what the queue has reported itself. */
assay_compare_fn photon_queue_compare;

/* Second oracles: the sum of all ids, and their exclusive or. */
assay_invariant_result photon_queue_sum(const assay_evidence *e);
assay_invariant_result photon_queue_xor(const assay_evidence *e);

/* Threads of all producers, of all consumers. */
int64_t photon_queue_producer_threads(const assay_shape *s);
int64_t photon_queue_consumer_threads(const assay_shape *s);

/* The item of an id (word 0), or a number past all items. */
int64_t photon_queue_item_of(uint32_t id);

/* A row of .tol_for: an output that photon_queue_compare judges. */
#define PHOTON_QUEUE_OWN(output_name)                                                              \
    {                                                                                              \
        .output = (output_name), .tol = {                                                          \
            .rule = ASSAY_RULE_OWN,                                                                \
            .why  = "the schedule decides who pops what; each item leaves once, answers are exact" \
        }                                                                                          \
    }

#endif
