/* Random numbers of the operating system. */
#ifndef ASSAY_ENTROPY_H
#define ASSAY_ENTROPY_H

#include "status.h"

#include <stddef.h>

/* Gives at most 256 random bytes. Fails with ASSAY_E_IO if the system has none. */
assay_status assay_entropy_fill(void *bytes, size_t size);

#endif
