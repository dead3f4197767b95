/* Palettes and maps: a few colours of each, and how those between them are derived. */
#include "picture.h"

#include <math.h>
#include <string.h>

enum {
    ANCHORS_MOST = 6
};

/* From dark to light. */
typedef struct anchors {
    const char *name;
    int         n;
    uint8_t     at[ANCHORS_MOST][3];
} anchors;

static const anchors palettes[] = {
    { "grey", 2, { { 0, 0, 0 }, { 255, 255, 255 } } },
    { "ember",
      6,
      { { 4, 3, 18 },
        { 74, 16, 84 },
        { 168, 38, 72 },
        { 230, 98, 36 },
        { 250, 184, 60 },
        { 255, 252, 220 } } },
    { "ocean",
      5,
      { { 3, 5, 24 }, { 14, 44, 104 }, { 20, 116, 156 }, { 92, 196, 184 }, { 240, 252, 226 } } },
    { "moss",
      5,
      { { 8, 12, 10 }, { 22, 62, 44 }, { 86, 124, 38 }, { 190, 186, 62 }, { 255, 246, 196 } } },
    { "orchid",
      5,
      { { 10, 6, 20 }, { 62, 26, 112 }, { 160, 50, 150 }, { 238, 132, 158 }, { 255, 238, 224 } } },
};

/* The palette that is lightest in the middle: two arms, each from dark to light. */
static const char    balance[] = "balance";
static const anchors arms[2]   = {
      { balance, 3, { { 16, 44, 110 }, { 84, 146, 200 }, { 246, 246, 244 } } },
      { balance, 3, { { 112, 16, 28 }, { 210, 112, 84 }, { 246, 246, 244 } } },
};

typedef struct ground {
    double  from; /* share of white */
    uint8_t colour[3];
} ground;

static const struct {
    const char *name;
    int         n;
    ground      ground[PICTURE_CLASSES_MOST];
} maps[] = {
    /* Rock, then walls, and halls where trails are. Fields fall off over decades beside a trail,
     * and so do these thresholds. */
    { "caves",
      4,
      { { 0, { 30, 27, 33 } },
        { 0.05, { 84, 70, 64 } },
        { 0.1, { 190, 160, 116 } },
        { 0.4, { 232, 214, 168 } } } },
    { "terrain",
      7,
      { { 0, { 22, 52, 110 } },
        { 0.025, { 52, 112, 172 } },
        { 0.05, { 222, 204, 146 } },
        { 0.07, { 110, 160, 74 } },
        { 0.15, { 52, 104, 58 } },
        { 0.4, { 122, 112, 106 } },
        { 0.8, { 244, 246, 250 } } } },
    /* Ten equal steps in colours that are easy to tell apart, as in the article. */
    { "steps",
      10,
      { { 0, { 34, 87, 148 } },
        { 0.1, { 238, 134, 52 } },
        { 0.2, { 70, 150, 76 } },
        { 0.3, { 196, 52, 58 } },
        { 0.4, { 132, 98, 176 } },
        { 0.5, { 128, 88, 72 } },
        { 0.6, { 226, 128, 184 } },
        { 0.7, { 122, 126, 130 } },
        { 0.8, { 184, 184, 44 } },
        { 0.9, { 52, 182, 200 } } } },
};

static double linear(uint8_t value)
{
    const double v = value / 255.0;

    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double picture_lightness(const uint8_t c[3])
{
    const double y = 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);

    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

/* The colour at a share of the way along the anchors. */
static void along(const anchors *a, double share, uint8_t colour[3])
{
    const double place = share * (a->n - 1);
    const int    k     = place < a->n - 2 ? (int)place : a->n - 2;

    for (int c = 0; c < 3; c++)
        colour[c] = (uint8_t)(a->at[k][c] + (place - k) * (a->at[k + 1][c] - a->at[k][c]) + 0.5);
}

/* The first colour along the way with this lightness, which rises along it. */
static void at_lightness(const anchors *a, double wanted, uint8_t colour[3])
{
    double low = 0, high = 1;

    for (int k = 0; k < 20; k++) {
        const double middle = (low + high) / 2;

        along(a, middle, colour);
        if (picture_lightness(colour) < wanted)
            low = middle;
        else
            high = middle;
    }
    along(a, high, colour);
}

/* n colours evenly in lightness, one every `step` places of the table. */
static void spread(const anchors *a, int n, uint8_t (*table)[3], int step)
{
    const double dark = picture_lightness(a->at[0]), light = picture_lightness(a->at[a->n - 1]);

    for (int k = 0; k < n; k++)
        at_lightness(a, dark + (light - dark) * k / (n - 1), table[k * step]);
}

static void set_surroundings(picture_scale *scale)
{
    static const uint8_t paper[3] = { 250, 249, 246 }, ink[3] = { 28, 28, 32 };

    memcpy(scale->colour[PICTURE_PAPER], paper, 3);
    memcpy(scale->colour[PICTURE_INK], ink, 3);
}

static const int n_palettes = sizeof palettes / sizeof *palettes;
static const int n_maps     = sizeof maps / sizeof *maps;

bool picture_palette(const char *name, picture_scale *scale)
{
    int k = 0;

    memset(scale, 0, sizeof *scale);
    set_surroundings(scale);
    while (k < n_palettes && strcmp(palettes[k].name, name) != 0)
        k++;
    if (k < n_palettes) {
        spread(&palettes[k], PICTURE_SHADES, scale->colour, 1);
    } else if (strcmp(name, balance) == 0) {
        spread(&arms[0], PICTURE_SHADES / 2, scale->colour, 1);
        spread(&arms[1], PICTURE_SHADES / 2, scale->colour + PICTURE_SHADES - 1, -1);
    } else {
        return false;
    }
    return true;
}

bool picture_map(const char *name, picture_scale *scale)
{
    memset(scale, 0, sizeof *scale);
    set_surroundings(scale);
    for (int m = 0; m < n_maps; m++) {
        if (strcmp(maps[m].name, name) != 0)
            continue;
        scale->n_classes = maps[m].n;
        for (int k = 0; k < maps[m].n; k++) {
            scale->threshold[k] = maps[m].ground[k].from;
            memcpy(scale->colour[k], maps[m].ground[k].colour, 3);
        }
        return true;
    }
    return false;
}

const char *picture_palette_name(int i)
{
    return i < n_palettes ? palettes[i].name : i == n_palettes ? balance : NULL;
}

const char *picture_map_name(int i) { return i < n_maps ? maps[i].name : NULL; }

uint8_t picture_shade(const picture_scale *scale, double share)
{
    const double kept  = share > 0 ? fmin(share, 1) : 0;
    int          shade = 0;

    if (scale->n_classes == 0)
        return (uint8_t)(kept * (PICTURE_SHADES - 1) + 0.5);
    while (shade + 1 < scale->n_classes && kept >= scale->threshold[shade + 1])
        shade++;
    return (uint8_t)shade;
}
