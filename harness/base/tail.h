/* The last of what another process writes: all of it is read. */
#ifndef ASSAY_TAIL_H
#define ASSAY_TAIL_H

#include "status.h"

#include <stddef.h>

enum {
    ASSAY_TAIL_BYTES = 65536 /* that are kept, with the end of the text */
};

typedef struct assay_tail assay_tail;

/* Starts a thread that reads what is written to *write_fd: whoever prints never waits for a reader,
 * and costs no more than what is kept, however much it is. The caller gives the descriptor to a
 * process and closes it. */
assay_status assay_tail_open(assay_tail **tail, int *write_fd);

/* Ends the thread once it has read what is there (whoever that process left behind may hold the
 * other end open) and gives the last of the text; accepts NULL, and may be called again. */
void assay_tail_end(assay_tail *tail, char *text, size_t size);
void assay_tail_free(assay_tail *tail); /* accepts NULL */

#endif
