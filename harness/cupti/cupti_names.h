/* Names of kernels and calls, each kept once, with the hash of a kernel's machine code. Pure: knows
 * no CUPTI. Not locked. */
#ifndef ASSAY_CUPTI_NAMES_H
#define ASSAY_CUPTI_NAMES_H

#include "cupti.h"

typedef struct assay_name {
    struct assay_name *next; /* in its bucket */
    uint64_t           name_hash;
    char               code_hash[ASSAY_CODE_HASH_SIZE]; /* "" unknown, or not one */
    bool               has_code;                        /* a hash has been added */
    char               text[];
} assay_name;

typedef struct assay_names {
    assay_name **buckets; /* owned, as the names are */
    size_t       n_buckets, n;
} assay_names;

/* The one entry of a text, made if needed; it stays where it is. NULL: out of memory. */
assay_name *assay_names_get(assay_names *names, const char *text);
/* Notes the hash of each function of a cubin. A name with different code in different modules has
 * no hash: a record does not say from which module its kernel was. Returns the number of functions,
 * -1 if the cubin is unreadable. */
int  assay_names_add_code(assay_names *names, const void *cubin, size_t size);
void assay_names_free(assay_names *names); /* accepts NULL; leaves it empty and usable */

#endif
