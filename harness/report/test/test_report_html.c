/* The HTML report: one page that needs nothing else, whatever the names in it. With a path as its
 * only argument the program writes the database of report_page_test.py instead, which looks at the
 * page in a browser. */
#include "report_page.h"

#include "testing/strict_json.h"

static const char data_start[] = "<script type=\"application/json\" id=\"report\">";

/* How often `part` occurs. */
static int count_of(const char *text, const char *part)
{
    int n = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        n++;
    return n;
}

/* The JSON in the page, cut out; caller frees. */
static char *data_of(const char *page)
{
    const char *start = strstr(page, data_start), *end;
    char       *data;

    assert_non_null(start);
    start += strlen(data_start);
    end = strstr(start, "</script");
    assert_non_null(end);
    data = strndup(start, (size_t)(end - start));
    assert_non_null(data);
    return data;
}

/* Cuts every list of this name out, which is a member of its own lines and has no list in it. */
static void cut_lists(char *json, const char *start)
{
    for (char *at = strstr(json, start); at; at = strstr(at, start)) {
        const char *end = strstr(at, "]");

        assert_non_null(end);
        memmove(at, end + 1, strlen(end));
    }
}

/* All of it but the checks of single outputs. */
static void test_page_holds_the_json_report(void **state)
{
    fixture      *f    = *state;
    const int64_t run  = write_page_database(f, false);
    char         *json = report_of(f, run, "json"), *page = report_of(f, run, "html");
    char         *data = data_of(page);

    assert_int_equal(strncmp(page, "<!DOCTYPE html>", 15), 0);
    assert_true(json_is_valid(data));
    assert_lacks(data, "\"checks\":");
    assert_has(json, "\"checks\":[{");
    cut_lists(json, ",\n\"checks\":[");
    assert_string_equal(data + 1, json); /* after the line break behind the tag */
    free(data);
    free(page);
    free(json);
}

/* Names that are markup change nothing of the page: it has as many elements as without them. */
static void test_names_are_no_markup(void **state)
{
    fixture      *f    = *state;
    const int64_t run  = write_page_database(f, true);
    char         *page = report_of(f, run, "html");

    assert_int_equal(count_of(page, "<script"), 3);
    assert_int_equal(count_of(page, "</script"), 3);
    assert_lacks(page, "<b>rack");
    assert_lacks(page, "<script>alert");
    assert_has(page, "\\u003cscript>alert(1)\\u003c/script>");
    free(page);
}

/* No address is loaded, linked or asked for; a policy in the page forbids it as well. */
static void test_nothing_is_loaded(void **state)
{
    static const char *const loads[] = { " src=",   "@import",          "url(",
                                         "fetch(",  "XMLHttpRequest",   "WebSocket",
                                         "import(", "sourceMappingURL", "<iframe",
                                         "<object" };
    fixture                 *f       = *state;
    char                    *page    = report_of(f, write_run(f), "html");

    assert_has(page, "default-src 'none'");
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        assert_lacks(page, loads[i]);
    assert_int_equal(count_of(page, " href=\"data:,\""), 1);
    free(page);
}

/* Both an empty run and one with every outcome are whole pages. */
static void test_page_is_whole(void **state)
{
    fixture      *f    = *state;
    const int64_t run  = write_run(f);
    char         *page = report_of(f, run, "html");
    const size_t  n    = strlen(page);

    assert_string_equal(page + n - 8, "</html>\n");
    assert_int_equal(
        count_of(page, "@DATA@") + count_of(page, "@STYLE@") + count_of(page, "@SCRIPT@"), 0);
    free(page);
}

/* A device that is full is a failure of the report, never half a page that looks whole. */
static void test_full_device(void **state)
{
    fixture      *f   = *state;
    const int64_t run = write_run(f);
    FILE         *out = fopen("/dev/full", "w");

    assert_non_null(out);
    assert_fails(assay_report_write(f->path, run, "html", out), ASSAY_E_IO, "cannot be written");
    (void)fclose(out);
}

static int write_database(const char *path)
{
    fixture f = { .store = NULL };

    if (strlen(path) >= sizeof f.path)
        return 1;
    (void)snprintf(f.path, sizeof f.path, "%s", path);
    (void)write_page_database(&f, true);
    assay_store_close(f.store);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_page_holds_the_json_report, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_are_no_markup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_is_loaded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_page_is_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_device, set_up, tear_down),
    };

    return argc == 2 ? write_database(argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}
