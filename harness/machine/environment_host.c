/* Reads the settings of the host. */
#include "environment_host.h"

#include "base/sort.h"
#include "base/text.h"
#include "environment.h"

#include <ctype.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Reads the first line of a file that starts with `key`, without the key and blanks around; "" if
 * there is none. */
static void read_line(const char *path, const char *key, char *text, size_t size)
{
    FILE  *file = fopen(path, "r");
    char   line[512];
    size_t n;

    text[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        const char *rest = assay_text_after(line, key);

        if (!rest)
            continue;
        rest += strspn(rest, " \t");
        n = strcspn(rest, "\n");
        while (n > 0 && isspace((unsigned char)rest[n - 1]))
            n--;
        (void)assay_text_set(text, size, "%.*s", (int)n, rest);
        break;
    }
    if (file)
        (void)fclose(file);
}

/* Returns -1 unless the file holds a number. */
static int read_int(const char *path)
{
    char text[32], *end = NULL;
    long value;

    read_line(path, "", text, sizeof text);
    value = strtol(text, &end, 10);
    return end != text && *end == '\0' && value >= 0 && value <= 1 << 20 ? (int)value : -1;
}

int assay_environment_numa_node(const char *pci_bus_id, const char *devices)
{
    char   path[512];
    size_t n = (size_t)snprintf(path, sizeof path, "%s/", devices);

    if (pci_bus_id[0] == '\0' || n >= sizeof path)
        return -1;
    (void)assay_text_set(path + n, sizeof path - n, "%s/numa_node", pci_bus_id);
    for (; path[n] && path[n] != '/'; n++)
        path[n] = (char)tolower((unsigned char)path[n]);
    return read_int(path);
}

/* ---- CPU ---- */

#define CPU "/sys/devices/system/cpu/"

/* Drivers tell it in two ways: turbo is allowed, or turbo is not allowed. */
static int read_turbo(void)
{
    const int no_turbo = read_int(CPU "intel_pstate/no_turbo");

    return no_turbo >= 0 ? no_turbo == 0 : read_int(CPU "cpufreq/boost");
}

static void fill_cpu(assay_run_row *row)
{
    double load = 0;

    read_line(CPU "cpu0/cpufreq/scaling_governor", "", row->governor, sizeof row->governor);
    read_line("/proc/self/status", "Cpus_allowed_list:", row->affinity, sizeof row->affinity);
    row->turbo        = read_turbo();
    row->smt          = read_int(CPU "smt/active");
    row->load_average = getloadavg(&load, 1) == 1 ? load : (double)NAN;
}

/* ---- who and where ---- */

static void fill_user(assay_run_row *row)
{
    struct passwd  entry, *found = NULL;
    char           memory[4096];
    const unsigned id = (unsigned)geteuid();

    if (getpwuid_r(geteuid(), &entry, memory, sizeof memory, &found) == 0 && found)
        (void)assay_text_set(row->user, sizeof row->user, "%s", entry.pw_name);
    else
        (void)assay_text_set(row->user, sizeof row->user, "%u", id);
}

bool assay_environment_find_container(const char *text, char *id, size_t size)
{
    enum {
        ID_LENGTH = 64
    };
    size_t n = 0;

    for (const char *at = text; *at; at++) {
        n = strchr("0123456789abcdef", *at) ? n + 1 : 0;
        if (n == ID_LENGTH && !isalnum((unsigned char)at[1])) {
            (void)assay_text_set(id, size, "%.*s", ID_LENGTH, at + 1 - ID_LENGTH);
            return true;
        }
    }
    return false;
}

/* Control groups of version 1 name the container; with version 2, its mounts do. */
static void fill_container(assay_run_row *row)
{
    static const char *const files[] = { "/proc/self/cgroup", "/proc/self/mountinfo" };
    bool                     found   = false;
    char                     line[4096];

    for (size_t i = 0; i < sizeof files / sizeof files[0] && !found; i++) {
        FILE *file = fopen(files[i], "r");

        while (file && !found && fgets(line, sizeof line, file))
            if (i == 0 || strstr(line, "/containers/"))
                found =
                    assay_environment_find_container(line, row->container, sizeof row->container);
        if (file)
            (void)fclose(file);
    }
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value ? value : "";
}

static void fill_ci(assay_run_row *row)
{
    static const char *const names[] = { "CI_JOB_URL", "BUILD_URL", "BUILDKITE_BUILD_URL",
                                         "CIRCLE_BUILD_URL" };
    char                    *to      = row->ci_url;
    const size_t             size    = sizeof row->ci_url;

    if (variable("GITHUB_RUN_ID")[0] && variable("GITHUB_REPOSITORY")[0])
        (void)assay_text_set(to, size, "%s/%s/actions/runs/%s", variable("GITHUB_SERVER_URL"),
                             variable("GITHUB_REPOSITORY"), variable("GITHUB_RUN_ID"));
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !to[0]; i++)
        (void)assay_text_set(to, size, "%s", variable(names[i]));
}

/* ---- variables ---- */

static bool is_wanted(const char *entry)
{
    static const char *const prefixes[] = { "CUDA_", "NVIDIA_", "LD_" };

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (assay_text_after(entry, prefixes[i]))
            return true;
    return false;
}

/* Sorted, so that equal settings give equal texts. */
static void fill_variables(assay_run_row *row)
{
    char  *wanted[64];
    size_t n = 0;

    for (char **entry = environ; *entry && n < sizeof wanted / sizeof wanted[0]; entry++)
        if (is_wanted(*entry))
            wanted[n++] = *entry;
    qsort(wanted, n, sizeof wanted[0], assay_compare_texts);
    for (size_t i = 0; i < n; i++)
        assay_environment_quote(wanted[i], row->environment, sizeof row->environment);
}

/* ---- all of it ---- */

assay_status assay_environment_set_reason(assay_run_row *row, const char *reason)
{
    static const char *const known[] = { "nightly", "pr", "local" };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i], reason) != 0)
            continue;
        (void)assay_text_set(row->reason, sizeof row->reason, "%s", reason);
        return ASSAY_OK;
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "the reason of a run is nightly, pr or local, not '%s'",
                      reason);
}

void assay_environment_fill_host(assay_run_row *row)
{
    struct timespec now;

    (void)assay_text_set(row->reason, sizeof row->reason, "local");
    row->monotonic_s = clock_gettime(CLOCK_MONOTONIC, &now) == 0
                           ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
                           : (double)NAN;
    read_line("/proc/sys/kernel/random/boot_id", "", row->boot_id, sizeof row->boot_id);
    fill_user(row);
    fill_container(row);
    fill_ci(row);
    fill_variables(row);
    fill_cpu(row);
}
