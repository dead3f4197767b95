/* The pictures of the pages are what the program draws:
 *
 *   test_case_pictures FOLDER     docs/pictures */
#include "case_pictures.h"

#include "../../testing/trial.h"

#include <stdio.h>

typedef struct comparison {
    const picture *p;
    int64_t        n_rows, n_unlike;
} comparison;

static bool begin(void *context, int64_t height, int64_t width, char *why, size_t size)
{
    const comparison *c = context;

    (void)snprintf(why, size, "is of another size: case_pictures makes it again");
    return height == c->p->height && width == c->p->width;
}

static void compare(void *context, int64_t y, int64_t width, const uint16_t *rgba)
{
    comparison *c = context;

    c->n_rows++;
    for (int64_t x = 0; x < width; x++) {
        const uint8_t *want = c->p->colour[c->p->shade[y * width + x]];

        c->n_unlike += rgba[4 * x] >> 8 != want[0] || rgba[4 * x + 1] >> 8 != want[1] ||
                       rgba[4 * x + 2] >> 8 != want[2];
    }
}

/* Another math library may round a value to the next of 254 shades: at most one pixel in a
 * hundred. */
static void test_picture(const case_picture *of, const char *folder)
{
    picture              p;
    comparison           c      = { .p = &p };
    const picture_reader reader = { begin, compare, &c };
    char                 path[4096], error[4608] = "";

    (void)snprintf(path, sizeof path, "%s/%s.png", folder, of->name);
    if (!trial_expect(of->draw(&p), "%s is not drawn", of->name))
        return;
    if (trial_expect(picture_read_png(path, &reader, error, sizeof error), "%s", error))
        trial_expect(c.n_rows == p.height && c.n_unlike * 100 <= p.height * p.width,
                     "%s: %lld pixels are not what is drawn: case_pictures %s makes it again", path,
                     (long long)c.n_unlike, of->name);
    picture_free(&p);
}

int main(int argc, char **argv)
{
    for (int k = 0; k < CASE_PICTURES && argc == 2; k++)
        test_picture(&case_pictures[k], argv[1]);
    return trial_finish("test_case_pictures");
}
