/* sanitizer: the sanitizer of this process is the one that the test was built with. */
#include "testing/testing.h"

#include "base/sanitizer.h"
#include "device.h"

static void the_one_that_this_was_built_with(void **state)
{
    (void)state;
    assert_string_equal(assay_sanitizer_here(), ASSAY_SANITIZER);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_one_that_this_was_built_with) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
