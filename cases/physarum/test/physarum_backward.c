/* Steps backwards. */
#include "physarum_backward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the field ---- */

/* Sums of `blur` cells along y or x, on a torus, over n cells that are `stride` apart. */
static void sum_along(const double *from, double *to, int64_t n, int64_t stride, int64_t radius)
{
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;

        for (int64_t k = i - radius; k <= i + radius; k++)
            sum += from[(k < 0 || k >= n ? (k % n + n) % n : k) * stride];
        to[i * stride] = sum;
    }
}

static void means_of(const physarum_model *m, const double *field, double *between, double *mean)
{
    const int64_t radius = m->blur / 2;

    for (int64_t y = 0; y < m->height; y++)
        sum_along(field + y * m->width, between + y * m->width, m->width, 1, radius);
    for (int64_t x = 0; x < m->width; x++)
        sum_along(between + x, mean + x, m->height, m->width, radius);
    for (int64_t c = 0; c < m->height * m->width; c++)
        mean[c] /= (double)(m->blur * m->blur);
}

/* Means over squares have factors from -1/3 up. */
static double least_factor(const physarum_model *m) { return 1 - 4.0 / 3 * m->blend; }

/* x = y + s (x - mean(x)), repeated: each round shrinks the error by 4 s / 3. */
bool physarum_unblur(const physarum_model *m, const double *field, double *before)
{
    const int64_t cells  = m->height * m->width;
    double *const mean   = physarum_allocate(2 * cells, sizeof *mean);
    const bool    is_one = least_factor(m) > 0 && m->decay < 1;

    for (int64_t c = 0; c < cells && is_one; c++)
        before[c] = field[c] / (1 - m->decay);
    for (double off = 1; off > 1e-13 && is_one; off *= 1 - least_factor(m)) {
        means_of(m, before, mean + cells, mean);
        for (int64_t c = 0; c < cells; c++)
            before[c] = field[c] / (1 - m->decay) + m->blend * (before[c] - mean[c]);
    }
    free(mean);
    return is_one;
}

double physarum_level(double v) { return rint(fmin(3, fmax(0, v)) * 85) / 85; }

/* ---- the agents ---- */

physarum_back physarum_back_create(const physarum_model *m, const physarum_owned *state)
{
    const int64_t cells = m->height * m->width;
    physarum_back b     = { .pos   = physarum_allocate(2 * m->agents, sizeof(double)),
                            .angle = physarum_allocate(m->agents, sizeof(double)),
                            .field = physarum_allocate(cells, sizeof(double)) };

    for (int64_t i = 0; i < 2 * m->agents; i++)
        b.pos[i] = (double)state->pos[i];
    for (int64_t i = 0; i < m->agents; i++)
        b.angle[i] = (double)state->angle[i];
    for (int64_t c = 0; c < cells; c++) {
        b.field[c] = (double)state->field[c];
        b.error    = fmax(b.error, fabs(b.field[c]) * PHYSARUM_ROUNDOFF);
    }
    return b;
}

void physarum_back_free(physarum_back *b)
{
    free(b->pos);
    free(b->angle);
    free(b->field);
}

static double wrapped(double v, int64_t extent)
{
    const double e = (double)extent, w = v - floor(v / e) * e;

    return w < e ? w : 0;
}

static int64_t cell_at(const physarum_model *m, double y, double x)
{
    return (int64_t)wrapped(y, m->height) * m->width + (int64_t)wrapped(x, m->width);
}

static double sensed(const physarum_model *m, const physarum_back *b, const double *pos,
                     double angle)
{
    const double reach = (double)m->reach;

    return b->field[cell_at(m, pos[0] + reach * sin(angle), pos[1] + reach * cos(angle))];
}

