/* What NVML reports: with all functions, with each function missing or refusing in turn, and
 * with hostile answers. */
#include "nvml_fixture.h"

#include <math.h>

/* ---- what is known ---- */

typedef struct known {
    assay_nvml_reading now;
    assay_nvml_facts   facts;
} known;

static known look_at(assay_nvml *nvml)
{
    known k;

    memset(&k, 0x5A, sizeof k); /* any member that is not written shows */
    assay_nvml_read(nvml, &k.now);
    assay_nvml_read_facts(nvml, &k.facts);
    return k;
}

static known look(void)
{
    assay_nvml *nvml = open_fake();
    const known k    = look_at(nvml);

    assay_nvml_close(nvml);
    return k;
}

static void note(char *list, size_t size, bool is_unknown, const char *member)
{
    const size_t used = strlen(list);

    if (is_unknown)
        (void)snprintf(list + used, size - used, "%s%s", used ? " " : "", member);
}

/* Names of the members that are unknown. */
static const char *unknown_in(const known *k, char *list, size_t size)
{
    list[0] = '\0';
    note(list, size, k->now.reasons == -1, "reasons");
    note(list, size, k->now.sm_mhz == -1, "sm");
    note(list, size, k->now.memory_mhz == -1, "memory");
    note(list, size, k->now.temperature_c == -1, "temperature");
    note(list, size, isnan(k->now.power_w), "power");
    note(list, size, isnan(k->now.energy_j), "energy");
    note(list, size, k->facts.driver[0] == '\0', "driver");
    note(list, size, k->facts.nvml_version[0] == '\0', "version");
    note(list, size, k->facts.vbios[0] == '\0', "vbios");
    note(list, size, k->facts.name[0] == '\0', "name");
    note(list, size, k->facts.mig_is_on == -1, "mig");
    note(list, size, k->facts.persistence_is_on == -1, "persistence");
    note(list, size, k->facts.ecc_is_on == -1, "ecc");
    note(list, size, k->facts.max_sm_mhz == -1, "max_sm");
    note(list, size, k->facts.max_memory_mhz == -1, "max_memory");
    note(list, size, k->facts.compute_mode == -1, "compute_mode");
    note(list, size, isnan(k->facts.power_limit_w), "power_limit");
    note(list, size, isnan(k->facts.power_limit_default_w), "default_limit");
    note(list, size, k->facts.application_sm_mhz == -1, "app_sm");
    note(list, size, k->facts.application_memory_mhz == -1, "app_memory");
    return list;
}

static void assert_unknown(const known *k, const char *members)
{
    char list[256];

    assert_string_equal(unknown_in(k, list, sizeof list), members);
}

static const char ALL_MEMBERS[] =
    "reasons sm memory temperature power energy driver version vbios name mig persistence ecc "
    "max_sm max_memory compute_mode power_limit default_limit app_sm app_memory";

static void everything_is_read(void **state)
{
    const known k = look();

    (void)state;
    assert_unknown(&k, "");
    assert_int_equal(k.now.reasons, 0);
    assert_int_equal(k.now.sm_mhz, 1980);
    assert_int_equal(k.now.memory_mhz, 2619);
    assert_int_equal(k.now.temperature_c, 41);
    assert_true(k.now.power_w == 123.4);
    assert_true(k.now.energy_j == 9000.5);
    assert_string_equal(k.facts.driver, "580.1.2");
    assert_string_equal(k.facts.nvml_version, "13.580.1.2");
    assert_string_equal(k.facts.vbios, "96.00.99.00.01");
    assert_string_equal(k.facts.name, "Imaginary GPU");
    assert_int_equal(k.facts.mig_is_on, 0);
    assert_int_equal(k.facts.ecc_is_on, 1);
    assert_int_equal(k.facts.persistence_is_on, 1);
    assert_int_equal(k.facts.compute_mode, 0);
    assert_int_equal(k.facts.max_sm_mhz, 1981);
    assert_int_equal(k.facts.max_memory_mhz, 2620);
    assert_true(k.facts.power_limit_w == 700.0);
    assert_true(k.facts.power_limit_default_w == 650.0);
    assert_int_equal(k.facts.application_sm_mhz, 1755);
    assert_int_equal(k.facts.application_memory_mhz, 2600);
}

/* Everything that has two values now has the other one. */
static void modes_are_read(void **state)
{
    (void)state;
    script("MIG", "1");
    script("ECC", "0");
    script("PERSISTENCE", "0");
    script("COMPUTE_MODE", "3");
    const known k = look();

    assert_int_equal(k.facts.mig_is_on, 1);
    assert_int_equal(k.facts.ecc_is_on, 0);
    assert_int_equal(k.facts.persistence_is_on, 0);
    assert_int_equal(k.facts.compute_mode, 3);
}

