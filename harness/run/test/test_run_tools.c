/* Buffers of a process that runs under a tool of compute-sanitizer: nothing is done that would hide
 * a fault from the tool. */
#include "run/buffers.h"
#include "testing/run_fixture.h"

enum {
    GUARDS = 2 * 4096 /* both zones of a buffer */
};

static assay_buffers buffers;
static assay_inputs  inputs;

static assay_memory_space under(assay_gpu_tool tool)
{
    return (assay_memory_space) { &memory_api, NULL, tool };
}

static int64_t make(assay_gpu_tool tool)
{
    const assay_point point = point_of(0, N, false);

    toy_gpu.n_uploads = 0;
    assert_int_equal(assay_inputs_make(&inputs, &point, ASSAY_INPUT_EXACT, 0), ASSAY_OK);
    assert_int_equal(assay_buffers_create(under(tool), &inputs.shape, 400, &buffers), ASSAY_OK);
    return toy_gpu.bytes_used;
}

static void let_go(void)
{
    assay_buffers_free(&buffers);
    assay_inputs_free(&inputs);
    assert_int_equal(toy_gpu.bytes_used, 0);
}

/* Four buffers, one of them with a copy, and the workspace. */
static void memcheck_sees_where_buffers_end(void **state)
{
    const int64_t usual = make(ASSAY_GPU_TOOL_NONE);

    (void)state;
    let_go();
    assert_int_equal(make(ASSAY_GPU_TOOL_MEMCHECK), usual - 5 * GUARDS);
    assert_int_equal(buffers.total_bytes, 5 * 4 * N + 400);
    for (int b = 0; b < buffers.n; b++)
        assert_ptr_equal(buffers.data[b], buffers.base[b]);
    let_go();
    assert_int_equal(make(ASSAY_GPU_TOOL_RACECHECK), usual);
    let_go();
}

/* Without guard zones Assay cannot see a write past the end; the tool has to find it. */
static void a_check_without_guards_is_one(void **state)
{
    assay_collected collected                 = { .out = { NULL } };
    assay_verdict   verdict                   = ASSAY_NOT_RUN;
    char            reason[ASSAY_REASON_SIZE] = "";

    (void)state;
    (void)make(ASSAY_GPU_TOOL_MEMCHECK);
    assert_int_equal(assay_buffers_arm(&buffers, &inputs, 0, false), ASSAY_OK);
    assert_int_equal(assay_buffers_collect(&buffers, &inputs, 0, NULL, &collected, &verdict, reason,
                                           sizeof reason),
                     ASSAY_OK);
    assert_int_equal(verdict, ASSAY_PASS);
    ((float *)buffers.data[0])[0] += 1;
    assay_collected_free(&collected);
    assert_int_equal(assay_buffers_collect(&buffers, &inputs, 0, NULL, &collected, &verdict, reason,
                                           sizeof reason),
                     ASSAY_OK);
    assert_int_equal(verdict, ASSAY_INPUT_CHANGED);
    assay_collected_free(&collected);
    let_go();
}

static bool is_all(const void *bytes, unsigned char byte, size_t n)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < n; i++)
        if (at[i] != byte)
            return false;
    return true;
}

/* Apart from guard zones, only kernels write outputs and scratch. */
static void initcheck_sees_what_nobody_wrote(void **state)
{
    (void)state;
    for (int tool = ASSAY_GPU_TOOL_NONE; tool < ASSAY_N_GPU_TOOLS; tool++) {
        const bool is_initcheck = tool == ASSAY_GPU_TOOL_INITCHECK;

        (void)make((assay_gpu_tool)tool);
        memset(buffers.data[1], 0x5e, buffers.bytes[1]);
        memset(buffers.data[3], 0x5e, buffers.bytes[3]);
        memset(buffers.workspace, 0x5e, buffers.workspace_bytes);
        assert_int_equal(assay_buffers_arm(&buffers, &inputs, 0, false), ASSAY_OK);
        assert_int_equal(is_all(buffers.data[1], 0x5e, buffers.bytes[1]), is_initcheck);
        assert_int_equal(is_all(buffers.data[3], 0x5e, buffers.bytes[3]), is_initcheck);
        assert_int_equal(is_all(buffers.workspace, 0x5e, buffers.workspace_bytes), is_initcheck);
        assert_memory_equal(buffers.data[0], inputs.initial[0], buffers.bytes[0]);
        let_go();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(memcheck_sees_where_buffers_end, start_over),
        cmocka_unit_test_setup(a_check_without_guards_is_one, start_over),
        cmocka_unit_test_setup(initcheck_sees_what_nobody_wrote, start_over),
    };

    return cmocka_run_group_tests_name("run_tools", tests, NULL, NULL);
}
