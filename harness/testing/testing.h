/* cmocka, and the headers that must come before it. */
#ifndef ASSAY_TESTING_H
#define ASSAY_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Passes if a status came back and its sentence holds these words. */
#define assert_failed_with(status, expected, words)                                                \
    do {                                                                                           \
        assert_int_equal((status), (expected));                                                    \
        if (!strstr(assay_status_message(), (words)))                                              \
            fail_msg("\"%s\" does not say \"%s\"", assay_status_message(), (words));               \
        assay_status_reset();                                                                      \
    } while (0)

#endif
