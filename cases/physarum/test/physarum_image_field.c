/* From pixels to cells: axis by axis, as a sum of weighted pixels. */
#include "physarum_image.h"

#include <math.h>
#include <stdlib.h>

/* One axis: from `from` pixels to `to` cells. */
typedef struct axis {
    int64_t from, to;
} axis;

/* Pixels first to last of a line, `stride` apart. */
typedef struct line {
    const double *value;
    int64_t       stride;
} line;

/* The mean over the cell's extent, in pixels. */
static double mean_of(axis a, line l, int64_t cell)
{
    const double  begin = (double)cell * (double)a.from / (double)a.to;
    const double  end   = (double)(cell + 1) * (double)a.from / (double)a.to;
    const int64_t first = cell * a.from / a.to, last = ((cell + 1) * a.from - 1) / a.to;
    double        sum = 0;

    for (int64_t k = first; k <= last; k++)
        sum += l.value[k * l.stride] * (fmin(end, (double)(k + 1)) - fmax(begin, (double)k));
    return sum / (end - begin);
}

/* Between the centres of the two pixels beside the cell's centre; beyond the outermost centres the
 * value is constant. */
static double between(axis a, line l, int64_t cell)
{
    const double  middle = ((double)cell + 0.5) * (double)a.from / (double)a.to - 0.5;
    const double  place  = fmin(fmax(middle, 0), (double)(a.from - 1));
    const int64_t k      = (int64_t)place;
    const int64_t next   = k + 1 < a.from ? k + 1 : k;
    const double  share  = place - (double)k;

    return (1 - share) * l.value[k * l.stride] + share * l.value[next * l.stride];
}

static double cell_of(axis a, line l, int64_t cell)
{
    return a.to <= a.from ? mean_of(a, l, cell) : between(a, l, cell);
}

/* A row of the image in double, and the cells of each of its columns. */
static void squeeze_row(const float *grey, axis across, double *row, double *cells)
{
    for (int64_t x = 0; x < across.from; x++)
        row[x] = (double)grey[x];
    for (int64_t x = 0; x < across.to; x++)
        cells[x] = cell_of(across, (line) { row, 1 }, x);
}

bool physarum_image_to_field(const physarum_image *image, int64_t height, int64_t width,
                             float strength, float *field)
{
    const axis down = { image->height, height }, across = { image->width, width };
    double    *squeezed = calloc((size_t)(image->height * width), sizeof *squeezed);
    double    *row      = calloc((size_t)image->width, sizeof *row);
    const bool is_there = squeezed && row;

    for (int64_t y = 0; y < image->height && is_there; y++)
        squeeze_row(image->grey + y * image->width, across, row, squeezed + y * width);
    for (int64_t y = 0; y < height && is_there; y++)
        for (int64_t x = 0; x < width; x++)
            field[y * width + x] =
                (float)((double)strength * cell_of(down, (line) { squeezed + x, width }, y));
    free(row);
    free(squeezed);
    return is_there;
}
