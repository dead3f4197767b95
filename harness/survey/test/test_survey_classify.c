/* Reasons found in messages of gcc 12, clang 14 and assay-cc, word for word, and in other texts. */
#include "survey/survey_classify.h"
#include "testing/testing.h"

#include <stdlib.h>
#include <string.h>

typedef struct expectation {
    const char       *text;
    assay_survey_kind kind;
    const char       *what;
} expectation;

static void expect(const expectation *e)
{
    assay_survey_reason reason;

    assay_survey_classify(e->text, strlen(e->text), &reason);
    if (reason.kind != e->kind || strcmp(reason.what, e->what) != 0)
        fail_msg("'%s' is '%s' '%s', not '%s' '%s'", e->text, assay_survey_word(reason.kind),
                 reason.what, assay_survey_word(e->kind), e->what);
}

static void expect_all(const expectation *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect(&rows[i]);
}
#define EXPECT_ALL(rows) expect_all((rows), sizeof(rows) / sizeof *(rows))

static void test_gcc(void **state)
{
    static const expectation rows[] = {
        { "a.cu:1:10: fatal error: helper_cuda.h: No such file or directory\n"
          "    1 | #include <helper_cuda.h>\n"
          "      |          ^~~~~~~~~~~~~~~\ncompilation terminated.\nc++ failed\n",
          ASSAY_SURVEY_HEADER, "helper_cuda.h" },
        { "In file included from b.h:3,\n                 from a.cu:1:\n"
          "b.h:1:10: fatal error: thrust/sort.h: No such file or directory\n",
          ASSAY_SURVEY_CONSTRUCT, "thrust" },
        { "a.cu:1:10: fatal error: cub/device/device_scan.cuh: No such file or directory\n",
          ASSAY_SURVEY_CONSTRUCT, "device-wide CUB" },
        { "a.cu: In function 'void f()':\n"
          "a.cu:1:12: error: 'cudaGraph_t' was not declared in this scope\nc++ failed\n",
          ASSAY_SURVEY_CONSTRUCT, "graphs" },
        { "a.cu:1:12: error: 'cudaGraphicsResource' has not been declared\n",
          ASSAY_SURVEY_CONSTRUCT, "graphics" },
        { "a.cu:1:1: error: 'texture' does not name a type\n", ASSAY_SURVEY_CONSTRUCT,
          "textures, surfaces and arrays" },
        { "a.cu:1:1: error: 'texture_of' does not name a type; did you mean 'x'?\n",
          ASSAY_SURVEY_NAME, "texture_of" },
        { "a.cu:1:1: error: 'DeviceReduce' is not a member of 'cub'\n", ASSAY_SURVEY_CONSTRUCT,
          "device-wide CUB" },
        { "a.cu:1:1: error: 'DeviceForm' was not declared in this scope\n", ASSAY_SURVEY_NAME,
          "DeviceForm" },
        { "a.cu:1:1: error: 'cub::DeviceScan' has not been declared\n", ASSAY_SURVEY_CONSTRUCT,
          "device-wide CUB" },
        { "a.cu:1:1: error: invalid use of incomplete type 'struct cudaExtent'\n",
          ASSAY_SURVEY_CONSTRUCT, "textures, surfaces and arrays" },
        { "a.cu:1:11: error: 'cudaNoSuch' was not declared in this scope; did you mean "
          "'cudaMalloc'?\n",
          ASSAY_SURVEY_NAME, "cudaNoSuch" },
        { "a.cu:1:11: error: 'mine' was not declared in this scope; did you mean 'cublasMine'?\n",
          ASSAY_SURVEY_NAME, "mine" },
        { "a.cu:1:1: error: 'std::nosuch' has not been declared\n", ASSAY_SURVEY_NAME, "nosuch" },
        { "a.cu:1:160: error: 'struct S' has no member named 'b'\n", ASSAY_SURVEY_NAME, "b" },
        { "a.cu:1:1: error: no matching function for call to 'mine::sum<int>(float, int)'\n",
          ASSAY_SURVEY_NAME, "sum" },
        { "a.cu:36:6: error: variable or field 'resize' declared void\n   36 | void resize(int)\n"
          "a.cu:36:20: error: 'cudaTextureObject_t' was not declared in this scope\n",
          ASSAY_SURVEY_CONSTRUCT, "textures, surfaces and arrays" },
        { "a.cu:36:6: error: variable or field 'resize' declared void\nc++ failed\n",
          ASSAY_SURVEY_ERROR, "" },
        { "a.cu:1:35: error: missing terminating \" character\n", ASSAY_SURVEY_ERROR, "" },
        { "/tmp/x.s: Assembler messages:\n/tmp/x.s:12: Error: no such instruction: `nosuch'\n",
          ASSAY_SURVEY_ERROR, "" },
        { "c++: fatal error: Killed signal terminated program cc1plus\n", ASSAY_SURVEY_ERROR, "" },
        { "c++: internal compiler error: Segmentation fault\n", ASSAY_SURVEY_ERROR, "" },
    };

    (void)state;
    EXPECT_ALL(rows);
}

