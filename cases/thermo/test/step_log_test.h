/* The log of a whole step, for test_thermo_step. */
#ifndef ASSAY_STEP_LOG_TEST_H
#define ASSAY_STEP_LOG_TEST_H

/* Every way, from a spark and from hot gas: the log has as many sources of NaN as a step of the
 * reference with the dt of each attempt, and every entry is one of them. */
void test_logs(void);

#endif
