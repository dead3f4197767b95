/* cpu_omp: the fused step on the CPU in fp32; threads share agents and rows. */
#include "kernel.h"
#include "physarum_case.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

assay_launch_fn physarum_cpu_omp;

typedef struct grid {
    int64_t height, width, agents;
    int     semantics, radius;
    float   step, reach, spread, keep, blend, remain, share, deposit;
} grid;

typedef struct agents {
    float *pos, *angle;
} agents;

static grid grid_of(const assay_args *args)
{
    const double *s    = args->scalar;
    const int64_t blur = args->param[PHYSARUM_PARAM_BLUR];

    return (grid) {
        .height    = args->param[PHYSARUM_PARAM_HEIGHT],
        .width     = args->param[PHYSARUM_PARAM_WIDTH],
        .agents    = args->param[PHYSARUM_PARAM_AGENTS],
        .semantics = (int)args->param[PHYSARUM_PARAM_SEMANTICS],
        .radius    = (int)(blur / 2),
        .step      = (float)s[PHYSARUM_SCALAR_STEP],
        .reach     = (float)s[PHYSARUM_SCALAR_REACH],
        .spread    = (float)s[PHYSARUM_SCALAR_SPREAD],
        .keep      = (float)(1 - s[PHYSARUM_SCALAR_BLEND]),
        .blend     = (float)s[PHYSARUM_SCALAR_BLEND],
        .remain    = (float)(1 - s[PHYSARUM_SCALAR_DECAY]),
        .share     = (float)(1.0 / (double)(blur * blur)),
        .deposit   = (float)s[PHYSARUM_SCALAR_DEPOSIT],
    };
}

/* ---- places */

/* Remainder with the sign of the extent; canonical places end up below the extent. */
static float wrap(const grid *g, float v, float extent)
{
    const float turns = floorf(v / extent);
    const float back  = turns * extent;
    float       w     = v - back;

    if (g->semantics == PHYSARUM_TORCH) {
        w = fmodf(v, extent);
        w = w < 0 ? w + extent : w;
    }
    return g->semantics == PHYSARUM_CANONICAL && w >= extent ? 0 : w;
}

static int64_t cell_on(float v, int64_t extent)
{
    const int64_t cell = (int64_t)v;

    return cell < 0 ? 0 : cell >= extent ? extent - 1 : cell;
}

static int64_t cell_of(const grid *g, const float *pos)
{
    return cell_on(pos[0], g->height) * g->width + cell_on(pos[1], g->width);
}

/* ---- sensors */

static float nearest(const grid *g, const float *field, float y, float x)
{
    const bool  is_triton = g->semantics == PHYSARUM_TRITON;
    const float h = (float)g->height, w = (float)g->width;
    const float at[2] = { is_triton ? fmodf(y, h) : wrap(g, y, h),
                          is_triton ? fmodf(x, w) : wrap(g, x, w) };

    return field[cell_of(g, at)];
}

static float through_unit(float v, float extent)
{
    const float unit = v / (extent - 1) * 2 - 1;

    return (unit + 1) / 2 * (extent - 1);
}

static float or_zero(const grid *g, const float *field, int64_t y, int64_t x)
{
    return y < 0 || y >= g->height || x < 0 || x >= g->width ? 0 : field[y * g->width + x];
}

static float bilinear(const grid *g, const float *field, float y, float x)
{
    const float   at_y = through_unit(wrap(g, y, (float)g->height), (float)g->height);
    const float   at_x = through_unit(wrap(g, x, (float)g->width), (float)g->width);
    const int64_t j = (int64_t)floorf(at_y), i = (int64_t)floorf(at_x);
    const float   down = at_y - (float)j, right = at_x - (float)i, up = 1 - down, left = 1 - right;

    return or_zero(g, field, j, i) * up * left + or_zero(g, field, j, i + 1) * up * right +
           or_zero(g, field, j + 1, i) * down * left +
           or_zero(g, field, j + 1, i + 1) * down * right;
}

/* Sensor k of the three that agent c uses. */
static float sense(const grid *g, agents from, const float *field, int64_t c, int k)
{
    const bool    is_torch = g->semantics == PHYSARUM_TORCH;
    const int64_t q        = is_torch ? k * g->agents + c : 3 * c + k;
    const float  *pos      = from.pos + 2 * (q / 3);
    const float   turns    = q % 3 == 1 ? g->spread : q % 3 == 2 ? -g->spread : 0;
    const float   angle    = from.angle[q / 3] + turns;
    const float   s = g->reach * sinf(angle), t = g->reach * cosf(angle);

    return is_torch ? bilinear(g, field, pos[0] + t, pos[1] + s)
                    : nearest(g, field, pos[0] + s, pos[1] + t);
}

