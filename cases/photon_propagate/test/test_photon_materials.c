/* Materials from text: the tables hold what is read, wrong text is refused with its line, and no
 * bytes do harm. Materials beside a mesh: which file they are in.
 *
 *   test_photon_materials FILE: photon_tank.obj, beside photon_tank.materials */
#include "../../../kernels/photon_propagate/photon_detector.h"
#include "../../../kernels/photon_propagate/photon_detector_file.h"
#include "../../../kernels/photon_propagate/photon_mesh_file.h"

#include "../../testing/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096
};
static char             folder[PATH_SIZE];
static photon_materials m;
static char             reason[PHOTON_REASON_SIZE];

static photon_status read_text(const char *text, size_t size)
{
    reason[0] = '\0';
    return photon_materials_read("x.materials", text, size, &m, reason);
}

/* ---- what is read */

static bool is_near(float a, double b) { return fabs((double)a - b) <= 1e-6 * fabs(b); }

static void expect_medium(int medium, int place, int k, double wanted)
{
    const float got = m.media[medium * PHOTON_MEDIUM_SIZE + place * PHOTON_WAVELENGTHS + k];

    trial_expect(is_near(got, wanted), "medium %d, table %d, wavelength %d: %g, not %g", medium,
                 place, k, (double)got, wanted);
}

static void test_tables(void)
{
    static const char text[] = "medium oil # a comment\n"
                               "\tindex 200 1.5 240 1.6 320 1.4\r\n"
                               "reemission 300 0.5\n"
                               "emission 400 1 500 1\n"
                               "delay 2\n"
                               "\n"
                               "medium air\n"
                               "index 400 1\n"
                               "surface glass\n"
                               "detect 200 0.25\n"
                               "specular 200 0.5\n"
                               "surface black\n"
                               "absorb 500 1\n"
                               "source oil\n"
                               "face rim inside oil outside air surface black\n"
                               "face eye inside air outside oil surface glass\n"
                               "face skin inside oil outside air";

    if (!trial_expect(read_text(text, sizeof text - 1) == PHOTON_OK, "not read: %s", reason))
        return;
    expect_medium(0, PHOTON_MEDIUM_INDEX, 0, 1.5);
    expect_medium(0, PHOTON_MEDIUM_INDEX, 1, 1.6);
    expect_medium(0, PHOTON_MEDIUM_INDEX, 2, 1.5);
    expect_medium(0, PHOTON_MEDIUM_INDEX, 15, 1.4);
    expect_medium(0, PHOTON_MEDIUM_ABSORB, 7, 1e9);
    expect_medium(0, PHOTON_MEDIUM_SCATTER, 7, 1e9);
    expect_medium(0, PHOTON_MEDIUM_REEMIT, 7, 0.5);
    expect_medium(1, PHOTON_MEDIUM_REEMIT, 7, 0);
    for (int q = 0; q < PHOTON_CDF; q++)
        trial_expect(is_near(m.media[PHOTON_MEDIUM_CDF + q], 400 + 100.0 * q / (PHOTON_CDF - 1)),
                     "quantile %d", q);
    trial_expect(is_near(m.media[PHOTON_MEDIUM_DELAY], 2), "delay");
    for (int s = 0; s < 4; s++) {
        static const float none[] = { 0, 0, 0, 0 }, glass[] = { 0, 0.25f, 0.25f, 0.75f },
                           black[] = { 1, 1, 1, 1 };
        const int at               = s * PHOTON_WAVELENGTHS + 3;

        trial_expect(m.surfaces[at] == none[s] &&
                         m.surfaces[PHOTON_SURFACE_SIZE + at] == glass[s] &&
                         m.surfaces[2 * PHOTON_SURFACE_SIZE + at] == black[s],
                     "sum %d of the surfaces", s);
    }
    trial_expect(m.source == 0 && strcmp(m.names[0].name, "rim") == 0 &&
                     m.names[0].codes == PHOTON_FACE(0, 1, 2) && !m.names[0].is_sensor &&
                     m.names[1].codes == PHOTON_FACE(1, 0, 1) && m.names[1].is_sensor &&
                     m.names[2].codes == PHOTON_FACE(0, 1, 0) && m.names[3].name == NULL,
                 "faces");
}

