/* Is each wrong answer that a case accepts named once, with a reason? */
#include "check_definition.h"

#include <string.h>

static bool is_same(const assay_waiver *a, const assay_waiver *b)
{
    return strcmp(a->output, b->output) == 0 && a->corruption == b->corruption;
}

static const char *wrong_with_waiver(const assay_case *c, const assay_waiver *w)
{
    if ((unsigned)w->corruption >= ASSAY_N_CORRUPTIONS)
        return "names an unknown corruption";
    if (!w->reason || !w->reason[0])
        return "needs a reason";
    for (const assay_waiver *other = c->waivers; other < w; other++)
        if (is_same(other, w))
            return "is listed twice";
    return NULL;
}

assay_status assay_definition_check_waivers(const assay_case *c)
{
    assay_status st = ASSAY_OK;

    for (const assay_waiver *w = c->waivers; w && w->output; w++) {
        const char *wrong = wrong_with_waiver(c, w);

        ASSAY_REQUIRE(w - c->waivers < ASSAY_MAX_WAIVERS, ASSAY_E_CASE,
                      "case '%s': waivers: more than %d", c->name, ASSAY_MAX_WAIVERS);
        ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': waivers: '%s' of output '%s' %s", c->name,
                      assay_corruption_text(w->corruption), w->output, wrong);
    }
out:
    return st;
}
