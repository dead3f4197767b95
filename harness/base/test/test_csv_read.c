/* Reading CSV: what RFC 4180 says, and where a file is not CSV. */
#include "testing/testing.h"

#include "base/csv_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static assay_csv parsed(const char *text)
{
    assay_csv          csv;
    const assay_status st = assay_csv_parse("t.csv", text, strlen(text), &csv);

    if (st != ASSAY_OK)
        fail_msg("%s", assay_status_message());
    return csv;
}

static void assert_cell(const assay_csv *csv, int64_t row, int64_t column, const char *text)
{
    assert_string_equal(assay_csv_at(csv, row, column)->text, text);
}

static void refuses(const char *text, size_t size, const char *words)
{
    assay_csv csv;

    assert_failed_with(assay_csv_parse("t.csv", text, size, &csv), ASSAY_E_USAGE, words);
    assert_null(csv.cells);
}
#define REFUSES(text, words) refuses((text), sizeof(text) - 1, (words))

/* Texts before which the writer puts an apostrophe, in both forms. */
static void test_formulas(void **state)
{
    static const char *const formulas[] = {
        "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1",  "\r=1",
        "-",    "=",    "'=1",  "''-x",     "-1;-2", "-0x1p3y"
    };
    static const char *const others[] = { "",  "a=1", "-1",   "+1.5e3", "-inf",
                                          "'", "'a",  "n=-1", " =1",    "it's" };
    char                     text[64];

    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        assay_csv csv;

        assert_true(assay_csv_is_formula(formulas[i]));
        (void)snprintf(text, sizeof text, "a\n\"'%s\"\n", formulas[i]);
        csv = parsed(text);
        assert_cell(&csv, 1, 0, formulas[i]);
        assay_csv_free(&csv);
        (void)snprintf(text, sizeof text, "a\n\"%s\"\n", formulas[i]);
        csv = parsed(text);
        assert_cell(&csv, 1, 0, formulas[i] + (formulas[i][0] == '\''));
        assay_csv_free(&csv);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assay_csv csv;

        assert_false(assay_csv_is_formula(others[i]));
        (void)snprintf(text, sizeof text, "a\n\"%s\"\n", others[i]);
        csv = parsed(text);
        assert_cell(&csv, 1, 0, others[i]);
        assay_csv_free(&csv);
    }
}

static void test_plain(void **state)
{
    assay_csv csv = parsed("a,b,c\r\n1,,3\r\n,,\r\n");

    (void)state;
    assert_int_equal(csv.n_columns, 3);
    assert_int_equal(csv.n_rows, 3);
    assert_int_equal(assay_csv_find(&csv, "c"), 2);
    assert_int_equal(assay_csv_find(&csv, "d"), -1);
    assert_cell(&csv, 1, 0, "1");
    assert_cell(&csv, 1, 1, "");
    assert_cell(&csv, 1, 2, "3");
    assert_cell(&csv, 2, 2, "");
    assay_csv_free(&csv);
}

/* Every way to end: LF, CR LF, nothing; and a byte order mark. */
static void test_line_ends(void **state)
{
    static const char *const texts[] = { "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1,2",
                                         "a,b\r\n1,\"2\"",
                                         "\xef\xbb\xbf"
                                         "a,b\n1,2\n" };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assay_csv csv = parsed(texts[i]);

        assert_int_equal(csv.n_rows, 2);
        assert_cell(&csv, 0, 0, "a");
        assert_cell(&csv, 0, 1, "b");
        assert_cell(&csv, 1, 0, "1");
        assert_cell(&csv, 1, 1, "2");
        assay_csv_free(&csv);
    }
}