/* Could an agent with this heading turn this way (+1, 0, -1), as far as the field is known? */
static bool may_turn(const physarum_model *m, const physarum_back *b, const double *pos,
                     double angle, int turn)
{
    const double spread = (double)m->spread, off = 2 * b->error;
    const double ahead = sensed(m, b, pos, angle), left = sensed(m, b, pos, angle + spread);
    const double right = sensed(m, b, pos, angle - spread);

    if (turn > 0)
        return left > ahead - off && left > right - off;
    if (turn < 0)
        return right > ahead - off && right > left - off;
    return !(left > ahead + off && left > right + off) &&
           !(right > ahead + off && right > left + off);
}

/* Where an agent was one step earlier. */
static int64_t cell_before(const physarum_model *m, const double *pos, double angle)
{
    return cell_at(m, pos[0] - (double)m->step * sin(angle), pos[1] - (double)m->step * cos(angle));
}

/* `trace`: how much each cell stood out one step earlier. */
static bool turn_back(const physarum_model *m, const physarum_back *b, const double *trace,
                      int64_t i, double *before)
{
    const double *const pos     = b->pos + 2 * i;
    double              most[2] = { -INFINITY, -INFINITY }, best[2] = { b->angle[i], b->angle[i] };
    int                 n = 0;

    for (int turn = -1; turn <= 1; turn++) {
        const double angle = b->angle[i] - turn * (double)m->spread;
        const double here  = trace[cell_before(m, pos, angle)];
        const bool   may   = may_turn(m, b, pos, angle, turn) && here > -INFINITY;

        n += may;
        if (here > most[may]) {
            most[may] = here;
            best[may] = angle;
        }
    }
    *before = best[n > 0];
    return n == 1;
}

/* Subtracts what agents have deposited in their cells. */
static void take_deposits(const physarum_model *m, const physarum_back *b, double *field)
{
    for (int64_t i = 0; i < m->agents; i++)
        field[cell_at(m, b->pos[2 * i], b->pos[2 * i + 1])] -= m->deposit;
}

/* The field one more step back, before its deposits are subtracted, less its mean. A cell with less
 * than a deposit cannot have got one. */
static void find_trace(const physarum_model *m, const physarum_back *b, double *trace)
{
    const int64_t cells = m->height * m->width;
    double *const field = physarum_allocate(3 * cells, sizeof *field);

    (void)physarum_unblur(m, b->field, trace); /* there is an inverse, as before */
    take_deposits(m, b, trace);
    (void)physarum_unblur(m, trace, field);
    means_of(m, field, field + cells, field + 2 * cells);
    for (int64_t c = 0; c < cells; c++)
        trace[c] =
            field[c] < m->deposit - 4 * b->error ? -INFINITY : field[c] - field[2 * cells + c];
    free(field);
}

bool physarum_step_back(const physarum_model *m, physarum_back *b, int64_t *open)
{
    const int64_t cells  = m->height * m->width;
    double *const before = physarum_allocate(2 * cells, sizeof *before);
    double *const trace  = before + cells;
    const bool    is_one = physarum_unblur(m, b->field, before);

    *open = 0;
    if (!is_one)
        goto out;
    take_deposits(m, b, before);
    memcpy(b->field, before, (size_t)cells * sizeof *before);
    b->error /= (1 - m->decay) * least_factor(m);
    for (int64_t i = 0; i < m->agents; i++) {
        double *const pos = b->pos + 2 * i;

        pos[0] = wrapped(pos[0] - (double)m->step * sin(b->angle[i]), m->height);
        pos[1] = wrapped(pos[1] - (double)m->step * cos(b->angle[i]), m->width);
    }
    find_trace(m, b, trace);
    for (int64_t i = 0; i < m->agents; i++) {
        double angle = 0;

        *open += !turn_back(m, b, trace, i, &angle);
        b->angle[i] = angle;
    }
out:
    free(before);
    return is_one;
}

/* ---- the first field by the last ---- */

