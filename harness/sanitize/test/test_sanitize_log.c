/* Parsing logs as compute-sanitizer writes them (the examples of its manual). */
#include "testing/testing.h"

#include "sanitize/sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *log, assay_gpu_line kind, assay_verdict verdict, int64_t n,
                   const char *line)
{
    const char      *at = log;
    assay_gpu_record record;
    char             text[ASSAY_REASON_SIZE];

    assert_true(assay_sanitize_next(&at, &record));
    assert_int_equal(record.kind, kind);
    assert_int_equal(record.verdict, verdict);
    assert_int_equal(record.n, n);
    assert_string_equal(assay_sanitize_line(&record, text, sizeof text), line);
    assert_false(assay_sanitize_next(&at, &record));
}

static const char outside[] =
    "========= Invalid __global__ write of size 4 bytes\n"
    "=========     at out_of_bounds_function()+0xb0 in memcheck_demo.cu:39\n"
    "=========     by thread (0,0,0) in block (0,0,0)\n"
    "=========     Address 0x87654320 is out of bounds\n"
    "=========         Device Frame: out_of_bounds_kernel()+0x30 in memcheck_demo.cu:44\n"
    "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
    "=========         Host Frame: main [0xae66] in memcheck_demo\n"
    "=========\n";
static const char race[] =
    "========= Error: Race reported between Write access at sumKernel(int *, int *)+0x90 in "
    "block_error.cu:41\n"
    "=========     and Read access at sumKernel(int *, int *)+0x100 in block_error.cu:51 [508 "
    "hazards]\n"
    "=========     and Write access at sumKernel(int *, int *)+0x110 in block_error.cu:52 [4 "
    "hazards]\n"
    "========= \n";

