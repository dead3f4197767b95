/* Sets of the numbers of a step. */
#include "physarum_settings.h"

#include "../../kernels/physarum/physarum_case.h"

#define PI 3.14159265358979323846

/* Spreads divide the circle: physarum_run identifies agents by their headings modulo the spread.
 * Canonical headings are kept within half a turn, so that they keep that remainder only then. */
static const double settings[PHYSARUM_N_SETTINGS][PHYSARUM_SCALAR_DEPOSIT + 1] = {
    /* step, reach, spread, blend, decay, deposit */
    [PHYSARUM_ARTICLE]      = { 1, 5, PI / 4, 0.2, 0.01, 1 },
    [PHYSARUM_FAR]          = { 1, 13, PI / 4, 0.2, 0.01, 1 },
    [PHYSARUM_WIDE]         = { 1, 5, PI / 3, 0.2, 0.01, 1 },
    [PHYSARUM_LONG_STEPS]   = { 2.5, 7.3, PI / 4, 0.2, 0.1, 1 },
    [PHYSARUM_DENSE]        = { 1, 5, PI / 4, 0.5, 0, 2.5 },
    [PHYSARUM_STILL]        = { 0, 5, PI / 4, 0.2, 0.01, 1 },
    [PHYSARUM_NO_DIFFUSION] = { 1, 5, PI / 4, 0, 0.01, 1 },
};

void physarum_set_scalars(int64_t setting, assay_shape *s)
{
    for (int k = 0; k <= PHYSARUM_SCALAR_DEPOSIT; k++)
        s->scalar[k] = settings[setting][k];
}
