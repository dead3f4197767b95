/* Do the tolerances of a case mean something, without contradictions? */
#include "check_definition.h"

#include <string.h>

enum {
    MAX_ULP = 1 << 16
};

static bool is_empty(const char *text) { return !text || !text[0]; }

static bool is_roundoff(double u) { return u >= 0 && u <= 0.1; }

static bool is_bound_by_roundoffs(const assay_tolerance *t)
{
    if (t->u_out == ASSAY_U_OF_TYPE)
        return is_roundoff(t->u_acc);
    return is_roundoff(t->u_out) && is_roundoff(t->u_acc) && t->u_out + t->u_acc > 0;
}

static bool has_bound_fields(const assay_tolerance *t)
{
    return t->c != 0 || t->u_out != 0 || t->u_acc != 0 || t->growth != ASSAY_G_ONE;
}

static const char *wrong_with_tolerance(const assay_tolerance *t)
{
    if (is_empty(t->why))
        return "why: is missing; every tolerance needs its reason";
    if (t->inexact_why && is_empty(t->inexact_why))
        return "inexact_why: is set but empty";
    switch (t->rule) {
    case ASSAY_RULE_BOUND:
        if (!(t->c > 0 && t->c <= 4))
            return "c: must be in (0, 4]; a larger factor needs another error model";
        if (!is_bound_by_roundoffs(t))
            return "u_out, u_acc: must be roundoffs in 0..0.1, not both 0";
        if ((unsigned)t->growth > ASSAY_G_LINEAR)
            return "growth: is unknown";
        return t->max_ulp == 0 ? NULL : "max_ulp: has no effect under BOUND";
    case ASSAY_RULE_ULP:
        if (t->max_ulp < 1 || t->max_ulp > MAX_ULP)
            return "max_ulp: must be in 1..65536 (0 is rule EXACT)";
        return has_bound_fields(t) ? "c, u_out, u_acc, growth: have no effect under ULP" : NULL;
    case ASSAY_RULE_EXACT:
        if (has_bound_fields(t) || t->max_ulp != 0)
            return "c, u_out, u_acc, growth, max_ulp: have no effect under EXACT";
        return t->inexact_why ? "inexact_why: contradicts EXACT" : NULL;
    case ASSAY_RULE_OWN:
        return has_bound_fields(t) || t->max_ulp != 0 || t->inexact_why
                   ? "c, u_out, u_acc, growth, max_ulp, inexact_why: have no effect under OWN"
                   : NULL;
    }
    return "rule: is unknown";
}

bool assay_definition_is_tolerance_set(const assay_tolerance *t)
{
    return t->why || t->rule != ASSAY_RULE_BOUND || has_bound_fields(t) || t->max_ulp != 0;
}

int assay_definition_tolerance_of(const assay_case *c, const char *output)
{
    for (int t = 0; t < ASSAY_MAX_OUTPUTS && c->tol_for[t].output; t++)
        if (strcmp(c->tol_for[t].output, output) == 0)
            return t;
    return -1;
}

assay_status assay_definition_check_tolerances(const assay_case *c)
{
    assay_status st = ASSAY_OK;
    const char  *wrong =
        assay_definition_is_tolerance_set(&c->tol) ? wrong_with_tolerance(&c->tol) : NULL;

    ASSAY_REQUIRE(c->tol.rule != ASSAY_RULE_OWN, ASSAY_E_CASE,
                  "case '%s': tol.rule: OWN is for outputs in tol_for", c->name);
    ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': tol.%s", c->name, wrong);
    ASSAY_REQUIRE(!c->tol_for[ASSAY_MAX_OUTPUTS].output, ASSAY_E_CASE,
                  "case '%s': tol_for: has more than %d outputs", c->name, ASSAY_MAX_OUTPUTS);
    for (int t = 0; c->tol_for[t].output; t++) {
        wrong = wrong_with_tolerance(&c->tol_for[t].tol);
        ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': tol_for '%s': %s", c->name,
                      c->tol_for[t].output, wrong);
        ASSAY_REQUIRE(c->tol_for[t].tol.rule != ASSAY_RULE_OWN || c->compare, ASSAY_E_CASE,
                      "case '%s': tol_for '%s': rule: OWN without a comparer", c->name,
                      c->tol_for[t].output);
        ASSAY_REQUIRE(assay_definition_tolerance_of(c, c->tol_for[t].output) == t, ASSAY_E_CASE,
                      "case '%s': tol_for: '%s' is listed twice", c->name, c->tol_for[t].output);
    }
out:
    return st;
}
