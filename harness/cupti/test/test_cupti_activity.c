/* Activity records without a GPU: hashes of machine code from sound and broken cubins, and what
 * the CUPTI module reports on a machine without a driver. */
#include "cupti/cupti.h"
#include "cupti/cupti_code.h"
#include "cupti/cupti_names.h"

#include "testing/made_cubin.h"
#include "testing/testing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FUNCTIONS = 16,
};

typedef struct found {
    int      n;
    char     name[MAX_FUNCTIONS][64];
    uint64_t hash[MAX_FUNCTIONS];
} found;

static void note(void *context, const char *name, uint64_t hash)
{
    found *f = context;

    if (f->n < MAX_FUNCTIONS) {
        (void)snprintf(f->name[f->n], sizeof f->name[0], "%s", name);
        f->hash[f->n] = hash;
    }
    f->n++;
}

/* The copy has exactly this size, so that a sanitizer sees every byte read past the end. */
static int visit(const unsigned char *bytes, size_t size, found *f)
{
    unsigned char *copy = malloc(size ? size : 1);

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    memset(f, 0, sizeof *f);
    const int n = assay_code_visit(copy, size, note, f);

    assert_int_equal(f->n, n < 0 ? 0 : n);
    free(copy);
    return n;
}

/* ---- hashes ---- */

