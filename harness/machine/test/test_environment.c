/* What a run records of its host and its command; memory limits; the lock of a GPU. */
#include "base/lock.h"
#include "base/uuid.h"
#include "machine/environment.h"
#include "testing/testing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    NOBODY = 65534
};
static const char *const lock_file   = "/tmp/assay-timing-TEST_uuid.lock";
static const char *const held_folder = "/tmp/assay-timing-TEST_held";

static void words_are_quoted_for_a_shell(void **state)
{
    char line[256] = "";

    (void)state;
    assay_environment_quote("assay", line, sizeof line);
    assay_environment_quote("--axis", line, sizeof line);
    assay_environment_quote("n=1,2", line, sizeof line);
    assay_environment_quote("it's", line, sizeof line);
    assay_environment_quote("", line, sizeof line);
    assert_string_equal(line, "assay --axis n=1,2 'it'\\''s' ''");
}

static void a_long_command_is_cut(void **state)
{
    char line[16] = "";

    (void)state;
    for (int i = 0; i < 10; i++)
        assay_environment_quote("abcdef", line, sizeof line);
    assert_string_equal(line, "abcdef abcdef a");
}

static void uuids_differ_and_say_their_version(void **state)
{
    char a[40], b[40];

    (void)state;
    assert_int_equal(assay_uuid_make(a, sizeof a), ASSAY_OK);
    assert_int_equal(assay_uuid_make(b, sizeof b), ASSAY_OK);
    assert_string_not_equal(a, b);
    assert_int_equal(strlen(a), 36);
    assert_int_equal(a[14], '4');
}

static void a_row_knows_its_binary(void **state)
{
    char         *argv[] = { (char[]) { "assay" }, (char[]) { "check" } };
    assay_run_row row    = { .seed = 1 };

    (void)state;
    assert_int_equal(assay_environment_fill(2, argv, "3.1", &row), ASSAY_OK);
    assert_string_equal(row.command, "assay check");
    assert_true(strlen(row.binary_id) >= 16);
    assert_int_equal(strspn(row.binary_id, "0123456789abcdef"), strlen(row.binary_id));
    assert_true(row.n_cpus >= 1);
    assert_true(strlen(row.host) > 0);
    assert_true(strlen(row.compiler) > 0);
}

/* A child holds the lock until it is killed. The parent gets the lock then and not before: by
 * then the killer has written its byte. */
