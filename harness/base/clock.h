/* The host's monotonic clock, in seconds. */
#ifndef ASSAY_CLOCK_H
#define ASSAY_CLOCK_H

double assay_clock_s(void);

#endif
