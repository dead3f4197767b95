/* Seconds of the host's monotonic clock. */
#ifndef ASSAY_CLOCK_H
#define ASSAY_CLOCK_H

double assay_clock_s(void);

#endif
