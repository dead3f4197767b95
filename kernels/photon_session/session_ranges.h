/* Ranges for NVIDIA's own tools: what a session is at, in a domain of its own. On the host
 * executor, and without NVTX's headers, nothing happens. */
#ifndef SESSION_RANGES_H
#define SESSION_RANGES_H

#include <stdint.h>

/* Of one thread: they nest, and each push has its pop. */
void session_range_push(const char *what);
void session_range_pop(void);

/* Of what begins in one thread and may end in another, with a number that tells it apart. */
uint64_t session_range_start(const char *what, int64_t number);
void     session_range_end(uint64_t range);

#endif
