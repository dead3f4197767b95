/* The host device: correct kernels give correct answers under every schedule. */
#include "case.h"
#include "executor_test.h"

assay_launch_fn executor_shuffle, executor_shuffle_types, executor_vote, executor_active,
    executor_index, executor_barrier_vote, executor_block, executor_shared_identity,
    executor_early_return, executor_groups, executor_atomics, executor_grid, executor_queue,
    executor_lock, executor_last_block, executor_fence, executor_arrival, executor_clock;

/* Repeats a test under each schedule. */
#define UNDER_EACH_SCHEDULE(i)                                                                     \
    for (int i = 0; i < N_SCHEDULES && (api->schedule(device, &schedules[i]), true); i++)

/* ---- warp operations */

/* The lane of a warp from which operation `row` of shuffle_kernel reads. */
static unsigned shuffle_source(int row, unsigned lane)
{
    const bool is_even = lane % 2 == 0;

    switch (row) {
    case 0:
        return 5;
    case 1:
        return lane / 8 * 8 + lane * 7 % 8;
    case 2:
        return lane < 3 ? lane : lane - 3;
    case 3:
        return lane % 8 < 3 ? lane : lane - 3;
    case 4:
        return lane > 28 ? lane : lane + 3;
    case 5:
        return lane % 16 > 13 ? lane : lane + 2;
    case 6:
        return lane ^ 5;
    case 7: /* a later group gives its own value, an earlier one the other's value */
        return (lane ^ 12) / 8 > lane / 8 ? lane : lane ^ 12;
    case 8:
        return is_even ? lane ^ 2 : 31;
    default:
        return is_even ? (lane % 4 < 2 ? lane + 2 : lane) : (lane % 4 < 2 ? lane : lane - 2);
    }
}

static void test_shuffle(void **state)
{
    unsigned out[10][96];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_shuffle, out, sizeof out);
        for (int row = 0; row < 10; row++)
            for (unsigned i = 0; i < 96; i++)
                assert_int_equal(out[row][i], 1000 + i / 32 * 32 + shuffle_source(row, i % 32));
    }
}

static void test_shuffle_types(void **state)
{
    int out[32];

    (void)state;
    run(executor_shuffle_types, out, sizeof out);
    for (int i = 0; i < 32; i++)
        assert_int_equal(out[i], 1);
}

/* What vote_kernel gives in each row, in its two warps of 32 and 16 lanes. */
static unsigned vote_expected(int row, unsigned i)
{
    const bool     is_first = i < 32;
    const unsigned lane = i % 32, all = is_first ? 0xffffffffu : 0xffffu;

    switch (row) {
    case 0:
        return 0x49249249u & all;
    case 1:
        return !is_first;
    case 2:
        return is_first;
    case 3:
        return 0xfu << lane / 4 * 4;
    case 4:
        return all;
    case 5:
        return 1;
    case 6:
    case 7:
        return 0;
    case 8:
        return is_first ? 496 : 32 * 16 + 120;
    case 9:
        return (unsigned)(is_first ? 5 - 31 : 5 - 47);
    case 10:
        return is_first ? 31 : 47;
    case 11:
        return 0xfffffff0u;
    case 12:
        return all;
    default:
        return 0; /* 0 ^ 1 ^ ... ^ 31, and 32 ^ ... ^ 47 */
    }
}

static void test_vote(void **state)
{
    unsigned out[14][48];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_vote, out, sizeof out);
        for (int row = 0; row < 14; row++)
            for (unsigned i = 0; i < 48; i++)
                assert_int_equal(out[row][i], vote_expected(row, i));
    }
}

static void test_active(void **state)
{
    unsigned out[33];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        bool seen[96] = { false };

        run(executor_active, out, sizeof out);
        assert_int_equal(out[0], 32);
        for (int i = 1; i <= 32; i++) {
            assert_in_range(out[i], 0, 95);
            assert_int_equal(out[i] % 3, 0);
            assert_false(seen[out[i]]);
            seen[out[i]] = true;
        }
    }
}

/* ---- blocks */

