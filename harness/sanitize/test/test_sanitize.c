/* Which tools there are, where compute-sanitizer is looked for, and how it is started. */
#include "testing/testing.h"

#include "sanitize/sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void tools_have_names(void **state)
{
    static const char *const wrong[] = { "", "none", "memcheck,racecheck", "Memcheck", "tsan" };
    assay_gpu_tool           tool    = ASSAY_GPU_TOOL_NONE;

    (void)state;
    for (int t = 1; t < ASSAY_N_GPU_TOOLS; t++) {
        assert_true(assay_sanitize_parse(assay_gpu_tool_text((assay_gpu_tool)t), &tool));
        assert_int_equal(tool, t);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(assay_sanitize_parse(wrong[i], &tool));
    assert_string_equal(assay_gpu_tool_text(ASSAY_GPU_TOOL_NONE), "");
}

static void make_program(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static void finds_it_by_variable_path_and_toolkit(void **state)
{
    char folder[] = "/tmp/assay-sanitize-XXXXXX", named[64], in_bin[64], own[64], path[64],
         why[512];

    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(own, sizeof own, "%s/bin", folder);
    assert_int_equal(mkdir(own, 0700), 0);
    (void)snprintf(in_bin, sizeof in_bin, "%s/bin/compute-sanitizer", folder);
    (void)snprintf(named, sizeof named, "%s/mine", folder);
    assert_int_equal(setenv("PATH", "/nowhere::/nowhere/else", 1), 0);
    assert_int_equal(setenv("CUDA_HOME", folder, 1), 0);
    assert_int_equal(unsetenv(ASSAY_SANITIZE_PROGRAM), 0);
    make_program(in_bin);
    assert_true(assay_sanitize_find(path, sizeof path, why, sizeof why));
    assert_string_equal(path, in_bin);
    assert_int_equal(setenv("PATH", own, 1), 0);
    assert_int_equal(unsetenv("CUDA_HOME"), 0);
    assert_true(assay_sanitize_find(path, sizeof path, why, sizeof why));
    assert_string_equal(path, in_bin);
    /* A named program is used or refused, whatever other folders have. */
    assert_int_equal(setenv(ASSAY_SANITIZE_PROGRAM, named, 1), 0);
    assert_false(assay_sanitize_find(path, sizeof path, why, sizeof why));
    assert_non_null(strstr(why, "which cannot be started"));
    make_program(named);
    assert_true(assay_sanitize_find(path, sizeof path, why, sizeof why));
    assert_string_equal(path, named);
    assert_false(assay_sanitize_find(path, strlen(named), why, sizeof why)); /* not enough room */
    assert_int_equal(unlink(named) + unlink(in_bin) + rmdir(own) + rmdir(folder), 0);
}

static bool has_pair(const char *const *words, int n, const char *option, const char *value)
{
    for (int i = 0; i + 1 < n; i++)
        if (strcmp(words[i], option) == 0 && strcmp(words[i + 1], value) == 0)
            return true;
    return false;
}

static void starts_each_tool_with_what_it_needs(void **state)
{
    const char *words[ASSAY_SANITIZE_WORDS];

    (void)state;
    for (int t = 1; t < ASSAY_N_GPU_TOOLS; t++) {
        const assay_gpu_tool tool = (assay_gpu_tool)t;
        const int            n    = assay_sanitize_words(tool, "/a/b", "/c/d", words);

        assert_string_equal(words[0], "/a/b");
        assert_true(has_pair(words, n, "--tool", assay_gpu_tool_text(tool)));
        assert_true(has_pair(words, n, "--log-file", "/c/d"));
        assert_true(has_pair(words, n, "--target-processes", "application-only"));
        assert_int_equal(has_pair(words, n, "--padding", "4096"), tool == ASSAY_GPU_TOOL_MEMCHECK);
        assert_int_equal(has_pair(words, n, "--report-api-errors", "no"),
                         tool == ASSAY_GPU_TOOL_MEMCHECK);
        assert_int_equal(has_pair(words, n, "--check-api-memory-access", "no"),
                         tool == ASSAY_GPU_TOOL_INITCHECK);
        assert_int_equal(n % 2, 1); /* every option has a value */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_have_names),
        cmocka_unit_test(finds_it_by_variable_path_and_toolkit),
        cmocka_unit_test(starts_each_tool_with_what_it_needs),
    };

    return cmocka_run_group_tests_name("sanitize", tests, NULL, NULL);
}
