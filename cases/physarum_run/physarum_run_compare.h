/* How a call of many steps is judged. */
#ifndef PHYSARUM_RUN_COMPARE_H
#define PHYSARUM_RUN_COMPARE_H

#include "case.h"

assay_compare_fn physarum_run_compare;

#endif
