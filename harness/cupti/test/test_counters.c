/* Presets, selections and derived figures of counters; and the output of the profile command on
 * a stand-in for CUPTI. */
#include "cupti/counters.h"

#include "testing/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- selections ---- */

/* The parsed names joined by spaces. */
static const char *names_of(const char *list)
{
    static char         text[65536];
    assay_metric_value *metrics = NULL;
    int                 n       = 0;

    assert_int_equal(assay_counters_parse(list, &metrics, &n), ASSAY_OK);
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        assert_int_equal(metrics[i].status, ASSAY_METRIC_OK);
        assert_true(isnan(metrics[i].value));
        assert_string_equal(metrics[i].reason, "");
        strcat(strcat(text, i ? " " : ""), metrics[i].name);
    }
    free(metrics);
    return text;
}

static void assert_refused(const char *list, const char *words)
{
    assay_metric_value *metrics = (assay_metric_value *)1;
    int                 n       = -1;

    assert_failed_with(assay_counters_parse(list, &metrics, &n), ASSAY_E_USAGE, words);
    assert_null(metrics);
    assert_int_equal(n, 0);
}

static void names_stay_in_order_and_once(void **state)
{
    (void)state;
    assert_string_equal(names_of("b__x.sum,a__y.avg,b__x.sum"), "b__x.sum a__y.avg");
}

static void a_preset_is_its_metrics(void **state)
{
    char core[65536];

    (void)state;
    (void)snprintf(core, sizeof core, "%s", names_of("core"));
    assert_non_null(strstr(core, ASSAY_METRIC_DRAM_READ));
    assert_non_null(strstr(core, ASSAY_METRIC_DRAM_WRITE));
    assert_string_equal(names_of(NULL), core);
    assert_string_equal(names_of("core,core," ASSAY_METRIC_DRAM_READ), core);
    assert_true(strlen(names_of("core,stalls")) > strlen(core));
    assert_memory_equal(names_of("core,stalls"), core, strlen(core));
}

static void presets_hold_each_metric_once(void **state)
{
    int n_presets = 0;

    (void)state;
    for (const assay_preset *p = assay_presets; p->name; p++, n_presets++) {
        assay_metric_value *metrics = NULL;
        int                 n = 0, n_listed = 0;

        assert_ptr_equal(assay_counters_preset(p->name), p);
        assert_null(strstr(p->name, "__"));
        while (p->metrics[n_listed])
            n_listed++;
        assert_int_equal(assay_counters_parse(p->name, &metrics, &n), ASSAY_OK);
        assert_int_equal(n, n_listed);
        free(metrics);
    }
    assert_int_equal(n_presets, 6);
    assert_null(assay_counters_preset("all"));
}

static void words_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    assert_refused("cor", "did you mean 'core'?");
    assert_refused("all", "no preset 'all'");
    assert_refused("core,Memory", "did you mean 'memory'?");
    assert_refused("core memory", "no preset 'core memory'");
    assert_refused("dram_bytes.sum", "a metric is written like dram__bytes_read.sum");
    assert_refused("%s%n", "no preset '%s%n'");
}

static void empty_names_are_refused(void **state)
{
    static const char *const lists[] = { "", ",", "core,", ",core", "core,,memory" };

    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        assert_refused(lists[i], "empty name");
}

static void the_longest_name_fits(void **state)
{
    char name[ASSAY_METRIC_NAME_SIZE + 1];

    (void)state;
    memset(name, 'a', sizeof name);
    name[1] = name[2]                = '_';
    name[ASSAY_METRIC_NAME_SIZE]     = '\0';
    name[ASSAY_METRIC_NAME_SIZE - 1] = '\0';
    assert_string_equal(names_of(name), name);
    name[ASSAY_METRIC_NAME_SIZE - 1] = 'a';
    assert_refused(name, "a name of 160 characters");
}

/* n different metrics in one list; caller frees. */
static char *list_of(int n)
{
    char *list = calloc((size_t)n, 32);

    assert_non_null(list);
    for (int i = 0; i < n; i++)
        (void)snprintf(list + strlen(list), 32, "%sa__%d.sum", i ? "," : "", i);
    return list;
}

static void a_selection_has_a_limit(void **state)
{
    char *fits = list_of(ASSAY_MAX_METRICS), *too_long = list_of(ASSAY_MAX_METRICS + 1);

    (void)state;
    assert_non_null(strstr(names_of(fits), "a__255.sum"));
    assert_refused(too_long, "more than 256 metrics");
    free(fits);
    free(too_long);
}

/* ---- figures ---- */

#define SASS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"

