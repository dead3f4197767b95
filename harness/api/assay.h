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

/* Runs `assay COMMAND ...` over a NULL-terminated table of cases and returns the exit status, the
 * worst that holds of these (exit_status.h):
 *
 *   2 ASSAY_EXIT_WRONG        a kernel is wrong, a point newly fails in a comparison, or a clock
 *                             reads what it should not
 *   4 ASSAY_EXIT_USAGE        wrong use, nothing selected, a point that could not be judged, or a
 *                             broken set-up
 *   1 ASSAY_EXIT_REGRESSION   slower: compare found it, gate confirmed it, or history has a rise
 *                             that nobody explained
 *   3 ASSAY_EXIT_CANNOT_TELL  compared, gated or measured (doctor --self-check), without a verdict
 *   77 ASSAY_EXIT_SKIPPED     everything selected was skipped, each with a reason
 *   0 ASSAY_EXIT_PASS         at least one check ran and all passed; of a command that checks
 *                             nothing: what was asked for is done
 *
 * Wrong options, --help and --version end the process from here, with 4 and 0. */
int assay_main(int argc, char **argv, const assay_case *const *cases);

#endif
