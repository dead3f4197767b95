/* Images that are read back as they were written, and files that are none. */
#include "physarum_image.h"
#include "physarum_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/test_physarum_image_XXXXXX";

static void put(const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        abort();
}

static const struct {
    const char *bytes;
    size_t      n; /* 0: as long as the text is */
    const char *says;
} hostile[] = {
    { "", 0, "is no PGM" },
    { "P", 0, "is no PGM" },
    { "P6\n1 1\n255\nabc", 0, "is no PGM" },
    { "P5", 0, "the width is missing" },
    { "P5\n# only a comment", 0, "the width is missing" },
    { "P5\n-3 4\n255\n", 0, "the width is missing or no number" },
    { "P5\n99999999999999999999 4\n255\n", 0, "the width is above" },
    { "P5\n4 16385\n255\n", 0, "the height is above" },
    { "P5\n0 4\n255\n", 0, "has no pixels" },
    { "P5\n4 4\n0\n", 0, "largest grey is 0" },
    { "P5\n4 4\n65536\n", 0, "the largest grey is above" },
    { "P5\n4 4\n255", 0, "followed by something else" },
    { "P5\n4 4x\n255\n", 0, "followed by something else" },
    { "P5\n2 2\n255\nabc", 0, "ends before its last pixel" },
    { "P5\n2 1\n256\n\x01\x00\x01", 14, "ends before its last pixel" },
    { "P5\n1 1\n100\n\x65", 0, "above the largest grey" },
    { "P2\n2 2\n10\n1 2 3", 0, "a pixel is missing" },
    { "P2\n2 2\n10\n1 2 3 11", 0, "a pixel is above 10" },
    { "P2\n2 2\n10\n1 2 3 4.5", 0, "followed by something else" },
};

static void test_hostile(void)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        physarum_image image;
        char           error[512] = "";

        put(hostile[i].bytes, hostile[i].n ? hostile[i].n : strlen(hostile[i].bytes));
        trial_expect(!physarum_image_read(path, &image, error, sizeof error),
                     "hostile file %d is read", (int)i);
        trial_expect(strstr(error, hostile[i].says) && strstr(error, path) && !image.grey,
                     "hostile file %d: \"%s\"", (int)i, error);
    }
}

static void test_missing(void)
{
    physarum_image image;
    char           error[512] = "";

    trial_expect(!physarum_image_read("/nowhere/at/all.pgm", &image, error, sizeof error) &&
                     strstr(error, "No such file"),
                 "a missing file: \"%s\"", error);
    trial_expect(
        !physarum_image_write("/nowhere/at/all.pgm", NULL, 0, 0, 1, false, error, sizeof error),
        "a folder that is not there is written to");
}

/* The same picture of 3 x 2 in each form. */
static void test_forms(void)
{
    static const struct {
        const char *bytes;
        size_t      n;
    } forms[]                  = { { "P2 # grey\n3 2\n#x\n4\n0 1 2\n3 4\n0", 0 },
                                   { "P5\n3 2\n4\n\x00\x01\x02\x03\x04\x00", 15 },
                                   { "P5\n3 2\n1024\n\x00\x00\x01\x00\x02\x00\x03\x00\x04\x00\x00\x00", 24 } };
    static const float want[6] = { 0, 0.25f, 0.5f, 0.75f, 1, 0 };

    for (size_t i = 0; i < 3; i++) {
        physarum_image image;
        char           error[512] = "";

        put(forms[i].bytes, forms[i].n ? forms[i].n : strlen(forms[i].bytes));
        if (!trial_expect(physarum_image_read(path, &image, error, sizeof error), "form %d: %s",
                          (int)i, error))
            continue;
        trial_expect(image.width == 3 && image.height == 2 &&
                         memcmp(image.grey, want, sizeof want) == 0,
                     "form %d is another picture", (int)i);
        physarum_image_free(&image);
    }
}

static void test_round_trip(void)
{
    const float    field[4] = { 0, 3, 1.5f, 6 };
    float          back[16];
    physarum_image image;
    char           error[512] = "";
    FILE          *file;
    char           magic[3] = "";

    trial_expect(physarum_image_write(path, field, 2, 2, 3, false, error, sizeof error), "%s",
                 error);
    trial_expect(physarum_image_read(path, &image, error, sizeof error), "%s", error);
    physarum_image_to_field(&image, 4, 4, 3, back);
    trial_expect(back[0] == 0 && back[3] == 3 && back[5] == 0 && back[15] == 3 &&
                     fabs((double)back[12] - 1.5) < 0.01,
                 "a field is not what was written");
    physarum_image_free(&image);
    trial_expect(physarum_image_write(path, field, 2, 2, 3, true, error, sizeof error), "%s",
                 error);
    file = fopen(path, "rb");
    trial_expect(file && fread(magic, 1, 2, file) == 2 && strcmp(magic, "P6") == 0,
                 "colours are P6");
    if (file)
        (void)fclose(file);
}

int main(void)
{
    const int descriptor = mkstemp(path);

    if (descriptor < 0 || close(descriptor) != 0)
        return 1;
    test_hostile();
    test_missing();
    test_forms();
    test_round_trip();
    (void)unlink(path);
    return trial_finish("test_physarum_image");
}
