/* Images that are read back as they were written, and files that are not images. */
#include "physarum_image.h"
#include "physarum_test.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
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
    size_t      n; /* 0: as long as the text */
    const char *says;
} hostile[] = {
    { "", 0, "is neither PNG nor PGM" },
    { "P", 0, "is neither PNG nor PGM" },
    { "P6\n1 1\n255\nabc", 0, "is neither PNG nor PGM" },
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

/* ---- PNG of each kind */

enum {
    SIDE = 3 /* pixels on a side */
};

typedef struct kind {
    const char *name;
    int         colours, bits, channels, interlace;
} kind;

static const kind kinds[] = {
    { "grey", PNG_COLOR_TYPE_GRAY, 8, 1, PNG_INTERLACE_NONE },
    { "grey, 16 bits", PNG_COLOR_TYPE_GRAY, 16, 1, PNG_INTERLACE_NONE },
    { "grey and opacity", PNG_COLOR_TYPE_GRAY_ALPHA, 8, 2, PNG_INTERLACE_NONE },
    { "colours", PNG_COLOR_TYPE_RGB, 8, 3, PNG_INTERLACE_NONE },
    { "colours, 16 bits, interlaced", PNG_COLOR_TYPE_RGB, 16, 3, PNG_INTERLACE_ADAM7 },
    { "colours and opacity", PNG_COLOR_TYPE_RGBA, 8, 4, PNG_INTERLACE_ADAM7 },
    { "colours and opacity, 16 bits", PNG_COLOR_TYPE_RGBA, 16, 4, PNG_INTERLACE_NONE },
    { "palette", PNG_COLOR_TYPE_PALETTE, 8, 1, PNG_INTERLACE_NONE },
    { "palette of 2 bits, interlaced", PNG_COLOR_TYPE_PALETTE, 2, 1, PNG_INTERLACE_ADAM7 },
    { "grey of 1 bit", PNG_COLOR_TYPE_GRAY, 1, 1, PNG_INTERLACE_NONE },
};

static const png_color table[4] = { { 0, 0, 0 }, { 255, 0, 0 }, { 0, 51, 255 }, { 9, 9, 9 } };

static unsigned value_of(const kind *k, int pixel, int channel)
{
    const unsigned most = (1u << k->bits) - 1;

    return k->bits < 8 || k->colours == PNG_COLOR_TYPE_PALETTE
               ? (unsigned)pixel % (most < 3 ? most + 1 : 4)
               : (unsigned)(pixel * 7919 + channel * 104729) & most;
}

static double want_of(const kind *k, int pixel)
{
    const double     most = (double)((1u << k->bits) - 1);
    const png_color *t    = &table[value_of(k, pixel, 0) & 3];
    double           c[4];

    for (int n = 0; n < 4; n++)
        c[n] = n < k->channels ? value_of(k, pixel, n) / most : 1;
    if (k->colours == PNG_COLOR_TYPE_PALETTE)
        return (0.299 * t->red + 0.587 * t->green + 0.114 * t->blue) / 255;
    if (k->channels < 3)
        return c[0] * (k->channels == 2 ? c[1] : 1);
    return (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]) * c[3];
}

/* One row as it lies in a file: most significant first. */
static void fill_row(const kind *k, int y, png_byte row[64])
{
    memset(row, 0, 64);
    for (int x = 0; x < SIDE; x++)
        for (int n = 0; n < k->channels; n++) {
            const unsigned v  = value_of(k, y * SIDE + x, n);
            const int      at = (x * k->channels + n) * k->bits;

            if (k->bits == 16)
                row[at / 8 + 1] = (png_byte)v;
            row[at / 8] |= (png_byte)(k->bits == 16 ? v >> 8 : v << (8 - k->bits - at % 8));
        }
}

