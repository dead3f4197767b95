/* Kernels of a module by the names that a case declares. */
#include "device/declared_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const assay_kernel_entry kernels[] = {
    { .signature = "_Z5scalePKfPfif", .kernel = "a" },
    { .name = "mine::sum<float, 4>", .signature = "FvPKfPfE", .kernel = "b" },
    { .signature = "_ZN4mine3sumIfLj8EEEvPKfPf", .kernel = "c" },
    { .signature = "plain", .kernel = "d" },
    { .signature = "_ZN12_GLOBAL__N_15twiceEPf", .kernel = "e" },
    { .signature = "_Z5twicePf", .kernel = "f" },
    { .signature = "_Z4oncePf", .kernel = "g" },
    { .signature = "_Z4oncePf", .kernel = "g" }, /* registered twice */
};

static bool kernel_at(int i, assay_kernel_entry *entry)
{
    if (i < 0 || (size_t)i >= sizeof kernels / sizeof kernels[0])
        return false;
    *entry = kernels[i];
    return true;
}

static const assay_device_api api    = { .kernel = kernel_at };
static const assay_module     module = { .api = &api, .path = "kernels.so" };

static void test_found(void **state)
{
    static const struct {
        const char *name, *kernel;
    } rows[] = {
        { "scale", "a" },
        { "mine::sum<float,4>", "b" },
        { "mine::sum<float, 8u>", "c" },
        { "mine::sum<float, 8>", "c" },
        { "plain", "d" },
        { "once", "g" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assay_kernel_entry entry;

        assert_int_equal(assay_declared_entry(&module, rows[i].name, &entry), ASSAY_OK);
        assert_string_equal(entry.kernel, rows[i].kernel);
    }
}

static void assert_refused(const char *name, const char *sentence)
{
    assay_kernel_entry entry;

    assay_status_reset();
    assert_int_equal(assay_declared_entry(&module, name, &entry), ASSAY_E_CASE);
    if (!strstr(assay_status_message(), sentence))
        fail_msg("\"%s\" is not in \"%s\"", sentence, assay_status_message());
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("scal", "kernels.so has no kernel scal; it has scale(");
    assert_refused("twice", "kernels.so has 2 kernels twice, of several files");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
