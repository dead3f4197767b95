/* The list of known failures: which lines are entries, which are refused, and what the list does
 * to a run. */
#include "testing/store_raw.h"

#include "testing/toy_case.h"

#include "gate/known_failures.h"

#include <unistd.h>

static assay_known_failures list;

static assay_status parse(const char *text)
{
    assay_known_failures_free(&list);
    return assay_known_failures_parse("known.txt", text, strlen(text), "2026-11-28", &list);
}

/* ---- the file ---- */

static void test_entries(void **state)
{
    (void)state;
    assert_ok(parse("# case variant last day reason\n"
                    "\n"
                    "  axpy\tvec4  2026-12-31   wrong beyond 2^31 elements, # 12 \t\r\n"
                    "   # another comment\n"
                    "heat naive 2024-02-29 leap day"));
    assert_int_equal(list.n, 2);
    assert_string_equal(list.entries[0].case_name, "axpy");
    assert_string_equal(list.entries[0].variant, "vec4");
    assert_string_equal(list.entries[0].expires, "2026-12-31");
    assert_string_equal(list.entries[0].reason, "wrong beyond 2^31 elements, # 12");
    assert_int_equal(list.entries[0].line, 3);
    assert_false(list.entries[0].is_expired);
    assert_int_equal(list.entries[1].line, 5);
    assert_true(list.entries[1].is_expired);
    assert_ok(parse(""));
    assert_int_equal(list.n, 0);
    assay_known_failures_free(&list);
    assay_known_failures_free(NULL);
}

/* The day itself is the last one on which an entry holds. */
static void test_last_day(void **state)
{
    (void)state;
    assert_ok(parse("a b 2026-11-27 x\na c 2026-11-28 x\na d 2026-11-29 x\n"));
    assert_true(list.entries[0].is_expired);
    assert_false(list.entries[1].is_expired);
    assert_false(list.entries[2].is_expired);
    assay_known_failures_free(&list);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        { "axpy\n", "known.txt:1: has no variant" },
        { "axpy vec4\n", "known.txt:1: has no last day" },
        { "# one\naxpy vec4 2026-12-31\n", "known.txt:2: has no reason" },
        { "axpy vec4 2026-12-31   \t\n", "known.txt:1: has no reason" },
        { "axpy vec4 broken for ever\n", "not 'broken'" },
        { "axpy vec4 2026-13-01 x\n", "not '2026-13-01'" },
        { "axpy vec4 2026-00-01 x\n", "not '2026-00-01'" },
        { "axpy vec4 2026-04-31 x\n", "not '2026-04-31'" },
        { "axpy vec4 2026-02-29 x\n", "not '2026-02-29'" },
        { "axpy vec4 1900-02-29 x\n", "not '1900-02-29'" },
        { "axpy vec4 2026-12-00 x\n", "not '2026-12-00'" },
        { "axpy vec4 0000-12-01 x\n", "not '0000-12-01'" },
        { "axpy vec4 26-12-31 x\n", "not '26-12-31'" },
        { "axpy vec4 2026-1-31 x\n", "not '2026-1-31'" },
        { "axpy vec4 2026/12/31 x\n", "not '2026/12/31'" },
        { "axpy vec4 2026-12-31x x\n", "not '2026-12-31x'" },
        { "axpy vec4 2026-12-3a x\n", "not '2026-12-3a'" },
        { "axpy vec4 2026-12-31 x\n\naxpy vec4 2027-12-31 y\n",
          "known.txt:3: axpy vec4 is in line 1 already" },
        { "axpy vec4 2026-12-31 \033[2J\n", "known.txt:1: holds a control character (byte 27)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_fails(parse(wrong[i].text), ASSAY_E_USAGE, wrong[i].words);
        assert_int_equal(list.n, 0);
        assert_null(list.entries);
    }
}

