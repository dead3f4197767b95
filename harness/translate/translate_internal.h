/* What the steps of a translation share. */
#ifndef ASSAY_TRANSLATE_INTERNAL_H
#define ASSAY_TRANSLATE_INTERNAL_H

#include "heads.h"
#include "tokens.h"
#include "translate.h"
#include "units.h"

/* Merges the declarations of both texts: device code from the device's, all else from the host's.
 * If that makes a difference, `notes` gets file and line. Both are emptied into `merged`. */
assay_status assay_translate_merge(assay_tokens *host, assay_tokens *device, assay_tokens *merged,
                                   FILE *notes);

assay_status assay_translate_shared(assay_tokens *tokens, const assay_units *units);
/* Makes lambdas in [from, to) that use shared memory of this name capture it by reference. */
assay_status assay_translate_captures(assay_tokens *tokens, int name, int from, int to);
assay_status assay_translate_kernels(assay_tokens *tokens, const assay_units *units);
assay_status assay_translate_launches(assay_tokens *tokens);
assay_status assay_translate_ptx(assay_tokens *tokens, const assay_units *units);
assay_status assay_translate_waits(assay_tokens *tokens, const assay_units *units);

/* ASSAY_E_CASE, with file and line of a token, and a sentence. */
assay_status assay_translate_refuse(const assay_tokens *tokens, int at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts formatted text before or after a token. */
assay_status assay_translate_before(assay_tokens *tokens, int at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
assay_status assay_translate_after(assay_tokens *tokens, int at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
