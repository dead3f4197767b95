/* Inputs that one process of a run has made, for those that time the same group after it: in a file
 * in memory that all of them have open. */
#ifndef ASSAY_INPUTS_SHARED_H
#define ASSAY_INPUTS_SHARED_H

#include "inputs.h"

/* Contents of the buffers inputs->initial, which are allocated, if the file has them: true. What is
 * not there, or is damaged, has to be made; contents are then undefined. fd 0: there is no file. */
bool assay_inputs_load(assay_inputs *inputs, int fd);
/* Keeps them, if they take little of what is free and nothing speaks against it. */
void assay_inputs_save(const assay_inputs *inputs, int fd);

#endif
