/* The whole command line as a library: a program with cases of its own needs these three lines.
 *
 *     #include <assay.h>
 *     extern const assay_case *const assay_cases[];
 *     int main(int argc, char **argv) { return assay_main(argc, argv, assay_cases); }
 */
#ifndef ASSAY_H
#define ASSAY_H

#include "case.h"

/* Runs `assay COMMAND ...` over a NULL-terminated table of cases and returns the exit status:
 * 0 at least one check ran and all passed; 2 a correctness failure; 4 wrong use, nothing selected
 * or a broken set-up; 77 everything selected was skipped, each with a reason. */
int assay_main(int argc, char **argv, const assay_case *const *cases);

#endif