/* A rising and a falling line: shares go with the squares. */
static void test_quantiles(void)
{
    const photon_curve c       = { 3, { 300, 400, 500 }, { 0, 1, 0 } };
    const photon_curve nothing = { 2, { 300, 400 }, { 0, 0 } };
    double             nm[PHOTON_CDF];

    trial_expect(photon_curve_quantiles(&c, nm), "a triangle");
    for (int q = 0; q < PHOTON_CDF; q++) {
        const double share = (double)q / (PHOTON_CDF - 1);
        const double wanted =
            share <= 0.5 ? 300 + 100 * sqrt(2 * share) : 500 - 100 * sqrt(2 * (1 - share));

        trial_expect(fabs(nm[q] - wanted) < 1e-5, "quantile %d is %g, not %g", q, nm[q], wanted);
    }
    trial_expect(!photon_curve_quantiles(&nothing, nm), "nothing has no quantiles");
}

/* ---- what is refused */

#define MEDIUM  "medium a\nindex 400 1.3\nemission 300 1 400 1\n"
#define FACE    "face f inside a outside a\n"
#define SURFACE "surface s\n"

static const struct {
    const char   *text, *words;
    photon_status status;
} bad[] = {
    { "", "x.materials:0: names no face", PHOTON_INVALID },
    { "some words\n", ":1: 'some' begins no statement", PHOTON_BROKEN },
    { "medium\n", ":1: medium wants one word", PHOTON_BROKEN },
    { "medium a b\n", ":1: medium wants one word", PHOTON_BROKEN },
    { MEDIUM "medium a\n", ":4: medium 'a' is there already", PHOTON_INVALID },
    { SURFACE "\n" SURFACE, ":3: surface 's' is there already", PHOTON_INVALID },
    { "medium a\nmedium b\nmedium c\nmedium d\nmedium e\n", ":5: more than 4", PHOTON_TOO_LARGE },
    { "surface a\nsurface b\nsurface c\nsurface d\n", ":4: more than 3", PHOTON_TOO_LARGE },
    { "index 400 1\n", ":1: index is of a medium", PHOTON_BROKEN },
    { SURFACE "index 400 1\n", ":2: index is of a medium", PHOTON_BROKEN },
    { MEDIUM "absorb 400 1\n", ":4: absorb is of a surface", PHOTON_BROKEN },
    { MEDIUM FACE "index 400 1\n", ":5: index is of a medium", PHOTON_BROKEN },
    { MEDIUM "index 400 1\n", ":4: 'a' has its index already", PHOTON_INVALID },
    { MEDIUM "absorption\n", ":4: absorption wants pairs", PHOTON_BROKEN },
    { MEDIUM "absorption 300\n", ":4: absorption wants pairs", PHOTON_BROKEN },
    { MEDIUM "absorption 300 1 400\n", ":4: absorption wants pairs", PHOTON_BROKEN },
    { MEDIUM "absorption x 1\n", ":4: no wavelength", PHOTON_INVALID },
    { MEDIUM "absorption nan 1\n", ":4: no wavelength", PHOTON_INVALID },
    { MEDIUM "absorption 0x10 1\n", ":4: no wavelength", PHOTON_INVALID },
    { MEDIUM "absorption 0 1\n", ":4: no wavelength", PHOTON_INVALID },
    { MEDIUM "absorption 400 1 400 2\n", ":4: wavelengths grow", PHOTON_INVALID },
    { MEDIUM "absorption 400 1 300 2\n", ":4: wavelengths grow", PHOTON_INVALID },
    { MEDIUM "absorption 400 0\n", ":4: no number from 1e-06 to 1e+09: '0'", PHOTON_INVALID },
    { MEDIUM "absorption 400 inf\n", ":4: no number", PHOTON_INVALID },
    { MEDIUM "absorption 400 nan\n", ":4: no number", PHOTON_INVALID },
    { MEDIUM "absorption 400 1m\n", ":4: no number", PHOTON_INVALID },
    { MEDIUM "reemission 400 1.1\n", ":4: no number from 0 to 1", PHOTON_INVALID },
    { "medium a\nindex 400 0.9\n", ":2: no number from 1 to 10", PHOTON_INVALID },
    { "medium a\nemission 100 1 300 1\n", ":2: no wavelength from 200 to 800", PHOTON_INVALID },
    { "medium a\nemission 300 0 400 0\n", ":2: the spectrum of 'a' is 0", PHOTON_INVALID },
    { "medium a\nemission 300 1\n", ":2: the spectrum of 'a' is 0", PHOTON_INVALID },
    { MEDIUM "delay 1 2\n", ":4: delay wants one number", PHOTON_INVALID },
    { MEDIUM "delay -1\n", ":4: delay wants one number", PHOTON_INVALID },
    { MEDIUM "source\n", ":4: source wants one word", PHOTON_BROKEN },
    { MEDIUM "source b\n", ":4: there is no medium 'b'", PHOTON_INVALID },
    { MEDIUM "source a\nsource a\n", ":5: line 4 names the source", PHOTON_INVALID },
    { MEDIUM "face f\n", ":4: face wants: NAME inside", PHOTON_BROKEN },
    { MEDIUM "face f outside a inside a\n", ":4: 'inside' was to come, not 'outside'",
      PHOTON_BROKEN },
    { MEDIUM "face f inside a outside b\n", ":4: there is no medium 'b'", PHOTON_INVALID },
    { MEDIUM "face f inside a outside a surface s\n", ":4: there is no surface 's'",
      PHOTON_INVALID },
    { MEDIUM FACE FACE, ":5: face 'f' is there already", PHOTON_INVALID },
    { "medium a\n" FACE, ":1: medium 'a' has no index", PHOTON_INVALID },
    { "medium a\nindex 400 1\n" FACE, ":1: medium 'a' is the source's, but has no emission",
      PHOTON_INVALID },
    { MEDIUM "\nmedium b\nindex 400 1\nreemission 300 0.1\n" FACE,
      ":5: medium 'b' re-emits, but has no emission", PHOTON_INVALID },
    { MEDIUM SURFACE "absorb 300 0.6 400 0.6\ndiffuse 300 0 400 0.5\n" FACE,
      ":4: shares of surface 's' add up to 1.", PHOTON_INVALID },
};

