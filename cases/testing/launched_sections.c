/* Compares the kernels that were launched with a variant's sections. */
#include "launched.h"
#include "trial.h"

#include <string.h>

const assay_section_name *launched_section(const assay_variant *variant, const char *kernel)
{
    for (const assay_section_name *s = variant->sections; s && s->kernel; s++)
        if (strcmp(s->kernel, kernel) == 0)
            return s;
    return NULL;
}

void launched_expect_sections(const assay_variant *variant)
{
    trial_expect(launched_count() > 0, "%s launched nothing", variant->name);
    for (int i = 0; i < launched_count(); i++)
        trial_expect(launched_section(variant, launched_name(i)) != NULL,
                     "%s: kernel %s belongs to no section", variant->name, launched_name(i));
}
