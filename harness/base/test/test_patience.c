/* How long a silent process is waited for: first on scripted readings, then on real processes. */
#include "base/clock.h"
#include "base/patience.h"
#include "testing/testing.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a scripted process ---- */

typedef struct script {
    assay_patience patience;
    assay_look     look;
    double         elapsed_s;
} script;

static script begin(double limit_s)
{
    script s;

    memset(&s, 0, sizeof s);
    assay_patience_begin(&s.patience, 1, limit_s);
    s.look.n              = 2;
    s.look.rows[0].thread = 10;
    s.look.rows[0].cpu_s  = 500; /* used before the silence began */
    s.look.rows[1].thread = 11;
    s.look.can_run        = true;
    return s;
}

/* Is the wait over, wall_s seconds later? */
static bool is_over(script *s, double wall_s)
{
    s->elapsed_s += wall_s;
    return assay_patience_judge(&s->patience, &s->look, s->elapsed_s);
}

static void assert_words(const script *s, const char *words)
{
    char text[80];

    assert_string_equal(assay_patience_text(&s->patience, text, sizeof text), words);
}

static void a_loop_is_found_by_its_cpu_time(void **state)
{
    script s = begin(3);

    (void)state;
    assert_false(is_over(&s, 0.25));
    s.look.rows[0].cpu_s += 2.9;
    assert_false(is_over(&s, 2.9));
    s.look.rows[0].cpu_s += 0.1;
    assert_true(is_over(&s, 0.1));
    assert_words(&s, "within 3 s of CPU time");
}

/* The process wants a CPU and gets none, or next to none. */
static void who_starves_is_not_charged(void **state)
{
    script s = begin(3);

    (void)state;
    for (int i = 0; i < 10000; i++) {
        s.look.rows[0].cpu_s += 0.0002;
        assert_false(is_over(&s, 10));
    }
    s.look.rows[0].cpu_s += 1.5;
    assert_true(is_over(&s, 10));
}

/* Four threads share one core and do the work of one: each is charged for its own part only. */
static void threads_are_not_added_up(void **state)
{
    script s = begin(3);

    (void)state;
    s.look.n = 4;
    for (int i = 2; i < 4; i++)
        s.look.rows[i].thread = 10 + i;
    assert_false(is_over(&s, 0.25));
    for (int i = 0; i < 4; i++)
        s.look.rows[i].cpu_s += 2.5;
    assert_false(is_over(&s, 10));
    s.look.rows[3].cpu_s += 0.5;
    assert_true(is_over(&s, 0.5));
}

static void threads_that_come_and_go(void **state)
{
    script s = begin(3);

    (void)state;
    assert_false(is_over(&s, 0.25));
    /* The old thread has ended; the CPU time that it used before the silence does not count. */
    s.look.rows[0] = s.look.rows[1];
    s.look.n       = 1;
    s.look.rest_s  = 501;
    assert_false(is_over(&s, 10));
    /* A new thread with the same number begins. */
    s.look.rows[1].thread = 10;
    s.look.rows[1].cpu_s  = 2;
    s.look.n              = 2;
    assert_false(is_over(&s, 10));
    /* Many short threads: none has used much, but all together have. */
    s.look.rest_s = 503.5;
    assert_true(is_over(&s, 10));
}

/* Threads that have ended ran side by side: no more is counted than the time that has passed. */
static void no_more_than_time_has_passed(void **state)
{
    script s = begin(3);

    (void)state;
    assert_false(is_over(&s, 0.25));
    s.look.rest_s += 100;
    assert_false(is_over(&s, 1));
    assert_true(is_over(&s, 2));
}

static void who_sleeps_is_found_later(void **state)
{
    script s = begin(3);
    int    n = 0;

    (void)state;
    s.look.can_run = false;
    while (!is_over(&s, ASSAY_LOOK_S))
        assert_true(++n < 1000);
    assert_int_equal(n, (int)((3 + ASSAY_SLEEP_GRACE_S) / ASSAY_LOOK_S));
    assert_words(&s, "in 33 s in which none of its threads could run");
}