static void test_bad(void)
{
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const photon_status status = read_text(bad[k].text, strlen(bad[k].text));

        trial_expect(status == bad[k].status, "text %zu: status %d, not %d: %s", k, (int)status,
                     (int)bad[k].status, reason);
        trial_expect(strstr(reason, bad[k].words) != NULL, "text %zu: '%s' does not say '%s'", k,
                     reason, bad[k].words);
    }
}

/* Texts too large for the table above. */
static void test_too_much(void)
{
    enum {
        SIZE = 1 << 14
    };
    static char text[SIZE];
    size_t      n;

    memset(text, 'x', SIZE);
    trial_expect(read_text(text, SIZE) == PHOTON_BROKEN && strstr(reason, ":1: longer than"),
                 "a long line: '%s'", reason);
    n = (size_t)snprintf(text, SIZE, MEDIUM "absorption");
    for (int k = 0; k <= PHOTON_POINTS_MOST; k++)
        n += (size_t)snprintf(text + n, SIZE - n, " %d 1", 300 + k);
    trial_expect(read_text(text, n) == PHOTON_TOO_LARGE && strstr(reason, ":4: a curve has up to"),
                 "many points: '%s'", reason);
    n = (size_t)snprintf(text, SIZE, MEDIUM);
    for (int k = 0; k <= PHOTON_FACES_MOST; k++)
        n += (size_t)snprintf(text + n, SIZE - n, "face f%d inside a outside a\n", k);
    trial_expect(read_text(text, n) == PHOTON_TOO_LARGE &&
                     strstr(reason, ":68: more than 64 faces"),
                 "many faces: '%s'", reason);
    n = (size_t)snprintf(text, SIZE, "medium %0*d\n", PHOTON_NAME_SIZE, 0);
    trial_expect(read_text(text, n) == PHOTON_BROKEN && strstr(reason, ":1: a name has up to"),
                 "a long name: '%s'", reason);
    trial_expect(read_text("medium a\0b\n", 11) == PHOTON_BROKEN && strstr(reason, "zero byte"),
                 "a zero byte: '%s'", reason);
}

/* Text cut off anywhere, or with one byte changed: it is refused or read, and nothing else
 * happens. */
static void test_hostile(const char *file)
{
    char  *text, path[PATH_SIZE];
    size_t size;

    (void)snprintf(path, sizeof path, "%.*s.materials", (int)(strlen(file) - 4), file);
    if (!trial_expect(photon_file_read(path, 1 << 20, &text, &size, reason) == PHOTON_OK, "%s",
                      reason))
        return;
    for (size_t k = 0; k <= size; k++) {
        static const char other[] = { '\0', '\n', ' ', '#', '-', '9', 'e', (char)0xff };
        const char        before  = text[k < size ? k : 0];
        char *const cut = malloc(k + 1); /* of exactly this size: AddressSanitizer sees more */

        if (!cut)
            abort();
        memcpy(cut, text, k);
        trial_expect(read_text(cut, k) == PHOTON_OK || strstr(reason, "x.materials:"),
                     "cut at %zu: '%s'", k, reason);
        free(cut);
        text[k < size ? k : 0] = other[k % sizeof other];
        trial_expect(read_text(text, size) == PHOTON_OK || strstr(reason, "x.materials:"),
                     "changed at %zu: '%s'", k, reason);
        text[k < size ? k : 0] = before;
    }
    free(text);
}

