/* The variants that a file of Python declares (docs/python.md), as variants of the cases: told by
 * the file's own process, so that cases stay data. */
#ifndef ASSAY_PEER_VARIANTS_H
#define ASSAY_PEER_VARIANTS_H

#include "plan/registry.h"

enum {
    ASSAY_PEER_MOST_VARIANTS = 32 /* of one file */
};

/* One of them; texts live until others are taken. */
typedef struct assay_peer_variant {
    const char *case_name, *name;
} assay_peer_variant;

typedef struct assay_peer_variants {
    const char        *file;   /* by its full path */
    const char        *digest; /* of what it held when it was asked */
    assay_case_table   cases;  /* all, and to each its variants of the file */
    assay_peer_variant variants[ASSAY_PEER_MOST_VARIANTS]; /* in the order of the file */
    int                n;
} assay_peer_variants;

/* Asks a file, and remembers for this program's workers what it said. What was taken
 * before is freed. ASSAY_E_USAGE:
 * there is no such file, no python can load it, or what it declares cannot be: an unknown case, a
 * name that the case has already. */
assay_status assay_peer_variants_take(const char *file, assay_case_table cases,
                                      assay_peer_variants *variants);

/* In a worker: the cases with the variants that its parent has taken, if any. */
assay_status assay_peer_variants_inherit(assay_case_table *cases);

#endif
