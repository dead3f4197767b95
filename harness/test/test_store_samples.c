/* Raw samples: there and back, and damage found. */
#include "store_raw.h"

#include "store_internal.h"

/* ---- samples ---- */

static void test_crc32(void **state)
{
    (void)state;
    assert_int_equal(assay_crc32("123456789", 9), 0xCBF43926u); /* the published check value */
    assert_int_equal(assay_crc32("", 0), 0);
}

/* n samples in three blocks, the middle one empty. */
static int64_t put_many(fixture *f, int64_t n, double *samples)
{
    const int64_t           run     = begin_run(f, "run-1");
    const assay_point_row   p       = a_point("axpy", "naive", "", 64);
    const int64_t           id      = plan_point(f, run, &p);
    const assay_check_row   check   = a_check(0.5);
    const assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");
    const int64_t           ends[3] = { n / 3, n / 3, n };
    assay_measurement_row   m       = a_measurement("hot", 1000);

    for (int64_t i = 0; i < n; i++)
        samples[i] = 1000 + 0.125 * (double)i;
    m.n_samples = n;
    m.n_blocks  = 3;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_put_measurement(f->store, id, &m, samples, ends));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    return strtol(ask(f->path, "SELECT measurement_id FROM measurement"), NULL, 10);
}

static void test_samples_round_trip(void **state)
{
    enum {
        N = 100000
    };
    fixture *f       = *state;
    double  *written = malloc(N * sizeof *written), *read = NULL;
    int64_t *ends = NULL;
    int64_t  n = 0, n_blocks = 0, id;

    assert_non_null(written);
    open_store(f);
    id = put_many(f, N, written);
    assert_ok(assay_store_read_samples(f->store, id, &read, &n, &ends, &n_blocks));
    assert_int_equal(n, N);
    assert_int_equal(n_blocks, 3);
    assert_int_equal(ends[0], N / 3);
    assert_int_equal(ends[1], N / 3);
    assert_int_equal(ends[2], N);
    assert_memory_equal(read, written, N * sizeof *written);
    assert_string_equal(ask(f->path, "SELECT hex(substr(time_ns, 1, 8)) FROM sample_block"),
                        "0000000000408F40"); /* 1000.0, least significant byte first */
    assert_string_equal(ask(f->path, "SELECT group_concat(coalesce(median_ns, 'none')) FROM "
                                     "sample_block"),
                        "3083.25,none,9333.25");
    free(read);
    free(ends);
    free(written);
}

static const struct {
    const char *sql, *sentence;
} harm[] = {
    { "UPDATE sample_block SET time_ns = CAST(x'01' || substr(time_ns, 2) AS BLOB) WHERE block "
      "= "
      "2",
      "block 2: the checksum does not match" },
    { "UPDATE sample_block SET crc32 = crc32 + 4294967296 WHERE block = 0",
      "block 0: the checksum does not match" },
    { "UPDATE sample_block SET time_ns = substr(time_ns, 9), n_samples = n_samples - 1 WHERE "
      "block = 2",
      "checksum" },
    { "DELETE FROM sample_block WHERE block = 2", "blocks are missing" },
    { "DELETE FROM sample_block WHERE block = 0", "do not match the measurement" },
    { "DELETE FROM sample_block", "do not match the measurement" },
    { "UPDATE sample_block SET time_ns = zeroblob(80000), n_samples = 10000 WHERE block = 0",
      "number is not the one" },
    { "UPDATE measurement SET n_samples = 31", "blocks are missing" },
    { "UPDATE sample_block SET time_ns = NULL WHERE block = 0", "pruned" },
};

/* Damage of every kind is found on reading. */
static void test_samples_damaged(void **state)
{
    fixture *f = *state;
    double   written[30];
    double  *read;
    int64_t *ends;
    int64_t  n, n_blocks, id;
    char     sql[512];

    open_store(f);
    id = put_many(f, 30, written);
    assert_int_equal(run_sql(f->path, "DROP TRIGGER sample_block_kept; DROP TRIGGER "
                                      "sample_block_held; DROP TRIGGER measurement_kept"),
                     SQLITE_OK);
    for (size_t i = 0; i < sizeof harm / sizeof harm[0]; i++) {
        assert_int_equal(run_sql(f->path, "CREATE TABLE kept AS SELECT * FROM sample_block"),
                         SQLITE_OK);
        assert_int_equal(run_sql(f->path, harm[i].sql), SQLITE_OK);
        assert_fails(assay_store_read_samples(f->store, id, &read, &n, &ends, &n_blocks),
                     ASSAY_E_DATABASE, harm[i].sentence);
        assert_null(read);
        assert_null(ends);
        (void)snprintf(
            sql, sizeof sql,
            "UPDATE measurement SET n_samples = 30; DELETE FROM sample_block; INSERT INTO "
            "sample_block SELECT * FROM kept; DROP TABLE kept");
        assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
        assert_ok(assay_store_read_samples(f->store, id, &read, &n, &ends, &n_blocks));
        free(read);
        free(ends);
    }
    assert_fails(assay_store_read_samples(f->store, 99, &read, &n, &ends, &n_blocks),
                 ASSAY_E_DATABASE, "no measurement 99");
}

static void test_measurement_shape(void **state)
{
    static const struct {
        int64_t n_samples, n_blocks, ends[3];
    } bad[] = {
        { 4, 2, { 2, 3, 0 } },  /* samples left over */
        { 4, 2, { 2, 5, 0 } },  /* past the end */
        { 4, 3, { 3, 2, 4 } },  /* falls back */
        { 4, 2, { -1, 4, 0 } }, /* before the beginning */
        { 0, 1, { 0, 0, 0 } },  /* nothing */
        { 4, 0, { 4, 0, 0 } },  /* no block */
    };
    fixture              *f          = *state;
    const int64_t         run        = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p          = a_point("axpy", "naive", "", 64);
    const int64_t         id         = plan_point(f, run, &p);
    const double          samples[5] = { 1, 2, 3, 4, 5 };
    assay_measurement_row m          = a_measurement("cold", 1000);

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        m.n_samples = bad[i].n_samples;
        m.n_blocks  = bad[i].n_blocks;
        assert_ok(assay_store_begin_point(f->store, id));
        assert_fails(assay_store_put_measurement(f->store, id, &m, samples, bad[i].ends),
                     ASSAY_E_INTERNAL, "do not fit");
        assert_fails(assay_store_finish_point(f->store, id, &(assay_verdict_row) { 0 }),
                     ASSAY_E_INTERNAL, "not open");
    }
    assert_ok(assay_store_begin_point(f->store, id));
    put_measurement(f, id, "cold", 1000);
    m = a_measurement("cold", 2000);
    assert_fails(assay_store_put_measurement(f->store, id, &m, samples, (int64_t[]) { 2, 4 }),
                 ASSAY_E_INTERNAL, "UNIQUE");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "0");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(crc32),
        TEST(samples_round_trip),
        TEST(samples_damaged),
        TEST(measurement_shape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
