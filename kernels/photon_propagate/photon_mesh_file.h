/* Meshes in OBJ files. */
#ifndef PHOTON_MESH_FILE_H
#define PHOTON_MESH_FILE_H

#include "photon_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PHOTON_MESH_FILE_MOST = 1 << 29 /* bytes */
};

/* Reads all bytes of a regular file of at most `most`; the caller frees. PHOTON_NO_FILE,
 * PHOTON_TOO_LARGE and PHOTON_NO_MEMORY leave *text NULL. `reason` begins with the file's name. */
photon_status photon_file_read(const char *file, size_t most, char **text, size_t *size,
                               char reason[PHOTON_REASON_SIZE]);

/* photon_mesh_read_obj, with the file's name before each reason. */
photon_status photon_mesh_read_text(const char *file, const char *text, size_t size,
                                    const photon_mesh_name *names, photon_mesh *mesh,
                                    char reason[PHOTON_REASON_SIZE]);

/* photon_mesh_read_obj of a file's text. PHOTON_NO_FILE: no readable file, or not a regular one.
 * PHOTON_TOO_LARGE: also if it has more bytes than PHOTON_MESH_FILE_MOST. `reason` begins with the
 * file's name. */
photon_status photon_mesh_read_file(const char *file, const photon_mesh_name *names,
                                    photon_mesh *mesh, char reason[PHOTON_REASON_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