static void a_lock_goes_with_its_process(void **state)
{
    int           ready[2], fd = -1;
    char          byte;
    struct pollfd said;

    (void)state;
    assert_int_equal(pipe(ready), 0);
    said              = (struct pollfd) { .fd = ready[0], .events = POLLIN };
    const pid_t child = fork();

    if (child == 0) {
        if (assay_lock_take("TEST/uuid", &fd) == ASSAY_OK && write(ready[1], "x", 1) == 1)
            for (;;)
                (void)pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    const pid_t killer = fork();

    if (killer == 0) {
        (void)usleep(200000); /* usually long enough for the parent to wait for the lock */
        _exit(write(ready[1], "x", 1) == 1 ? kill(child, SIGKILL) : 1);
    }
    assert_int_equal(assay_lock_take("TEST/uuid", &fd), ASSAY_OK);
    assert_int_equal(poll(&said, 1, 0), 1); /* it was held until the end */
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(waitpid(killer, &status, 0), killer);
    assert_int_equal(status, 0);
    assay_lock_release("TEST/uuid", fd);
    assay_lock_release("TEST/uuid", -1);
    assert_int_not_equal(access(lock_file, F_OK), 0); /* nothing is left behind */
    for (int i = 0; i < 2; i++)
        (void)close(ready[i]);
}

static int set_up_lock(void **state)
{
    (void)state;
    assay_status_reset();
    return unlink(lock_file) == 0 || access(lock_file, F_OK) != 0 ? 0 : -1;
}

static int remove_lock(void **state)
{
    (void)state;
    return unlink(lock_file) == 0 || errno == ENOENT ? 0 : -1;
}

static void a_lock_file_is_for_every_user(void **state)
{
    const mode_t mask = umask(077);
    struct stat  facts;
    int          fd = -1;

    (void)state;
    assert_int_equal(assay_lock_take("TEST/uuid", &fd), ASSAY_OK);
    (void)umask(mask);
    assert_int_equal(fstat(fd, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0666);
    assay_lock_release("TEST/uuid", fd);
}

/* Another user's file that may only be read: a child without privileges still gets the lock, and
 * keeps it from others. */
static void a_lock_file_that_may_only_be_read_locks(void **state)
{
    int status = 0, fd = open(lock_file, O_WRONLY | O_CREAT | O_EXCL, 0444);

    (void)state;
    assert_true(fd >= 0);
    (void)close(fd);
    const pid_t child = fork();

    if (child == 0) {
        if (getuid() == 0 && setuid(NOBODY) != 0)
            _exit(2);
        if (assay_lock_take("TEST/uuid", &fd) != ASSAY_OK)
            _exit(3);
        _exit(system("flock -n /tmp/assay-timing-TEST_uuid.lock true") == 0 ? 4 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Processes take turns with the lock, and each removes the file: two never hold it at once. */
static void a_lock_is_held_by_one_at_a_time(void **state)
{
    enum {
        N       = 4,
        N_TURNS = 50
    };
    int   fd = -1;
    pid_t pids[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        pids[i] = fork();
        for (int turn = 0; pids[i] == 0 && turn < N_TURNS; turn++) {
            if (assay_lock_take("TEST/uuid", &fd) != ASSAY_OK || mkdir(held_folder, 0700) != 0 ||
                rmdir(held_folder) != 0)
                _exit(1);
            assay_lock_release("TEST/uuid", fd);
        }
        if (pids[i] == 0)
            _exit(0);
    }
    for (int i = 0; i < N; i++) {
        int status = 0;

        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    assert_int_not_equal(access(lock_file, F_OK), 0);
}

/* A killed run leaves its lock file. The next run that takes a lock removes it, but not the lock
 * file of a live run. */
static void what_a_killed_run_left_is_removed(void **state)
{
    static const char left[] = "/tmp/assay-run-TEST-killed.lock";
    int               fd = -1, other = -1, status = 0;
    char              holder[32];
    const pid_t       child = fork();

    (void)state;
    if (child == 0) {
        (void)assay_lock_try("TEST-killed", &fd, holder, sizeof holder);
        (void)kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(access(left, F_OK), 0);
    assert_int_equal(assay_lock_try("TEST-lives", &fd, holder, sizeof holder), ASSAY_OK);
    assert_true(fd >= 0);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(assay_lock_try("TEST-other", &other, holder, sizeof holder), ASSAY_OK);
    assert_int_equal(access("/tmp/assay-run-TEST-lives.lock", F_OK), 0);
    assay_lock_drop("TEST-other", other);
    assay_lock_drop("TEST-lives", fd);
    assert_int_not_equal(access("/tmp/assay-run-TEST-lives.lock", F_OK), 0);
}

static void a_link_in_place_of_a_lock_file_is_not_followed(void **state)
{
    char      target[] = "/tmp/assay-test-XXXXXX", text[16] = "";
    const int target_fd = mkstemp(target);
    int       fd        = -1;

    (void)state;
    assert_true(target_fd >= 0);
    assert_int_equal(write(target_fd, "precious", 8), 8);
    assert_int_equal(symlink(target, lock_file), 0);
    assert_int_equal(assay_lock_take("TEST/uuid", &fd), ASSAY_E_IO);
    assert_int_equal(fd, -1);
    assert_non_null(strstr(assay_status_message(), "symbolic link"));
    assert_int_equal(pread(target_fd, text, sizeof text - 1, 0), 8);
    assert_string_equal(text, "precious");
    (void)close(target_fd);
    (void)unlink(target);
    /* The target is gone, and is not created through the link either. */
    assay_status_reset();
    assert_int_equal(assay_lock_take("TEST/uuid", &fd), ASSAY_E_IO);
    assert_int_not_equal(access(target, F_OK), 0);
}

static void a_pipe_in_place_of_a_lock_file_is_refused(void **state)
{
    int fd = -1;

    (void)state;
    assert_int_equal(mkfifo(lock_file, 0666), 0);
    assert_int_equal(assay_lock_take("TEST/uuid", &fd), ASSAY_E_IO);
    assert_int_equal(fd, -1);
    assert_non_null(strstr(assay_status_message(), "no regular file"));
}

/* ---- memory limits of control groups ---- */

/* A folder with the files that the kernel would show. */
static int make_groups(void **state)
{
    static char root[32];

    (void)snprintf(root, sizeof root, "/tmp/assay-groups-XXXXXX");
    *state = mkdtemp(root);
    return *state && chdir(root) == 0 && mkdir("a", 0777) == 0 && mkdir("a/b", 0777) == 0 &&
                   mkdir("memory", 0777) == 0 && mkdir("memory/a", 0777) == 0
               ? 0
               : -1;
}

static int remove_groups(void **state)
{
    char command[64];

    (void)snprintf(command, sizeof command, "rm -r '%s'", (const char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void the_tightest_limit_counts(void **state)
{
    const char *root = *state;

    put("groups", "1:name=systemd:/a/b\n0::/a/b\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 0); /* no limit anywhere */
    put("a/b/memory.max", "max\n");
    put("a/b/memory.current", "100\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 0);
    put("a/memory.max", "5000\n");
    put("a/memory.current", "2000\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 3000);
    put("a/memory.stat", "anon 1\nfile 1000\ninactive_file 800\nactive_file 200\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 3800);
    put("a/b/memory.max", "600\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 500);
    put("a/b/memory.current", "700\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 1); /* 0 left, not unknown */
}

/* In a container the group's folder is missing, but the root belongs to the container. */
static void limits_of_version_1_and_of_a_container_count(void **state)
{
    const char *root = *state;

    put("groups", "5:cpu,cpuacct:/a\n4:memory:/a/hidden\n0::/hidden\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/memory.usage_in_bytes", "1000\n");
    assert_true(assay_environment_group_bytes("groups", root) > INT64_MAX / 2);
    put("memory/a/memory.limit_in_bytes", "4000\n");
    put("memory/a/memory.usage_in_bytes", "1500\n");
    put("memory/a/memory.stat", "inactive_file 7\ntotal_inactive_file 500\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 3000);
    put("memory.max", "2500\n");
    put("memory.current", "500\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 2000);
}

static void unreadable_limits_are_no_limits(void **state)
{
    const char *root = *state;

    assert_int_equal(assay_environment_group_bytes("absent", root), 0);
    put("groups", "\nnonsense\n0:\n::\n0::\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 0);
    put("groups", "0::/a\n");
    put("a/memory.max", "");
    assert_int_equal(assay_environment_group_bytes("groups", root), 0);
    put("a/memory.max", "plenty\n");
    assert_int_equal(assay_environment_group_bytes("groups", root), 0);
    assert_int_equal(assay_environment_group_bytes("groups", "/nowhere"), 0);
}

/* Never more than the kernel's own estimate, whatever the limit is. */
static void free_bytes_are_known_and_below_the_total(void **state)
{
    const int64_t total = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    const int64_t free  = assay_environment_free_bytes();

    (void)state;
    assert_true(free > 0);
    assert_true(free <= total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_quoted_for_a_shell),
        cmocka_unit_test(a_long_command_is_cut),
        cmocka_unit_test(uuids_differ_and_say_their_version),
        cmocka_unit_test(a_row_knows_its_binary),
        cmocka_unit_test(a_lock_goes_with_its_process),
        cmocka_unit_test_setup_teardown(a_lock_file_is_for_every_user, set_up_lock, remove_lock),
        cmocka_unit_test_setup_teardown(a_lock_is_held_by_one_at_a_time, set_up_lock, remove_lock),
        cmocka_unit_test(what_a_killed_run_left_is_removed),
        cmocka_unit_test_setup_teardown(a_lock_file_that_may_only_be_read_locks, set_up_lock,
                                        remove_lock),
        cmocka_unit_test_setup_teardown(a_link_in_place_of_a_lock_file_is_not_followed, set_up_lock,
                                        remove_lock),
        cmocka_unit_test_setup_teardown(a_pipe_in_place_of_a_lock_file_is_refused, set_up_lock,
                                        remove_lock),
        cmocka_unit_test_setup_teardown(the_tightest_limit_counts, make_groups, remove_groups),
        cmocka_unit_test_setup_teardown(limits_of_version_1_and_of_a_container_count, make_groups,
                                        remove_groups),
        cmocka_unit_test_setup_teardown(unreadable_limits_are_no_limits, make_groups,
                                        remove_groups),
        cmocka_unit_test(free_bytes_are_known_and_below_the_total),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
