/* Tests the OBJ reader with broken, huge, degenerate and hostile text, and the meshes of the
 * detectors. */
#include "../../../kernels/photon_propagate/photon_detector.h"

#include "../../testing/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const photon_mesh_name names[] = { { "plain", 1, 0 }, { "eye", 2, 1 }, { NULL, 0, 0 } };

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

/* In memory of exactly this size, so that a sanitizer sees a read one byte past it. */
static photon_status read_bytes(const char *text, size_t size, photon_mesh *mesh,
                                char reason[PHOTON_REASON_SIZE])
{
    char         *copy = malloc(size > 0 ? size : 1);
    photon_status status;

    if (!copy)
        abort();
    memcpy(copy, text, size);
    reason[0] = '\0';
    status    = photon_mesh_read_obj(copy, size, names, mesh, reason);
    free(copy);
    return status;
}

static photon_status read_text(const char *text, photon_mesh *mesh, char reason[PHOTON_REASON_SIZE])
{
    return read_bytes(text, strlen(text), mesh, reason);
}

/* ---- what must be read */

static void test_good_text(void)
{
    static const struct {
        const char *text;
        int64_t     n_vertices, n_triangles, n_sensors;
    } rows[] = {
        { SQUARE "f 1 2 3\n", 4, 1, 0 },
        { SQUARE "f 1 2 3", 4, 1, 0 },
        { SQUARE "f 1 2 3 4\n", 4, 2, 0 },
        { SQUARE "f -4 -3 -2 -1\n", 4, 2, 0 },
        { SQUARE "f 1/1/1 2/7/2 3/-3/+9\r\n", 4, 1, 0 },
        { SQUARE "f 1/1 2/2 3/3 4/4\n", 4, 2, 0 },
        { SQUARE "f 1//1 2//2 -2//3\n", 4, 1, 0 },
        { "v 0 0 0 # corner\r\nv 1 0 0 1.0 #\nv 0 1 0\t#x\nf 1 2 3 # \\\n# \\\n#\\", 3, 1, 0 },
        { "v 0 0 0 1\nv 1 0 0 0.5 0.25 1\nv 0 1 0 255 255 0 # a weight, colours\nf 1 2 3\n", 3, 1,
          0 },
        { "v 0 0 \\\n0\nv 1 0 0\nv \\\r\n 0 \\\n 1 0\nf 1\\\n2 3\n", 3, 1, 0 },
        { SQUARE "usemtl eye # in \\\nf 1 2 3\n", 4, 1, 1 },
        { SQUARE "  usemtl\teye \r\nf 1 2 3\n", 4, 1, 1 },
        { SQUARE "mtllib a#b.mtl\nmg 1 2\nlod 3\nshadow_obj x\nc_interp off\nf 1 2 3\n", 4, 1, 0 },
        { "# c\n\n  \tv 0 0 0 1\nv 1 0 0\nvn 0 0 1\nvt 0 0\nv 0 1 0\no x\ng\ns off\nf 1 2 3\n", 3,
          1, 0 },
        { SQUARE "usemtl eye\nf 1 2 3\nusemtl plain\nf 1 2 4\nusemtl eye\nf 1 3 4\n", 4, 3, 2 },
        { "v 1e-3 -2.5E+0 +3\nv 1 0 0\nv 0 1 0\nf 3 1 2\n", 3, 1, 0 },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char                reason[PHOTON_REASON_SIZE];
        photon_mesh         mesh;
        const photon_status status = read_text(rows[k].text, &mesh, reason);

        trial_expect(status == PHOTON_OK, "text %zu: status %d, %s", k, (int)status, reason);
        trial_expect(
            mesh.n_vertices == rows[k].n_vertices && mesh.n_triangles == rows[k].n_triangles &&
                mesh.n_sensors == rows[k].n_sensors,
            "text %zu: %lld vertices, %lld triangles, %lld sensors", k, (long long)mesh.n_vertices,
            (long long)mesh.n_triangles, (long long)mesh.n_sensors);
        photon_mesh_free(&mesh);
    }
}

