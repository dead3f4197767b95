/* Raw samples: written, read back, and damage found. */
#include "testing/store_raw.h"

#include "store/store_internal.h"

/* ---- samples ---- */

static void test_crc32(void **state)
{
    (void)state;
    assert_int_equal(assay_crc32("123456789", 9), 0xCBF43926u); /* the published check value */
    assert_int_equal(assay_crc32("", 0), 0);
    assert_int_equal(assay_crc32(NULL, 0), 0);
    assert_int_equal(assay_crc32("\0\0\0\0", 4), 0x2144DF1Cu);
}

/* n samples in three blocks, the middle one empty; the clocks of the first block are unknown. */
static int64_t put_many(fixture *f, int64_t n, double *samples, double *clocks)
{
    const int64_t           run       = begin_run(f, "run-1");
    const assay_point_row   p         = a_point("axpy", "naive", "", 64);
    const int64_t           id        = plan_point(f, run, &p);
    const assay_check_row   check     = a_check(0.5);
    const assay_verdict_row verdict   = a_verdict(ASSAY_PASS, "");
    assay_block             blocks[3] = { a_block(n / 3, 0), a_block(0, 0), a_block(n - n / 3, 1) };
    assay_measurement_row   m         = a_measurement(ASSAY_REGIME_HOT, 1000);

    for (int64_t i = 0; i < n; i++) {
        samples[i] = 1000 + 0.125 * (double)i;
        clocks[i]  = i < n / 3 || i == n - 1 ? (double)NAN : 1980 - 0.5 * (double)i;
    }
    m.n_samples         = n;
    m.n_blocks          = 3;
    blocks[0].median_ns = 3000.5; /* the timer's, which is not the plain median */
    blocks[2].median_ns = 9000.5;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_put_measurement(f->store, id, &m, samples, clocks, blocks));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    return strtol(ask(f->path, "SELECT measurement_id FROM measurement"), NULL, 10);
}

static void test_samples_round_trip(void **state)
{
    enum {
        N = 100000
    };
    fixture *f       = *state;
    double  *written = malloc(N * sizeof *written), *clocks = malloc(N * sizeof *clocks);
    assay_stored_samples read = { 0 };
    int64_t              id;

    assert_non_null(written);
    assert_non_null(clocks);
    open_store(f);
    id = put_many(f, N, written, clocks);
    assert_ok(assay_store_read_samples(f->store, id, &read));
    assert_int_equal(read.n_samples, N);
    assert_int_equal(read.n_blocks, 3);
    assert_int_equal(read.blocks[0].n_samples, N / 3);
    assert_int_equal(read.blocks[1].n_samples, 0);
    assert_int_equal(read.blocks[2].n_samples, N - N / 3);
    assert_memory_equal(read.time_ns, written, N * sizeof *written);
    for (int64_t i = 0; i < N; i++)
        assert_true(isnan(clocks[i]) ? isnan(read.sm_clock_mhz[i])
                                     : read.sm_clock_mhz[i] == clocks[i]);
    assert_string_equal(ask(f->path, "SELECT hex(substr(time_ns, 1, 8)) FROM sample_block"),
                        "0000000000408F40"); /* 1000.0, least significant byte first */
    assert_string_equal(ask(f->path, "SELECT group_concat(coalesce(median_ns, 'none')) FROM "
                                     "sample_block"),
                        "3000.5,none,9000.5");
    /* A block without any known clock stores none. */
    assert_string_equal(ask(f->path, "SELECT group_concat(clock_mhz IS NULL AND clock_crc32 IS "
                                     "NULL) FROM sample_block"),
                        "1,1,0");
    assay_stored_samples_free(&read);
    assay_stored_samples_free(NULL);
    free(written);
    free(clocks);
}

