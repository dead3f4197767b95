/* Images from files. Nothing in a file is trusted before it is checked. */
#include "physarum_image.h"

#include "../../testing/picture/picture.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    FILE       *file;
    char       *error;
    size_t      size;
    const char *path;
} reader;

static bool refuse(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(const reader *r, const char *format, ...)
{
    char    text[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(r->error, r->size, "%s: %s", r->path, text);
    return false;
}

/* ---- PGM */

static bool is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* The first character after white space and comments. */
static int next_character(const reader *r)
{
    int c = fgetc(r->file);

    while (is_space(c) || c == '#') {
        while (c == '#' && c != EOF) {
            do
                c = fgetc(r->file);
            while (c != '\n' && c != EOF);
        }
        c = c == EOF ? EOF : fgetc(r->file);
    }
    return c;
}

/* A decimal number of at most `most`, and the character after it, which must be white space or, if
 * `ends`, may be the end of the file. */
static bool read_number(const reader *r, const char *what, int64_t most, bool ends, int64_t *value)
{
    int c = next_character(r);

    *value = 0;
    if (c < '0' || c > '9')
        return refuse(r, "%s is missing or no number", what);
    for (; c >= '0' && c <= '9'; c = fgetc(r->file)) {
        *value = 10 * *value + (c - '0');
        if (*value > most)
            return refuse(r, "%s is above %lld", what, (long long)most);
    }
    if (!is_space(c) && !(ends && c == EOF))
        return refuse(r, "%s is followed by something else than white space", what);
    return true;
}

typedef struct header {
    bool    is_raw;
    int64_t width, height, most;
} header;

static bool read_header(const reader *r, header *h)
{
    char magic[2];

    if (fread(magic, 1, 2, r->file) != 2 || magic[0] != 'P' || (magic[1] != '2' && magic[1] != '5'))
        return refuse(r, "is neither PNG nor PGM: it does not begin as one does");
    h->is_raw = magic[1] == '5';
    if (!read_number(r, "the width", PHYSARUM_IMAGE_SIDE, false, &h->width) ||
        !read_number(r, "the height", PHYSARUM_IMAGE_SIDE, false, &h->height) ||
        !read_number(r, "the largest grey", 65535, false, &h->most))
        return false;
    if (h->width < 1 || h->height < 1)
        return refuse(r, "has no pixels");
    if (h->most < 1)
        return refuse(r, "its largest grey is 0");
    return true;
}

/* Raw values of two bytes have the more significant byte first. */
static bool read_pixel(const reader *r, const header *h, int64_t *value)
{
    const int first  = h->is_raw ? fgetc(r->file) : 0;
    const int second = h->is_raw && h->most > 255 ? fgetc(r->file) : 0;

    if (!h->is_raw)
        return read_number(r, "a pixel", h->most, true, value);
    if (first == EOF || second == EOF)
        return refuse(r, "ends before its last pixel");
    *value = h->most > 255 ? 256 * first + second : first;
    return *value <= h->most || refuse(r, "a pixel is above the largest grey");
}

static bool read_image(const reader *r, physarum_image *image)
{
    header h;

    if (!read_header(r, &h))
        return false;
    *image = (physarum_image) { h.height, h.width,
                                calloc((size_t)(h.height * h.width), sizeof *image->grey) };
    if (!image->grey)
        return refuse(r, "there is no memory for %lld x %lld pixels", (long long)h.width,
                      (long long)h.height);
    for (int64_t i = 0; i < h.height * h.width; i++) {
        int64_t value;

        if (!read_pixel(r, &h, &value)) {
            physarum_image_free(image);
            return false;
        }
        image->grey[i] = (float)value / (float)h.most;
    }
    return true;
}

static bool read_pgm(const char *path, physarum_image *image, char *error, size_t size)
{
    reader r = { fopen(path, "rb"), error, size, path };
    bool   is_read;

    if (!r.file)
        return refuse(&r, "%s", strerror(errno));
    is_read = read_image(&r, image);
    (void)fclose(r.file);
    return is_read;
}

/* ---- PNG */

static bool begin_png(void *context, int64_t height, int64_t width, char *why, size_t size)
{
    physarum_image *image = context;

    *image =
        (physarum_image) { height, width, calloc((size_t)(height * width), sizeof *image->grey) };
    if (!image->grey)
        (void)snprintf(why, size, "there is no memory for %lld x %lld pixels", (long long)width,
                       (long long)height);
    return image->grey != NULL;
}

static void take_png_row(void *context, int64_t y, int64_t width, const uint16_t *rgba)
{
    const physarum_image *image = context;

    for (int64_t x = 0; x < width; x++) {
        const uint16_t *c    = rgba + 4 * x;
        const double    luma = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];

        image->grey[y * width + x] = (float)(luma / 65535 * c[3] / 65535);
    }
}

static bool read_png(const char *path, physarum_image *image, char *error, size_t size)
{
    const picture_reader to = { begin_png, take_png_row, image };

    if (picture_read_png(path, &to, error, size))
        return true;
    physarum_image_free(image);
    return false;
}

bool physarum_image_read(const char *path, physarum_image *image, char *error, size_t size)
{
    *image = (physarum_image) { 0, 0, NULL };
    if (picture_is_png(path))
        return read_png(path, image, error, size);
    return read_pgm(path, image, error, size);
}

void physarum_image_free(physarum_image *image)
{
    if (image)
        free(image->grey);
    if (image)
        *image = (physarum_image) { 0, 0, NULL };
}
