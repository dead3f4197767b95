/* What stands at the end of a stream: a terminal, how wide, and does it show colours? */
#ifndef ASSAY_TERMINAL_H
#define ASSAY_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Columns of the terminal that `file` writes to, at least 80; 0: it writes to none. */
int assay_terminal_width(FILE *file);

/* Does it write to a terminal that is to be given colours? NO_COLOR (whatever it says, unless it is
 * empty: no-color.org) and TERM=dumb ask for none. */
bool assay_terminal_has_colours(FILE *file);

#endif
