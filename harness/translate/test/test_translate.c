/* The translation of plain CUDA C++: what each construct becomes, what is refused, and that no text
 * crashes the program. The cases of selftest_plain check what the results do. */
#include "testing/testing.h"
#include "translate/ptx_internal.h"
#include "translate/translate.h"

#include <stdlib.h>
#include <string.h>

/* Translates `host` (and `device`, unless it is ""). Caller frees *out and *notes. */
static assay_status translate(const char *host, const char *device, char **out, char **notes)
{
    size_t       size[2];
    FILE        *file = open_memstream(out, &size[0]), *said = open_memstream(notes, &size[1]);
    assay_status st;

    assert_non_null(file);
    assert_non_null(said);
    assay_status_reset();
    st = assay_translate((assay_translate_text) { host, strlen(host) },
                         (assay_translate_text) { device, strlen(device) }, file, said);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(fclose(said), 0);
    return st;
}

/* Removes blanks and line breaks; translations are compared without them. */
static char *squeeze(const char *text)
{
    char *to = malloc(strlen(text) + 1), *at = to;

    assert_non_null(to);
    for (; *text; text++)
        if (*text != ' ' && *text != '\n')
            *at++ = *text;
    *at = '\0';
    return to;
}

static void assert_holds(const char *host, const char *device, const char *const *texts)
{
    char *out = NULL, *notes = NULL, *squeezed;

    assert_int_equal(translate(host, device, &out, &notes), ASSAY_OK);
    squeezed = squeeze(out);
    for (; *texts; texts++) {
        char *text = squeeze(*texts);

        if (!strstr(squeezed, text))
            fail_msg("\"%s\" is not in:\n%s", *texts, out);
        free(text);
    }
    free(squeezed);
    free(out);
    free(notes);
}
#define ASSERT_HOLDS(text, ...)                                                                    \
    assert_holds((text), "", (const char *const[]) { __VA_ARGS__, NULL })

#define FILE_MARK "# 1 \"user.cu\"\n"

static void test_launches(void **state)
{
    (void)state;
    ASSERT_HOLDS(
        FILE_MARK "void f() { k<<<g, b>>>(x, y); }",
        "(assay_host_configure(\"k\", __builtin_FILE(), __builtin_LINE(), g, b), k(x, y));");
    ASSERT_HOLDS(FILE_MARK
                 "void f() { a::k<float, (N > 3), T<int>><<<dim3(n, 1), b, s, st>>>(x); }",
                 "dim3(n, 1), b, s, st), a::k<float, (N > 3), T<int>>(x));");
    ASSERT_HOLDS(FILE_MARK "void f() { if (n) k<<<1, 2>>>(); else k2<<<3, 4>>>(); }",
                 "if (n) (assay_host_configure(\"k\"", "else (assay_host_configure(\"k2\"");
    ASSERT_HOLDS(
        FILE_MARK
        "void f() { if (n) (k<1>)<<<1, 2>>>(); p->table[i]<<<1, 2>>>(); ::k<<<1, 2>>>(); }",
        "if (n) (assay_host_configure(", "p->table[i]());", "::k());");
    /* Shifts are no launches, and the content of a string is none either. */
    ASSERT_HOLDS(FILE_MARK "int a = 1 << 3, b = a >> 2; const char *s = \"k<<<1, 2>>>()\";",
                 "1 << 3", "a >> 2", "\"k<<<1, 2>>>()\"");
    ASSERT_HOLDS(FILE_MARK "void f() { cudaFuncSetAttribute((const void *)k<1>, a, n); }",
                 "cudaFuncSetAttribute(k<1>, a, n)");
}

static void test_kernels(void **state)
{
    (void)state;
    ASSERT_HOLDS(FILE_MARK
                 "namespace m { static __global__ void __launch_bounds__(128, 2) k(float *x, int "
                 "n = 3) { x[n] = 0; } }",
                 "void k(float *x, int n = 3) { static const char assay_key[] = \"k\"; if "
                 "(assay_host_is_asked(assay_key)) return;",
                 "auto assay_thread = [=]() mutable -> void { x[n] = 0; };",
                 "assay_host_enter(assay_key, assay_thread, 128);",
                 "static_cast<void (*)(float *x, int n)>(k), \"m::k\")");
    /* A template has no address before it is instantiated. */
    ASSERT_HOLDS(
        FILE_MARK
        "template <class T> __global__ void k(T *x) { }\ntemplate __global__ void k<int>(int *x);",
        "template void k<int>(int *x); static const assay_host_kernel",
        "static_cast<void (*)(int *x)>(k<int>), \"k<int>\")");
    ASSERT_HOLDS(FILE_MARK
                 "__global__ void later(int *x);\nstruct s { static __global__ void k() { } };",
                 "void later(int *x);", "static void k() { static const char assay_key");
    ASSERT_HOLDS(FILE_MARK "__global__ void k(const __grid_constant__ big b) { }",
                 "static_cast<void (*)(const big b)>(k)");
}

