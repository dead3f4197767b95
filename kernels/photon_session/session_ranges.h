/* Ranges for NVIDIA's tools, in a domain of their own: they show what a session does. On the host
 * device, and without NVTX's headers, these do nothing. */
#ifndef SESSION_RANGES_H
#define SESSION_RANGES_H

#include <stdint.h>

/* Within one thread: ranges nest, and each push has its pop. */
void session_range_push(const char *what);
void session_range_pop(void);

/* For work that begins in one thread and may end in another; `number` tells the ranges apart. */
uint64_t session_range_start(const char *what, int64_t number);
void     session_range_end(uint64_t range);

#endif
