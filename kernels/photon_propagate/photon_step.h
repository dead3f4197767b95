/* One step of one photon, which every kernel calls. In C, CUDA C++ and C++. */
#ifndef PHOTON_STEP_H
#define PHOTON_STEP_H

#include "photon_respond.h"

/* A NaN or an invalid direction ends a photon, rather than lead it astray. */
PHOTON_FUNCTION int photon_is_sound(const photon_state *p)
{
    const float size = photon_dot(p->dir, p->dir), far = 1e7f;

    return size > 0.9f && size < 1.1f && fabsf(p->pos.x) < far && fabsf(p->pos.y) < far &&
           fabsf(p->pos.z) < far && fabsf(p->wavelength) < far;
}

/* The part before the tree: draws a photon that is still to be drawn; returns whether it goes
 * on. */
PHOTON_FUNCTION int photon_begin(const photon_world *w, photon_state *p)
{
    if (p->flags & PHOTON_ISOTROPIC_INIT)
        photon_emit(w, p);
    if (photon_is_sound(p))
        return 1;
    p->flags |= PHOTON_NAN_ABORT;
    return 0;
}

/* The part after the tree. */
PHOTON_FUNCTION void photon_finish(const photon_world *w, const photon_hit *hit, photon_state *p)
{
    if (hit->face >= 0) {
        photon_respond(w, hit, p);
        return;
    }
    p->flags |= PHOTON_NO_HIT;
    p->face = -1;
    p->draw += PHOTON_DRAWS_STEP;
}

/* For a photon that has not ended. If its flags have PHOTON_REEMIT afterwards, photon_secondary(p)
 * takes its place. */
PHOTON_FUNCTION void photon_step(const photon_world *w, photon_state *p)
{
    if (photon_begin(w, p)) {
        const photon_hit hit = photon_trace(w, p);

        photon_finish(w, &hit, p);
    }
}

/* Has it made as many steps as it may? */
PHOTON_FUNCTION int photon_is_spent(const photon_state *p, uint32_t steps)
{
    return p->draw >= PHOTON_DRAW_STEP + PHOTON_DRAWS_STEP * steps;
}

#endif
