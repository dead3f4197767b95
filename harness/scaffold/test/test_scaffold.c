/* What `assay new` reads in files of kernels, and the case that it writes: text in, text out. */
#include "scaffold/scaffold.h"
#include "testing/testing.h"

#include <stdlib.h>
#include <string.h>

/* The case for a text; *found has what was found in it. The caller frees both. */
static char *case_of(const char *name, const char *text, assay_found *found)
{
    char  *out  = NULL;
    size_t size = 0;
    FILE  *file = open_memstream(&out, &size);

    assert_non_null(file);
    assay_status_reset();
    assert_int_equal(assay_found_read(text, found), ASSAY_OK);
    assert_int_equal(assay_scaffold_case(name, "k.cu", found, file), ASSAY_OK);
    assert_int_equal(fclose(file), 0);
    return out;
}

static void assert_case(const char *name, const char *text, const char *const *pieces)
{
    assay_found found;
    char       *out = case_of(name, text, &found);

    for (; *pieces; pieces++)
        if (!strstr(out, *pieces))
            fail_msg("\"%s\" is not in:\n%s", *pieces, out);
    assay_found_free(&found);
    free(out);
}
#define ASSERT_CASE(text, ...) assert_case("k", (text), (const char *const[]) { __VA_ARGS__, NULL })

/* The case gives this reason why the first kernel is not a variant. */
static void assert_why(const char *text, const char *why)
{
    assay_found found;
    char       *out = case_of("k", text, &found);

    assert_true(found.n_kernels > 0);
    if (!strstr(found.kernel[0].why, why) || !strstr(out, why))
        fail_msg("\"%s\" is not in \"%s\", or not in:\n%s", why, found.kernel[0].why, out);
    assay_found_free(&found);
    free(out);
}

static void test_roles(void **state)
{
    (void)state;
    ASSERT_CASE(
        "__global__ void k(const float *__restrict__ x, double *y, float a, int n, int step)"
        "{ }",
        "enum { N, STEP };", "enum { X, Y };", "enum { A };",
        "s->buf[X] = (assay_buffer) { .name = \"x\", .role = ASSAY_IN, .type = ASSAY_F32",
        "s->buf[Y] = (assay_buffer) { .name = \"y\", .role = ASSAY_OUT, .type = ASSAY_F64",
        "s->param[N] = n;", "s->param[STEP] = 1; /* TO CHECK */", "s->param_name[STEP] = \"step\";",
        "s->scalar[A] = 0.5; /* TO CHECK */", "s->scalar_name[A] = \"a\";",
        "[N] = ASSAY_AXIS(\"n\", ASSAY_AXIS_INT, ", ".arguments = \"x, y, a, n, step\"",
        ".reference = NULL, /* TO WRITE: k_reference", ".u_out = ASSAY_U64_ROUNDOFF", ".why = NULL",
        "x: const float *x = args->in[X];", "{ .name = \"k\", .kernels = k_launch },");
    /* const after the star says nothing about the values pointed at; an array is a pointer. */
    ASSERT_CASE("__global__ void k(float const *a, float *const b, const int c[], int rows, int "
                "cols) { }",
                ".name = \"a\", .role = ASSAY_IN", ".name = \"b\", .role = ASSAY_OUT",
                ".name = \"c\", .role = ASSAY_IN, .type = ASSAY_I32", "count = rows * cols;",
                "ceil_div(rows * cols, 256)");
}

static void test_types(void **state)
{
    static const struct {
        const char *type, *word;
    } rows[] = {
        { "half", "ASSAY_F16" },
        { "__half", "ASSAY_F16" },
        { "__nv_bfloat16", "ASSAY_BF16" },
        { "nv_bfloat16", "ASSAY_BF16" },
        { "__nv_fp8_e4m3", "ASSAY_F8E4M3" },
        { "__nv_fp8_e5m2", "ASSAY_F8E5M2" },
        { "std::int8_t", "ASSAY_I8" },
        { "unsigned char", "ASSAY_U8" },
        { "bool", "ASSAY_U8" },
        { "short", "ASSAY_I16" },
        { "uint16_t", "ASSAY_U16" },
        { "unsigned", "ASSAY_U32" },
        { "long long", "ASSAY_I64" },
        { "::size_t", "ASSAY_U64" },
        { "real", "ASSAY_F64" },
        { "mine", "ASSAY_I32" },
        { "FLOAT", "ASSAY_F32" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256], word[64];

        (void)snprintf(text, sizeof text,
                       "using real = double;\ntypedef int mine;\n#define FLOAT float\n"
                       "__global__ void k(const %s *x, %s *y, int n) { }",
                       rows[i].type, rows[i].type);
        (void)snprintf(word, sizeof word, ".type = %s", rows[i].word);
        ASSERT_CASE(text, word);
    }
    ASSERT_CASE("__global__ void k(float4 *y, int n) { }", ".type = ASSAY_F32, .count = 4 * count");
    ASSERT_CASE("__global__ void k(int *y, float *z, unsigned n) { }",
                ".tol = { .rule = ASSAY_RULE_EXACT", "{ \"z\", { .rule = ASSAY_RULE_BOUND");
}

