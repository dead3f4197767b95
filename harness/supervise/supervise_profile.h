/* What the time of a run was spent on: wall time of all threads, by what they waited for and by
 * case. */
#ifndef ASSAY_SUPERVISE_PROFILE_H
#define ASSAY_SUPERVISE_PROFILE_H

#include "rows/rows.h"

#include <stdio.h>

enum {
    ASSAY_PROFILE_PARTS = 64
};

typedef struct assay_profile_part {
    char    what[ASSAY_NAME_SIZE];
    double  time_s;
    int64_t n; /* how often */
} assay_profile_part;

/* Entries of one kind. When the table is full, new ones are added to the last entry, "others". */
typedef struct assay_profile {
    assay_profile_part parts[ASSAY_PROFILE_PARTS];
    int                n;
} assay_profile;

void assay_profile_add(assay_profile *profile, const char *what, double time_s, int64_t n);
/* Returns one entry; zeros if there is none of that name. */
assay_profile_part assay_profile_get(const assay_profile *profile, const char *what);
/* Adds all entries of `more`. */
void assay_profile_join(assay_profile *profile, const assay_profile *more);
/* Prints the longest first, each with its share of total_s, then the time that is in no entry,
 * under the name `rest`. */
void assay_profile_print(const assay_profile *profile, const char *rest, double total_s,
                         FILE *stream);

#endif
