/* Pictures of what the cases compute, by their references and CPU variants, from fixed seeds. */
#ifndef CASE_PICTURES_H
#define CASE_PICTURES_H

#include "../../testing/picture/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Draws one picture. false: out of memory, and there is nothing to free; otherwise the caller
 * frees. */
typedef bool case_picture_draw(picture *p);

typedef struct case_picture {
    const char        *name;
    case_picture_draw *draw;
    const char        *caption;
} case_picture;

enum {
    CASE_PICTURES = 5
};
extern const case_picture case_pictures[CASE_PICTURES];

case_picture_draw case_picture_gas, case_picture_scatter, case_picture_photon_hits,
    case_picture_residual, case_picture_physarum;

/* ---- parts */

/* Draws only a field, in the palette of that name. */
bool case_picture_of_field(const picture_field *field, const char *palette, picture *p);

/* In [0, 1), a pure function of both arguments. */
double case_picture_random(uint64_t stream, uint64_t index);

#endif
