/* Whole calls that a launcher enqueues, and that a graph is captured from. */
#ifndef PHYSARUM_STEPS_H
#define PHYSARUM_STEPS_H

#include "kernel.h"

void physarum_enqueue_fused(const assay_args *args, assay_stream stream);

#endif
