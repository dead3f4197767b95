/* Materials from text: media and surfaces with curves over wavelength, and what the surfaces that a
 * mesh names are. docs/photon_propagate.md has the format. */
#ifndef PHOTON_MATERIALS_H
#define PHOTON_MATERIALS_H

#include "photon_mesh.h"
#include "propagate_case.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PHOTON_NAME_SIZE  = 64, /* of a medium, a surface, a face; its end included */
    PHOTON_FACES_MOST = 64  /* names that a mesh may use */
};

/* `names` points into it: not to be copied. */
typedef struct photon_materials {
    float            media[PHOTON_MEDIA * PHOTON_MEDIUM_SIZE]; /* as propagate_case.h says */
    float            surfaces[PHOTON_SURFACES * PHOTON_SURFACE_SIZE];
    int              source; /* medium whose spectrum the source has */
    char             face[PHOTON_FACES_MOST][PHOTON_NAME_SIZE];
    photon_mesh_name names[PHOTON_FACES_MOST + 1]; /* for photon_mesh_read_obj */
} photon_materials;

/* Reads `size` bytes. On anything but PHOTON_OK `reason` is "file:line: why"; `file` is for it
 * alone. */
photon_status photon_materials_read(const char *file, const char *text, size_t size,
                                    photon_materials *materials, char reason[PHOTON_REASON_SIZE]);

/* ---- for the reader: a curve through points, linear between them */

enum {
    PHOTON_POINTS_MOST = 256
};

typedef struct photon_curve {
    int    n;                                                 /* 1 at least */
    double nm[PHOTON_POINTS_MOST], value[PHOTON_POINTS_MOST]; /* nm grow */
} photon_curve;

/* Its value, before the first point and behind the last one that of the point. */
double photon_curve_at(const photon_curve *curve, double nm);
/* At the wavelengths of the tables. */
void photon_curve_sample(const photon_curve *curve, double value[PHOTON_WAVELENGTHS]);
/* Wavelengths at the quantiles of a density, which is 0 before the first point and behind the last
 * one; false: there is nothing below it. */
bool photon_curve_quantiles(const photon_curve *density, double nm[PHOTON_CDF]);

#ifdef __cplusplus
}
#endif

#endif
