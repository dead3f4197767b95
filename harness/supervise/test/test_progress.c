/* The line of progress: its text, when it is written, and how it fits a terminal. The clock is
 * made up. */
#include "base/say.h"
#include "supervise/supervise_internal.h"
#include "testing/testing.h"
#include "testing/toy_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REWRITTEN "\r\033[K"

static double         now_s;
static char          *text; /* everything that was written */
static size_t         size, heard;
static assay_progress p;
static assay_point    points[3];

static double read_clock(void) { return now_s; }

static void begin(int width, double budget_s, const double *wall_s)
{
    now_s = 1000;
    heard = 0;
    p     = (assay_progress) { .out      = open_memstream(&text, &size),
                               .width    = width,
                               .clock_s  = read_clock,
                               .n        = 3,
                               .budget_s = budget_s,
                               .wall_s   = wall_s };
    assert_non_null(p.out);
    assert_int_equal(assay_progress_begin(&p), ASSAY_OK);
    for (int i = 0; i < 3; i++) {
        char key[64];

        (void)snprintf(key, sizeof key, "toy_double/plain/n=%d/flavour=plain", i + 1);
        assert_int_equal(assay_point_parse(toy_cases, key, &points[i]), ASSAY_OK);
    }
}

/* Asserts on exactly what was written since the last call. */
static void says(const char *words)
{
    assert_int_equal(fflush(p.out), 0);
    assert_string_equal(text + heard, words);
    heard = size;
}

static void end(void)
{
    assay_progress_end(&p);
    assert_int_equal(fclose(p.out), 0);
    free(text);
}

/* The same point is shown five times within a second, another one twenty times. */
static void a_terminal_has_one_line(void **state)
{
    (void)state;
    begin(80, 0, NULL);
    assay_progress_show(&p, 0, &points[0], "check");
    says(REWRITTEN "0 of 3 points, 0 s: check: toy_double/plain/n=1/flavour=plain");
    now_s += 0.1;
    assay_progress_show(&p, 0, &points[0], "check");
    says("");
    assay_progress_show(&p, 0, &points[1], "check");
    says(REWRITTEN "0 of 3 points, 0 s: check: toy_double/plain/n=2/flavour=plain");
    now_s += 0.04;
    assay_progress_show(&p, 0, &points[2], "check");
    says("");
    now_s += 2.96;
    assay_progress_done(&p, 0, 2);
    assay_progress_show(&p, 0, &points[1], "check");
    says(REWRITTEN "2 of 3 points, 3 s: check: toy_double/plain/n=2/flavour=plain");
    assay_progress_clear(&p); /* something else is to be written; then the line comes back */
    assay_progress_clear(&p);
    says(REWRITTEN);
    assay_progress_show(&p, 0, &points[1], "check");
    says(REWRITTEN "2 of 3 points, 3 s: check: toy_double/plain/n=2/flavour=plain");
    end();
}

/* Nothing is written within the first ten seconds, so short runs write nothing. */
static void elsewhere_a_line_now_and_then(void **state)
{
    (void)state;
    begin(0, 0, NULL);
    for (int i = 0; i < 100; i++, now_s += 0.1)
        assay_progress_show(&p, 0, &points[i % 3], "check");
    says("");
    for (int i = 0; i < 200; i++, now_s += 0.1)
        assay_progress_show(&p, 0, &points[2], "check");
    assay_progress_clear(&p);
    says("assay: 0 of 3 points, 10 s: check: toy_double/plain/n=3/flavour=plain\n"
         "assay: 0 of 3 points, 20 s: check: toy_double/plain/n=3/flavour=plain\n");
    end();
}

static void the_time_left_is_known(void **state)
{
    const double wall_s[] = { 10, 30, 50 };

    (void)state;
    begin(80, 0, wall_s);
    assay_progress_show(&p, 0, &points[0], "check");
    says(REWRITTEN
         "0 of 3 points, 0 s, about 90 s left: check: toy_double/plain/n=1/flavour=plain");
    now_s += 20; /* twice the time that was known */
    assay_progress_done(&p, 0, 1);
    now_s += 5;
    assay_progress_show(&p, 0, &points[1], "check");
    says(REWRITTEN
         "1 of 3 points, 25 s, about 75 s left: check: toy_double/plain/n=2/flavour=plain");
    now_s += 100;
    assay_progress_show(&p, 0, &points[1], "check");
    says(REWRITTEN
         "1 of 3 points, 2 min, about 0 s left: check: toy_double/plain/n=2/flavour=plain");
    end();
}

