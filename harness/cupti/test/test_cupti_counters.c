/* Metric names and passes of the CUPTI module, on chips that this machine need not have. */
#include "cupti/counters.h"

#include "testing/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const assay_cupti_api *api;

/* Asserts the status and the message of a failed call of the module. */
#define assert_module_failed_with(status, expected, words)                                         \
    do {                                                                                           \
        assert_int_equal((status), (expected));                                                    \
        if (!strstr(api->message(), (words)))                                                      \
            fail_msg("\"%s\" does not say \"%s\"", api->message(), (words));                       \
    } while (0)

enum {
    MAX_NAMES = 8
};

typedef struct answer {
    assay_metric_value metrics[MAX_NAMES];
    int                n, n_passes;
} answer;

/* Names end with NULL. */
static answer ask(const char *const names[MAX_NAMES])
{
    answer a = { .n = 0, .n_passes = -1 };

    while (a.n < MAX_NAMES && names[a.n]) {
        a.metrics[a.n].status = ASSAY_METRIC_FAILED; /* must be overwritten */
        (void)snprintf(a.metrics[a.n].name, sizeof a.metrics[a.n].name, "%s", names[a.n]);
        a.n++;
    }
    assert_int_equal(api->counters_validate("GH100", a.metrics, a.n, &a.n_passes), ASSAY_OK);
    return a;
}

static void assert_metric(const assay_metric_value *metric, assay_metric_status status,
                          const char *words)
{
    if (metric->status != status || !strstr(metric->reason, words))
        fail_msg("%s: %s \"%s\" is not %s \"%s\"", metric->name,
                 assay_metric_status_text(metric->status), metric->reason,
                 assay_metric_status_text(status), words);
    assert_int_equal(metric->reason[0] == '\0', status == ASSAY_METRIC_OK);
    assert_true(isnan(metric->value));
}

/* ---- presets ---- */

static void every_preset_is_valid_on_gh100(void **state)
{
    static const struct {
        const char *preset;
        int         most_passes;
    } rows[]         = { { "core", 2 },    { "memory", 5 },    { "compute", 5 },
                         { "atomics", 3 }, { "occupancy", 2 }, { "stalls", 6 } };
    size_t n_presets = 0;

    (void)state;
    while (assay_presets[n_presets].name)
        n_presets++;
    assert_int_equal(n_presets, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < n_presets; i++) {
        assay_metric_value *metrics = NULL;
        int                 n = 0, n_passes = 0;

        assert_int_equal(assay_counters_parse(rows[i].preset, &metrics, &n), ASSAY_OK);
        assert_int_equal(api->counters_validate("GH100", metrics, n, &n_passes), ASSAY_OK);
        for (int m = 0; m < n; m++)
            assert_metric(&metrics[m], ASSAY_METRIC_OK, "");
        assert_in_range(n_passes, 1, rows[i].most_passes);
        free(metrics);
    }
}

static void presets_can_be_counted_together(void **state)
{
    assay_status st  = ASSAY_E_INTERNAL;
    FILE        *out = tmpfile();

    (void)state;
    assert_non_null(out);
    st = assay_counters_dry_run(api, "GH100", "core,memory,compute,atomics,occupancy,stalls", out);
    assert_int_equal(st, ASSAY_OK);
    assert_int_equal(assay_counters_dry_run(api, "GH100", NULL, out), ASSAY_OK);
    assert_int_equal(fclose(out), 0);
}

/* A chip that lacks some metrics of a preset reports those, and has the others. */
static void another_chip_answers_by_status(void **state)
{
    assay_metric_value *metrics = NULL;
    int                 n = 0, n_passes = 0, n_ok = 0;

    (void)state;
    assert_int_equal(assay_counters_parse("core,memory", &metrics, &n), ASSAY_OK);
    assert_int_equal(api->counters_validate("GA100", metrics, n, &n_passes), ASSAY_OK);
    for (int m = 0; m < n; m++)
        n_ok += metrics[m].status == ASSAY_METRIC_OK;
    assert_in_range(n_ok, n / 2, n);
    assert_in_range(n_passes, 1, 64);
    free(metrics);
}

/* ---- names ---- */