static void readings_follow_the_gpu(void **state)
{
    assay_nvml        *nvml = NULL;
    assay_nvml_reading before, after;

    (void)state;
    script("REASONS", "0,0x4,0x24,1");
    script("ENERGY_MJ", "1000,3500");
    script("TEMPERATURE_C", "40,55");
    nvml = open_fake();
    assay_nvml_read(nvml, &before);
    assert_int_equal(before.reasons, 0);
    assert_int_equal(assay_nvml_reasons(nvml), 0x4);
    assert_int_equal(assay_nvml_reasons(nvml), 0x24);
    assay_nvml_read(nvml, &after);
    assert_int_equal(after.reasons, 1);
    assert_int_equal(before.temperature_c, 40);
    assert_int_equal(after.temperature_c, 55);
    assert_true(after.energy_j - before.energy_j == 2.5);
    assay_nvml_close(nvml);
}

/* ---- functions that are missing or refuse ---- */

static const struct function {
    const char *symbol;
    const char *unknown;
    const char
        *stops; /* the sentence when it is missing and nothing opens; NULL: opens without it */
} functions[] = {
    { "nvmlInit_v2", "", "has no function nvmlInit_v2" },
    { "nvmlShutdown", "", NULL },
    { "nvmlErrorString", "", NULL },
    { "nvmlDeviceGetHandleByPciBusId_v2", "", "has no function nvmlDeviceGetHandleByPciBusId_v2" },
    { "nvmlSystemGetDriverVersion", "driver", NULL },
    { "nvmlSystemGetNVMLVersion", "version", NULL },
    { "nvmlDeviceGetVbiosVersion", "vbios", NULL },
    { "nvmlDeviceGetName", "name", NULL },
    { "nvmlDeviceGetClockInfo", "sm memory", NULL },
    { "nvmlDeviceGetMaxClockInfo", "max_sm max_memory", NULL },
    { "nvmlDeviceGetTemperatureV", "", NULL },
    { "nvmlDeviceGetTemperature", "", NULL },
    { "nvmlDeviceGetCurrentClocksEventReasons", "", NULL },
    { "nvmlDeviceGetCurrentClocksThrottleReasons", "", NULL },
    { "nvmlDeviceGetTotalEnergyConsumption", "energy", NULL },
    { "nvmlDeviceGetPowerUsage", "", NULL },
    { "nvmlDeviceGetFieldValues", "", NULL },
    { "nvmlDeviceGetEnforcedPowerLimit", "power_limit", NULL },
    { "nvmlDeviceGetPowerManagementDefaultLimit", "default_limit", NULL },
    { "nvmlDeviceGetApplicationsClock", "app_sm app_memory", NULL },
    { "nvmlDeviceGetPersistenceMode", "persistence", NULL },
    { "nvmlDeviceGetComputeMode", "compute_mode", NULL },
    { "nvmlDeviceGetMigMode", "mig", NULL },
    { "nvmlDeviceGetEccMode", "ecc", NULL },
};

/* Values that two functions can give. */
static const struct pair {
    const char *symbol, *fallback, *unknown;
} pairs[] = {
    { "nvmlDeviceGetTemperatureV", "nvmlDeviceGetTemperature", "temperature" },
    { "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons",
      "reasons" },
    { "nvmlDeviceGetPowerUsage", "nvmlDeviceGetFieldValues", "power" },
};

/* The table above has every function that the harness looks up, and the library has all of them. */
static void every_symbol_is_in_the_table(void **state)
{
    (void)state;
    assay_nvml_close(open_fake());
    assert_int_equal(n_asked, COUNT(functions));
    for (size_t i = 0; i < n_asked; i++) {
        bool is_listed = false;

        for (size_t k = 0; k < COUNT(functions); k++)
            is_listed = is_listed || strcmp(functions[k].symbol, asked[i]) == 0;
        if (!is_listed)
            fail_msg("%s is not in the table", asked[i]);
        assert_non_null(__real_dlsym(fake, asked[i]));
    }
}

static void a_missing_function_is_one_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(functions); i++) {
        char why[256] = "";

        hidden[0] = functions[i].symbol;
        if (functions[i].stops) {
            assert_null(assay_nvml_open(FAKE_NVML, BUS_ID, why, sizeof why));
            assert_non_null(strstr(why, functions[i].stops));
            continue;
        }
        const known k = look();

        assert_unknown(&k, functions[i].unknown);
        if (n_open() > 0) { /* if so, the harness had no way to end what it started */
            assert_string_equal(hidden[0], "nvmlShutdown");
            assert_int_equal(call_fake("nvmlShutdown"), 0);
        }
    }
}

static void a_refusing_function_is_one_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(functions); i++) {
        if (functions[i].stops)
            continue;
        script("FAIL", functions[i].symbol);
        const known k = look();

        assert_unknown(&k, functions[i].unknown);
    }
}

