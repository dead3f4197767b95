/* Are the facts of a case defined consistently? */
#include "check_definition.h"

#include <string.h>

enum {
    MOST_FACTS = 256
};

static bool is_again(const assay_fact *facts, int f)
{
    for (int k = 0; k < f; k++)
        if (strcmp(facts[k].name, facts[f].name) == 0)
            return true;
    return false;
}

static bool is_fact(const assay_case *c, const char *name)
{
    for (const assay_fact *f = c->facts; f && f->name; f++)
        if (strcmp(f->name, name) == 0)
            return true;
    return false;
}

static bool is_same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

assay_status assay_definition_check_facts(const assay_case *c)
{
    assay_status      st    = ASSAY_OK;
    const assay_fact *facts = c->facts;

    ASSAY_REQUIRE(!facts || ((unsigned)c->facts_input < ASSAY_N_INPUTS &&
                             (c->inputs & (1u << (unsigned)c->facts_input))),
                  ASSAY_E_CASE, "case '%s': facts_input: '%s' is not among its inputs", c->name,
                  assay_input_text(c->facts_input));
    for (int f = 0; facts && facts[f].name; f++) {
        ASSAY_REQUIRE(f < MOST_FACTS, ASSAY_E_CASE, "case '%s': facts: more than %d", c->name,
                      MOST_FACTS);
        ASSAY_REQUIRE(assay_definition_is_name(facts[f].name) && facts[f].read, ASSAY_E_CASE,
                      "case '%s': facts: '%s' needs a proper name and a function", c->name,
                      facts[f].name);
        ASSAY_REQUIRE(!is_again(facts, f), ASSAY_E_CASE, "case '%s': facts: two are called '%s'",
                      c->name, facts[f].name);
    }
    ASSAY_REQUIRE(!c->rate_fact || is_fact(c, c->rate_fact), ASSAY_E_CASE,
                  "case '%s': rate_fact: '%s' is not one of its facts", c->name, c->rate_fact);
    ASSAY_REQUIRE(!c->input_fact || is_fact(c, c->input_fact), ASSAY_E_CASE,
                  "case '%s': input_fact: '%s' is not one of its facts", c->name, c->input_fact);
    ASSAY_REQUIRE(!is_same(c->input_fact, c->rate_fact) && !is_same(c->input_fact, c->rate_along),
                  ASSAY_E_CASE, "case '%s': input_fact: '%s' is its rate_fact or rate_along, too",
                  c->name, c->input_fact);
    ASSAY_REQUIRE(!c->rate_along || is_fact(c, c->rate_along), ASSAY_E_CASE,
                  "case '%s': rate_along: '%s' is not one of its facts", c->name, c->rate_along);
out:
    return st;
}
