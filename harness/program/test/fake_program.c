/* A user's own program with made-up times, for the tests of processes and of the command line.
 *
 *   fake_program [--db FILE [--resume] [--processes N]] WAY [FACTOR]
 *
 * Two groups of two variants, which take FACTOR times one and two milliseconds. WAY: right; wrong
 * (the second point); stops (dies after the first group); other_wrong, other_dies, other_silent and
 * other_waits concern a process that was started for one part; with other_waits it writes its
 * number to other.pid and never ends. The program has a second thread, like programs on a GPU. */
#include "exit_status.h"
#include "program.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    GROUPS   = 2,
    VARIANTS = 2,
    SAMPLES  = 20
};

/* ---- a device ---- */

static int count(char *why, size_t size)
{
    (void)why, (void)size;
    return 1;
}

static assay_status open_device(int index, assay_device **device, assay_device_info *info)
{
    (void)index;
    *device = NULL;
    *info   = (assay_device_info) { .kind = "host", .name = "a CPU" };
    return ASSAY_OK;
}

static void        close_device(assay_device *device) { (void)device; }
static const char *message(void) { return "never"; }

static const assay_device_api fake_device = {
    .kind = "host", .count = count, .open = open_device, .close = close_device, .message = message
};

/* ---- points ---- */

static const char *const names[VARIANTS] = { "plain", "wide" };

static void plan(assay_program_point points[GROUPS * VARIANTS])
{
    for (int i = 0; i < GROUPS * VARIANTS; i++)
        points[i] = (assay_program_point) {
            .case_name    = "fake_sums",
            .case_what    = "nothing at all, in a time that is made up",
            .case_version = 1,
            .variant      = names[i % VARIANTS],
            .baseline     = i % VARIANTS ? names[0] : NULL,
            .axis         = { { .name = "n", .value = { 1000 * (1 + i / VARIANTS) } } },
            .n_axes       = 1,
            .seed         = 7,
            .cells        = 1000,
            .is_timed     = true,
            .is_cpu       = true,
        };
}

static assay_status put_point(assay_program *program, int64_t point, double factor, bool is_right)
{
    const assay_program_check check = {
        .output = "sum", .why = "made up", .error = is_right ? 0.5 : 3, .bound = 1
    };
    double                    time_ns[SAMPLES];
    const assay_program_times times = {
        .clock = ASSAY_PROGRAM_WALL, .time_ns = time_ns, .n = SAMPLES, .n_blocks = 4, .calls = 1
    };
    assay_status st = ASSAY_OK;

    for (int i = 0; i < SAMPLES; i++)
        time_ns[i] = 1e6 * factor * (double)(1 + point % VARIANTS) * (1 + 1e-4 * (i % 5));
    ASSAY_CHECK(assay_program_put_check(program, point, &check));
    if (is_right) {
        ASSAY_CHECK(assay_program_put_times(program, point, &times));
        ASSAY_CHECK(assay_program_put_fact(program, point, "answer", 42));
    }
out:
    return st;
}

/* ---- the program ---- */

static void *wait_for_ever(void *unused)
{
    (void)unused;
    for (;;)
        (void)poll(NULL, 0, -1);
    return NULL;
}

static void say_number_and_wait(void)
{
    FILE *file = fopen("other.pid", "w");

    if (file && fprintf(file, "%ld\n", (long)getpid()) > 0 && fclose(file) == 0)
        (void)wait_for_ever(NULL);
    abort();
}

static assay_status run(assay_program *program, const assay_program_words *words, const char *way,
                        double factor)
{
    const bool   is_other = words->n > 0;
    const bool   is_wrong = strcmp(way, is_other ? "other_wrong" : "wrong") == 0;
    bool         is_wanted;
    assay_status st = ASSAY_OK;

    if (is_other && strcmp(way, "other_dies") == 0)
        abort();
    if (is_other && strcmp(way, "other_silent") == 0)
        exit(EXIT_SUCCESS);
    if (is_other && strcmp(way, "other_waits") == 0)
        say_number_and_wait();
    for (int g = 0; g < GROUPS; g++) {
        if (g == 1 && !is_other && strcmp(way, "stops") == 0)
            _exit(9);
        ASSAY_CHECK(assay_program_take(program, g * VARIANTS, VARIANTS, &is_wanted));
        if (!is_wanted)
            continue;
        for (int v = 0; v < VARIANTS; v++)
            ASSAY_CHECK(
                put_point(program, g * VARIANTS + v, factor, !(is_wrong && g == 0 && v == 1)));
        ASSAY_CHECK(assay_program_finish(program));
    }
out:
    return st;
}

int main(int argc, char **argv)
{
    assay_program_point       points[GROUPS * VARIANTS];
    assay_program_words       words   = { .database = NULL };
    assay_program            *program = NULL;
    const assay_program_start start   = { "fake_program", &words, &fake_device, points,
                                          GROUPS * VARIANTS };
    int                       status  = ASSAY_EXIT_PASS;
    pthread_t                 thread;
    assay_status              st = ASSAY_OK;

    plan(points);
    ASSAY_REQUIRE(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0, ASSAY_E_MEMORY,
                  "no thread");
    (void)pthread_detach(thread);
    ASSAY_CHECK(assay_program_take_words(&argc, argv, &words));
    ASSAY_REQUIRE(argc == 2 || argc == 3, ASSAY_E_USAGE,
                  "usage: fake_program " ASSAY_PROGRAM_USAGE " WAY [FACTOR]");
    ASSAY_CHECK(assay_program_open(&start, &program));
    ASSAY_CHECK(run(program, &words, argv[1], argc > 2 ? atof(argv[2]) : 1));
out:
    if (st != ASSAY_OK) {
        (void)fprintf(stderr, "fake_program: %s\n", assay_status_message());
        status = ASSAY_EXIT_USAGE;
    }
    (void)assay_program_close(program, &status);
    return status;
}
