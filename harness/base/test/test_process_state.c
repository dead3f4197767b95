/* A change in a process is named; what is unchanged is not. */
#include "base/process_state.h"
#include "testing/testing.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool is_over;

static void *spin(void *unused)
{
    while (!atomic_load(&is_over))
        continue;
    return unused;
}

static void *wait_for_end(void *unused)
{
    while (!atomic_load(&is_over))
        (void)usleep(20000);
    return unused;
}

/* ---- functions that change something, and undo it on request ---- */

static pthread_t thread;
static pid_t     child;
static int       kept_fd;

static void start(void *(*run)(void *), bool undo)
{
    atomic_store(&is_over, undo);
    if (undo)
        assert_int_equal(pthread_join(thread, NULL), 0);
    else
        assert_int_equal(pthread_create(&thread, NULL, run, NULL), 0);
}

static void busy_thread(bool undo) { start(spin, undo); }
static void idle_thread(bool undo) { start(wait_for_end, undo); }
static void nothing(bool undo) { (void)undo; }

static void folder(bool undo)
{
    static char was[4096];

    if (!undo)
        assert_non_null(getcwd(was, sizeof was));
    assert_int_equal(chdir(undo ? was : "/"), 0);
}

static void variable(bool undo)
{
    assert_int_equal(undo ? unsetenv("ASSAY_TEST_NEW") : setenv("ASSAY_TEST_NEW", "1", 1), 0);
}

static void handler(bool undo)
{
    assert_true(signal(SIGUSR1, undo ? SIG_DFL : SIG_IGN) != SIG_ERR);
}

static void blocked(bool undo)
{
    sigset_t set;

    assert_int_equal(sigemptyset(&set), 0);
    assert_int_equal(sigaddset(&set, SIGUSR2), 0);
    assert_int_equal(pthread_sigmask(undo ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL), 0);
}

static void alarm_clock(bool undo)
{
    const struct itimerval value = { .it_value = { .tv_sec = undo ? 0 : 1000 } };

    assert_int_equal(setitimer(ITIMER_REAL, &value, NULL), 0);
}

static void file_mask(bool undo)
{
    static mode_t was;

    if (undo)
        (void)umask(was);
    else
        was = umask(0777);
}

static void output(bool undo)
{
    if (undo) {
        assert_true(dup2(kept_fd, STDOUT_FILENO) >= 0);
        assert_int_equal(close(kept_fd), 0);
        return;
    }
    const int nowhere = open("/dev/null", O_WRONLY);

    kept_fd = dup(STDOUT_FILENO);
    assert_true(kept_fd >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    assert_int_equal(close(nowhere), 0);
}

static void processors(bool undo)
{
    static cpu_set_t was;
    cpu_set_t        one;

    if (undo) {
        assert_int_equal(sched_setaffinity(0, sizeof was, &was), 0);
        return;
    }
    assert_int_equal(sched_getaffinity(0, sizeof was, &was), 0);
    CPU_ZERO(&one);
    for (size_t k = CPU_SETSIZE; k-- > 0 && CPU_COUNT(&one) == 0;)
        if (CPU_ISSET(k, &was))
            CPU_SET(k, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static void left_process(bool undo)
{
    if (undo) {
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        return;
    }
    child = fork();
    if (child == 0) {
        (void)sleep(600);
        _exit(0);
    }
    assert_true(child > 0);
}

static bool is_changed(void (*change)(bool undo), bool has_threads, char *text, size_t size)
{
    assay_process_state *before  = NULL;
    bool                 is_same = false;

    text[0] = '\0';
    assert_int_equal(ASSAY_OK, assay_process_state_take(&before));
    change(false);
    assert_int_equal(ASSAY_OK,
                     assay_process_state_compare(before, has_threads, &is_same, text, size));
    change(true);
    assay_process_state_free(before);
    return !is_same;
}

static void what_is_changed_is_named(void **state)
{
    static const struct {
        void (*change)(bool undo);
        const char *what;
    } changes[] = {
        { folder, "the working directory is /, and was" },
        { variable, "the environment variable ASSAY_TEST_NEW was changed" },
        { handler, "the handler of signal 10" },
        { blocked, "the blocking of signal 12" },
        { alarm_clock, "an alarm" },
        { file_mask, "umask" },
        { output, "standard output" },
        { left_process, "a process that it started" },
        { busy_thread, "a thread that it started is still running" },
    };
    char text[512];

    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        assert_true(is_changed(changes[i].change, false, text, sizeof text));
        assert_non_null(strstr(text, changes[i].what));
    }
    assert_false(is_changed(nothing, false, text, sizeof text));
}

static void cpus_are_named_where_there_are_two(void **state)
{
    char text[512];

    (void)state;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        skip();
    assert_true(is_changed(processors, false, text, sizeof text));
    assert_non_null(strstr(text, "the CPUs"));
}

/* Idle threads slow nobody down, and threads that may run are not examined. */
static void threads_that_wait_or_may_run_are_no_change(void **state)
{
    char text[512];

    (void)state;
    assert_false(is_changed(idle_thread, false, text, sizeof text));
    assert_false(is_changed(busy_thread, true, text, sizeof text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_changed_is_named),
        cmocka_unit_test(cpus_are_named_where_there_are_two),
        cmocka_unit_test(threads_that_wait_or_may_run_are_no_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
