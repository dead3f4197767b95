/* Tests pictures: scales, drawing, files that come back as they were written, and invalid files. */
#include "../picture.h"

#include "../../trial.h"

#include <gif_lib.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/test_picture_XXXXXX";

enum {
    ROOM = 1 << 16
};

/* ---- scales */

/* Lightness over the table rises in even steps, as far as 8 bits can hold. */
static void expect_even(const char *name, const picture_scale *s, int first, int last)
{
    const double low  = picture_lightness(s->colour[first]);
    const double high = picture_lightness(s->colour[last]);

    trial_expect(high - low > 85, "%s: from %.1f to %.1f", name, low, high);
    for (int k = first; k <= last; k++) {
        const double want = low + (high - low) * (k - first) / (last - first);

        trial_expect(fabs(picture_lightness(s->colour[k]) - want) < 1,
                     "%s: colour %d has lightness %.2f, not %.2f", name, k,
                     picture_lightness(s->colour[k]), want);
    }
}

static void test_palettes(void)
{
    picture_scale s;

    for (int i = 0; picture_palette_name(i); i++) {
        const char *name = picture_palette_name(i);

        if (!trial_expect(picture_palette(name, &s), "there is no palette %s", name))
            continue;
        if (strcmp(name, "balance") != 0)
            expect_even(name, &s, 0, PICTURE_SHADES - 1);
        for (int k = 0; k < PICTURE_SHADES / 2 && strcmp(name, "balance") == 0; k++)
            trial_expect(fabs(picture_lightness(s.colour[k]) -
                              picture_lightness(s.colour[PICTURE_SHADES - 1 - k])) < 8,
                         "balance: %d is not as light as its opposite", k);
        trial_expect(picture_shade(&s, 0) == 0 && picture_shade(&s, -1) == 0 &&
                         picture_shade(&s, (double)NAN) == 0 &&
                         picture_shade(&s, 7) == PICTURE_SHADES - 1,
                     "%s: shares beyond its ends", name);
    }
    trial_expect(!picture_palette("caves", &s) && !picture_map("ember", &s),
                 "a map is no palette, and a palette no map");
}

static void test_maps(void)
{
    picture_scale s;

    for (int i = 0; picture_map_name(i); i++) {
        const char *name = picture_map_name(i);

        if (!trial_expect(picture_map(name, &s) && s.n_classes > 1 && s.threshold[0] == 0,
                          "the map %s", name))
            continue;
        for (int k = 1; k < s.n_classes; k++)
            trial_expect(s.threshold[k] > s.threshold[k - 1] &&
                             picture_shade(&s, s.threshold[k]) == k &&
                             picture_shade(&s, nextafter(s.threshold[k], 0)) == k - 1,
                         "%s: class %d does not begin at its threshold", name, k);
        trial_expect(picture_shade(&s, 9) == s.n_classes - 1, "%s: beyond the last class", name);
    }
}

/* ---- drawing */

static picture make(int64_t height, int64_t width)
{
    picture_scale s;
    picture       p;

    if (!picture_palette("moss", &s) || !picture_create(&p, height, width, &s))
        abort();
    return p;
}

static void test_drawing(void)
{
    const float         value[4] = { 0, 1, 2, 3 };
    const picture_field f        = { value, 2, 2, 1, 3, 3 };
    picture_scale       s;
    picture             p = make(8, 8);
    int                 n = 0;

    trial_expect(picture_palette("moss", &s), "moss");
    picture_draw_field(&p, 1, 4, &f, &s); /* its right third is outside */
    trial_expect(p.shade[0] == PICTURE_PAPER && p.shade[1 * 8 + 4] == 0 &&
                     p.shade[4 * 8 + 6] == 127 && p.shade[6 * 8 + 7] == PICTURE_SHADES - 1,
                 "a field is elsewhere");
    picture_draw_disc(&p, 0, 0, 2, 9);
    trial_expect(p.shade[0] == 9 && p.shade[2] == 9 && p.shade[3] == PICTURE_PAPER, "a disc");
    picture_free(&p);
    p = make(PICTURE_TEXT_HEIGHT, 3 * PICTURE_TEXT_WIDTH);
    picture_draw_text(&p, 0, 0, "1~i");
    for (int k = 0; k < PICTURE_TEXT_HEIGHT * 3 * PICTURE_TEXT_WIDTH; k++)
        n += p.shade[k] == PICTURE_INK;
    trial_expect(n == 4 * (8 + 9), "letters of %d points", n);
    picture_free(&p);
    trial_expect(!picture_create(&p, 0, 4, &s) && !picture_create(&p, 4, 1 << 20, &s) && !p.shade,
                 "a picture without pixels, or with too many");
}

