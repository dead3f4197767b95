/* The list of pictures, and what they share. */
#include "case_pictures.h"

const case_picture case_pictures[CASE_PICTURES] = {
    { "gas", case_picture_gas,
      "thermo_gas: density, dark to light, after 130 steps of the reference. A hot region has "
      "blown "
      "up and sent a shock through a dense drop at rest." },
    { "scatter", case_picture_scatter,
      "thermo_scatter: density that the reference has deposited from 60000 particles on two spiral "
      "arms." },
    { "residual", case_picture_residual,
      "physics_loss: residual of sigma where a vortex carries six drops, but one tenth too slowly. "
      "Blue is below 0, red above." },
    { "physarum", case_picture_physarum,
      "physarum: caves, the field of 10000 agents after 60 steps by levels; sensors 9 cells "
      "away." },
    { "photon_hits", case_picture_photon_hits,
      "photon_propagate: detections of the 2400 sensors of the large sphere, seen from its middle "
      "(Hammer's equal-area map), from 120000 photons born off the middle." },
};

bool case_picture_of_field(const picture_field *f, const char *palette, picture *p)
{
    picture_scale scale;

    if (!picture_palette(palette, &scale) ||
        !picture_create(p, f->height * f->zoom, f->width * f->zoom, &scale))
        return false;
    picture_draw_field(p, 0, 0, f, &scale);
    return true;
}

double case_picture_random(uint64_t stream, uint64_t index)
{
    uint64_t v = index * 0x9E3779B97F4A7C15u + stream * 0xD1B54A32D192ED03u + 1;

    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return (double)((v ^ (v >> 31)) >> 11) * 0x1p-53;
}
