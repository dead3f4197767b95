/* The command line and the end of a study. */
#include "physarum_study.h"

#include "exit_status.h"

#include <stdio.h>

assay_status physarum_study_begin(int *argc, char **argv, assay_program_words *words,
                                  physarum_model *m, char numbers[PHYSARUM_OPTIONS_TEXT])
{
    assay_status st = ASSAY_OK;

    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* a finished row stays, even if this is cut off */
    ASSAY_CHECK(assay_program_take_words(argc, argv, words));
    ASSAY_REQUIRE(physarum_options_take(argc, argv, m, numbers), ASSAY_E_USAGE, "%s", numbers);
out:
    return st;
}

int physarum_study_end(assay_program *program, assay_status st)
{
    int status = ASSAY_EXIT_PASS;

    if (st != ASSAY_OK) {
        (void)fprintf(stderr, "%s\n", assay_status_message());
        status = ASSAY_EXIT_USAGE;
    }
    (void)assay_program_close(program, &status); /* a failure is in the status */
    return status;
}