/* A listener that gets no CPU comes late. Its reading counts as one, however long it took. */
static void late_looks_are_single_looks(void **state)
{
    script s = begin(3);

    (void)state;
    s.look.can_run = false;
    for (int i = 0; i < 50; i++)
        assert_false(is_over(&s, 60));
}

static void who_works_now_and_then_does_not_sleep(void **state)
{
    script s = begin(3);

    (void)state;
    s.look.can_run = false;
    for (int i = 0; i < 290; i++) {
        s.look.rows[1].cpu_s += 0.01;
        assert_false(is_over(&s, ASSAY_LOOK_S));
    }
}

static void what_cannot_be_seen_is_left_to_the_clock(void **state)
{
    script s = begin(3);

    (void)state;
    assert_false(assay_patience_judge(&s.patience, NULL, 2.9));
    assert_true(assay_patience_judge(&s.patience, NULL, 3));
    assert_words(&s, "within 3 s");
}

/* ---- real processes ---- */

static void the_clock_on_the_wall(void **state)
{
    assay_patience p;

    (void)state;
    assay_patience_begin(&p, 0, 1000);
    assert_true(assay_patience_wait_s(&p) > 0);
    assert_false(assay_patience_is_over(&p));
    p.began_s -= 1000;
    assert_true(assay_patience_wait_s(&p) == 0);
    assert_true(assay_patience_is_over(&p));
}

static volatile unsigned work;

static double used_s(const assay_look *look)
{
    double most_s = look->rest_s;

    for (int i = 0; i < look->n; i++)
        most_s = look->rows[i].cpu_s > most_s ? look->rows[i].cpu_s : most_s;
    return most_s;
}

/* Forks a process that starts another one, which `does` something. */
static pid_t start(void (*does)(void))
{
    const pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    (void)setpgid(0, 0);
    if (fork() == 0)
        does();
    for (;;)
        (void)pause();
}

static void loops(void)
{
    for (;;)
        work++;
}
static void sleeps(void)
{
    for (;;)
        (void)pause();
}

static void end(pid_t pid)
{
    (void)kill(-pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_descendant_that_loops(void **state)
{
    const pid_t pid = start(loops);
    assay_look  look;

    (void)state;
    do
        assert_true(assay_process_look(pid, &look));
    while (used_s(&look) < 0.05);
    assert_true(look.can_run);
    assert_int_equal(look.n, 2);
    end(pid);
    assert_false(assay_process_look(pid, &look));
}

static void both_sleep(void **state)
{
    const pid_t pid = start(sleeps);
    assay_look  look;

    (void)state;
    do
        assert_true(assay_process_look(pid, &look));
    while (look.n < 2 || look.can_run);
    assert_true(used_s(&look) < 1);
    end(pid);
}

static void ended_children_are_in_the_rest(void **state)
{
    assay_look  look;
    const pid_t pid = fork();

    (void)state;
    assert_true(pid >= 0);
    if (pid == 0) {
        const double began_s = assay_clock_s();

        while (assay_clock_s() - began_s < 0.2)
            work++;
        _exit(0);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(assay_process_look(getpid(), &look));
    assert_true(look.rest_s > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_found_by_its_cpu_time),
        cmocka_unit_test(who_starves_is_not_charged),
        cmocka_unit_test(threads_are_not_added_up),
        cmocka_unit_test(threads_that_come_and_go),
        cmocka_unit_test(no_more_than_time_has_passed),
        cmocka_unit_test(who_sleeps_is_found_later),
        cmocka_unit_test(late_looks_are_single_looks),
        cmocka_unit_test(who_works_now_and_then_does_not_sleep),
        cmocka_unit_test(what_cannot_be_seen_is_left_to_the_clock),
        cmocka_unit_test(the_clock_on_the_wall),
        cmocka_unit_test(a_descendant_that_loops),
        cmocka_unit_test(both_sleep),
        cmocka_unit_test(ended_children_are_in_the_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
