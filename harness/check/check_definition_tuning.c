/* Are the tuning axes of a variant defined consistently? */
#include "check_definition.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *wrong_with_name(const assay_case *c, const assay_variant *variant, int t)
{
    const char *name = variant->tuning[t].name;

    if (!assay_definition_is_name(name))
        return "has no proper name";
    for (int a = 0; a < ASSAY_MAX_AXES && c->axes[a].name; a++)
        if (strcmp(c->axes[a].name, name) == 0)
            return "has the name of an axis of the case";
    for (int s = 0; s < t; s++)
        if (strcmp(variant->tuning[s].name, name) == 0)
            return "is listed twice";
    return NULL;
}

static const char *wrong_with_values(const assay_tuning *tuning)
{
    if (tuning->n_values < 1 || !tuning->values)
        return "has no values";
    if (tuning->n_values > ASSAY_MAX_TUNING_VALUES)
        return "has too many values";
    for (int v = 0; v < tuning->n_values; v++) {
        if (tuning->values[v] <= 0)
            return "has a value that is not above 0";
        for (int w = 0; w < v; w++)
            if (tuning->values[w] == tuning->values[v])
                return "has the same value twice";
    }
    return NULL;
}

/* The characters of "name=value" with the longest value. */
static size_t longest_text(const assay_tuning *tuning)
{
    size_t longest = 0;

    for (int v = 0; v < tuning->n_values; v++) {
        const int length = snprintf(NULL, 0, "%s=%" PRId64, tuning->name, tuning->values[v]);

        if (length > 0 && (size_t)length > longest)
            longest = (size_t)length;
    }
    return longest;
}

assay_status assay_definition_check_tuning(const assay_case *c, const assay_variant *variant)
{
    assay_status st           = ASSAY_OK;
    int          combinations = 1;
    size_t       length       = 0; /* each axis is followed by a comma or the end */

    ASSAY_REQUIRE(!variant->tuning[ASSAY_MAX_TUNING].name, ASSAY_E_CASE,
                  "case '%s': variant '%s': tuning: more than %d axes", c->name, variant->name,
                  ASSAY_MAX_TUNING);
    ASSAY_REQUIRE(!variant->tuning[0].name || assay_variant_is_launched(variant), ASSAY_E_CASE,
                  "case '%s': variant '%s': tuning: only a variant that is launched on the device "
                  "can have it",
                  c->name, variant->name);
    for (int t = 0; variant->tuning[t].name; t++) {
        const assay_tuning *tuning = &variant->tuning[t];
        const char         *wrong  = wrong_with_name(c, variant, t);

        wrong = wrong ? wrong : wrong_with_values(tuning);
        ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': variant '%s': tuning '%s' %s", c->name,
                      variant->name, tuning->name, wrong);
        combinations *= tuning->n_values;
        length += longest_text(tuning) + 1;
    }
    ASSAY_REQUIRE(combinations <= ASSAY_MAX_TUNING_COMBINATIONS, ASSAY_E_CASE,
                  "case '%s': variant '%s': tuning: %d combinations are more than %d", c->name,
                  variant->name, combinations, ASSAY_MAX_TUNING_COMBINATIONS);
    ASSAY_REQUIRE(length <= ASSAY_TUNING_SIZE, ASSAY_E_CASE,
                  "case '%s': variant '%s': tuning: names and values together are too long",
                  c->name, variant->name);
out:
    return st;
}