static void test_clang(void **state)
{
    static const expectation rows[] = {
        { "a.cu:1:10: fatal error: 'thrust/sort.h' file not found\n#include <thrust/sort.h>\n",
          ASSAY_SURVEY_CONSTRUCT, "thrust" },
        { "a.cu:1:10: fatal error: 'mine.h' file not found\n", ASSAY_SURVEY_HEADER, "mine.h" },
        { "a.cu:1:12: error: unknown type name 'cudaGraph_t'\n", ASSAY_SURVEY_CONSTRUCT, "graphs" },
        { "a.cu:1:1: error: no template named 'texture'\n", ASSAY_SURVEY_CONSTRUCT,
          "textures, surfaces and arrays" },
        { "a.cu:1:11: error: use of undeclared identifier 'cudaNoSuch'; did you mean "
          "'cudaMalloc'?\n",
          ASSAY_SURVEY_NAME, "cudaNoSuch" },
        { "a.cu:1:172: error: no member named 'nosuch' in namespace 'std'\n", ASSAY_SURVEY_NAME,
          "nosuch" },
        { "a.cu:1:28: error: no matching function for call to 'sqrtf'\n", ASSAY_SURVEY_NAME,
          "sqrtf" },
        { "a.cu:1:1: error: expected unqualified-id\n", ASSAY_SURVEY_ERROR, "" },
    };

    (void)state;
    EXPECT_ALL(rows);
}

static void test_assay_cc(void **state)
{
    static const expectation rows[] = {
        { "a.cu:1: a bracket '}' without the other\n", ASSAY_SURVEY_REFUSED,
          "a bracket '}' without the other" },
        { "a.cu:7: note: this depends on __CUDA_ARCH__ outside device code: it is taken as host\n"
          "/odd:9 /a.cu:12: this launch cannot be read: kernel<<<...>>>(...)\n",
          ASSAY_SURVEY_REFUSED, "this launch cannot be read: kernel<<<...>>>(...)" },
        { "a.cu:7: note: this depends on __CUDA_ARCH__ outside device code: it is taken as host\n"
          "a.cu:1:1: error: expected unqualified-id\nclang++ failed\n",
          ASSAY_SURVEY_ERROR, "" },
        { "cannot run nosuch: No such file or directory\n", ASSAY_SURVEY_ERROR, "" },
    };

    (void)state;
    EXPECT_ALL(rows);
}

/* If a path has an apostrophe or the words of an error, it is not taken for the missing name. */
static void test_sentences(void **state)
{
    static const char   odd[] = "n \"b' c.cu:1:12: error: 'cudaGraph_t' was not declared in this "
                                "scope\nd.cu:2:3: error: 'tex2D' was not declared in this scope\n";
    assay_survey_reason reason;

    (void)state;
    assay_survey_classify(odd, strlen(odd), &reason);
    assert_string_equal(reason.what, "graphs");
    assert_string_equal(reason.sentence, "n \"b' c.cu:1:12: error: 'cudaGraph_t' was not declared "
                                         "in this scope");
}

