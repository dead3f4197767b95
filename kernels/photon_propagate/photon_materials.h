/* Materials from text: media and surfaces with curves over wavelength, and the meaning of the
 * surfaces that a mesh names. docs/photon_propagate.md has the format. */
#ifndef PHOTON_MATERIALS_H
#define PHOTON_MATERIALS_H

#include "photon_mesh.h"
#include "propagate_case.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PHOTON_NAME_SIZE  = 64, /* of a medium, a surface, a face; including its end */
    PHOTON_FACES_MOST = 64  /* names that a mesh may use */
};

/* `names` points into this structure, so it must not be copied. */
typedef struct photon_materials {
    float            media[PHOTON_MEDIA * PHOTON_MEDIUM_SIZE]; /* as propagate_case.h says */
    float            surfaces[PHOTON_SURFACES * PHOTON_SURFACE_SIZE];
    int              source; /* medium whose spectrum the source has */
    char             face[PHOTON_FACES_MOST][PHOTON_NAME_SIZE];
    photon_mesh_name names[PHOTON_FACES_MOST + 1]; /* for photon_mesh_read_obj */
} photon_materials;

/* Reads `size` bytes. If it does not return PHOTON_OK, `reason` is "file:line: why"; `file` is only
 * used for that. */
photon_status photon_materials_read(const char *file, const char *text, size_t size,
                                    photon_materials *materials, char reason[PHOTON_REASON_SIZE]);

/* ---- for the reader: a curve through points, linear between them */

enum {
    PHOTON_POINTS_MOST = 256
};

typedef struct photon_curve {
    int    n;                                                 /* at least 1 */
    double nm[PHOTON_POINTS_MOST], value[PHOTON_POINTS_MOST]; /* nm increases */
} photon_curve;

/* Its value. Outside the points it is that of the first or the last point. */
double photon_curve_at(const photon_curve *curve, double nm);
/* Its values at the wavelengths of the tables. */
void photon_curve_sample(const photon_curve *curve, double value[PHOTON_WAVELENGTHS]);
/* Wavelengths at the quantiles of a density, which is 0 outside the points. False: the area below
 * it is 0. */
bool photon_curve_quantiles(const photon_curve *density, double nm[PHOTON_CDF]);

#ifdef __cplusplus
}
#endif

#endif