static void test_index(void **state)
{
    unsigned out[24][30];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_index, out, sizeof out);
        for (unsigned b = 0; b < 24; b++)
            for (unsigned t = 0; t < 30; t++)
                assert_int_equal(out[b][t], t % 5 + 10 * (t / 5 % 3) + 100 * (t / 15) +
                                                1000 * (b % 2) + 10000 * (b / 2 % 3) +
                                                100000 * (b / 6));
    }
}

static void test_barrier_vote(void **state)
{
    int out[200];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_barrier_vote, out, sizeof out);
        for (int i = 0; i < 200; i++)
            /* Counts are 20, 40, ... 200. All threads are below 100 * round from round 2 on. One of
             * them is 0, 50, 100 or 150. */
            assert_int_equal(out[i], 1100 + 8 * 1000 + 4 * 100000);
    }
}

static void test_block(void **state)
{
    enum {
        N_BLOCKS = 9
    };
    static float  in[N_BLOCKS][32][32], out[N_BLOCKS][1025];
    const int64_t param[1] = { N_BLOCKS };

    (void)state;
    for (int b = 0; b < N_BLOCKS; b++)
        for (int i = 0; i < 1024; i++)
            in[b][i / 32][i % 32] = (float)(b * 1024 + i);
    UNDER_EACH_SCHEDULE(s)
    {
        run_param(executor_block, in, sizeof in, out, sizeof out, param);
        for (int b = 0; b < N_BLOCKS; b++) {
            for (int i = 0; i < 1024; i++)
                assert_true(out[b][i] == in[b][i % 32][i / 32]);
            assert_true(out[b][1024] == (float)(1024 * 1024 * b + 1023 * 512));
        }
    }
}

/* The content of shared memory that nobody has written: NaN, or large, or small as fp32 or as
 * int. */
static unsigned shared_fill(assay_order order, int block)
{
    if (order == ASSAY_ASCENDING)
        return ASSAY_SHARED_NAN << 16 | ASSAY_SHARED_NAN;
    if (order == ASSAY_DESCENDING)
        return 0x7f7f7f7fu;
    return block % 2 == 0 ? 0xfefefefeu : 0x80808080u;
}

static void test_shared_identity(void **state)
{
    int out[8 * 3];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_shared_identity, out, sizeof out);
        for (int b = 0; b < 8; b++) {
            assert_int_equal(out[3 * b], 1);
            assert_int_equal(out[3 * b + 1], 1);
            assert_int_equal((unsigned)out[3 * b + 2], shared_fill(schedules[s].order, b));
        }
    }
}

static void test_early_return(void **state)
{
    int out[128];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_early_return, out, sizeof out);
        for (int i = 0; i < 64; i++) {
            assert_int_equal(out[64 + i], 1); /* nothing ran twice */
            assert_int_equal(out[i], i < 40 ? 139 - i : 0);
        }
    }
}

static void test_groups(void **state)
{
    unsigned out[9][48];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_groups, out, sizeof out);
        for (unsigned i = 0; i < 48; i++) {
            const unsigned tile = i / 8 * 8, rank = i % 8;
            unsigned       votes = 0;

            for (unsigned k = 0; k < 8; k++)
                votes |= ((tile + k) % 3 == 0 ? 1u : 0u) << k;
            assert_int_equal(out[0][i], 8 * tile + 28);
            assert_int_equal(out[1][i], votes);
            assert_int_equal(out[2][i], rank + 3 < 8 ? i + 3 : i);
            assert_int_equal(out[3][i], tile + (rank ^ 5));
            assert_int_equal(out[4][i], i % 2 ? 0xaa : 0x55);
            assert_int_equal(out[5][i], i / 8 * 100 + rank);
            assert_int_equal(out[6][i], 2 * (tile + 3) + 4);
            assert_int_equal(out[7][i], i / 4 * 4 + 3);
            assert_int_equal(out[8][i], tile == 0 ? 2 : tile == 8 ? 1 : 0);
        }
    }
}

/* ---- atomics and grids; the structures repeat those of the kernels */

struct counters {
    int                add, sub, low, high;
    unsigned           bits_or, bits_and, bits_xor, wrapped_up, wrapped_down, by_cas;
    unsigned long long wide, wide_high;
    float              sum;
    double             wide_sum;
    long long          wide_low;
    unsigned           last;
};

