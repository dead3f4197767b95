/* The line of progress: what it says, when, and how it fits a terminal, by a clock of its own. */
#include "supervise/progress.h"
#include "testing/testing.h"
#include "testing/toy_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REWRITTEN "\r\033[K"

static double         now_s;
static char          *text; /* all that was said */
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

/* Since it was asked last, exactly this has been said. */
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

/* The same point five times a second, another one twenty times. */
static void a_terminal_has_one_line(void **state)
{
    (void)state;
    begin(80, 0, NULL);
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s: toy_double/plain/n=1/flavour=plain");
    now_s += 0.1;
    assay_progress_show(&p, &points[0]);
    says("");
    assay_progress_show(&p, &points[1]);
    says(REWRITTEN "0 of 3 points, 0 s: toy_double/plain/n=2/flavour=plain");
    now_s += 0.04;
    assay_progress_show(&p, &points[2]);
    says("");
    now_s += 2.96;
    assay_progress_done(&p, 0, 2);
    assay_progress_show(&p, &points[1]);
    says(REWRITTEN "2 of 3 points, 3 s: toy_double/plain/n=2/flavour=plain");
    assay_progress_clear(&p); /* for something else; then it comes back */
    assay_progress_clear(&p);
    says(REWRITTEN);
    assay_progress_show(&p, &points[1]);
    says(REWRITTEN "2 of 3 points, 3 s: toy_double/plain/n=2/flavour=plain");
    end();
}

/* Nothing within the first ten seconds: short runs say nothing. */
static void elsewhere_a_line_now_and_then(void **state)
{
    (void)state;
    begin(0, 0, NULL);
    for (int i = 0; i < 100; i++, now_s += 0.1)
        assay_progress_show(&p, &points[i % 3]);
    says("");
    for (int i = 0; i < 200; i++, now_s += 0.1)
        assay_progress_show(&p, &points[2]);
    assay_progress_clear(&p);
    says("assay: 0 of 3 points, 10 s: toy_double/plain/n=3/flavour=plain\n"
         "assay: 0 of 3 points, 20 s: toy_double/plain/n=3/flavour=plain\n");
    end();
}

static void the_time_left_is_known(void **state)
{
    const double wall_s[] = { 10, 30, 50 };

    (void)state;
    begin(80, 0, wall_s);
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s, about 90 s left: toy_double/plain/n=1/flavour=plain");
    now_s += 20; /* twice as long as it took */
    assay_progress_done(&p, 0, 1);
    now_s += 5;
    assay_progress_show(&p, &points[1]);
    says(REWRITTEN "1 of 3 points, 25 s, about 75 s left: toy_double/plain/n=2/flavour=plain");
    now_s += 100;
    assay_progress_show(&p, &points[1]);
    says(REWRITTEN "1 of 3 points, 2 min, about 0 s left: toy_double/plain/n=2/flavour=plain");
    end();
}

/* Until what is not known is done, nothing is said of it. */
static void nothing_is_guessed(void **state)
{
    const double wall_s[] = { NAN, 8000, 8000 };

    (void)state;
    begin(80, 0, wall_s);
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s: toy_double/plain/n=1/flavour=plain");
    assay_progress_done(&p, 0, 1);
    now_s += 0.1;
    assay_progress_show(&p, &points[1]);
    says(REWRITTEN "1 of 3 points, 0 s, about 4.4 h left: toy_double/plain/n=2/flavour=plain");
    end();
}

static void a_budget_is_a_limit(void **state)
{
    const double wall_s[] = { 10, 10, 10 };

    (void)state;
    begin(80, 300, NULL);
    now_s += 150;
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 2 min, at most 2 min left: toy_double/plain/n=1/flavour=plain");
    end();
    begin(80, 300, wall_s); /* what is known to be less is said */
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s, about 30 s left: toy_double/plain/n=1/flavour=plain");
    end();
    begin(80, 5, wall_s);
    now_s += 20;
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 20 s, at most 0 s left: toy_double/plain/n=1/flavour=plain");
    end();
}

/* The last column stays free: terminals differ in what a character there does. */
static void a_long_key_ends_in_dots(void **state)
{
    (void)state;
    begin(40, 0, NULL);
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s: toy_double/plain...");
    assert_int_equal(strlen("0 of 3 points, 0 s: toy_double/plain..."), 39);
    end();
    begin(54, 0, NULL);
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s: toy_double/plain/n=1/flavour=p...");
    end();
    begin(55, 0, NULL);
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s: toy_double/plain/n=1/flavour=plain");
    end();
    begin(20, 0, NULL);
    assay_progress_show(&p, &points[0]);
    says(REWRITTEN "0 of 3 points, 0 s: ");
    end();
}

static void quiet_says_nothing(void **state)
{
    assay_progress none = { .clock_s = read_clock, .n = 3 };

    (void)state;
    assert_int_equal(assay_progress_begin(&none), ASSAY_OK);
    assay_progress_show(&none, &points[0]);
    assay_progress_done(&none, 0, 1);
    assay_progress_end(&none);
    assay_progress_show(NULL, NULL);
    assay_progress_done(NULL, 0, 1);
    assay_progress_clear(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_has_one_line), cmocka_unit_test(elsewhere_a_line_now_and_then),
        cmocka_unit_test(the_time_left_is_known),  cmocka_unit_test(nothing_is_guessed),
        cmocka_unit_test(a_budget_is_a_limit),     cmocka_unit_test(a_long_key_ends_in_dots),
        cmocka_unit_test(quiet_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
