/* Names of kernels and calls, each stored once, with the hash of a kernel's machine code. It knows
 * no CUPTI, and has no lock. */
#ifndef ASSAY_CUPTI_NAMES_H
#define ASSAY_CUPTI_NAMES_H

#include "cupti.h"

typedef struct assay_name {
    struct assay_name *next; /* in its bucket */
    uint64_t           name_hash;
    char               code_hash[ASSAY_CODE_HASH_SIZE]; /* "" unknown, or not one */
    bool               has_code;                        /* a hash was added */
    char               text[];
} assay_name;

typedef struct assay_names {
    assay_name **buckets; /* owned, and so are the names */
    size_t       n_buckets, n;
} assay_names;

/* Returns the only entry of a text, made if needed; its address does not change. NULL: out of
 * memory. */
assay_name *assay_names_get(assay_names *names, const char *text);
/* Adds the hash of each function of a cubin. A name with different code in different modules has no
 * hash, since a record does not say which module its kernel is from. Returns the number of
 * functions; -1 if the cubin is unreadable. */
int  assay_names_add_code(assay_names *names, const void *cubin, size_t size);
void assay_names_free(assay_names *names); /* accepts NULL; leaves it empty and usable */

#endif
