/* What is said while a file is locked, to whom, and that the wait ends. */
#include "base/clock.h"
#include "base/say.h"
#include "store/store_internal.h"
#include "testing/testing.h"

#include <stdio.h>
#include <string.h>

static char heard[256];

static void hear(void *context, const char *format, va_list list)
{
    (void)context;
    (void)vsnprintf(heard, sizeof heard, format, list);
}

/* The message goes to whoever shows a line of progress on the terminal. */
static void it_is_said_once_in_a_while(void **state)
{
    const double        now_s   = assay_clock_s();
    assay_store_waiting waiting = {
        .path = "no/such.db", .patience_s = 1e6, .since_s = now_s - 1000, .said_at_s = now_s - 1000
    };

    (void)state;
    assay_say_through(hear, NULL);
    assert_true(assay_store_wait(&waiting));
    assert_memory_equal(heard, "assay: no/such.db is locked by another process: waiting for it, 99",
                        66);
    assert_non_null(strstr(heard, " s more at most\n"));
    heard[0] = '\0';
    assert_true(assay_store_wait(&waiting)); /* not said again so soon */
    assert_string_equal(heard, "");
    assay_say_through(NULL, NULL);
}

static void patience_ends(void **state)
{
    assay_store_waiting waiting = { .path       = "no/such.db",
                                    .patience_s = 10,
                                    .since_s    = assay_clock_s() - 11 };

    (void)state;
    assert_false(assay_store_wait(&waiting));
    assay_store_waited(&waiting); /* starts anew */
    assert_true(assay_store_wait(&waiting));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_said_once_in_a_while),
        cmocka_unit_test(patience_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
