/* child: what the last lines of a worker mean, for reports as sanitizers write them. */
#include "testing/testing.h"

#include "device.h"
#include "process/child.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A process that wrote `text` and has ended. */
static assay_child dead_child(const char *text, int status)
{
    assay_child child     = { .request_fd = -1, .reply_fd = -1 };
    int         output_fd = -1;

    assert_int_equal(assay_tail_open(&child.output, &output_fd), ASSAY_OK);
    assert_int_equal(write(output_fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(output_fd), 0);
    child.pid = fork();
    assert_true(child.pid >= 0);
    if (child.pid == 0)
        _exit(status);
    return child;
}

/* In a build without a sanitizer, any code may have printed these words, so they decide nothing. */
static void expect(const char *text, assay_verdict verdict, const char *reason)
{
    const bool  is_sanitized            = strlen(ASSAY_SANITIZER) > 0;
    char        said[ASSAY_REASON_SIZE] = "", output[4096];
    assay_child child                   = dead_child(text, ASSAY_SANITIZER_EXIT);

    assert_int_equal(assay_child_autopsy(&child, said, sizeof said, output, sizeof output),
                     is_sanitized ? verdict : ASSAY_CRASHED);
    assert_string_equal(said, is_sanitized ? reason : "the process ended with exit status 66");
}

static void undefined_behaviour_has_its_place(void **state)
{
    (void)state;
    expect("words before\n/where/kernels/map.cu:61:15: runtime error: load of misaligned address "
           "0x1 for type 'float2'\n0x1: note: pointer points here\n",
           ASSAY_OUT_OF_BOUNDS,
           "map.cu:61:15: runtime error: load of misaligned address 0x1 for type 'float2'");
    expect("map.cu:7:1: runtime error: division by zero\n", ASSAY_CRASHED,
           "map.cu:7:1: runtime error: division by zero");
}

static void address_sanitizer_names_its_place_itself(void **state)
{
    (void)state;
    expect("==1==ERROR: AddressSanitizer: use-after-poison on address\nSUMMARY: AddressSanitizer: "
           "use-after-poison map.cu:9 in kernel\n",
           ASSAY_OUT_OF_BOUNDS, "SUMMARY: AddressSanitizer: use-after-poison map.cu:9 in kernel");
}

static void two_writes_may_be_of_one_value(void **state)
{
    (void)state;
    expect(
        "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 at 0x1 by thread T1:\n"
        "  Previous write of size 4 at 0x1 by thread T2:\nSUMMARY: ThreadSanitizer: data race "
        "f.cu:4 in k\n",
        ASSAY_RACE,
        "SUMMARY: ThreadSanitizer: data race f.cu:4 in k; both write: threads that all write one "
        "value say so by assay_store_relaxed or atomicExch, or one of them writes");
}

static void a_read_may_meet_who_left_early(void **state)
{
    (void)state;
    expect("WARNING: ThreadSanitizer: data race (pid=1)\n  Read of size 4 at 0x1 by thread T1:\n"
           "  Previous write of size 4 at 0x1 by thread T2:\nSUMMARY: ThreadSanitizer: data race "
           "f.cu:4 in k\n",
           ASSAY_RACE,
           "SUMMARY: ThreadSanitizer: data race f.cu:4 in k; if the writer had returned: a barrier "
           "at which others wait later does not order its writes; let it wait there too");
}

static void silence_is_an_exit_status(void **state)
{
    (void)state;
    expect("", ASSAY_CRASHED, "the process ended with exit status 66");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undefined_behaviour_has_its_place),
        cmocka_unit_test(address_sanitizer_names_its_place_itself),
        cmocka_unit_test(two_writes_may_be_of_one_value),
        cmocka_unit_test(a_read_may_meet_who_left_early),
        cmocka_unit_test(silence_is_an_exit_status),
    };

    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
