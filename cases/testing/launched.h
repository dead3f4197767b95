/* Which kernels were launched on the host device, by the names that a timeline shows, and the
 * sections that a variant has for them. */
#ifndef LAUNCHED_H
#define LAUNCHED_H

#ifdef __cplusplus
extern "C" {
#endif

void launched_forget(void);
int  launched_count(void); /* number of different kernels launched since then */
/* The i-th of them in the order of first launches: without scope and template arguments. */
const char *launched_name(int i);

#ifdef __cplusplus
}
#else

#include "case.h"

/* The row of a kernel's section; NULL: there is none. */
const assay_section_name *launched_section(const assay_variant *variant, const char *kernel);
/* Checks that kernels were launched and that each belongs to a section of the variant. */
void launched_expect_sections(const assay_variant *variant);

#endif
#endif
