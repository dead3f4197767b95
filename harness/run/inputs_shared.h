/* Inputs that one process of a run has made, for other processes that time the same group later.
 * They are in a file in memory that all of them have open. */
#ifndef ASSAY_INPUTS_SHARED_H
#define ASSAY_INPUTS_SHARED_H

#include "inputs.h"

/* Reads the contents of the allocated buffers inputs->initial. True: the file had them. False: they
 * are not there or are damaged, the caller has to make them, and the contents are undefined. fd 0:
 * there is no file. */
bool assay_inputs_load(assay_inputs *inputs, int fd);
/* Writes them to the file, if they need little of the free memory and no write fails. */
void assay_inputs_save(const assay_inputs *inputs, int fd);

#endif
