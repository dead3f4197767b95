/* Opening NVML: which library, which GPU, and the sentence if it cannot be opened. */
#include "nvml_fixture.h"

static const char UNKNOWN_IS[] = "; clocks, power and temperature are unknown";

/* ---- refusals ---- */

/* Refused with the sentence "NVML (path) rest; ...", which ends with what follows from it. */
static void refuses(const char *path, const char *id, const char *rest)
{
    char why[512], sentence[512];

    assert_null(assay_nvml_open(path, id, why, sizeof why));
    (void)snprintf(sentence, sizeof sentence, "NVML (%s) %s%s", path, rest, UNKNOWN_IS);
    assert_string_equal(why, sentence);
}

static void a_library_that_does_not_load_is_named(void **state)
{
    char        why[256];
    const char *detail = NULL;

    (void)state;
    refuses("libassay-absent.so.1", BUS_ID,
            "does not load: cannot open shared object file: No such file or directory");
    assert_null(assay_nvml_open("/dev/null", BUS_ID, why, sizeof why));
    detail = strstr(why, "NVML (/dev/null) does not load: ");
    assert_ptr_equal(detail, why);
    assert_true(strlen(why) > strlen("NVML (/dev/null) does not load: ") + strlen(UNKNOWN_IS));
    assert_string_equal(why + strlen(why) - strlen(UNKNOWN_IS), UNKNOWN_IS);
}

static void another_library_is_not_nvml(void **state)
{
    (void)state;
    refuses("libm.so.6", BUS_ID, "has no function nvmlInit_v2");
}

/* A start that was refused is not shut down, so another user of the library is not disturbed. */
static void a_refused_start_says_so(void **state)
{
    assay_nvml *other = open_fake();

    (void)state;
    script("FAIL", "nvmlInit_v2=9");
    refuses(FAKE_NVML, BUS_ID, "does not start: Driver Not Loaded (error 9)");
    script("FAIL", "nvmlInit_v2=-7");
    refuses(FAKE_NVML, BUS_ID, "does not start: Unknown Error (error -7)");
    script("FAIL", "nvmlInit_v2=9 nvmlErrorString");
    refuses(FAKE_NVML, BUS_ID, "does not start: error 9");
    script("FAIL", "nvmlInit_v2=9");
    hidden[0] = "nvmlErrorString";
    refuses(FAKE_NVML, BUS_ID, "does not start: error 9");
    assert_int_equal(n_open(), 1);
    assay_nvml_close(other);
}

static void a_gpu_that_is_not_there_is_named(void **state)
{
    (void)state;
    script("BUS_ID", "0000:2C:00.0");
    refuses(FAKE_NVML, BUS_ID, "finds no GPU at 0000:1B:00.0: Not Found (error 6)");
    assert_int_equal(n_open(), 0);
    script("BUS_ID", BUS_ID);
    script("FAIL", "nvmlDeviceGetHandleByPciBusId_v2=4");
    refuses(FAKE_NVML, BUS_ID, "finds no GPU at 0000:1B:00.0: Insufficient Permissions (error 4)");
    assert_int_equal(n_open(), 0);
    script("FAIL", NULL);
    assay_nvml_close(open_fake());
}

static void the_environment_names_the_library(void **state)
{
    char        why[256];
    assay_nvml *nvml = NULL;

    (void)state;
    assert_int_equal(setenv("ASSAY_NVML_LIBRARY", FAKE_NVML, 1), 0);
    for (int i = 0; i < 2; i++) {
        nvml = assay_nvml_open(i == 0 ? NULL : "", BUS_ID, why, sizeof why);
        assert_non_null(nvml);
        assay_nvml_close(nvml);
    }
    assert_null(assay_nvml_open("libassay-absent.so.1", BUS_ID, why, sizeof why));
    /* An empty value counts as unset, and never means this program itself. */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            i == 0 ? setenv("ASSAY_NVML_LIBRARY", "", 1) : unsetenv("ASSAY_NVML_LIBRARY"), 0);
        assert_null(assay_nvml_open(NULL, "fffffffe:1f:1f.7", why, sizeof why));
        assert_ptr_equal(strstr(why, "NVML (libnvidia-ml.so.1) "), why);
    }
}

