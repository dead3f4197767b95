/* Time per kernel, and the short names that it is kept under. */
#include "trace/trace.h"

#include "base/demangle.h"
#include "testing/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define assert_near(a, b) assert_true(fabs((a) - (double)(b)) <= 1e-9 * (1 + fabs((double)(b))))

static assay_activity record(assay_activity_kind kind, const char *name, int64_t start_ns,
                             int64_t end_ns)
{
    return (assay_activity) { .kind     = kind,
                              .name     = name,
                              .start_ns = 1795836815000000000 + start_ns,
                              .end_ns   = 1795836815000000000 + end_ns };
}

/* Kernels of one part of a step are one section, whatever their template arguments. */
static void test_sections_have_the_names_of_the_case(void **state)
{
    static const assay_section_name names[]   = { { "sense", "sensing" },
                                                  { "deposit", "deposition" },
                                                  { "scale", "deposition" },
                                                  { NULL, NULL } };
    const assay_activity            records[] = {
                   record(ASSAY_ACTIVITY_KERNEL, "sense", 0, 100),
                   record(ASSAY_ACTIVITY_KERNEL, "_Z7depositIfEvPT_", 100, 400),
                   record(ASSAY_ACTIVITY_KERNEL, "scale", 400, 500),
                   record(ASSAY_ACTIVITY_KERNEL, "scale_all", 500, 550),
                   record(ASSAY_ACTIVITY_MEMSET, "memset", 550, 560),
    };
    assay_section *sections = NULL;
    int            n        = 0;

    (void)state;
    assert_int_equal(assay_trace_sections(records, 5, 1, names, &sections, &n, NULL), ASSAY_OK);
    assert_int_equal(n, 4);
    assert_string_equal(sections[0].name, "deposition");
    assert_int_equal(sections[0].launches, 2);
    assert_near(sections[0].time_ns, 400);
    assert_string_equal(sections[1].name, "sensing");
    assert_string_equal(sections[2].name, "scale_all");
    assert_string_equal(sections[3].name, "memset");
    free(sections);
}

static void test_sections_of_two_calls(void **state)
{
    const assay_activity records[] = {
        record(ASSAY_ACTIVITY_KERNEL, "sense", 0, 100),
        record(ASSAY_ACTIVITY_KERNEL, "_Z7depositIfEvPT_", 50, 350), /* overlaps sense by 50 */
        record(ASSAY_ACTIVITY_MEMSET, "memset", 400, 500),
        record(ASSAY_ACTIVITY_API, "cudaLaunchKernel_v7000", 0, 5000),
        record(ASSAY_ACTIVITY_KERNEL, "sense", 600, 700),
        record(ASSAY_ACTIVITY_KERNEL, "_Z7depositIdEvPT_", 700, 1000), /* another instance */
        record(ASSAY_ACTIVITY_SYNC, "stream synchronize", 0, 9000),
        record(ASSAY_ACTIVITY_OVERHEAD, "instrumentation", -500, 9000),
        record(ASSAY_ACTIVITY_KERNEL, "backward", 9, 8),
    };
    assay_section      *sections = NULL;
    assay_section_total total;
    int                 n = 0;

    (void)state;
    assert_int_equal(assay_trace_sections(records, sizeof records / sizeof records[0], 2, NULL,
                                          &sections, &n, &total),
                     ASSAY_OK);
    assert_int_equal(n, 3);
    assert_string_equal(sections[0].name, "deposit");
    assert_string_equal(sections[1].name, "sense");
    assert_string_equal(sections[2].name, "memset");
    assert_int_equal(sections[0].launches, 2);
    assert_int_equal(sections[2].launches, 1);
    assert_near(sections[0].time_ns, 300);
    assert_near(sections[1].time_ns, 100);
    assert_near(sections[2].time_ns, 50);
    assert_near(sections[0].share, 600.0 / 900);
    assert_near(sections[0].share + sections[1].share + sections[2].share, 1);
    assert_int_equal(total.launches, 4);
    assert_near(total.busy_ns, (350.0 + 100 + 100 + 300) / 2);
    assert_near(total.span_ns, 1000.0 / 2);
    free(sections);
}

