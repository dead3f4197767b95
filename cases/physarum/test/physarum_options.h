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
    PHYSARUM_OPTIONS_WORD = 64 /* a word on an axis of a run must be shorter */
};

/* Takes these options (physarum_numbers.h) off a command line, up to a word that is not one of
 * them. The rest follows argv[0], and *argc counts it. A number that is not given stays as it is in
 * *m. False: a value is missing or out of range, or there are more digits than fit into a word;
 * `said` then has a sentence. Otherwise it has the given numbers in one word ("step2_decay0.1"), ""
 * without any. */
bool physarum_options_take(int *argc, char **argv, physarum_model *m,
                           char said[PHYSARUM_OPTIONS_TEXT]);

/* The whole number in argv[i], from 1 to `most`; `fallback` if there is no such word; -1 for any
 * other word. */
int64_t physarum_options_number(int argc, char **argv, int i, int64_t fallback, int64_t most);

/* The whole numbers from 1 to `most` in argv[first] and all words after it, at most `capacity`; the
 * usual ones if there is no such word. Returns how many are in `list`, or -1: a word is not such a
 * number, or there are too many. */
int physarum_options_list(int argc, char **argv, int first, const int64_t *usual, int n_usual,
                          int64_t most, int64_t *list, int capacity);

#endif
