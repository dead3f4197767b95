/* Which sanitizer watches this process. */
#ifndef ASSAY_SANITIZER_H
#define ASSAY_SANITIZER_H

/* "address", "thread" or "": whose runtime is in this process. The harness itself need not be built
 * with it. */
const char *assay_sanitizer_here(void);

#endif