static void test_nothing_has_no_sections(void **state)
{
    const assay_activity call     = record(ASSAY_ACTIVITY_API, "cudaFree_v3020", 0, 10);
    const assay_activity instant  = record(ASSAY_ACTIVITY_KERNEL, "f", 5, 5);
    assay_section       *sections = (assay_section *)&sections;
    assay_section_total  total    = { 9, 9, 9 };
    int                  n        = 9;

    (void)state;
    assert_int_equal(assay_trace_sections(&call, 1, 1, NULL, &sections, &n, &total), ASSAY_OK);
    assert_null(sections);
    assert_int_equal(n, 0);
    assert_int_equal(total.launches, 0);
    assert_near(total.busy_ns + total.span_ns, 0);
    assert_int_equal(assay_trace_sections(NULL, 0, 1, NULL, &sections, &n, NULL), ASSAY_OK);
    assert_int_equal(n, 0);
    assert_int_equal(assay_trace_sections(&instant, 1, 1, NULL, &sections, &n, NULL), ASSAY_OK);
    assert_int_equal(n, 1);
    assert_near(sections[0].share, 0); /* and is not NaN */
    free(sections);
    assert_failed_with(assay_trace_sections(&call, 1, 0, NULL, &sections, &n, NULL), ASSAY_E_USAGE,
                       "0 calls");
    assert_null(sections);
}

static void test_many_names(void **state)
{
    enum {
        N = 1000,
    };
    static char           names[N][80];
    static assay_activity records[N];
    assay_section        *sections = NULL;
    int                   n        = 0;

    (void)state;
    for (int i = 0; i < N; i++) {
        (void)snprintf(names[i], sizeof names[i],
                       "%04d_a_name_longer_than_the_field_of_a_section_so_that_it_must_be_cut",
                       i / 2);
        records[i] = record(ASSAY_ACTIVITY_KERNEL, names[i], 10 * i, 10 * i + 1 + i / 2);
    }
    assert_int_equal(assay_trace_sections(records, N, 1, NULL, &sections, &n, NULL), ASSAY_OK);
    assert_int_equal(n, N / 2);
    for (int i = 0; i < n; i++) {
        assert_int_equal(sections[i].launches, 2);
        assert_int_equal(atoi(sections[i].name), N / 2 - 1 - i);
    }
    free(sections);
}

/* ---- names ---- */

static void shortens(const char *name, const char *expected)
{
    char text[64];

    assert_string_equal(assay_demangle_short(name, text, sizeof text), expected);
}

static void test_short_names(void **state)
{
    (void)state;
    shortens("axpy_naive", "axpy_naive");
    shortens("f", "f"); /* not "float" */
    shortens("memcpy DtoH", "memcpy DtoH");
    shortens("", "");
    shortens("_Z4axpyfPKfPfm", "axpy");
    shortens("_Z5scaleIfEvPT_i", "scale");
    shortens("_ZN12_GLOBAL__N_14kernEv", "kern");
    shortens("_ZN3cub6detail4scan16DeviceScanKernelIiNS0_5TupleIiEELi4EEEvT_i", "DeviceScanKernel");
    shortens("_Z3fooIXgtLi3ELi2EEEvv", "foo"); /* void foo<((3)>(2))>() */
    shortens("_Z3barIPFivEEvT_", "bar");       /* void bar<int (*)()>(int (*)()) */
    shortens("_Z1kIZ4mainEUliE_EvT_", "k");    /* a lambda as argument */
    shortens("_ZNK1AclEi", "operator()");
    shortens("_Z", "_Z");
    shortens("_Zgarbage", "_Zgarbage");
    /* demangled and cut by another program */
    shortens("void at::native::(anonymous namespace)::cat<float, 2>(float*, int)", "cat");
    shortens("void at::native::unrolled_kernel<at::native::CUDAFunctor_add<float>, std::ar",
             "unrolled_kernel");
    shortens("(unnamed)", "(unnamed)");
}

static void test_long_names_are_cut(void **state)
{
    char tiny[5];

    (void)state;
    assert_string_equal(assay_demangle_short("_Z5scaleIfEvPT_i", tiny, sizeof tiny), "scal");
}

static void test_full_names(void **state)
{
    char *text = assay_demangle("_Z5scaleIfEvPT_i");

    (void)state;
    assert_string_equal(text, "void scale<float>(float*, int)");
    free(text);
    text = assay_demangle("f");
    assert_string_equal(text, "f");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_of_two_calls),
        cmocka_unit_test(test_sections_have_the_names_of_the_case),
        cmocka_unit_test(test_nothing_has_no_sections),
        cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_long_names_are_cut),
        cmocka_unit_test(test_full_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
