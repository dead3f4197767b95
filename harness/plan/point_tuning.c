/* The values of a variant's tuning axes at one point: combinations by number, to text and from
 * text. */
#include "plan.h"

#include "base/nearest.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const assay_variant *variant_of(const assay_point *point)
{
    return &point->definition->variants[point->variant];
}

int64_t assay_point_tuning_count(const assay_variant *variant)
{
    int64_t n = 1;

    for (int t = 0; t < assay_variant_tuning_axes(variant); t++)
        n *= variant->tuning[t].n_values;
    return n;
}

void assay_point_tune(assay_point *point, int64_t i)
{
    const assay_variant *variant = variant_of(point);

    ASSAY_ASSERT(i >= 0 && i < assay_point_tuning_count(variant));
    memset(point->tune, 0, sizeof point->tune);
    for (int t = assay_variant_tuning_axes(variant) - 1; t >= 0; t--) {
        point->tune[t] = variant->tuning[t].values[i % variant->tuning[t].n_values];
        i /= variant->tuning[t].n_values;
    }
}

static bool is_extreme(const assay_tuning *axis, int64_t value)
{
    int64_t least = axis->values[0], greatest = axis->values[0];

    for (int v = 1; v < axis->n_values; v++) {
        least    = axis->values[v] < least ? axis->values[v] : least;
        greatest = axis->values[v] > greatest ? axis->values[v] : greatest;
    }
    return value == least || value == greatest;
}

bool assay_point_tuning_is_chosen(const assay_variant *variant, int64_t i,
                                  assay_tuning_choice choice)
{
    if (i == 0 || choice != ASSAY_TUNING_EXTREMES)
        return i == 0 || choice == ASSAY_TUNING_ALL;
    for (int t = assay_variant_tuning_axes(variant) - 1; t >= 0; t--) {
        if (!is_extreme(&variant->tuning[t],
                        variant->tuning[t].values[i % variant->tuning[t].n_values]))
            return false;
        i /= variant->tuning[t].n_values;
    }
    return true;
}

/* ---- to text ---- */

/* Writes "name=value" of each axis, or only of those not at their default, with a separator. */
static char *write_values(const assay_point *point, bool writes_defaults, const char *before_first,
                          const char *between, char *text, size_t size)
{
    const assay_variant *variant = variant_of(point);
    size_t               used    = 0;

    text[0] = '\0';
    for (int t = 0; t < assay_variant_tuning_axes(variant); t++) {
        if (!writes_defaults && point->tune[t] == variant->tuning[t].values[0])
            continue;
        (void)assay_text_set(text + used, size - used, "%s%s=%" PRId64,
                             used ? between : before_first, variant->tuning[t].name,
                             point->tune[t]);
        used += strlen(text + used);
    }
    return text;
}

char *assay_point_tuning_text(const assay_point *point, char *text, size_t size)
{
    return write_values(point, true, "", ",", text, size);
}

char *assay_point_tuning_key(const assay_point *point, char *text, size_t size)
{
    return write_values(point, false, "/", "/", text, size);
}

/* ---- from text ---- */

static assay_status unknown_axis(const assay_point *point, const char *name)
{
    const assay_variant *variant = variant_of(point);
    assay_nearest        nearest = { .word = name };
    char                 hint[128];

    for (int t = 0; t < assay_variant_tuning_axes(variant); t++)
        assay_nearest_try(&nearest, variant->tuning[t].name);
    return ASSAY_FAIL(ASSAY_E_USAGE, "variant '%s' of '%s' has no tuning axis '%s'%s",
                      variant->name, point->definition->name, name,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

static assay_status unknown_value(const assay_tuning *tuning, const char *word)
{
    char   list[ASSAY_MAX_TUNING_VALUES * 22] = "";
    size_t used                               = 0;

    for (int v = 0; v < tuning->n_values; v++) {
        (void)assay_text_set(list + used, sizeof list - used, "%s%" PRId64, v ? ", " : "",
                             tuning->values[v]);
        used += strlen(list + used);
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "tuning axis '%s' has no value '%s': it has %s", tuning->name,
                      word, list);
}

static int find_axis(const assay_variant *variant, const char *name)
{
    for (int t = 0; t < assay_variant_tuning_axes(variant); t++)
        if (strcmp(variant->tuning[t].name, name) == 0)
            return t;
    return -1;
}

/* One of the listed values, in decimal digits. */
static bool find_value(const assay_tuning *tuning, const char *word, int64_t *value)
{
    char *end = NULL;

    if (word[0] < '0' || word[0] > '9')
        return false;
    errno  = 0;
    *value = strtoll(word, &end, 10);
    if (errno || *end)
        return false;
    for (int v = 0; v < tuning->n_values; v++)
        if (tuning->values[v] == *value)
            return true;
    return false;
}

assay_status assay_point_tuning_parse(assay_point *point, const char *part, unsigned *given)
{
    assay_status         st      = ASSAY_OK;
    const assay_variant *variant = variant_of(point);
    char                *name    = strdup(part);
    char                *word    = name;
    int                  t       = -1;
    int64_t              value   = 0;

    ASSAY_REQUIRE(name, ASSAY_E_MEMORY, "no memory for a key");
    (void)strsep(&word, "=");
    t = find_axis(variant, name);
    if (t < 0) {
        st = unknown_axis(point, name);
        goto out;
    }
    ASSAY_REQUIRE(!(*given & (1u << t)), ASSAY_E_USAGE, "tuning axis '%s' is given twice", name);
    if (!word || !find_value(&variant->tuning[t], word, &value)) {
        st = unknown_value(&variant->tuning[t], word ? word : "");
        goto out;
    }
    point->tune[t] = value;
    *given |= 1u << t;
out:
    free(name);
    return st;
}

/* ---- from an earlier search ---- */

assay_point assay_point_as_run(const assay_point *point)
{
    assay_point run = *point;

    if (point->is_tuned)
        memcpy(run.tune, point->tuned, sizeof run.tune);
    return run;
}

bool assay_point_tuning_take(assay_point *point, const char *tuning)
{
    const int   n_axes = assay_variant_tuning_axes(variant_of(point));
    assay_point taken  = *point;
    char        text[ASSAY_TUNING_SIZE];
    char       *state = text;
    unsigned    given = 0;

    (void)assay_text_set(text, sizeof text, "%s", tuning);
    for (const char *part = strsep(&state, ","); part; part = strsep(&state, ","))
        if (assay_point_tuning_parse(&taken, part, &given) != ASSAY_OK) {
            assay_status_reset();
            return false;
        }
    if (n_axes == 0 || given != (1u << n_axes) - 1)
        return false;
    memcpy(point->tuned, taken.tune, sizeof point->tuned);
    point->is_tuned = true;
    return true;
}