static void test_shared(void **state)
{
    (void)state;
    ASSERT_HOLDS(FILE_MARK "__device__ void f() { __shared__ float a[2][N], *p, s; }",
                 "typedef float assay_base_a", "typedef assay_base_a assay_type_a[2][N];",
                 "typedef assay_base_a * assay_type_p;", "typedef assay_base_a assay_type_s;",
                 "static const char assay_key_s = 0;");
    ASSERT_HOLDS(FILE_MARK
                 "__device__ void f() { extern __shared__ __attribute__((aligned(16))) char s[]; }",
                 "typedef char assay_base_s", "assay_host_shared_dynamic");
    ASSERT_HOLDS(FILE_MARK
                 "__device__ void f() { alignas(32) __shared__ typename B<T, 4>::Storage s; }",
                 "struct alignas(32) assay_align_s", "typedef typename B<T, 4>::Storage");
    /* alignas may have a type as its argument. */
    ASSERT_HOLDS(FILE_MARK "__device__ void f() { __shared__ alignas(T) char s[sizeof(T)]; }",
                 "struct alignas(T) assay_align_s {};", "alignof(assay_align_s)",
                 "typedef assay_base_s assay_type_s[sizeof(T)];");
    /* A function that uses a name of namespace scope gets its declaration; no other function
     * does. */
    /* A lambda that captures by value would hold a copy of the memory. */
    ASSERT_HOLDS(
        FILE_MARK
        "__device__ void f() { __shared__ float a[8], b; auto g = [=](int i) { a[i] = [i] { return "
        "b "
        "+ a[i]; }(); }; h([&] { b = a[1]; }, [=] { c(s.a, p->b); }, a[[] { return 1; }()]); }",
        "auto g = [=, &b, &a](int i) {", "a[i] = [i, &b, &a] { return b",
        "h([&] { b = a[1]; }, [=] { c(s.a,", "a[[] { return 1; }()]");
    ASSERT_HOLDS(FILE_MARK "__shared__ int s, u;\n__device__ void f() { g([n, s] { s = n; }); "
                           "return [] { ++s, ++u; }(); }",
                 "g([n, s] { s = n; });", "return [&u, &s] { ++s, ++u; }();");
    ASSERT_HOLDS(FILE_MARK "extern __shared__ float d[];\n__shared__ int c;\n__device__ void f() { "
                           "d[0] = c; }\nvoid g(int d) { d = 1; }",
                 "static const char assay_key_c = 0; ;", "typedef int assay_base_c", "d[0] = c; }",
                 "void g(int d) { d = 1; }");
}