/* A zero byte does not end a line, and a name too long to be stored is refused, not cut. */
static void test_hostile(void **state)
{
    static const char zero[] = "axpy vec4 2026-12-31 x\0y\n";
    char              text[2048];

    (void)state;
    assert_fails(assay_known_failures_parse("z", zero, sizeof zero - 1, "2026-11-28", &list),
                 ASSAY_E_USAGE, "z:1: holds a control character (byte 0)");
    (void)snprintf(text, sizeof text, "%0*d vec4 2026-12-31 x\n", ASSAY_NAME_SIZE, 0);
    assert_fails(parse(text), ASSAY_E_USAGE, "its case is longer than 63 characters");
    (void)snprintf(text, sizeof text, "axpy %0*d 2026-12-31 x\n", ASSAY_NAME_SIZE, 0);
    assert_fails(parse(text), ASSAY_E_USAGE, "its variant is longer than 63 characters");
    (void)snprintf(text, sizeof text, "axpy vec4 2026-12-31 %0*d\n", ASSAY_REASON_SIZE, 0);
    assert_fails(parse(text), ASSAY_E_USAGE, "its reason is longer than 511 characters");
    (void)snprintf(text, sizeof text, "axpy vec4 2026-12-31 %0*d\n", ASSAY_REASON_SIZE - 1, 0);
    assert_ok(parse(text));
    assay_known_failures_free(&list);
}

static void test_file(void **state)
{
    fixture *f = *state;
    char     path[256];
    FILE    *file = NULL;

    (void)snprintf(path, sizeof path, "%s.txt", f->path);
    assert_fails(assay_known_failures_read(path, &list), ASSAY_E_USAGE, "No such file");
    assert_fails(assay_known_failures_read("/", &list), ASSAY_E_IO, "cannot read /");
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("axpy vec4 2000-01-01 x\naxpy naive 9999-12-31 x\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_ok(assay_known_failures_read(path, &list));
    assert_int_equal(list.n, 2);
    assert_true(list.entries[0].is_expired);
    assert_false(list.entries[1].is_expired);
    assay_known_failures_free(&list);
    file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < (1 << 20) / 8 + 1; i++)
        assert_true(fputs("# 45678\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_fails(assay_known_failures_read(path, &list), ASSAY_E_USAGE,
                 "is longer than 1048576 bytes");
    assert_int_equal(remove(path), 0);
}

/* ---- the effect on a run ---- */

static void test_judged(void **state)
{
    const assay_known_failure holds = { .is_expired = false }, expired = { .is_expired = true };

    (void)state;
    assert_int_equal(assay_known_failure_judge(&holds, 3, 1), ASSAY_KNOWN_SKIPPED);
    assert_int_equal(assay_known_failure_judge(&expired, 3, 1), ASSAY_KNOWN_EXPIRED);
    assert_int_equal(assay_known_failure_judge(&holds, 0, 4), ASSAY_KNOWN_FIXED);
    assert_int_equal(assay_known_failure_judge(&expired, 0, 4), ASSAY_KNOWN_FIXED);
    assert_int_equal(assay_known_failure_judge(&holds, 0, 0), ASSAY_KNOWN_UNSEEN);
}

/* Applies a list to a run of one failing point. Returns the exit status; `said` has the
 * messages. */
static int apply(fixture *f, int64_t run_id, const char *text, char *said, size_t size)
{
    assay_tally tally;
    FILE       *out = tmpfile();
    size_t      n   = 0;

    assert_non_null(out);
    assert_ok(parse(text));
    assert_ok(assay_tally_read(f->store, run_id, &tally));
    assert_int_equal(assay_tally_exit_status(&tally), 2);
    assert_ok(assay_known_failures_apply(&list, f->store, run_id, &tally, out));
    rewind(out);
    n       = fread(said, 1, size - 1, out);
    said[n] = '\0';
    assert_int_equal(fclose(out), 0);
    assay_known_failures_free(&list);
    return assay_tally_exit_status(&tally);
}

#define FAILING_CASE    "axpy"
#define FAILING_VARIANT "vec4"

static int64_t failing_run(fixture *f)
{
    const assay_point_row p      = a_point(FAILING_CASE, FAILING_VARIANT, "", 64);
    const int64_t         run_id = begin_run(f, "run-1");

    fail_point(f, plan_point(f, run_id, &p), "off by one");
    return run_id;
}

/* Points of a listed variant that passed in a run are reported. */
static void test_fixed(void **state)
{
    const assay_point_row p = a_point(FAILING_CASE, FAILING_VARIANT, "", 64);
    fixture              *f = *state;
    assay_tally           tally;
    char                  said[512] = "";
    FILE                 *out       = tmpfile();
    int64_t               run_id;

    assert_non_null(out);
    open_store(f);
    run_id = begin_run(f, "run-1");
    pass_point(f, plan_point(f, run_id, &p), 0.5, 0);
    assert_ok(parse(FAILING_CASE " " FAILING_VARIANT " 2026-12-31 x\n"));
    assert_ok(assay_tally_read(f->store, run_id, &tally));
    assert_ok(assay_known_failures_apply(&list, f->store, run_id, &tally, out));
    assert_int_equal(assay_tally_exit_status(&tally), 0);
    rewind(out);
    assert_non_null(fgets(said, sizeof said, out));
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(said, "all 1 points passed"));
    assert_non_null(strstr(said, "remove the entry"));
    assay_known_failures_free(&list);
}

