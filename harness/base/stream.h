/* A stream into memory that does not lose text silently. */
#ifndef ASSAY_STREAM_H
#define ASSAY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream: what is written becomes *text of *size bytes and a zero byte, after fflush and
 * fclose. The caller frees it after fclose. The difference: if memory runs out, the C library's
 * stream drops text and reports that only from the one call (glibc 2.36: neither ferror nor fclose
 * tell). Here ferror tells from then on, and fclose fails; *text then is a beginning of what was
 * written. The stream cannot be read or repositioned. NULL: out of memory, and *text is NULL. */
FILE *assay_stream_open(char **text, size_t *size);

#endif
