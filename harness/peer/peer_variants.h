/* The variants that a Python file declares (docs/python.md), as variants of the cases. The file's
 * own process tells them, so that cases stay data. */
#ifndef ASSAY_PEER_VARIANTS_H
#define ASSAY_PEER_VARIANTS_H

#include "plan/registry.h"

enum {
    ASSAY_PEER_MOST_VARIANTS = 32 /* of one file */
};

/* One of them; its texts are valid until another file is taken. */
typedef struct assay_peer_variant {
    const char *case_name, *name;
} assay_peer_variant;

typedef struct assay_peer_variants {
    const char        *file;   /* by its full path */
    const char        *digest; /* of its contents when it was read */
    assay_case_table   cases;  /* all cases, each with its variants of the file */
    assay_peer_variant variants[ASSAY_PEER_MOST_VARIANTS]; /* in the order of the file */
    int                n;
} assay_peer_variants;

/* Reads the variants of a file, and keeps them for this program's workers. What was taken before is
 * freed. ASSAY_E_USAGE: there is no such file, no python can load it, or a declaration is wrong: an
 * unknown case, or a name that the case already has. */
assay_status assay_peer_variants_take(const char *file, assay_case_table cases,
                                      assay_peer_variants *variants);

/* In a worker: gives the cases with the variants that its parent has taken, if any. */
assay_status assay_peer_variants_inherit(assay_case_table *cases);

#endif
