/* The whole command line as a library: a program with cases of its own needs these three lines.
 *
 *     #include <assay.h>
 *     extern const assay_case *const assay_cases[];
 *     int main(int argc, char **argv) { return assay_main(argc, argv, assay_cases); }
 */
#ifndef ASSAY_H
#define ASSAY_H

#include "case.h"
#include "exit_status.h"

/* Runs the command line `assay COMMAND ...` over a NULL-terminated table of cases. `argv` and
 * `cases` stay the caller's. Returns the exit status: of the rows that apply, the first one
 * (exit_status.h and README.md have the same table):
 *
 *   2 ASSAY_EXIT_WRONG        wrong: a failing verdict, a new failure (compare), or a clock that
 *                             reads a wrong time (doctor --self-check)
 *   4 ASSAY_EXIT_USAGE        wrong use, nothing selected, a point that could not be judged, or a
 *                             broken set-up
 *   1 ASSAY_EXIT_REGRESSION   slower: a confirmed regression (gate), SLOWER (compare), or a step
 *                             to slower that no annotation explains (history)
 *   3 ASSAY_EXIT_CANNOT_TELL  CANNOT_TELL (gate, compare, doctor --self-check)
 *   77 ASSAY_EXIT_SKIPPED     everything selected was skipped or unsupported, each with a reason
 *   0 ASSAY_EXIT_PASS         at least one check ran and all passed, nothing is slower; of a
 *                             command that checks nothing: it is done
 *
 * * Wrong options, --help and --version end the process instead of returning: wrong options with 4,
 * the other two with 0. */
int assay_main(int argc, char **argv, const assay_case *const *cases);

#endif