/* ---- a step */

static float turn_of(const grid *g, const float v[3])
{
    if (g->semantics == PHYSARUM_TORCH)
        return v[0] >= v[1] && v[0] >= v[2] ? 0 : v[1] >= v[2] ? g->spread : -g->spread;
    return v[1] > v[0] && v[1] > v[2] ? g->spread : v[2] > v[0] && v[2] > v[1] ? -g->spread : 0;
}

static float within_turn(const grid *g, float angle)
{
    const float pi = 0x1.921fb6p+1f;

    if (g->semantics != PHYSARUM_CANONICAL)
        return angle;
    return angle > pi ? angle - 2 * pi : angle < -pi ? angle + 2 * pi : angle;
}

static void move_agent(const grid *g, agents from, const float *field, agents to, int64_t i)
{
    float v[3], angle;

    for (int k = 0; k < 3; k++)
        v[k] = sense(g, from, field, i, k);
    angle             = within_turn(g, from.angle[i] + turn_of(g, v));
    to.angle[i]       = angle;
    to.pos[2 * i]     = wrap(g, from.pos[2 * i] + g->step * sinf(angle), (float)g->height);
    to.pos[2 * i + 1] = wrap(g, from.pos[2 * i + 1] + g->step * cosf(angle), (float)g->width);
}

static void deposit(const grid *g, const float *field, const float *pos, float *deposited)
{
#pragma omp        parallel for schedule(static)
    for (int64_t i = 0; i < g->agents; i++) {
               float *const cell = deposited + cell_of(g, pos + 2 * i);
               const float  once = field[cell - deposited] + g->deposit;

               if (g->semantics == PHYSARUM_TORCH) {
#pragma omp atomic write
            *cell = once;
        } else {
#pragma omp atomic
            *cell += g->deposit;
        }
    }
}

static int64_t place_on(const grid *g, int64_t i, int64_t extent)
{
    if (i >= 0 && i < extent)
        return i;
    return g->semantics == PHYSARUM_CANONICAL ? (i % extent + extent) % extent : -1;
}

static float mean_around(const grid *g, const float *from, int64_t y, int64_t x)
{
    float sum = 0;

    for (int64_t j = y - g->radius; j <= y + g->radius; j++) {
        const int64_t row = place_on(g, j, g->height);

        for (int64_t i = x - g->radius; i <= x + g->radius && row >= 0; i++) {
            const int64_t column = place_on(g, i, g->width);

            sum += column >= 0 ? from[row * g->width + column] : 0;
        }
    }
    return sum * g->share;
}

static void advance(const grid *g, agents from, const float *field, agents to, float *new_field,
                    float *deposited)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < g->agents; i++)
        move_agent(g, from, field, to, i);
    memcpy(deposited, field, (size_t)(g->height * g->width) * sizeof *deposited);
    deposit(g, field, to.pos, deposited);
#pragma omp parallel for schedule(static)
    for (int64_t y = 0; y < g->height; y++)
        for (int64_t x = 0; x < g->width; x++)
            new_field[y * g->width + x] = g->remain * (g->keep * deposited[y * g->width + x] +
                                                       g->blend * mean_around(g, deposited, y, x));
}

int physarum_cpu_omp(const assay_args *args, assay_stream stream)
{
    const grid    g         = grid_of(args);
    const int64_t steps     = args->param[PHYSARUM_PARAM_STEPS];
    float        *deposited = malloc((size_t)(g.height * g.width + 1) * sizeof *deposited);
    void *const  *from      = args->buf + PHYSARUM_BUF_POS;

    (void)stream;
    if (!deposited)
        return 1;
    for (int b = 0; steps == 1 && args->param[PHYSARUM_PARAM_KEEPS_BEFORE] && b < 3; b++)
        memcpy(args->buf[PHYSARUM_BUF_BEFORE_POS + b], args->buf[PHYSARUM_BUF_POS + b],
               (size_t)args->count[PHYSARUM_BUF_POS + b] * sizeof(float));
    for (int64_t j = 1; j <= steps; j++) {
        const bool   is_new = (steps - j) % 2 == 0;
        void *const *to     = args->buf + (is_new ? PHYSARUM_BUF_NEW_POS : PHYSARUM_BUF_BEFORE_POS);

        advance(&g, (agents) { from[0], from[1] }, from[2], (agents) { to[0], to[1] }, to[2],
                deposited);
        from = to;
    }
    free(deposited);
    return 0;
}
