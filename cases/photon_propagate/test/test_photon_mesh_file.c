/* Meshes from files: a file that cannot be read is refused in a sentence with its name; a detector
 * that is written and read again is the same; and the file that comes with the project is what its
 * program writes.
 *
 *   test_photon_mesh_file FILE: that file */
#include "photon_mesh_text.h"

#include "../../../kernels/photon_propagate/photon_bvh.h"
#include "../../../kernels/photon_propagate/photon_detector.h"
#include "../../../kernels/photon_propagate/photon_mesh_file.h"

#include "../../testing/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096
};
static char folder[PATH_SIZE];

static const char *path_of(const char *name, char path[2 * PATH_SIZE])
{
    (void)snprintf(path, 2 * PATH_SIZE, "%s/%s", folder, name);
    return path;
}

/* Aborts if the file cannot be made. */
static FILE *new_file(const char *name)
{
    char        path[2 * PATH_SIZE];
    FILE *const file = fopen(path_of(name, path), "w");

    if (!file)
        abort();
    return file;
}

static void put(const char *name, const char *text, size_t size)
{
    FILE *const file = new_file(name);

    if (fwrite(text, 1, size, file) != size || fclose(file) != 0)
        abort();
}

/* ---- what cannot be read */

static void expect_refused(const char *name, photon_status wanted, const char *words)
{
    char                path[2 * PATH_SIZE], reason[PHOTON_REASON_SIZE] = "";
    photon_mesh         mesh;
    const photon_status status =
        photon_mesh_read_file(path_of(name, path), photon_detector_names, &mesh, reason);

    trial_expect(status == wanted, "%s: status %d, not %d: %s", name, (int)status, (int)wanted,
                 reason);
    trial_expect(strstr(reason, words) != NULL, "%s: '%s' does not say '%s'", name, reason, words);
    trial_expect(strstr(reason, name) != NULL, "'%s' does not name %s", reason, name);
    trial_expect(mesh.n_triangles == 0 && !mesh.vertex && !mesh.corner && !mesh.face,
                 "%s: something is left", name);
}

static void test_no_file(void)
{
    char path[2 * PATH_SIZE];

    expect_refused("none.obj", PHOTON_NO_FILE, "No such file");
    expect_refused("none/none.obj", PHOTON_NO_FILE, "No such file");
    if (mkdir(path_of("folder.obj", path), 0700) != 0 ||
        mkfifo(path_of("pipe.obj", path), 0600) != 0)
        abort();
    expect_refused("folder.obj", PHOTON_NO_FILE, "is a directory");
    expect_refused("pipe.obj", PHOTON_NO_FILE, "is no regular file");
    put("locked.obj", "v 0 0 0\n", 8);
    if (chmod(path_of("locked.obj", path), 0) != 0)
        abort();
    if (geteuid() != 0) /* root may read everything */
        expect_refused("locked.obj", PHOTON_NO_FILE, "Permission denied");
}

static void test_bad_text(void)
{
    static const char zero[] = "v 0 0 0\nv 1 0\0 0\n";

    put("empty.obj", "", 0);
    expect_refused("empty.obj", PHOTON_INVALID, "no triangle");
    put("binary.obj", zero, sizeof zero - 1);
    expect_refused("binary.obj", PHOTON_BROKEN, "line 2: holds a zero byte");
    put("words.obj", "v 0 0 0\nsome words\n", 19);
    expect_refused("words.obj", PHOTON_BROKEN, "line 2: ");
}

/* The name is cut, not the sentence. */
static void test_long_name(void)
{
    char        long_name[201] = "", path[2 * PATH_SIZE], reason[PHOTON_REASON_SIZE] = "";
    photon_mesh mesh;

    memset(long_name, 'x', sizeof long_name - 1);
    trial_expect(photon_mesh_read_file(path_of(long_name, path), photon_detector_names, &mesh,
                                       reason) == PHOTON_NO_FILE &&
                     strncmp(reason, "...x", 4) == 0 && strstr(reason, "x: No such file") != NULL,
                 "a long name: '%s'", reason);
}

/* A file with a hole: more bytes than are read, and none of them stored. */
static void test_too_many_bytes(void)
{
    FILE *const file = new_file("huge.obj");

    if (ftruncate(fileno(file), (off_t)PHOTON_MESH_FILE_MOST + 1) != 0 || fclose(file) != 0)
        abort();
    expect_refused("huge.obj", PHOTON_TOO_LARGE, "has 536870913 bytes, more than 536870912");
}

static void test_too_many_vertices(void)
{
    FILE *const file = new_file("vertices.obj");

    for (int k = 0; k <= PHOTON_MESH_MOST; k++)
        if (fputs("v 0 0 0\n", file) < 0)
            abort();
    if (fclose(file) != 0)
        abort();
    expect_refused("vertices.obj", PHOTON_TOO_LARGE,
                   "line 4194305: more than 4194304 vertices or triangles");
}

/* ---- what is written and read again */

static bool is_same(const photon_mesh *a, const photon_mesh *b)
{
    return a->n_vertices == b->n_vertices && a->n_triangles == b->n_triangles &&
           a->n_sensors == b->n_sensors &&
           memcmp(a->vertex, b->vertex, (size_t)(3 * a->n_vertices) * sizeof *a->vertex) == 0 &&
           memcmp(a->corner, b->corner, (size_t)(3 * a->n_triangles) * sizeof *a->corner) == 0 &&
           memcmp(a->face, b->face, (size_t)a->n_triangles * sizeof *a->face) == 0;
}

