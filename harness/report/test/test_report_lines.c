/* Lines that fit a terminal, whatever marks they contain, with colours if it has any. */
#include "base/terminal.h"
#include "report/report_lines.h"
#include "testing/testing.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAD   "\x02"
#define DOUBT "\x03"
#define GOOD  "\x04"
#define END   "\x05"

static void assert_lines(const char *text, int width, bool has_colours, const char *expected)
{
    char  *written = NULL;
    size_t size    = 0;
    FILE  *out     = open_memstream(&written, &size);

    assert_non_null(out);
    assay_lines_write_as(out, text, width, has_colours);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, expected);
    free(written);
}

static void lines_are_broken_at_blanks(void **state)
{
    (void)state;
    assert_lines("  one two three four\nfive\n", 0, false, "  one two three four\nfive\n");
    assert_lines("  one two three four\nfive\n", 12, false,
                 "  one two\n    three\n    four\nfive\n");
    assert_lines("one two", 7, false, "one two\n");
    assert_lines("a-word-that-is-longer than this\n", 8, false,
                 "a-word-that-is-longer\n  than\n  this\n");
    assert_lines("\n\n", 8, false, "\n\n");
    assert_lines("", 8, false, "");
    assert_lines("   \n", 2, false, "   \n");
}

static void commands_stay_whole(void **state)
{
    (void)state;
    assert_lines("\x01  assay check --point x\nassay check --point x\n", 12, false,
                 "  assay check --point x\nassay check\n  --point x\n");
}

/* Marks take no room: with or without them, shown or not, lines end at the same places. */
static void marks_have_no_width(void **state)
{
    (void)state;
    assert_lines("  " BAD "one" END " two " GOOD "three" END " four\n", 12, false,
                 "  one two\n    three\n    four\n");
    assert_lines("  " BAD "one" END " two " DOUBT "three" END " four\n", 12, true,
                 "  \033[31mone\033[0m two\n    \033[33mthree\033[0m\n    four\n");
    assert_lines(GOOD "one two" END "\n", 7, true, "\033[32mone two\033[0m\n");
    assert_lines(BAD "one two" END "\n", 0, false, "one two\n");
    assert_lines("\x01" BAD "one two" END "\n", 3, true, "\033[31mone two\033[0m\n");
}

/* The width of a terminal of 100 columns, of one of 40, and of a file. */
static void a_terminal_is_asked(void **state)
{
    struct winsize size = { .ws_col = 100, .ws_row = 30 };
    int            ours, theirs;
    FILE          *file;

    (void)state;
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(openpty(&ours, &theirs, NULL, NULL, &size), 0);
    assert_non_null(file = fdopen(theirs, "w"));
    assert_int_equal(assay_terminal_width(file), 100);
    assert_true(assay_terminal_has_colours(file));
    assert_int_equal(setenv("NO_COLOR", "", 1), 0); /* empty: the same as not set */
    assert_true(assay_terminal_has_colours(file));
    assert_int_equal(setenv("NO_COLOR", "0", 1), 0);
    assert_false(assay_terminal_has_colours(file));
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    assert_int_equal(setenv("TERM", "dumb", 1), 0);
    assert_false(assay_terminal_has_colours(file));
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(close(ours), 0);
    assert_non_null(file = fopen("/dev/null", "w"));
    assert_int_equal(assay_terminal_width(file), 0);
    assert_false(assay_terminal_has_colours(file));
    assert_int_equal(fclose(file), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_broken_at_blanks),
        cmocka_unit_test(commands_stay_whole),
        cmocka_unit_test(marks_have_no_width),
        cmocka_unit_test(a_terminal_is_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
