/* Contents of a buffer from a file of real data. */
#ifndef ASSAY_FILL_FILE_H
#define ASSAY_FILL_FILE_H

#include "case.h"
#include "status.h"

/* b->count elements of its type from b->fill.path, as seen from the working directory: .npy, or
 * under any other name nothing but the bytes. ASSAY_E_CASE with a sentence for a file that is not
 * there, or holds another type, order or number of elements. */
assay_status assay_fill_file(const assay_buffer *b, void *to);

#endif