/* ---- PNG */

static unsigned char bytes[ROOM];
static size_t        n_bytes;

static void put(const unsigned char *from, size_t n)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(from, 1, n, file) != n || fclose(file) != 0)
        abort();
}

static void get(void)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        abort();
    n_bytes = fread(bytes, 1, ROOM, file);
    (void)fclose(file);
}

typedef struct seen {
    const picture *p;
    int64_t        height, width, n_rows, n_wrong;
} seen;

static bool begin(void *context, int64_t height, int64_t width, char *why, size_t size)
{
    seen *s = context;

    s->height = height;
    s->width  = width;
    (void)snprintf(why, size, "not today");
    return s->p != NULL;
}

static void look(void *context, int64_t y, int64_t width, const uint16_t *rgba)
{
    seen *s = context;

    s->n_rows++;
    for (int64_t x = 0; x < width; x++)
        for (int c = 0; c < 3; c++)
            s->n_wrong += rgba[4 * x + c] != 257 * s->p->colour[s->p->shade[y * width + x]][c] ||
                          rgba[4 * x + 3] != 0xffff;
}

static void test_png(void)
{
    picture              p          = make(5, 300);
    seen                 s          = { .p = &p };
    const picture_reader r          = { begin, look, &s };
    char                 error[512] = "";

    for (int k = 0; k < 5 * 300; k++)
        p.shade[k] = (uint8_t)(k % PICTURE_COLOURS);
    trial_expect(picture_write_png(path, &p, error, sizeof error), "%s", error);
    trial_expect(picture_is_png(path) && picture_read_png(path, &r, error, sizeof error), "%s",
                 error);
    trial_expect(s.height == 5 && s.width == 300 && s.n_rows == 5 && s.n_wrong == 0,
                 "%lld rows of %lld, %lld values differ", (long long)s.n_rows, (long long)s.width,
                 (long long)s.n_wrong);
    s.p = NULL;
    trial_expect(!picture_read_png(path, &r, error, sizeof error) && strstr(error, "not today"),
                 "a refusal is heard: \"%s\"", error);
    trial_expect(!picture_write_png("/nowhere/at/all.png", &p, error, sizeof error) &&
                     strstr(error, "/nowhere/at/all.png: cannot be written"),
                 "a folder that is not there: \"%s\"", error);
    picture_free(&p);
}

/* Nobody looks at the pixels. */
static void pass_over(void *context, int64_t y, int64_t width, const uint16_t *rgba)
{
    (void)context, (void)y, (void)width, (void)rgba;
}

static bool is_read(char *error, size_t size)
{
    picture              any   = { .height = 1 };
    seen                 s     = { .p = &any };
    const picture_reader blind = { begin, pass_over, &s };

    return picture_read_png(path, &blind, error, size);
}

/* Cuts the file to every length, and changes every byte of it. */
static void test_broken(void)
{
    picture p          = make(4, 4);
    char    error[512] = "";
    int     n_read     = 0;

    trial_expect(picture_write_png(path, &p, error, sizeof error), "%s", error);
    picture_free(&p);
    get();
    for (size_t n = 0; n < n_bytes; n++) {
        put(bytes, n);
        error[0] = 0;
        trial_expect(!is_read(error, sizeof error) && strstr(error, path),
                     "a file cut to %zu bytes: \"%s\"", n, error);
    }
    for (size_t k = 0; k < n_bytes; k++) {
        bytes[k] ^= 0x10;
        put(bytes, n_bytes);
        bytes[k] ^= 0x10;
        error[0] = 0;
        n_read += is_read(error, sizeof error);
    }
    trial_expect(n_read == 0, "%d files with a wrong byte are read", n_read);
    put(bytes, n_bytes);
    trial_expect(is_read(error, sizeof error), "%s", error);
}

