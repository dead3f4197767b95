/* Text for people, before it reaches the terminal. It carries marks: bytes that no text of a
 * database has, since assay_write_clean turns them into escapes. */
#ifndef ASSAY_REPORT_LINES_H
#define ASSAY_REPORT_LINES_H

#include "status.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum assay_mark {
    ASSAY_MARK_NONE,
    ASSAY_MARK_COMMAND, /* begins a command for a shell, which is not broken */
    ASSAY_MARK_BAD,     /* each of these begins a coloured word; the last one ends it */
    ASSAY_MARK_DOUBT,
    ASSAY_MARK_GOOD,
    ASSAY_MARK_END
} assay_mark;

/* Writes it without the marks. On a terminal, lines are broken at its width (except commands for a
 * shell), and words have colours if it shows any. Elsewhere, for grep and the like, lines are not
 * broken. */
void assay_lines_write(FILE *out, const char *text);
/* The same for a terminal with so many columns; 0: not a terminal. */
void assay_lines_write_as(FILE *out, const char *text, int width, bool has_colours);

/* Writes one word of a command line for a shell, quoted if needed. */
void assay_write_shell(FILE *out, const char *text);

/* Marked text, which is printed to memory first, and then written as above. */
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
