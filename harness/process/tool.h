/* Runs other programs to their end, one at a time, and keeps their output. If a person ends this
 * process from the terminal, they end too. */
#ifndef ASSAY_TOOL_H
#define ASSAY_TOOL_H

#include "status.h"

#include <signal.h>

typedef struct assay_tools {
    sigset_t mask; /* of this process before */
    int      signal_fd;
    bool     is_stopped; /* SIGINT, SIGTERM, SIGHUP or SIGQUIT came */
} assay_tools;

/* Until assay_tools_end, those signals no longer end this process; they set is_stopped. */
assay_status assay_tools_begin(assay_tools *tools);
void         assay_tools_end(assay_tools *tools); /* accepts NULL and tools that have not begun */

/* Reads the signals that have arrived; tools->signal_fd can be polled for them. */
void assay_tools_look(assay_tools *tools);

/* The result of a program. */
typedef struct assay_tool {
    int   exit_status; /* 128 plus the signal that ended it */
    char *output;      /* what it wrote to its standard output, owned */
    char *errors;      /* to its standard error, owned */
} assay_tool;

/* Runs words[0], which is looked for in PATH unless it has a slash, with the words up to NULL. When
 * a signal stops it, all processes that it started are ended too. The caller frees. Fails if the
 * program cannot be started. */
assay_status assay_tool_run(assay_tools *tools, char *const *words, assay_tool *tool);
void         assay_tool_free(assay_tool *tool); /* accepts NULL; zeroes */

/* Writes the first line of its output or, if it has none, the last line of its errors. Both are
 * truncated. */
const char *assay_tool_line(assay_tool *tool);

#endif