/* ---- beside a mesh */

static const char *path_of(const char *name, char path[2 * PATH_SIZE])
{
    (void)snprintf(path, 2 * PATH_SIZE, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    char        path[2 * PATH_SIZE];
    FILE *const file = fopen(path_of(name, path), "w");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

/* `words`: NULL, or words of the refusal. */
static void expect_detector(const char *mesh, bool has_materials, const char *words)
{
    char                 path[2 * PATH_SIZE];
    photon_detector_file d;
    const bool works = photon_detector_file_read(path_of(mesh, path), &d, reason) == PHOTON_OK;

    trial_expect(works == !words, "%s: %s", mesh, works ? "was read" : reason);
    if (words)
        trial_expect(strstr(reason, words) != NULL, "%s: '%s' does not say '%s'", mesh, reason,
                     words);
    trial_expect((d.materials != NULL) == has_materials, "%s: materials", mesh);
    trial_expect(works == (d.mesh.n_triangles > 0), "%s: triangles", mesh);
    photon_detector_file_free(&d);
}

static void test_places(void)
{
    char path[2 * PATH_SIZE];

    put("bare.obj", TRIANGLE "f 1 2 3\n");
    expect_detector("bare.obj", false, NULL);
    put("tank.obj", TRIANGLE "usemtl f\nf 1 2 3\n");
    expect_detector("tank.obj", false, "usemtl names 'f'");
    put("tank.materials", MEDIUM FACE);
    expect_detector("tank.obj", true, NULL);
    put("tank.materials", MEDIUM "face g inside a outside a\n");
    expect_detector("tank.obj", false, "usemtl names 'f'");
    put("tank.materials", MEDIUM);
    expect_detector("tank.obj", false, "tank.materials:3: names no face");
    put("other.materials", MEDIUM FACE);
    put("tank.obj",
        "mtllib colours.mtl other.materials # words.materials\r\n" TRIANGLE "usemtl f\nf 1 2 3\n");
    expect_detector("tank.obj", true, NULL);
    put("tank.obj", "mtllib none.materials\n" TRIANGLE "f 1 2 3\n");
    expect_detector("tank.obj", false, "none.materials: No such file");
    put("tank.obj", "mtllib a.materials\nmtllib b.materials\n" TRIANGLE "f 1 2 3\n");
    expect_detector("tank.obj", false, "more than one file of materials");
    put("tank.obj", "mtllib ../a.materials\n" TRIANGLE "f 1 2 3\n");
    expect_detector("tank.obj", false, "not in its folder");
    if (mkdir(path_of("bare.materials", path), 0700) != 0)
        abort();
    expect_detector("bare.obj", false, "bare.materials: is a directory");
    expect_detector("none.obj", false, "No such file");
}

static void test_given(const char *file)
{
    photon_detector_file d;

    if (!trial_expect(photon_detector_file_read(file, &d, reason) == PHOTON_OK, "%s", reason))
        return;
    trial_expect(d.materials && d.mesh.n_triangles == 24 && d.mesh.n_sensors == 1 &&
                     photon_detector_file_source(&d) == 0,
                 "%s is another one", file);
    photon_detector_file_free(&d);
}

static void remove_all(void)
{
    static const char *const names[] = { "bare.obj", "tank.obj", "tank.materials",
                                         "other.materials", "bare.materials" };
    char                     path[2 * PATH_SIZE];

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        (void)remove(path_of(names[k], path)); /* a missing file need not be removed */
    (void)rmdir(folder);
}

int main(int argc, char **argv)
{
    const char *const place = getenv("TMPDIR");

    (void)snprintf(folder, sizeof folder, "%s/photon_materials_XXXXXX", place ? place : "/tmp");
    if (argc != 2 || !mkdtemp(folder)) {
        (void)fputs("test_photon_materials FILE; and a place for files must be there\n", stderr);
        return 4;
    }
    test_tables();
    test_quantiles();
    test_bad();
    test_too_much();
    test_hostile(argv[1]);
    test_places();
    test_given(argv[1]);
    remove_all();
    return trial_finish("test_photon_materials");
}
