/* Options that every program of one's own takes, off its command line. */
#include "program.h"

#include "stats/compare.h"
#include "time/timer.h"

#include <stdlib.h>
#include <string.h>

/* A whole number in least..most that ends the word, or goes up to `end`. */
static bool read_number(const char *word, int64_t least, int64_t most, const char **end,
                        int64_t *number)
{
    char *rest = NULL;

    if (!word || word[0] < '0' || word[0] > '9')
        return false;
    *number = strtoll(word, &rest, 10);
    if (end)
        *end = rest;
    return *number >= least && *number <= most && (end || !*rest);
}

static bool read_database(const char *value, assay_program_words *words)
{
    words->database = value;
    return value && *value;
}

static bool read_processes(const char *value, assay_program_words *words)
{
    int64_t n = 0;

    if (!read_number(value, 1, ASSAY_MAX_PROCESSES, NULL, &n))
        return false;
    words->n_processes          = (int)n;
    return words->has_processes = true;
}

static bool read_only(const char *value, assay_program_words *words)
{
    const char *colon = NULL;

    return read_number(value, 0, INT32_MAX, &colon, &words->first) && *colon == ':' &&
           read_number(colon + 1, 1, INT32_MAX, NULL, &words->n);
}

static bool read_resume(const char *value, assay_program_words *words)
{
    (void)value;
    return words->resumes = true;
}

static const struct {
    const char *name;
    bool        has_value;
    bool (*read)(const char *value, assay_program_words *words);
    const char *takes;
} options[] = {
    { "--db", true, read_database, "a file" },
    { "--resume", false, read_resume, "" },
    { "--processes", true, read_processes, "a number of processes, 1 to 32" },
    { "--only", true, read_only, "FIRST:N" },
};
enum {
    N_OPTIONS = sizeof options / sizeof options[0]
};

static int find_option(const char *word)
{
    int i = 0;

    while (i < N_OPTIONS && strcmp(options[i].name, word) != 0)
        i++;
    return i;
}

/* Moves argv[from] to argv[to]; what lies between moves up. */
static void move_back(char **argv, int from, int to)
{
    char *const word = argv[from];

    memmove(argv + to + 1, argv + to, (size_t)(from - to) * sizeof *argv);
    argv[to] = word;
}

assay_status assay_program_take_words(int *argc, char **argv, assay_program_words *words)
{
    assay_status st     = ASSAY_OK;
    int          n_left = *argc > 0;

    *words = (assay_program_words) { .n_processes = assay_policy_default().n_processes,
                                     .argc        = *argc,
                                     .argv        = argv };
    for (int i = n_left; i < *argc; i++) {
        const int o = find_option(argv[i]);

        if (o == N_OPTIONS) {
            move_back(argv, i, n_left++);
            continue;
        }
        i += options[o].has_value;
        ASSAY_REQUIRE(options[o].read(i < *argc ? argv[i] : NULL, words), ASSAY_E_USAGE,
                      "%s takes %s, not '%s'", options[o].name, options[o].takes,
                      i < *argc ? argv[i] : "");
    }
    ASSAY_REQUIRE(words->database || !words->resumes, ASSAY_E_USAGE,
                  "--resume finishes a run of a database: name it with --db");
    *argc = n_left;
out:
    return st;
}
