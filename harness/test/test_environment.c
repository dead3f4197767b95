/* What a run says of its host and its command; and the lock of a GPU. */
#include "environment.h"
#include "lock.h"
#include "testing.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void words_are_quoted_for_a_shell(void **state)
{
    char line[256] = "";

    (void)state;
    assay_environment_quote("assay", line, sizeof line);
    assay_environment_quote("--axis", line, sizeof line);
    assay_environment_quote("n=1,2", line, sizeof line);
    assay_environment_quote("it's", line, sizeof line);
    assay_environment_quote("", line, sizeof line);
    assert_string_equal(line, "assay --axis n=1,2 'it'\\''s' ''");
}

static void a_long_command_is_cut(void **state)
{
    char line[16] = "";

    (void)state;
    for (int i = 0; i < 10; i++)
        assay_environment_quote("abcdef", line, sizeof line);
    assert_string_equal(line, "abcdef abcdef a");
}

static void uuids_differ_and_say_their_version(void **state)
{
    char a[40], b[40];

    (void)state;
    assert_int_equal(assay_environment_uuid(a, sizeof a), ASSAY_OK);
    assert_int_equal(assay_environment_uuid(b, sizeof b), ASSAY_OK);
    assert_string_not_equal(a, b);
    assert_int_equal(strlen(a), 36);
    assert_int_equal(a[14], '4');
}

static void a_row_knows_its_binary(void **state)
{
    char         *argv[] = { (char[]) { "assay" }, (char[]) { "check" } };
    assay_run_row row    = { .seed = 1 };

    (void)state;
    assert_int_equal(assay_environment_fill(2, argv, &row), ASSAY_OK);
    assert_string_equal(row.command, "assay check");
    assert_true(strlen(row.binary_id) >= 16);
    assert_int_equal(strspn(row.binary_id, "0123456789abcdef"), strlen(row.binary_id));
    assert_true(row.n_cpus >= 1);
    assert_true(strlen(row.host) > 0);
    assert_true(strlen(row.compiler) > 0);
}

/* A child holds the lock until it is killed; the parent then gets it. */
static void a_lock_goes_with_its_process(void **state)
{
    int  ready[2], fd = -1;
    char byte;

    (void)state;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();

    if (child == 0) {
        if (assay_lock_take("TEST/uuid", &fd) == ASSAY_OK && write(ready[1], "x", 1) == 1)
            for (;;)
                (void)pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    const pid_t killer = fork();

    if (killer == 0) {
        (void)usleep(200000);
        _exit(kill(child, SIGKILL));
    }
    assert_int_equal(assay_lock_take("TEST/uuid", &fd), ASSAY_OK);
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); /* it was held until the end */
    assert_int_equal(waitpid(killer, &status, 0), killer);
    assay_lock_release(fd);
    assay_lock_release(-1);
    (void)unlink("/tmp/assay-timing-TEST_uuid.lock");
    for (int i = 0; i < 2; i++)
        (void)close(ready[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_quoted_for_a_shell),
        cmocka_unit_test(a_long_command_is_cut),
        cmocka_unit_test(uuids_differ_and_say_their_version),
        cmocka_unit_test(a_row_knows_its_binary),
        cmocka_unit_test(a_lock_goes_with_its_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
