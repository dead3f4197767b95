/* Expands a selection into points. */
#include "plan_internal.h"

#include "number.h"

#include "base/text.h"
#include "check/fill.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_VALUES = 1000 /* of one axis by ranges; more must be a slip */
};

void assay_plan_free(assay_plan *plan)
{
    if (!plan)
        return;
    free(plan->points);
    memset(plan, 0, sizeof *plan);
}

static assay_status append(assay_plan *plan, const assay_point *point)
{
    if (plan->n == plan->capacity) {
        const int64_t capacity = plan->capacity ? 2 * plan->capacity : 256;
        assay_point  *points   = realloc(plan->points, (size_t)capacity * sizeof *points);

        if (!points)
            return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a plan of %lld points",
                              (long long)capacity);
        plan->points   = points;
        plan->capacity = capacity;
    }
    plan->points[plan->n++] = *point;
    return ASSAY_OK;
}

/* The values of one axis after overrides. */
typedef struct axis_values {
    assay_value *values;
    int          n;
} axis_values;

static assay_status add_value(axis_values *list, const assay_value *value)
{
    assay_value *values = realloc(list->values, (size_t)(list->n + 1) * sizeof *values);

    if (!values)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for axis values");
    list->values            = values;
    list->values[list->n++] = *value;
    return ASSAY_OK;
}

/* A value given twice counts once. */
static assay_status add_once(axis_values *list, const assay_value *value)
{
    return assay_value_find(list->values, list->n, value) ? ASSAY_OK : add_value(list, value);
}

static assay_status add_word(const assay_case *c, int axis, const char *word, axis_values *list)
{
    assay_status st = ASSAY_OK;
    assay_value  value;

    ASSAY_CHECK(assay_value_parse(c, axis, word, &value));
    ASSAY_CHECK(add_once(list, &value));
out:
    return st;
}

static assay_status add_range(const assay_case *c, int axis, const char *word, axis_values *list)
{
    assay_status       st = ASSAY_OK;
    assay_number_range range;
    int64_t            number;

    ASSAY_REQUIRE(c->axes[axis].kind == ASSAY_AXIS_INT && assay_number_range_read(word, &range),
                  ASSAY_E_USAGE,
                  "axis '%s': '%s' is not a range of numbers such as 1k..1M*2 or 10..50+10",
                  c->axes[axis].name, word);
    number = range.first;
    do {
        assay_value value = { .i = { number } };

        ASSAY_REQUIRE(list->n < MAX_VALUES, ASSAY_E_USAGE,
                      "axis '%s': '%s' has more than %d values", c->axes[axis].name, word,
                      MAX_VALUES);
        assay_value_settle(&c->axes[axis], &value);
        ASSAY_CHECK(add_once(list, &value));
    } while (assay_number_range_next(&range, &number));
out:
    return st;
}

/* Reads values such as "64,1Ki,4Ki..1Mi*2", after "n=". */
static assay_status parse_values(const assay_case *c, int axis, const char *text, axis_values *list)
{
    assay_status st   = ASSAY_OK;
    char        *copy = strdup(text);
    char        *rest = copy;

    ASSAY_REQUIRE(copy, ASSAY_E_MEMORY, "no memory for an option");
    ASSAY_REQUIRE(*text, ASSAY_E_USAGE, "axis '%s' is given no value", c->axes[axis].name);
    for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
        ASSAY_REQUIRE(*word, ASSAY_E_USAGE, "axis '%s' is given an empty value in '%s'",
                      c->axes[axis].name, text);
        ASSAY_CHECK((c->axes[axis].kind != ASSAY_AXIS_TEXT && strstr(word, "..")
                         ? add_range
                         : add_word)(c, axis, word, list));
    }
out:
    free(copy);
    return st;
}

/* Is this option "name=..."? */
static bool names_axis(const char *option, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(option, name, length) == 0 && option[length] == '=';
}

static assay_status choose_values(const assay_case *c, int axis, const assay_selection *selection,
                                  axis_values *list)
{
    assay_status      st = ASSAY_OK;
    const assay_axis *a  = &c->axes[axis];

    for (int i = 0; i < selection->n_axes; i++)
        if (names_axis(selection->axes[i], a->name))
            ASSAY_CHECK(parse_values(c, axis, selection->axes[i] + strlen(a->name) + 1, list));
    if (list->n == 0)
        for (int v = 0; v < a->n_values; v++)
            ASSAY_CHECK(add_value(list, &a->values[v]));
out:
    return st;
}

static bool is_overridden(const assay_selection *selection, const assay_axis *axis)
{
    for (int i = 0; i < selection->n_axes; i++)
        if (names_axis(selection->axes[i], axis->name))
            return true;
    return false;
}

