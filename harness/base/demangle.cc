/* Demangling, for which C needs the C++ run-time library. */
#include "demangle.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>

/* The type of a function without a result, as typeid writes it: "FvPfiE". */
static bool is_function_type(const char *name)
{
    const std::size_t n = std::strlen(name);

    return n > 3 && std::strncmp(name, "Fv", 2) == 0 && name[n - 1] == 'E';
}

char *assay_demangle(const char *name)
{
    int status = 0;

    /* Without its prefix, a C name like "f" would be read as a type ("float"). */
    if (std::strncmp(name, "_Z", 2) == 0 || is_function_type(name)) {
        char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);

        if (text)
            return text;
    }
    return strdup(name);
}
