/* Looking up cases, variants and axes. */
#include "registry.h"

#include "base/nearest.h"

#include <string.h>

int assay_registry_count(assay_case_table cases)
{
    int n = 0;

    while (cases[n])
        n++;
    return n;
}

const assay_case *assay_registry_find(assay_case_table cases, const char *name)
{
    for (; *cases; cases++)
        if (strcmp((*cases)->name, name) == 0)
            return *cases;
    return NULL;
}

bool assay_registry_is_selftest(const assay_case *c)
{
    return c->group && strcmp(c->group, "selftest") == 0;
}

bool assay_registry_matches(const assay_case *c, const char *word)
{
    return strcmp(c->name, word) == 0 || (c->group && strcmp(c->group, word) == 0);
}

assay_status assay_registry_require(assay_case_table cases, const char *word)
{
    assay_nearest nearest = { .word = word };
    char          hint[128];

    for (; *cases; cases++) {
        if (assay_registry_matches(*cases, word))
            return ASSAY_OK;
        assay_nearest_try(&nearest, (*cases)->name);
        if ((*cases)->group)
            assay_nearest_try(&nearest, (*cases)->group);
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "there is no case '%s'%s", word,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

int assay_case_variant_count(const assay_case *c)
{
    int n = 0;

    while (n < ASSAY_MAX_VARIANTS && c->variants[n].name)
        n++;
    return n;
}

int assay_case_axis_count(const assay_case *c)
{
    int n = 0;

    while (n < ASSAY_MAX_AXES && c->axes[n].name)
        n++;
    return n;
}

int assay_case_find_variant(const assay_case *c, const char *name)
{
    for (int v = 0; v < assay_case_variant_count(c); v++)
        if (strcmp(c->variants[v].name, name) == 0)
            return v;
    return -1;
}

int assay_case_find_axis(const assay_case *c, const char *name)
{
    for (int a = 0; a < assay_case_axis_count(c); a++)
        if (strcmp(c->axes[a].name, name) == 0)
            return a;
    return -1;
}

int assay_shape_buffer_count(const assay_shape *s)
{
    int n = 0;

    while (n < ASSAY_MAX_BUFFERS && s->buf[n].role != ASSAY_NO_BUFFER)
        n++;
    return n;
}

size_t assay_buffer_bytes(const assay_buffer *b)
{
    return (size_t)b->count * assay_type_size(b->type);
}