/* Peers need software that most machines lack, and seconds to start, so only runs that ask for them
 * have them. */
static bool wants_variant(const assay_selection *selection, const assay_variant *variant)
{
    for (int i = 0; i < selection->n_variants; i++)
        if (strcmp(selection->variants[i], variant->name) == 0)
            return true;
    return assay_variant_is_peer(variant) ? selection->peers : selection->n_variants == 0;
}

/* The selected tiers decide, except that a size that a person names is always taken. */
static bool wants_sizes(const assay_case *c, const assay_selection *selection,
                        const assay_value *axis)
{
    assay_tier others  = ASSAY_QUICK;
    bool       by_hand = false;

    for (int a = 0; a < assay_case_axis_count(c); a++) {
        if (c->axes[a].kind != ASSAY_AXIS_TEXT && is_overridden(selection, &c->axes[a]))
            by_hand = true;
        else if (axis[a].tier == ASSAY_FULL)
            others = ASSAY_FULL;
    }
    return by_hand && others == ASSAY_QUICK ? true : selection->tiers[others];
}

static assay_tier tier_of(const assay_value *axis, int n_axes)
{
    for (int a = 0; a < n_axes; a++)
        if (axis[a].tier == ASSAY_FULL)
            return ASSAY_FULL;
    return ASSAY_QUICK;
}

/* Adds the selected combinations of tuning values of the point's variant. */
static assay_status add_tunings(const assay_selection *selection, assay_point *point,
                                assay_plan *plan)
{
    assay_status         st      = ASSAY_OK;
    const assay_variant *variant = &point->definition->variants[point->variant];

    point->names_tuning = selection->tuning != ASSAY_TUNING_DEFAULT;
    for (int64_t i = 0; i < assay_point_tuning_count(variant); i++) {
        if (!assay_point_tuning_is_chosen(variant, i, selection->tuning))
            continue;
        assay_point_tune(point, i);
        ASSAY_CHECK(append(plan, point));
    }
out:
    return st;
}

/* Adds points for every selected variant at one combination of axis values. */
static assay_status add_combination(const assay_case *c, const assay_selection *selection,
                                    const assay_value *axis, assay_plan *plan)
{
    assay_status st     = ASSAY_OK;
    const int    n_axes = assay_case_axis_count(c);
    assay_point  point  = { .definition = c, .seed = selection->seed };
    const char  *why;

    memcpy(point.axis, axis, (size_t)n_axes * sizeof *axis);
    point.tier = tier_of(axis, n_axes);
    if (!wants_sizes(c, selection, axis))
        goto out;
    ASSAY_CHECK(assay_point_countable(c, axis));
    why = c->excluded ? c->excluded(axis) : NULL;
    if (why) { /* one combination of many: just not a point */
        (void)assay_text_set(plan->excluded, sizeof plan->excluded, "; '%s': %s", c->name, why);
        goto out;
    }
    for (point.variant = 0; point.variant < assay_case_variant_count(c); point.variant++) {
        if (!wants_variant(selection, &c->variants[point.variant]))
            continue;
        ASSAY_CHECK(add_tunings(selection, &point, plan));
    }
out:
    return st;
}

/* Goes through all combinations like an odometer; the last axis changes fastest. */
static assay_status expand(const assay_case *c, const assay_selection *selection,
                           const axis_values *lists, assay_plan *plan)
{
    assay_status st                 = ASSAY_OK;
    const int    n_axes             = assay_case_axis_count(c);
    int          at[ASSAY_MAX_AXES] = { 0 };
    int          a                  = 0;

    while (a >= 0) {
        assay_value axis[ASSAY_MAX_AXES];

        for (a = 0; a < n_axes; a++)
            axis[a] = lists[a].values[at[a]];
        ASSAY_CHECK(add_combination(c, selection, axis, plan));
        for (a = n_axes - 1; a >= 0 && ++at[a] == lists[a].n; a--)
            at[a] = 0;
    }
out:
    return st;
}

static assay_status add_case(const assay_case *c, const assay_selection *selection,
                             assay_plan *plan)
{
    assay_status st                    = ASSAY_OK;
    axis_values  lists[ASSAY_MAX_AXES] = { { NULL, 0 } };

    for (int a = 0; a < assay_case_axis_count(c); a++)
        ASSAY_CHECK(choose_values(c, a, selection, &lists[a]));
    ASSAY_CHECK(expand(c, selection, lists, plan));
out:
    for (int a = 0; a < ASSAY_MAX_AXES; a++)
        free(lists[a].values);
    return st;
}

/* ---- cases without an axis that was asked for ---- */