static void test_applied(void **state)
{
    fixture *f = *state;
    char     said[512], entry[256];
    int64_t  run_id;

    open_store(f);
    run_id = failing_run(f);
    (void)snprintf(entry, sizeof entry, "%s %s 2026-12-31 being fixed\n", FAILING_CASE,
                   FAILING_VARIANT);
    assert_int_equal(apply(f, run_id, entry, said, sizeof said), 77);
    assert_non_null(strstr(said, "(known.txt:1): 1 failed, skipped until 2026-12-31: being fixed"));
    (void)snprintf(entry, sizeof entry, "%s %s 2026-11-27 being fixed\n", FAILING_CASE,
                   FAILING_VARIANT);
    assert_int_equal(apply(f, run_id, entry, said, sizeof said), 2);
    assert_non_null(strstr(said, "expired on 2026-11-27"));
    (void)snprintf(entry, sizeof entry, "%s other 2026-12-31 x\nother %s 2026-12-31 x\n",
                   FAILING_CASE, FAILING_VARIANT);
    assert_int_equal(apply(f, run_id, entry, said, sizeof said), 2);
    assert_string_equal(said, "");
    assert_int_equal(apply(f, run_id, "", said, sizeof said), 2);
    /* The stored verdict does not change. */
    assert_string_equal(ask(f->path, "SELECT verdict FROM verdict"), "WRONG_VALUE");
}

static void test_unmatched(void **state)
{
    char   said[1024];
    size_t n   = 0;
    FILE  *out = tmpfile();

    (void)state;
    assert_non_null(out);
    (void)snprintf(said, sizeof said,
                   "%s %s 2026-12-31 x\nduoble plain 2026-12-31 x\n%s plian "
                   "2026-12-31 x\n",
                   toy_double.name, toy_double.variants[0].name, toy_double.name);
    assert_ok(parse(said));
    assay_known_failures_warn(&list, toy_cases, out);
    rewind(out);
    n       = fread(said, 1, sizeof said - 1, out);
    said[n] = '\0';
    assert_int_equal(fclose(out), 0);
    assert_null(strstr(said, "known.txt:1:"));
    assert_non_null(strstr(said, "known.txt:2: this program has no case duoble"));
    assert_non_null(strstr(said, "known.txt:3: this program has no variant "));
    assay_known_failures_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_last_day),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test_setup_teardown(test_file, set_up, tear_down),
        cmocka_unit_test(test_judged),
        cmocka_unit_test_setup_teardown(test_applied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fixed, set_up, tear_down),
        cmocka_unit_test(test_unmatched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
