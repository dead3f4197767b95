/* Contents from files: what NumPy writes, plain bytes, and what is refused. */
#include "testing/testing.h"

#include "check/fill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static int start(void **state)
{
    (void)state;
    assay_status_reset();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

static void write_file(const char *name, const void *bytes, size_t n)
{
    FILE *file;

    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s", name);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* Writes a file as numpy.save does: blanks extend the header to a multiple of 64. */
static void write_npy(int version, const char *dictionary, const void *contents, size_t n)
{
    char         bytes[1024] = "\x93NUMPY";
    const size_t prefix      = version == 1 ? 10 : 12;
    const size_t length      = 128 - prefix;

    bytes[6] = (char)version;
    bytes[7] = 0;
    bytes[8] = (char)length;
    memset(bytes + prefix, ' ', length);
    memcpy(bytes + prefix, dictionary, strlen(dictionary));
    bytes[127] = '\n';
    memcpy(bytes + 128, contents, n);
    write_file("test_fill_file.npy", bytes, 128 + n);
}

static assay_status fill(assay_type type, int64_t count, void *to)
{
    const assay_shape s = { .buf = { { "x", ASSAY_IN, type, count, ASSAY_FROM_FILE(path) } } };

    return assay_fill_buffer(&s, 0, 1, to);
}

static void assert_refused(assay_type type, int64_t count, const char *words)
{
    double to[16];

    assay_status_reset();
    assert_int_equal(fill(type, count, to), ASSAY_E_CASE);
    if (!strstr(assay_status_message(), words) || !strstr(assay_status_message(), "buffer 'x'"))
        fail_msg("\"%s\" does not say \"%s\"", assay_status_message(), words);
    assay_status_reset();
}

/* ---- tests ---- */

static void what_numpy_writes(void **state)
{
    static const float       values[6]      = { 1.5f, -2, 3, 0, 1e30f, -0.25f };
    static const char *const dictionaries[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'shape': (1, 2, 3), 'fortran_order': False, 'descr': '<f4'}",
    };

    (void)state;
    for (size_t d = 0; d < sizeof dictionaries / sizeof *dictionaries; d++)
        for (int version = 1; version <= 3; version++) {
            float to[6] = { 0 };

            write_npy(version, dictionaries[d], values, sizeof values);
            assert_int_equal(fill(ASSAY_F32, 6, to), ASSAY_OK);
            assert_memory_equal(to, values, sizeof values);
        }
}

static void one_value_and_none(void **state)
{
    const double value = 7;
    double       to    = 0;

    (void)state;
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", &value, sizeof value);
    assert_int_equal(fill(ASSAY_F64, 1, &to), ASSAY_OK);
    assert_true(to == 7);
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 5), }", &value, 0);
    assert_int_equal(fill(ASSAY_F64, 0, &to), ASSAY_OK);
}

static void types_by_their_names(void **state)
{
    static const struct {
        const char *name;
        assay_type  type;
    } table[] = {
        { "<f4", ASSAY_F32 },    { "<f8", ASSAY_F64 },  { "<f2", ASSAY_F16 },
        { "<V2", ASSAY_BF16 },   { "<u2", ASSAY_BF16 }, { "|V1", ASSAY_F8E4M3 },
        { "|u1", ASSAY_F8E5M2 }, { "|i1", ASSAY_I8 },   { "|u1", ASSAY_U8 },
        { "<i2", ASSAY_I16 },    { "<u2", ASSAY_U16 },  { "<i4", ASSAY_I32 },
        { "<u4", ASSAY_U32 },    { "<i8", ASSAY_I64 },  { "<u8", ASSAY_U64 },
        { "|b1", ASSAY_U8 },
    };
    static const unsigned char bytes[16] = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    };

    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        const size_t  size = assay_type_size(table[t].type);
        char          text[128];
        unsigned char to[16];

        (void)snprintf(text, sizeof text,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }", table[t].name);
        write_npy(1, text, bytes, 2 * size);
        assert_int_equal(fill(table[t].type, 2, to), ASSAY_OK);
        assert_memory_equal(to, bytes, 2 * size);
        assert_refused(table[t].type == ASSAY_F64 ? ASSAY_F32 : ASSAY_F64, 2, "holds '");
    }
}

