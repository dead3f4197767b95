/* The host's monotonic clock. */
#include "clock.h"

#include "status.h"

#include <time.h>

double assay_clock_s(void)
{
    struct timespec t;

    ASSAY_ASSERT(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