static void a_wrong_name_spoils_no_other(void **state)
{
    const answer right =
        ask((const char *[MAX_NAMES]) { ASSAY_METRIC_DRAM_READ, "sm__cycles_active.avg" });
    const answer mixed =
        ask((const char *[MAX_NAMES]) { "dram__bytes_raed.sum", ASSAY_METRIC_DRAM_READ, "",
                                        "%s%n.sum", "sm__cycles_active.avg", "nonsense" });

    (void)state;
    assert_metric(&mixed.metrics[0], ASSAY_METRIC_UNSUPPORTED, "GH100 has no such metric");
    assert_metric(&mixed.metrics[1], ASSAY_METRIC_OK, "");
    assert_metric(&mixed.metrics[2], ASSAY_METRIC_UNSUPPORTED, "no such metric");
    assert_metric(&mixed.metrics[3], ASSAY_METRIC_UNSUPPORTED, "no such metric");
    assert_metric(&mixed.metrics[4], ASSAY_METRIC_OK, "");
    assert_metric(&mixed.metrics[5], ASSAY_METRIC_UNSUPPORTED, "no such metric");
    assert_in_range(right.n_passes, 1, 4);
    assert_int_equal(mixed.n_passes, right.n_passes);
}

static void a_suffix_is_needed_and_must_fit(void **state)
{
    const answer a = ask((const char *[MAX_NAMES]) {
        "dram__bytes_read", "dram__bytes_read.pct", "dram__bytes_read.", "lts__t_sector_hit_rate",
        "lts__t_sector_hit_rate.sum", "lts__t_sector_hit_rate.pct",
        "PCI.TriageCompute.pcie__read_bytes" });

    (void)state;
    assert_metric(&a.metrics[0], ASSAY_METRIC_UNSUPPORTED, "needs a suffix");
    assert_metric(&a.metrics[1], ASSAY_METRIC_UNSUPPORTED, "no such suffix");
    assert_metric(&a.metrics[2], ASSAY_METRIC_UNSUPPORTED, "no such suffix");
    assert_metric(&a.metrics[3], ASSAY_METRIC_UNSUPPORTED, "needs a suffix");
    assert_metric(&a.metrics[4], ASSAY_METRIC_UNSUPPORTED, "no such suffix");
    assert_metric(&a.metrics[5], ASSAY_METRIC_OK, "");
    assert_metric(&a.metrics[6], ASSAY_METRIC_UNSUPPORTED, "needs a suffix");
}

static void a_name_without_an_end_is_refused(void **state)
{
    assay_metric_value metric   = { .status = ASSAY_METRIC_OK };
    int                n_passes = -1;

    (void)state;
    memset(metric.name, 'x', sizeof metric.name);
    assert_int_equal(api->counters_validate("GH100", &metric, 1, &n_passes), ASSAY_OK);
    assert_metric(&metric, ASSAY_METRIC_UNSUPPORTED, "too long");
    assert_int_equal(n_passes, 0);
}

static void a_name_may_come_twice(void **state)
{
    const answer a = ask((const char *[MAX_NAMES]) { ASSAY_METRIC_DRAM_READ, "no__such.sum",
                                                     ASSAY_METRIC_DRAM_READ });

    (void)state;
    assert_metric(&a.metrics[0], ASSAY_METRIC_OK, "");
    assert_metric(&a.metrics[2], ASSAY_METRIC_OK, "");
    assert_int_equal(a.n_passes, 1);
}

static void no_metrics_need_no_pass(void **state)
{
    const answer a = ask((const char *[MAX_NAMES]) { NULL });
    const answer b = ask((const char *[MAX_NAMES]) { "no__such.sum" });

    (void)state;
    assert_int_equal(a.n_passes, 0);
    assert_int_equal(b.n_passes, 0);
}

/* Names a few random bytes away from real ones: none crashes, each has a status with its reason,
 * and the valid name beside it stays valid. */
static void random_names_are_judged_one_by_one(void **state)
{
    uint64_t random = 42;

    (void)state;
    for (int i = 0; i < 300; i++) {
        const assay_preset *preset = &assay_presets[(random >> 33) % 6];
        char                name[ASSAY_METRIC_NAME_SIZE];

        (void)snprintf(name, sizeof name, "%s", preset->metrics[i % 11]);
        for (int change = 0; change < 1 + i % 3; change++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            name[(random >> 33) % strlen(name)] = (char)(1 + (random >> 40) % 255);
        }
        const answer a = ask((const char *[MAX_NAMES]) { name, ASSAY_METRIC_DRAM_READ });

        assert_metric(&a.metrics[0], a.metrics[0].status, "");
        assert_metric(&a.metrics[1], ASSAY_METRIC_OK, "");
        assert_in_range(a.n_passes, 1, 64);
    }
}

/* ---- device-level metrics ---- */

