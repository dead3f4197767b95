/* Work that may end its process (a stranger's module is loaded) is done in a child. */
#ifndef ASSAY_IN_CHILD_H
#define ASSAY_IN_CHILD_H

#include "status.h"

#include <stddef.h>

typedef assay_status assay_work_fn(const void *context, void *result);

/* Calls work(context, result) in a fork of this process and brings back its status with its
 * sentence and, with ASSAY_OK, the `size` bytes of *result. If the child ends, dies or says nothing
 * for two minutes, that is ASSAY_E_IO and says so of `what`. What the work starts is killed. The
 * device must not have been opened in this process: a CUDA context does not survive a fork. */
assay_status assay_in_child(const char *what, assay_work_fn *work, const void *context,
                            void *result, size_t size);

#endif