static void what_does_not_fit(void **state)
{
    static const float values[6] = { 0 };
    static const char  right[]   = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

    (void)state;
    write_npy(1, right, values, sizeof values);
    assert_refused(ASSAY_F32, 5, "has 6 elements, not 5");
    assert_refused(ASSAY_I32, 6, "holds '<f4', not i32 ('<i4')");
    write_npy(1, right, values, sizeof values - 1);
    assert_refused(ASSAY_F32, 6, "fewer than 24 bytes");
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }", values,
              sizeof values);
    assert_refused(ASSAY_F32, 5, "more than 20 bytes");
    write_npy(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }", values,
              sizeof values);
    assert_refused(ASSAY_F32, 6, "holds '>f4'");
    write_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", values,
              sizeof values);
    assert_refused(ASSAY_F32, 6, "Fortran");
}

static void hostile_headers(void **state)
{
    static const char *const dictionaries[] = {
        "",
        "{}",
        "{'descr': '<f4', 'fortran_order': False, }",
        "{'descr': '<f4', 'shape': (6,), }",
        "{'fortran_order': False, 'shape': (6,), }",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-6,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6, }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 6, }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (x,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<f4444444444444', 'fortran_order': False, 'shape': (6,), }",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (6,), }",
        "{'descr' '<f4', 'fortran_order': False, 'shape': (6,), }",
    };
    static const float values[6] = { 0 };

    (void)state;
    for (size_t d = 0; d < sizeof dictionaries / sizeof *dictionaries; d++) {
        write_npy(1, dictionaries[d], values, sizeof values);
        assert_refused(ASSAY_F32, 6, "");
    }
    write_file("test_fill_file.npy", "\x93NUMPY\x01", 7);
    assert_refused(ASSAY_F32, 6, "is not a .npy file");
    write_file("test_fill_file.npy", "\x93NUMPX\x01\x00\x10\x00", 10);
    assert_refused(ASSAY_F32, 6, "is not a .npy file");
    write_file("test_fill_file.npy", "\x93NUMPY\x04\x00\x10\x00", 10);
    assert_refused(ASSAY_F32, 6, "is not a .npy file");
    write_file("test_fill_file.npy", "\x93NUMPY\x01\x00\x76", 9);
    assert_refused(ASSAY_F32, 6, "cut off, or too long");
    write_file("test_fill_file.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    assert_refused(ASSAY_F32, 6, "cut off, or too long");
    write_file("test_fill_file.npy", "\x93NUMPY\x01\x00\x76\x00{", 11);
    assert_refused(ASSAY_F32, 6, "without type, order or shape");
}

static void bytes_alone(void **state)
{
    static const uint16_t values[3] = { 1, 2, 65535 };
    uint16_t              to[3]     = { 0 };

    (void)state;
    write_file("test_fill_file.bin", values, sizeof values);
    assert_int_equal(fill(ASSAY_U16, 3, to), ASSAY_OK);
    assert_memory_equal(to, values, sizeof values);
    assert_refused(ASSAY_U16, 4, "fewer than 8 bytes");
    assert_refused(ASSAY_U16, 2, "more than 4 bytes");
}

static void a_file_that_is_not_there(void **state)
{
    const assay_shape s = { .buf = {
                                { "x", ASSAY_IN, ASSAY_F32, 1, { .kind = ASSAY_FILL_FILE } } } };
    float             to;

    (void)state;
    (void)snprintf(path, sizeof path, "absent.npy");
    assert_refused(ASSAY_F32, 1, "cannot open absent.npy: No such file");
    (void)snprintf(path, sizeof path, ".");
    assert_refused(ASSAY_F32, 1, "fewer than");
    assert_int_equal(assay_fill_buffer(&s, 0, 1, &to), ASSAY_E_CASE);
    assert_non_null(strstr(assay_status_message(), "no file is named"));
    assay_status_reset();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(what_numpy_writes),        TEST(one_value_and_none), TEST(types_by_their_names),
        TEST(what_does_not_fit),        TEST(hostile_headers),    TEST(bytes_alone),
        TEST(a_file_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
