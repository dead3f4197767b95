/* Runs a simulation and makes pictures of its field: frames, an animation, or a sheet over two
 * numbers of a step. `physarum_frames` without arguments shows its usage; docs/physarum.md has
 * examples. */
#include "physarum_frames.h"

#include "physarum_image.h"
#include "physarum_simulation.h"

#include "../../testing/phys_device.h"
#include "exit_status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float STRENGTH = 3; /* of an image, as in the article */

enum {
    FRAME_MS = 80,
    GAP      = 6, /* pixels between the pictures of a sheet, and around letters */
};

/* What all functions here get. */
typedef struct run {
    frames_options o;
    float         *image;  /* the first field, or NULL */
    int            status; /* the exit status after a failure */
    char           error[FRAMES_ERROR_SIZE];
} run;

static bool refuse(run *r, const char *what)
{
    (void)snprintf(r->error, sizeof r->error, "%s", what);
    return false;
}

/* White is the level that 1 of 200 cells exceeds. */
static double white_of(const float *field, int64_t cells)
{
    double most = 0, level;

    for (int64_t i = 0; i < cells; i++)
        most = fmax(most, (double)field[i]);
    for (level = most; level > 0.01 * most; level *= 0.9) {
        int64_t n_above = 0;

        for (int64_t i = 0; i < cells; i++)
            n_above += (double)field[i] > level;
        if (n_above * 200 > cells)
            break;
    }
    return level;
}

static void draw(const run *r, const float *field, picture *to, int64_t y, int64_t x)
{
    const int64_t       side = r->o.model.height;
    const picture_field f    = { field, side, side, 0, white_of(field, side * side), r->o.zoom };

    picture_draw_field(to, y, x, &f, &r->o.scale);
}

static bool load_image(run *r)
{
    const int64_t  side = r->o.model.height;
    physarum_image image;
    bool           is_there;

    if (!r->o.image)
        return true;
    if (!physarum_image_read(r->o.image, &image, r->error, sizeof r->error))
        return false;
    r->image = calloc((size_t)(side * side), sizeof *r->image);
    is_there = r->image && physarum_image_to_field(&image, side, side, STRENGTH, r->image);
    physarum_image_free(&image);
    return is_there || refuse(r, "there is no memory for the field of the image");
}

/* ---- frames, one after another */

typedef struct film {
    picture            frame;
    picture_animation *animation; /* NULL: none is wanted */
} film;

/* An animation that begins empty would flash each time it starts again. */
static bool is_of_animation(const run *r, int64_t step)
{
    return step > 0 || r->image || r->o.every > r->o.steps;
}

static bool put_frame(run *r, film *f, const float *field, int64_t step)
{
    char path[4096];

    draw(r, field, &f->frame, 0, 0);
    if (f->animation && is_of_animation(r, step) &&
        !picture_animation_add(f->animation, &f->frame, FRAME_MS))
        return false; /* closing it gives the reason */
    if (!r->o.frames)
        return true;
    if (snprintf(path, sizeof path, "%s_%05" PRId64 ".png", r->o.frames, step) >= (int)sizeof path)
        return refuse(r, "the prefix of the frames is too long");
    return picture_write_png(path, &f->frame, r->error, sizeof r->error);
}

static bool run_film(run *r, film *f)
{
    physarum_simulation s =
        physarum_simulation_create(&r->o.model, (uint64_t)r->o.seed, r->image, r->o.uses_kernels);
    bool is_ok = put_frame(r, f, s.state.field, 0);

    for (int64_t k = r->o.every; k <= r->o.steps && is_ok; k += r->o.every)
        is_ok = physarum_simulation_advance(&s, r->o.every, r->error, sizeof r->error) &&
                put_frame(r, f, s.state.field, k);
    physarum_simulation_free(&s);
    return is_ok;
}

static bool make_film(run *r)
{
    const int64_t side  = r->o.model.height * r->o.zoom;
    film          f     = { .animation = NULL };
    bool          is_ok = picture_create(&f.frame, side, side, &r->o.scale);

    if (!is_ok)
        return refuse(r, "there is no memory for a frame");
    if (r->o.animation) {
        f.animation = picture_animation_open(r->o.animation, &f.frame, r->error, sizeof r->error);
        is_ok       = f.animation != NULL;
    }
    is_ok = is_ok && run_film(r, &f);
    is_ok = picture_animation_close(f.animation, r->error, sizeof r->error) && is_ok;
    picture_free(&f.frame);
    return is_ok;
}

