/* Numbers that nobody can foresee. */
#ifndef ASSAY_ENTROPY_H
#define ASSAY_ENTROPY_H

#include "status.h"

#include <stddef.h>

/* At most 256 bytes from the system. ASSAY_E_IO: it has none. */
assay_status assay_entropy_fill(void *bytes, size_t size);

#endif
