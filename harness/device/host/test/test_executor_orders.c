/* Orders of memory. Under ThreadSanitizer each pattern that orders a reader after a writer is
 * silent, and each other one is a race, whatever the order of threads. In other builds all of them
 * run to their end. Each runs in a process of its own. */
#include "executor_test.h"

#include <sys/wait.h>
#include <unistd.h>

#ifdef TEST_TSAN
enum {
    IS_TSAN = 1
};
#else
enum {
    IS_TSAN = 0
};
#endif

typedef enum finding {
    ORDERED,
    RACE,
    NOTED /* ordered, with a note; a race if the memory model is strict */
} finding;

/* X(pattern, what it is, what is read) */
#define PATTERNS(X)                                                                                \
    X(relaxed, RACE, 5)                                                                            \
    X(release_acquire, ORDERED, 5)                                                                 \
    X(release_relaxed, RACE, 5)                                                                    \
    X(relaxed_acquire, RACE, 5)                                                                    \
    X(fences, ORDERED, 5)                                                                          \
    X(fence_of_writer, RACE, 5)                                                                    \
    X(fence_of_reader, RACE, 5)                                                                    \
    X(fence_acquire, ORDERED, 5)                                                                   \
    X(release_fence, ORDERED, 5)                                                                   \
    X(fence_too_late, RACE, 5)                                                                     \
    X(fence_then_update, RACE, 5)                                                                  \
    X(fence_around_update, ORDERED, 5)                                                             \
    X(written_after_fence, RACE, 5)                                                                \
    X(written_after_release, RACE, 5)                                                              \
    X(another_word, RACE, 5)                                                                       \
    X(same_word_again, ORDERED, 5)                                                                 \
    X(scoped_fences, ORDERED, 5)                                                                   \
    X(acquire_fence_of_writer, RACE, 5)                                                            \
    X(release_fence_of_reader, RACE, 5)                                                            \
    X(fences_of_block, RACE, 5)                                                                    \
    X(fence_of_block_of_reader, RACE, 5)                                                           \
    X(release_of_block, RACE, 5)                                                                   \
    X(acquire_of_block, RACE, 5)                                                                   \
    X(fences_of_system, ORDERED, 5)                                                                \
    X(by_volatile, ORDERED, 5)                                                                     \
    X(by_volatile_bare, RACE, 5)                                                                   \
    X(failed_exchange, RACE, 5)                                                                    \
    X(by_ptx, ORDERED, 5)                                                                          \
    X(by_ptx_fence_of_block, RACE, 5)                                                              \
    X(near_relaxed, RACE, 5)                                                                       \
    X(near_fences, ORDERED, 5)                                                                     \
    X(near_scoped, ORDERED, 5)                                                                     \
    X(handed_on, ORDERED, 5)                                                                       \
    X(handed_on_relaxed, RACE, 5)                                                                  \
    X(updated, ORDERED, 5)                                                                         \
    X(overwritten, RACE, 5)                                                                        \
    X(last_fenced, ORDERED, 6)                                                                     \
    X(last_behind, NOTED, 6)                                                                       \
    X(last_unfenced, RACE, 6)                                                                      \
    X(last_no_barrier, RACE, 6)                                                                    \
    X(last_warp, NOTED, 3)                                                                         \
    X(looked_behind, RACE, 5)

assay_launch_fn executor_by_turns, executor_never_told;
extern double   assay_worker_spin_cpu_s;

#define X(name, what, value) assay_launch_fn executor_order_##name;
PATTERNS(X)
#undef X

static const struct pattern {
    const char      *name;
    assay_launch_fn *launch;
    finding          what;
    unsigned         value;
} patterns[] = {
#define X(name, what, value) { #name, executor_order_##name, what, value },
    PATTERNS(X)
#undef X
};

enum {
    N_PATTERNS  = (int)(sizeof patterns / sizeof patterns[0]),
    N_OUT       = 8,
    READ        = 2,
    REPORT_SIZE = 1 << 18
};