static void test_hash_is_fnv_1a(void **state)
{
    (void)state;
    assert_true(assay_code_hash("", 0) == 0xcbf29ce484222325u);
    assert_true(assay_code_hash("a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(assay_code_hash("foobar", 6) == 0x85944171f73967e8u);
}

static void test_functions_of_a_cubin(void **state)
{
    cubin c = make_cubin();
    found f;

    (void)state;
    assert_int_equal(visit(c.bytes, c.size, &f), 2);
    assert_string_equal(f.name[0], "_Z1av");
    assert_string_equal(f.name[1], "b");
    assert_true(f.hash[0] == assay_code_hash("code of a", 9));
    assert_true(f.hash[1] == assay_code_hash("code of b, longer", 17));
}

/* More sections than fit the header's fields: the numbers are then in section 0. */
static void test_long_numbers_are_in_section_0(void **state)
{
    cubin c = make_cubin();
    found f;

    (void)state;
    put(c.bytes + 60, 0, 2);
    put(c.bytes + 62, 0xffff, 2);
    put(c.bytes + c.at[0] + 32, c.n, 8);
    put(c.bytes + c.at[0] + 40, 1, 4);
    assert_int_equal(visit(c.bytes, c.size, &f), 2);
}

/* ---- hostile cubins ---- */

static void test_lies_are_refused(void **state)
{
    static const struct {
        size_t   offset;
        uint64_t value;
        int      width;
    } lies[] = {
        { 0, 0x7e, 1 },                           /* not ELF */
        { 4, 1, 1 },                              /* 32 bits */
        { 5, 2, 1 },                              /* big-endian */
        { 40, UINT64_MAX, 8 },                    /* sections far away */
        { 40, UINT64_MAX - 32, 8 },               /* an offset that wraps round */
        { 40, MAX_CUBIN * 2, 8 },                 /* past the end */
        { 58, 63, 2 },                            /* headers of another size */
        { 58, 0, 2 },                             /* headers of size 0 */
        { 60, 0xfffe, 2 },                        /* more sections than fit */
        { 60, 0, 2 },                             /* 0 sections, and section 0 says 0 too */
        { 62, 6, 2 },                             /* names in a section that does not exist */
        { 62, 0xffff, 2 },                        /* names in section 0, which is empty */
        { HEADER + SECTION + 24, UINT64_MAX, 8 }, /* names outside the file */
        { HEADER + SECTION + 32, MAX_CUBIN, 8 },  /* names longer than the file */
        { HEADER + SECTION + 32, UINT64_MAX, 8 },
        { HEADER + SECTION + 4, 8, 4 },              /* names of size 0 */
        { HEADER + 2 * SECTION + 24, MAX_CUBIN, 8 }, /* code outside the file */
        { HEADER + 2 * SECTION + 32, UINT64_MAX, 8 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        cubin c = make_cubin();
        found f;

        put(c.bytes + lies[i].offset, lies[i].value, lies[i].width);
        if (lies[i].offset == 62 && lies[i].value == 0xffff)
            put(c.bytes + HEADER + 40, 0, 4);
        const int n = visit(c.bytes, c.size, &f);

        if (n > 0)
            fail_msg("lie %zu was believed: %d functions", i, n);
    }
}

/* If sections overlapped, there would be more to hash than the file has. */
static void test_overlapping_code_is_refused(void **state)
{
    cubin c = make_cubin();
    found f;

    (void)state;
    describe(&c, 2, 11, 1, 0, c.size);
    describe(&c, 3, 23, 1, 0, c.size);
    assert_int_equal(visit(c.bytes, c.size, &f), -1);
}

static void test_every_cut_is_survived(void **state)
{
    const cubin c = make_cubin();
    found       f;

    (void)state;
    for (size_t size = 0; size < c.size; size++)
        assert_true(visit(c.bytes, size, &f) <= 2);
    assert_int_equal(assay_code_visit(NULL, 0, note, &f), -1);
    assert_int_equal(assay_code_visit(NULL, 100, note, &f), -1);
}

static void test_random_damage_is_survived(void **state)
{
    static const uint64_t extremes[] = { 0,          1,          0x7f,           0xff,      0xffff,
                                         0x7fffffff, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX };
    const cubin           sound      = make_cubin();
    unsigned short        seed[3]    = { 9, 8, 7 };
    int                   n_refused  = 0;

    (void)state;
    for (int trial = 0; trial < 5000; trial++) {
        cubin     c         = sound;
        const int n_changes = 1 + (int)(nrand48(seed) % 4);
        found     f;

        for (int i = 0; i < n_changes; i++) {
            const size_t at = (size_t)nrand48(seed) % (c.size - 8);

            if (trial % 2)
                put(c.bytes + at, extremes[nrand48(seed) % 9], 1 << (nrand48(seed) % 4));
            else
                c.bytes[at] = (unsigned char)nrand48(seed);
        }
        n_refused += visit(c.bytes, c.size, &f) < 0;
    }
    assert_true(n_refused > 100);
}

/* ---- names ---- */

static void test_a_name_is_kept_once(void **state)
{
    assay_names names = { 0 };
    char        text[32];
    assay_name *entries[3000];

    (void)state;
    for (int i = 0; i < 3000; i++) {
        (void)snprintf(text, sizeof text, "name %d", i);
        entries[i] = assay_names_get(&names, text);
        assert_non_null(entries[i]);
    }
    for (int i = 0; i < 3000; i++) {
        (void)snprintf(text, sizeof text, "name %d", i);
        assert_ptr_equal(assay_names_get(&names, text), entries[i]);
        assert_string_equal(entries[i]->text, text);
        assert_string_equal(entries[i]->code_hash, "");
    }
    assert_int_equal(names.n, 3000);
    assay_names_free(&names);
    assert_int_equal(names.n, 0);
    assert_non_null(assay_names_get(&names, "again"));
    assay_names_free(&names);
    assay_names_free(NULL);
}

static void test_a_kernel_has_the_hash_of_its_code(void **state)
{
    assay_names names = { 0 };
    cubin       c     = make_cubin();
    char        expected[32];

    (void)state;
    (void)snprintf(expected, sizeof expected, "%016llx",
                   (unsigned long long)assay_code_hash("code of a", 9));
    assert_int_equal(assay_names_add_code(&names, c.bytes, c.size), 2);
    assert_string_equal(assay_names_get(&names, "_Z1av")->code_hash, expected);
    /* The same module, loaded in another context. */
    assert_int_equal(assay_names_add_code(&names, c.bytes, c.size), 2);
    assert_string_equal(assay_names_get(&names, "_Z1av")->code_hash, expected);
    assert_string_equal(assay_names_get(&names, "unknown")->code_hash, "");
    /* Other code under the same name: a record does not tell which of the two ran. */
    c.bytes[c.code]++;
    assert_int_equal(assay_names_add_code(&names, c.bytes, c.size), 2);
    assert_string_equal(assay_names_get(&names, "_Z1av")->code_hash, "");
    assert_string_not_equal(assay_names_get(&names, "b")->code_hash, "");
    c = make_cubin();
    assert_int_equal(assay_names_add_code(&names, c.bytes, c.size), 2);
    assert_string_equal(assay_names_get(&names, "_Z1av")->code_hash, "");
    assert_int_equal(assay_names_add_code(&names, "no cubin", 8), -1);
    assay_names_free(&names);
}

/* ---- the module ---- */

static const assay_cupti_api *module_or_skip(void)
{
    char                   why[512];
    const assay_cupti_api *api = assay_cupti_load(why, sizeof why);

    if (!api) {
        print_message("skipped: %s\n", why);
        assert_true(strlen(why) > 20);
        skip();
    }
    return api;
}

static void test_clock_runs_without_a_gpu(void **state)
{
    const assay_cupti_api *api = module_or_skip();

    (void)state;
    assert_int_equal(api->abi, ASSAY_CUPTI_ABI);
    const int64_t first_ns = api->now_ns();

    assert_true(first_ns > 0);
    assert_true(api->now_ns() >= first_ns);
    assert_ptr_equal(assay_cupti_load(NULL, 0), api);
}

static void test_start_without_a_driver_says_so(void **state)
{
    const assay_cupti_api *api     = module_or_skip();
    const assay_activity  *records = NULL;
    int64_t                n = 7, n_dropped = 7;
    void                  *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    (void)state;
    if (driver)
        skip(); /* recording itself is tested where a device is opened */
    for (int round = 0; round < 2; round++) {
        assert_int_equal(api->activity_start(round == 0), ASSAY_E_UNSUPPORTED);
        assert_non_null(strstr(api->message(), "no NVIDIA driver"));
        assert_int_equal(api->activity_collect(&records, &n, &n_dropped), ASSAY_E_INTERNAL);
        assert_non_null(strstr(api->message(), "not on"));
        assert_null(records);
        assert_int_equal(n, 0);
        assert_int_equal(n_dropped, 0);
        api->activity_stop();
        api->activity_stop();
    }
}

static void test_chip_without_a_driver_is_a_sentence(void **state)
{
    const assay_cupti_api *api = module_or_skip();
    char                   name[32];

    (void)state;
    if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
        skip();
    assert_int_equal(api->chip_name(0, name, sizeof name), ASSAY_E_UNSUPPORTED);
    assert_non_null(strstr(api->message(), "no NVIDIA driver"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_is_fnv_1a),
        cmocka_unit_test(test_functions_of_a_cubin),
        cmocka_unit_test(test_long_numbers_are_in_section_0),
        cmocka_unit_test(test_lies_are_refused),
        cmocka_unit_test(test_overlapping_code_is_refused),
        cmocka_unit_test(test_every_cut_is_survived),
        cmocka_unit_test(test_random_damage_is_survived),
        cmocka_unit_test(test_a_name_is_kept_once),
        cmocka_unit_test(test_a_kernel_has_the_hash_of_its_code),
        cmocka_unit_test(test_clock_runs_without_a_gpu),
        cmocka_unit_test(test_start_without_a_driver_says_so),
        cmocka_unit_test(test_chip_without_a_driver_is_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
