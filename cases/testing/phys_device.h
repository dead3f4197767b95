/* What the stand-alone physics loss programs need of a device: memory, copies, waiting and a clock.
 * phys_device_cuda.c is for a GPU, phys_device_host.c for the host device. */
#ifndef ASSAY_PHYS_DEVICE_H
#define ASSAY_PHYS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the device; false with the reason in `why`, which begins with "no CUDA device" if there is
 * none. */
bool        phys_device_open(char *why, size_t size);
const char *phys_device_name(void);
/* Do times of this device mean anything? */
bool phys_device_can_time(void);

/* NULL: out of memory. Caller releases. */
void *phys_device_alloc(size_t bytes);
void  phys_device_release(void *memory); /* accepts NULL */
bool  phys_device_upload(void *to, const void *from, size_t bytes);
bool  phys_device_download(void *to, const void *from, size_t bytes);
/* A copy inside the device, enqueued like a kernel. */
bool phys_device_copy(void *to, const void *from, size_t bytes);
/* Waits for everything that is enqueued; false if any of it failed. */
bool phys_device_wait(void);
/* The sentence that explains the last false. */
const char *phys_device_message(void);

/* Milliseconds from phys_device_start to phys_device_stop on the device; negative if it failed.
 * Stop waits. */
bool   phys_device_start(void);
double phys_device_stop_ms(void);

#endif