static void test_ptx(void **state)
{
    (void)state;
    ASSERT_HOLDS(
        FILE_MARK "__device__ void f() { asm volatile(\"ld.global.nc.L1::no_allocate.v2.f32 {%0, "
                  "%1}, [%2+8];\" : \"=f\"(a), \"=f\"(b) : \"l\"(p)); }",
        "assay_ptx::i_ld<float>(", "assay_ptx::list(assay_p0, assay_p1), assay_ptx::at(assay_p2+8)",
        "assay_ptx::out(a, assay_p0);");
    ASSERT_HOLDS(FILE_MARK "__device__ void f() { asm(\"{ .reg .pred p;\\n\\tL: setp.ne.s32 p, "
                           "%[x], 0f3F800000; @!p bra L; }\" :: [x] \"r\"(n)); }",
                 "bool assay_r_p {}", "assay_l_L:", "if (!assay_r_p) goto assay_l_L;",
                 "assay_ptx::float_of(0x3F800000u)");
    ASSERT_HOLDS(FILE_MARK "__device__ void f() { asm(\"no.such.thing %0;\" :: \"r\"(n)); "
                           "asm(\"wgmma.fence.sync.aligned;\"); }",
                 "assay_ptx::unknown(\"no.such.thing %0\", \"\"",
                 "assay_ptx::unknown(\"wgmma.fence.sync.aligned\", \"matrix instructions");
    /* The only statement of an `if` or a loop. */
    ASSERT_HOLDS(FILE_MARK "__device__ void f() { if (a) asm(\"bar.sync 0;\"); else asm(\"bar.sync "
                           "0;\"); do asm(\"bar.sync 0;\"); while (0); }",
                 "} while (false); else do {", "} while (false); while (0);");
    /* A relaxed load has a function of its own; a relaxed atomic is an ordinary one. */
    ASSERT_HOLDS(FILE_MARK
                 "__device__ void f() { asm(\"ld.relaxed.gpu.global.u32 %0, [%1]; "
                 "atom.relaxed.gpu.global.add.u32 %0, [%1], 1;\" : \"=r\"(a) : \"l\"(p)); }",
                 "assay_ptx::i_ld_relaxed<uint32_t>(", "assay_ptx::i_atom_add<uint32_t>(");
    /* The address space is part of the function's name. */
    ASSERT_HOLDS(FILE_MARK
                 "__device__ void f() { asm(\"cvta.to.shared::cta.u64 %0, %1; cvta.to.global.u64 "
                 "%0, %1;\" : \"=l\"(a) : \"l\"(p)); }",
                 "assay_ptx::i_cvta_to_shared<uint64_t>(", "assay_ptx::i_cvta_to<uint64_t>(");
    /* A number for labels, which are local to the statement here. */
    ASSERT_HOLDS(FILE_MARK
                 "__device__ void f() { asm(\"W_%=: @p bra D_%=; bra W_%=; D_%=:\" ::); }",
                 "__label__ assay_l_W___;", "goto assay_l_D___;", "assay_l_D___:");
    /* A function for the host alone keeps its own asm. */
    ASSERT_HOLDS(FILE_MARK "__host__ void f() { asm(\"pause\"); }", "asm(\"pause\");");
}

/* Does a line of ptx_every.cu call this instruction? */
static bool is_called(FILE *file, const char *row)
{
    char line[256], opcode[128], call[256], name[256];
    bool is_there = false;

    rewind(file);
    while (!is_there && fgets(line, sizeof line, file)) {
        const char *reason = NULL;

        if (sscanf(line, " \"%127[a-zA-Z0-9_:.]", opcode) != 1 || opcode[0] == '.')
            continue;
        if (!ptx_find(opcode, call, sizeof call, &reason))
            fail_msg("%s is in ptx_every.cu and not in the table", opcode);
        (void)sscanf(call, "i_%255[a-z0-9_]", name);
        is_there = strcmp(name, row) == 0;
    }
    return is_there;
}

/* ptx_every.cu, which nvcc takes and ptx_every.sh compiles, has each instruction of the table. So
 * no modifier that is ignored hides one from its opcode. */
static void test_ptx_table(void **state)
{
    FILE *file = fopen(ASSAY_TESTING_FOLDER "/../translate/test/ptx_every.cu", "r");

    (void)state;
    assert_non_null(file);
    for (int i = 0; ptx_row(i); i++)
        if (!is_called(file, ptx_row(i)))
            fail_msg("no line of ptx_every.cu is %s", ptx_row(i));
    (void)fclose(file);
}

/* Asserts that a translation lacks a text. */
static void assert_lacks(const char *host, const char *text)
{
    char *out = NULL, *notes = NULL;

    assert_int_equal(translate(host, "", &out, &notes), ASSAY_OK);
    if (strstr(out, text))
        fail_msg("\"%s\" is in:\n%s", text, out);
    free(out);
    free(notes);
}

#define POLL       "(assay_host_yield(ASSAY_YIELD_POLL, __builtin_FILE(), __builtin_LINE()), true)"
#define OVER       "(assay_host_yield(ASSAY_YIELD_WRITE, __builtin_FILE(), __builtin_LINE()), false)"
#define WAIT(test) POLL " && ((" test ") || " OVER ")"