static void write_kind(const kind *k)
{
    FILE       *file = fopen(path, "wb");
    png_structp png  = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop   info = png ? png_create_info_struct(png) : NULL;
    png_byte    rows[SIDE][64];
    png_bytep   row[SIDE] = { rows[0], rows[1], rows[2] };

    if (!file || !info || setjmp(png_jmpbuf(png)))
        abort();
    for (int y = 0; y < SIDE; y++)
        fill_row(k, y, rows[y]);
    png_init_io(png, file);
    png_set_IHDR(png, info, SIDE, SIDE, k->bits, k->colours, k->interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (k->colours == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, table, 4);
    png_write_info(png, info);
    png_write_image(png, row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    if (fclose(file) != 0)
        abort();
}

static void test_kinds(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        physarum_image image;
        char           error[512] = "";

        write_kind(&kinds[i]);
        if (!trial_expect(physarum_image_read(path, &image, error, sizeof error), "%s: %s",
                          kinds[i].name, error))
            continue;
        trial_expect(image.height == SIDE && image.width == SIDE, "%s: its size", kinds[i].name);
        for (int p = 0; p < SIDE * SIDE; p++)
            trial_expect(fabs((double)image.grey[p] - want_of(&kinds[i], p)) < 1e-6,
                         "%s: pixel %d is %g, not %g", kinds[i].name, p, (double)image.grey[p],
                         want_of(&kinds[i], p));
        physarum_image_free(&image);
    }
}

/* ---- from pixels to cells */

enum {
    MOST = 64
};

static float pixels[MOST * MOST], cells[MOST * MOST];

/* Light that grows by `down` a row and `across` a column, in shares of the picture. */
static double plane(double y, double x, double down, double across)
{
    return 0.1 + down * y + across * x;
}

static double mean(const float *value, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (double)value[i];
    return sum / (double)n;
}

static physarum_image plane_image(int64_t height, int64_t width)
{
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++)
            pixels[y * width + x] = (float)plane(((double)y + 0.5) / (double)height,
                                                 ((double)x + 0.5) / (double)width, 0.3, 0.5);
    return (physarum_image) { height, width, pixels };
}

/* A plane stays a plane if a cell is as wide as whole pixels, or lies between their centres. */
static void test_plane(void)
{
    static const int64_t sizes[][4] = {
        { 12, 18, 4, 6 }, { 7, 5, 7, 5 }, { 8, 8, 24, 31 }, { 60, 9, 6, 27 }, { 64, 64, 1, 1 }
    };

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int64_t       *s     = sizes[k];
        const physarum_image image = plane_image(s[0], s[1]);

        trial_expect(physarum_image_to_field(&image, s[2], s[3], 3, cells), "size %d", (int)k);
        for (int64_t y = 0; y < s[2]; y++)
            for (int64_t x = 0; x < s[3]; x++) {
                const double v = ((double)y + 0.5) / (double)s[2];
                const double h = ((double)x + 0.5) / (double)s[3];
                /* Beyond the outermost centres light does not change. */
                const double half_v = 0.5 / (double)s[0], half_h = 0.5 / (double)s[1];
                const double want = plane(fmin(fmax(v, half_v), 1 - half_v),
                                          fmin(fmax(h, half_h), 1 - half_h), 0.3, 0.5);

                trial_expect(fabs((double)cells[y * s[3] + x] / 3 - want) < 1e-6,
                             "size %d: cell %d, %d is %g, not %g", (int)k, (int)y, (int)x,
                             (double)cells[y * s[3] + x] / 3, want);
            }
    }
}

/* However the pixels lie on the cells, the mean is that of the image, and every cell is the mean of
 * its own part: shown with a checkerboard, whose cells are known. */
static void test_mass(void)
{
    static const int64_t sides[] = { 1, 2, 3, 7, 20, 31, 40, 41 };
    const physarum_image image   = { 41, 41, pixels };

    for (int i = 0; i < 41 * 41; i++)
        pixels[i] = (float)physarum_uniform(8, (uint64_t)i);
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        const int64_t n = sides[k], m = sides[(k + 3) % 8];

        trial_expect(physarum_image_to_field(&image, n, m, 1, cells) &&
                         fabs(mean(cells, n * m) - mean(pixels, 41 * 41)) < 1e-7,
                     "%d x %d cells have the mean %.9f", (int)n, (int)m, mean(cells, n * m));
    }
    for (int i = 0; i < 9; i++)
        pixels[i] = (float)(i % 2);
    trial_expect(physarum_image_to_field(&(physarum_image) { 3, 3, pixels }, 2, 2, 9, cells) &&
                     fabs((double)cells[0] - 4) < 1e-5 && fabs((double)cells[3] - 4) < 1e-5,
                 "of 1.5 x 1.5 pixels 4 ninths are light: %g", (double)cells[0]);
}

int main(void)
{
    const int descriptor = mkstemp(path);

    if (descriptor < 0 || close(descriptor) != 0)
        return 1;
    test_hostile();
    test_missing();
    test_forms();
    test_kinds();
    test_plane();
    test_mass();
    (void)unlink(path);
    return trial_finish("test_physarum_image");
}