static void test_quotes(void **state)
{
    assay_csv csv = parsed(
        "\"a\"\"b\",\"c,d\",e\r\n\"\",\"\"\"\",\" x \"\r\n\"one\r\ntwo\nthree\",y,z\r\n1,2,3\r\n");

    (void)state;
    assert_cell(&csv, 0, 0, "a\"b");
    assert_cell(&csv, 0, 1, "c,d");
    assert_cell(&csv, 1, 0, "");
    assert_cell(&csv, 1, 1, "\"");
    assert_cell(&csv, 1, 2, " x ");
    assert_cell(&csv, 2, 0, "one\r\ntwo\nthree");
    assert_cell(&csv, 2, 1, "y");
    /* lines are counted in the file, not in the table */
    assert_int_equal(assay_csv_at(&csv, 2, 0)->line, 3);
    assert_int_equal(assay_csv_at(&csv, 2, 1)->line, 5);
    assert_int_equal(assay_csv_at(&csv, 2, 1)->column, 8);
    assert_int_equal(assay_csv_at(&csv, 3, 2)->line, 6);
    assert_int_equal(assay_csv_at(&csv, 3, 2)->column, 5);
    assay_csv_free(&csv);
}

static void test_refused(void **state)
{
    (void)state;
    REFUSES("", "t.csv:1:1: the file is empty");
    REFUSES("a,b\r\n1\r\n", "t.csv:2:1: 1 fields, and the header has 2");
    REFUSES("a,b\r\n1,2,3\r\n", "t.csv:2:1: 3 fields, and the header has 2");
    REFUSES("a,b\r\n\r\n1,2\r\n", "t.csv:2:1: 1 fields");
    REFUSES("a,b\r\n1,\"2\r\n", "t.csv:2:3: this quote is never closed");
    REFUSES("a,b\r\n1,\"2\"x\r\n", "t.csv:2:6: text after the closing quote");
    REFUSES("a,b\r\n1,2\"\r\n", "t.csv:2:4: a quote inside a field");
    REFUSES("a,b\r\n1\r2,3\r\n", "t.csv:2:2: a CR without an LF");
    REFUSES("a,b\r\n1,2\0\r\n", "t.csv:2:4: a zero byte");
    REFUSES("a,b\r\n\"1\n2\0\",2\r\n", "t.csv:3:2: a zero byte");
    REFUSES("a,b,a\r\n", "t.csv:1:5: a second column 'a'");
    REFUSES("a,,b\r\n", "t.csv:1:3: a column without a name");
}

/* A text cut at any place is either read or refused; a text that is read has whole rows. */
static void test_cut_anywhere(void **state)
{
    static const char text[]   = "a,\"b\"\"\",c\r\n\"x\r\n\",,\"\"\r\n1,2,3\r\n";
    int               n_read   = 0;
    int               n_cut_up = 0;

    (void)state;
    for (size_t n = 0; n < sizeof text; n++) {
        assay_csv csv;

        if (assay_csv_parse("t.csv", text, n, &csv) == ASSAY_OK) {
            assert_true(csv.n_rows >= 1 && csv.n_columns >= 1);
            for (int64_t i = 0; i < csv.n_rows * csv.n_columns; i++)
                assert_non_null(csv.cells[i].text);
            n_read++;
        } else {
            n_cut_up++;
        }
        assay_csv_free(&csv);
        assay_status_reset();
    }
    assert_true(n_read > 3 && n_cut_up > 10);
}

static void test_file(void **state)
{
    char      path[] = "/tmp/assay-test-XXXXXX";
    const int fd     = mkstemp(path);
    FILE     *file   = fd < 0 ? NULL : fdopen(fd, "w");
    assay_csv csv;

    (void)state;
    assert_non_null(file);
    assert_true(fputs("n,square\r\n", file) >= 0);
    for (int i = 0; i < 20000; i++) /* too much for a single read */
        assert_true(fprintf(file, "%d,\"%d\"\r\n", i, i * 3) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(assay_csv_read(path, &csv), ASSAY_OK);
    assert_int_equal(csv.n_rows, 20001);
    assert_cell(&csv, 20000, 1, "59997");
    assay_csv_free(&csv);
    assert_int_equal(unlink(path), 0);
    assert_failed_with(assay_csv_read(path, &csv), ASSAY_E_IO, "cannot read");
    assert_failed_with(assay_csv_read("/tmp", &csv), ASSAY_E_IO, "cannot read /tmp");
    assay_csv_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),  cmocka_unit_test(test_plain),
        cmocka_unit_test(test_line_ends), cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
