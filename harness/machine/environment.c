/* Reads what identifies a host and a build. */
#include "environment.h"

#include "base/build_id.h"
#include "base/text.h"
#include "base/uuid.h"
#include "build_info.h"
#include "environment_host.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum {
    GROUP_PATH_SIZE = 4096
};

const char *assay_environment_describe_build(const char *version, const char *commit, bool is_dirty,
                                             char *text, size_t size)
{
    if (!commit[0])
        return assay_text_set(text, size, "%s", version);
    return assay_text_set(text, size, "%s (commit %s%s)", version, commit,
                          is_dirty ? " with uncommitted changes" : "");
}

const char *assay_environment_date(void) { return ASSAY_GIT_COMMIT_UTC; }

const char *assay_environment_version(char *text, size_t size)
{
    return assay_environment_describe_build(ASSAY_VERSION, ASSAY_GIT_COMMIT, ASSAY_GIT_DIRTY, text,
                                            size);
}

static void append(char *line, size_t size, const char *text)
{
    const size_t used = strlen(line);

    (void)assay_text_set(line + used, size - used, "%s", text);
}

void assay_environment_quote(const char *word, char *line, size_t size)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:+@%";

    if (line[0] != '\0')
        append(line, size, " ");
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        append(line, size, word);
        return;
    }
    append(line, size, "'");
    for (; *word; word++)
        append(line, size, *word == '\'' ? "'\\''" : (char[]) { *word, '\0' });
    append(line, size, "'");
}

/* Reads the value of "key<spaces>: value" in a /proc file; "" if it is not there. */
static void read_proc(const char *path, const char *key, char *value, size_t size)
{
    FILE *file = fopen(path, "r");
    char  line[512];

    value[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        const char *rest = assay_text_after(line, key);

        if (!rest)
            continue;
        rest += strspn(rest, " \t:");
        (void)assay_text_set(value, size, "%.*s", (int)strcspn(rest, "\n"), rest);
        break;
    }
    if (file)
        (void)fclose(file);
}

/* ---- memory ---- */

/* The smaller of two numbers of bytes; 0 means unknown. */
static int64_t smaller_known(int64_t a, int64_t b) { return a == 0 || (b != 0 && b < a) ? b : a; }

/* The files of the two versions of control groups. */
static const struct group_files {
    const char *limit, *used, *cache_key;
} group_files[] = {
    { "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file " },
    { "memory.max", "memory.current", "inactive_file " },
};

/* Reads the number after `key` in a file of a folder; false if there is none ("max" is none). */
static bool read_number(const char *folder, const char *name, const char *key, int64_t *number)
{
    char path[GROUP_PATH_SIZE + 64], text[64], *end = NULL;

    (void)assay_text_set(path, sizeof path, "%s/%s", folder, name);
    read_proc(path, key, text, sizeof text);
    *number = strtoll(text, &end, 10);
    return end != text;
}

/* Bytes left in one group: its limit minus its use, without cached files that the kernel would
 * drop. */
static int64_t left_in(const char *folder, const struct group_files *files)
{
    int64_t limit = 0, used = 0, cached = 0;

    if (!read_number(folder, files->limit, "", &limit))
        return 0;
    if (!read_number(folder, files->used, "", &used))
        used = 0;
    if (!read_number(folder, "memory.stat", files->cache_key, &cached) || cached > used)
        cached = 0;
    return limit > used - cached ? limit - (used - cached) : 1;
}

/* A limit holds for all groups below it. Inside a container, the group's own folder may not be
 * visible, but the mounted root is the container's. */
static int64_t left_in_all(const char *root, const char *group, const struct group_files *files)
{
    char         folder[GROUP_PATH_SIZE];
    const size_t n_root = strlen(root);
    int64_t      left   = 0;

    (void)assay_text_set(folder, sizeof folder, "%s%s", root, group);
    for (;;) {
        char *slash = strrchr(folder, '/');

        left = smaller_known(left, left_in(folder, files));
        if (!slash || strlen(folder) <= n_root)
            return left;
        *slash = '\0';
    }
}