/* ---- a sheet: rows of one number, columns of another */

typedef struct sheet {
    int64_t side, left, top; /* of a picture; where the first one is */
    picture all;
} sheet;

static sheet sheet_of(const run *r)
{
    int64_t longest = (int64_t)strlen(r->o.down.number->name);

    for (int k = 0; k < r->o.down.n; k++)
        longest = longest > (int64_t)strlen(r->o.down.word[k]) ? longest
                                                               : (int64_t)strlen(r->o.down.word[k]);
    return (sheet) { .side = r->o.model.height * r->o.zoom,
                     .left = 3 * GAP + longest * PICTURE_TEXT_WIDTH,
                     .top  = 3 * GAP + 2 * PICTURE_TEXT_HEIGHT };
}

static void label(const run *r, sheet *s)
{
    const int64_t line = PICTURE_TEXT_HEIGHT + GAP;

    picture_draw_text(&s->all, GAP, s->left, r->o.across.number->name);
    for (int k = 0; k < r->o.across.n; k++)
        picture_draw_text(&s->all, GAP + line, s->left + k * (s->side + GAP), r->o.across.word[k]);
    picture_draw_text(&s->all, GAP + line, GAP, r->o.down.number->name);
    for (int k = 0; k < r->o.down.n; k++)
        picture_draw_text(&s->all, s->top + k * (s->side + GAP), GAP, r->o.down.word[k]);
}

static bool draw_one(run *r, sheet *s, int row, int column)
{
    physarum_model      m = r->o.model;
    physarum_simulation one;
    bool                is_ok;

    physarum_number_set(r->o.down.number, r->o.down.value[row], &m);
    physarum_number_set(r->o.across.number, r->o.across.value[column], &m);
    one   = physarum_simulation_create(&m, (uint64_t)r->o.seed, r->image, r->o.uses_kernels);
    is_ok = physarum_simulation_advance(&one, r->o.steps, r->error, sizeof r->error);
    if (is_ok)
        draw(r, one.state.field, &s->all, s->top + row * (s->side + GAP),
             s->left + column * (s->side + GAP));
    physarum_simulation_free(&one);
    return is_ok;
}

static bool make_sheet(run *r)
{
    sheet s     = sheet_of(r);
    bool  is_ok = picture_create(&s.all, s.top + r->o.down.n * (s.side + GAP),
                                 s.left + r->o.across.n * (s.side + GAP), &r->o.scale);

    if (!is_ok)
        return refuse(r, "the sheet has too many pixels");
    label(r, &s);
    for (int row = 0; row < r->o.down.n && is_ok; row++)
        for (int column = 0; column < r->o.across.n && is_ok; column++)
            is_ok = draw_one(r, &s, row, column);
    is_ok = is_ok && picture_write_png(r->o.sheet, &s.all, r->error, sizeof r->error);
    picture_free(&s.all);
    return is_ok;
}

static bool make_all(run *r)
{
    if (r->o.uses_kernels && !phys_device_open(r->error, sizeof r->error)) {
        r->status = ASSAY_EXIT_SKIPPED;
        return false;
    }
    return load_image(r) && ((!r->o.frames && !r->o.animation) || make_film(r)) &&
           (!r->o.sheet || make_sheet(r));
}

int main(int argc, char **argv)
{
    run  r = { .status = 1 };
    bool is_ok;

    if (!frames_parse(argc, argv, PHYSARUM_FRAMES_DEVICE, &r.o, r.error, sizeof r.error)) {
        (void)fprintf(stderr, "physarum_frames: %s\n", r.error);
        frames_print_usage(stderr, PHYSARUM_FRAMES_DEVICE);
        return ASSAY_EXIT_USAGE;
    }
    is_ok = make_all(&r);
    if (!is_ok)
        (void)fprintf(stderr, "physarum_frames: %s\n", r.error);
    free(r.image);
    return is_ok ? ASSAY_EXIT_PASS : r.status;
}
