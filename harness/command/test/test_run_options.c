/* A request as the text that is stored with a run, and the request that resume reads from it. */
#include "request_fixture.h"

#include "command/run_options.h"

static const assay_target target = { .module_path  = "/modules/mine.so",
                                     .device_index = 3,
                                     .info         = { .kind = "cuda" } };

/* The exact lines: files of older versions hold the same. */
static void test_stored_text(void **state)
{
    assay_run_request request = request_of("bench", ASSAY_RUN_BENCH);
    char              text[4096];

    (void)state;
    assert_int_equal(assay_run_options_write(&request, &target, text, sizeof text), ASSAY_OK);
    assert_string_equal(text, "--device=cuda\n--gpu=3\n--kernels=\n--processes=0\n--time=0\n"
                              "--target-error=0\n--flush=write\n--tune=0\n--against-itself=0\n"
                              "--metrics=\n--replay=user\n--benchmark-flags=0\n"
                              "--strict-memory-model=0\n");
    request.repeats        = "some-uuid";
    request.target.kernels = "mine.so";
    assert_int_equal(assay_run_options_write(&request, &target, text, sizeof text), ASSAY_OK);
    assert_non_null(strstr(text, "--kernels=/modules/mine.so\n"));
    assert_non_null(strstr(text, "--strict-memory-model=0\n--repeats=some-uuid\n"));
}

/* The options that were given come back, whatever the command line of resume has. */
static void test_there_and_back(void **state)
{
    const assay_run_request first =
        request_of("bench --kernels mine.so --processes 5 --time 1s --target-error 0.2 --flush "
                   "read --tune --against-itself",
                   ASSAY_RUN_BENCH);
    assay_run_options options;
    assay_run_request again;
    char              text[4096];

    (void)state;
    assert_int_equal(assay_run_options_write(&first, &target, text, sizeof text), ASSAY_OK);
    again = request_of("resume --budget 5s", ASSAY_RUN_BENCH);
    assay_run_options_read(text, &options, &again);
    assert_true(again.stages.times && again.stages.tunes);
    assert_false(again.stages.counts || again.stages.traces);
    assert_string_equal(again.target.device, "cuda");
    assert_int_equal(again.target.gpu, 3);
    assert_null(again.target.kernels); /* nothing that a database names is loaded */
    assert_string_equal(options.kernels, "/modules/mine.so");
    assert_int_equal(again.timing.n_processes, 5);
    assert_true(again.timing.time_s == first.timing.time_s);
    assert_true(again.timing.target_error == first.timing.target_error);
    assert_string_equal(again.timing.flush, "read");
    assert_true(again.timing.against_itself);
    assert_null(again.counting.metrics);
    assert_true(again.budget_s == 5);
    assert_int_equal(options.n_benchmark_flags, 0);
}

static void test_counting_there_and_back(void **state)
{
    const assay_run_request first =
        request_of("profile --metrics memory,stalls --replay kernel", ASSAY_RUN_PROFILE);
    assay_run_options options;
    assay_run_request again;
    char              text[4096];

    (void)state;
    assert_int_equal(assay_run_options_write(&first, &target, text, sizeof text), ASSAY_OK);
    again = request_of("resume", ASSAY_RUN_PROFILE);
    assay_run_options_read(text, &options, &again);
    assert_true(again.stages.counts);
    assert_false(again.stages.times || again.stages.traces || again.stages.tunes);
    assert_string_equal(again.counting.metrics, "memory,stalls");
    assert_string_equal(again.counting.replay, "kernel");
}

/* A script that a database names is reported and never run. */
static void test_a_script_is_told_alone(void **state)
{
    assay_run_request first = request_of("check", ASSAY_RUN_CHECK);
    assay_run_request again = request_of("resume", ASSAY_RUN_CHECK);
    assay_run_options options;
    char              text[4096];

    (void)state;
    first.script        = "/home/ada/mine.py";
    first.script_digest = "cbf43926-9";
    assert_int_equal(assay_run_options_write(&first, &target, text, sizeof text), ASSAY_OK);
    assay_run_options_read(text, &options, &again);
    assert_string_equal(options.script, "/home/ada/mine.py");
    assert_string_equal(options.script_digest, "cbf43926-9");
    assert_null(again.script);
}

/* An option that was cut short, or that has a line break, would come back as another one. */
static void test_what_cannot_be_stored(void **state)
{
    assay_run_request request = request_of("profile --metrics memory", ASSAY_RUN_PROFILE);
    assay_target      broken  = target;
    char              text[4096];

    (void)state;
    assert_failed_with(assay_run_options_write(&request, &target, text, 64), ASSAY_E_USAGE,
                       "too long to be stored");
    request.target.kernels = "mine.so";
    (void)snprintf(broken.module_path, sizeof broken.module_path, "/a\n--tune=1");
    assert_failed_with(assay_run_options_write(&request, &broken, text, sizeof text), ASSAY_E_USAGE,
                       "line break");
}

/* Unknown options, or none at all, change nothing in a request but the numbers. */
static void test_strange_options(void **state)
{
    assay_run_options options;
    assay_run_request request = request_of("resume", ASSAY_RUN_BENCH);

    (void)state;
    assay_run_options_read("", &options, &request);
    assert_string_equal(request.target.device, "auto");
    assert_string_equal(request.timing.flush, "write");
    assert_string_equal(request.counting.replay, "user");
    assert_false(request.stages.tunes);
    assay_run_options_read("--nonsense\n\n--flush=read\n--tune=x\n--processes=4", &options,
                           &request);
    assert_string_equal(request.timing.flush, "read");
    assert_false(request.stages.tunes);
    assert_int_equal(request.timing.n_processes, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stored_text),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_counting_there_and_back),
        cmocka_unit_test(test_a_script_is_told_alone),
        cmocka_unit_test(test_what_cannot_be_stored),
        cmocka_unit_test(test_strange_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
