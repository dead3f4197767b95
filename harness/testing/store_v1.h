/* A file of schema version 1, made by the schema of that version. */
#ifndef ASSAY_TEST_STORE_V1_H
#define ASSAY_TEST_STORE_V1_H

#include "store_raw.h"

/* A text file of harness/testing; caller frees. */
static inline char *read_beside(const char *name)
{
    char  path[512];
    FILE *file;
    char *text = calloc(1, 1 << 18);

    (void)snprintf(path, sizeof path, ASSAY_TESTING_FOLDER "/%s", name);
    file = fopen(path, "r");
    if (!file)
        print_error("cannot open %s\n", path);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 18) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* Two runs, three points: one measured in two regimes, one wrong, one not finished. */
static const char rows_v1[] =
    "INSERT INTO build VALUES (7, 'bin', 'ker', '0.1.0', 'abc', 1, 'gcc', 'nvcc', 'release', "
    "'-O2');"
    "INSERT INTO device VALUES (3, 'cuda', 'GPU-1', 'Test GPU');"
    "INSERT INTO device_state VALUES (5, 3, '0:1', '580', 13000, 13000, 90, 132, 1980000, 2619000, "
    "5120, 1, 80000000000, 52428800, 1);"
    "INSERT INTO run VALUES (11, 'run-old', '2026-01-02T03:04:05.678Z', 'bench', 'assay bench', "
    "'--case=axpy', -1, 'cuda', 'h', 'k', 'c', 16, 79000000000, 7, 5);"
    "INSERT INTO run VALUES (12, 'run-cut', '2026-01-02T04:00:00.000Z', 'check', 'assay check', "
    "'', "
    "42, 'cuda', 'h', 'k', 'c', 16, 0, 7, 5);"
    "INSERT INTO run_end VALUES (11, '2026-01-02T03:05:00.000Z', 2);"
    "INSERT INTO case_version VALUES (2, 'axpy', 1, 'y += a x');"
    "INSERT INTO config VALUES (4, 2, 'n=64');"
    "INSERT INTO axis_value VALUES (4, 0, 'n', 'int', 64, NULL, NULL, '64');"
    "INSERT INTO point VALUES (21, 11, 0, 4, 'naive', '', 'axpy/naive/n=64', -2, 0, 1, 64);"
    "INSERT INTO point VALUES (22, 11, 1, 4, 'vec4', 'naive', 'axpy/vec4/n=64', 5, 0, 1, 64);"
    "INSERT INTO point VALUES (23, 12, 0, 4, 'naive', '', 'axpy/naive/n=64', 6, 0, 1, 64);"
    "INSERT INTO expected_verdict VALUES (21, 'PASS'), (22, 'PASS'), (23, 'PASS');"
    "INSERT INTO check_result VALUES (31, 21, 'random', 'y', 0, 'PASS', '', -2, 2, 'bound', 2.0, "
    "1e-7, 1e-7, 'log2', 8.0, NULL, 'why', 64, 0, NULL, NULL, NULL, 0.5, 1e-7, 1.0, 1.0, 1e-8, 0, "
    "NULL);"
    "INSERT INTO check_result VALUES (32, 22, 'random', 'y', 0, 'WRONG_VALUE', 'off', 5, 2, "
    "'exact', NULL, NULL, NULL, NULL, NULL, NULL, 'why', 64, 3, 1, NULL, 2.5, 9e999, 1.0, 1.0, "
    "NULL, NULL, 0, NULL);"
    "INSERT INTO measurement VALUES (41, 21, 'PASS', 'cold', 'event', 3, 2, 1, 2000.0, 2000.5, "
    "1900.0, 2100.0, 1910.0, 1950.0, 2050.0, 2090.0, 80.0, 'confidence', 0.005, 2.0, 1e8, 3, 100, "
    "12, 0.25, 768, NULL, 128.0);"
    "INSERT INTO measurement VALUES (42, 21, 'PASS', 'hot', 'event', 1, 1, 4, 1500.0, 1500.0, "
    "1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, NULL, 'budget', 0.005, 2.0, 0.0, 3, 100, 12, "
    "0.5, 768, 1024, 128.0);"
    "INSERT INTO verdict VALUES (21, 'PASS', '', 1, 0, 4096, 0.75, '2026-01-02T03:04:30.000Z');"
    "INSERT INTO verdict VALUES (22, 'WRONG_VALUE', 'y[1] is NaN', 1, 0, 4096, 0.5, "
    "'2026-01-02T03:04:40.000Z');";

static const double samples_v1[] = { 1900, 2000, 2100, 1500 };

static inline void put_block_v1(sqlite3 *db, int measurement, int block, const double *samples,
                                int n)
{
    static const char sql[] = "INSERT INTO sample_block VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    unsigned char     bytes[64];
    sqlite3_stmt     *stmt = NULL;

    assay_samples_encode(samples, n, bytes);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    (void)sqlite3_bind_int(stmt, 1, measurement);
    (void)sqlite3_bind_int(stmt, 2, block);
    (void)sqlite3_bind_int(stmt, 3, n);
    (void)sqlite3_bind_double(stmt, 4, samples[n / 2]);
    (void)sqlite3_bind_int64(stmt, 5, assay_crc32(bytes, (size_t)n * 8));
    (void)sqlite3_bind_blob(stmt, 6, bytes, n * 8, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
}

/* In WAL mode, as version 1 left its files. */
static inline void write_v1(const char *path)
{
    char    *schema = read_beside("data/schema_v1.sql");
    sqlite3 *db     = open_raw(path);
    char    *why    = NULL;

    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = WAL; BEGIN", NULL, NULL, NULL), 0);
    assert_int_equal(sqlite3_exec(db, schema, NULL, NULL, &why), SQLITE_OK);
    if (sqlite3_exec(db, rows_v1, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
    put_block_v1(db, 41, 0, samples_v1, 2);
    put_block_v1(db, 41, 1, samples_v1 + 2, 1);
    put_block_v1(db, 42, 0, samples_v1 + 3, 1);
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    free(schema);
}

static inline char *copy_text(const char *text)
{
    char *copy = strdup(text);

    assert_non_null(copy);
    return copy;
}

#endif
