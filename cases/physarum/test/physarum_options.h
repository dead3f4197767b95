/* The numbers of a step as options of the programs beside the cases. */
#ifndef PHYSARUM_OPTIONS_H
#define PHYSARUM_OPTIONS_H

#include "../../../reference/physarum/physarum.h"

/* For the usage of a program. */
#define PHYSARUM_OPTIONS_USAGE                                                                     \
    "[--step CELLS] [--distance CELLS] [--angle RADIANS] [--strength SHARE] "                      \
    "[--decay SHARE] [--deposit AMOUNT] [--diffusion 3|5]"

enum {
    PHYSARUM_OPTIONS_TEXT = 96,
    PHYSARUM_OPTIONS_WORD = 64 /* a word on an axis of a run is shorter */
};

/* Takes these options (physarum_numbers.h) off a command line, up to a word that is none of them:
 * what is left follows argv[0], and *argc counts it. A number that is not given stays as it is in
 * *m. false: a value is missing or out of range, or there are more digits than fit into a word;
 * `said` then has a sentence, else in one word the numbers that were given ("step2_decay0.1"), ""
 * without any. */
bool physarum_options_take(int *argc, char **argv, physarum_model *m,
                           char said[PHYSARUM_OPTIONS_TEXT]);

/* The whole number in 1..most that argv[i] is, `fallback` where there is no such word, or -1 for
 * any other. */
int64_t physarum_options_number(int argc, char **argv, int i, int64_t fallback, int64_t most);

/* The whole numbers in 1..most that argv[first] and all words behind it are, at most `capacity`;
 * the usual ones where there is no such word. How many there are in `list`, or -1: one is none of
 * these, or there are too many. */
int physarum_options_list(int argc, char **argv, int first, const int64_t *usual, int n_usual,
                          int64_t most, int64_t *list, int capacity);

#endif
