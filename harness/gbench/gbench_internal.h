/* What the parts of gbench.h share. */
#ifndef ASSAY_GBENCH_INTERNAL_H
#define ASSAY_GBENCH_INTERNAL_H

#include "gbench.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* E_INTERNAL if the entry is not valid. */
assay_status assay_gbench_check_entry(const assay_gbench_entry *entry);
/* Returns why a repetition has no time; NULL if it has one. */
const char *assay_gbench_missing(const assay_gbench_entry *entry, int64_t repetition);

/* All flags of the library with their defaults, ended by NULL. They are global in the library and
 * start from its environment variables, so each report first sets these. */
extern const char *const assay_gbench_defaults[];
/* Is this flag handled here, so that the library must not see it? */
bool assay_gbench_is_ours(const char *flag);

/* Does the library itself write this key of the context, or field of a benchmark? A second one
 * would hide it. `length` characters of the name count. */
bool assay_gbench_is_context(const char *name, size_t length);
bool assay_gbench_is_field(const char *name);

#ifdef __cplusplus
}
#endif
#endif
