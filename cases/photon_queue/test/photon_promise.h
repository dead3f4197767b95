/* One promise of a queue that answers at once, for C. */
#ifndef ASSAY_PHOTON_PROMISE_H
#define ASSAY_PHOTON_PROMISE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct photon_promised {
    int granted, from, to; /* what was promised, and both counts afterwards */
} photon_promised;

/* Asks for `asked` when `from` are there and `to` on the other side. On the host device; granted is
 * -1 if the kernel could not run. */
photon_promised photon_promise_of(int from, int to, int asked);

#ifdef __cplusplus
}
#endif
#endif
