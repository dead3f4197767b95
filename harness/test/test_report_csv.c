/* The CSV report, read back by a parser of its own. */
#include "report_fixture.h"

/* ---- a reader of RFC 4180 ---- */

enum {
    MAX_FIELDS = 128,
    MAX_LINES  = 64
};

typedef struct {
    char *field[MAX_LINES][MAX_FIELDS];
    int   n_fields[MAX_LINES];
    int   n_lines;
    char *storage;
} csv;

/* One field at *from, unescaped at *to; both move on. Returns the character that ended it. */
static char read_field(const char **from, char **to)
{
    const bool quoted = **from == '"';
    char       end;

    if (quoted)
        (*from)++;
    for (;;) {
        if (**from == '\0')
            break;
        if (quoted && **from == '"') {
            if ((*from)[1] != '"') {
                (*from)++;
                break;
            }
            (*from)++;
        } else if (!quoted && strchr(",\r", **from)) {
            break;
        }
        if (!quoted)
            assert_null(strchr("\"\n", **from)); /* such a field must be quoted */
        *(*to)++ = *(*from)++;
    }
    *(*to)++ = '\0';
    end      = **from;
    assert_true(end == ',' || end == '\r');
    *from += end == '\r' ? 2 : 1;
    if (end == '\r')
        assert_int_equal((*from)[-1], '\n'); /* CR LF, always both */
    return end;
}

/* Caller frees storage. */
static csv parse_csv(const char *text)
{
    csv   c  = { .storage = malloc(2 * strlen(text) + 2) };
    char *to = c.storage;

    assert_non_null(c.storage);
    while (*text) {
        int  n   = 0;
        char end = ',';

        assert_true(c.n_lines < MAX_LINES);
        while (end == ',') {
            assert_true(n < MAX_FIELDS);
            c.field[c.n_lines][n++] = to;
            end                     = read_field(&text, &to);
        }
        c.n_fields[c.n_lines++] = n;
        assert_int_equal(n, c.n_fields[0]);
    }
    return c;
}

static const char *csv_get(const csv *c, int line, const char *column)
{
    for (int i = 0; i < c->n_fields[0]; i++)
        if (strcmp(c->field[0][i], column) == 0)
            return c->field[line][i];
    print_error("no column %s\n", column);
    fail();
    return NULL;
}

static double csv_number(const csv *c, int line, const char *column)
{
    char        *end;
    const char  *text  = csv_get(c, line, column);
    const double value = strtod(text, &end);

    assert_true(end != text && *end == '\0');
    return value;
}

/* ---- csv ---- */

static void test_csv(void **state)
{
    fixture *f = *state;
    char    *text;
    csv      c;

    (void)write_run(f);
    text = report_of(f, 0, "csv");
    c    = parse_csv(text);
    /* header; naive cold 2 blocks; vec4 cold and hot 2 blocks each; seven points without any */
    assert_int_equal(c.n_lines, 1 + 2 + 4 + 7);
    assert_string_equal(c.field[0][0], "run_uuid");
    for (int i = 0; i < c.n_fields[0]; i++) /* no name twice */
        for (int k = 0; k < i; k++)
            assert_string_not_equal(c.field[0][i], c.field[0][k]);
    assert_string_equal(csv_get(&c, 1, "case"), "axpy");
    assert_string_equal(csv_get(&c, 1, "key"), "axpy/naive/n=1000000");
    assert_string_equal(csv_get(&c, 1, "config"), "n=1000000");
    assert_string_equal(csv_get(&c, 1, "device_uuid"), "GPU-1234");
    assert_string_equal(csv_get(&c, 2, "block"), "1");
    assert_true(csv_number(&c, 1, "block_median_ns") == 21000);
    assert_true(csv_number(&c, 2, "block_median_ns") == 19000);
    assert_true(csv_number(&c, 1, "median_ns") == 20000);
    assert_true(csv_number(&c, 1, "q1_ns") == 20000 * 0.95); /* to the last bit */
    assert_true(csv_number(&c, 1, "gb_per_s") == 600);
    assert_true(csv_number(&c, 1, "gflop_per_s") == 100);
    assert_string_equal(csv_get(&c, 1, "speedup"), "");
    assert_string_equal(csv_get(&c, 1, "bytes_moved"), "");
    assert_true(csv_number(&c, 3, "speedup") == 2);
    assert_string_equal(csv_get(&c, 5, "regime"), "hot");
    assert_true(csv_number(&c, 5, "own_gb_per_s") == 3000);
    assert_true(csv_number(&c, 5, "u_out") == ASSAY_U32_ROUNDOFF);
    /* points without a measurement: verdict and empty numbers */
    assert_string_equal(csv_get(&c, 8, "key"), "axpy/vec4/n=65");
    assert_string_equal(csv_get(&c, 8, "verdict"), "WRONG_VALUE");
    assert_string_equal(csv_get(&c, 8, "outcome"), "failed");
    assert_string_equal(csv_get(&c, 8, "worst_ratio"), "inf");
    assert_string_equal(csv_get(&c, 8, "seed"), "18446744073709551615");
    assert_string_equal(csv_get(&c, 8, "median_ns"), "");
    assert_string_equal(csv_get(&c, 8, "regime"), "");
    assert_string_equal(csv_get(&c, 9, "outcome"), "caught");
    assert_string_equal(csv_get(&c, 13, "state"), "ready");
    assert_string_equal(csv_get(&c, 13, "verdict"), "");
    free(c.storage);
    free(text);
}

/* Hostile names through CSV and back. */
static void test_csv_hostile(void **state)
{
    fixture *f    = *state;
    int      line = 1;
    char    *text;
    csv      c;

    (void)write_hostile_run(f);
    text = report_of(f, 0, "csv");
    c    = parse_csv(text);
    for (size_t i = 0; i < N_HOSTILE; i++) {
        char key[128];

        (void)snprintf(key, sizeof key, "evil/%s/n=%zu", hostile[i], i);
        assert_string_equal(csv_get(&c, line, "variant"), hostile[i]);
        assert_string_equal(csv_get(&c, line, "key"), key);
        assert_string_equal(csv_get(&c, line, "reason"), i % 2 ? "" : hostile[i]);
        line += i % 2 ? 2 : 1;
    }
    assert_int_equal(c.n_lines, line);
    free(c.storage);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(csv),
        TEST(csv_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
