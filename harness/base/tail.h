/* Keeps the end of what another process writes, and reads all of it. */
#ifndef ASSAY_TAIL_H
#define ASSAY_TAIL_H

#include "status.h"

#include <stddef.h>

enum {
    ASSAY_TAIL_BYTES = 65536 /* bytes that are kept, with the zero at the end */
};

typedef struct assay_tail assay_tail;

/* Starts a thread that reads everything written to *write_fd, so that the writer never waits, and
 * keeps the end of it. The caller passes the descriptor to a process and closes it. */
assay_status assay_tail_open(assay_tail **tail, int *write_fd);

/* Ends the thread when it has read what is there, and gives the end of the text. It does not wait
 * for the end of file, since descendants of the process may keep the other end open. Accepts NULL,
 * and may be called again. */
void assay_tail_end(assay_tail *tail, char *text, size_t size);
void assay_tail_free(assay_tail *tail); /* accepts NULL */

#endif
