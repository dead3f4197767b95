/* The host device's CUB: each collective against a plain loop, under every schedule, and mistakes
 * of users. The kernels compare, and count their comparisons. */
#include "executor_test.h"

#define RIGHT(X)                                                                                   \
    X(reduce_1)                                                                                    \
    X(reduce_33)                                                                                   \
    X(reduce_128)                                                                                  \
    X(reduce_3d)                                                                                   \
    X(reduce_types)                                                                                \
    X(reduce_fewer)                                                                                \
    X(warp_reduce_32)                                                                              \
    X(warp_reduce_8)                                                                               \
    X(warp_reduce_24)                                                                              \
    X(warp_reduce_1)                                                                               \
    X(scan_1)                                                                                      \
    X(scan_33)                                                                                     \
    X(scan_128)                                                                                    \
    X(scan_2d)                                                                                     \
    X(scan_arrays)                                                                                 \
    X(warp_scan_32)                                                                                \
    X(warp_scan_4)                                                                                 \
    X(direct)                                                                                      \
    X(striped)                                                                                     \
    X(vectorize)                                                                                   \
    X(transpose)                                                                                   \
    X(warp_transpose)                                                                              \
    X(timesliced)                                                                                  \
    X(direct_items)                                                                                \
    X(exchange_64)                                                                                 \
    X(exchange_32)                                                                                 \
    X(warp_direct)                                                                                 \
    X(warp_striped)                                                                                \
    X(warp_transposed)                                                                             \
    X(shuffle_1)                                                                                   \
    X(shuffle_50)                                                                                  \
    X(radix_int)                                                                                   \
    X(radix_byte)                                                                                  \
    X(radix_long)                                                                                  \
    X(radix_float)                                                                                 \
    X(radix_half)                                                                                  \
    X(radix_bits)                                                                                  \
    X(block_merge)                                                                                 \
    X(warp_merge)                                                                                  \
    X(histogram_sort)                                                                              \
    X(histogram_atomic)                                                                            \
    X(discontinuity_1)                                                                             \
    X(discontinuity_40)                                                                            \
    X(difference_1)                                                                                \
    X(difference_40)                                                                               \
    X(runs)

#define DECLARE(name) assay_launch_fn executor_cub_##name;
RIGHT(DECLARE)
DECLARE(other_size)
DECLARE(other_shape)
DECLARE(part_of_warp)
DECLARE(reuse)
DECLARE(far_scatter)
DECLARE(far_bin)
extern int executor_cub_line;

#define ROW(name) { #name, executor_cub_##name },
static const struct {
    const char      *name;
    assay_launch_fn *launch;
} right[] = { RIGHT(ROW) };

/* run_for_fault fills `out`; kernels that count in buf[1] need zeros there. */
static assay_fault run_counted(assay_launch_fn *launch, unsigned *out, size_t bytes)
{
    void            *buffer[2] = { NULL, device_memory(bytes) };
    const int64_t    count[2]  = { 0, (int64_t)bytes };
    const assay_args args      = { .buf = buffer, .count = count };
    assay_fault      fault, late;

    assert_int_equal(api->upload(device, buffer[1], out, bytes), ASSAY_OK);
    assert_int_equal(api->enqueue(device, launch, &args, &fault), ASSAY_OK);
    assert_int_equal(api->wait(device, &late), ASSAY_OK);
    assert_int_equal(api->download(device, out, buffer[1], bytes), ASSAY_OK);
    api->release(device, buffer[1]);
    return fault.kind != ASSAY_FAULT_NONE ? fault : late;
}

static void test_results(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof right / sizeof right[0]; k++)
        for (int s = 0; s < N_SCHEDULES; s++) {
            unsigned    out[3] = { 0 };
            assay_fault fault;

            api->schedule(device, &schedules[s]);
            fault = run_counted(right[k].launch, out, sizeof out);
            if (fault.kind != ASSAY_FAULT_NONE || out[0] != 0 || out[1] == 0)
                fail_msg("%s, schedule %d: %u of %u checks failed, one at line %u; %s",
                         right[k].name, s, out[0], out[1], out[2], fault.text);
        }
}

static const struct {
    assay_launch_fn *launch;
    const char      *words;
    bool             has_line; /* executor_cub_line has the line */
} wrong[] = {
    { executor_cub_other_size, "cub: BlockReduce<..., 256> in a block of 128 threads", true },
    { executor_cub_other_shape,
      "cub: BlockScan for a block of 16 x 16 x 1 in a block of 256 x 1 x 1 threads", true },
    { executor_cub_part_of_warp, "cub: WarpReduce<..., 32> from lane 0 on in a warp of 16 threads",
      true },
    { executor_cub_far_scatter, "cub: BlockExchange: an item goes to place 32 of 32", false },
    { executor_cub_far_bin, "cub: BlockHistogram: an item is in bin 16 of 16", false },
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        unsigned    out[3] = { 0 };
        char        place[64];
        assay_fault fault;

        api->schedule(device, &schedules[0]);
        fault = run_counted(wrong[k].launch, out, sizeof out);
        (void)snprintf(place, sizeof place, " at executor_cub_kernels.cu:%d", executor_cub_line);
        assert_int_equal(fault.kind, ASSAY_FAULT_OTHER);
        if (!strstr(fault.text, wrong[k].words) ||
            (wrong[k].has_line && !strstr(fault.text, place)))
            fail_msg("\"%s\" does not say \"%s\" and \"%s\"", fault.text, wrong[k].words, place);
    }
}

#ifndef TEST_TSAN
/* The mistake shows in the values, but not in every order (and as a race: see
 * test_executor_reports). */
static void test_reuse(void **state)
{
    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        unsigned out[3] = { 0 };

        api->schedule(device, &schedules[s]);
        run(executor_cub_reuse, out, sizeof out);
        assert_int_equal(out[0], schedules[s].order == ASSAY_ASCENDING);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_faults),
#ifndef TEST_TSAN
        cmocka_unit_test(test_reuse),
#endif
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
