/* How the programs that write studies of physarum begin and end. */
#ifndef PHYSARUM_STUDY_H
#define PHYSARUM_STUDY_H

#include "physarum_options.h"

#include "program.h"
#include "status.h"

/* Takes the words of every program that writes runs (program.h) and the numbers of a step off a
 * command line. ASSAY_E_USAGE, with a sentence, if they make no sense. */
assay_status physarum_study_begin(int *argc, char **argv, assay_program_words *words,
                                  physarum_model *m, char numbers[PHYSARUM_OPTIONS_TEXT]);

/* Writes the reason of a failure to stderr, and closes. Returns the exit status. */
int physarum_study_end(assay_program *program, assay_status st);

#endif