static void test_atomics(void **state)
{
    const int       n = 40 * 256;
    struct counters c;

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_atomics, &c, sizeof c);
        assert_int_equal(c.add, n);
        assert_int_equal(c.sub, -2 * n);
        assert_int_equal(c.low, 1 - n);
        assert_int_equal(c.high, n - 1);
        assert_int_equal(c.bits_or, 0xffffffffu);
        assert_int_equal(c.bits_and, 0x80000000u);
        assert_int_equal(c.bits_xor, 0);
        assert_int_equal(c.wrapped_up, n % 7);
        assert_int_equal(c.wrapped_down, (7 - n % 7) % 7);
        assert_int_equal(c.by_cas, 3 * n);
        assert_true(c.wide == (unsigned long long)n << 33);
        assert_true(c.wide_high == (unsigned long long)(n - 1) << 32);
        assert_true(c.sum == 0.5f * (float)n);
        assert_true(c.wide_sum == 0.25 * n);
        assert_true(c.wide_low == -(long long)(n - 1) * (1ll << 32));
        assert_in_range(c.last, 0, n - 1);
    }
}

static void test_grid(void **state)
{
    enum {
        N = 7 * 48
    };
    int out[2][N];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_grid, out, sizeof out);
        for (int i = 0; i < N; i++)
            assert_int_equal(out[0][i], (i + 10) % N + 10);
    }
}

struct ring {
    unsigned head, tail, turn[16], value[16];
    unsigned count, sum;
};

static void test_queue(void **state)
{
    const unsigned n = 3 * 32 * 20;
    struct ring    r;

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_queue, &r, sizeof r);
        assert_int_equal(r.head, n);
        assert_int_equal(r.tail, n);
        assert_int_equal(r.count, n);
        assert_int_equal(r.sum, n * (n - 1) / 2);
    }
}

static void test_lock(void **state)
{
    unsigned out[8];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_lock, out, sizeof out);
        assert_int_equal(out[2], 300);
        assert_int_equal(out[3], 600);
        assert_int_equal(out[4], 300);
    }
}

static void test_arrival(void **state)
{
    enum {
        N = 7 * 48
    };
    unsigned out[1 + 2 * N];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_arrival, out, sizeof out);
        assert_int_equal(out[0], 7);
        for (unsigned i = 0; i < N; i++)
            assert_int_equal(out[1 + N + i], 3 * ((i + 48) % N));
    }
}

static void test_last_block(void **state)
{
    unsigned in[50 * 128], out[2 + 50], sum = 0;

    (void)state;
    for (unsigned i = 0; i < 50 * 128; i++) {
        in[i] = i * i;
        sum += i * i;
    }
    UNDER_EACH_SCHEDULE(s)
    {
        run_param(executor_last_block, in, sizeof in, out, sizeof out, NULL);
        assert_int_equal(out[0], sum);
        assert_int_equal(out[1], 50);
    }
}

static void test_fence(void **state)
{
    unsigned out[96];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_fence, out, sizeof out);
        for (unsigned i = 0; i < 32; i++)
            assert_int_equal(out[i], 40 + i);
    }
}

static void test_clock(void **state)
{
    unsigned out[3];

    (void)state;
    UNDER_EACH_SCHEDULE(s)
    {
        run(executor_clock, out, sizeof out);
        assert_int_equal(out[0], 1);
        assert_int_equal(out[1], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffle),      cmocka_unit_test(test_shuffle_types),
        cmocka_unit_test(test_vote),         cmocka_unit_test(test_active),
        cmocka_unit_test(test_index),        cmocka_unit_test(test_barrier_vote),
        cmocka_unit_test(test_block),        cmocka_unit_test(test_shared_identity),
        cmocka_unit_test(test_early_return), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_atomics),      cmocka_unit_test(test_grid),
        cmocka_unit_test(test_queue),        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_arrival),      cmocka_unit_test(test_last_block),
        cmocka_unit_test(test_fence),        cmocka_unit_test(test_clock),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
