/* What the linker wrote into a loaded program or library to tell it from every other. */
#ifndef ASSAY_BUILD_ID_H
#define ASSAY_BUILD_ID_H

#include <stddef.h>

/* The build id, as hex, of the loaded object that holds this address; "" if it has none. */
void assay_build_id(const void *address, char *id, size_t size);

#endif
