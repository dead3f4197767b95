/* The same as photon_queue's. */
#include "kernel.h"

assay_reference_fn photon_queue_reference; /* reference/photon_queue/photon_queue.c */
assay_reference_fn selftest_queue_reference;

void selftest_queue_reference(const assay_reference_args *args) { photon_queue_reference(args); }