static void test_waits(void **state)
{
    (void)state;
    /* Each form of a loop, and of volatile memory. */
    ASSERT_HOLDS(FILE_MARK "__device__ void f(int *p) { while (*(volatile int *)p == 0); }",
                 "while (" WAIT("*(volatile int *)p == 0") ");");
    ASSERT_HOLDS(FILE_MARK "__global__ void f(volatile int *p) { do { } while (*p == 0); }",
                 "do { } while (" WAIT("*p == 0") ");");
    ASSERT_HOLDS(FILE_MARK "__device__ void f(int *p) { for (; p[0] == 0;) {} }",
                 "for (;" WAIT("p[0] == 0") ";) {}");
    ASSERT_HOLDS(FILE_MARK "__device__ volatile int flag;\n"
                           "__device__ void f(int n) { while (flag < n) { n--; } g(); }",
                 "while (" WAIT("flag < n") ") { n--; } g();");
    ASSERT_HOLDS(FILE_MARK "__device__ int f(volatile int *p) { for (;;) { if (*p) return 1; } }",
                 "for (;;) { (void)" POLL "; if (*p) return 1; } }");
    ASSERT_HOLDS(FILE_MARK "__device__ int f(volatile int *p) { while (true) if (*p) return 1; }",
                 "while (true) if (!" POLL ") {} else if (*p) return 1;");
    ASSERT_HOLDS(FILE_MARK "struct s { volatile int go; };\n"
                           "__device__ void f(s *p) { int n = 0; while (!p->go) n++; }",
                 "while (" WAIT("!p->go") ") n++;");
    ASSERT_HOLDS(FILE_MARK
                 "__device__ int see(const int *p) { return *(const volatile int *)p; }\n"
                 "__device__ void f(int *p) { int n = 0; if (n) while (!see(p)) n++; else n--; }",
                 "if (n) while (" WAIT("!see(p)") ") n++; else n--;");
    ASSERT_HOLDS(FILE_MARK "__device__ void f(int *p) { int n = 0; do n++; while (!__ldcg(p)); }",
                 "do n++; while (" WAIT("!__ldcg(p)") ");");
    ASSERT_HOLDS(FILE_MARK "__device__ void f(volatile int *p, int n) {"
                           " while (n) if (*p) n--; else do n++; while (n < 3); }",
                 "while (" WAIT("n") ") if (*p) n--; else do n++; while (n < 3);");
    /* The outer loop does not wait. */
    ASSERT_HOLDS(FILE_MARK "__device__ void f(volatile int *p) {"
                           " for (int i = 0; i < 4; i++) { g(); while (p[i] == 0); } }",
                 "for (int i = 0; i < 4; i++) { g(); while (" WAIT("p[i] == 0") ");");
}

static void test_no_waits(void **state)
{
    static const char *const texts[] = {
        "__device__ int f(int *p) { int n = 0; while (p[n]) n++; return n; }",
        "__device__ int f(int *p) { for (int i = 0; i < 9; i++) asm volatile(\"\"); return 1; }",
        "__device__ void f(int *p) { for (int i = 0; i < 9; i++) p[i] = __ldcg(p + 9); }",
        "void f(volatile int *p) { while (*p == 0); }",
        "__device__ constexpr int f(int n) { while (n > 9); return n; }",
        "__device__ void f(volatile int *p) { while (int n = *p) g(n); }",
        "__device__ void f(volatile int *p) { *p = 1; int n = 9; while (n > 3) { n--; g(); } }",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[256];

        (void)snprintf(text, sizeof text, "%s%s", FILE_MARK, texts[i]);
        assert_lacks(text, "ASSAY_YIELD");
    }
}

static void test_architectures(void **state)
{
    static const char host[] =
        FILE_MARK "int a;\n__device__ int f() { return 0; }\nint w = 1;\nvoid g() { }";
    static const char device[] = FILE_MARK "int a;\n__device__ int f() { return 9; }\n__device__ "
                                           "int h() { return 1; }\nint w = 2;\nvoid g() { }";
    char             *out = NULL, *notes = NULL;

    (void)state;
    assert_holds(host, device,
                 (const char *const[]) { "int f() { return 9; }", "int h()", "int w = 1;", NULL });
    assert_int_equal(translate(host, device, &out, &notes), ASSAY_OK);
    assert_non_null(
        strstr(notes, "user.cu:3: note: this depends on __CUDA_ARCH__ outside device code"));
    assert_null(strstr(out, "int w = 2;"));
    free(out);
    free(notes);
}

