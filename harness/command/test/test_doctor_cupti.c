/* What the driver's parameters say about counters. */
#include "command/doctor/doctor_cupti.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_restriction_is_read(void **state)
{
    static const struct {
        const char *text;
        bool        is_known, is_restricted;
    } rows[] = {
        { "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nTCEBypassMode: 0\n", true, true },
        { "RmProfilingAdminOnly: 0\n", true, false },
        { "RmProfilingAdminOnly:0", true, false },
        { "RmProfilingAdminOnly:", false, true },
        { "RmProfilingAdminOnly: maybe\n", false, true },
        { "RmLogonRC: 1\n", false, false },
        { "", false, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool is_restricted = false;

        assert_int_equal(assay_doctor_read_restriction(rows[i].text, &is_restricted),
                         rows[i].is_known);
        if (rows[i].is_known)
            assert_int_equal(is_restricted, rows[i].is_restricted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_restriction_is_read) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
