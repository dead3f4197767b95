/* The one thing of the C++ run-time library that names of kernels need. */
#include "demangle.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>

char *assay_demangle(const char *name)
{
    int status = 0;

    /* Without its mark a C name like "f" would be read as a type ("float"). */
    if (std::strncmp(name, "_Z", 2) == 0) {
        char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);

        if (text)
            return text;
    }
    return strdup(name);
}
