#include "entropy.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

assay_status assay_entropy_fill(void *bytes, size_t size)
{
    if (getrandom(bytes, size, 0) != (ssize_t)size)
        return ASSAY_FAIL(ASSAY_E_IO, "no random number: %s", strerror(errno));
    return ASSAY_OK;
}