/* Everything known about a block is read back, and the unknown is read back as unknown. */
static void test_blocks_round_trip(void **state)
{
    fixture                *f          = *state;
    const int64_t           run        = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row   p          = a_point("axpy", "naive", "", 64);
    const int64_t           id         = plan_point(f, run, &p);
    const assay_check_row   check      = a_check(0.5);
    const assay_verdict_row verdict    = a_verdict(ASSAY_PASS, "");
    const double            samples[3] = { 7, 5, 9 };
    const assay_block       known      = { .n_samples            = 3,
                                           .n_throttled          = 2,
                                           .n_discarded          = 1,
                                           .process              = 4,
                                           .order                = 17,
                                           .start_s              = 0.125,
                                           .median_ns            = 7,
                                           .median_cycles        = 13860,
                                           .sm_clock_mhz         = 1980,
                                           .reasons              = 0x24,
                                           .memory_mhz           = 2619,
                                           .temperature_c        = 0,
                                           .power_before_w       = 310.5,
                                           .power_after_w        = 320.25,
                                           .energy_j             = 1.5,
                                           .memory_before_mhz    = 2600,
                                           .temperature_before_c = 41 };
    const assay_block       blocks[2]  = { known, a_block(0, 4) };
    assay_measurement_row   m          = a_measurement(ASSAY_REGIME_HOT, 7);
    assay_stored_samples    read       = { 0 };

    m.n_samples = 3;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_put_measurement(f->store, id, &m, samples, NULL, blocks));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    assert_ok(assay_store_read_samples(f->store, 1, &read));
    assert_memory_equal(&read.blocks[0], &known, sizeof known);
    assert_true(isnan(read.blocks[1].median_ns) && isnan(read.blocks[1].power_before_w) &&
                isnan(read.blocks[1].energy_j) && isnan(read.sm_clock_mhz[2]));
    assert_int_equal(read.blocks[1].reasons, -1);
    assert_int_equal(read.blocks[1].temperature_c, -1);
    assert_int_equal(read.blocks[1].temperature_before_c, -1);
    assert_int_equal(read.blocks[1].memory_before_mhz, -1);
    assay_stored_samples_free(&read);
}

/* Every sample was invalid: the measurement has that flag, and no time. */
static void test_no_valid_sample(void **state)
{
    fixture                *f       = *state;
    const int64_t           run     = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row   p       = a_point("axpy", "naive", "", 64);
    const int64_t           id      = plan_point(f, run, &p);
    const assay_check_row   check   = a_check(0.5);
    const assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");
    assay_block             block   = a_block(0, 0);
    assay_measurement_row   m       = a_measurement(ASSAY_REGIME_COLD, 1000); /* stale statistics */
    assay_stored_samples    read    = { 0 };

    block.n_throttled = 50;
    m.n_samples       = 0;
    m.n_blocks        = 1;
    m.n_throttled     = 50;
    (void)snprintf(m.stop_reason, sizeof m.stop_reason, "throttled");
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    m.decides = true; /* decides, but without any sample */
    assert_fails(assay_store_put_measurement(f->store, id, &m, NULL, NULL, &block),
                 ASSAY_E_INTERNAL, "CHECK");
    m.decides = false;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_put_measurement(f->store, id, &m, NULL, NULL, &block));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    assert_string_equal(ask(f->path, "SELECT n_samples = 0 AND median_ns IS NULL AND stdev_ns IS "
                                     "NULL AND n_throttled = 50 FROM measurement"),
                        "1");
    assert_ok(assay_store_read_samples(f->store, 1, &read));
    assert_int_equal(read.n_samples, 0);
    assert_int_equal(read.blocks[0].n_throttled, 50);
    assay_stored_samples_free(&read);
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
    { "UPDATE sample_block SET time_ns = substr(time_ns, 9), clock_mhz = substr(clock_mhz, 9), "
      "n_samples = n_samples - 1 WHERE block = 2",
      "checksum" },
    { "DELETE FROM sample_block WHERE block = 2", "blocks are missing" },
    { "DELETE FROM sample_block WHERE block = 0", "do not match the measurement" },
    { "DELETE FROM sample_block", "do not match the measurement" },
    { "UPDATE sample_block SET time_ns = zeroblob(80000), n_samples = 10000 WHERE block = 0",
      "number is not the one" },
    { "UPDATE measurement SET n_samples = 31", "blocks are missing" },
    { "UPDATE sample_block SET time_ns = NULL WHERE block = 0", "pruned" },
    { "UPDATE sample_block SET clock_mhz = NULL WHERE block = 2", "pruned" },
    { "UPDATE sample_block SET clock_mhz = CAST(x'01' || substr(clock_mhz, 2) AS BLOB) WHERE block "
      "= 2",
      "block 2: the checksum does not match" },
    { "UPDATE measurement SET n_samples = 5", "number is not the one" },
    { "UPDATE measurement SET n_blocks = 9223372036854775807", "impossible counts" },
};

