/* Names for runs that no other run has. */
#ifndef ASSAY_UUID_H
#define ASSAY_UUID_H

#include "status.h"

#include <stddef.h>

/* A random version 4 UUID as text; 37 bytes are enough. ASSAY_E_INTERNAL: the system has no random
 * bytes. */
assay_status assay_uuid_make(char *uuid, size_t size);

#endif