static void test_names(void **state)
{
    (void)state;
    /* Keywords, macros, names that the case itself uses, and names that differ only in case. */
    ASSERT_CASE("__global__ void k(const float *restrict_, float *s, float null, int N, int n, int "
                "count, float eof) { }",
                "enum { N, N_2, COUNT };", "enum { RESTRICT_, S };", "enum { NULL_2, EOF_2 };",
                "const int64_t n = axis[N].i[0];", "const int64_t n_2 = axis[N_2].i[0];",
                "const int64_t count_2 = axis[COUNT].i[0];", "count = n * n_2 * count_2;");
    ASSERT_CASE("__global__ void k(float *_, int inline_, float __a) { }", "enum { INLINE_ };",
                "enum { ARG };", "enum { A };");
    ASSERT_CASE("__global__ void k(float *, int) { }", "enum { UNNAMED_2 };", "enum { UNNAMED_1 };",
                ".arguments = \"unnamed_1, unnamed_2\"");
    ASSERT_CASE("__global__ void k(float *n) { }", "ASSAY_AXIS(\"size\"", ".arguments = \"n\" }");
}

static void test_launches(void **state)
{
#define KERNEL "__global__ void k(const float *x, float *y, int rows, int cols) { }\n"
    (void)state;
    ASSERT_CASE(KERNEL "void f(float *a, float *b, int N, int C) { k<<<N, 128>>>(a, b, N, C); }",
                ".grid = \"rows\", .block = \"128\"");
    ASSERT_CASE(
        "#define TILE 16 // wide\n" KERNEL "static const unsigned ROWS_OF = TILE / 2;\n"
        "void f(float *a, float *b, int N, int C)\n"
        "{ dim3 block(TILE, ROWS_OF); const dim3 grid((C + block.x - 1) / block.x, "
        "cdiv(N, (int)block.y)); k<<<grid, block, block.x * sizeof(float)>>>(a, b, N, C); }",
        ".grid = \"(cols + 16 - 1) / 16, ceil_div(rows, (16 / 2))\"", ".block = \"16, (16 / 2)\"",
        ".shared = \"16 * 4\"");
    ASSERT_CASE(KERNEL "void f(float *a, int N) { k<<<dim3{std::min(N, 7), 2}, 0x40u>>>(a, a, N, "
                       "1); }",
                ".grid = \"min(rows, 7), 2\", .block = \"64\"");
    /* If these names do not give the size, it is not guessed. */
    ASSERT_CASE(KERNEL "void f(float *a, int N) { k<<<v.size(), 64>>>(a, a, N, 1); }",
                ".grid = \"ceil_div(rows * cols, 256)\", .block = \"256\", /* TO CHECK");
    ASSERT_CASE(KERNEL "void f(float *a, int N) { int g = g; k<<<g, 64>>>(a, a, N, 1); }",
                ".block = \"256\", /* TO CHECK");
    ASSERT_CASE("__global__ void k(float *y, int n) { extern __shared__ float s[]; }",
                "/* TO CHECK: bytes of its extern __shared__ */");
}

static void test_variants(void **state)
{
    (void)state;
    ASSERT_CASE("namespace a { __global__ void k(float *y, int n) { } }\n"
                "namespace b { __global__ void k(float *out, int len) { } }\n"
                "namespace { __global__ void other(float *out, int len) { } }",
                "{ .name = \"a::k\",", "{ .name = \"b::k\",", ".name = \"k\", .kernels = k_launch",
                ".name = \"b_k\", .kernels = b_k_launch", "{ .name = \"other\",");
    ASSERT_CASE("template <class T, int B> __global__ void t(const T *x, T *y, int n) { }\n"
                "template __global__ void t<float, 256>(const float *, float *, int);",
                "{ .name = \"t<float, 256>\",", ".name = \"t_float_256\"",
                ".arguments = \"x, y, n\"");
    /* The kernel with the name of the case comes first. */
    ASSERT_CASE(
        "__global__ void first(float *y, int n) { }\n__global__ void k_2(int *z, int m) { }",
        "enum { M };", "first: it does not take what k_2 takes");
}

