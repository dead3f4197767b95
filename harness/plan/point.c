/* One point: its key, its shape, its needs and its row. */
#include "base/nearest.h"
#include "check/fill.h"
#include "number.h"
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *assay_value_text(const assay_axis *axis, const assay_value *value, char *text,
                             size_t size)
{
    if (axis->kind == ASSAY_AXIS_TEXT)
        (void)snprintf(text, size, "%s", value->text);
    else if (axis->kind == ASSAY_AXIS_GRID)
        (void)snprintf(text, size, "%" PRId64 "x%" PRId64 "x%" PRId64, value->i[0], value->i[1],
                       value->i[2]);
    else
        (void)snprintf(text, size, "%" PRId64, value->i[0]);
    return text;
}

static bool parse_number(assay_axis_kind kind, const char *text, assay_value *value)
{
    const int n_extents = kind == ASSAY_AXIS_GRID ? 3 : 1;

    for (int d = 0; d < n_extents; d++) {
        if (d > 0 && *text++ != 'x')
            return false;
        if (!assay_number_read(&text, &value->i[d]))
            return false;
    }
    return *text == '\0';
}

static assay_status unknown_word(const assay_axis *axis, const char *word)
{
    assay_nearest nearest = { .word = word };
    char          hint[128];

    for (int v = 0; v < axis->n_values; v++)
        assay_nearest_try(&nearest, axis->values[v].text);
    return ASSAY_FAIL(ASSAY_E_USAGE, "axis '%s' has no value '%s'%s", axis->name, word,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

const assay_value *assay_value_find(const assay_value *values, int n, const assay_value *value)
{
    for (int v = 0; v < n; v++)
        if (memcmp(values[v].i, value->i, sizeof value->i) == 0)
            return &values[v];
    return NULL;
}

void assay_value_settle(const assay_axis *axis, assay_value *value)
{
    const assay_value *listed = assay_value_find(axis->values, axis->n_values, value);

    if (listed)
        *value = *listed;
    else
        value->tier = ASSAY_FULL;
}

/* A listed value keeps its tier; any other size belongs to the full tier. */
assay_status assay_value_parse(const assay_case *c, int axis, const char *word, assay_value *value)
{
    const assay_axis *a = &c->axes[axis];
    char              text[ASSAY_NAME_SIZE];

    for (int v = 0; v < a->n_values; v++) {
        if (strcmp(word, assay_value_text(a, &a->values[v], text, sizeof text)) == 0) {
            *value = a->values[v];
            return ASSAY_OK;
        }
    }
    if (a->kind == ASSAY_AXIS_TEXT)
        return unknown_word(a, word);
    memset(value, 0, sizeof *value);
    if (parse_number(a->kind, word, value)) {
        assay_value_settle(a, value);
        return ASSAY_OK;
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "axis '%s' takes %s, not '%s' (for example %s)%s", a->name,
                      a->kind == ASSAY_AXIS_GRID ? "three extents" : "a whole number", word,
                      assay_value_text(a, &a->values[0], text, sizeof text),
                      word[0] == '0' ? "; a comma separates values, not thousands" : "");
}

/* Shapes multiply sizes by small numbers in int64; below this nothing overflows. */
static const int64_t MAX_ELEMENTS = INT64_C(1) << 48;

assay_status assay_point_countable(const assay_case *c, const assay_value *axis)
{
    const char *reason  = c->uncountable ? c->uncountable(axis) : NULL;
    int64_t     product = 1;

    if (reason)
        return ASSAY_FAIL(ASSAY_E_USAGE, "the sizes of '%s' are too large: %s", c->name, reason);
    if (c->uncountable)
        return ASSAY_OK;
    for (int a = 0; a < assay_case_axis_count(c); a++)
        for (int d = 0; d < 3 && c->axes[a].kind != ASSAY_AXIS_TEXT; d++) {
            const int64_t extent = axis[a].i[d] > 0 ? axis[a].i[d] : 1;

            if (extent > MAX_ELEMENTS / product)
                return ASSAY_FAIL(ASSAY_E_USAGE,
                                  "the sizes of '%s' together go beyond 2^48 elements at axis '%s'",
                                  c->name, c->axes[a].name);
            product *= extent;
        }
    return ASSAY_OK;
}

const char *assay_point_key(const assay_point *point, char *key, size_t size)
{
    const assay_case *c = point->definition;
    char              tuning[ASSAY_TUNING_SIZE + 1];
    int used = snprintf(key, size, "%s/%s", c->name, c->variants[point->variant].name);

    for (int a = 0; a < assay_case_axis_count(c) && used >= 0 && (size_t)used < size; a++) {
        char text[ASSAY_NAME_SIZE];

        used += snprintf(key + used, size - (size_t)used, "/%s=%s", c->axes[a].name,
                         assay_value_text(&c->axes[a], &point->axis[a], text, sizeof text));
    }
    if (used >= 0 && (size_t)used < size)
        used += snprintf(key + used, size - (size_t)used, "%s",
                         assay_point_tuning_key(point, tuning, sizeof tuning));
    ASSAY_ASSERT(used >= 0 && (size_t)used < size);
    return key;
}

/* The next part between slashes; *state moves on. NULL at the end. */
static const char *next_part(char **state) { return strsep(state, "/"); }

static assay_status parse_case_and_variant(assay_case_table cases, char **state, assay_point *point)
{
    assay_status  st      = ASSAY_OK;
    const char   *name    = next_part(state);
    const char   *variant = next_part(state);
    assay_nearest nearest = { .word = variant };
    char          hint[128];

    ASSAY_REQUIRE(name && variant, ASSAY_E_USAGE,
                  "a point's key is CASE/VARIANT/AXIS=VALUE/..., as reports print it");
    ASSAY_CHECK(assay_registry_require(cases, name));
    point->definition = assay_registry_find(cases, name);
    ASSAY_REQUIRE(point->definition, ASSAY_E_USAGE, "'%s' is a group, not a case", name);
    point->variant = assay_case_find_variant(point->definition, variant);
    for (int v = 0; v < assay_case_variant_count(point->definition); v++)
        assay_nearest_try(&nearest, point->definition->variants[v].name);
    ASSAY_REQUIRE(point->variant >= 0, ASSAY_E_USAGE, "case '%s' has no variant '%s'%s", name,
                  variant, assay_nearest_hint(&nearest, hint, sizeof hint));
out:
    return st;
}

static assay_status parse_axes(char **state, assay_point *point)
{
    assay_status      st     = ASSAY_OK;
    const assay_case *c      = point->definition;
    const int         n_axes = assay_case_axis_count(c);

    point->tier = ASSAY_QUICK;
    for (int a = 0; a < n_axes; a++) {
        const char  *part   = next_part(state);
        const size_t length = strlen(c->axes[a].name);

        ASSAY_REQUIRE(part && strncmp(part, c->axes[a].name, length) == 0 && part[length] == '=',
                      ASSAY_E_USAGE, "the key of a point of '%s' needs '%s=...' as part %d",
                      c->name, c->axes[a].name, a + 3);
        ASSAY_CHECK(assay_value_parse(c, a, part + length + 1, &point->axis[a]));
        if (point->axis[a].tier == ASSAY_FULL)
            point->tier = ASSAY_FULL;
    }
out:
    return st;
}

/* Tuning values, in any order; an axis that is not named keeps its default. */
static assay_status parse_tuning(char **state, assay_point *point)
{
    assay_status      st    = ASSAY_OK;
    const assay_case *c     = point->definition;
    const bool        tunes = assay_variant_tuning_axes(&c->variants[point->variant]) > 0;
    unsigned          given = 0;

    assay_point_tune(point, 0);
    for (const char *part = next_part(state); part; part = next_part(state)) {
        ASSAY_REQUIRE(tunes, ASSAY_E_USAGE, "the key of a point of '%s' has %d axes, not more",
                      c->name, assay_case_axis_count(c));
        ASSAY_CHECK(assay_point_tuning_parse(point, part, &given));
    }
    point->names_tuning = given != 0;
out:
    return st;
}

assay_status assay_point_parse(assay_case_table cases, const char *key, assay_point *point)
{
    assay_status st    = ASSAY_OK;
    char        *copy  = strdup(key);
    char        *state = copy;

    memset(point, 0, sizeof *point);
    ASSAY_REQUIRE(copy, ASSAY_E_MEMORY, "no memory for a key");
    ASSAY_CHECK(parse_case_and_variant(cases, &state, point));
    ASSAY_CHECK(parse_axes(&state, point));
    ASSAY_CHECK(parse_tuning(&state, point));
out:
    free(copy);
    return st;
}

void assay_point_shape(const assay_point *point, assay_input input, assay_shape *shape)
{
    memset(shape, 0, sizeof *shape);
    point->definition->shape(point->axis, input, shape);
}

bool assay_point_wants_input(const assay_point *point, assay_input input)
{
    const assay_case *c = point->definition;

    if (!(c->inputs & (1u << input)))
        return false;
    if (c->input_excluded && c->input_excluded(point->axis, input))
        return false;
    return point->tier == ASSAY_QUICK || input == c->timed_input || input == ASSAY_INPUT_EXACT;
}

const char *assay_point_unsupported(const assay_point *point)
{
    const assay_variant *variant = &point->definition->variants[point->variant];
    assay_shape          shape;

    if (!variant->unsupported)
        return NULL;
    assay_point_shape(point, point->definition->timed_input, &shape);
    return variant->unsupported(&shape);
}

int64_t assay_point_device_bytes(const assay_point *point)
{
    assay_shape shape;
    int64_t     bytes = 0;

    assay_point_shape(point, point->definition->timed_input, &shape);
    for (int b = 0; b < assay_shape_buffer_count(&shape); b++) {
        const int64_t size = (int64_t)assay_buffer_bytes(&shape.buf[b]);

        bytes += size + 2 * ASSAY_GUARD_BYTES;
        if (shape.buf[b].role == ASSAY_INOUT)
            bytes += size;
    }
    return bytes;
}

int64_t assay_point_host_bytes(const assay_point *point, int n_runs)
{
    const int64_t expected_bytes = 2 * (int64_t)sizeof(double) + 1;
    assay_shape   shape;
    int64_t       bytes = 0;

    assay_point_shape(point, point->definition->timed_input, &shape);
    for (int b = 0; b < assay_shape_buffer_count(&shape); b++) {
        const int64_t size   = (int64_t)assay_buffer_bytes(&shape.buf[b]);
        const bool    is_out = shape.buf[b].role == ASSAY_OUT || shape.buf[b].role == ASSAY_INOUT;

        bytes += size; /* initial contents, or memory for a download */
        if (is_out)
            bytes += n_runs * size + shape.buf[b].count * expected_bytes;
    }
    return bytes;
}

static unsigned allowed_verdicts(const assay_variant *variant, assay_lane lane)
{
    unsigned any = 0;

    for (int l = 0; l < ASSAY_N_LANES; l++)
        any |= variant->expect[l];
    /* A broken variant that declares nothing for this lane may get no verdict, so the gap shows. */
    return any ? variant->expect[lane] : ASSAY_BIT(PASS);
}

unsigned assay_point_expect_under(const assay_point *point, assay_gpu_tool tool)
{
    const assay_variant *variant = &point->definition->variants[point->variant];
    unsigned             any     = 0;

    for (int l = 0; l < ASSAY_N_LANES; l++)
        any |= variant->expect[l];
    /* Without poison, elements that were not written keep their old contents. */
    if (tool == ASSAY_GPU_TOOL_INITCHECK && (any & ASSAY_BIT(UNWRITTEN)))
        any |= ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE);
    return any ? any : ASSAY_BIT(PASS);
}

static void fill_work(const assay_variant *variant, const assay_shape *shape, assay_point_row *row)
{
    row->bytes_declared = shape->bytes_read + shape->bytes_written;
    row->bytes_moved    = variant->bytes_moved ? variant->bytes_moved(shape) : -1;
    row->flops          = shape->flops;
    for (int b = 0; b < assay_shape_buffer_count(shape); b++)
        if (shape->buf[b].role != ASSAY_WORK)
            row->working_set_bytes += (int64_t)assay_buffer_bytes(&shape->buf[b]);
}

void assay_point_row_fill(const assay_point *point, assay_lane lane, assay_point_row *row)
{
    const assay_case    *c       = point->definition;
    const assay_variant *variant = &c->variants[point->variant];
    assay_shape          shape;

    memset(row, 0, sizeof *row);
    (void)assay_point_key(point, row->key, sizeof row->key);
    (void)snprintf(row->case_name, sizeof row->case_name, "%s", c->name);
    (void)snprintf(row->variant, sizeof row->variant, "%s", variant->name);
    (void)snprintf(row->baseline, sizeof row->baseline, "%s",
                   variant->baseline ? variant->baseline : "");
    (void)snprintf(row->variant_what, sizeof row->variant_what, "%s",
                   variant->what ? variant->what : "");
    (void)snprintf(row->rate_fact, sizeof row->rate_fact, "%s", c->rate_fact ? c->rate_fact : "");
    (void)snprintf(row->rate_along, sizeof row->rate_along, "%s",
                   c->rate_along ? c->rate_along : "");
    assay_point_shape(point, c->timed_input, &shape);
    row->seed         = point->seed;
    row->expect       = allowed_verdicts(variant, lane);
    row->is_reference = (variant->flags & ASSAY_IS_REFERENCE) != 0;
    row->is_timed     = point->is_timed;
    row->cells        = shape.cells;
    fill_work(variant, &shape, row);
    row->n_axes = assay_case_axis_count(c);
    for (int a = 0; a < row->n_axes; a++) {
        (void)snprintf(row->axis[a].name, sizeof row->axis[a].name, "%s", c->axes[a].name);
        row->axis[a].kind = c->axes[a].kind;
        memcpy(row->axis[a].i, point->axis[a].i, sizeof row->axis[a].i);
        (void)assay_value_text(&c->axes[a], &point->axis[a], row->axis[a].text,
                               sizeof row->axis[a].text);
    }
}