static void test_detectors(void)
{
    char path[2 * PATH_SIZE], reason[PHOTON_REASON_SIZE] = "";

    for (int geometry = 0; geometry < PHOTON_GEOMETRIES; geometry++) {
        FILE *const   out  = new_file("detector.obj");
        photon_mesh   mesh = { 0 }, again;
        photon_status status;

        trial_expect(photon_detector_mesh(geometry, &mesh, reason) == PHOTON_OK &&
                         photon_mesh_text_of(&mesh, photon_detector_names, out),
                     "detector %d is not written: %s", geometry, reason);
        if (fclose(out) != 0)
            abort();
        status = photon_mesh_read_file(path_of("detector.obj", path), photon_detector_names, &again,
                                       reason);
        trial_expect(status == PHOTON_OK && is_same(&mesh, &again), "detector %d: %s", geometry,
                     status == PHOTON_OK ? "not the same as before" : reason);
        photon_mesh_free(&mesh);
        photon_mesh_free(&again);
    }
}

/* The volume of a closed surface, by the divergence theorem. If it is that of the solid, the faces
 * look outwards and leave no gap. */
static double volume_of(const photon_mesh *m, uint32_t codes)
{
    double sum = 0;

    for (int64_t t = 0; t < m->n_triangles; t++) {
        double p[3][3];

        for (int k = 0; m->face[t].codes == codes && k < 3; k++)
            for (int a = 0; a < 3; a++)
                p[k][a] = (double)m->vertex[3 * (int64_t)m->corner[3 * t + k] + a];
        for (int a = 0; m->face[t].codes == codes && a < 3; a++)
            sum += p[0][a] *
                   (p[1][(a + 1) % 3] * p[2][(a + 2) % 3] - p[1][(a + 2) % 3] * p[2][(a + 1) % 3]);
    }
    return sum / 6;
}

/* Volumes of a prism of n sides, and of a sphere of zones with n sides each, as frusta. */
static double prism_volume(int n, double radius, double height)
{
    return n / 2.0 * radius * radius * sin(2 * M_PI / n) * height;
}

static double sphere_volume(int n, int zones, double radius)
{
    double sum = 0;

    for (int k = 0; k < zones; k++) {
        const double a = M_PI * k / zones, b = M_PI * (k + 1) / zones;
        const double r = sin(a), s = sin(b);

        sum += n / 6.0 * sin(2 * M_PI / n) * (r * r + r * s + s * s) * (cos(a) - cos(b));
    }
    return sum * radius * radius * radius;
}

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-4 * b; }

static void test_bulbs(void)
{
    const uint32_t *codes = &photon_detector_names[0].codes; /* wall; the vessel is the fourth */
    FILE *const     out   = new_file("bulbs.obj");
    char            path[2 * PATH_SIZE], reason[PHOTON_REASON_SIZE] = "";
    photon_mesh     mesh;
    photon_geometry geometry = { 0 };

    trial_expect(photon_mesh_text_bulbs(out), "bulbs are not written");
    if (fclose(out) != 0)
        abort();
    trial_expect(photon_mesh_read_file(path_of("bulbs.obj", path), photon_detector_names, &mesh,
                                       reason) == PHOTON_OK &&
                     photon_geometry_build(&mesh, &geometry, reason) == PHOTON_OK,
                 "bulbs: %s", reason);
    trial_expect(mesh.n_sensors == 88 && mesh.n_triangles == 48 * 2 + 2 * 46 + 24 * 22 + 88 * 24,
                 "bulbs: %d sensors, %d triangles", (int)mesh.n_sensors, (int)mesh.n_triangles);
    trial_expect(is_near(volume_of(&mesh, *codes), prism_volume(48, 5, 8)), "the tank holds %g",
                 volume_of(&mesh, *codes));
    trial_expect(
        is_near(volume_of(&mesh, photon_detector_names[3].codes), sphere_volume(24, 12, 3)),
        "the vessel holds %g", volume_of(&mesh, photon_detector_names[3].codes));
    photon_geometry_free(&geometry);
    photon_mesh_free(&mesh);
}

/* Compares the file that comes with the project, character by character. */
static void test_given(const char *given)
{
    char        path[2 * PATH_SIZE];
    FILE *const a = fopen(given, "r"), *const b = fopen(path_of("bulbs.obj", path), "r");
    int  x = 0, y = 0;
    long n = 0;

    if (!trial_expect(a && b, "%s cannot be opened", given))
        return;
    for (; x == y && x != EOF; n++) {
        x = fgetc(a);
        y = fgetc(b);
    }
    trial_expect(x == y && n > 1, "%s is not what photon_mesh_write writes, from byte %ld", given,
                 n);
    (void)fclose(a), (void)fclose(b);
}

static void remove_all(void)
{
    static const char *const names[] = { "folder.obj",   "pipe.obj",  "locked.obj", "empty.obj",
                                         "binary.obj",   "words.obj", "huge.obj",   "vertices.obj",
                                         "detector.obj", "bulbs.obj" };
    char                     path[2 * PATH_SIZE];

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        (void)remove(path_of(names[k], path)); /* a missing file need not be removed */
    (void)rmdir(folder);
}

int main(int argc, char **argv)
{
    const char *const place = getenv("TMPDIR");

    (void)snprintf(folder, sizeof folder, "%s/photon_mesh_XXXXXX", place ? place : "/tmp");
    if (argc != 2 || !mkdtemp(folder)) {
        (void)fputs("test_photon_mesh_file FILE; and a place for files must be there\n", stderr);
        return 4;
    }
    test_no_file();
    test_bad_text();
    test_long_name();
    test_too_many_bytes();
    test_too_many_vertices();
    test_detectors();
    test_bulbs();
    test_given(argv[1]);
    remove_all();
    return trial_finish("test_photon_mesh_file");
}
