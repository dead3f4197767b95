/* A file of schema version 2, made by the schema of that version: a row of every table. */
#ifndef ASSAY_TEST_STORE_V2_H
#define ASSAY_TEST_STORE_V2_H

#include "store_v1.h"

/* Two runs, the second one interrupted; times of one point, with all that may stand beside them. */
static const char rows_v2[] =
    "INSERT INTO build VALUES (7, 'bin', 'ker', '0.1', 'abc', 1, 'gcc', 'nvcc 13.0', 'Release', "
    "'-O2');"
    "INSERT INTO device VALUES (3, 'cuda', 'GPU-1', 'Test GPU');"
    "INSERT INTO device_state VALUES (5, 3, '0:1', '580', 13000, 13000, 90, 132, 1980000, 2619000, "
    "5120, 1, 80000000000, 52428800, 1);"
    "INSERT INTO run VALUES (11, 'run-old', '2026-01-02T03:04:05.678Z', 'bench', 'assay bench', "
    "'--device=cuda', -1, 'cuda', 'h', 'k', 'c', 16, 79000000000, 7, 5);"
    "INSERT INTO run VALUES (12, 'run-cut', '2026-01-02T04:00:00.000Z', 'check', 'assay check', "
    "'', 42, 'cuda', 'h', 'k', 'c', 16, 0, 7, 5);"
    "INSERT INTO ceiling VALUES (1, 11, 'null', 'cold', 'event', 0, 9, 3100.0, NULL, "
    "'2026-01-02T03:04:06.000Z');"
    "INSERT INTO ceiling VALUES (2, 11, 'copy', 'cold', 'event', 1024, 9, 3200.0, 1e12, "
    "'2026-01-02T03:04:07.000Z');"
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
    "INSERT INTO policy VALUES (6, 3, 2, 0.25, 0.005, 3, 100, 32, 50000.0, 5, 200, 3, 0.02, 0.25, "
    "'write', 30000.0, 3.0, 0.1, 6000.0, 0.05, 236, 20, 4e6, 200, 0.005);"
    "INSERT INTO measurement VALUES (41, 21, 'PASS', 'cold', 'record', 3, 2, 1, 1, 2000.0, 2000.5, "
    "1900.0, 2100.0, 1910.0, 1950.0, 2050.0, 2090.0, 80.0, NULL, 3960.0, 1980.0, 1, 0, "
    "'confidence', 6, 1e8, 12, 0.25, '', '', 768, NULL, 768, 128.0, 1, 'short: record decides', "
    "860.0, 1, 1e12, NULL);"
    "INSERT INTO measurement VALUES (42, 21, 'PASS', 'hot', 'record', 1, 1, 1, 1, 1500.0, 1500.0, "
    "1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, NULL, NULL, NULL, NULL, 0, 0, 'budget', 6, "
    "0.0, 12, 0.5, 'no NVML', '', 768, 1024, 768, 128.0, 0, 'no event time to hold the records "
    "against', NULL, 0, NULL, NULL);"
    "INSERT INTO comparison VALUES (51, 21, 'PASS', 'aa', 'naive', 'cold', 'record', 1, 1.001, "
    "0.99, 1.01, 6, 3, '');"
    "INSERT INTO launch VALUES (61, 21, 'PASS', 0, 'k', 1, 1, 1, 64, 1, 1, 16, 0, 0, 0, 'c0de', "
    "'hot', 'record', 1500.0);"
    "INSERT INTO section VALUES (62, 21, 'PASS', 'all', 1, 'hot', 'record', 1500.0, 1.0);"
    "INSERT INTO metric VALUES (63, 21, 'PASS', 'm.sum', 'ok', '', 'cold', 7.0, 1, 'user');"
    "INSERT INTO tuning_trial VALUES (64, 21, 'PASS', 'block=64', 'PASS', '', 'cold', 'event', 9, "
    "2000.0, 1);"
    "INSERT INTO tuning_trial VALUES (65, 22, NULL, 'block=64', 'WRONG_VALUE', 'off', '', '', 0, "
    "NULL, 0);";
static const char verdicts_v2[] =
    "INSERT INTO verdict VALUES (21, 'PASS', '', 1, 0, 4096, 8192, 0.75, "
    "'2026-01-02T03:04:30.000Z');"
    "INSERT INTO verdict VALUES (22, 'WRONG_VALUE', 'y[1] is NaN', 1, 0, 4096, 8192, 0.5, "
    "'2026-01-02T03:04:40.000Z');";

static inline void put_block_v2(sqlite3 *db, int measurement, int block, const double *samples,
                                int n)
{
    static const char sql[] =
        "INSERT INTO sample_block VALUES (?1, ?2, 0, ?2, 0.125, ?3, 1, 0, ?4, 3960.0, 1980.0, 4, "
        "2619, 41, 300.5, 310.5, 0.0, ?5, ?6, NULL, NULL)";
    unsigned char bytes[64];
    sqlite3_stmt *stmt = NULL;

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

static inline void exec_v2(sqlite3 *db, const char *sql)
{
    char *why = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
}

/* In WAL mode, as version 2 left its files. */
static inline void write_v2(const char *path)
{
    char    *schema = read_beside("data/schema_v2.sql");
    sqlite3 *db     = open_raw(path);

    exec_v2(db, "PRAGMA journal_mode = WAL; BEGIN");
    exec_v2(db, schema);
    exec_v2(db, rows_v2);
    put_block_v2(db, 41, 0, samples_v1, 2);
    put_block_v2(db, 41, 1, samples_v1 + 2, 1);
    put_block_v2(db, 42, 0, samples_v1 + 3, 1);
    exec_v2(db, verdicts_v2);
    exec_v2(db, "COMMIT");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    free(schema);
}

#endif
