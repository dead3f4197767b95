/* Databases for the tests of the reports, and reports as strings. */
#ifndef ASSAY_TEST_REPORT_FIXTURE_H
#define ASSAY_TEST_REPORT_FIXTURE_H

#include "store_fixture.h"

#include "report/report.h"

/* Caller frees. */
static inline char *report_of(fixture *f, int64_t run_id, const char *format)
{
    static char  *text; /* static: the stream keeps their addresses until it is closed */
    static size_t size;
    FILE         *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_ok(assay_report_write(f->path, run_id, format, out));
    assert_int_equal(fclose(out), 0);
    return text;
}

static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        print_error("'%s' is not in:\n%s\n", part, text);
    assert_non_null(strstr(text, part));
}

static inline void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        print_error("'%s' is in:\n%s\n", part, text);
    assert_null(strstr(text, part));
}

/* Copies one line without leading spaces, with runs of spaces as one. Returns the next line or
 * NULL. */
static inline const char *squeeze_line(const char *text, char *line, size_t size)
{
    size_t n = 0;

    for (text += strspn(text, " "); *text && *text != '\n'; text++)
        if ((*text != ' ' || line[n - 1] != ' ') && n + 1 < size)
            line[n++] = *text;
    line[n] = '\0';
    return *text ? text + 1 : NULL;
}

/* The line that starts with this text, squeezed, in a buffer that the next call overwrites. */
static inline const char *line_of(const char *text, const char *start)
{
    static char line[1024];

    while (text) {
        text = squeeze_line(text, line, sizeof line);
        if (strncmp(line, start, strlen(start)) == 0)
            return line;
    }
    print_error("no line starts with '%s'\n", start);
    assert_non_null(text);
    return NULL;
}

/* ---- a run with every outcome ---- */

static inline void put_own_bytes(fixture *f, int64_t id)
{
    const assay_check_row   check   = a_check(0.75);
    const assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");
    assay_measurement_row   m       = a_measurement(ASSAY_REGIME_HOT, 8000);

    m.bytes_moved = 24000000;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    put_measurement(f, id, ASSAY_REGIME_COLD, 10000);
    put_row(f, id, &m);
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
}

static inline void skip_point(fixture *f, int64_t id, assay_verdict verdict, const char *reason)
{
    const assay_verdict_row row = a_verdict(verdict, reason);

    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_finish_point(f->store, id, &row));
}

static inline int64_t write_run(fixture *f)
{
    const int64_t   run   = (open_store(f), begin_run(f, "run-1"));
    assay_point_row p     = a_point("axpy", "naive", "", 1000000);
    const int64_t   naive = plan_point(f, run, &p);
    int64_t         vec4, small, odd, broken, missed, unsupported, other;

    p           = a_point("axpy", "vec4", "naive", 1000000);
    vec4        = plan_point(f, run, &p);
    p           = a_point("axpy", "naive", "", 64);
    small       = plan_point(f, run, &p);
    p           = a_point("axpy", "vec4", "naive", 65);
    p.seed      = UINT64_MAX;
    odd         = plan_point(f, run, &p);
    p           = a_point("broken", "no_tail", "", 65);
    p.expect    = ASSAY_BIT(WRONG_VALUE);
    broken      = plan_point(f, run, &p);
    p           = a_point("broken", "no_fence", "", 65);
    p.expect    = ASSAY_BIT(RACE) | ASSAY_BIT(NONDETERMINISTIC);
    missed      = plan_point(f, run, &p);
    p           = a_point("axpy", "vec4", "naive", 63);
    unsupported = plan_point(f, run, &p);
    p           = a_point("zeta", "only", "", 1);
    other       = plan_point(f, run, &p);
    p           = a_point("zeta", "only", "", 2);
    (void)plan_point(f, run, &p); /* never finished */

    pass_point(f, naive, 0.25, 20000);
    put_own_bytes(f, vec4);
    pass_point(f, small, 0.31, 0);
    fail_point(f, odd, "y[255] is NaN");
    fail_point(f, broken, "the tail is missing");
    pass_point(f, missed, 0.5, 0);
    skip_point(f, unsupported, ASSAY_UNSUPPORTED, "needs a multiple of 4");
    skip_point(f, other, ASSAY_SKIPPED, "needs 90.0 GB of device memory, 79.0 GB are free");
    assert_ok(assay_store_end_run(f->store, run, 2));
    return run;
}

/* ---- names that have a meaning in some format ---- */

static const char *const hostile[] = {
    "a,b",
    "say \"x\"",
    "line\nbreak",
    "cr\rlf\r\n",

    "<script>alert(1)</script>",
    "'; DROP TABLE run; --",
    " led and trailed ",
    "\"",
    "\xc3\xa9t\xc3\xa9",
    "\x1b[31mred",
    "a\xe2\x80\xae"
    "fdp.exe",
    "@SUM(A1)",
    "=1+1",
    "$(reboot)",
    "100% %s%n",
    "",
    "only\rcr",
};
enum {
    N_HOSTILE = sizeof hostile / sizeof hostile[0]
};

static inline int64_t write_hostile_run(fixture *f)
{
    const int64_t run = (open_store(f), begin_run(f, "run-1"));

    for (size_t i = 0; i < N_HOSTILE; i++) {
        assay_point_row p = a_point("evil", hostile[i], "", (int64_t)i);

        (void)snprintf(p.axis[0].name, sizeof p.axis[0].name, "n%s", hostile[i]);
        if (i % 2)
            pass_point(f, plan_point(f, run, &p), 0.5, 1000);
        else
            fail_point(f, plan_point(f, run, &p), hostile[i]);
    }
    return run;
}

#endif
