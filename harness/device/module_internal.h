/* What the files of module.h share. */
#ifndef ASSAY_MODULE_INTERNAL_H
#define ASSAY_MODULE_INTERNAL_H

#include "module.h"

/* Can this file be loaded into this program? Refuses, with a sentence, a file that is truncated, is
 * not a shared object for this machine, or was built with another sanitizer, whose runtime would
 * end the process. */
assay_status assay_module_judge_file(const char *path);

/* Refuses a module whose sanitizer ("", "address", "thread") is not this program's. */
assay_status assay_module_judge_sanitizer(const char *path, const char *sanitizer);

#endif
