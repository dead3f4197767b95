/* Unique names for runs. */
#ifndef ASSAY_UUID_H
#define ASSAY_UUID_H

#include "status.h"

#include <stddef.h>

/* Writes a random version 4 UUID as text; 37 bytes are enough. Fails with ASSAY_E_INTERNAL if the
 * system has no random bytes. */
assay_status assay_uuid_make(char *uuid, size_t size);

#endif