/* A header that promises more than there may be. */
static void test_huge(void)
{
    static const unsigned char head[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0,
                                          0,    13,  'I', 'H', 'D',  'R',  0,    0,    0x40, 1,
                                          0,    0,   0,   1,   8,    0,    0,    0,    0 };
    unsigned char              file[sizeof head + 4];
    png_uint_32                sum; /* CRC of what follows the length */
    char                       error[512] = "";

    memcpy(file, head, sizeof head);
    sum = 0xffffffffu;
    for (size_t k = 12; k < sizeof head; k++) {
        sum ^= head[k];
        for (int b = 0; b < 8; b++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    for (int b = 0; b < 4; b++)
        file[sizeof head + (size_t)b] = (unsigned char)(~sum >> (24 - 8 * b));
    put(file, sizeof file);
    trial_expect(!is_read(error, sizeof error) && strstr(error, "width"), "16385 columns: \"%s\"",
                 error);
}

/* ---- GIF */

static void expect_frames(const picture *p, int n)
{
    int          code = 0;
    GifFileType *gif  = DGifOpenFileName(path, &code);

    if (!trial_expect(gif && DGifSlurp(gif) == GIF_OK, "the animation is no GIF"))
        return;
    trial_expect(gif->ImageCount == n && gif->SWidth == p->width && gif->SHeight == p->height,
                 "%d frames", gif->ImageCount);
    for (int k = 0; k < gif->ImageCount; k++)
        trial_expect((memcmp(gif->SavedImages[k].RasterBits, p->shade,
                             (size_t)(p->height * p->width)) == 0) == (k == n - 1),
                     "frame %d", k);
    trial_expect(gif->SColorMap->ColorCount == PICTURE_COLOURS &&
                     memcmp(gif->SColorMap->Colors, p->colour, sizeof p->colour) == 0,
                 "the colours are others");
    (void)DGifCloseFile(gif, &code);
}

static void test_animation(void)
{
    picture            p = make(20, 30), other = make(4, 4);
    char               error[512] = "";
    picture_animation *a          = picture_animation_open(path, &p, error, sizeof error);

    for (int k = 0; k < 3 && trial_expect(a != NULL, "%s", error); k++) {
        p.shade[k] = 7;
        trial_expect(picture_animation_add(a, &p, 80), "frame %d", k);
    }
    trial_expect(picture_animation_close(a, error, sizeof error), "%s", error);
    expect_frames(&p, 3);
    a = picture_animation_open(path, &p, error, sizeof error);
    trial_expect(a && !picture_animation_add(a, &other, 80) &&
                     !picture_animation_close(a, error, sizeof error) &&
                     strstr(error, "different sizes"),
                 "a frame of another size: \"%s\"", error);
    trial_expect(!picture_animation_open("/nowhere/at/all.gif", &p, error, sizeof error) &&
                     strstr(error, "/nowhere/at/all.gif: cannot be written: No such file"),
                 "a folder that is not there: \"%s\"", error);
    a = picture_animation_open("/dev/full", &p, error, sizeof error);
    if (a)
        (void)picture_animation_add(a, &p, 80);
    trial_expect(a && !picture_animation_close(a, error, sizeof error) &&
                     strstr(error, "/dev/full: cannot be written"),
                 "a full disk: \"%s\"", error);
    trial_expect(picture_animation_close(NULL, error, sizeof error), "nothing is closed");
    picture_free(&other);
    picture_free(&p);
}

int main(void)
{
    const int descriptor = mkstemp(path);

    if (descriptor < 0 || close(descriptor) != 0)
        return 1;
    test_palettes();
    test_maps();
    test_drawing();
    test_png();
    test_broken();
    test_huge();
    test_animation();
    (void)unlink(path);
    return trial_finish("test_picture");
}
