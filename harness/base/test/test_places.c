/* Folders of the program and of the loader, in the order of the search. */
#include "base/places.h"
#include "testing/testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An installation whose place the loader was given: its lib/assay, and the folders beside it. */
static char              root[]    = "/tmp/assay_places_XXXXXX";
static const char *const folders[] = { "lib",   "lib/assay",   "lib/assay/peers",
                                       "share", "share/assay", "share/assay/peers" };
static const char *const files[]   = { "lib/assay/test_places_module.so", "lib/assay/test_places",
                                       "lib/assay/peers/test_places_near.py",
                                       "share/assay/peers/test_places_far.py" };

enum {
    N_FOLDERS = sizeof folders / sizeof folders[0],
    N_FILES   = sizeof files / sizeof files[0]
};

static const char *below_root(const char *name)
{
    static char path[256];

    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(root))
        return -1;
    for (int i = 0; i < N_FOLDERS; i++)
        if (mkdir(below_root(folders[i]), 0700) != 0)
            return -1;
    for (int i = 0; i < N_FILES; i++) {
        const int fd = open(below_root(files[i]), O_CREAT | O_WRONLY, 0600);

        if (fd < 0 || close(fd) != 0)
            return -1;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < N_FILES; i++)
        (void)unlink(below_root(files[i]));
    for (int i = N_FOLDERS - 1; i >= 0; i--)
        (void)rmdir(below_root(folders[i]));
    return rmdir(root);
}

/* What a process finds if its loader was given the installation; "" for nothing. */
static void find_installed(assay_file_kind kind, const char *name, char *found, size_t size)
{
    char  self[1024], command[2048];
    FILE *answer = NULL;

    assert_true(readlink("/proc/self/exe", memset(self, 0, sizeof self), sizeof self - 1) > 0);
    (void)snprintf(command, sizeof command, "LD_LIBRARY_PATH=%s '%s' %d %s",
                   below_root("lib/assay"), self, (int)kind, name);
    answer = popen(command, "r");
    assert_non_null(answer);
    memset(found, 0, size);
    (void)fread(found, 1, size - 1, answer);
    assert_int_equal(pclose(answer), 0);
}

static void assert_installed(assay_file_kind kind, const char *name, const char *end)
{
    char found[1024], path[1024];

    find_installed(kind, name, found, sizeof found);
    if (!strstr(found, end) || strncmp(found, root, strlen(root)) != 0)
        fail_msg("%s is found as \"%s\", not as %s/...%s", name, found, root, end);
    /* This process's loader was not given the installation. */
    assert_false(assay_places_find(kind, name, path, sizeof path));
}

static void the_loaders_folders_are_searched(void **state)
{
    (void)state;
    assert_installed(ASSAY_FILE_CUPTI, "test_places_module.so", "lib/assay/test_places_module");
    assert_installed(ASSAY_FILE_PEERS, "test_places_near.py", "assay/peers/test_places_near.py");
    assert_installed(ASSAY_FILE_PEERS, "test_places_far.py", "share/assay/peers/test_places_far");
}

/* Each kind of file is looked for in its own folders only. */
static void a_script_is_no_module(void **state)
{
    char found[1024];

    (void)state;
    find_installed(ASSAY_FILE_CUPTI, "test_places_near.py", found, sizeof found);
    assert_string_equal(found, "");
    find_installed(ASSAY_FILE_PEERS, "test_places_module.so", found, sizeof found);
    assert_string_equal(found, "");
}

/* A module of that name in a folder of the loader belongs to another program. */
static void kernels_are_the_programs_own(void **state)
{
    char found[1024];

    (void)state;
    find_installed(ASSAY_FILE_KERNELS, "test_places_module.so", found, sizeof found);
    assert_string_equal(found, "");
    find_installed(ASSAY_FILE_KERNELS, "test_places", found, sizeof found);
    assert_true(strlen(found) > 0);
}

/* This program has the same name as a file of the installation. */
static void what_lies_beside_the_program_comes_first(void **state)
{
    char self[1024], found[1024];

    (void)state;
    find_installed(ASSAY_FILE_CUPTI, "test_places", found, sizeof found);
    assert_true(readlink("/proc/self/exe", memset(self, 0, sizeof self), sizeof self - 1) > 0);
    assert_string_equal(found, self);
}

static void the_program_has_a_folder_and_a_name(void **state)
{
    char        folder[1024], path[2048];
    const char *name = assay_places_program(folder, sizeof folder);

    (void)state;
    assert_string_equal(name, "test_places");
    assert_true(assay_places_find(ASSAY_FILE_CUPTI, name, path, sizeof path));
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
}

static void what_does_not_fit_is_not_found(void **state)
{
    char path[8], folder[2];

    (void)state;
    assert_false(assay_places_find(ASSAY_FILE_CUPTI, "test_places", path, sizeof path));
    assert_null(assay_places_program(folder, sizeof folder));
    assert_false(assay_places_find(ASSAY_FILE_PEERS, "no_such_script.py", path, sizeof path));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loaders_folders_are_searched),
        cmocka_unit_test(a_script_is_no_module),
        cmocka_unit_test(kernels_are_the_programs_own),
        cmocka_unit_test(what_lies_beside_the_program_comes_first),
        cmocka_unit_test(the_program_has_a_folder_and_a_name),
        cmocka_unit_test(what_does_not_fit_is_not_found),
    };
    char path[1024];

    if (argc < 3)
        return cmocka_run_group_tests(tests, set_up, tear_down);
    if (assay_places_find((assay_file_kind)atoi(argv[1]), argv[2], path, sizeof path))
        (void)printf("%s", path);
    return 0;
}
