/* Options with numbers of a step. */
#include "physarum_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct option {
    const char *name, *key; /* key: in a word of all that were given */
    double      least, most;
    float      *single; /* one of these three */
    double     *number;
    int        *cells;
} option;

enum {
    N_OPTIONS = 7
};

static const option *find(const option options[N_OPTIONS], const char *word)
{
    for (int i = 0; i < N_OPTIONS; i++)
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, options[i].name) == 0)
            return &options[i];
    return NULL;
}

static bool read_value(const option *o, const char *word)
{
    char  *end   = NULL;
    double value = word ? strtod(word, &end) : 0;

    if (!word || end == word || *end || !(value >= o->least && value <= o->most))
        return false;
    if (o->cells && value != 3 && value != 5)
        return false;
    if (o->single)
        *o->single = (float)value;
    if (o->number)
        *o->number = value;
    if (o->cells)
        *o->cells = (int)value;
    return true;
}

/* false: too many to keep. */
static bool note(char *said, const option *o, const char *value)
{
    const size_t used = strlen(said);
    const int    n = snprintf(said + used, PHYSARUM_OPTIONS_WORD - used, "%s%s%g", used ? "_" : "",
                              o->key, strtod(value, NULL));

    return n > 0 && (size_t)n < PHYSARUM_OPTIONS_WORD - used;
}

bool physarum_options_take(int *argc, char **argv, physarum_model *m,
                           char said[PHYSARUM_OPTIONS_TEXT])
{
    const option options[N_OPTIONS] = {
        { "step", "step", 0, 1024, &m->step, NULL, NULL },
        { "sensor-distance", "reach", 0, 1024, &m->reach, NULL, NULL },
        { "spread", "spread", 0, 3.1416, &m->spread, NULL, NULL },
        { "strength", "blend", 0, 1, NULL, &m->blend, NULL },
        { "decay", "decay", 0, 1, NULL, &m->decay, NULL },
        { "deposit", "deposit", 0, 1e6, NULL, &m->deposit, NULL },
        { "diffusion", "blur", 3, 5, NULL, NULL, &m->blur },
    };
    int           taken = 1;
    const option *o     = NULL;

    said[0] = '\0';
    while (taken < *argc && (o = find(options, argv[taken])) != NULL) {
        const char *value = taken + 1 < *argc ? argv[taken + 1] : NULL;

        if (!read_value(o, value)) {
            (void)snprintf(said, PHYSARUM_OPTIONS_TEXT, "--%s takes %s from %g to %g", o->name,
                           o->cells ? "3 or 5, a side" : "a number", o->least, o->most);
            return false;
        }
        if (!note(said, o, value)) {
            (void)snprintf(said, PHYSARUM_OPTIONS_TEXT,
                           "numbers of a step: more digits than are kept");
            return false;
        }
        taken += 2;
    }
    for (int i = taken; i <= *argc; i++)
        argv[i - taken + 1] = argv[i];
    *argc -= taken - 1;
    return true;
}

int64_t physarum_options_number(int argc, char **argv, int i, int64_t fallback, int64_t most)
{
    char   *end   = NULL;
    int64_t value = argc > i ? strtoll(argv[i], &end, 10) : fallback;

    return (end && *end) || value < 1 || value > most ? -1 : value;
}
