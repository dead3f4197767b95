/* Which points of a case are looked at, and all of them. */
#include "corrupt.h"

#include "check/fill.h"
#include "corrupt_internal.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t CHOICE_SEED = 20; /* not the seed of inputs: the same points for all seeds */

static bool is_output(const assay_buffer *buffer)
{
    return buffer->role == ASSAY_OUT || buffer->role == ASSAY_INOUT;
}

/* The outputs of a case that were met, and the point where each has most elements. */
typedef struct largest {
    int         n;
    const char *name[ASSAY_CORRUPT_MAX_OUTPUTS];
    int64_t     count[ASSAY_CORRUPT_MAX_OUTPUTS], place[ASSAY_CORRUPT_MAX_OUTPUTS];
} largest;

static void take_output(largest *l, const assay_buffer *buffer, int64_t place)
{
    int o = 0;

    while (o < l->n && strcmp(l->name[o], buffer->name) != 0)
        o++;
    if (o == ASSAY_CORRUPT_MAX_OUTPUTS)
        return;
    if (o == l->n) {
        l->name[l->n++] = buffer->name;
        l->count[o]     = 0;
    }
    if (buffer->count <= l->count[o])
        return;
    l->count[o] = buffer->count;
    l->place[o] = place;
}

/* Are there elements to judge? */
static bool take_point(largest *l, const assay_point *point, int64_t place)
{
    assay_shape shape;
    int64_t     count = 0;

    assay_point_shape(point, point->definition->timed_input, &shape);
    for (int b = 0; b < ASSAY_MAX_BUFFERS && shape.buf[b].role != ASSAY_NO_BUFFER; b++) {
        if (!is_output(&shape.buf[b]))
            continue;
        count += shape.buf[b].count;
        take_output(l, &shape.buf[b], place);
    }
    return count > 0;
}

/* The points that are looked at, so far. */
typedef struct choice {
    const assay_point *points;
    int64_t            n;
    bool              *is_usable; /* the first of those beside each other, with elements to judge */
    int64_t           *chosen;
    int                n_chosen;
} choice;

static void add(choice *c, int64_t place)
{
    for (int i = 0; i < c->n_chosen; i++)
        if (c->chosen[i] == place)
            return;
    if (c->n_chosen < ASSAY_CORRUPT_MAX_CHOSEN)
        c->chosen[c->n_chosen++] = place;
}

static bool is_chosen(const choice *c, int64_t place)
{
    for (int i = 0; i < c->n_chosen; i++)
        if (c->chosen[i] == place)
            return true;
    return false;
}

/* A seeded choice: each point has a random rank, and the lowest wins that is not chosen yet and has
 * that word on the axis (NULL: any). -1: there is none. */
static int64_t draw(const choice *c, int axis, const assay_value *word)
{
    uint64_t lowest = UINT64_MAX;
    int64_t  place  = -1;

    for (int64_t i = 0; i < c->n; i++) {
        const uint64_t rank = assay_random(CHOICE_SEED, 0, (uint64_t)i);

        if (!c->is_usable[i] || is_chosen(c, i) || rank >= lowest ||
            (word && c->points[i].axis[axis].i[0] != word->i[0]))
            continue;
        lowest = rank;
        place  = i;
    }
    return place;
}

static bool has_word(const choice *c, int axis, const assay_value *word)
{
    for (int i = 0; i < c->n_chosen; i++)
        if (c->points[c->chosen[i]].axis[axis].i[0] == word->i[0])
            return true;
    return false;
}

/* Words change what is computed: each is met once. */
static void add_words(choice *c)
{
    const assay_axis *axes = c->points[0].definition->axes;

    for (int a = 0; a < ASSAY_MAX_AXES && axes[a].name; a++)
        for (int v = 0; axes[a].kind == ASSAY_AXIS_TEXT && v < axes[a].n_values; v++) {
            const int64_t place =
                has_word(c, a, &axes[a].values[v]) ? -1 : draw(c, a, &axes[a].values[v]);

            if (place >= 0)
                add(c, place);
        }
}

assay_status assay_corrupt_choose(const assay_point *points, int64_t n,
                                  int64_t chosen[ASSAY_CORRUPT_MAX_CHOSEN], int *n_chosen)
{
    assay_status st    = ASSAY_OK;
    largest      l     = { .n = 0 };
    choice       c     = { .points = points, .n = n, .chosen = chosen };
    int64_t      place = 0;

    c.is_usable = calloc((size_t)n, sizeof *c.is_usable);
    ASSAY_REQUIRE(c.is_usable, ASSAY_E_MEMORY, "no memory for %lld points", (long long)n);
    for (int64_t i = 0; i < n; i++)
        c.is_usable[i] = (i == 0 || !assay_point_is_beside(&points[i - 1], &points[i])) &&
                         take_point(&l, &points[i], i);
    for (int o = 0; o < l.n; o++)
        if (l.count[o] > 0)
            add(&c, l.place[o]);
    add_words(&c);
    while (c.n_chosen < ASSAY_CORRUPT_MIN_POINTS && place >= 0) {
        place = draw(&c, 0, NULL);
        if (place >= 0)
            add(&c, place);
    }
    *n_chosen = c.n_chosen;
out:
    free(c.is_usable);
    return st;
}

assay_status assay_corrupt_judge(const assay_point *points, int64_t n, assay_corrupt_result *result)
{
    assay_status st = ASSAY_OK;
    int64_t      chosen[ASSAY_CORRUPT_MAX_CHOSEN];
    int          n_chosen = 0;

    *result = (assay_corrupt_result) { .definition = points[0].definition };
    ASSAY_CHECK(assay_corrupt_choose(points, n, chosen, &n_chosen));
    for (int i = 0; i < n_chosen; i++)
        ASSAY_CHECK(assay_corrupt_point(&points[chosen[i]], result));
out:
    return st;
}

const assay_waiver *assay_corrupt_find_waiver(const assay_case *c, const char *output,
                                              assay_corruption corruption)
{
    for (const assay_waiver *w = c->waivers; w && w->output; w++)
        if (strcmp(w->output, output) == 0 && w->corruption == corruption)
            return w;
    return NULL;
}

assay_corrupt_state assay_corrupt_state_of(const assay_corrupt_result *result, int o, int k)
{
    const assay_corrupt_cell *cell = &result->cell[o][k];

    if (cell->n_accepted > 0 || (cell->n_small > 0 && cell->n_rejected + cell->n_waived == 0))
        return ASSAY_CORRUPT_ACCEPTED;
    if (cell->n_waived > 0)
        return ASSAY_CORRUPT_WAIVED;
    return cell->n_rejected > 0 ? ASSAY_CORRUPT_REJECTED : ASSAY_CORRUPT_NONE;
}
