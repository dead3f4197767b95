/* One timing run per GPU at a time. */
#ifndef ASSAY_LOCK_H
#define ASSAY_LOCK_H

#include "status.h"

/* Takes the lock of the device with this UUID, waiting for another run with a word on stderr. *fd
 * is closed with assay_lock_release (or by the kernel when the process ends). */
assay_status assay_lock_take(const char *uuid, int *fd);
void         assay_lock_release(int fd); /* accepts -1 */

#endif