static void each_tool_has_its_reports(void **state)
{
    static const struct {
        const char   *log;
        assay_verdict verdict;
        int64_t       n;
        const char   *line;
    } reports[] = {
        { outside, ASSAY_OUT_OF_BOUNDS, 1,
          "Invalid __global__ write of size 4 bytes at out_of_bounds_function()+0xb0 in "
          "memcheck_demo.cu:39 by thread (0,0,0) in block (0,0,0) Address 0x87654320 is out of "
          "bounds" },
        { race, ASSAY_RACE, 512,
          "Error: Race reported between Write access at sumKernel(int *, int *)+0x90 in "
          "block_error.cu:41 and Read access at sumKernel(int *, int *)+0x100 in block_error.cu:51 "
          "[508 hazards] and Write access at sumKernel(int *, int *)+0x110 in block_error.cu:52 [4 "
          "hazards]" },
        { "========= ERROR: Potential WAW hazard detected at __shared__ 0x0 in block (0,0,0) :\n"
          "=========     Write Thread (0,0,0) at WAW()+0x2f0 in raceWAW.cu:20\n",
          ASSAY_RACE, 1,
          "ERROR: Potential WAW hazard detected at __shared__ 0x0 in block (0,0,0) : Write Thread "
          "(0,0,0) at WAW()+0x2f0 in raceWAW.cu:20" },
        { "========= Uninitialized __global__ memory read of size 4 bytes\n"
          "=========     at vectorAdd(int *)+0x70 in memset_error.cu:41\n",
          ASSAY_UNWRITTEN, 1,
          "Uninitialized __global__ memory read of size 4 bytes at vectorAdd(int *)+0x70 in "
          "memset_error.cu:41" },
        { " ========= Barrier error detected. Divergent thread(s) in block.\n"
          " =========     at myKernel(int *, int *)+0x11f0 in test.cu:42\n",
          ASSAY_MISUSE, 1,
          "Barrier error detected. Divergent thread(s) in block. at myKernel(int *, int *)+0x11f0 "
          "in test.cu:42" },
        { "========= Potential invalid __shared__ read of size 4 bytes\n", ASSAY_OUT_OF_BOUNDS, 1,
          "Potential invalid __shared__ read of size 4 bytes" },
        { "========= Deadlock detected in Cuda::barrier wait called by threads starting at "
          "(0,0,0) in block (0,0,0), (active mask: 0xffffffff)\n",
          ASSAY_DEADLOCK, 1,
          "Deadlock detected in Cuda::barrier wait called by threads starting at (0,0,0) in block "
          "(0,0,0), (active mask: 0xffffffff)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        expect(reports[i].log, ASSAY_GPU_REPORT, reports[i].verdict, reports[i].n, reports[i].line);
}

static void what_is_no_report_is_told_apart(void **state)
{
    (void)state;
    expect("========= ERROR SUMMARY: 2 errors\n", ASSAY_GPU_SUMMARY, ASSAY_PASS, 2,
           "ERROR SUMMARY: 2 errors");
    expect("========= RACECHECK SUMMARY: 20 hazards displayed (256 errors, 0 warnings)\n",
           ASSAY_GPU_SUMMARY, ASSAY_PASS, 20,
           "RACECHECK SUMMARY: 20 hazards displayed (256 errors, 0 warnings)");
    expect("========= ERROR SUMMARY: 924 errors were not printed. Use --print-limit option\n",
           ASSAY_GPU_UNKNOWN, ASSAY_PASS, 1,
           "ERROR SUMMARY: 924 errors were not printed. Use --print-limit option");
    expect("of the program\n========= COMPUTE-SANITIZER\r\nRunning\n", ASSAY_GPU_UNKNOWN,
           ASSAY_PASS, 1, "COMPUTE-SANITIZER");
    expect("========= Error: Device not supported. Please refer to the documentation\n",
           ASSAY_GPU_TROUBLE, ASSAY_PASS, 1,
           "Error: Device not supported. Please refer to the documentation");
}

/* A log is read to its end, whatever it contains. */
static void nothing_is_read_beyond_the_end(void **state)
{
    static const char *const odd[] = { "",
                                       "\n\n",
                                       "=========",
                                       "=========\n",
                                       "===",
                                       " ",
                                       "=========     at nothing",
                                       "========= [ hazards]",
                                       "========= SUMMARY: ",
                                       "========= \t\r\n=========     \r\n" };

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        char *log = strdup(odd[i]); /* a copy of its own, so that a sanitizer of the build sees
                                       reads past its end */
        const char      *at = log;
        assay_gpu_record record;
        char             text[16];

        assert_non_null(log);
        while (assay_sanitize_next(&at, &record)) {
            (void)assay_sanitize_line(&record, text, sizeof text);
            (void)assay_sanitize_is_at(&record, "x");
        }
        assert_int_equal(*at, '\0');
        free(log);
    }
    for (size_t cut = 0; cut < sizeof race; cut++) {
        char            *log = strndup(race, cut);
        const char      *at  = log;
        assay_gpu_record record;
        char             text[ASSAY_REASON_SIZE];

        assert_non_null(log);
        while (assay_sanitize_next(&at, &record)) {
            (void)assay_sanitize_line(&record, text, sizeof text);
            (void)assay_sanitize_is_at(&record, "sumKernel");
        }
        free(log);
    }
}

static void a_place_is_that_of_each_access(void **state)
{
    const char      *at = race;
    assay_gpu_record record;

    (void)state;
    assert_true(assay_sanitize_next(&at, &record));
    assert_true(assay_sanitize_is_at(&record, "sumKernel"));
    assert_true(assay_sanitize_is_at(&record, "block_error.cu"));
    assert_false(assay_sanitize_is_at(&record, "block_error.cu:41"));
    assert_false(assay_sanitize_is_at(&record, "[508 hazards]"));
    at = outside;
    assert_true(assay_sanitize_next(&at, &record));
    assert_true(assay_sanitize_is_at(&record, "out_of_bounds_function"));
    assert_true(
        assay_sanitize_is_at(&record, "out_of_bounds_kernel")); /* a lower frame of the stack */
    assert_false(assay_sanitize_is_at(&record, "main"));
    at = "========= Uninitialized __global__ memory read of size 4 bytes in a place\n";
    assert_true(assay_sanitize_next(&at, &record));
    assert_false(assay_sanitize_is_at(&record, "a place")); /* there is none without an access */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tool_has_its_reports),
        cmocka_unit_test(what_is_no_report_is_told_apart),
        cmocka_unit_test(nothing_is_read_beyond_the_end),
        cmocka_unit_test(a_place_is_that_of_each_access),
    };

    return cmocka_run_group_tests_name("sanitize_log", tests, NULL, NULL);
}
