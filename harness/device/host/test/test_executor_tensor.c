/* The host device's matrix instructions against plain loops over matrices that are not symmetric.
 * Registers are laid out as in the tables of PTX's documentation. */
#include "executor_tensor.h"

#include <limits.h>
#include <math.h>

enum place {
    HALF_K8,
    HALF_K16,
    WORD_K4,
    WORD_K8,
    BYTE_K16,
    BYTE_K32,
    BYTE_M8
};
#define DECLARE(name, M, K, A, B, Acc, place) assay_launch_fn executor_mma_##name;
TENSOR_LIST(DECLARE)
assay_launch_fn executor_mma_f64, executor_mma_partial, executor_matrix;

static const struct {
    const char      *name;
    assay_launch_fn *launch;
    int              m, k;
    const char      *a, *b, *sum; /* types by name */
    enum place       place;
} instructions[] = {
#define ROW(name, M, K, A, B, Acc, place) { #name, executor_mma_##name, M, K, #A, #B, #Acc, place },
    TENSOR_LIST(ROW)
#undef ROW
};
enum {
    N_INSTRUCTIONS = (int)(sizeof instructions / sizeof instructions[0])
};

/* ---- where element i of a lane lies, from the documentation */

static void place_in_a(enum place place, int lane, int i, int *row, int *column)
{
    const int group = lane >> 2, in_group = lane % 4;

    switch (place) {
    case HALF_K8:
        *row    = i < 2 ? group : group + 8;
        *column = in_group * 2 + (i & 1);
        break;
    case HALF_K16:
        *row    = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
        *column = i < 4 ? in_group * 2 + (i & 1) : in_group * 2 + (i & 1) + 8;
        break;
    case WORD_K4:
        *row    = i == 0 ? group : group + 8;
        *column = in_group;
        break;
    case WORD_K8:
        *row    = i == 0 || i == 2 ? group : group + 8;
        *column = i < 2 ? in_group : in_group + 4;
        break;
    case BYTE_K16:
        *row    = i < 4 ? group : group + 8;
        *column = in_group * 4 + (i & 3);
        break;
    case BYTE_K32:
        *row    = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
        *column = i < 8 ? in_group * 4 + (i & 3) : in_group * 4 + (i & 3) + 16;
        break;
    case BYTE_M8:
        *row    = group;
        *column = in_group * 4 + (i & 3);
        break;
    }
}

static void place_in_b(enum place place, int lane, int i, int *row, int *column)
{
    const int in_group = lane % 4;

    *column = lane >> 2;
    switch (place) {
    case HALF_K8:
        *row = in_group * 2 + i;
        break;
    case HALF_K16:
        *row = i < 2 ? in_group * 2 + (i & 1) : in_group * 2 + (i & 1) + 8;
        break;
    case WORD_K4:
        *row = in_group;
        break;
    case WORD_K8:
        *row = i == 0 ? in_group : in_group + 4;
        break;
    case BYTE_K16:
    case BYTE_M8:
        *row = in_group * 4 + i;
        break;
    case BYTE_K32:
        *row = i < 4 ? in_group * 4 + (i & 3) : in_group * 4 + (i & 3) + 16;
        break;
    }
}

static void place_in_c(int lane, int i, int *row, int *column)
{
    *row    = i < 2 ? lane >> 2 : (lane >> 2) + 8;
    *column = lane % 4 * 2 + (i & 1);
}

/* ---- mma.sync */

static double a_of(int which, int row, int column)
{
    return number(1, row, column, instructions[which].a[0] != 'u');
}
static double b_of(int which, int row, int column)
{
    return number(2, row, column, instructions[which].b[0] != 'u');
}
static double c_of(int row, int column) { return number(3, column, row, true); }

static double product(int which, int row, int column)
{
    double sum = c_of(row, column);

    for (int k = 0; k < instructions[which].k; k++)
        sum += a_of(which, row, k) * b_of(which, k, column);
    return sum;
}

static void fill_lane(int which, int lane, struct tensor_registers *r)
{
    const assay_type a = type_named(instructions[which].a), b = type_named(instructions[which].b),
                     c = type_named(instructions[which].sum);
    const int m = instructions[which].m, k = instructions[which].k;
    int       row, column;

    memset(r, 0xa5, sizeof *r);
    for (int i = 0; i < m * k / 32; i++) {
        place_in_a(instructions[which].place, lane, i, &row, &column);
        assay_type_store(a, r->a, i, a_of(which, row, column));
    }
    for (int i = 0; i < 8 * k / 32; i++) {
        place_in_b(instructions[which].place, lane, i, &row, &column);
        assay_type_store(b, r->b, i, b_of(which, row, column));
    }
    for (int i = 0; i < m * 8 / 32; i++) {
        place_in_c(lane, i, &row, &column);
        assay_type_store(c, r->c, i, c_of(row, column));
    }
}

static void check_instruction(int which)
{
    struct tensor_registers lanes[32];
    void *const             buffers[] = { lanes };
    const assay_type        sum       = type_named(instructions[which].sum);
    int                     row, column;

    for (int lane = 0; lane < 32; lane++)
        fill_lane(which, lane, &lanes[lane]);
    run_on(instructions[which].launch, buffers, 0);
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < instructions[which].m * 8 / 32; i++) {
            place_in_c(lane, i, &row, &column);
            if (assay_type_load(sum, lanes[lane].d, i) != product(which, row, column))
                fail_msg("%s: element %d of lane %d is %g, not %g", instructions[which].name, i,
                         lane, assay_type_load(sum, lanes[lane].d, i), product(which, row, column));
        }
}

