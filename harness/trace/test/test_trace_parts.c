/* In which range a launch was made, and the parts that names give. */
#include "testing/testing.h"
#include "trace/trace_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    THREAD = 4,
    OTHER  = 5
};

static assay_activity on_host(assay_activity_kind kind, const char *name, int64_t start_ns,
                              int64_t end_ns, uint32_t correlation_id, uint32_t thread)
{
    return (assay_activity) { .kind           = kind,
                              .name           = name,
                              .start_ns       = start_ns,
                              .end_ns         = end_ns,
                              .correlation_id = correlation_id,
                              .thread         = thread };
}

static assay_activity kernel(const char *name, int64_t start_ns, int64_t end_ns,
                             uint32_t correlation_id, uint32_t stream)
{
    return (assay_activity) { .kind           = ASSAY_ACTIVITY_KERNEL,
                              .name           = name,
                              .start_ns       = start_ns,
                              .end_ns         = end_ns,
                              .correlation_id = correlation_id,
                              .stream         = stream };
}

#define RANGE(name, from, to, thread) on_host(ASSAY_ACTIVITY_RANGE, name, from, to, 0, thread)
#define CALL(from, to, id)            on_host(ASSAY_ACTIVITY_API, "call", from, to, id, THREAD)

/* A launch belongs to the innermost range that is open when its call begins, on the same thread. A
 * range for which the case has no section does not count. */
static void test_a_launch_is_of_the_range_around_its_call(void **state)
{
    static const assay_section_name names[] = { { "outer", "all" },
                                                { "inner", "some" },
                                                { "elsewhere", "x" },
                                                { "later", "y" },
                                                { NULL, NULL } };
    static const char *const expected[] = { "outer", "inner", "inner", "later", NULL, NULL, NULL };
    assay_activity           records[]  = {
                   kernel("k", 900, 901, 1, 0), /* not in the order of their calls */
                   kernel("k", 800, 801, 2, 0),
                   kernel("k", 700, 701, 3, 0),
                   kernel("k", 600, 601, 4, 0),
                   kernel("k", 150, 151, 5, 0), /* called after all ranges, whenever it ran */
                   kernel("k", 150, 151, 6, 0), /* it has no call */
                   kernel("k", 150, 151, 0, 0),
                   RANGE("outer", 100, 400, THREAD),
                   RANGE("inner", 100, 200, THREAD),
                   RANGE("elsewhere", 250, 350, OTHER),
                   RANGE("later", 300, 310, THREAD),
                   RANGE("of nobody", 255, 280, THREAD),
                   CALL(260, 270, 1),
                   CALL(100, 200, 2),
                   CALL(120, 130, 3),
                   CALL(305, 320, 4), /* ends after "later", by another clock */
                   CALL(500, 510, 5),
    };
    const size_t n = sizeof records / sizeof records[0];

    (void)state;
    assert_int_equal(assay_trace_find_ranges(names, records, n), ASSAY_OK);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *range = records[i].range;

        if (range != expected[i] && !(range && expected[i] && strcmp(range, expected[i]) == 0))
            fail_msg("kernel %zu is of %s", i, range ? range : "no range");
    }
    assert_int_equal(assay_trace_find_ranges(NULL, NULL, 0), ASSAY_OK);
}

/* The case's name for the kernel comes first, then its name for the range. */
static void test_names_of_sections(void **state)
{
    static const assay_section_name names[] = { { "move", "movement" },
                                                { "step_sensing", "sensing" },
                                                { NULL, NULL } };
    static const struct {
        const char *kernel, *range, *section;
        bool        is_named;
    } rows[] = {
        { "_Z4moveIfEvPT_", "step_sensing", "movement", true },
        { "cos", "step_sensing", "sensing", true },
        { "cos", "step_steering", "cos", false },
        { "_Z3cosIfEvPT_", NULL, "cos", false },
        { NULL, NULL, "(unnamed)", false },
    };
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assay_activity record = kernel(rows[i].kernel, 0, 1, 0, 0);

        record.range = rows[i].range;
        assert_int_equal(assay_trace_name(names, &record, text, sizeof text), rows[i].is_named);
        assert_string_equal(text, rows[i].section);
    }
}

static void assert_part(const assay_trace_part *part, const char *name, uint32_t stream,
                        int64_t start_ns, int64_t end_ns)
{
    assert_string_equal(part->name, name);
    assert_string_equal(part->span.name, name);
    assert_int_equal(part->stream, stream);
    assert_int_equal(part->span.start_ns, start_ns);
    assert_int_equal(part->span.end_ns, end_ns);
}

/* Consecutive kernels of one section in a stream are one part. A kernel without a name is in no
 * part and ends the part before it. */
static void test_parts(void **state)
{
    static const assay_section_name names[]   = { { "blur", "diffusion" },
                                                  { "decay", "diffusion" },
                                                  { NULL, NULL } };
    const assay_activity            records[] = {
                   kernel("blur", 300, 400, 0, 1),
                   kernel("blur", 0, 100, 0, 1),
                   kernel("decay", 90, 95, 0, 1), /* during the one before */
                   kernel("blur", 20, 30, 0, 2),
                   kernel("other", 200, 210, 0, 1),
                   kernel("blur", 8, 7, 0, 1), /* ends before it starts */
                   CALL(0, 1000, 3),
    };
    assay_trace_part *parts = NULL;
    size_t            n     = 9;

    (void)state;
    assert_int_equal(assay_trace_find_parts(names, records, 7, &parts, &n), ASSAY_OK);
    assert_int_equal(n, 3);
    assert_part(&parts[0], "diffusion", 1, 0, 100);
    assert_part(&parts[1], "diffusion", 1, 300, 400);
    assert_part(&parts[2], "diffusion", 2, 20, 30);
    free(parts);
    assert_int_equal(assay_trace_find_parts(NULL, records, 7, &parts, &n), ASSAY_OK);
    assert_int_equal(n, 0);
    free(parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_launch_is_of_the_range_around_its_call),
        cmocka_unit_test(test_names_of_sections),
        cmocka_unit_test(test_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
