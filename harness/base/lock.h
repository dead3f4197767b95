/* Lock files: one timing run per GPU at a time, and one process per run. */
#ifndef ASSAY_LOCK_H
#define ASSAY_LOCK_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

/* Locks the device with this UUID. If another run has it, says so on stderr and waits. The caller
 * releases *fd by assay_lock_release, which removes the file; when the process ends, the kernel
 * releases the lock. */
assay_status assay_lock_take(const char *uuid, int *fd);
void         assay_lock_release(const char *uuid, int fd); /* accepts -1 */

/* Locks a run, without waiting. If another living process has it, *fd is -1 and `holder` its
 * process number. Lock files of killed runs are removed. The caller releases by assay_lock_drop,
 * which removes the file. */
assay_status assay_lock_try(const char *run_uuid, int *fd, char *holder, size_t size);
void         assay_lock_drop(const char *run_uuid, int fd); /* accepts -1 */

/* Names another process that holds a lock on this file: "process 12 (name)". False: the system
 * knows of none. */
bool assay_lock_find_holder(const char *path, char *holder, size_t size);

#endif