static void test_mma(void **state)
{
    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        for (int which = 0; which < N_INSTRUCTIONS; which++)
            check_instruction(which);
    }
    api->schedule(device, &schedules[0]);
}

static void test_mma_f64(void **state)
{
    double      lanes[32][6];
    void *const buffers[] = { lanes };

    (void)state;
    for (int lane = 0; lane < 32; lane++) {
        lanes[lane][0] = number(1, lane >> 2, lane % 4, true) / 3;
        lanes[lane][1] = number(2, lane % 4, lane >> 2, true);
        lanes[lane][2] = c_of(lane >> 2, lane % 4 * 2);
        lanes[lane][3] = c_of(lane >> 2, lane % 4 * 2 + 1);
    }
    run_on(executor_mma_f64, buffers, 0);
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 2; i++) {
            const int row = lane >> 2, column = lane % 4 * 2 + i;
            double    sum = c_of(row, column);

            for (int k = 0; k < 4; k++)
                sum += number(1, row, k, true) / 3 * number(2, k, column, true);
            assert_true(fabs(lanes[lane][4 + i] - sum) <= 0x1p-44);
        }
}

/* Sums of integers wrap or saturate; the last 13 bits of tf32 do not count. */
static void test_mma_limits(void **state)
{
    struct tensor_registers lanes[32];
    void *const             buffers[] = { lanes };

    (void)state;
    for (int saturates = 0; saturates < 2; saturates++) {
        for (int lane = 0; lane < 32; lane++) {
            memset(&lanes[lane], 0x80, sizeof lanes[lane]); /* -128 */
            for (int i = 0; i < 4; i++)
                lanes[lane].c[i] = INT_MAX - 5;
        }
        run_on(executor_mma_s8_k32, buffers, saturates);
        assert_int_equal(lanes[9].d[2], saturates ? INT_MAX : INT_MAX - 5u + 32 * 128 * 128);
    }
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 4; i++) {
            lanes[lane].a[i]     = 0x3f801fff; /* 1 and less than a unit of tf32 */
            lanes[lane].b[i % 2] = 0x3f800000;
            lanes[lane].c[i]     = 0;
        }
    run_on(executor_mma_tf32_k8, buffers, 0);
    assert_int_equal(lanes[30].d[3], 0x41000000); /* 8 */
}

static void test_a_lane_is_missing(void **state)
{
    struct tensor_registers lanes[32] = { 0 };
    void *const             buffers[] = { lanes };

    (void)state;
    assert_int_not_equal(launch_on(executor_mma_partial, buffers, 0).kind, ASSAY_FAULT_NONE);
}

/* ---- ldmatrix: matrix m has rows 8m to 8m + 7 */

static uint32_t pair(uint16_t low, uint16_t high) { return low | (uint32_t)high << 16; }

static void check_loaded(uint16_t (*rows)[8], const uint32_t (*out)[32][4])
{
    for (int lane = 0; lane < 32; lane++)
        for (int m = 0; m < 4; m++) {
            const int      row = 8 * m + lane / 4, at = lane % 4 * 2;
            const uint32_t straight = pair(rows[row][at], rows[row][at + 1]);
            const uint32_t turned =
                pair(rows[8 * m + at][lane / 4], rows[8 * m + at + 1][lane / 4]);

            for (int variant = 0; variant < 3; variant++) {
                const bool is_loaded = m < 1 << variant;

                assert_int_equal(out[variant][lane][m], is_loaded ? straight : 0xa5a5a5a5);
                assert_int_equal(out[3 + variant][lane][m], is_loaded ? turned : 0xa5a5a5a5);
            }
            if (m == 0)
                assert_int_equal(out[6][lane][0], turned);
        }
}

/* Lane 8m + r gave row 31 - (8m + r) of memory. */
static void check_stored(uint16_t (*rows)[8], const uint32_t (*out)[32][4])
{
    for (int row = 0; row < 32; row++)
        for (int i = 0; i < 4; i++) {
            const int from = 31 - row, first = from / 8 * 8, r = from % 8;

            assert_int_equal(out[7][row][i], pair(rows[from][2 * i], rows[from][2 * i + 1]));
            assert_int_equal(out[8][row][i],
                             pair(rows[first + 2 * i][r], rows[first + 2 * i + 1][r]));
        }
}

static void test_matrices(void **state)
{
    uint16_t rows[32][8];
    uint32_t out[9][32][4];

    (void)state;
    for (int i = 0; i < 256; i++)
        rows[i / 8][i % 8] = (uint16_t)(i * 257 + 3);
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        run_param(executor_matrix, rows, sizeof rows, out, sizeof out, NULL);
        check_loaded(rows, (const uint32_t(*)[32][4])out);
        check_stored(rows, (const uint32_t(*)[32][4])out);
    }
    api->schedule(device, &schedules[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mma),        cmocka_unit_test(test_mma_f64),
        cmocka_unit_test(test_mma_limits), cmocka_unit_test(test_a_lane_is_missing),
        cmocka_unit_test(test_matrices),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