static void test_no_variants(void **state)
{
    char   many[2048] = "__global__ void k(";
    size_t used       = strlen(many);

    (void)state;
    for (int i = 0; i < 30; i++)
        used += (size_t)snprintf(many + used, sizeof many - used, "float *y%d, ", i);
    (void)snprintf(many + used, sizeof many - used, "int n) { }");
    assert_why(many, "it takes more buffers than a case may have");
    assert_why("template <class T> __global__ void k(T *x) { }", "makes no instance of it");
    assert_why("extern \"C\" __global__ void k(float *x) { }", "hides its parameters");
    assert_why("extern \"C\" { __global__ void k(float *x) { } }", "hides its parameters");
    assert_why("__global__ void k(float *x) { }\n__global__ void k(int *x) { }",
               "two kernels of this name");
    assert_why("struct s { __global__ static void k(float *x) { } };", "a member of a class");
    assert_why("__global__ void k(float **x) { }", "its parameter 'float **x' is of no type");
    assert_why("__global__ void k(float &x) { }", "is of no type");
    assert_why("__global__ void k(std::vector<float> x) { }", "is of no type");
    assert_why("__global__ void k(const float *x) { }", "it has no output");
    assert_why("__global__ void k(float *x\xc3\xa9) { }", "is none that a case can have");
    assert_why("__global__ void k() { }", "it has no output");
}

static void test_not_read(void **state)
{
    static const char *const texts[] = {
        "",
        "int main() { return 0; }",
        "// __global__ void k(float *x) { }\n/* __global__ void l(float *x) { } */",
        "#if 0\n__global__ void k(float *x) { }\n#endif",
        "#define K(T) __global__ void k_##T(T *x) { }\nK(float)",
        "__global__ void k(float *x) { ( }",
        "const char *s = \"__global__ void k(float *x) { }\";",
        "const char *s = R\"x(__global__ void k(float *\") { }))x\";",
        "\"",
        "/*",
        "#define",
        "#if\n#else\n#else\n#endif\n#endif",
        "__global__",
        "__global__ void",
        "__global__ void k(",
        "template <",
        "k<<<",
        "k<<<>>>(",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assay_found found;
        char       *out = case_of("k", texts[i], &found);

        assert_int_equal(found.n_kernels, 0);
        assert_non_null(strstr(out, "no kernel of the file can be launched as data"));
        assay_found_free(&found);
        free(out);
    }
}

static void test_notes(void **state)
{
    assay_found found;

    (void)state;
    free(case_of("k", "#define K(T) __global__ void k_##T(T *x) { }\n#ifdef A\n#else\n#endif\n",
                 &found));
    assert_string_equal(found.notes, "only one branch of each #if with an #else was read\n"
                                     "a macro makes kernels: those are not seen\n");
    assay_found_free(&found);
    free(case_of("k", "void f() { ( }", &found));
    assert_non_null(strstr(found.notes, "its brackets do not pair"));
    assay_found_free(&found);
    assay_found_free(&found);
}

/* Every beginning of a valid text: nothing outside it is read, and a case is written. */
static void test_every_beginning(void **state)
{
    static const char text[] =
        "#define B 64\n#if B\nnamespace a { template <class T> __global__ void k(const T *x, T *y, "
        "int n) { }\ntemplate __global__ void k<float>(const float *, float *, int); }\n#else\n"
        "#endif\nvoid f(float *x, int m) { dim3 b(B, 2), g = dim3((m + b.x - 1) / b.x);\n"
        "a::k<float><<<g, b, sizeof(float) * static_cast<int>(B)>>>(x, x, m); }";

    (void)state;
    for (size_t n = 0; n < sizeof text; n++) {
        assay_found found;
        char       *begin = strndup(text, n);

        assert_non_null(begin);
        free(case_of("k", begin, &found));
        assay_found_free(&found);
        free(begin);
    }
}

static void test_files(void **state)
{
    char  *out  = NULL;
    size_t size = 0;
    FILE  *file = open_memstream(&out, &size);

    (void)state;
    assert_non_null(file);
    assert_int_equal(assay_scaffold_kernel("wave", file), ASSAY_OK);
    assert_int_equal(assay_scaffold_build("wave", "a b.cu", file), ASSAY_OK);
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(out, "__global__ void wave_kernel("));
    assert_non_null(strstr(out, "assay_case(wave KERNELS \"a b.cu\")"));
    free(out);
}

static void test_refused(void **state)
{
    static const char *const names[] = {
        "",    "1a",   "a-b",  "a/b",
        "a b", "test", "main", "a_name_that_is_much_longer_than_any_case_is_ever_called_x"
    };
    static const char *const files[] = {
        "", ".cu", "a.c", "a;b.cu", "a\"b.cu", "a\nb.cu", "*/.cu"
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assay_status_reset();
        assert_int_equal(assay_scaffold_check_name(names[i]), ASSAY_E_USAGE);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assay_status_reset();
        assert_int_equal(assay_scaffold_check_file(files[i]), ASSAY_E_USAGE);
    }
    assert_int_equal(assay_scaffold_check_name("for"), ASSAY_OK);
    assert_int_equal(assay_scaffold_check_file("../my kernels/a.cu"), ASSAY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roles),           cmocka_unit_test(test_types),
        cmocka_unit_test(test_names),           cmocka_unit_test(test_launches),
        cmocka_unit_test(test_variants),        cmocka_unit_test(test_no_variants),
        cmocka_unit_test(test_not_read),        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_every_beginning), cmocka_unit_test(test_files),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
