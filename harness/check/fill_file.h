/* Contents of a buffer from a file of real data. */
#ifndef ASSAY_FILL_FILE_H
#define ASSAY_FILL_FILE_H

#include "case.h"
#include "status.h"

/* Reads b->count elements of its type from b->fill.path, relative to the working directory. A .npy
 * file is NumPy's; any other file holds only the bytes. Fails with ASSAY_E_CASE if the file is not
 * there, or has another type, order or number of elements. */
assay_status assay_fill_file(const assay_buffer *b, void *to);

#endif
