/* Text for people, on its way to where they read it. It carries marks: bytes that no text of a
 * database has, since assay_write_clean makes escapes of them. */
#ifndef ASSAY_REPORT_LINES_H
#define ASSAY_REPORT_LINES_H

#include "status.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum assay_mark {
    ASSAY_MARK_NONE,
    ASSAY_MARK_COMMAND, /* begins a line for a shell, which stays whole */
    ASSAY_MARK_BAD,     /* these begin a word of a colour, each but the last */
    ASSAY_MARK_DOUBT,
    ASSAY_MARK_GOOD,
    ASSAY_MARK_END
} assay_mark;

/* Writes it without the marks: on a terminal lines are broken at its width (but those for a shell)
 * and words have colours, if it shows any; elsewhere, for grep and its like, all lines are whole.
 */
void assay_lines_write(FILE *out, const char *text);
/* The same for a terminal of so many columns; 0: none. */
void assay_lines_write_as(FILE *out, const char *text, int width, bool has_colours);

/* One word of a command line for a shell, quoted where it has to be. */
void assay_write_shell(FILE *out, const char *text);

/* Marked text is printed to memory, then written as above. */
typedef struct assay_lines {
    FILE  *file; /* print here */
    char  *text;
    size_t size;
} assay_lines;

assay_status assay_lines_open(assay_lines *lines);
/* Writes what was printed if `st` is ASSAY_OK, and frees it in any case. Returns st, or what failed
 * here. */
assay_status assay_lines_close(assay_lines *lines, assay_status st, FILE *out);

#endif
