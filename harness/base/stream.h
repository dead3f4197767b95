/* A stream into memory that does not lose text silently. */
#ifndef ASSAY_STREAM_H
#define ASSAY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream: what is written becomes *text of *size bytes and a zero byte, right after
 * fflush and fclose; the caller frees it after fclose. But where memory is short, that of the C
 * library drops what does not fit and says so to nobody but the one call (glibc 2.36: neither
 * ferror nor fclose). Here ferror says so from then on, and fclose fails; *text is a beginning of
 * what was written. It cannot be read or moved in. NULL: out of memory, *text is NULL. */
FILE *assay_stream_open(char **text, size_t *size);

#endif
