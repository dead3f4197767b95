/* The nearest valid word for a mistyped one. */
#include "nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_WORD = 63
};

static int smaller(int a, int b) { return a < b ? a : b; }

/* The Levenshtein distance. Words longer than LONGEST_WORD characters are never near. */
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
