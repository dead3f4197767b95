/* The decision after an attempt: for attempts that are enqueued one by one, and for a graph that
 * repeats itself. */
#ifndef ASSAY_STEP_DECIDE_CUH
#define ASSAY_STEP_DECIDE_CUH

#include "step_device.cuh"

struct step_tell_nobody {
    __device__ void operator()(bool) const {}
};

/* One thread decides: done, or another attempt with half of dt. It calls `tell` with whether there
 * is another attempt. */
template <typename Tell> static __global__ void step_decide(step_problem q, Tell tell)
{
    step_control *c = q.control;

    if (!c->is_done && c->is_bad && c->halvings < THERMO_MAX_HALVINGS) {
        c->dt *= 0.5f;
        c->halvings++;
        c->is_bad = 0;
    } else if (!c->is_done) {
        c->halvings = c->is_bad ? STEP_NO_DT : c->halvings;
        c->is_done  = 1;
    }
    tell(!c->is_done);
}

#endif