/* A class whose device code all depends on __CUDA_ARCH__ is taken from the device's text, and only
 * once. */
static void test_class_of_architecture(void **state)
{
    static const char host[] =
        FILE_MARK "template <> struct to<b16> {\nint v;\n};\nstruct other { int h; };";
    static const char device[] =
        FILE_MARK "template <> struct to<b16> {\nint v;\n__device__ int f() { return 1; }\n};\n"
                  "struct other { int d; };";
    char *out = NULL, *notes = NULL;

    (void)state;
    assert_holds(host, device,
                 (const char *const[]) { "struct to<b16> { int v; int f()", "int h;", NULL });
    assert_int_equal(translate(host, device, &out, &notes), ASSAY_OK);
    assert_null(strstr(strstr(out, "struct to") + 1, "struct to"));
    assert_null(strstr(out, "int d;"));
    free(out);
    free(notes);
}

static void assert_refused(const char *text, const char *sentence)
{
    char *out = NULL, *notes = NULL;

    assert_int_equal(translate(text, "", &out, &notes), ASSAY_E_CASE);
    if (!strstr(assay_status_message(), sentence))
        fail_msg("\"%s\" is not in \"%s\"", sentence, assay_status_message());
    free(out);
    free(notes);
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused(FILE_MARK "\n\nvoid f() { (1; }", "user.cu:3: a bracket '}'");
    assert_refused(FILE_MARK "__device__ void f() { __shared__ int (*p)[3]; }",
                   "user.cu:1: this declaration of shared memory cannot be read");
    assert_refused(FILE_MARK "void f() { k<<<1, 2>>; }", "user.cu:1: this launch cannot be read");
    assert_refused(FILE_MARK "__device__ void f() { asm(\"mov.u32 %0, 1;\" : x); }",
                   "user.cu:1: an operand of inline PTX cannot be read");
}

/* Files of the system are written unchanged, whatever they contain. */
static void test_system_files(void **state)
{
    (void)state;
    ASSERT_HOLDS("# 1 \"sys.h\" 3\n__shared__ int x; a<<<b>>>(c);\n#pragma GCC poison y\n" FILE_MARK
                 "int z;",
                 "__shared__ int x; a<<<b>>>(c);", "#pragma GCC poison y", "int z;");
}

/* A macro of a system header leaves markers of the system in the user's file. */
static void test_system_macros(void **state)
{
    (void)state;
    ASSERT_HOLDS(FILE_MARK
                 "__device__ void f() {\n# 1 \"user.cu\" 3\n__shared__ int x;\n# 2 \"user.cu\"\n}",
                 "typedef int assay_base_x");
}

/* Each prefix of a text, and the text with one character changed, gives a status and never a
 * crash. */
static void test_hostile(void **state)
{
    static const char text[] =
        FILE_MARK "extern __shared__ float d[];\nnamespace n { template <int N> __global__ void "
                  "k(float *x) { "
                  "__shared__ union { int a; } u[N], v; asm(\"{.reg .b32 r<2>; @p bra L; L: "
                  "add.u32 %0, %1, _;}\" : \"+r\"(x) : "
                  "[y] \"n\"(1)); d[0] = u[0].a; } }\ntemplate __global__ void n::k<3>(float "
                  "*);\nvoid f() { (k<3>)<<<1, 2, 3>>>(R\"(x)\"); }";
    static const char marks[] = "(){}[]<>\";:#%@\\'x0 \n";

    (void)state;
    for (size_t n = 0; n < 2 * sizeof text - 1; n++) {
        char *copy = strdup(text), *out = NULL, *notes = NULL;

        assert_non_null(copy);
        if (n < sizeof text)
            copy[n] = '\0';
        else
            copy[n - sizeof text] = marks[n % (sizeof marks - 1)];
        (void)translate(copy, n % 2 ? text : "", &out, &notes);
        free(copy);
        free(out);
        free(notes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),      cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_shared),        cmocka_unit_test(test_ptx),
        cmocka_unit_test(test_waits),         cmocka_unit_test(test_no_waits),
        cmocka_unit_test(test_architectures), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_system_files),  cmocka_unit_test(test_system_macros),
        cmocka_unit_test(test_hostile),       cmocka_unit_test(test_class_of_architecture),
        cmocka_unit_test(test_ptx_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
