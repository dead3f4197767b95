/* The host device for the stand-alone physics loss programs: device memory is host memory, and a
 * launch returns when its kernel is done. */
#include "phys_device.h"

#include <stdlib.h>
#include <string.h>

bool phys_device_open(char *why, size_t size)
{
    (void)why, (void)size;
    return true;
}

const char *phys_device_name(void) { return "host device"; }
bool        phys_device_can_time(void) { return false; }
const char *phys_device_message(void) { return "out of memory"; }

/* Aligned like device memory, and never empty. */
void *phys_device_alloc(size_t bytes)
{
    const size_t alignment = 256;

    return aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
}

void phys_device_release(void *memory) { free(memory); }

bool phys_device_upload(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return true;
}

bool phys_device_download(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return true;
}

bool phys_device_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return true;
}

bool   phys_device_wait(void) { return true; }
bool   phys_device_start(void) { return false; }
double phys_device_stop_ms(void) { return -1; }
