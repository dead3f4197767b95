/* A detector of a person's own: a mesh in an OBJ file, and what its parts are made of in a file
 * beside it, if there is one. */
#ifndef PHOTON_DETECTOR_FILE_H
#define PHOTON_DETECTOR_FILE_H

#include "photon_materials.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PHOTON_MATERIALS_FILE_MOST = 1 << 20 /* bytes */
};

/* Owns both; starts as zeros. */
typedef struct photon_detector_file {
    photon_mesh       mesh;
    photon_materials *materials; /* NULL: there is no such file */
} photon_detector_file;

/* Reads FILE.obj and the file of its folder that it names by `mtllib ....materials`, else
 * FILE.materials if that is there; without one, faces have the names of photon_detector_names. On
 * anything but PHOTON_OK nothing is left and `reason` says which file is wrong, and why. The caller
 * frees. */
photon_status photon_detector_file_read(const char *file, photon_detector_file *detector,
                                        char reason[PHOTON_REASON_SIZE]);
/* Accepts NULL. */
void photon_detector_file_free(photon_detector_file *detector);

/* The medium whose spectrum the source has: the materials' own choice, else the vessel's, if there
 * is one, else the tank's. */
int photon_detector_file_source(const photon_detector_file *detector);

#ifdef __cplusplus
}
#endif

#endif