/* Every kind of damage is found on reading. */
static void test_samples_damaged(void **state)
{
    fixture             *f = *state;
    double               written[30], clocks[30];
    assay_stored_samples read;
    int64_t              id;
    char                 sql[512];

    open_store(f);
    id = put_many(f, 30, written, clocks);
    assert_int_equal(run_sql(f->path, "DROP TRIGGER sample_block_kept; DROP TRIGGER "
                                      "sample_block_held; DROP TRIGGER sample_block_closed; DROP "
                                      "TRIGGER measurement_kept"),
                     SQLITE_OK);
    for (size_t i = 0; i < sizeof harm / sizeof harm[0]; i++) {
        assert_int_equal(run_sql(f->path, "CREATE TABLE kept AS SELECT * FROM sample_block"),
                         SQLITE_OK);
        assert_int_equal(run_sql(f->path, harm[i].sql), SQLITE_OK);
        assert_fails(assay_store_read_samples(f->store, id, &read), ASSAY_E_DATABASE,
                     harm[i].sentence);
        assert_null(read.time_ns);
        assert_null(read.blocks);
        (void)snprintf(sql, sizeof sql,
                       "UPDATE measurement SET n_samples = 30, n_blocks = 3; DELETE FROM "
                       "sample_block; INSERT INTO "
                       "sample_block SELECT * FROM kept; DROP TABLE kept");
        assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
        assert_ok(assay_store_read_samples(f->store, id, &read));
        assay_stored_samples_free(&read);
    }
    assert_fails(assay_store_read_samples(f->store, 99, &read), ASSAY_E_DATABASE,
                 "no measurement 99");
}

static void test_measurement_shape(void **state)
{
    static const struct {
        int64_t n_samples, n_blocks, in_block[3];
    } bad[] = {
        { 4, 2, { 2, 1, 0 } },                          /* samples left over */
        { 4, 2, { 2, 3, 0 } },                          /* past the end */
        { 4, 3, { 5, -2, 1 } },                         /* goes backwards */
        { 4, 2, { -1, 5, 0 } },                         /* before the beginning */
        { -1, 1, { -1, 0, 0 } }, { 4, 0, { 4, 0, 0 } }, /* there is no such block */
    };
    fixture              *f          = *state;
    const int64_t         run        = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p          = a_point("axpy", "naive", "", 64);
    const int64_t         id         = plan_point(f, run, &p);
    const double          samples[5] = { 1, 2, 3, 4, 5 };
    assay_block           blocks[3]  = { a_block(2, 0), a_block(2, 0), a_block(0, 0) };
    assay_measurement_row m          = a_measurement(ASSAY_REGIME_COLD, 1000);

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        m.n_samples = bad[i].n_samples;
        m.n_blocks  = bad[i].n_blocks;
        for (int k = 0; k < 3; k++)
            blocks[k].n_samples = bad[i].in_block[k];
        assert_ok(assay_store_begin_point(f->store, id));
        assert_fails(assay_store_put_measurement(f->store, id, &m, samples, NULL, blocks),
                     ASSAY_E_INTERNAL, "do not fit");
        assert_fails(assay_store_finish_point(f->store, id, &(assay_verdict_row) { 0 }),
                     ASSAY_E_INTERNAL, "not open");
    }
    blocks[0] = blocks[1] = a_block(2, 0);
    assert_ok(assay_store_begin_point(f->store, id));
    put_measurement(f, id, ASSAY_REGIME_COLD, 1000);
    m = a_measurement(ASSAY_REGIME_COLD, 2000);
    assert_fails(assay_store_put_measurement(f->store, id, &m, samples, NULL, blocks),
                 ASSAY_E_INTERNAL, "UNIQUE");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "0");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(crc32),           TEST(samples_round_trip), TEST(blocks_round_trip),
        TEST(no_valid_sample), TEST(samples_damaged),    TEST(measurement_shape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
