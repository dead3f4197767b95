/* Writes a detector as OBJ text, to a file or to standard output:
 *
 *   photon_mesh_write bulbs|box|sphere|obj|large [FILE] */
#include "photon_mesh_text.h"

#include "../../../kernels/photon_propagate/photon_detector.h"

#include <errno.h>
#include <string.h>

enum {
    BULBS = PHOTON_GEOMETRIES /* not one of the case's own */
};
static const struct {
    const char *name;
    int         geometry;
} detectors[] = { { "bulbs", BULBS },
                  { "box", PHOTON_BOX },
                  { "sphere", PHOTON_SPHERE },
                  { "obj", PHOTON_OBJ },
                  { "large", PHOTON_LARGE } };

static int find_detector(const char *name)
{
    for (size_t k = 0; k < sizeof detectors / sizeof *detectors; k++)
        if (strcmp(name, detectors[k].name) == 0)
            return detectors[k].geometry;
    return -1;
}

static bool write_detector(int geometry, FILE *out)
{
    char        reason[PHOTON_REASON_SIZE] = "not all could be written";
    photon_mesh mesh;
    bool        works;

    if (geometry == BULBS)
        return photon_mesh_text_bulbs(out);
    works = photon_detector_mesh(geometry, &mesh, reason) == PHOTON_OK &&
            photon_mesh_text_of(&mesh, photon_detector_names, out);
    if (!works)
        (void)fprintf(stderr, "photon_mesh_write: %s\n", reason);
    photon_mesh_free(&mesh);
    return works;
}

int main(int argc, char **argv)
{
    const int geometry = argc > 1 ? find_detector(argv[1]) : -1;
    FILE     *out      = stdout;
    bool      works;

    if (geometry < 0 || argc > 3) {
        (void)fputs("photon_mesh_write bulbs|box|sphere|obj|large [FILE]\n", stderr);
        return 4;
    }
    if (argc > 2)
        out = fopen(argv[2], "w");
    if (!out) {
        (void)fprintf(stderr, "photon_mesh_write: %s: %s\n", argv[2], strerror(errno));
        return 1;
    }
    works = write_detector(geometry, out);
    if (out != stdout && fclose(out) != 0)
        works = false;
    return works ? 0 : 1;
}
