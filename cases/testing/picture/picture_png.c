/* PNG by libpng. Nothing in a file is trusted before libpng has checked it, checksums included; its
 * own words say what it finds. */
#include "picture.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool picture_write_png(const char *path, const picture *p, char *error, size_t size)
{
    png_image image = { .version          = PNG_IMAGE_VERSION,
                        .width            = (png_uint_32)p->width,
                        .height           = (png_uint_32)p->height,
                        .format           = PNG_FORMAT_RGB_COLORMAP,
                        .colormap_entries = PICTURE_COLOURS };

    if (png_image_write_to_file(&image, path, 0, p->shade, (png_int_32)p->width, p->colour))
        return true;
    (void)snprintf(error, size, "%s: cannot be written: %s", path, image.message);
    return false;
}

/* ---- reading */

enum {
    CHANNELS  = 4, /* red, green, blue, opacity */
    SIGNATURE = 8
};

/* Everything that is used while libpng may jump out: none of it may be a local variable of the
 * function that set the jump. */
typedef struct png_reading {
    FILE                 *file;
    png_structp           png;
    png_infop             info;
    const picture_reader *to;
    png_uint_32           height, width;
    int                   passes;
    uint16_t             *rows; /* one row, or all rows of a file that comes in several passes */
    char                  warned[80], said[200];
} png_reading;

static void keep_error(png_structp png, png_const_charp message)
{
    png_reading *r = png_get_error_ptr(png);

    (void)snprintf(r->said, sizeof r->said, "%s%s%s", message, r->warned[0] ? ": " : "", r->warned);
    png_longjmp(png, 1);
}

/* A warning often says why it gives up: in a wrong header, which number. */
static void keep_warning(png_structp png, png_const_charp message)
{
    png_reading *r = png_get_error_ptr(png);

    (void)snprintf(r->warned, sizeof r->warned, "%s", message);
}

/* Whatever the file holds, rows become four channels of 16 bits in this machine's byte order. */
static void ask_for_channels(png_reading *r)
{
    const uint16_t probe = 1;

    png_set_expand_16(r->png); /* palettes, few bits and transparent colours too */
    png_set_gray_to_rgb(r->png);
    png_set_add_alpha(r->png, 0xffff, PNG_FILLER_AFTER);
    if (*(const uint8_t *)&probe == 1)
        png_set_swap(r->png);
    r->passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
}

static void read_header(png_reading *r)
{
    png_set_user_limits(r->png, PICTURE_SIDE_MOST, PICTURE_SIDE_MOST);
    png_set_crc_action(r->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_init_io(r->png, r->file);
    png_read_info(r->png, r->info);
    r->height = png_get_image_height(r->png, r->info);
    r->width  = png_get_image_width(r->png, r->info);
    ask_for_channels(r);
    if (!r->to->begin(r->to->context, r->height, r->width, r->said, sizeof r->said))
        png_longjmp(r->png, 1);
}

static void read_rows(png_reading *r)
{
    const size_t row = CHANNELS * (size_t)r->width, kept = r->passes > 1 ? r->height : 1;

    r->rows = calloc(kept * row, sizeof *r->rows);
    if (!r->rows)
        png_error(r->png, "there is no memory for its pixels");
    for (int pass = 0; pass < r->passes; pass++)
        for (png_uint_32 y = 0; y < r->height; y++) {
            uint16_t *at = r->rows + y % kept * row;

            png_read_row(r->png, (png_bytep)at, NULL);
            if (pass == r->passes - 1)
                r->to->row(r->to->context, y, r->width, at);
        }
    png_read_end(r->png, NULL);
}

static bool read_all(png_reading *r)
{
    r->png  = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, keep_error, keep_warning);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    if (!r->info) {
        (void)snprintf(r->said, sizeof r->said, "there is no memory to read it");
        return false;
    }
    if (setjmp(png_jmpbuf(r->png)))
        return false;
    read_header(r);
    read_rows(r);
    return true;
}

bool picture_read_png(const char *path, const picture_reader *reader, char *error, size_t size)
{
    png_reading r       = { .file = fopen(path, "rb"), .to = reader };
    bool        is_read = false;

    if (r.file)
        is_read = read_all(&r);
    else
        (void)snprintf(r.said, sizeof r.said, "%s", strerror(errno));
    png_destroy_read_struct(&r.png, &r.info, NULL);
    free(r.rows);
    if (r.file)
        (void)fclose(r.file);
    if (!is_read)
        (void)snprintf(error, size, "%s: %s", path, r.said);
    return is_read;
}

bool picture_is_png(const char *path)
{
    png_byte begin[SIGNATURE];
    FILE    *file   = fopen(path, "rb");
    bool     is_png = false;

    if (!file)
        return false;
    if (fread(begin, 1, SIGNATURE, file) == SIGNATURE)
        is_png = png_sig_cmp(begin, 0, SIGNATURE) == 0;
    (void)fclose(file);
    return is_png;
}
