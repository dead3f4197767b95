/* Checks the names of params and scalars. Declared launches use them besides names of axes and
 * buffers. */
#include "check_definition.h"

#include <ctype.h>
#include <string.h>

/* Is it a name as expressions of a declared launch have it? */
static bool is_word(const char *text)
{
    if (!text[0] || isdigit((unsigned char)text[0]))
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

static const char *other_of_case(const assay_case *c, const char *name)
{
    for (int a = 0; a <= ASSAY_MAX_AXES && c->axes[a].name; a++)
        if (strcmp(c->axes[a].name, name) == 0)
            return "is an axis's too";
    for (int v = 0; v <= ASSAY_MAX_VARIANTS && c->variants[v].name; v++)
        for (int t = 0; t <= ASSAY_MAX_TUNING && c->variants[v].tuning[t].name; t++)
            if (strcmp(c->variants[v].tuning[t].name, name) == 0)
                return "is a tuning axis's too";
    return NULL;
}

static int count_in(const char *const *names, int n, const char *name)
{
    int found = 0;

    for (int i = 0; i < n; i++)
        found += names[i] && strcmp(names[i], name) == 0;
    return found;
}

static const char *other_of_shape(const assay_shape *s, const char *name)
{
    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++)
        if (s->buf[b].name && strcmp(s->buf[b].name, name) == 0)
            return "is a buffer's too";
    return count_in(s->param_name, ASSAY_MAX_PARAMS, name) +
                       count_in(s->scalar_name, ASSAY_MAX_SCALARS, name) >
                   1
               ? "is given twice"
               : NULL;
}

static const char *wrong_with(const assay_case *c, const assay_shape *s, const char *name)
{
    const char *wrong = NULL;

    if (!name)
        return NULL;
    if (!is_word(name))
        return "must have only letters, digits and '_'";
    wrong = other_of_case(c, name);
    return wrong ? wrong : other_of_shape(s, name);
}

const char *assay_definition_wrong_with_names(const assay_case *c, const assay_shape *s,
                                              const char **which)
{
    const char *wrong = NULL;

    for (int i = 0; i < ASSAY_MAX_PARAMS && !wrong; i++)
        wrong = wrong_with(c, s, *which = s->param_name[i]);
    for (int i = 0; i < ASSAY_MAX_SCALARS && !wrong; i++)
        wrong = wrong_with(c, s, *which = s->scalar_name[i]);
    return wrong;
}
