/* build_file: what CMake writes beside a program, in valid and invalid forms; and the line that
 * says why a build failed. */
#include "testing/testing.h"

#include "watch/build_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/assay-build-XXXXXX";

static assay_status read_text(const char *text, const char *kind, assay_build_file *file)
{
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    return assay_build_file_read(path, kind, file);
}

static void a_command_a_kind_and_sources_a_case(void **state)
{
    assay_build_file file;

    (void)state;
    assert_int_equal(read_text("build\thost\tcmake\t--build\t/a b\nbuild\tcuda\tmake\n"
                               "source\taxpy\t/x/axpy.c\nsource\tsum\t/x/a sum.cu\n",
                               "host", &file),
                     ASSAY_OK);
    assert_string_equal(file.command[0], "cmake");
    assert_string_equal(file.command[2], "/a b");
    assert_null(file.command[3]);
    assert_int_equal(file.n_sources, 2);
    assert_string_equal(file.sources[1].case_name, "sum");
    assert_string_equal(file.sources[1].path, "/x/a sum.cu");
    assay_build_file_free(&file);
    assay_build_file_free(&file);
    assay_build_file_free(NULL);
}

static void what_is_no_such_file_is_refused(void **state)
{
    char             many[512] = "build\thost";
    assay_build_file file;

    (void)state;
    assert_failed_with(read_text("", "host", &file), ASSAY_E_USAGE, "is empty");
    assert_failed_with(read_text("build\thost\tmake\n", "cuda", &file), ASSAY_E_USAGE,
                       "no kernel module for 'cuda'");
    assert_failed_with(read_text("bild\thost\tmake\n", "host", &file), ASSAY_E_USAGE,
                       "unknown word 'bild'");
    assert_failed_with(read_text("source\taxpy\n", "host", &file), ASSAY_E_USAGE,
                       "a line that says nothing");
    assert_failed_with(read_text("build\n", "host", &file), ASSAY_E_USAGE,
                       "a line that says nothing");
    for (int i = 0; i <= ASSAY_BUILD_WORDS; i++)
        (void)strcat(many, "\tword");
    assert_failed_with(read_text(many, "host", &file), ASSAY_E_USAGE, "more than 32 words");
    assert_int_equal(unlink(path), 0);
    assert_failed_with(assay_build_file_read(path, "host", &file), ASSAY_E_USAGE, "cannot read");
    assert_failed_with(assay_build_file_read("/tmp", "host", &file), ASSAY_E_IO, "cannot read");
}

static void expect_why(const char *output, const char *why)
{
    char line[128];

    assay_build_error(output, line, sizeof line);
    assert_string_equal(line, why);
}

static void the_first_error_is_the_cause(void **state)
{
    (void)state;
    expect_why("[1/2] Building\nFAILED: x.o\ng++ -Werror=vla x.cc\nx.cc:1:2: error: no\nx.cc:9: "
               "error: more\nninja: build stopped\n",
               "x.cc:1:2: error: no");
    expect_why("/bin/ld: x.o: undefined reference to `f'\ncollect2: error: ld\n",
               "/bin/ld: x.o: undefined reference to `f'");
    expect_why("something\n  \nlast words\n\n", "last words");
    expect_why("", "it says nothing");
    expect_why("x: error: \033[1mred\n", "x: error: ?[1mred");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_a_kind_and_sources_a_case),
        cmocka_unit_test(what_is_no_such_file_is_refused),
        cmocka_unit_test(the_first_error_is_the_cause),
    };
    const int fd = mkstemp(path);

    return fd < 0 || close(fd) != 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
