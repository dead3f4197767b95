/* Where a process spins: a line for a process that spins, nothing for others. The lines
 * themselves are tested by cases/selftest/constructs_orders.c, wait_unseen. */
#include "process/spin_place.h"
#include "testing/testing.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t start(bool spins)
{
    const pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid != 0)
        return pid;
    while (!spins)
        (void)pause();
    for (volatile unsigned n = 0;; n++)
        continue;
}

static void end(pid_t pid)
{
    int status = 0;

    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

/* Afterwards the process goes on, and can be waited for as before. */
static void test_goes_on(void **state)
{
    char text[128] = "left";

    (void)state;
    for (int spins = 0; spins < 2; spins++) {
        const pid_t pid = start(spins != 0);
        int         status;

        (void)assay_spin_place(pid, "/proc/self/exe", text, sizeof text);
        assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
        end(pid);
    }
}

static void test_nothing_to_say(void **state)
{
    char        text[128] = "left";
    const pid_t pid       = start(true);

    (void)state;
    assert_false(assay_spin_place(0, "/proc/self/exe", text, sizeof text));
    assert_string_equal(text, "");
    assert_false(assay_spin_place(pid, "/no/such/module", text, sizeof text));
    assert_false(assay_spin_place(pid, "/dev/null", text, sizeof text));
    assert_string_equal(text, "");
    end(pid);
    assert_false(assay_spin_place(pid, "/proc/self/exe", text, sizeof text));
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_nothing_to_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