static void bus_ids_are_held_to_their_form(void **state)
{
    static const char *const right[] = { "0000:1B:00.0", "0000:1b:00.7", "00000000:1B:00.0",
                                         "ABCDEF:00:1f.0" };
    static const char *const wrong[] = {
        "0",
        "0000",
        "0000:1B",
        "0000:1B:00",
        "0000:1B:00.",
        "0000:1B:00.00",
        "0000:1B:00.0 ",
        "0000:1B:00.g",
        "0000:1G:00.0",
        "000:1B:00.0",
        "000000000:1B:00.0",
        " 0000:1B:00.0",
        "0000-1B-00.0",
        "0000:1B:00:0",
        "1B:00.0",
        "%s%s%n%n",
        "GPU-12345678",
        "../../../etc",
        "0000:1B:00.0\n",
        "0000::1B00.0",
        "0000:1B:00x0",
    };
    char why[256];

    (void)state;
    for (size_t i = 0; i < COUNT(right); i++) {
        assay_nvml *nvml = assay_nvml_open(FAKE_NVML, right[i], why, sizeof why);

        assert_non_null(nvml);
        assay_nvml_close(nvml);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_null(assay_nvml_open(FAKE_NVML, wrong[i], why, sizeof why));
        assert_non_null(strstr(why, ", which is not a PCI bus id"));
    }
    assert_int_equal(n_open(), 0);
}

static void a_hostile_bus_id_is_shown_harmless(void **state)
{
    static char long_id[100001];

    (void)state;
    memset(long_id, '0', sizeof long_id - 1);
    refuses(FAKE_NVML, long_id,
            "cannot look for a GPU at '00000000000000000000000', which is not a PCI bus id");
    refuses(FAKE_NVML, "\033[2J\n\x80%s",
            "cannot look for a GPU at '?[2J??%s', which is not a PCI bus id");
}

static void no_bus_id_is_said(void **state)
{
    (void)state;
    refuses(FAKE_NVML, NULL, "cannot find the GPU: its PCI bus id is not known");
    refuses(FAKE_NVML, "", "cannot find the GPU: its PCI bus id is not known");
}

static void a_sentence_is_cut_to_its_place(void **state)
{
    static const char start[] = "NVML (libassay-absent.so.1) does not load";
    char              why[64];

    (void)state;
    for (size_t size = 0; size < sizeof start; size++) {
        memset(why, '#', sizeof why);
        assert_null(assay_nvml_open("libassay-absent.so.1", BUS_ID, why, size));
        if (size > 0) {
            assert_int_equal(strlen(why), size - 1);
            assert_memory_equal(why, start, size - 1);
        }
        for (size_t i = size; i < sizeof why; i++)
            assert_int_equal(why[i], '#');
    }
    assert_null(assay_nvml_open("libassay-absent.so.1", BUS_ID, NULL, 0));
}

static void two_may_be_open(void **state)
{
    assay_nvml *first = open_fake(), *second = open_fake();

    (void)state;
    assert_int_equal(n_open(), 2);
    assay_nvml_close(first);
    assert_int_equal(assay_nvml_reasons(second), 0);
    assay_nvml_close(second);
    assert_int_equal(n_open(), 0);
}

static bool is_loaded(void)
{
    void *library = dlopen(FAKE_NVML, RTLD_NOW | RTLD_NOLOAD);

    if (library)
        assert_int_equal(dlclose(library), 0);
    return library != NULL;
}

static void the_library_is_given_back(void **state)
{
    assay_nvml *nvml = NULL;

    (void)state;
    assert_int_equal(dlclose(fake), 0);
    fake = NULL;
    assert_false(is_loaded());
    nvml = open_fake();
    assert_true(is_loaded());
    assay_nvml_close(nvml);
    assert_false(is_loaded());
    refuses(FAKE_NVML, NULL, "cannot find the GPU: its PCI bus id is not known");
    assert_false(is_loaded());
    fake = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_library_that_does_not_load_is_named),
        TEST(another_library_is_not_nvml),
        TEST(a_refused_start_says_so),
        TEST(a_gpu_that_is_not_there_is_named),
        TEST(the_environment_names_the_library),
        TEST(bus_ids_are_held_to_their_form),
        TEST(a_hostile_bus_id_is_shown_harmless),
        TEST(no_bus_id_is_said),
        TEST(a_sentence_is_cut_to_its_place),
        TEST(two_may_be_open),
        TEST(the_library_is_given_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