/* As long as a point with an unknown time is left, no remaining time is shown. */
static void nothing_is_guessed(void **state)
{
    const double wall_s[] = { NAN, 8000, 8000 };

    (void)state;
    begin(80, 0, wall_s);
    assay_progress_show(&p, 0, &points[0], "check");
    says(REWRITTEN "0 of 3 points, 0 s: check: toy_double/plain/n=1/flavour=plain");
    assay_progress_done(&p, 0, 1);
    now_s += 0.1;
    assay_progress_show(&p, 0, &points[1], "check");
    says(REWRITTEN
         "1 of 3 points, 0 s, about 4.4 h left: check: toy_double/plain/n=2/flavour=plain");
    end();
}

static void a_budget_is_a_limit(void **state)
{
    const double wall_s[] = { 10, 10, 10 };

    (void)state;
    begin(100, 300, NULL);
    now_s += 150;
    assay_progress_show(&p, 0, &points[0], "check");
    says(REWRITTEN
         "0 of 3 points, 2 min, at most 2 min left: check: toy_double/plain/n=1/flavour=plain");
    end();
    begin(80, 300, wall_s); /* the known time is shown if it is less than the budget */
    assay_progress_show(&p, 0, &points[0], "check");
    says(REWRITTEN
         "0 of 3 points, 0 s, about 30 s left: check: toy_double/plain/n=1/flavour=plain");
    end();
    begin(100, 5, wall_s);
    now_s += 20;
    assay_progress_show(&p, 0, &points[0], "check");
    says(REWRITTEN
         "0 of 3 points, 20 s, at most 0 s left: check: toy_double/plain/n=1/flavour=plain");
    end();
}

/* While time passes, the line shows the point that has run longest, or nothing if none runs. */
static void time_goes_on(void **state)
{
    (void)state;
    begin(80, 0, NULL);
    assay_progress_show(&p, 0, &points[0], "reference");
    says(REWRITTEN "0 of 3 points, 0 s: reference: toy_double/plain/n=1/flavour=plain");
    now_s += 0.1;
    assay_progress_tick(&p);
    says("");
    now_s += 1;
    assay_progress_show(&p, 1, &points[1], "check");
    says(REWRITTEN "0 of 3 points, 1 s: check: toy_double/plain/n=2/flavour=plain");
    now_s += 80;
    assay_progress_tick(&p);
    says(REWRITTEN "0 of 3 points, 81 s: reference: toy_double/plain/n=1/flavour=plain");
    assay_progress_rest(&p, 0);
    now_s += 1;
    assay_progress_tick(&p);
    says(REWRITTEN "0 of 3 points, 82 s: check: toy_double/plain/n=2/flavour=plain");
    assay_progress_rest(&p, 1);
    assay_progress_clear(&p);
    now_s += 1;
    assay_progress_tick(&p);
    says(REWRITTEN);
    assay_progress_show(&p, ASSAY_PROGRESS_SEATS - 1, NULL, "ceilings");
    says(REWRITTEN "0 of 3 points, 83 s: ceilings");
    end();
    begin(0, 0, NULL);
    assay_progress_show(&p, 0, &points[0], "reference");
    now_s += 9;
    assay_progress_tick(&p);
    says("");
    now_s += 1;
    assay_progress_tick(&p);
    now_s += 1;
    assay_progress_tick(&p);
    says("assay: 0 of 3 points, 10 s: reference: toy_double/plain/n=1/flavour=plain\n");
    end();
}

/* What a worker reports: its stage, its process and the number of processes. */
static void a_supervisor_says_what_it_waits_for(void **state)
{
    entry      e     = { .point = &points[0] };
    entry     *asked = &e;
    supervisor s     = { .progress = &p, .asked = &asked, .n_asked = 1, .process = 1 };

    (void)state;
    begin(100, 0, NULL);
    assert_int_equal(assay_supervise_take_note(&s, 0, "reference", 1), ASSAY_OK);
    says(REWRITTEN "0 of 3 points, 0 s: reference: toy_double/plain/n=1/flavour=plain");
    s.n_processes = 5;
    now_s += 1;
    assert_int_equal(assay_supervise_take_note(&s, 0, "timing", 1), ASSAY_OK);
    says(REWRITTEN
         "0 of 3 points, 1 s: timing, process 2 of 5: toy_double/plain/n=1/flavour=plain");
    s.n_processes = s.n_asked = 0; /* not at a point */
    now_s += 1;
    assert_int_equal(assay_supervise_take_note(&s, 0, "copy", 1), ASSAY_OK);
    says(REWRITTEN "0 of 3 points, 2 s: ceilings");
    end();
}

