/* Looking up cases, variants and axes, and the nearest valid word for a mistyped one. */
#include "registry.h"

#include <stdio.h>
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

enum {
    LONGEST_WORD = 63
};

static int smaller(int a, int b) { return a < b ? a : b; }

/* Levenshtein distance; words beyond LONGEST_WORD characters are never near. */
static int edit_distance(const char *a, const char *b)
{
    const int na = (int)strlen(a), nb = (int)strlen(b);
    int       row[LONGEST_WORD + 1];

    if (na > LONGEST_WORD || nb > LONGEST_WORD)
        return LONGEST_WORD;
    for (int j = 0; j <= nb; j++)
        row[j] = j;
    for (int i = 1; i <= na; i++) {
        int diagonal = row[0];

        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            const int change = diagonal + (a[i - 1] != b[j - 1]);

            diagonal = row[j];
            row[j]   = smaller(change, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[nb];
}

void assay_nearest_try(assay_nearest *nearest, const char *candidate)
{
    const int distance = edit_distance(nearest->word, candidate);

    if (!nearest->best || distance < nearest->distance) {
        nearest->best     = candidate;
        nearest->distance = distance;
    }
}

const char *assay_nearest_hint(const assay_nearest *nearest, char *text, size_t size)
{
    const int length = (int)strlen(nearest->word);

    const bool is_near = nearest->distance <= (length > 3 ? length / 2 : length);

    text[0] = '\0';
    if (nearest->best)
        (void)snprintf(text, size, is_near ? " (did you mean '%s'?)" : " (nearest: '%s')",
                       nearest->best);
    return text;
}
