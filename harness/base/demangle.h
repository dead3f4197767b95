/* Names of C++ functions as people write them. */
#ifndef ASSAY_DEMANGLE_H
#define ASSAY_DEMANGLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Demangles: "void scale<float>(float*, int)" for a mangled name, "void (float*, int)" for a
 * function's type from typeid. Any other text is copied. The caller frees. NULL: out of memory. */
char *assay_demangle(const char *name);

/* Writes the function's own name ("scale"), without return type, namespaces, template arguments and
 * parameters, into `to`, truncated to `size`. Returns `to`. */
char *assay_demangle_short(const char *name, char *to, size_t size);

#ifdef __cplusplus
}
#endif
#endif
