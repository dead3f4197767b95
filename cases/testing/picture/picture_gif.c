/* Animated GIF by giflib: one colour table for all frames, and an endless loop. */
#include "picture.h"

#include <errno.h>
#include <fcntl.h>
#include <gif_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct picture_animation {
    GifFileType *gif;
    int64_t      height, width;
    bool         has_failed;
    char         path[4096];
};

/* giflib's sentence for a code; without a code, what this file itself refuses. */
static const char *reason_of(int code)
{
    const char *reason = GifErrorString(code);

    return reason ? reason : "its frames are of different sizes";
}

/* The extension that tells a browser that the first frame follows the last one. */
static bool put_loop(GifFileType *gif)
{
    const GifByteType for_ever[3] = { 1, 0, 0 };

    return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, sizeof for_ever, for_ever) == GIF_OK &&
           EGifPutExtensionTrailer(gif) == GIF_OK;
}

static bool put_head(GifFileType *gif, const picture *p)
{
    GifColorType    colour[PICTURE_COLOURS];
    ColorMapObject *map;
    bool            is_put;

    for (int k = 0; k < PICTURE_COLOURS; k++)
        colour[k] = (GifColorType) { p->colour[k][0], p->colour[k][1], p->colour[k][2] };
    map = GifMakeMapObject(PICTURE_COLOURS, colour);
    if (!map)
        return false;
    EGifSetGifVersion(gif, true);
    is_put = EGifPutScreenDesc(gif, (int)p->width, (int)p->height, 8, 0, map) == GIF_OK;
    GifFreeMapObject(map);
    return is_put && put_loop(gif);
}

/* NULL: `why` has the reason. giflib by itself would make a file that only its owner can read. */
static GifFileType *open_gif(const char *path, const char **why)
{
    const int    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    GifFileType *gif        = NULL;
    int          code       = 0;

    if (descriptor >= 0)
        gif = EGifOpenFileHandle(descriptor, &code);
    *why = descriptor < 0 ? strerror(errno) : reason_of(code);
    if (!gif && descriptor >= 0)
        (void)close(descriptor);
    return gif;
}

picture_animation *picture_animation_open(const char *path, const picture *first, char *error,
                                          size_t size)
{
    picture_animation *a   = calloc(1, sizeof *a);
    const char        *why = "out of memory, or its name is too long";

    if (a && snprintf(a->path, sizeof a->path, "%s", path) < (int)sizeof a->path)
        a->gif = open_gif(path, &why);
    if (!a || !a->gif) {
        (void)snprintf(error, size, "%s: cannot be written: %s", path, why);
        free(a);
        return NULL;
    }
    a->height     = first->height;
    a->width      = first->width;
    a->has_failed = !put_head(a->gif, first);
    return a;
}

static bool put_frame(GifFileType *gif, const picture *p, int delay_ms)
{
    const GraphicsControlBlock block = { .DisposalMode     = DISPOSE_DO_NOT,
                                         .DelayTime        = delay_ms / 10,
                                         .TransparentColor = NO_TRANSPARENT_COLOR };
    GifByteType                bytes[4];
    const size_t               n = EGifGCBToExtension(&block, bytes);
    bool is_put = EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, (int)n, bytes) == GIF_OK &&
                  EGifPutImageDesc(gif, 0, 0, (int)p->width, (int)p->height, false, NULL) == GIF_OK;

    for (int64_t y = 0; y < p->height && is_put; y++)
        is_put = EGifPutLine(gif, p->shade + y * p->width, (int)p->width) == GIF_OK;
    return is_put;
}

bool picture_animation_add(picture_animation *a, const picture *p, int delay_ms)
{
    if (p->height != a->height || p->width != a->width || a->has_failed)
        a->has_failed = true;
    else
        a->has_failed = !put_frame(a->gif, p, delay_ms);
    return !a->has_failed;
}

bool picture_animation_close(picture_animation *a, char *error, size_t size)
{
    int  code, closing = 0;
    bool is_written;

    if (!a)
        return true;
    code       = a->gif->Error;
    is_written = EGifCloseFile(a->gif, &closing) == GIF_OK && !a->has_failed;
    if (!is_written)
        (void)snprintf(error, size, "%s: cannot be written: %s", a->path,
                       reason_of(code ? code : closing));
    free(a);
    return is_written;
}
