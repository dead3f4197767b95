/* The sanitizer whose runtime is in this process. */
#include "sanitizer.h"

#include <dlfcn.h>
#include <stddef.h>

const char *assay_sanitizer_here(void)
{
    static const struct {
        const char *symbol, *sanitizer;
    } runtimes[] = { { "__asan_init", "address" }, { "__tsan_init", "thread" } };

    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++)
        if (dlsym(RTLD_DEFAULT, runtimes[i].symbol))
            return runtimes[i].sanitizer;
    return "";
}
