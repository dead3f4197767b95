/* A text written to a file: if the name is a link, its target is written and the link stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_short; /* true: no memory for the resolved name */

/* The linker puts this function in front of the C library's. */
char *__real_realpath(const char *path, char *real);
char *__wrap_realpath(const char *path, char *real);
char *__wrap_realpath(const char *path, char *real)
{
    if (!is_short)
        return __real_realpath(path, real);
    errno = ENOMEM;
    return NULL;
}

static char folder[] = "/tmp/assay-output-XXXXXX", file[64], name[64];

static assay_status write_words(const char *words)
{
    assay_output output;
    assay_status st = assay_output_open(&output);

    assert_int_equal(st, ASSAY_OK);
    (void)fputs(words, output.file);
    st = assay_output_write(&output, name, NULL, 0);
    assay_output_free(&output);
    return st;
}

static void assert_link_to(const char *words)
{
    struct stat about;
    char        text[64] = "";
    FILE       *read     = fopen(file, "r");

    assert_non_null(read);
    (void)fgets(text, sizeof text, read);
    (void)fclose(read);
    assert_string_equal(text, words);
    assert_int_equal(lstat(name, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
}

static void test_link(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(file, sizeof file, "%s/file", folder);
    (void)snprintf(name, sizeof name, "%s/name", folder);
    assert_int_equal(symlink(file, name), 0);
    (void)fclose(fopen(file, "w"));
    assert_int_equal(write_words("first"), ASSAY_OK);
    assert_link_to("first");
    is_short = true;
    assert_int_equal(write_words("second"), ASSAY_E_IO);
    is_short = false;
    assert_non_null(strstr(assay_status_message(), strerror(ENOMEM)));
    assay_status_reset();
    assert_link_to("first");
    (void)unlink(name);
    (void)unlink(file);
    (void)rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_link) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
