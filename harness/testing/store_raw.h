/* SQLite beside the store, to read its file and to damage it, and child processes to do it in. */
#ifndef ASSAY_TEST_STORE_RAW_H
#define ASSAY_TEST_STORE_RAW_H

#include "store_fixture.h"

#include "store/store_internal.h"
#include <sys/wait.h>

static inline sqlite3 *open_raw(const char *path)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

/* Runs SQL of any kind; returns SQLite's result. */
static inline int run_sql(const char *path, const char *sql)
{
    sqlite3  *db = open_raw(path);
    const int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

    (void)sqlite3_close(db);
    return rc;
}

/* First column of the first row as text, in a buffer that the next call overwrites. */
static inline const char *ask(const char *path, const char *sql)
{
    static char   answer[4096];
    sqlite3      *db   = open_raw(path);
    sqlite3_stmt *stmt = NULL;
    const char   *text;

    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    text = (const char *)sqlite3_column_text(stmt, 0);
    (void)snprintf(answer, sizeof answer, "%s", text ? text : "NULL");
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(db);
    return answer;
}

static inline bool has_companion(const char *path)
{
    static const char *const suffix[] = { "-wal", "-shm", "-journal" };
    char                     name[160];

    for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, suffix[i]);
        if (access(name, F_OK) == 0)
            return true;
    }
    return false;
}

/* Runs `body` in a child process without root's powers; returns its exit status. */
static inline int in_child(void (*body)(fixture *f), fixture *f, bool drop_root)
{
    const pid_t pid    = fork();
    int         status = 0;

    assert_true(pid >= 0);
    if (pid == 0) {
        if (drop_root && geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(99);
        assay_status_reset();
        body(f);
        _exit(98);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* A calibration; key "": of the whole case. */
static inline assay_calibration_row a_calibration(const char *key)
{
    assay_calibration_row row = { .case_name     = "axpy",
                                  .case_version  = 1,
                                  .regime        = ASSAY_REGIME_COLD,
                                  .clock         = ASSAY_CLOCK_RECORD,
                                  .device_kind   = "cuda",
                                  .n_comparisons = 9,
                                  .band          = 0.01,
                                  .process_sd    = key[0] ? 0.002 : (double)NAN,
                                  .process_df    = key[0] ? 12 : 0 };

    (void)snprintf(row.key, sizeof row.key, "%s", key);
    return row;
}

#endif
