/* Regimes and clocks as words, and back. */
#include "metric.h"

#include <stddef.h>
#include <string.h>

static const char *const regimes[] = {
#define X(name, word) [ASSAY_REGIME_##name] = (word),
    ASSAY_REGIME_MAP(X)
#undef X
};

static const char *const clocks[] = {
#define X(name, word) [ASSAY_CLOCK_##name] = (word),
    ASSAY_CLOCK_MAP(X)
#undef X
};

/* Values also come from other processes and files. */
static const char *text_of(const char *const *words, unsigned n, unsigned value)
{
    return value < n ? words[value] : "unknown";
}

static int find(const char *const *words, int n, const char *word)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

const char *assay_regime_text(assay_regime regime)
{
    return text_of(regimes, ASSAY_N_REGIMES, (unsigned)regime);
}

const char *assay_clock_text(assay_clock clock)
{
    return text_of(clocks, ASSAY_N_CLOCKS, (unsigned)clock);
}

bool assay_regime_find(const char *word, assay_regime *found)
{
    const int i = find(regimes, ASSAY_N_REGIMES, word);

    if (i >= 0)
        *found = (assay_regime)i;
    return i >= 0;
}

bool assay_clock_find(const char *word, assay_clock *found)
{
    const int i = find(clocks, ASSAY_N_CLOCKS, word);

    if (i >= 0)
        *found = (assay_clock)i;
    return i >= 0;
}
