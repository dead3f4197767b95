/* Other programs that are run to their end, one at a time, and what they wrote. Whoever ends this
 * process from the terminal ends them as well. */
#ifndef ASSAY_TOOL_H
#define ASSAY_TOOL_H

#include "status.h"

#include <signal.h>

typedef struct assay_tools {
    sigset_t mask; /* of this process before */
    int      signal_fd;
    bool     is_stopped; /* SIGINT, SIGTERM, SIGHUP or SIGQUIT came */
} assay_tools;

/* From here to assay_tools_end those signals end this process no longer: they set is_stopped. */
assay_status assay_tools_begin(assay_tools *tools);
void         assay_tools_end(assay_tools *tools); /* accepts NULL and what has not begun */

/* Reads the signals that have come; tools->signal_fd can be polled for them. */
void assay_tools_look(assay_tools *tools);

/* What came of a program. */
typedef struct assay_tool {
    int   exit_status; /* 128 and the signal that ended it */
    char *output;      /* what it wrote to its standard output, owned */
    char *errors;      /* to its standard error, owned */
} assay_tool;

/* Runs words[0] (looked for in PATH unless it has a slash) with the words up to NULL. Once stopped,
 * it and all that it started are ended. Caller frees. Fails if it cannot be started. */
assay_status assay_tool_run(assay_tools *tools, char *const *words, assay_tool *tool);
void         assay_tool_free(assay_tool *tool); /* accepts NULL; zeroes */

/* The first line of its output; if it has none, the last of its errors. Cuts both. */
const char *assay_tool_line(assay_tool *tool);

#endif