static void device_level_metrics_stand_alone(void **state)
{
    const answer mixed = ask((const char *[MAX_NAMES]) {
        "pcie__read_bytes.sum", ASSAY_METRIC_DRAM_READ, "nvlrx__bytes.sum", "ctc__rx_bytes.sum",
        "gpu__time_duration.sum" });
    const answer alone = ask((const char *[MAX_NAMES]) { "pcie__read_bytes.sum", "nvlrx__bytes.sum",
                                                         "gpu__time_duration.sum" });

    (void)state;
    assert_metric(&mixed.metrics[0], ASSAY_METRIC_UNSUPPORTED, "device-level: ask for it alone");
    assert_metric(&mixed.metrics[1], ASSAY_METRIC_OK, "");
    assert_metric(&mixed.metrics[2], ASSAY_METRIC_UNSUPPORTED, "device-level: ask for it alone");
    assert_metric(&mixed.metrics[3], ASSAY_METRIC_UNSUPPORTED, "device-level: ask for it alone");
    assert_metric(&mixed.metrics[4], ASSAY_METRIC_OK, "");
    assert_int_equal(mixed.n_passes, 1);
    for (int i = 0; i < alone.n; i++)
        assert_metric(&alone.metrics[i], ASSAY_METRIC_OK, "");
    assert_int_equal(alone.n_passes, 1);
}

/* ---- chips and lists ---- */

static void an_unknown_chip_is_never_guessed(void **state)
{
    static const char *const chips[] = { "NOPE", "", "gh100", "GH100 ", "GH1000" };
    assay_metric_value       metric  = { .name = ASSAY_METRIC_DRAM_READ };

    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        int n_passes = -1;

        assert_module_failed_with(api->counters_validate(chips[i], &metric, 1, &n_passes),
                                  ASSAY_E_USAGE, "it knows");
        assert_non_null(strstr(api->message(), " GH100"));
        assert_int_equal(n_passes, 0);
    }
}

typedef struct tally {
    int  n, n_wanted, n_described;
    bool is_all_matching;
} tally;

static void count(void *context, const char *name, const char *description)
{
    tally *t = context;

    t->n++;
    t->n_wanted += strcmp(name, "dram__bytes_read") == 0;
    t->n_described += description[0] != '\0';
    t->is_all_matching &= strstr(name, "dram__bytes") != NULL;
}

static void base_metrics_are_listed(void **state)
{
    tally all = { .is_all_matching = true }, some = { .is_all_matching = true }, none = { 0 };

    (void)state;
    assert_int_equal(api->counters_list("GH100", "", count, &all), ASSAY_OK);
    assert_int_equal(api->counters_list("GH100", "dram__bytes", count, &some), ASSAY_OK);
    assert_int_equal(api->counters_list("GH100", "no such thing", count, &none), ASSAY_OK);
    assert_true(all.n > 1000 && all.n_described > all.n / 2 && !all.is_all_matching);
    assert_int_equal(all.n_wanted, 1);
    assert_true(some.n < all.n && some.is_all_matching);
    assert_int_equal(some.n_wanted, 1);
    assert_int_equal(none.n, 0);
    assert_module_failed_with(api->counters_list("NOPE", "", count, &none), ASSAY_E_USAGE,
                              "does not know a chip 'NOPE'");
    assert_int_equal(none.n, 0);
}

/* ---- without an open device ---- */

static void counting_needs_an_open_device(void **state)
{
    assay_metric_value metric   = { .name = ASSAY_METRIC_DRAM_READ };
    assay_counters    *counters = (assay_counters *)1;
    int                n_passes = -1;

    (void)state;
    assert_int_not_equal(api->counters_open(0, ASSAY_REPLAY_USER, &metric, 1, &n_passes, &counters),
                         ASSAY_OK);
    assert_string_not_equal(api->message(), "");
    assert_null(counters);
    assert_int_equal(n_passes, 0);
    api->counters_close(NULL);
}

static void a_chip_that_is_not_here_has_no_name(void **state)
{
    char name[64] = "";

    (void)state;
    assert_int_not_equal(api->chip_name(-1, name, sizeof name), ASSAY_OK);
    assert_int_not_equal(api->chip_name(10000, name, sizeof name), ASSAY_OK);
    assert_string_not_equal(api->message(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_is_valid_on_gh100),
        cmocka_unit_test(presets_can_be_counted_together),
        cmocka_unit_test(another_chip_answers_by_status),
        cmocka_unit_test(a_wrong_name_spoils_no_other),
        cmocka_unit_test(a_suffix_is_needed_and_must_fit),
        cmocka_unit_test(a_name_without_an_end_is_refused),
        cmocka_unit_test(a_name_may_come_twice),
        cmocka_unit_test(no_metrics_need_no_pass),
        cmocka_unit_test(random_names_are_judged_one_by_one),
        cmocka_unit_test(device_level_metrics_stand_alone),
        cmocka_unit_test(an_unknown_chip_is_never_guessed),
        cmocka_unit_test(base_metrics_are_listed),
        cmocka_unit_test(counting_needs_an_open_device),
        cmocka_unit_test(a_chip_that_is_not_here_has_no_name),
    };
    char why[512] = "";

    api = assay_cupti_load(why, sizeof why);
    if (!api) {
        (void)printf("skipped: %s\n", why);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
