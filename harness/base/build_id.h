/* What the linker wrote into a program or library to tell it from every other. */
#ifndef ASSAY_BUILD_ID_H
#define ASSAY_BUILD_ID_H

#include "status.h"

#include <stddef.h>

/* The build id, as hex, of the loaded object that holds this address; "" if it has none. */
void assay_build_id(const void *address, char *id, size_t size);

/* The same of a file, which is read and not loaded: nothing of it runs. ASSAY_E_IO says why it
 * cannot be told: no such file, none that could be loaded here, or cut short. */
assay_status assay_build_id_read(const char *path, char *id, size_t size);

#endif
