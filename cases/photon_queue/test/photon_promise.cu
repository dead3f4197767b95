/* One promise of a queue that answers at once, for C. */
#include "photon_promise.h"

#include "../../../kernels/photon/queue.cuh"

static __global__ void promise_kernel(photon_promised *p, unsigned asked)
{
    photon_wait wait = photon_wait_until(0);

    p->granted = static_cast<int>(photon_promise(&p->from, &p->to, asked, &wait));
}

photon_promised photon_promise_of(int from, int to, int asked)
{
    photon_promised p = { 0, from, to };

    promise_kernel<<<1, 1>>>(&p, static_cast<unsigned>(asked));
    if (assay_launch_status() != 0)
        p.granted = -1;
    return p;
}
