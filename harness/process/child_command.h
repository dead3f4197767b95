/* The command line of a worker. Of child.c alone. */
#ifndef ASSAY_CHILD_COMMAND_H
#define ASSAY_CHILD_COMMAND_H

#include "worker.h"

#include "sanitize/sanitize.h"

typedef struct assay_child_command {
    char        self[1024], log[64], numbers[7][16];
    const char *program;                          /* that is started */
    const char *words[ASSAY_SANITIZE_WORDS + 11]; /* its arguments, and NULL */
} assay_child_command;

/* log_fd: where a tool is to write, if the options name one. The words point into the command and
 * the options. */
assay_status assay_child_command_make(const assay_worker_options *own, int log_fd,
                                      assay_child_command *line);

#endif
