/* Plans, groups and command lines of a user's own program, and what is left when its run is
 * interrupted. */
#include "program_fixture.h"

/* ---- invalid plans and groups ---- */

static void test_groups(void **state)
{
    fixture *f         = *state;
    bool     is_wanted = false;
    int      status    = ASSAY_EXIT_PASS;

    open_program();
    assert_fails(assay_program_take(program, 3, 2, &is_wanted), ASSAY_E_USAGE,
                 "not all of the plan");
    assert_fails(assay_program_finish(program), ASSAY_E_USAGE, "no group was taken");
    take(0, 2);
    assert_fails(assay_program_take(program, 2, 2, &is_wanted), ASSAY_E_USAGE, "are not finished");
    put_check(0, 0, 0);
    assert_fails(assay_program_finish(program), ASSAY_E_USAGE,
                 "own_sums/fast/n=10/kind=even/grid=2x3x4 was neither checked nor skipped");
    assert_ok(assay_program_close(program, &status));
    program = NULL;
    assert_int_equal(status, ASSAY_EXIT_USAGE); /* four points without a verdict */
    expect(f, "SELECT count(*) FROM verdict", 0);
    expect(f, "SELECT count(*) FROM run_end", 0);
}

static void refuse(fixture *f, const char *part)
{
    const assay_program_start start = a_start();

    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE, part);
    assert_null(program);
    assert_int_equal(access(f->path, F_OK), -1); /* not even a file exists */
}

static void test_refuses_plans(void **state)
{
    fixture            *f     = *state;
    assay_program_start start = a_start();

    points[1].n_axes = ASSAY_MAX_AXES + 1;
    refuse(f, "has 9 axes: at most 8");
    points[1].n_axes       = 3;
    points[1].axis[1].word = "a/b";
    refuse(f, "axis 1 of point 1");
    points[1].axis[1].word = "even";
    points[2].cells        = 0;
    refuse(f, "works on 0 cells");
    points[2].cells   = 1;
    points[3].variant = "";
    refuse(f, "point 3 of the plan: its case, variant");
    points[3].variant      = "fast";
    points[0].case_version = 0;
    refuse(f, "neither what it is nor its version");
    points[0].case_version = 1;
    start.name             = "a program";
    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE, "the name of a program");
    start.name = "prog";
    start.n    = 0;
    assert_fails(assay_program_open(&start, &program), ASSAY_E_NOTHING, "plans no point");
    start.n         = N;
    device_is_there = false;
    assert_fails(assay_program_open(&start, &program), ASSAY_E_DEVICE, "it was taken out");
}

static void test_point_twice(void **state)
{
    points[3] = points[1];
    refuse(*state, "own_sums/fast/n=10/kind=even/grid=2x3x4 is planned twice");
}

static void test_unknown_database(void **state)
{
    const assay_program_start start = a_start();

    (void)state;
    words.database = "/no/such/folder/x.db";
    assert_fails(assay_program_open(&start, &program), ASSAY_E_DATABASE, "/no/such/folder/x.db");
    assert_null(program);
}

/* ---- a run that is interrupted ---- */

static void test_resumes(void **state)
{
    const assay_program_start start     = a_start();
    fixture                  *f         = *state;
    bool                      is_wanted = true;
    int                       status    = ASSAY_EXIT_PASS;

    open_program();
    do_group(0);
    take(2, 2);
    put_check(2, 0, 0);
    assert_ok(assay_program_close(program, &status)); /* the second group is not finished */
    program = NULL;
    assert_int_equal(status, ASSAY_EXIT_USAGE);
    expect(f, "SELECT count(*) FROM verdicts WHERE outcome = 'ready'", 2);
    expect(f, "SELECT count(*) FROM measurement", 2);

    words.resumes              = true;
    points[3].axis[0].value[0] = 21;
    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE,
                 "was begun with other points");
    points[3].axis[0].value[0] = 20;
    points[3].seed++; /* other inputs under the same key */
    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE,
                 "was begun with other points");
    points[3].seed--;
    points[2].cells++;
    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE,
                 "was begun with other points");
    points[2].cells--;
    open_program();
    assert_ok(assay_program_take(program, 0, 2, &is_wanted));
    assert_false(is_wanted); /* it is already stored */
    do_group(2);
    assert_int_equal(close_program(), ASSAY_EXIT_PASS);
    expect(f, "SELECT count(*) FROM run", 1);
    expect(f, "SELECT count(*) FROM run_end WHERE exit_status = 0", 1);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'PASS'", N);
    expect_sound(f);
    assert_fails(assay_program_open(&start, &program), ASSAY_E_NOTHING, "holds no run of prog");
}

/* ---- the command line ---- */

static assay_status take_words(int n, const char *const *from, int *left, char **argv)
{
    static char text[16][32];

    for (int i = 0; i < n; i++) {
        (void)snprintf(text[i], sizeof text[i], "%s", from[i]);
        argv[i] = text[i];
    }
    *left = n;
    return assay_program_take_words(left, argv, &words);
}

static void test_words(void **state)
{
    const char *const all[] = { "prog",  "sizes",    "--db",        "x.db", "--mesh",
                                "m.obj", "--resume", "--processes", "5",    "9" };
    char             *argv[16];
    int               left;

    (void)state;
    assert_ok(take_words(10, all, &left, argv));
    assert_int_equal(left, 5);
    assert_string_equal(argv[1], "sizes");
    assert_string_equal(argv[2], "--mesh");
    assert_string_equal(argv[4], "9");
    assert_string_equal(words.database, "x.db");
    assert_true(words.resumes && words.n_processes == 5 && words.n == 0 && words.argc == 10);
    assert_ok(take_words(2, all, &left, argv));
    assert_true(!words.database && words.n_processes == 3 && left == 2);
    assert_fails(take_words(3, all, &left, argv), ASSAY_E_USAGE, "--db takes a file");
    assert_fails(take_words(3, (const char *const[]) { "p", "--processes", "0" }, &left, argv),
                 ASSAY_E_USAGE, "not '0'");
    assert_fails(take_words(3, (const char *const[]) { "p", "--processes", "3x" }, &left, argv),
                 ASSAY_E_USAGE, "not '3x'");
    assert_fails(take_words(3, (const char *const[]) { "p", "--only", "3:" }, &left, argv),
                 ASSAY_E_USAGE, "FIRST:N");
    assert_fails(take_words(2, (const char *const[]) { "p", "--resume" }, &left, argv),
                 ASSAY_E_USAGE, "name it with --db");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = { TEST(test_groups),      TEST(test_refuses_plans),
                                        TEST(test_point_twice), TEST(test_unknown_database),
                                        TEST(test_resumes),     TEST(test_words) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
