/* What the files of help share: output made from the tables of commands and options. */
#ifndef ASSAY_HELP_INTERNAL_H
#define ASSAY_HELP_INTERNAL_H

#include "command/cli_internal.h"

#include <stdio.h>

void assay_help_man(FILE *out);  /* a page of section 1 */
void assay_help_bash(FILE *out); /* a completion script */
void assay_help_zsh(FILE *out);

/* How a shell completes an argument, by its name in the tables: "files", "folders", "case",
 * "variant", "axis", "command", "run", or "none". */
const char *assay_help_kind(const char *argument);

/* Writes the first clause of a help text, which has no quote, colon or bracket. */
const char *assay_help_clause(const char *text, char *to, size_t size);

#endif