static bool has_axis_of(const assay_case *c, const char *option)
{
    for (int a = 0; a < assay_case_axis_count(c); a++)
        if (names_axis(option, c->axes[a].name))
            return true;
    return false;
}

/* If a person names cases, these are taken; else the axes say which cases are meant. */
static bool lacks_axis(const assay_selection *selection, const assay_case *c)
{
    for (int i = 0; selection->n_cases == 0 && i < selection->n_axes; i++)
        if (!has_axis_of(c, selection->axes[i]))
            return true;
    return false;
}

static void note_left_out(assay_plan *plan, const assay_case *c)
{
    const size_t length = strlen(plan->left_out);

    (void)assay_text_set(plan->left_out + length, sizeof plan->left_out - length, "%s%s",
                         length > 0 ? ", " : "left out, without such an axis: ", c->name);
}

static assay_status add_cases(assay_case_table cases, const assay_selection *selection,
                              assay_plan *plan)
{
    assay_status st      = ASSAY_OK;
    bool         has_any = false;

    for (; *cases; cases++) {
        if (!assay_plan_wants_case(selection, *cases))
            continue;
        if (lacks_axis(selection, *cases)) {
            note_left_out(plan, *cases);
            continue;
        }
        has_any = true;
        ASSAY_CHECK(add_case(*cases, selection, plan));
    }
    ASSAY_REQUIRE(has_any || !plan->left_out[0], ASSAY_E_USAGE,
                  "no case has all the axes of --axis together: name the cases");
out:
    return st;
}

bool assay_point_is_beside(const assay_point *a, const assay_point *b)
{
    if (a->definition != b->definition)
        return false;
    for (int i = 0; i < assay_case_axis_count(a->definition); i++)
        if (memcmp(a->axis[i].i, b->axis[i].i, sizeof a->axis[i].i) != 0)
            return false;
    return true;
}

static bool is_same_point(const assay_point *a, const assay_point *b)
{
    return assay_point_is_beside(a, b) && a->variant == b->variant &&
           memcmp(a->tune, b->tune, sizeof a->tune) == 0;
}

/* Inserts after the last point of its group, else of its case, else of all; not twice. */
assay_status assay_plan_insert(assay_plan *plan, const assay_point *point)
{
    assay_status st    = ASSAY_OK;
    int64_t      group = -1, kind = -1, at;

    for (int64_t i = 0; i < plan->n; i++) {
        if (is_same_point(&plan->points[i], point))
            return ASSAY_OK;
        if (plan->points[i].definition == point->definition)
            kind = i;
        if (assay_point_is_beside(&plan->points[i], point))
            group = i;
    }
    ASSAY_CHECK(append(plan, point));
    at = group >= 0 ? group + 1 : kind >= 0 ? kind + 1 : plan->n - 1;
    memmove(&plan->points[at + 1], &plan->points[at],
            (size_t)(plan->n - 1 - at) * sizeof *plan->points);
    plan->points[at] = *point;
out:
    return st;
}

static assay_status add_named_point(assay_case_table cases, const assay_selection *selection,
                                    const char *key, assay_plan *plan)
{
    assay_status st     = ASSAY_OK;
    const char  *reason = NULL;
    assay_point  point;

    ASSAY_CHECK(assay_point_parse(cases, key, &point));
    ASSAY_CHECK(assay_point_countable(point.definition, point.axis));
    reason = point.definition->excluded ? point.definition->excluded(point.axis) : NULL;
    ASSAY_REQUIRE(!reason, ASSAY_E_USAGE, "'%s' has no such point: %s", point.definition->name,
                  reason);
    point.seed = selection->seed;
    ASSAY_CHECK(assay_plan_insert(plan, &point));
out:
    return st;
}

assay_status assay_plan_build(assay_case_table cases, const assay_selection *selection,
                              assay_plan *plan)
{
    assay_status st = ASSAY_OK;

    memset(plan, 0, sizeof *plan);
    if (selection->n_points > 0) {
        ASSAY_REQUIRE(selection->n_cases + selection->n_variants + selection->n_axes == 0,
                      ASSAY_E_USAGE, "--point already names case, variant and axis values");
        for (int i = 0; i < selection->n_points; i++)
            ASSAY_CHECK(add_named_point(cases, selection, selection->points[i], plan));
        goto out;
    }
    ASSAY_CHECK(assay_plan_require_words(cases, selection));
    ASSAY_CHECK(add_cases(cases, selection, plan));
    ASSAY_REQUIRE(
        plan->n > 0, ASSAY_E_NOTHING,
        "the selection holds no point (tiers, axis values and variants together leave none%s)",
        plan->excluded);
out:
    if (st != ASSAY_OK)
        assay_plan_free(plan);
    return st;
}