static void test_faces_and_sensors(void)
{
    char        reason[PHOTON_REASON_SIZE];
    photon_mesh mesh;

    (void)read_text(SQUARE "f 1 2 3\nusemtl eye\nf 1 2 4\nf 4 1 2 3\nusemtl eye\nf -1 -4 -2\n",
                    &mesh, reason);
    trial_expect(mesh.n_triangles == 5 && mesh.face[0].codes == 1 && mesh.face[4].codes == 2 &&
                     mesh.face[0].sensor == PHOTON_NO_SENSOR && mesh.face[1].sensor == 0 &&
                     mesh.face[3].sensor == 0 && mesh.face[4].sensor == 1,
                 "surfaces and sensors of faces");
    trial_expect(
        mesh.n_triangles == 5 &&
            memcmp(mesh.corner + 6, (uint32_t[]) { 3, 0, 1, 3, 1, 2 }, 6 * sizeof(uint32_t)) == 0 &&
            memcmp(mesh.corner + 12, (uint32_t[]) { 3, 0, 2 }, 3 * sizeof(uint32_t)) == 0,
        "a fan, and corners counted back");
    photon_mesh_free(&mesh);
}

/* ---- what must be refused, and with which words */

static void expect_refused(size_t k, photon_status got, photon_status wanted, const char *words,
                           const photon_mesh *mesh, const char *reason)
{
    trial_expect(got == wanted, "text %zu: status %d, not %d: %s", k, (int)got, (int)wanted,
                 reason);
    trial_expect(strstr(reason, words) != NULL, "text %zu: '%s' does not say '%s'", k, reason,
                 words);
    trial_expect(mesh->n_triangles == 0 && !mesh->vertex && !mesh->corner && !mesh->face,
                 "text %zu: something is left", k);
}

