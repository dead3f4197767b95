/* Strings in JSON: every byte that needs an escape. */
#include "testing/strict_json.h"
#include "testing/testing.h"

#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(const char *text, const char *escaped, const char *expected)
{
    char  *written = NULL;
    size_t size    = 0;
    FILE  *out     = open_memstream(&written, &size);

    assert_non_null(out);
    assay_json_put_text(out, text, escaped);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, expected);
    free(written);
}

static void test_escapes(void **state)
{
    (void)state;
    expect(NULL, "", "\"\"");
    expect("a\"b\\c", "", "\"a\\\"b\\\\c\"");
    expect("\n\x1f\x7f ", "", "\"\\u000a\\u001f\\u007f \"");
    expect("f<int>", "", "\"f<int>\"");
    expect("f<int>", "<", "\"f\\u003cint>\"");
}

static void test_utf8(void **state)
{
    (void)state;
    expect("\xc2\xb5\xe2\x82\xac\xf0\x9f\x98\x80", "<", "\"\xc2\xb5\xe2\x82\xac\xf0\x9f\x98\x80\"");
    expect("\xc0\x80", "", "\"\\ufffd\\ufffd\"");            /* overlong */
    expect("\xed\xa0\x80", "", "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
    expect("\xe2\x82", "", "\"\\ufffd\\ufffd\"");            /* cut off */
    expect("\xf4\x90", "", "\"\\ufffd\\ufffd\"");            /* past U+10FFFF */
}

static void write_document(assay_json *j)
{
    assay_json_open(j, NULL, '{');
    assay_json_add_text(j, "a\"", "b\n");
    assay_json_add_text(j, "none", NULL);
    assay_json_open(j, "list", '[');
    assay_json_add_count(j, NULL, INT64_MIN);
    assay_json_add_real(j, NULL, 0.1);
    assay_json_add_real(j, NULL, NAN);
    assay_json_add_real(j, NULL, INFINITY);
    assay_json_open_line(j);
    assay_json_close(j, '}');
    assay_json_open_line(j);
    assay_json_add_truth(j, "yes", true);
    assay_json_close(j, '}');
    assay_json_close(j, ']');
    assay_json_open(j, "empty", '[');
    assay_json_close(j, ']');
    assay_json_add_truth(j, "no", false);
    assay_json_close(j, '}');
}

static void test_commas_stand_where_they_belong(void **state)
{
    char      *written = NULL;
    size_t     size    = 0;
    assay_json j       = { .out = open_memstream(&written, &size) };

    (void)state;
    assert_non_null(j.out);
    write_document(&j);
    assert_int_equal(fclose(j.out), 0);
    assert_string_equal(written,
                        "{\"a\\\"\":\"b\\u000a\",\"none\":null,"
                        "\"list\":[-9223372036854775808,0.1,null,null,\n{},\n{\"yes\":true}],"
                        "\"empty\":[],\"no\":false}");
    assert_true(json_is_valid(written));
    free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_commas_stand_where_they_belong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
