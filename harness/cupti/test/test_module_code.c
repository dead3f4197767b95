/* What the file of a kernel module says about its machine code, compared with what a run had. */
#include "cupti/cupti_code.h"
#include "cupti/module_code.h"
#include "testing/made_cubin.h"
#include "testing/testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct module_file {
    char  path[64];
    FILE *file;
} module_file;

static module_file begin_file(void)
{
    module_file m = { .path = "/tmp/assay-module-XXXXXX" };
    const int   f = mkstemp(m.path);

    assert_true(f >= 0);
    m.file = fdopen(f, "w");
    assert_non_null(m.file);
    return m;
}

static void write_bytes(module_file *m, const void *bytes, size_t size)
{
    assert_int_equal(fwrite(bytes, 1, size, m->file), size);
}

static assay_module_code *end_file(module_file *m)
{
    assay_module_code *code = NULL;

    assert_int_equal(fclose(m->file), 0);
    assert_int_equal(assay_module_code_read(m->path, &code), ASSAY_OK);
    assert_int_equal(unlink(m->path), 0);
    return code;
}

/* The head of a library, a cubin at an odd address, and a cubin of another architecture with
 * other code in _Z1av. */
static assay_module_code *read_two(void)
{
    static const unsigned char library[64] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, [18] = 62 };
    module_file                m           = begin_file();
    cubin                      c           = make_cubin();

    write_bytes(&m, library, sizeof library);
    write_bytes(&m, "odd", 3);
    write_bytes(&m, c.bytes, c.size);
    c.bytes[c.code] ^= 1;
    write_bytes(&m, c.bytes, c.size);
    return end_file(&m);
}

static void assert_changed(const assay_module_code *code, bool expected, const char *kernel,
                           const char *bytes)
{
    char line[128];

    (void)snprintf(line, sizeof line, "%s %016" PRIx64, kernel,
                   assay_code_hash(bytes, strlen(bytes)));
    assert_int_equal(assay_module_code_has_changed(code, "other", line), expected);
}

static void test_kernels_against_a_run(void **state)
{
    assay_module_code *code = read_two();

    (void)state;
    assert_changed(code, false, "_Z1av", "code of a");
    assert_changed(code, false, "_Z1av", "bode of a"); /* code of the other architecture */
    assert_changed(code, true, "_Z1av", "code of c");
    assert_changed(code, false, "b", "code of b, longer");
    assert_changed(code, true, "b", "code of b, shorter");
    assert_changed(code, true, "_Z1", "code of a"); /* no longer there */
    assert_changed(code, true, "_Z1avv", "code of a");
    assert_changed(code, true, "", "code of a");
    assay_module_code_free(code);
}

static void test_several_launches(void **state)
{
    assay_module_code *code = read_two();
    const uint64_t     b    = assay_code_hash("code of b, longer", 17);
    char               lines[256];

    (void)state;
    (void)snprintf(lines, sizeof lines, "library_kernel 00000000000000ff\nb %016" PRIx64 "\n", b);
    assert_false(assay_module_code_has_changed(code, "other", lines));
    (void)snprintf(lines, sizeof lines, "b %016" PRIx64 "\nb %016" PRIx64, b, b + 1);
    assert_true(assay_module_code_has_changed(code, "other", lines));
    assert_true(assay_module_code_has_changed(code, "other", "library_kernel 00000000000000ff"));
    assert_true(assay_module_code_has_changed(code, "other", "b"));
    assert_true(assay_module_code_has_changed(code, "other", "\n"));
    assert_true(assay_module_code_has_changed(code, "other", "b zz"));
    assert_false(assay_module_code_has_changed(code, "other", ""));
    assay_module_code_free(code);
}

static void test_files_without_code(void **state)
{
    module_file        m    = begin_file();
    const cubin        c    = make_cubin();
    assay_module_code *code = NULL;

    (void)state;
    write_bytes(&m, c.bytes, 63); /* cut short */
    code = end_file(&m);
    assert_false(assay_module_code_has_changed(code, "other", "b 00000000000000ff"));
    assay_module_code_free(code);
    assert_false(assay_module_code_has_changed(NULL, "other", "b 00000000000000ff"));
    assert_int_equal(assay_module_code_read("/nowhere/module.so", &code), ASSAY_E_IO);
    assert_null(code);
    assert_int_equal(assay_module_code_read("/tmp", &code), ASSAY_E_IO);
    assay_status_reset();
    assay_module_code_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_against_a_run),
        cmocka_unit_test(test_several_launches),
        cmocka_unit_test(test_files_without_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
