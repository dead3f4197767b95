/* The log of a whole step, for test_thermo_step. */
#ifndef ASSAY_STEP_LOG_TEST_H
#define ASSAY_STEP_LOG_TEST_H

/* Every way, from a spark and from hot gas: as many sources of NaN as a step of the reference has
 * at the dt of each attempt, and every entry one of them. */
void test_logs(void);

#endif