static const assay_metric_value counted[] = {
    { .name = SASS("fadd"), .value = 5 },           { .name = SASS("fmul"), .value = 70 },
    { .name = SASS("ffma"), .value = 1000 },        { .name = SASS("dadd"), .value = 1 },
    { .name = SASS("dmul"), .value = 20 },          { .name = SASS("dfma"), .value = 300 },
    { .name = ASSAY_METRIC_DRAM_READ, .value = 8 },
};
enum {
    N_COUNTED = sizeof counted / sizeof counted[0]
};

static void a_fused_operation_counts_twice(void **state)
{
    const assay_flops flops = assay_counters_flops(counted, N_COUNTED);

    (void)state;
    assert_true(flops.fp32 == 2075);
    assert_true(flops.fp64 == 621);
}

static void flops_need_all_three_counters(void **state)
{
    (void)state;
    for (int missing = 0; missing < 6; missing++) {
        assay_metric_value some[N_COUNTED];

        memcpy(some, counted, sizeof some);
        some[missing].status = ASSAY_METRIC_NO_PERMISSION;
        assert_int_equal(isnan(assay_counters_flops(some, N_COUNTED).fp32), missing < 3);
        assert_int_equal(isnan(assay_counters_flops(some, N_COUNTED).fp64), missing >= 3);
    }
    assert_true(isnan(assay_counters_flops(NULL, 0).fp32));
    assert_true(isnan(assay_counters_flops(NULL, 0).fp64));
}

static void values_are_found_by_name(void **state)
{
    assay_metric_value failed = { .name   = ASSAY_METRIC_DRAM_READ,
                                  .status = ASSAY_METRIC_FAILED,
                                  .value  = 3 };

    (void)state;
    assert_true(assay_counters_value(counted, N_COUNTED, ASSAY_METRIC_DRAM_READ) == 8);
    assert_true(isnan(assay_counters_value(counted, N_COUNTED, ASSAY_METRIC_DRAM_WRITE)));
    assert_true(isnan(assay_counters_value(&failed, 1, ASSAY_METRIC_DRAM_READ)));
}

static void each_status_has_a_text_and_a_remedy(void **state)
{
    (void)state;
    assert_string_equal(assay_metric_status_text(ASSAY_METRIC_OK), "ok");
    assert_string_equal(assay_metric_status_text(ASSAY_METRIC_UNSUPPORTED), "unsupported");
    assert_string_equal(assay_metric_status_text(ASSAY_METRIC_NO_PERMISSION), "no permission");
    assert_string_equal(assay_metric_status_text(ASSAY_METRIC_FAILED), "failed");
    assert_string_equal(assay_metric_status_text((assay_metric_status)99), "unknown status");
    assert_string_equal(assay_counters_remedy(ASSAY_METRIC_OK), "");
    assert_non_null(strstr(assay_counters_remedy(ASSAY_METRIC_NO_PERMISSION),
                           "NVreg_RestrictProfilingToAdminUsers=0"));
    assert_string_equal(assay_counters_remedy((assay_metric_status)99), "");
}

/* ---- the profile command on a chip with three metrics ---- */

#define LONG_METRIC                                                                                \
    "toy__cycles_elapsed_by_a_unit_with_a_name_that_is_longer_than_any_word_of_a_person"
static const char *const toy_metrics[] = { "toy__sectors_read", "toy__sectors_write", LONG_METRIC };
static const char       *toy_message   = "";

static const char *toy_say(void) { return toy_message; }

static assay_status toy_require(const char *chip)
{
    toy_message = "the toy knows only the chip TOY";
    return strcmp(chip, "TOY") == 0 ? ASSAY_OK : ASSAY_E_USAGE;
}

static assay_status toy_list(const char *chip, const char                            *part,
                             void (*visit)(void *, const char *, const char *), void *context)
{
    if (toy_require(chip) != ASSAY_OK)
        return ASSAY_E_USAGE;
    for (size_t i = 0; i < sizeof toy_metrics / sizeof toy_metrics[0]; i++)
        if (strstr(toy_metrics[i], part))
            visit(context, toy_metrics[i], "of the toy");
    return ASSAY_OK;
}

static bool toy_has(const char *name)
{
    for (size_t i = 0; i < sizeof toy_metrics / sizeof toy_metrics[0]; i++) {
        const size_t n = strlen(toy_metrics[i]);

        if (strncmp(name, toy_metrics[i], n) == 0 && strcmp(name + n, ".sum") == 0)
            return true;
    }
    return false;
}

static assay_status toy_validate(const char *chip, assay_metric_value *metrics, int n,
                                 int *n_passes)
{
    *n_passes = 0;
    if (toy_require(chip) != ASSAY_OK)
        return ASSAY_E_USAGE;
    for (int i = 0; i < n; i++) {
        if (toy_has(metrics[i].name)) {
            *n_passes = 3;
            continue;
        }
        metrics[i].status = ASSAY_METRIC_UNSUPPORTED;
        (void)snprintf(metrics[i].reason, sizeof metrics[i].reason, "not on the toy");
    }
    return ASSAY_OK;
}

