/* The HTML report: one page that needs no other file, whatever the names in it. With a path as its
 * only argument the program writes the database of report_page_test.py instead, which looks at the
 * page in a browser; with another argument it writes a large one. */
#include "report_page.h"

#include "testing/strict_json.h"

#include <zlib.h>

static const char data_start[] = "<script type=\"text/plain\" id=\"report\">";

/* How often `part` occurs. */
static int count_of(const char *text, const char *part)
{
    int n = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        n++;
    return n;
}

/* Decodes base64. Returns the number of bytes. */
static size_t read_base64(const char *text, const char *end, unsigned char *bytes)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, n_bits = 0;
    size_t   n = 0;

    for (; text < end && *text != '='; text++) {
        const char *letter = strchr(letters, *text);

        if (*text == '\n')
            continue;
        assert_non_null(letter);
        bits = bits << 6 | (unsigned)(letter - letters);
        n_bits += 6;
        if (n_bits < 8)
            continue;
        n_bits -= 8;
        bytes[n++] = (unsigned char)(bits >> n_bits);
    }
    return n;
}

/* The JSON in the page, unpacked; caller frees. */
static char *data_of(const char *page)
{
    enum {
        ROOM = 1 << 24
    };
    const char    *start = strstr(page, data_start), *end;
    unsigned char *packed;
    char          *data = calloc(1, ROOM);
    z_stream       z    = { .zalloc = NULL };

    assert_non_null(data);
    assert_non_null(start);
    start += strlen(data_start);
    end = strstr(start, "</script");
    assert_non_null(end);
    packed = malloc((size_t)(end - start) + 1);
    assert_non_null(packed);
    z.next_in   = packed;
    z.avail_in  = (uInt)read_base64(start, end, packed);
    z.next_out  = (unsigned char *)data;
    z.avail_out = ROOM - 1;
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(inflateEnd(&z), Z_OK);
    free(packed);
    return data;
}

/* Cuts out every list of this name. It starts on a line of its own and contains no list. */
static void cut_lists(char *json, const char *start)
{
    for (char *at = strstr(json, start); at; at = strstr(at, start)) {
        const char *end = strstr(at, "]");

        assert_non_null(end);
        memmove(at, end + 1, strlen(end));
    }
}

/* Cuts out every object of this name. It ends with the first brace that closes. */
static void cut_objects(char *json, const char *start)
{
    for (char *at = strstr(json, start); at; at = strstr(at, start)) {
        const char *end = strchr(strstr(at, "\"above\":"), '}');

        assert_non_null(end);
        memmove(at, end + 2, strlen(end + 1)); /* the braces of "seen" and of the object */
    }
}

/* The page holds the JSON report without the checks of single outputs, and with fewer samples and
 * blocks. */
static void test_page_holds_the_json_report(void **state)
{
    static const char blocks[] = ",\n\"blocks\":[", samples[] = ",\"samples\":{";
    fixture          *f    = *state;
    const int64_t     run  = write_page_database(f, false);
    char             *json = report_of(f, run, "json"), *page = report_of(f, run, "html");
    char             *data = data_of(page);

    assert_int_equal(strncmp(page, "<!DOCTYPE html>", 15), 0);
    assert_true(json_is_valid(data));
    assert_lacks(data, "\"checks\":");
    assert_has(json, "\"checks\":[{");
    assert_has(data, "\"blocks\":[{\"process\":0,\"n_samples\":20,\"median_ns\":");
    cut_lists(json, ",\n\"checks\":[");
    cut_lists(json, blocks);
    cut_lists(data, blocks);
    cut_objects(json, samples);
    cut_objects(data, samples);
    assert_has(data, "\"doubt\":\"not decided, near the floor\"");
    assert_string_equal(data, json);
    free(data);
    free(page);
    free(json);
}

/* Names that are markup change nothing: the page has as many elements as without them. */
static void test_names_are_no_markup(void **state)
{
    fixture      *f    = *state;
    const int64_t run  = write_page_database(f, true);
    char         *page = report_of(f, run, "html"), *data = data_of(page);

    assert_int_equal(count_of(page, "<script"), 3);
    assert_int_equal(count_of(page, "</script"), 3);
    assert_lacks(page, "<b>rack");
    assert_lacks(page, "<script>alert");
    assert_has(data, "\\u003cscript>alert(1)\\u003c/script>");
    free(data);
    free(page);
}

/* The page loads, links and requests no address; a policy in the page forbids it as well. */
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

/* The page of an empty run is complete, and so is that of a run with every outcome. */
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

/* If the disk is full, the report fails; half a page never looks like a whole one. */
static void test_full_device(void **state)
{
    fixture      *f   = *state;
    const int64_t run = write_run(f);
    FILE         *out = fopen("/dev/full", "w");

    assert_non_null(out);
    assert_fails(assay_report_write(f->path, run, "html", out), ASSAY_E_IO, "cannot be written");
    (void)fclose(out);
}

static int write_database(const char *path, bool is_large)
{
    fixture f = { .store = NULL };

    if (strlen(path) >= sizeof f.path)
        return 1;
    (void)snprintf(f.path, sizeof f.path, "%s", path);
    if (is_large)
        write_large_database(&f);
    else
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

    return argc > 1 ? write_database(argv[1], argc > 2) : cmocka_run_group_tests(tests, NULL, NULL);
}