/* The cells that agents deposit in, step by step: [steps][agents]. */
static void go(const physarum_model *m, const physarum_owned *start, const double *first,
               int64_t steps, int64_t *cell)
{
    const size_t   n     = (size_t)m->agents;
    const int64_t  cells = m->height * m->width;
    physarum_owned run   = physarum_state_create(m);

    memcpy(run.pos, start->pos, 2 * n * sizeof(float));
    memcpy(run.angle, start->angle, n * sizeof(float));
    for (int64_t c = 0; c < cells; c++)
        run.field[c] = (float)first[c];
    for (int64_t k = 0; k < steps; k++) {
        (void)physarum_advance(m, run.pos, run.angle, run.field, 1);
        for (int64_t i = 0; i < m->agents; i++)
            cell[k * m->agents + i] = physarum_deposit_cell(m, run.pos + 2 * i);
    }
    physarum_state_free(&run);
}

/* Goes back from the last field, with those deposits. */
static bool take_off(const physarum_model *m, const double *field, int64_t steps,
                     const int64_t *cell, double *first)
{
    const size_t  size   = (size_t)(m->height * m->width) * sizeof *first;
    double *const now    = physarum_allocate(m->height * m->width, sizeof *now);
    bool          is_one = true;

    memcpy(now, field, size);
    for (int64_t k = steps - 1; k >= 0 && is_one; k--) {
        is_one = physarum_unblur(m, now, first);
        for (int64_t i = 0; i < m->agents; i++)
            first[cell[k * m->agents + i]] -= m->deposit;
        memcpy(now, first, size);
    }
    free(now);
    return is_one;
}

/* Makes the next guess; returns whether it differs from the last one. */
static bool to_levels(const double *found, int64_t cells, double *guess)
{
    bool is_other = false;

    for (int64_t c = 0; c < cells; c++) {
        const double level = physarum_level(found[c]);

        is_other |= fabs(level - guess[c]) > 0.001;
        guess[c] = level;
    }
    return is_other;
}

int physarum_find_first(const physarum_model *m, const physarum_owned *start, const double *field,
                        int64_t steps, int rounds, double *first)
{
    const int64_t  cells    = m->height * m->width;
    int64_t *const cell     = physarum_allocate(steps * m->agents, sizeof *cell);
    double *const  next     = physarum_allocate(cells, sizeof *next);
    bool           is_other = true;
    int            round    = 0;

    while (round >= 0 && round < rounds && is_other) {
        go(m, start, first, steps, cell);
        round    = take_off(m, field, steps, cell, next) ? round + 1 : -1;
        is_other = round > 0 && to_levels(next, cells, first);
    }
    free(cell);
    free(next);
    return round;
}

/* ---- a number of the step by the last field ---- */

static double distance_with(const physarum_model *m, const physarum_owned *start,
                            const float *field, int64_t steps, physarum_owned *run)
{
    const size_t n = (size_t)m->agents, cells = (size_t)(m->height * m->width);
    double       squares = 0;

    memcpy(run->pos, start->pos, 2 * n * sizeof(float));
    memcpy(run->angle, start->angle, n * sizeof(float));
    memcpy(run->field, start->field, cells * sizeof(float));
    (void)physarum_advance(m, run->pos, run->angle, run->field, steps);
    for (size_t c = 0; c < cells; c++)
        squares += pow((double)run->field[c] - (double)field[c], 2);
    return squares;
}

double physarum_find_strength(const physarum_model *m, const physarum_owned *start,
                              const float *field, int64_t steps)
{
    physarum_model tried = *m;
    physarum_owned run   = physarum_state_create(m);
    double         best = 0, least = INFINITY, first = 0, width = 0.7;

    for (int level = 0; level < 5; level++) {
        for (int k = 0; k <= 32; k++) {
            double distance;

            tried.blend = fmax(0, first + width * k / 32);
            distance    = distance_with(&tried, start, field, steps, &run);
            if (distance < least) {
                least = distance;
                best  = tried.blend;
            }
        }
        width /= 16;
        first = best - width / 2;
    }
    physarum_state_free(&run);
    return best;
}
