/* One file through assay-cc, in a process group of its own with a limit on its CPU time. */
#include "survey_internal.h"

#include "base/clock.h"
#include "base/patience.h"
#include "base/stream.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_SAID  = 1 << 16, /* bytes that are read of a compiler's messages: the first error */
    STEP_US    = 10000,   /* from one question whether it is done to the next */
    MOST_WORDS = 24,      /* of a command, beside those that a person gave */
    PATH_SIZE  = PATH_MAX + 64
};

/* What a build has for a file of kernels, but for what makes code fast or checks it. */
static const char *const fixed_options[] = {
    "-w",
    "-std=gnu++17",
    "-O0",
    "-fPIC",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-strict-aliasing",
    "-fmax-errors=3", /* the first may follow from the second */
    "-DASSAY_HOST_KERNELS",
    "-Dmain=assay_main", /* a `main` in a file of kernels does no harm */
};

/* ---- the command ---- */

typedef struct command {
    const char **word;
    int          n;
    char         source[PATH_SIZE], object[PATH_SIZE], own[PATH_SIZE], host[PATH_SIZE];
} command;

static void put(command *c, const char *word) { c->word[c->n++] = word; }

static void put_each(command *c, const char *option, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) {
        put(c, option);
        put(c, words[i]);
    }
}

/* No path may look like an option or like a file of options. */
static void write_source(const char *path, char *to, size_t size)
{
    const bool is_odd = path[0] == '-' || path[0] == '@';

    (void)assay_text_set(to, size, "%s%s", is_odd ? "./" : "", path);
}

static assay_status make_command(const assay_survey_options *o, const assay_survey_tools *tools,
                                 size_t number, const char *path, command *c)
{
    assay_status st        = ASSAY_OK;
    const int    n         = MOST_WORDS + 2 * (o->n_includes + o->n_defines);
    const char  *folders[] = { c->own, c->host };

    c->word = calloc((size_t)n, sizeof *c->word);
    ASSAY_REQUIRE(c->word, ASSAY_E_MEMORY, "no memory for a command of %d words", n);
    (void)assay_text_set(c->own, sizeof c->own, "%s", tools->headers);
    (void)assay_text_set(c->host, sizeof c->host, "%s/host/cuda", tools->headers);
    (void)assay_text_set(c->object, sizeof c->object, "%s/%zu.o", tools->folder, number);
    write_source(path, c->source, sizeof c->source);
    put(c, tools->cc);
    put(c, o->cxx);
    for (size_t i = 0; i < sizeof fixed_options / sizeof fixed_options[0]; i++)
        put(c, fixed_options[i]);
    put_each(c, "-D", o->defines, o->n_defines);
    put_each(c, "-I", o->includes, o->n_includes);
    put_each(c, "-I", folders, 2);
    put(c, "-c");
    put(c, c->source);
    put(c, "-o");
    put(c, c->object);
out:
    return st;
}

/* ---- the process ---- */

/* In the child, between fork and exec: only async-signal-safe calls. What it writes to the terminal
 * goes to the file. */
static void become(char *const *words, int output, int nothing)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || setpgid(0, 0) != 0 ||
        dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0)
        _exit(127);
    (void)execv(words[0], words);
    _exit(127);
}

static assay_status start(char *const *words, int output, pid_t *pid)
{
    assay_status st      = ASSAY_OK;
    const int    nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    ASSAY_REQUIRE(nothing >= 0, ASSAY_E_IO, "cannot open /dev/null: %s", strerror(errno));
    *pid = fork();
    ASSAY_REQUIRE(*pid >= 0, ASSAY_E_IO, "cannot start %s: %s", words[0], strerror(errno));
    if (*pid == 0)
        become(words, output, nothing);
    (void)setpgid(*pid, *pid); /* whoever of the two comes first */
out:
    if (nothing >= 0)
        (void)close(nothing);
    return st;
}

static bool has_ended(pid_t pid)
{
    siginfo_t about = { .si_pid = 0 };

    return waitid(P_PID, (id_t)pid, &about, WEXITED | WNOWAIT | WNOHANG) != 0 ||
           about.si_pid == pid;
}