static void test_bad_text(void)
{
    static const struct {
        const char   *text;
        photon_status status;
        const char   *words;
    } rows[] = {
        { "", PHOTON_INVALID, "no triangle" },
        { "# nothing\n", PHOTON_INVALID, "no triangle" },
        { SQUARE, PHOTON_INVALID, "no triangle" },
        { SQUARE "f 1 2 5\n", PHOTON_INVALID, "line 5: a face names vertex 5" },
        { SQUARE "f 1 2 0\n", PHOTON_INVALID, "names vertex 0" },
        { SQUARE "f -5 1 2\n", PHOTON_INVALID, "names vertex -5" },
        { SQUARE "f 1 2 2147483648\n", PHOTON_INVALID, "names vertex 2147483648" },
        { SQUARE "f 1 2 4294967297\n", PHOTON_INVALID, "names vertex" },
        { SQUARE "f 1 2 99999999999999999999999999\n", PHOTON_INVALID, "names vertex 9999" },
        { SQUARE "f 1 2 -9223372036854775808\n", PHOTON_INVALID, "names vertex" },
        { "f 1 2 3\n" SQUARE, PHOTON_INVALID, "but 0 came before" },
        { SQUARE "f 1 2\n", PHOTON_BROKEN, "three corners" },
        { SQUARE "f 1 2", PHOTON_BROKEN, "three corners" },
        { SQUARE "f\n", PHOTON_BROKEN, "three corners" },
        { SQUARE "f 1 2 # 3\n", PHOTON_BROKEN, "three corners" },
        { SQUARE "f 1 2 x\n", PHOTON_BROKEN, "no number" },
        { SQUARE "f 1/x 2 3\n", PHOTON_BROKEN, "line 5: a corner of a face is no number" },
        { SQUARE "f 1/1/x 2 3\n", PHOTON_BROKEN, "a/b/c: '1/1/x'" },
        { SQUARE "f 1//x 2 3\n", PHOTON_BROKEN, "'1//x'" },
        { SQUARE "f 1/ 2 3 4\n", PHOTON_BROKEN, "'1/'" },
        { SQUARE "f 1/1/ 2/1/ 3/1/\n", PHOTON_BROKEN, "'1/1/'" },
        { SQUARE "f 1// 2// 3//\n", PHOTON_BROKEN, "'1//'" },
        { SQUARE "f 1/1/1/1 2 3\n", PHOTON_BROKEN, "'1/1/1/1'" },
        { SQUARE "f 1///1 2 3\n", PHOTON_BROKEN, "'1///1'" },
        { SQUARE "f 1/0 2/1 3/1\n", PHOTON_BROKEN, "'1/0'" },
        { SQUARE "f /1 2 3\n", PHOTON_BROKEN, "'/1'" },
        { SQUARE "f 1/1 2 3\n", PHOTON_BROKEN, "not of one kind: '2'" },
        { SQUARE "f 1/1/1 2//2 3/3\n", PHOTON_BROKEN, "not of one kind: '2//2'" },
        { SQUARE "f 1 2 3#\n", PHOTON_BROKEN, "'3#'" },
        { SQUARE "f 1 2 3 junk\n", PHOTON_BROKEN, "'junk'" },
        { SQUARE "f 1 2 - 3\n", PHOTON_BROKEN, "'-'" },
        { SQUARE "f 1 2 + 3\n", PHOTON_BROKEN, "'+'" },
        { SQUARE "f 1 2 3.5\n", PHOTON_BROKEN, "no number" },
        { "v 0 0\n", PHOTON_BROKEN, "line 1: a vertex needs three numbers" },
        { "v 0 0 zero\n", PHOTON_BROKEN, "three numbers" },
        { "v 0 0 1x\n", PHOTON_BROKEN, "three numbers" },
        { "v 0 0 0 junk\n", PHOTON_BROKEN,
          "line 1: a vertex needs three numbers, or four or six: not 'junk'" },
        { "v 0 0 0 1 2\n", PHOTON_BROKEN, "has 5" },
        { "v 0 0 0 1 2 3 4\n", PHOTON_BROKEN, "not '4'" },
        { "v 0 0 0 1 x 1\n", PHOTON_BROKEN, "not 'x'" },
        { "v 0 0 # 0\n", PHOTON_BROKEN, "has 2" },
        { "v 0 0 0#\n", PHOTON_BROKEN, "not '0#'" },
        { "v 0 0 0x1\n", PHOTON_BROKEN, "not '0x1'" },
        { "v 0 0 0X1p3\n", PHOTON_BROKEN, "not '0X1p3'" },
        { "v 0 0 0,5\n", PHOTON_BROKEN, "not '0,5'" },
        { "v\n", PHOTON_BROKEN, "has 0" },
        { "v nan 0 0\n", PHOTON_INVALID, "not finite" },
        { "v 0 0 0 nan\n", PHOTON_INVALID, "not finite" },
        { "v 0 inf 0\n", PHOTON_INVALID, "not finite" },
        { "v 0 0 1e7\n", PHOTON_INVALID, "further" },
        { "v 0 0 1e999\n", PHOTON_INVALID, "not finite" },
        { SQUARE "f 1 1 2\n", PHOTON_INVALID, "without an area: triangle 1" },
        { SQUARE "v 2 0 0\nf 1 2 3\nf 1 2 5\n", PHOTON_INVALID, "without an area: triangle 2" },
        { "v 0 0 0\nv 1 0 0\nv 0.5 1e-7 0\nf 1 2 3\n", PHOTON_INVALID, "without an area" },
        { "usemtl unheard\n", PHOTON_INVALID, "'unheard'" },
        { "usemtl eye ball \n", PHOTON_INVALID, "'eye ball'" },
        { "usemtl eyes\n", PHOTON_INVALID, "'eyes'" },
        { "usemtl\n", PHOTON_INVALID, "none of the known" },
        { "hello\n", PHOTON_BROKEN, "no statement" },
        { "vx 1 2 3\n", PHOTON_BROKEN, "no statement" },
        { "\x7f"
          "ELF\x02\x01\n",
          PHOTON_BROKEN, "no statement" },
        { "surf 0 1 0 1 1 2 3\n", PHOTON_BROKEN, "no statement" },
        { "call more.obj\n", PHOTON_BROKEN, "no statement" },
        { "v1 0 0\n", PHOTON_BROKEN, "no statement" },
        { SQUARE "f 1 2 \\", PHOTON_BROKEN,
          "line 5: goes on in the next line, but it is the last" },
        { SQUARE "f 1 2 \\ 3\n", PHOTON_BROKEN, "'\\'" },
        { SQUARE "f 1\\\n 2 \\\n9\n", PHOTON_INVALID, "line 5: a face names vertex 9" },
        { SQUARE "f 1\\\n 2 \\\n3\nf 1 2 9\n", PHOTON_INVALID, "line 8: a face names vertex 9" },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char                reason[PHOTON_REASON_SIZE];
        photon_mesh         mesh;
        const photon_status status = read_text(rows[k].text, &mesh, reason);

        expect_refused(k, status, rows[k].status, rows[k].words, &mesh, reason);
        photon_mesh_free(&mesh);
    }
}

