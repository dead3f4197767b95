/* The number of photons that each sensor of the large sphere has detected. */
#include "case_pictures.h"

#include "kernel.h"

#include "../../../kernels/photon_propagate/photon_bvh.h"
#include "../../../kernels/photon_propagate/photon_detector.h"
#include "../../../kernels/photon_propagate/propagate_case.h"

#include <math.h>
#include <stdlib.h>

assay_launch_fn photon_propagate_cpu_omp;

enum {
    PHOTONS = 120000,
    ROWS    = PHOTONS * PHOTON_GENERATIONS,
    PAGES   = (PHOTONS + PHOTON_PAGE - 1) / PHOTON_PAGE,
    HEIGHT  = 250,
    WIDTH   = 490,
    RADIUS  = 3 /* of a sensor in the picture, pixels */
};

/* All inputs of the call. */
typedef struct event {
    photon_geometry geometry;
    float           media[PHOTON_MEDIA * PHOTON_MEDIUM_SIZE];
    float           surfaces[PHOTON_SURFACES * PHOTON_SURFACE_SIZE];
    uint32_t        number;
    float          *weight;
    void           *buf[PROPAGATE_BUFFERS];
    int64_t         count[PROPAGATE_BUFFERS], param[16];
    double          scalar[4];
} event;

static bool build(event *e)
{
    photon_mesh mesh = { 0 };
    char        reason[PHOTON_REASON_SIZE];
    const bool  is_built = photon_detector_mesh(PHOTON_LARGE, &mesh, reason) == PHOTON_OK &&
                          photon_geometry_build(&mesh, &e->geometry, reason) == PHOTON_OK;

    photon_mesh_free(&mesh);
    photon_detector_media(PHOTON_SCINTILLATOR, e->media);
    photon_detector_surfaces(PHOTON_SCINTILLATOR, e->surfaces);
    return is_built;
}

/* Allocates the outputs of the call, by number of buffer: elements of four bytes. */
static bool allocate(event *e)
{
    const struct {
        int     buffer;
        int64_t count;
    } made[] = {
        { PROPAGATE_BUF_WEIGHT, PHOTONS },
        { PROPAGATE_BUF_REAL, (int64_t)PAGES * PHOTON_PAGE * PHOTON_REALS },
        { PROPAGATE_BUF_WORD, (int64_t)PAGES * PHOTON_PAGE * PHOTON_WORDS },
        { PROPAGATE_BUF_END_PLACE, 3LL * ROWS },
        { PROPAGATE_BUF_END_TIME, ROWS },
        { PROPAGATE_BUF_END_FLAGS, ROWS },
        { PROPAGATE_BUF_END_FACE, ROWS },
        { PROPAGATE_BUF_TALLY, PHOTON_TALLIES + e->geometry.n_sensors },
    };
    bool is_there = true;

    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        e->count[made[k].buffer] = made[k].count;
        e->buf[made[k].buffer]   = calloc((size_t)made[k].count, 4);
        is_there                 = is_there && e->buf[made[k].buffer];
    }
    return is_there;
}

static bool run(event *e)
{
    const assay_args args = {
        .buf = e->buf, .count = e->count, .param = e->param, .scalar = e->scalar
    };

    e->number                            = 7;
    e->buf[PROPAGATE_BUF_NODES]          = e->geometry.node;
    e->buf[PROPAGATE_BUF_TRIANGLES]      = e->geometry.triangle;
    e->buf[PROPAGATE_BUF_FACES]          = e->geometry.face;
    e->buf[PROPAGATE_BUF_MEDIA]          = e->media;
    e->buf[PROPAGATE_BUF_SURFACES]       = e->surfaces;
    e->buf[PROPAGATE_BUF_EVENT]          = &e->number;
    e->param[PROPAGATE_PARAM_PHOTONS]    = PHOTONS;
    e->param[PROPAGATE_PARAM_STEPS]      = PHOTON_MOST_STEPS;
    e->param[PROPAGATE_PARAM_IS_HISTORY] = 1;
    e->param[PROPAGATE_PARAM_MEDIUM]     = PHOTON_MEDIUM_VESSEL;
    e->scalar[PROPAGATE_SCALAR_SOURCE_X] = 2.6;
    e->scalar[PROPAGATE_SCALAR_SOURCE_Y] = 1.2;
    e->scalar[PROPAGATE_SCALAR_SOURCE_Z] = 0.9;
    return photon_propagate_cpu_omp(&args, NULL) == 0;
}

static void release(event *e)
{
    for (int b = PROPAGATE_BUF_WEIGHT; b < PROPAGATE_BUFFERS; b++)
        free(e->buf[b]);
    photon_geometry_free(&e->geometry);
}

/* ---- the picture */

/* The position of a direction on Hammer's map, in shares of the half axes. */
static void project(const double d[3], double *right, double *up)
{
    const double latitude = atan2(d[2], hypot(d[0], d[1])), longitude = atan2(d[1], d[0]);
    const double below = sqrt(1 + cos(latitude) * cos(longitude / 2));

    *right = cos(latitude) * sin(longitude / 2) * sqrt(2) / below;
    *up    = sin(latitude) / below;
    *right /= sqrt(2);
}

/* The sum of the corners of each sensor's triangles: its direction from the centre. */
static void sum_corners(const photon_geometry *g, double (*sum)[3])
{
    for (int64_t t = 0; t < g->n_triangles; t++)
        for (int c = 0; c < 9 && g->face[t].sensor != PHOTON_NO_SENSOR; c++)
            sum[g->face[t].sensor][c % 3] += (double)g->triangle[t].corner[c / 3].at[c % 3];
}

static double most_of(const uint32_t *hits, int64_t n)
{
    double most = 0;

    for (int64_t k = 0; k < n; k++)
        most = fmax(most, hits[k]);
    return most;
}

/* The map without sensors: the darkest shade. */
static void draw_wall(picture *p)
{
    for (int64_t y = 0; y < HEIGHT; y++)
        for (int64_t x = 0; x < WIDTH; x++)
            if (hypot((double)(2 * y + 1) / HEIGHT - 1, (double)(2 * x + 1) / WIDTH - 1) < 1)
                p->shade[y * WIDTH + x] = 0;
}

static bool draw(const event *e, picture *p)
{
    const int64_t   n    = e->geometry.n_sensors;
    const uint32_t *hits = (const uint32_t *)e->buf[PROPAGATE_BUF_TALLY] + PHOTON_TALLIES;
    const double    most = most_of(hits, n);
    double(*sum)[3]      = calloc((size_t)n, sizeof *sum);
    picture_scale scale;

    if (!sum || !picture_palette("ember", &scale) || !picture_create(p, HEIGHT, WIDTH, &scale)) {
        free(sum);
        return false;
    }
    draw_wall(p);
    sum_corners(&e->geometry, sum);
    for (int64_t k = 0; k < n; k++) {
        double right, up;

        project(sum[k], &right, &up);
        picture_draw_disc(p, (int64_t)(HEIGHT / 2.0 - up * (HEIGHT / 2.0 - RADIUS - 1)),
                          (int64_t)(WIDTH / 2.0 + right * (WIDTH / 2.0 - RADIUS - 1)), RADIUS,
                          picture_shade(&scale, hits[k] / most));
    }
    free(sum);
    return true;
}

bool case_picture_photon_hits(picture *p)
{
    event     *e        = calloc(1, sizeof *e);
    const bool is_drawn = e && build(e) && allocate(e) && run(e) && draw(e, p);

    if (e)
        release(e);
    free(e);
    return is_drawn;
}
