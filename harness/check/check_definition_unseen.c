/* Does each row .unseen of a case name a variant, a tool and a place, once, with a reason? */
#include "check_definition.h"

#include <string.h>

static bool has_kernels_of(const assay_case *c, const char *name)
{
    for (const assay_variant *v = c->variants; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return assay_variant_is_launched(v);
    return false;
}

static bool is_same(const assay_unseen *a, const assay_unseen *b)
{
    return strcmp(a->variant, b->variant) == 0 && a->tool == b->tool &&
           (!a->place || !b->place ||
            (strcspn(a->place, ",") == strcspn(b->place, ",") &&
             strncmp(a->place, b->place, strcspn(a->place, ",")) == 0));
}

static const char *wrong_with(const assay_case *c, const assay_unseen *u)
{
    if (!has_kernels_of(c, u->variant))
        return "names no variant of the case that launches kernels";
    if (u->tool <= ASSAY_GPU_TOOL_NONE || u->tool >= ASSAY_N_GPU_TOOLS)
        return "names no tool of compute-sanitizer";
    if (u->place && (!u->place[0] || strlen(u->place) > ASSAY_MAX_PLACE ||
                     strcspn(u->place, ",") > ASSAY_MAX_PLACE_FIRST))
        return "needs a place: functions or files, of at most 120 characters together, the first "
               "of at most 50";
    if (!u->reason || !u->reason[0])
        return "needs a reason";
    for (const assay_unseen *other = c->unseen; other < u; other++)
        if (is_same(other, u))
            return "is listed twice";
    return NULL;
}

assay_status assay_definition_check_unseen(const assay_case *c)
{
    assay_status st = ASSAY_OK;

    for (const assay_unseen *u = c->unseen; u && u->variant; u++) {
        const char *wrong = wrong_with(c, u);

        ASSAY_REQUIRE(u - c->unseen < ASSAY_MAX_UNSEEN, ASSAY_E_CASE,
                      "case '%s': unseen: more than %d rows", c->name, ASSAY_MAX_UNSEEN);
        ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': unseen: the row of '%s' %s", c->name,
                      u->variant, wrong);
    }
out:
    return st;
}