static void test_zero_bytes_and_long_lines(void)
{
    static char   text[20000];
    char          reason[PHOTON_REASON_SIZE];
    photon_mesh   mesh;
    photon_status status = read_bytes("v 0 0 0\nv 1\0 0 0\n", 17, &mesh, reason);

    expect_refused(100, status, PHOTON_BROKEN, "zero byte", &mesh, reason);
    memset(text, ' ', sizeof text);
    text[0] = 'f';
    status  = read_bytes(text, sizeof text, &mesh, reason);
    expect_refused(101, status, PHOTON_BROKEN, "longer than", &mesh, reason);
    text[0] = '#'; /* a long comment counts for nothing */
    status  = read_bytes(text, sizeof text, &mesh, reason);
    expect_refused(102, status, PHOTON_INVALID, "no triangle", &mesh, reason);
    memcpy(text, "v 0 0 # ", 8); /* also after a statement */
    status = read_bytes(text, sizeof text, &mesh, reason);
    expect_refused(104, status, PHOTON_BROKEN, "has 2", &mesh, reason);
    for (size_t at = 0; at < sizeof text; at += 100) /* continued lines are one statement */
        memcpy(text + at + 98, "\\\n", 2);
    text[6] = ' ';
    status  = read_bytes(text, sizeof text, &mesh, reason);
    expect_refused(105, status, PHOTON_BROKEN, "line 1: longer than", &mesh, reason);
    memcpy(text, SQUARE, strlen(SQUARE));
    memset(text + strlen(SQUARE), 'f', 1);
    for (size_t at = strlen(SQUARE) + 1; at + 2 < 2048; at += 2)
        memcpy(text + at, at % 4 == 0 ? " 1" : " 2", 2);
    status = read_bytes(text, 2048, &mesh, reason);
    expect_refused(103, status, PHOTON_TOO_LARGE, "corners", &mesh, reason);
}

/* More triangles than a mesh may have, in statements of 254 each. */
static void test_huge_text(void)
{
    const int64_t n_faces = PHOTON_MESH_MOST / 254 + 2;
    const size_t  one     = 2 + 256 * 2;
    char         *text    = malloc(strlen(SQUARE) + (size_t)n_faces * one);
    size_t        at      = strlen(SQUARE);
    char          reason[PHOTON_REASON_SIZE];
    photon_mesh   mesh;

    if (!text)
        abort();
    memcpy(text, SQUARE, at);
    for (int64_t f = 0; f < n_faces; f++) {
        text[at] = 'f';
        for (size_t k = 0; k < 256; k++) {
            text[at + 1 + 2 * k] = ' ';
            text[at + 2 + 2 * k] = (char)('1' + k % 4);
        }
        text[at + one - 1] = '\n';
        at += one;
    }
    expect_refused(200, read_bytes(text, at, &mesh, reason), PHOTON_TOO_LARGE, "more than", &mesh,
                   reason);
    free(text);
}

/* Every prefix of a good text is read or refused; nothing is read past its end. */
static void test_every_prefix(void)
{
    const size_t size  = strlen(photon_detector_obj);
    long         right = 0;

    for (size_t n = 0; n <= size; n++) {
        char          reason[PHOTON_REASON_SIZE] = "";
        photon_mesh   mesh;
        char         *copy = malloc(n + 1);
        photon_status status;

        if (!copy)
            abort();
        memcpy(copy, photon_detector_obj, n);
        status = photon_mesh_read_obj(copy, n, photon_detector_names, &mesh, reason);
        right += (status == PHOTON_OK) == (mesh.n_triangles > 0) &&
                 (status == PHOTON_OK) == (reason[0] == '\0');
        photon_mesh_free(&mesh);
        free(copy);
    }
    trial_expect(right == (long)size + 1, "%ld of %zu prefixes", right, size + 1);
}

