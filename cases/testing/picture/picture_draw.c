/* Fields, discs and letters on a picture. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

bool picture_create(picture *p, int64_t height, int64_t width, const picture_scale *scale)
{
    *p = (picture) { .height = height, .width = width };
    if (height < 1 || width < 1 || height > PICTURE_SIDE_MOST || width > PICTURE_SIDE_MOST)
        return false;
    p->shade = malloc((size_t)(height * width));
    if (!p->shade)
        return false;
    memset(p->shade, PICTURE_PAPER, (size_t)(height * width));
    memcpy(p->colour, scale->colour, sizeof p->colour);
    return true;
}

void picture_free(picture *p)
{
    if (!p)
        return;
    free(p->shade);
    p->shade = NULL;
}

static void put(picture *p, int64_t y, int64_t x, uint8_t shade)
{
    if (y >= 0 && x >= 0 && y < p->height && x < p->width)
        p->shade[y * p->width + x] = shade;
}

void picture_draw_field(picture *p, int64_t y, int64_t x, const picture_field *f,
                        const picture_scale *scale)
{
    const double span = f->high - f->low;

    for (int64_t row = 0; row < f->height * f->zoom; row++)
        for (int64_t column = 0; column < f->width * f->zoom; column++) {
            const double v = (double)f->value[row / f->zoom * f->width + column / f->zoom];

            put(p, y + row, x + column, picture_shade(scale, span > 0 ? (v - f->low) / span : 0));
        }
}

void picture_draw_disc(picture *p, int64_t y, int64_t x, int64_t radius, uint8_t shade)
{
    for (int64_t dy = -radius; dy <= radius; dy++)
        for (int64_t dx = -radius; dx <= radius; dx++)
            if (dy * dy + dx * dx <= radius * radius + radius / 2)
                put(p, y + dy, x + dx, shade);
}

/* ---- letters of 3 x 5 points: five octal digits, a row each */

static const struct {
    char     letter;
    unsigned rows;
} font[] = {
    { '0', 075557 }, { '1', 026227 }, { '2', 071747 }, { '3', 071717 }, { '4', 055711 },
    { '5', 074717 }, { '6', 074757 }, { '7', 071122 }, { '8', 075757 }, { '9', 075717 },
    { 'A', 025755 }, { 'B', 065656 }, { 'C', 034443 }, { 'D', 065556 }, { 'E', 074647 },
    { 'F', 074644 }, { 'G', 034553 }, { 'H', 055755 }, { 'I', 072227 }, { 'J', 011152 },
    { 'K', 055655 }, { 'L', 044447 }, { 'M', 057755 }, { 'N', 065555 }, { 'O', 025552 },
    { 'P', 065644 }, { 'Q', 025573 }, { 'R', 065655 }, { 'S', 034216 }, { 'T', 072222 },
    { 'U', 055557 }, { 'V', 055552 }, { 'W', 055775 }, { 'X', 055255 }, { 'Y', 055222 },
    { 'Z', 071247 }, { '.', 000002 }, { ',', 000024 }, { '-', 000700 }, { '+', 002720 },
    { '=', 007070 }, { ':', 002020 }, { '/', 011244 }, { '_', 000007 },
};

static unsigned rows_of(char letter)
{
    const char capital = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;

    for (size_t k = 0; k < sizeof font / sizeof *font; k++)
        if (font[k].letter == capital)
            return font[k].rows;
    return 0;
}

/* A point is 2 x 2 pixels. */
void picture_draw_text(picture *p, int64_t y, int64_t x, const char *text)
{
    for (; *text; text++, x += PICTURE_TEXT_WIDTH) {
        const unsigned rows = rows_of(*text);

        for (int k = 0; k < 6 * PICTURE_TEXT_HEIGHT; k++) {
            const int row = k / 6, column = k % 6;

            if (rows >> (3 * (4 - row / 2) + 2 - column / 2) & 1)
                put(p, y + row, x + column, PICTURE_INK);
        }
    }
}
