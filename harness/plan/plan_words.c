/* Checks the names in a selection: cases, variants and axes must exist. */
#include "plan_internal.h"

#include "base/nearest.h"

#include <string.h>

bool assay_plan_wants_case(const assay_selection *selection, const assay_case *c)
{
    for (int i = 0; i < selection->n_cases; i++)
        if (assay_registry_matches(c, selection->cases[i]))
            return true;
    return selection->n_cases == 0 && !assay_registry_is_selftest(c);
}

/* Every --variant and --axis must exist in at least one selected case. */
static assay_status require_variant(assay_case_table cases, const assay_selection *selection,
                                    const char *name)
{
    assay_nearest nearest = { .word = name };
    char          hint[128];

    for (; *cases; cases++) {
        if (!assay_plan_wants_case(selection, *cases))
            continue;
        if (assay_case_find_variant(*cases, name) >= 0)
            return ASSAY_OK;
        for (int v = 0; v < assay_case_variant_count(*cases); v++)
            assay_nearest_try(&nearest, (*cases)->variants[v].name);
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "no selected case has a variant '%s'%s", name,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

static bool has_tuning(const assay_case *c, const char *name)
{
    for (int v = 0; v < assay_case_variant_count(c); v++)
        for (int t = 0; t < assay_variant_tuning_axes(&c->variants[v]); t++)
            if (strcmp(c->variants[v].tuning[t].name, name) == 0)
                return true;
    return false;
}

static assay_status require_axis(assay_case_table cases, const assay_selection *selection,
                                 const char *option)
{
    assay_nearest nearest               = { .word = option };
    const char   *equals                = strchr(option, '=');
    char          name[ASSAY_NAME_SIZE] = "", hint[128];

    if (!equals || (size_t)(equals - option) >= sizeof name)
        return ASSAY_FAIL(ASSAY_E_USAGE, "'%s' is not of the form AXIS=VALUE[,VALUE...]", option);
    memcpy(name, option, (size_t)(equals - option));
    nearest.word = name;
    for (; *cases; cases++) {
        if (!assay_plan_wants_case(selection, *cases))
            continue;
        if (assay_case_find_axis(*cases, name) >= 0)
            return ASSAY_OK;
        if (has_tuning(*cases, name))
            return ASSAY_FAIL(ASSAY_E_USAGE,
                              "'%s' is a tuning axis: --point takes it, at the end of a key", name);
        for (int a = 0; a < assay_case_axis_count(*cases); a++)
            assay_nearest_try(&nearest, (*cases)->axes[a].name);
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "no selected case has an axis '%s'%s", name,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

assay_status assay_plan_require_words(assay_case_table cases, const assay_selection *selection)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < selection->n_cases; i++)
        ASSAY_CHECK(assay_registry_require(cases, selection->cases[i]));
    for (int i = 0; i < selection->n_variants; i++)
        ASSAY_CHECK(require_variant(cases, selection, selection->variants[i]));
    for (int i = 0; i < selection->n_axes; i++)
        ASSAY_CHECK(require_axis(cases, selection, selection->axes[i]));
out:
    return st;
}
