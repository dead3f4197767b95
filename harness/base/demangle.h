/* Names of C++ functions as people write them. */
#ifndef ASSAY_DEMANGLE_H
#define ASSAY_DEMANGLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "void scale<float>(float*, int)" for a mangled name, "void (float*, int)" for a function's type
 * as typeid names it; any other text as it is. Caller frees. NULL: out of memory. */
char *assay_demangle(const char *name);

/* The function's own name, without return type, namespaces, template arguments and parameters:
 * "scale". Cut to `size`; returns `to`. */
char *assay_demangle_short(const char *name, char *to, size_t size);

#ifdef __cplusplus
}
#endif
#endif
