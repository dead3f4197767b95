/* A point with numbers, and reports of Google Benchmark read back. GBENCH_TEST is the name of
 * the test, used for its files. */
#ifndef ASSAY_GBENCH_FIXTURE_H
#define ASSAY_GBENCH_FIXTURE_H

#include "gbench/gbench.h"
#include "testing/testing.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME GBENCH_TEST ".json"
#define NAIVE     "axpy/naive/n=1048576/hot/event"

enum {
    MAX_FLAGS = 8
};

static double times_ns[12] = { 5000, 5010, 4990, 5020, 4980, 5000,
                               5005, 4995, 5030, 4970, 5001, 4999 };

static const assay_gbench_entry naive = {
    .name          = NAIVE,
    .time_ns       = times_ns,
    .n_repetitions = 12,
    .label         = "block=256",
    .counters      = { { "bytes", 12582912, true },
                       { "occupancy", 0.75, false },
                       { "misses", 0, false },
                       { "missing", NAN, false },
                       { "endless", INFINITY, true } },
    .n_counters    = 5,
};

/* ---- running and reading ---- */

static struct {
    char  out[65536], err[16384], file[65536];
    char *flags[MAX_FLAGS];
    int   n_flags;
} run;

static inline void read_all(const char *path, char *text, size_t size)
{
    FILE  *file = fopen(path, "r");
    size_t n    = 0;

    if (file) {
        n = fread(text, 1, size - 1, file);
        assert_int_equal(fclose(file), 0);
        assert_true(n < size - 1);
    }
    text[n] = '\0';
}

static inline int redirect(int fd, const char *path)
{
    const int kept = dup(fd), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(kept >= 0 && to >= 0);
    assert_int_equal(dup2(to, fd), fd);
    assert_int_equal(close(to), 0);
    return kept;
}

static inline void restore(int fd, int kept)
{
    assert_int_equal(dup2(kept, fd), fd);
    assert_int_equal(close(kept), 0);
}

static inline void flag(const char *text)
{
    assert_true(run.n_flags < MAX_FLAGS);
    memcpy(&run.flags[run.n_flags++], &text, sizeof text);
}

/* Reports with the flags set before; standard output goes to `path`. `run` gets the texts. */
static inline assay_status report_to(const char *path, const assay_gbench_entry *entries, int64_t n)
{
    assay_status st;
    int          out, err;

    (void)fflush(stdout);
    (void)unlink(FILE_NAME);
    out = redirect(STDOUT_FILENO, path);
    err = redirect(STDERR_FILENO, GBENCH_TEST ".err");
    st  = assay_gbench_report(run.flags, run.n_flags, entries, n);
    restore(STDOUT_FILENO, out);
    restore(STDERR_FILENO, err);
    run.n_flags = 0;
    read_all(GBENCH_TEST ".err", run.err, sizeof run.err);
    read_all(FILE_NAME, run.file, sizeof run.file);
    return st;
}

static inline assay_status report(const assay_gbench_entry *entries, int64_t n)
{
    const assay_status st = report_to(GBENCH_TEST ".out", entries, n);

    read_all(GBENCH_TEST ".out", run.out, sizeof run.out);
    return st;
}

static inline int count(const char *text, const char *words)
{
    int n = 0;

    for (; (text = strstr(text, words)); text++)
        n++;
    return n;
}

static inline void assert_holds(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("no \"%s\" in:\n%s", words, text);
}

static inline void assert_lacks(const char *text, const char *words)
{
    if (strstr(text, words))
        fail_msg("\"%s\" is in:\n%s", words, text);
}

static inline int remove_files(void **state)
{
    (void)state;
    (void)unlink(GBENCH_TEST ".out");
    (void)unlink(GBENCH_TEST ".err");
    (void)unlink(FILE_NAME);
    return 0;
}

static inline int skip_all(void)
{
    (void)puts("skipped: built without Google Benchmark");
    return 77;
}

static inline int set_up(void **state)
{
    (void)state;
    run.n_flags = 0;
    assay_status_reset();
    return 0;
}

#endif
