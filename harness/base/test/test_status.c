/* The first failure is kept; every status has a text; texts are cut between characters. */
#include "base/text.h"
#include "status.h"
#include "testing/testing.h"

#include <stdio.h>
#include <string.h>

static assay_status leaf(void) { return ASSAY_FAIL(ASSAY_E_IO, "no %s", "disk"); }

static assay_status caller(void)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(leaf());
out:
    return st;
}

static void first_failure_is_kept(void **state)
{
    (void)state;
    assay_status_reset();
    assert_int_equal(caller(), ASSAY_E_IO);
    assert_string_equal(assay_status_message(), "no disk");
    assert_non_null(strstr(assay_status_where(), "test_status.c:"));
    (void)ASSAY_FAIL(ASSAY_E_USAGE, "later");
    assert_string_equal(assay_status_message(), "no disk");
    assay_status_reset();
    assert_string_equal(assay_status_message(), "");
}

static void every_status_has_a_text(void **state)
{
    (void)state;
    assert_string_equal(assay_status_text(ASSAY_OK), "ok");
    assert_string_equal(assay_status_text(ASSAY_E_INTERNAL), "internal error");
    assert_string_equal(assay_status_text((assay_status)999), "unknown status");
}

static void require_leaves_with_a_sentence(void **state)
{
    assay_status st = ASSAY_OK;

    (void)state;
    assay_status_reset();
    ASSAY_REQUIRE(1 + 1 == 3, ASSAY_E_CASE, "sum of %d", 2);
    fail_msg("ASSAY_REQUIRE went on");
out:
    assert_failed_with(st, ASSAY_E_CASE, "sum of 2");
}

static void text_is_cut_at_a_character(void **state)
{
    char five[5];

    (void)state;
    assert_string_equal(assay_text_set(five, sizeof five, "%s", "abc"), "abc");
    assert_string_equal(assay_text_set(five, sizeof five, "%s", "abcdef"), "abcd");
    /* a cut after its first byte would split the two-byte letter */
    assert_string_equal(assay_text_set(five, sizeof five, "abc%s", "\xC3\xA9z"), "abc");
}

static void text_after_a_start(void **state)
{
    (void)state;
    assert_string_equal(assay_text_after("--seed=4", "--seed="), "4");
    assert_null(assay_text_after("--sea", "--seed="));
}

/* Characters that control a terminal or mislead a reader are not shown; ordinary text is. */
static void text_is_made_safe(void **state)
{
    static const struct {
        const char *text, *safe;
    } rows[] = {
        { "plain, 3 \xC2\xB5s, \xE2\x89\xA4 1 ulp, \xF0\x9F\x8C\x8D\n\t", NULL },
        { "\x1B[31mred\x1B[0m\rover", "?[31mred?[0m?over" },
        { "a\xE2\x80\xAE"
          "fdp.exe",
          "a???fdp.exe" },                                      /* right-to-left override */
        { "\xE2\x81\xA6x\xE2\x81\xA9 \xD8\x9C", "???x??? ??" }, /* isolates, a mark */
        { "\xC2\x9B"
          "2J",
          "??2J" }, /* an escape in one character */
        { "\xE2\x80\x8Bnothing\xEF\xBB\xBF", "???nothing???" },
        { "\xFF\xC0\xAF\xE2\x80", "?????" }, /* not UTF-8, or cut off */
        { "\xF4\x90\x80\x80\x7F", "?????" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[80];

        (void)snprintf(text, sizeof text, "%s", rows[i].text);
        assert_string_equal(assay_text_make_safe(text), rows[i].safe ? rows[i].safe : rows[i].text);
    }
    assay_status_reset();
    (void)ASSAY_FAIL(ASSAY_E_IO, "no %s",
                     "\x1B]0;title\x07"
                     "file");
    assert_string_equal(assay_status_message(), "no ?]0;title?file");
    assay_status_reset();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_failure_is_kept),
        cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(require_leaves_with_a_sentence),
        cmocka_unit_test(text_is_cut_at_a_character),
        cmocka_unit_test(text_after_a_start),
        cmocka_unit_test(text_is_made_safe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
