/* The table of cases, and how names select from it. */
#ifndef ASSAY_REGISTRY_H
#define ASSAY_REGISTRY_H

#include "case.h"
#include "status.h"

/* A NULL-terminated array, sorted by name. CMake writes it (cmake/AssaySuite.cmake). */
typedef const assay_case *const *assay_case_table;

int               assay_registry_count(assay_case_table cases);
const assay_case *assay_registry_find(assay_case_table cases, const char *name);
bool              assay_registry_is_selftest(const assay_case *c);

/* Does `word` name this case or its group? */
bool assay_registry_matches(const assay_case *c, const char *word);

/* Fails with ASSAY_E_USAGE if no case matches; names the word and the nearest case or group. */
assay_status assay_registry_require(assay_case_table cases, const char *word);

/* Number of variants and axes, and their indices by name (-1 if absent). */
int assay_case_variant_count(const assay_case *c);
int assay_case_axis_count(const assay_case *c);
int assay_case_find_variant(const assay_case *c, const char *name);
int assay_case_find_axis(const assay_case *c, const char *name);
int assay_shape_buffer_count(const assay_shape *s);

/* Bytes of one buffer's elements. */
size_t assay_buffer_bytes(const assay_buffer *b);

#endif
