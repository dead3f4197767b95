/* The GNU build id: what the linker wrote into a program or library to identify it. */
#ifndef ASSAY_BUILD_ID_H
#define ASSAY_BUILD_ID_H

#include "status.h"

#include <stddef.h>

/* The build id, as hex, of the loaded object that holds this address; "" if it has none. */
void assay_build_id(const void *address, char *id, size_t size);

/* The build id of a file. The file is read, not loaded: nothing of it runs. Fails with ASSAY_E_IO
 * and a reason: there is no such file, it is truncated, or it could not be loaded here. */
assay_status assay_build_id_read(const char *path, char *id, size_t size);

#endif
