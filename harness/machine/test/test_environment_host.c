/* What a run records of the set-up of host, build and device. */
#include "machine/environment.h"
#include "testing/testing.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_run_row a_row(void)
{
    char         *argv[] = { (char[]) { "assay" } };
    assay_run_row row    = { .seed = 1 };

    assert_int_equal(assay_environment_fill(1, argv, "3.1", &row), ASSAY_OK);
    return row;
}

static void the_host_is_described(void **state)
{
    const assay_run_row row = a_row();

    (void)state;
    assert_string_equal(row.reason, "local");
    assert_true(row.monotonic_s > 0);
    assert_int_equal(strlen(row.boot_id), 36);
    assert_true(strlen(row.user) > 0);
    assert_true(isdigit((unsigned char)row.affinity[0]));
    assert_true(row.load_average >= 0);
    assert_true(row.turbo >= -1 && row.turbo <= 1 && row.smt >= -1 && row.smt <= 1);
}

static void the_build_is_described(void **state)
{
    const assay_run_row row = a_row();

    (void)state;
    assert_int_equal(row.sqlite[0], '3');
    assert_int_equal(strlen(row.git_diff_hash), row.git_dirty ? 64 : 0);
    assert_int_equal(strlen(row.git_commit_utc), row.git_commit[0] ? 20 : 0);
}

/* --version, a file of Google Benchmark and the run's row say the same. */
static void the_version_tells_of_uncommitted_changes(void **state)
{
    const assay_run_row row = a_row();
    char                text[128], own[128];

    (void)state;
    assert_string_equal(assay_environment_describe_build("0.1", "ab12", true, text, sizeof text),
                        "0.1 (commit ab12 with uncommitted changes)");
    assert_string_equal(assay_environment_describe_build("0.1", "ab12", false, text, sizeof text),
                        "0.1 (commit ab12)");
    assert_string_equal(assay_environment_describe_build("0.1", "", true, text, sizeof text),
                        "0.1");
    assert_string_equal(assay_environment_version(text, sizeof text),
                        assay_environment_describe_build(row.assay_version, row.git_commit,
                                                         row.git_dirty, own, sizeof own));
}

/* These variables give the same text, in whatever order they were set; other variables give
 * none. */
static void variables_are_sorted_and_quoted(void **state)
{
    assay_run_row row;

    (void)state;
    assert_int_equal(clearenv(), 0);
    (void)setenv("LD_PRELOAD", "", 1);
    (void)setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
    (void)setenv("CUDA_ODD", "a b\n'c'", 1);
    (void)setenv("PASSWORD", "secret", 1);
    (void)setenv("XCUDA_", "no", 1);
    row = a_row();
    assert_string_equal(row.environment,
                        "'CUDA_ODD=a b\n'\\''c'\\''' CUDA_VISIBLE_DEVICES=1,0 LD_PRELOAD=");
    assert_string_equal(row.ci_url, "");
}

static void the_ci_job_is_named(void **state)
{
    assay_run_row row;

    (void)state;
    assert_int_equal(clearenv(), 0);
    (void)setenv("BUILD_URL", "https://ci.example/7", 1);
    row = a_row();
    assert_string_equal(row.ci_url, "https://ci.example/7");
    (void)setenv("GITHUB_SERVER_URL", "https://g.example", 1);
    (void)setenv("GITHUB_REPOSITORY", "us/kernels", 1);
    (void)setenv("GITHUB_RUN_ID", "42", 1);
    row = a_row();
    assert_string_equal(row.ci_url, "https://g.example/us/kernels/actions/runs/42");
}

static void a_reason_is_one_of_three(void **state)
{
    assay_run_row row = { .reason = "local" };

    (void)state;
    assert_int_equal(assay_environment_set_reason(&row, "nightly"), ASSAY_OK);
    assert_string_equal(row.reason, "nightly");
    assert_int_equal(assay_environment_set_reason(&row, "weekly"), ASSAY_E_USAGE);
    assert_non_null(strstr(assay_status_message(), "not 'weekly'"));
    assert_string_equal(row.reason, "nightly");
    assay_status_reset();
}

static void a_container_is_found_by_its_id(void **state)
{
    static const char id[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char              text[256], found[80] = "";

    (void)state;
    (void)snprintf(text, sizeof text, "0::/system.slice/docker-%s.scope\n", id);
    assert_true(assay_environment_find_container(text, found, sizeof found));
    assert_string_equal(found, id);
    (void)snprintf(text, sizeof text, "/var/lib/docker/containers/%s/hosts", id);
    assert_true(assay_environment_find_container(text, found, sizeof found));
    assert_string_equal(found, id);
    (void)snprintf(text, sizeof text, "/%.63s/x", id);
    assert_false(assay_environment_find_container(text, found, sizeof found));
    (void)snprintf(text, sizeof text, "/%s0/x", id); /* too long to be an id */
    assert_false(assay_environment_find_container(text, found, sizeof found));
    assert_false(assay_environment_find_container("", found, sizeof found));
}

static void put_node(const char *folder, const char *text)
{
    char  path[256];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/0000:1b:00.0", folder);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof path, "%s/0000:1b:00.0/numa_node", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The driver writes the bus in capitals, the kernel does not. */
static void the_numa_node_of_a_card(void **state)
{
    char folder[] = "/tmp/assay-test-XXXXXX", command[128];

    (void)state;
    assert_non_null(mkdtemp(folder));
    put_node(folder, "1\n");
    assert_int_equal(assay_environment_numa_node("0000:1B:00.0", folder), 1);
    put_node(folder, "-1\n");
    assert_int_equal(assay_environment_numa_node("0000:1B:00.0", folder), -1);
    put_node(folder, "one\n");
    assert_int_equal(assay_environment_numa_node("0000:1B:00.0", folder), -1);
    assert_int_equal(assay_environment_numa_node("0000:FF:00.0", folder), -1);
    assert_int_equal(assay_environment_numa_node("", folder), -1);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* The host device has no driver: everything is unknown, and nothing is 0. */
static void a_device_without_nvml_is_unknown(void **state)
{
    assay_device_info info = { .kind = "host" };
    assay_run_row     row  = a_row();

    (void)state;
    assay_environment_fill_device(&info, &row);
    assert_string_equal(row.device.nvml, "");
    assert_int_equal(row.device.mig, -1);
    assert_int_equal(row.device.compute_mode, -1);
    assert_int_equal(row.device.numa_node, -1);
    assert_true(isnan(row.device.power_limit_w) && isnan(row.device.power_limit_default_w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_is_described),
        cmocka_unit_test(the_build_is_described),
        cmocka_unit_test(the_version_tells_of_uncommitted_changes),
        cmocka_unit_test(a_reason_is_one_of_three),
        cmocka_unit_test(a_container_is_found_by_its_id),
        cmocka_unit_test(the_numa_node_of_a_card),
        cmocka_unit_test(a_device_without_nvml_is_unknown),
        cmocka_unit_test(variables_are_sorted_and_quoted),
        cmocka_unit_test(the_ci_job_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