/* Changes bytes at random places: no crash, and a status that fits what is left. */
static void test_changed_bytes(void)
{
    const size_t size  = strlen(photon_detector_obj);
    char        *copy  = malloc(size);
    uint64_t     state = 12345;
    long         right = 0, trials = 3000;

    if (!copy)
        abort();
    for (long k = 0; k < trials; k++) {
        char          reason[PHOTON_REASON_SIZE] = "";
        photon_mesh   mesh;
        photon_status status;

        memcpy(copy, photon_detector_obj, size);
        for (int b = 0; b < 3; b++) {
            state                      = state * 6364136223846793005u + 1442695040888963407u;
            copy[(state >> 33) % size] = (char)(state >> 56);
        }
        status = photon_mesh_read_obj(copy, size, photon_detector_names, &mesh, reason);
        right += (status == PHOTON_OK) == (mesh.n_triangles > 0) &&
                 (status == PHOTON_OK) == (reason[0] == '\0');
        photon_mesh_free(&mesh);
    }
    free(copy);
    trial_expect(right == trials, "%ld of %ld changed texts", right, trials);
}

/* ---- the detectors */

/* Six times the volume inside the faces with these codes. */
static double volume_behind(const photon_mesh *mesh, uint32_t codes)
{
    double sum = 0;

    for (int64_t t = 0; t < mesh->n_triangles; t++) {
        const float *p[3];

        for (int k = 0; k < 3; k++)
            p[k] = mesh->vertex + 3 * (int64_t)mesh->corner[3 * t + k];
        for (int a = 0; a < 3 && mesh->face[t].codes == codes; a++)
            sum += (double)p[0][a] * ((double)p[1][(a + 1) % 3] * (double)p[2][(a + 2) % 3] -
                                      (double)p[1][(a + 2) % 3] * (double)p[2][(a + 1) % 3]);
    }
    return sum / 6;
}

static void test_detectors(void)
{
    const uint32_t wall = photon_detector_names[0].codes, vessel = photon_detector_names[3].codes;
    /* The volume inside a sphere, less 4 % at level 2. */
    const double volume[PHOTON_GEOMETRIES][2] = { [PHOTON_BOX]    = { 480, 60 },
                                                  [PHOTON_SPHERE] = { 904.8, 179.6 },
                                                  [PHOTON_LARGE]  = { 904.8, 179.6 } };

    for (int g = 0; g < PHOTON_GEOMETRIES; g++) {
        char        reason[PHOTON_REASON_SIZE] = "";
        photon_mesh mesh;

        trial_expect(photon_detector_mesh(g, &mesh, reason) == PHOTON_OK, "detector %d: %s", g,
                     reason);
        trial_expect(photon_mesh_check(&mesh, reason) == PHOTON_OK, "detector %d: %s", g, reason);
        trial_expect(mesh.n_triangles == photon_detector_triangles(g) &&
                         mesh.n_sensors == photon_detector_sensors(g),
                     "detector %d: %lld triangles, %lld sensors", g, (long long)mesh.n_triangles,
                     (long long)mesh.n_sensors);
        if (volume[g][0] > 0)
            trial_expect(fabs(volume_behind(&mesh, wall) / volume[g][0] - 0.98) <= 0.021 &&
                             fabs(volume_behind(&mesh, vessel) / volume[g][1] - 0.98) <= 0.021,
                         "detector %d: volumes %g and %g", g, volume_behind(&mesh, wall),
                         volume_behind(&mesh, vessel));
        photon_mesh_free(&mesh);
    }
}

int main(void)
{
    test_good_text();
    test_faces_and_sensors();
    test_bad_text();
    test_zero_bytes_and_long_lines();
    test_huge_text();
    test_every_prefix();
    test_changed_bytes();
    test_detectors();
    return trial_finish("test_photon_mesh");
}
