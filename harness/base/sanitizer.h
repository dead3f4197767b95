/* The sanitizer whose runtime is in this process. */
#ifndef ASSAY_SANITIZER_H
#define ASSAY_SANITIZER_H

/* "address", "thread" or "" for none. The harness itself need not be built with it. */
const char *assay_sanitizer_here(void);

#endif
