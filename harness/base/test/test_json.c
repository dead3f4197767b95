/* Strings in JSON: every byte that has to be written otherwise. */
#include "testing/testing.h"

#include "base/json.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_utf8),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
