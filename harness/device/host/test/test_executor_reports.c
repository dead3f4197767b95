/* Mistakes that only a sanitizer can see in a kernel on the host device: each plant runs in a
 * process of its own, whose report must name the line. In a build without the sanitizer the plant
 * runs too, and the executor finds what it can by itself. */
#include "executor_test.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

assay_launch_fn executor_shared_overflow, executor_dynamic_overflow, executor_heap_overflow,
    executor_misaligned, executor_race_in_block, executor_race_in_warp, executor_race_of_blocks,
    executor_race_in_large_block, executor_race_of_many, executor_missing_fence,
    executor_race_of_parts, executor_race_of_copies, executor_race_after_phase, executor_early_exit,
    executor_cub_block_reduce, executor_cub_warp_reduce, executor_cub_block_scan,
    executor_cub_warp_scan, executor_cub_exchange, executor_cub_radix_sort, executor_cub_shuffle,
    executor_cub_discontinuity;
extern int *executor_report_line;

enum {
    N_OUT       = 32,
    REPORT_SIZE = 1 << 20
};

typedef struct outcome {
    int   status; /* of the process, as wait gives it */
    int   line;
    char *report; /* what it printed */
} outcome;

/* The child process; its only work is one launch. */
static void run_plant(assay_launch_fn *launch, int output)
{
    unsigned    out[N_OUT];
    assay_fault fault;

    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0 || setup(NULL) != 0)
        _exit(99);
    fault = run_for_fault(launch, NULL, 0, out, sizeof out, NULL);
    if (fault.kind != ASSAY_FAULT_NONE)
        (void)fprintf(stderr, "fault %d: %s\n", (int)fault.kind, fault.text);
    (void)teardown(NULL);
    exit(0);
}

static outcome run_apart(assay_launch_fn *launch)
{
    static char report[REPORT_SIZE];
    outcome     o = { .report = report };
    int         ends[2];
    pid_t       child;

    *executor_report_line = 0;
    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_plant(launch, ends[1]);
    (void)close(ends[1]);
    read_all(ends[0], report, sizeof report);
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &o.status, 0), child);
    o.line = *executor_report_line;
    return o;
}

#if defined(TEST_ASAN) || defined(TEST_TSAN)
static void assert_reported(assay_launch_fn *launch, const char *words)
{
    const outcome o = run_apart(launch);
    char          place[64];

    (void)snprintf(place, sizeof place, "executor_report_kernels.cu:%d", o.line);
    assert_true(o.line > 0);
    if (!strstr(o.report, words) || !strstr(o.report, place))
        fail_msg("no \"%s\" at %s in: %s", words, place, o.report);
    /* UndefinedBehaviorSanitizer may be built to continue. */
    if (strstr(words, "Sanitizer") && WIFEXITED(o.status) && WEXITSTATUS(o.status) == 0)
        fail_msg("the process ended as if nothing had been found: %s", o.report);
}
#endif

#ifdef TEST_ASAN
static void test_address(void **state)
{
    (void)state;
    assert_reported(executor_shared_overflow, "AddressSanitizer: use-after-poison");
    assert_reported(executor_dynamic_overflow, "AddressSanitizer: use-after-poison");
    assert_reported(executor_heap_overflow, "AddressSanitizer: heap-buffer-overflow");
    assert_reported(executor_misaligned, "misaligned address");
}
#endif

#ifdef TEST_TSAN
static void test_races(void **state)
{
    (void)state;
    assert_reported(executor_race_in_block, "ThreadSanitizer: data race");
    assert_reported(executor_race_in_warp, "ThreadSanitizer: data race");
    assert_reported(executor_race_of_blocks, "ThreadSanitizer: data race");
    assert_reported(executor_race_in_large_block, "ThreadSanitizer: data race");
    assert_reported(executor_race_of_many, "ThreadSanitizer: data race");
    assert_reported(executor_missing_fence, "ThreadSanitizer: data race");
    assert_reported(executor_race_of_parts, "ThreadSanitizer: data race");
    assert_reported(executor_race_of_copies, "ThreadSanitizer: data race");
    assert_reported(executor_race_after_phase, "ThreadSanitizer: data race");
}

/* The storage of collectives is used again too early. */
static void test_cub_races(void **state)
{
    assay_launch_fn *const plants[] = {
        executor_cub_block_reduce, executor_cub_warp_reduce,   executor_cub_block_scan,
        executor_cub_warp_scan,    executor_cub_exchange,      executor_cub_radix_sort,
        executor_cub_shuffle,      executor_cub_discontinuity,
    };

    (void)state;
    for (size_t k = 0; k < sizeof plants / sizeof plants[0]; k++)
        assert_reported(plants[k], "ThreadSanitizer: data race");
}
#endif

#if !defined(TEST_ASAN) && !defined(TEST_TSAN)
/* The gaps around shared arrays are checked when the block ends. */
static void test_shared_gap(void **state)
{
    const outcome o = run_apart(executor_shared_overflow);

    (void)state;
    assert_int_equal(o.status, 0);
    if (!strstr(o.report, "shared array values of 120 bytes (executor_report_kernels.cu:") ||
        !strstr(o.report, "was written beyond its end, at byte 120"))
        fail_msg("no report of the array: %s", o.report);
}
#endif

/* The note is printed on request only. */
static void test_note(void **state)
{
    char    place[64];
    outcome o;

    (void)state;
    assert_int_equal(unsetenv("ASSAY_HOST_NOTES"), 0);
    o = run_apart(executor_early_exit);
    assert_int_equal(o.status, 0);
    assert_null(strstr(o.report, "note"));
    assert_int_equal(setenv("ASSAY_HOST_NOTES", "1", 1), 0);
    o = run_apart(executor_early_exit);
    assert_int_equal(o.status, 0);
    (void)snprintf(place, sizeof place, "executor_report_kernels.cu:%d", o.line);
    if (!strstr(o.report, "1 block barriers opened without threads that had exited") ||
        !strstr(o.report, place))
        fail_msg("no note of %s in: %s", place, o.report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if defined(TEST_ASAN)
        cmocka_unit_test(test_address),
#elif defined(TEST_TSAN)
        cmocka_unit_test(test_races),
        cmocka_unit_test(test_cub_races),
#else
        cmocka_unit_test(test_shared_gap),
#endif
        cmocka_unit_test(test_note),
    };

    executor_report_line = mmap(NULL, sizeof *executor_report_line, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (executor_report_line == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