static const assay_cupti_api toy = {
    .message           = toy_say,
    .counters_validate = toy_validate,
    .counters_list     = toy_list,
};

/* Returns the output; *st has the status of writing it. */
static const char *dry_run_of(const char *chip, const char *list, assay_status *st)
{
    static char text[65536];
    FILE       *out = tmpfile();

    assert_non_null(out);
    *st = assay_counters_dry_run(&toy, chip, list, out);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    assert_int_equal(fclose(out), 0);
    return text;
}

static void a_dry_run_names_the_passes(void **state)
{
    assay_status st   = ASSAY_E_INTERNAL;
    const char  *text = dry_run_of("TOY", "toy__sectors_read.sum,toy__sectors_write.sum", &st);

    (void)state;
    assert_int_equal(st, ASSAY_OK);
    assert_string_equal(text, "selection: 2 metrics, 3 passes on TOY\n"
                              "  toy__sectors_read.sum   ok\n"
                              "  toy__sectors_write.sum  ok\n");
}

static void a_dry_run_offers_the_nearest_metric(void **state)
{
    static const struct {
        const char *asked, *answer;
    } rows[] = {
        { "toy__sectors_raed.sum", "not on the toy (did you mean 'toy__sectors_read.sum'?)" },
        { "toy__sectors_writ", "(did you mean 'toy__sectors_write.sum'?)" },
        { "toy__cycles_elapsed_by_a_unit_with_a_name_that_is_longer_than_any_word_of_a_persom.sum",
          "longer_than_any_word_of_a_person.sum'?)" },
        { "toy__sectors_read.per_cow", "not on the toy\n" },
    };
    assay_status st = ASSAY_OK;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = dry_run_of("TOY", rows[i].asked, &st);

        if (!strstr(text, rows[i].answer))
            fail_msg("\"%s\" does not say \"%s\"", text, rows[i].answer);
        assert_failed_with(st, ASSAY_E_USAGE, "1 of 1 metrics cannot be counted on TOY");
    }
}

static void a_dry_run_of_everything_shows_each_preset(void **state)
{
    assay_status st   = ASSAY_OK;
    const char  *text = dry_run_of("TOY", NULL, &st);

    (void)state;
    for (const assay_preset *p = assay_presets; p->name; p++) {
        char line[64];

        (void)snprintf(line, sizeof line, "%s: ", p->name);
        assert_non_null(strstr(text, line));
        assert_non_null(strstr(text, p->metrics[0]));
    }
    assert_failed_with(st, ASSAY_E_USAGE, "metrics cannot be counted on TOY");
}

static void an_unknown_chip_is_refused(void **state)
{
    assay_status st = ASSAY_OK;

    (void)state;
    (void)dry_run_of("NOPE", "toy__sectors_read.sum", &st);
    assert_failed_with(st, ASSAY_E_USAGE, "the toy knows only the chip TOY");
    assert_failed_with(assay_counters_list(&toy, "NOPE", "", stdout), ASSAY_E_USAGE,
                       "the toy knows only the chip TOY");
}

static void metrics_are_listed_by_part(void **state)
{
    char  text[4096];
    FILE *out = tmpfile();

    (void)state;
    assert_non_null(out);
    assert_int_equal(assay_counters_list(&toy, "TOY", "sectors", out), ASSAY_OK);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "toy__sectors_write "));
    assert_null(strstr(text, "cycles"));
    assert_non_null(strstr(text, "2 metrics. "));
    assert_failed_with(assay_counters_list(&toy, "TOY", "cow", stdout), ASSAY_E_NOTHING,
                       "TOY has no metric with 'cow' in its name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stay_in_order_and_once),
        cmocka_unit_test(a_preset_is_its_metrics),
        cmocka_unit_test(presets_hold_each_metric_once),
        cmocka_unit_test(words_that_mean_nothing_are_refused),
        cmocka_unit_test(empty_names_are_refused),
        cmocka_unit_test(the_longest_name_fits),
        cmocka_unit_test(a_selection_has_a_limit),
        cmocka_unit_test(a_fused_operation_counts_twice),
        cmocka_unit_test(flops_need_all_three_counters),
        cmocka_unit_test(values_are_found_by_name),
        cmocka_unit_test(each_status_has_a_text_and_a_remedy),
        cmocka_unit_test(a_dry_run_names_the_passes),
        cmocka_unit_test(a_dry_run_offers_the_nearest_metric),
        cmocka_unit_test(a_dry_run_of_everything_shows_each_preset),
        cmocka_unit_test(an_unknown_chip_is_refused),
        cmocka_unit_test(metrics_are_listed_by_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
