/* Is a variant that is a peer defined consistently? */
#include "check_definition.h"

#include <string.h>

static bool is_script(const char *name)
{
    const char *end = strrchr(name, '.');

    return assay_definition_is_name(name) && end && strcmp(end, ".py") == 0;
}

const char *assay_definition_wrong_with_peer(const assay_variant *v)
{
    if (!v->peer.script)
        return NULL;
    if (!is_script(v->peer.script) || !assay_definition_is_name(v->peer.word))
        return "peer: must be a file name ending in .py, and a word";
    if (v->workspace || v->setup || v->teardown || v->gpu_only)
        return "peer: cannot have workspace, setup, teardown or gpu_only";
    return NULL;
}