/* The child process runs some launches, each in another order, and prints what each says. */
static void run_child(const struct pattern *p, int output)
{
    unsigned out[N_OUT];

    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0 || setup(NULL) != 0)
        _exit(99);
    for (int i = 0; i < N_SCHEDULES; i++) {
        assay_fault fault;

        api->schedule(device, &schedules[i]);
        fault = run_for_fault(p->launch, NULL, 0, out, sizeof out, NULL);
        if (fault.kind != ASSAY_FAULT_NONE || out[READ] != p->value) {
            (void)fprintf(stderr, "schedule %d: %u, %s\n", i, out[READ], fault.text);
            _exit(98);
        }
        if (fault.text[0])
            (void)fprintf(stderr, "note: %s\n", fault.text);
    }
    (void)teardown(NULL);
    exit(0);
}

static int run_apart(const struct pattern *p, char *report)
{
    int   ends[2], status = 0;
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_child(p, ends[1]);
    (void)close(ends[1]);
    read_all(ends[0], report, REPORT_SIZE);
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static bool is_as_wanted(const struct pattern *p, bool is_strict)
{
    static char report[REPORT_SIZE];
    const int   status   = run_apart(p, report);
    const bool  is_race  = IS_TSAN && (p->what == RACE || (p->what == NOTED && is_strict));
    const bool  has_race = strstr(report, "ThreadSanitizer: data race") != NULL;
    const bool  is_noted = IS_TSAN && p->what == NOTED && !is_strict;
    const bool  has_note = strstr(report, "last block behind a barrier") != NULL;

    if (has_race == is_race && has_note == is_noted && (has_race || status == 0))
        return true;
    print_error("%s: %s, %s, status %x: %.1500s\n", p->name, has_race ? "a race" : "no race",
                has_note ? "noted" : "not noted", (unsigned)status, report);
    return false;
}

static void test_patterns(void **state)
{
    int n_wrong = 0;

    (void)state;
    assert_int_equal(unsetenv("ASSAY_STRICT_MEMORY_MODEL"), 0);
    for (int i = 0; i < N_PATTERNS; i++)
        n_wrong += !is_as_wanted(&patterns[i], false);
    assert_int_equal(n_wrong, 0);
}

/* In this mode no barrier replaces a fence. */
static void test_strict(void **state)
{
    int n_wrong = 0;

    (void)state;
    assert_int_equal(setenv("ASSAY_STRICT_MEMORY_MODEL", "1", 1), 0);
    for (int i = 0; i < N_PATTERNS; i++)
        if (patterns[i].what == NOTED || i % 8 == 1)
            n_wrong += !is_as_wanted(&patterns[i], true);
    assert_int_equal(n_wrong, 0);
}

/* It may take long, but it is no deadlock: each wait ends. */
static void test_waits_end(void **state)
{
    const int64_t n = IS_TSAN ? 20000 : 3000000;
    unsigned      out[1];

    (void)state;
    assay_worker_spin_cpu_s = 0.001;
    for (int i = 0; i < N_SCHEDULES; i++) {
        const int64_t n_hops = i == 0 ? n : 1000;

        api->schedule(device, &schedules[i]);
        run_param(executor_by_turns, NULL, 0, out, sizeof out, &n_hops);
        assert_int_equal(out[0], n_hops);
    }
}

static void test_wait_in_vain(void **state)
{
    unsigned out[2];
    char     place[64];

    (void)state;
    assay_worker_spin_cpu_s = 0.05;
    for (int i = 0; i < N_SCHEDULES; i += N_SCHEDULES - 1) {
        assay_fault fault;

        api->schedule(device, &schedules[i]);
        fault = run_for_fault(executor_never_told, NULL, 0, out, sizeof out, NULL);
        (void)snprintf(place, sizeof place, "polling at executor_orders_kernels.cu:%u", out[1]);
        assert_int_equal(fault.kind, ASSAY_FAULT_DEADLOCK);
        if (!strstr(fault.text, place))
            fail_msg("\"%s\" does not say \"%s\"", fault.text, place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_strict),
        cmocka_unit_test_setup_teardown(test_waits_end, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wait_in_vain, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
