/* Unique names for runs. */
#include "uuid.h"

#include "text.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

assay_status assay_uuid_make(char *uuid, size_t size)
{
    unsigned char b[16];

    if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "no random bytes: %s", strerror(errno));
    b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
    (void)assay_text_set(uuid, size,
                         "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                         b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
                         b[12], b[13], b[14], b[15]);
    return ASSAY_OK;
}
