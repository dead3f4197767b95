/* What the parts of gbench.h share. */
#ifndef ASSAY_GBENCH_INTERNAL_H
#define ASSAY_GBENCH_INTERNAL_H

#include "gbench.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* E_INTERNAL if the entry breaks its contract. */
assay_status assay_gbench_check_entry(const assay_gbench_entry *entry);
/* Why a repetition has no number; NULL if it has one. */
const char *assay_gbench_missing(const assay_gbench_entry *entry, int64_t repetition);

/* All flags that the library has, at their defaults, up to NULL. They are global to the library and
 * start from its environment variables: each report begins with these. */
extern const char *const assay_gbench_defaults[];
/* Is this flag obeyed here, so that the library must not see it? */
bool assay_gbench_is_ours(const char *flag);

/* A key of the context, or a field of a benchmark, that the library writes itself: a second one of
 * that name would hide it. `length` characters of the name count. */
bool assay_gbench_is_context(const char *name, size_t length);
bool assay_gbench_is_field(const char *name);

#ifdef __cplusplus
}
#endif
#endif
