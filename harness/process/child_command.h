/* The command line of a worker. Only child.c includes it. */
#ifndef ASSAY_CHILD_COMMAND_H
#define ASSAY_CHILD_COMMAND_H

#include "worker.h"

#include "sanitize/sanitize.h"

typedef struct assay_child_command {
    char        self[1024], log[64], numbers[7][16];
    const char *program;                          /* the program to start */
    const char *words[ASSAY_SANITIZE_WORDS + 11]; /* its arguments, ended by NULL */
} assay_child_command;

/* Builds the command. log_fd: the file for a tool's reports, if the options name a tool. Its words
 * point into the command and the options. */
assay_status assay_child_command_make(const assay_worker_options *own, int log_fd,
                                      assay_child_command *line);

#endif
