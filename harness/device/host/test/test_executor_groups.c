/* The host device's cooperative groups against plain loops: tiles of every size, parts by label
 * and predicate, the block, its cluster and the grid; reduce, scans, shuffles. */
#include "executor_test.h"

assay_launch_fn executor_tiles, executor_parts, executor_block_group, executor_grid_token,
    executor_odd_tile, executor_left_tile;

enum {
    N_THREADS = 256,
    N_SIZES   = 9
};

/* The same as in executor_group_kernels.cu. */
struct tile_results {
    unsigned rank, meta_rank, meta_size, sum, largest, shuffled, wide_sum, any, all, before, upto;
};

static struct tile_results expect(unsigned i, unsigned size, unsigned parent)
{
    const unsigned      first = i / size * size;
    struct tile_results e     = { .rank      = i % size,
                                  .meta_rank = i % parent / size,
                                  .meta_size = parent / size,
                                  .shuffled  = first + size - 1 - i % size,
                                  .wide_sum  = 6 * first,
                                  .all       = 1 };

    for (unsigned k = first; k < first + size; k++) {
        const unsigned scattered = k * 7919u % 1009u;

        e.sum += k;
        e.largest = scattered > e.largest ? scattered : e.largest;
        e.any     = e.any || k == 5;
        e.all     = e.all && k < 100;
        e.before += k < i ? k + 1 : 0;
    }
    e.upto = e.before + i + 1;
    return e;
}

static void test_tiles(void **state)
{
    static struct tile_results out[N_SIZES + 1][N_THREADS];

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        run(executor_tiles, out, sizeof out);
        for (unsigned k = 0; k <= N_SIZES; k++)
            for (unsigned i = 0; i < N_THREADS; i++) {
                const struct tile_results e =
                    expect(i, k < N_SIZES ? 1u << k : 64, k < N_SIZES ? (unsigned)N_THREADS : 128);

                assert_memory_equal(&out[k][i], &e, sizeof e);
            }
    }
}

/* ---- parts */

/* A part has the threads of i's tile of 16 for which is_in holds. */
typedef bool is_in_fn(unsigned i, unsigned k);

static bool has_same_label(unsigned i, unsigned k) { return k * 7 % 3 == i * 7 % 3; }
static bool is_as_odd(unsigned i, unsigned k) { return k % 2 == i % 2; }
static bool is_all(unsigned i, unsigned k) { return i / 16 == k / 16; }
/* Groups of four among the even or odd threads, of which sixteen threads have eight each. */
static bool is_in_four(unsigned i, unsigned k)
{
    return is_as_odd(i, k) && k % 16 / 8 == i % 16 / 8;
}
/* Five of the eight threads are below ten: two pairs from the lowest, and the fifth alone. The
 * other three give a pair, and the third alone. */
static bool is_in_pair(unsigned i, unsigned k)
{
    const unsigned at_i = i % 16 / 2, at_k = k % 16 / 2;

    if (!is_as_odd(i, k) || (at_i < 5) != (at_k < 5))
        return false;
    return at_i < 5 ? at_i / 2 == at_k / 2 : (at_i - 5) / 2 == (at_k - 5) / 2;
}

static unsigned count(unsigned i, is_in_fn *is_in, unsigned *rank, unsigned *sum)
{
    unsigned n = *rank = *sum = 0;

    for (unsigned k = i / 16 * 16; k < i / 16 * 16 + 16; k++)
        if (is_in(i, k)) {
            *rank += k < i;
            *sum += k;
            n++;
        }
    return n;
}

static void check_part(const unsigned *got, unsigned i, is_in_fn *is_in, unsigned meta_rank,
                       unsigned meta_size)
{
    unsigned       rank, sum;
    const unsigned n = count(i, is_in, &rank, &sum);

    assert_int_equal(got[0], rank);
    assert_int_equal(got[1], n);
    assert_int_equal(got[2], meta_rank);
    assert_int_equal(got[3], meta_size);
    assert_int_equal(got[4], sum);
}

/* The rank of a label, in the order of the labels' first threads in the tile. */
static unsigned label_rank(unsigned i) { return (i * 7 % 3 + 3 - i / 16 * 16 * 7 % 3) % 3; }

static void test_parts(void **state)
{
    unsigned out[80][30];

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        run(executor_parts, out, sizeof out);
        for (unsigned i = 0; i < 80; i++) {
            const unsigned at = i % 16 / 2;

            check_part(&out[i][0], i, has_same_label, label_rank(i), 3);
            check_part(&out[i][5], i, is_as_odd, i % 2, 2);
            check_part(&out[i][10], i, is_in_four, i % 16 / 8, 2);
            check_part(&out[i][15], i, is_in_pair, at < 5 ? at / 2 : (at - 5) / 2, at < 5 ? 3 : 2);
            check_part(&out[i][20], i, is_all, 0, 1);
            assert_int_equal(out[i][25], 16);
            assert_int_equal(out[i][26], i % 16);
            assert_int_equal(out[i][27], i % 4);
            assert_int_equal(out[i][28], 80);
            assert_int_equal(out[i][29], i);
        }
    }
}

/* ---- block, cluster, grid */

static void test_block(void **state)
{
    unsigned out[2][72][8];

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        run(executor_block_group, out, sizeof out);
        for (unsigned b = 0; b < 2; b++) {
            unsigned largest = 0;

            for (unsigned i = 0; i < 72; i++) {
                const unsigned expected[8] = {
                    36 * 71, i * (i + 1) / 2, largest, i / 4 * 4 + 1, 77, 100, 36 * 71, b * 72 + i
                };

                assert_memory_equal(out[b][i], expected, sizeof expected);
                largest = i * 7919u % 1009u > largest ? i * 7919u % 1009u : largest;
            }
        }
    }
}

static void test_grid_token(void **state)
{
    unsigned out[2][96];

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        run(executor_grid_token, out, sizeof out);
        for (unsigned i = 0; i < 96; i++)
            assert_int_equal(out[0][i], (i + 33) % 96);
    }
}

static void assert_fault(assay_launch_fn *launch, assay_fault_kind kind, const char *words)
{
    unsigned out[64];

    for (int s = 0; s < N_SCHEDULES; s++) {
        assay_fault fault;

        api->schedule(device, &schedules[s]);
        fault = run_for_fault(launch, NULL, 0, out, sizeof out, NULL);
        if (fault.kind != kind || !strstr(fault.text, words) ||
            !strstr(fault.text, "executor_group_kernels.cu:"))
            fail_msg("kind %d, \"%s\" instead of \"%s\"", (int)fault.kind, fault.text, words);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    assert_fault(executor_odd_tile, ASSAY_FAULT_OTHER, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    assert_fault(executor_left_tile, ASSAY_FAULT_DEADLOCK,
                 "sync() of the group of 64 threads that begins with 0 at");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),    cmocka_unit_test(test_parts),
        cmocka_unit_test(test_block),    cmocka_unit_test(test_grid_token),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