static void test_hostile(void **state)
{
    static const expectation rows[] = {
        { "", ASSAY_SURVEY_ERROR, "" },
        { "\n\n\n", ASSAY_SURVEY_ERROR, "" },
        { ": error: ", ASSAY_SURVEY_ERROR, "" },
        { ": error: '", ASSAY_SURVEY_ERROR, "" },
        { ": error: ''", ASSAY_SURVEY_ERROR, "" },
        { ": error: '''''''", ASSAY_SURVEY_ERROR, "" },
        { ": error: has no member named '", ASSAY_SURVEY_ERROR, "" },
        { ": fatal error: : No such file or directory", ASSAY_SURVEY_ERROR, "" },
        { ":::::1:2:3: ", ASSAY_SURVEY_REFUSED, "" },
        { "a.cu:1: \x1b[2J\xff", ASSAY_SURVEY_REFUSED, " [2J?" },
    };
    static char         text[100000];
    assay_survey_reason reason;

    (void)state;
    EXPECT_ALL(rows);
    assay_survey_classify("a\0b\n\0: error: x", 15, &reason);
    assert_int_equal(reason.kind, ASSAY_SURVEY_ERROR);
    memset(text, '\'', sizeof text);
    assay_survey_classify(text, sizeof text, &reason);
    assert_int_equal(reason.kind, ASSAY_SURVEY_ERROR);
    /* The path is longer than a sentence, and the error is still found. */
    memset(text, 'p', 5000);
    memcpy(text + 5000, ":1:1: error: unknown type name 'cudaIpcMemHandle_t'", 52);
    assay_survey_classify(text, 5051, &reason);
    assert_string_equal(reason.what, "memory between processes");
}

static char *list_unknown(const char *text, size_t size)
{
    char  *list = NULL;
    size_t n    = 0;
    FILE  *out  = open_memstream(&list, &n);

    assert_non_null(out);
    assay_survey_list_unknown(text, size, out);
    assert_int_equal(fclose(out), 0);
    return list;
}

static void expect_unknown(const char *text, const char *expected)
{
    char *list = list_unknown(text, strlen(text));

    assert_string_equal(list, expected);
    free(list);
}

static void test_translations(void **state)
{
    static const char two[] = "void k() { static const char assay_key[] = \"k\"; }\n"
                              "void l() { static const char assay_key[] = \"l\"; "
                              "static const char assay_key_s = 0; }";

    (void)state;
    assert_int_equal(assay_survey_count_kernels(two, strlen(two)), 2);
    assert_int_equal(assay_survey_count_kernels("", 0), 0);
    expect_unknown(two, "");
    expect_unknown("assay_ptx::unknown(\"no.such %0, %1\", \"\"); "
                   "assay_ptx::unknown(\"@p wgmma.fence\", \"\"); "
                   "assay_ptx::unknown(\"no.such %2\", \"\"); assay_ptx::unknown(\"no\", \"\")",
                   "no.such\nwgmma.fence\nno\n");
    expect_unknown("assay_ptx::unknown(", "");
    expect_unknown("assay_ptx::unknown(\"", "");
    expect_unknown("assay_ptx::unknown(\"@p", "");
}

/* Names for which there is no room are left out, and none is cut. */
static void test_many_unknown(void **state)
{
    enum {
        N = 3000
    };
    char  *text = calloc(N, 64), *list;
    size_t n    = 0;

    (void)state;
    assert_non_null(text);
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "assay_ptx::unknown(\"nosuch.%06d\", \"\"); ", i);
    list = list_unknown(text, n);
    assert_true(strlen(list) > 14 && strlen(list) % 14 == 0);
    free(list);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gcc),          cmocka_unit_test(test_clang),
        cmocka_unit_test(test_assay_cc),     cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_hostile),      cmocka_unit_test(test_translations),
        cmocka_unit_test(test_many_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