/* Its state; *is_late: it was killed, for its time was over, or everybody's. */
static int await(pid_t pid, double limit_s, bool *is_late)
{
    assay_patience patience;
    double         next_s; /* when to look at it again */
    int            state = 0;

    assay_patience_begin(&patience, pid, limit_s);
    next_s = assay_clock_s() + assay_patience_wait_s(&patience);
    while (!has_ended(pid) && !*is_late) {
        (void)usleep(STEP_US);
        *is_late = assay_survey_is_over();
        if (assay_clock_s() < next_s)
            continue;
        *is_late |= assay_patience_is_over(&patience);
        next_s += assay_patience_wait_s(&patience);
    }
    (void)kill(-pid, SIGKILL); /* what it started; nobody else gets its id before it is reaped */
    (void)kill(pid, SIGKILL);
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR)
        continue;
    return state;
}

static assay_status run(const command *c, const char *log, double limit_s, bool *is_good,
                        bool *is_late)
{
    assay_status st     = ASSAY_OK;
    const int    output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    pid_t        pid    = -1;
    int          state;

    ASSAY_REQUIRE(output >= 0, ASSAY_E_IO, "cannot write %s: %s", log, strerror(errno));
    ASSAY_CHECK(start((char *const *)(uintptr_t)c->word, output, &pid));
    state    = await(pid, limit_s, is_late);
    *is_good = !*is_late && WIFEXITED(state) && WEXITSTATUS(state) == 0;
out:
    if (output >= 0)
        (void)close(output);
    return st;
}

/* ---- what it has left ---- */

/* At most `most` bytes, ended by a zero. */
static assay_status read_file(const char *path, size_t most, char **text, size_t *size)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = fopen(path, "re");
    struct stat  about;

    ASSAY_REQUIRE(file && fstat(fileno(file), &about) == 0, ASSAY_E_IO, "cannot read %s: %s", path,
                  strerror(errno));
    *size = (size_t)about.st_size < most ? (size_t)about.st_size : most;
    *text = calloc(*size + 1, 1);
    ASSAY_REQUIRE(*text, ASSAY_E_MEMORY, "no memory for a text of %zu bytes", *size);
    *size = fread(*text, 1, *size, file);
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_IO, "cannot read %s", path);
out:
    if (file)
        (void)fclose(file);
    return st;
}

static assay_status read_translation(const char *path, assay_survey_file *file)
{
    assay_status st   = ASSAY_OK;
    char        *text = NULL;
    size_t       size = 0, n = 0;
    FILE        *list = assay_stream_open(&file->unknown, &n);

    ASSAY_REQUIRE(list, ASSAY_E_MEMORY, "no memory for a list of instructions");
    ASSAY_CHECK(read_file(path, SIZE_MAX, &text, &size));
    file->reason    = (assay_survey_reason) { .kind = ASSAY_SURVEY_TAKEN };
    file->n_kernels = assay_survey_count_kernels(text, size);
    assay_survey_list_unknown(text, size, list);
out:
    if (list && fclose(list) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a list of instructions");
    free(text);
    return st;
}

static assay_status read_messages(const char *path, assay_survey_file *file)
{
    assay_status st   = ASSAY_OK;
    char        *text = NULL;
    size_t       size = 0;

    ASSAY_CHECK(read_file(path, MOST_SAID, &text, &size));
    assay_survey_classify(text, size, &file->reason);
out:
    free(text);
    return st;
}

static void call_late(double limit_s, assay_survey_reason *reason)
{
    *reason = (assay_survey_reason) { .kind = ASSAY_SURVEY_LIMIT };
    (void)assay_text_set(reason->sentence, sizeof reason->sentence,
                         "ended after %g s of CPU time; --limit gives more", limit_s);
}

assay_status assay_survey_compile(const assay_survey_options *options,
                                  const assay_survey_tools *tools, size_t number,
                                  assay_survey_file *file)
{
    assay_status st      = ASSAY_OK;
    command      c       = { .n = 0 };
    bool         is_good = false, is_late = false;
    char         log[PATH_SIZE], translation[PATH_SIZE];

    (void)assay_text_set(log, sizeof log, "%s/%zu.log", tools->folder, number);
    (void)assay_text_set(translation, sizeof translation, "%s/%zu.o.ii", tools->folder, number);
    ASSAY_CHECK(make_command(options, tools, number, file->path, &c));
    ASSAY_CHECK(run(&c, log, options->limit_s, &is_good, &is_late));
    if (is_late)
        call_late(options->limit_s, &file->reason);
    else
        ASSAY_CHECK(is_good ? read_translation(translation, file) : read_messages(log, file));
out:
    (void)unlink(log); /* each may be missing; the folder is removed with all that is in it */
    (void)unlink(translation);
    if (c.object[0])
        (void)unlink(c.object);
    free(c.word);
    return st;
}
