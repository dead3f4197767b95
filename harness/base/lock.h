/* One timing run per GPU at a time, and one process per run. */
#ifndef ASSAY_LOCK_H
#define ASSAY_LOCK_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

/* Takes the lock of the device with this UUID, waiting for another run with a word on stderr. *fd
 * is given back with assay_lock_release, which removes the file (or by the kernel when the process
 * ends). */
assay_status assay_lock_take(const char *uuid, int *fd);
void         assay_lock_release(const char *uuid, int fd); /* accepts -1 */

/* The same for a run, without waiting: *fd is -1 and `holder` the number of the process that has
 * it, if another one lives. What killed runs left is removed. assay_lock_drop releases it and
 * removes its file. */
assay_status assay_lock_try(const char *run_uuid, int *fd, char *holder, size_t size);
void         assay_lock_drop(const char *run_uuid, int fd); /* accepts -1 */

/* Another process that keeps others out of this file: "process 12 (name)"; false: the system tells
 * of none. */
bool assay_lock_find_holder(const char *path, char *holder, size_t size);

#endif
