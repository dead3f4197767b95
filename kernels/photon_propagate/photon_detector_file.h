/* A user's own detector: a mesh in an OBJ file and, if there is one, a file beside it that says
 * what its parts are made of. */
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
    photon_materials *materials; /* NULL: no such file */
} photon_detector_file;

/* Reads FILE.obj, and the file in its folder that it names by `mtllib ....materials`, else
 * FILE.materials if there is one. Without a materials file, faces have the names of
 * photon_detector_names. If it does not return PHOTON_OK nothing is left, and `reason` says which
 * file is wrong, and why. The caller frees. */
photon_status photon_detector_file_read(const char *file, photon_detector_file *detector,
                                        char reason[PHOTON_REASON_SIZE]);
/* Accepts NULL. */
void photon_detector_file_free(photon_detector_file *detector);

/* The medium whose spectrum the source has: the materials' own choice; else the vessel's medium, if
 * there is one; else the tank's. */
int photon_detector_file_source(const photon_detector_file *detector);

#ifdef __cplusplus
}
#endif

#endif