int64_t assay_environment_group_bytes(const char *groups, const char *root)
{
    FILE   *file = fopen(groups, "r");
    char    line[GROUP_PATH_SIZE], memory_root[GROUP_PATH_SIZE];
    int64_t left = 0;

    (void)assay_text_set(memory_root, sizeof memory_root, "%s/memory", root);
    /* "0::/a/b" in version 2, "4:memory:/a/b" in version 1. */
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':');
        char *group       = controllers ? strchr(controllers + 1, ':') : NULL;

        if (!group)
            continue;
        *group++                    = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (strcmp(controllers, ":") == 0)
            left = smaller_known(left, left_in_all(root, group, &group_files[1]));
        else if (strcmp(controllers, ":memory") == 0)
            left = smaller_known(left, left_in_all(memory_root, group, &group_files[0]));
    }
    if (file)
        (void)fclose(file);
    return left;
}

int64_t assay_environment_free_bytes(void)
{
    char kilobytes[64];

    read_proc("/proc/meminfo", "MemAvailable", kilobytes, sizeof kilobytes);
    return smaller_known(1024 * strtoll(kilobytes, NULL, 10),
                         assay_environment_group_bytes("/proc/self/cgroup", "/sys/fs/cgroup"));
}

/* ---- the row of a run ---- */

static void fill_build(assay_run_row *row)
{
    static const char in_this_program = 0;

#define TEXT(member, text) (void)assay_text_set(row->member, sizeof row->member, "%s", text)
    TEXT(assay_version, ASSAY_VERSION);
    TEXT(git_commit, ASSAY_GIT_COMMIT);
    TEXT(git_branch, ASSAY_GIT_BRANCH);
    TEXT(git_commit_utc, ASSAY_GIT_COMMIT_UTC);
    TEXT(git_diff_hash, ASSAY_GIT_DIFF_HASH);
    TEXT(compiler, ASSAY_COMPILER);
    TEXT(cuda_compiler, ASSAY_CUDA_COMPILER);
    TEXT(build_type, ASSAY_BUILD_TYPE);
    TEXT(build_flags, ASSAY_BUILD_FLAGS);
    TEXT(cuda_toolkit, ASSAY_CUDA_TOOLKIT);
    TEXT(cuda_architectures, ASSAY_CUDA_ARCHITECTURES);
    TEXT(cupti, ASSAY_CUPTI_VERSION);
    TEXT(google_benchmark, ASSAY_BENCHMARK_VERSION);
#undef TEXT
    row->git_dirty = ASSAY_GIT_DIRTY;
    assay_build_id(&in_this_program, row->binary_id, sizeof row->binary_id);
}

/* Unknown until they are read. */
static void forget_device(assay_device_settings *device)
{
    *device = (assay_device_settings) { .mig                    = -1,
                                        .persistence            = -1,
                                        .compute_mode           = -1,
                                        .power_limit_w          = (double)NAN,
                                        .power_limit_default_w  = (double)NAN,
                                        .application_sm_mhz     = -1,
                                        .application_memory_mhz = -1,
                                        .numa_node              = -1 };
}

assay_status assay_environment_fill(int argc, char **argv, const char *sqlite_version,
                                    assay_run_row *row)
{
    assay_status   st = ASSAY_OK;
    struct utsname name;

    ASSAY_CHECK(assay_uuid_make(row->uuid, sizeof row->uuid));
    for (int i = 0; i < argc; i++)
        assay_environment_quote(argv[i], row->command, sizeof row->command);
    if (uname(&name) == 0) {
        (void)assay_text_set(row->host, sizeof row->host, "%s", name.nodename);
        (void)assay_text_set(row->kernel_release, sizeof row->kernel_release, "%s", name.release);
    }
    read_proc("/proc/cpuinfo", "model name", row->cpu_model, sizeof row->cpu_model);
    row->n_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    fill_build(row);
    (void)assay_text_set(row->sqlite, sizeof row->sqlite, "%s", sqlite_version);
    assay_environment_fill_host(row);
    forget_device(&row->device);
out:
    return st;
}
