/* What a stream writes to: is it a terminal, how wide is it, and does it show colours? */
#ifndef ASSAY_TERMINAL_H
#define ASSAY_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* The columns of the terminal that `file` writes to, at least 80; 0: it is not a terminal. */
int assay_terminal_width(FILE *file);

/* Does it write to a terminal that should get colours? No if NO_COLOR is set and not empty
 * (no-color.org), or if TERM is dumb. */
bool assay_terminal_has_colours(FILE *file);

#endif
