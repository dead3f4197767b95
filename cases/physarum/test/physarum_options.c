/* Options with numbers of a step. */
#include "physarum_options.h"

#include "physarum_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const physarum_number *find(const char *word)
{
    return strncmp(word, "--", 2) == 0 ? physarum_number_find(word + 2, strlen(word + 2)) : NULL;
}

/* False: too many to keep. */
static bool note(char *said, const physarum_number *number, double value)
{
    const size_t used = strlen(said);
    const int    n = snprintf(said + used, PHYSARUM_OPTIONS_WORD - used, "%s%s%g", used ? "_" : "",
                              number->key, value);

    return n > 0 && (size_t)n < PHYSARUM_OPTIONS_WORD - used;
}

/* `word` is the word after the option, NULL at the end. */
static bool take(const physarum_number *n, const char *word, physarum_model *m,
                 char said[PHYSARUM_OPTIONS_TEXT])
{
    char   why[PHYSARUM_NUMBER_REASON];
    double value;

    if (!physarum_number_read(n, word ? word : "", &value, why)) {
        (void)snprintf(said, PHYSARUM_OPTIONS_TEXT, "--%s takes %s", n->name, why);
        return false;
    }
    if (!note(said, n, value)) {
        (void)snprintf(said, PHYSARUM_OPTIONS_TEXT, "numbers of a step: more digits than are kept");
        return false;
    }
    physarum_number_set(n, value, m);
    return true;
}

bool physarum_options_take(int *argc, char **argv, physarum_model *m,
                           char said[PHYSARUM_OPTIONS_TEXT])
{
    int                    taken = 1;
    const physarum_number *n     = NULL;

    said[0] = '\0';
    for (; taken < *argc && (n = find(argv[taken])) != NULL; taken += 2)
        if (!take(n, taken + 1 < *argc ? argv[taken + 1] : NULL, m, said))
            return false;
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

int physarum_options_list(int argc, char **argv, int first, const int64_t *usual, int n_usual,
                          int64_t most, int64_t *list, int capacity)
{
    const int n = argc > first ? argc - first : n_usual;

    for (int i = 0; i < n && i < capacity; i++) {
        list[i] = physarum_options_number(argc, argv, first + i, usual[i < n_usual ? i : 0], most);
        if (list[i] < 1)
            return -1;
    }
    return n <= capacity ? n : -1;
}