static void read_line(int fd, char *line, size_t room)
{
    size_t n = 0;

    while (n + 1 < room && read(fd, line + n, 1) == 1 && line[n] != '\n')
        n++;
    line[n] = '\0';
}

static double read_quick_clock(void)
{
    static _Atomic int n_readings;

    return 1000 + 10.0 * n_readings++;
}

/* A thread writes the line while the program waits. The last line comes from that thread. */
static void a_thread_says_it(void **state)
{
    char line[200];
    int  ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    p = (assay_progress) {
        .out = fdopen(ends[1], "w"), .clock_s = read_quick_clock, .n = 3, .tick_s = 0.001
    };
    assert_non_null(p.out);
    assert_int_equal(assay_point_parse(toy_cases, "toy_double/plain/n=1/flavour=plain", &points[0]),
                     ASSAY_OK);
    assert_int_equal(assay_progress_begin(&p), ASSAY_OK);
    assay_progress_show(&p, 0, &points[0], "reference"); /* ten seconds later the line is due */
    for (int i = 0; i < 3; i++) {
        read_line(ends[0], line, sizeof line);
        assert_non_null(strstr(line, " s: reference: toy_double/plain/n=1/flavour=plain"));
    }
    assay_progress_end(&p);
    assert_int_equal(fclose(p.out), 0);
    assert_int_equal(close(ends[0]), 0);
}

/* A message of another module: the line is cleared, and the message follows. */
static void what_is_said_takes_the_line_away(void **state)
{
    (void)state;
    begin(80, 0, NULL);
    assay_progress_show(&p, 0, &points[0], "check");
    says(REWRITTEN "0 of 3 points, 0 s: check: toy_double/plain/n=1/flavour=plain");
    assay_say("this test says a line\n");
    says(REWRITTEN);
    end();
    assay_say("and a line to nobody\n");
}

/* A worker's text may hold anything. */
static void stages_are_made_safe(void **state)
{
    char long_one[300];

    (void)state;
    begin(80, 0, NULL);
    assay_progress_show(&p, 0, NULL, "a\033[2Jb\nc\td");
    says(REWRITTEN "0 of 3 points, 0 s: a?[2Jb c d");
    end();
    (void)memset(long_one, 'x', sizeof long_one);
    long_one[sizeof long_one - 1] = '\0';
    begin(80, 0, NULL);
    assay_progress_show(&p, 0, &points[0], long_one);
    assert_int_equal(fflush(p.out), 0);
    assert_int_equal(size, strlen(REWRITTEN) + 79);
    end();
}

/* The last column stays empty, since terminals treat a character there differently. */
static void a_long_key_loses_its_middle(void **state)
{
    static const struct {
        int         width;
        const char *line;
    } lines[] = {
        { 62, "0 of 3 points, 0 s: check: toy_double/plain/n=1/flavour=plain" },
        { 61, "0 of 3 points, 0 s: check: toy_double/plai...1/flavour=plain" },
        { 40, "0 of 3 points, 0 s: check: toy_d...lain" },
        { 37, "0 of 3 points, 0 s: check: toy...ain" },
        { 36, "0 of 3 points, 0 s: check" },
        { 20, "0 of 3 points, 0 s:" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char expected[100];

        begin(lines[i].width, 0, NULL);
        assay_progress_show(&p, 0, &points[0], "check");
        (void)snprintf(expected, sizeof expected, REWRITTEN "%s", lines[i].line);
        says(expected);
        assert_true((int)strlen(lines[i].line) < lines[i].width);
        end();
    }
}

static void quiet_says_nothing(void **state)
{
    assay_progress none = { .clock_s = read_clock, .n = 3 };

    (void)state;
    assert_int_equal(assay_progress_begin(&none), ASSAY_OK);
    assay_progress_show(&none, 0, &points[0], "check");
    assay_progress_done(&none, 0, 1);
    assay_progress_end(&none);
    assay_progress_show(NULL, 0, NULL, "check");
    assay_progress_done(NULL, 0, 1);
    assay_progress_clear(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_has_one_line),
        cmocka_unit_test(elsewhere_a_line_now_and_then),
        cmocka_unit_test(the_time_left_is_known),
        cmocka_unit_test(nothing_is_guessed),
        cmocka_unit_test(a_budget_is_a_limit),
        cmocka_unit_test(time_goes_on),
        cmocka_unit_test(a_supervisor_says_what_it_waits_for),
        cmocka_unit_test(a_thread_says_it),
        cmocka_unit_test(what_is_said_takes_the_line_away),
        cmocka_unit_test(stages_are_made_safe),
        cmocka_unit_test(a_long_key_loses_its_middle),
        cmocka_unit_test(quiet_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
