/* Runs work in a child process if it may end its process: loading a user's module, for example. */
#ifndef ASSAY_IN_CHILD_H
#define ASSAY_IN_CHILD_H

#include "status.h"

#include <stddef.h>

typedef assay_status assay_work_fn(const void *context, void *result);

/* Calls work(context, result) in a fork of this process. Returns its status with its sentence and,
 * with ASSAY_OK, the `size` bytes of *result. ASSAY_E_IO, with a sentence about `what`: the child
 * ended, died or was silent for two minutes. Processes that the work starts are killed. The device
 * must not have been opened in this process, since a CUDA context does not survive a fork. */
assay_status assay_in_child(const char *what, assay_work_fn *work, const void *context,
                            void *result, size_t size);

#endif
