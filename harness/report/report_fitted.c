/* Reads times along an axis, series by series, and fits them. */
#include "report_fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One time. */
typedef struct place {
    double  extent[3]; /* of a grid; any other axis has its value, NaN, NaN */
    double  time_ns;
    int64_t point_id;
    bool    is_near_floor;
} place;

typedef struct places {
    place  *at;
    int64_t n, capacity;
} places;

static assay_status add_place(places *all, assay_cursor *row)
{
    assay_status st = ASSAY_OK;

    if (all->n == all->capacity) {
        const int64_t capacity = all->capacity ? 2 * all->capacity : 16;
        place        *at       = realloc(all->at, (size_t)capacity * sizeof *at);

        ASSAY_REQUIRE(at, ASSAY_E_MEMORY, "out of memory for %lld times", (long long)capacity);
        all->at       = at;
        all->capacity = capacity;
    }
    all->at[all->n++] =
        (place) { .extent   = { assay_row_number(row, "value_x"), assay_row_number(row, "value_y"),
                                assay_row_number(row, "value_z") },
                  .time_ns  = assay_row_number(row, "median_ns"),
                  .point_id = assay_row_count(row, "point_id"),
                  .is_near_floor = assay_row_count(row, "is_below_floor") != 0 };
out:
    return st;
}

/* ---- sizes ---- */

static bool is_grid(const place *p) { return !isnan(p->extent[1]); }

static bool has_side(const place *p)
{
    const double x = p->extent[0], z = p->extent[2];

    return p->extent[1] == x && (z == 1 || z == x);
}

const char *assay_size_unit_text(assay_size_unit unit)
{
    static const char *const words[] = {
#define X(name, word) [ASSAY_SIZE_UNIT_##name] = (word),
        ASSAY_SIZE_UNIT_MAP(X)
#undef X
    };

    return words[unit];
}

static assay_size_unit unit_of(const places *all)
{
    if (!is_grid(&all->at[0]))
        return ASSAY_SIZE_UNIT_NONE;
    for (int64_t i = 0; i < all->n; i++)
        if (!has_side(&all->at[i]) || (all->at[i].extent[2] == 1) != (all->at[0].extent[2] == 1))
            return ASSAY_SIZE_UNIT_CELLS;
    return ASSAY_SIZE_UNIT_SIDE;
}

static double size_of(const place *p, assay_size_unit unit)
{
    return unit == ASSAY_SIZE_UNIT_CELLS ? p->extent[0] * p->extent[1] * p->extent[2]
                                         : p->extent[0];
}

static int64_t count_sizes(const assay_fitted *f)
{
    int64_t found = 0;

    for (int64_t i = 0; i < f->n; i++) {
        int64_t k = 0;

        while (k < i && f->x[k] != f->x[i])
            k++;
        found += k == i;
    }
    return found;
}

/* ---- one series ---- */

static void name_series(assay_fitted *f, assay_cursor *row)
{
    const struct {
        char       *to;
        size_t      size;
        const char *column;
    } texts[] = { { f->case_name, sizeof f->case_name, "case_name" },
                  { f->variant, sizeof f->variant, "variant" },
                  { f->regime, sizeof f->regime, "regime" },
                  { f->axis, sizeof f->axis, "axis" },
                  { f->others, sizeof f->others, "others" } };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        (void)snprintf(texts[i].to, texts[i].size, "%s", assay_row_text(row, texts[i].column));
    f->case_version = assay_row_count(row, "case_version");
}

/* Adds each clock once, in the order of the sizes. */
static void add_clock(assay_fitted *f, const char *clock)
{
    const size_t used = strlen(f->clocks);

    if (!strstr(f->clocks, clock))
        (void)snprintf(f->clocks + used, sizeof f->clocks - used, "%s%s", used ? ", " : "", clock);
}

static assay_status read_places(assay_report_stream *s, assay_fitted *f, places *all)
{
    const int64_t series = assay_row_count(s->row, "series");
    assay_status  st;

    do {
        add_clock(f, assay_row_text(s->row, "clock"));
        ASSAY_CHECK(add_place(all, s->row));
        ASSAY_CHECK(assay_report_advance(s));
    } while (s->has_row && assay_row_count(s->row, "series") == series);
out:
    return st;
}

static assay_status take_places(assay_fitted *f, const places *all)
{
    assay_status st = ASSAY_OK;

    f->unit      = unit_of(all);
    f->x         = calloc((size_t)all->n, sizeof *f->x);
    f->time_ns   = calloc((size_t)all->n, sizeof *f->time_ns);
    f->point_ids = calloc((size_t)all->n, sizeof *f->point_ids);
    ASSAY_REQUIRE(f->x && f->time_ns && f->point_ids, ASSAY_E_MEMORY,
                  "out of memory for %lld times", (long long)all->n);
    f->n = all->n;
    for (int64_t i = 0; i < all->n; i++) {
        f->x[i]         = size_of(&all->at[i], f->unit);
        f->time_ns[i]   = all->at[i].time_ns;
        f->point_ids[i] = all->at[i].point_id;
    }
out:
    return st;
}

/* Near the floor the launch takes most of the time: a slope there says nothing about the kernel. */
static void fit_slope(assay_fitted *f, const places *all, double *x, double *t)
{
    for (int64_t i = 0; i < all->n; i++) {
        if (all->at[i].is_near_floor)
            continue;
        x[f->n_above]   = f->x[i];
        t[f->n_above++] = f->time_ns[i];
    }
    f->slope = assay_fit_slope(x, t, f->n_above, &f->slope_error);
}

static assay_status fit_places(assay_fitted *f, const places *all)
{
    double      *room = calloc(2 * (size_t)all->n, sizeof *room);
    assay_status st   = ASSAY_OK;

    ASSAY_REQUIRE(room, ASSAY_E_MEMORY, "out of memory for %lld times", (long long)all->n);
    f->fit = assay_fit_curve(f->x, f->time_ns, f->n);
    fit_slope(f, all, room, room + all->n);
out:
    free(room);
    return st;
}

assay_status assay_fitted_read(assay_report_stream *s, assay_fitted *fitted)
{
    places       all = { .at = NULL };
    assay_status st;

    *fitted = (assay_fitted) { .n = 0 };
    name_series(fitted, s->row);
    ASSAY_CHECK(read_places(s, fitted, &all));
    ASSAY_CHECK(take_places(fitted, &all));
    if (count_sizes(fitted) < ASSAY_SLOPE_FEWEST)
        fitted->n = 0;
    else
        ASSAY_CHECK(fit_places(fitted, &all));
out:
    free(all.at);
    return st;
}

void assay_fitted_free(assay_fitted *fitted)
{
    if (!fitted)
        return;
    free(fitted->x);
    free(fitted->time_ns);
    free(fitted->point_ids);
    *fitted = (assay_fitted) { .n = 0 };
}
