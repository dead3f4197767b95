/* The host device's nvcuda::wmma in each shape, type and layout, against a plain loop. */
#include "executor_tensor.h"

#include <limits.h>

assay_launch_fn executor_wmma, executor_wmma_more;

static const struct {
    int         m, n, k;
    const char *type, *sum;
} shapes[] = {
#define ROW(M, N, K, type, plain, sum) { M, N, K, #type, #sum },
    WMMA_LIST(ROW)
#undef ROW
};

static double wmma_sum(int which, int row, int column)
{
    const bool is_signed = shapes[which].type[0] != 'u';
    double     sum       = number(3, row, column, true);

    for (int k = 0; k < shapes[which].k; k++)
        sum += number(1, row, k, is_signed) * number(2, k, column, is_signed);
    return sum;
}

/* A matrix, by rows or by columns. */
static void fill_matrix(assay_type type, void *to, int number_of, int rows, int columns,
                        bool is_by_rows, bool is_signed)
{
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            assay_type_store(type, to, is_by_rows ? row * columns + column : column * rows + row,
                             number(number_of, row, column, is_signed));
}

static void check_wmma(int which, bool a_by_rows, bool b_by_rows)
{
    const int        m = shapes[which].m, n = shapes[which].n, k = shapes[which].k;
    const assay_type type = type_named(shapes[which].type), sum = type_named(shapes[which].sum);
    const bool       is_signed = shapes[which].type[0] != 'u';
    const int        variant   = (a_by_rows ? 0 : 2) + (b_by_rows ? 0 : 1);
    double           a[512], b[512], c[512], d[4 * 512];
    void *const      buffers[] = { a, b, c, d };

    fill_matrix(type, a, 1, m, k, a_by_rows, is_signed);
    fill_matrix(type, b, 2, k, n, b_by_rows, is_signed);
    fill_matrix(sum, c, 3, m, n, true, true);
    run_on(executor_wmma, buffers, which);
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++)
            assert_true(assay_type_load(sum, d, variant * m * n + column * m + row) ==
                        -wmma_sum(which, row, column));
}

static void test_wmma(void **state)
{
    (void)state;
    for (int which = 0; which < (int)(sizeof shapes / sizeof shapes[0]); which++)
        for (int variant = 0; variant < 4; variant++)
            check_wmma(which, variant < 2, variant % 2 == 0);
}

static void test_wmma_more(void **state)
{
    float out[4][32];

    (void)state;
    run(executor_wmma_more, out, sizeof out);
    for (int i = 0; i < 32; i++) {
        assert_true(out[0][i] == 16.25f);
        assert_true(out[1][i] == (float)INT_MAX);
        assert_true(out[2][i] == (float)(INT_MIN + 28));
        assert_true(out[3][i] == 1.0f + (float)((i + 4) / 8) * 0x1p-10f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wmma),
        cmocka_unit_test(test_wmma_more),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
