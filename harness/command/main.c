/* The program of this tree. */
#include "assay.h"

extern const assay_case *const assay_cases[];

int main(int argc, char **argv) { return assay_main(argc, argv, assay_cases); }