static void a_lost_gpu_is_all_unknown(void **state)
{
    assay_nvml *nvml       = open_fake();
    char        lost[2048] = "";

    (void)state;
    for (size_t i = 4; i < COUNT(functions); i++) { /* functions used after the GPU was found */
        const size_t used = strlen(lost);

        (void)snprintf(lost + used, sizeof lost - used, "%s%s=15", used ? " " : "",
                       functions[i].symbol);
    }
    script("FAIL", lost);
    const known k = look_at(nvml);

    assert_unknown(&k, ALL_MEMBERS);
    assert_int_equal(assay_nvml_reasons(nvml), -1);
    assay_nvml_close(nvml);
}

static void old_functions_step_in(void **state)
{
    known k;

    (void)state;
    script("REASONS", "0x80");
    for (size_t i = 0; i < COUNT(pairs); i++) {
        hidden[0] = pairs[i].symbol;
        hidden[1] = NULL;
        script("FAIL", NULL);
        k = look();
        assert_unknown(&k, "");
        assert_int_equal(k.now.temperature_c, i == 0 ? 42 : 41);
        assert_int_equal(k.now.reasons, 0x80);
        assert_true(k.now.power_w == (i == 2 ? 567.8 : 123.4));
        hidden[1] = pairs[i].fallback;
        k         = look();
        assert_unknown(&k, pairs[i].unknown);
        hidden[0] = NULL;
        script("FAIL", pairs[i].symbol);
        k = look();
        assert_unknown(&k, pairs[i].unknown);
    }
}

static void a_power_field_may_be_refused(void **state)
{
    static const char *const failures[] = { "nvmlDeviceGetPowerUsage field186=3",
                                            "nvmlDeviceGetPowerUsage nvmlDeviceGetFieldValues=13" };

    (void)state;
    for (size_t i = 0; i < COUNT(failures); i++) {
        script("FAIL", failures[i]);
        const known k = look();

        assert_unknown(&k, "power");
    }
    script("FAIL", "nvmlDeviceGetPowerUsage");
    script("POWER_NOW_TYPE", "0"); /* the library says that it is a double */
    const known k = look();

    assert_unknown(&k, "power");
}

/* ---- hostile answers ---- */

static void impossible_numbers_are_unknown(void **state)
{
    (void)state;
    script("REASONS", "0x8000000000000004");
    script("SM_MHZ", "0xffffffff");
    script("MEMORY_MHZ", "0x80000000");
    script("ENERGY_MJ", "0xffffffffffffffff");
    script("POWER_LIMIT_MW", "0xffffffff");
    script("DEFAULT_LIMIT_MW", "0xffffffff");
    script("POWER_MW", "0xffffffff");
    script("FAIL", "nvmlDeviceGetFieldValues");
    script("MIG", "2");
    script("ECC", "7");
    script("PERSISTENCE", "0xffffffff");
    const known k = look();

    assert_unknown(&k,
                   "reasons sm memory power energy mig persistence ecc power_limit default_limit");
}

static void large_numbers_are_kept(void **state)
{
    (void)state;
    script("REASONS", "0x7fffffffffffffff");
    script("SM_MHZ", "0x7fffffff");
    script("ENERGY_MJ", "4611686018427387904");
    script("TEMPERATURE_C", "-5");
    const known k = look();

    assert_true(k.now.reasons == INT64_MAX);
    assert_int_equal(k.now.sm_mhz, 0x7fffffff);
    assert_true(k.now.energy_j == 4611686018427387904.0 / 1000);
    assert_int_equal(k.now.temperature_c, -5);
}

static void a_text_without_its_end_is_ended(void **state)
{
    char text[201];

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    script("DRIVER", text);
    script("VERSION", text);
    script("VBIOS", text);
    script("NAME", text);
    const known k = look();

    assert_int_equal(strnlen(k.facts.driver, 80), 79);
    assert_int_equal(strnlen(k.facts.nvml_version, 80), 79);
    assert_int_equal(strnlen(k.facts.vbios, 32), 31);
    assert_int_equal(strnlen(k.facts.name, 96), 95);
    assert_int_equal(k.facts.mig_is_on, 0);
}

static void without_nvml_all_is_unknown(void **state)
{
    const known k = look_at(NULL);

    (void)state;
    assert_unknown(&k, ALL_MEMBERS);
    assert_int_equal(assay_nvml_reasons(NULL), -1);
    assay_nvml_close(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everything_is_read),
        TEST(modes_are_read),
        TEST(readings_follow_the_gpu),
        TEST(every_symbol_is_in_the_table),
        TEST(a_missing_function_is_one_unknown),
        TEST(a_refusing_function_is_one_unknown),
        TEST(a_lost_gpu_is_all_unknown),
        TEST(old_functions_step_in),
        TEST(a_power_field_may_be_refused),
        TEST(impossible_numbers_are_unknown),
        TEST(large_numbers_are_kept),
        TEST(a_text_without_its_end_is_ended),
        TEST(without_nvml_all_is_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
