/* Starts, ends and examines worker processes. */
#include "child.h"

#include "child_command.h"

#include "base/entropy.h"
#include "base/sanitizer.h"
#include "base/say.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const double OPEN_LIMIT_S = 120; /* creating a CUDA context can take long on a busy host */

/* A tool that watches every instruction makes work slower, by an unknown factor. */
static const double TOOL_PATIENCE = 10;

/* A worker fills gigabytes of host memory for each point. In pages of 4 KiB the page faults alone
 * take as long as the checks. A setting of the user is kept. */
static char LARGE_PAGES[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";

/* Threads of OpenMP that spin while they wait for work slow down all other work on the host. */
static char WAITING_THREADS[] = "OMP_WAIT_POLICY=passive";

/* Runs in the child, between fork and exec: only async-signal-safe calls. The child gets its own
 * process group, which includes what a kernel's host code starts. Its standard input is empty. */
static void become_worker(const assay_worker_options *line, int output_fd, const char *program,
                          char *const *arguments, char *const *environment)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (setpgid(0, 0) != 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(output_fd, STDOUT_FILENO) < 0 || dup2(output_fd, STDERR_FILENO) < 0 ||
        fcntl(line->request_fd, F_SETFD, 0) != 0 || fcntl(line->reply_fd, F_SETFD, 0) != 0 ||
        (line->shared_fd > 0 && fcntl(line->shared_fd, F_SETFD, 0) != 0))
        _exit(127);
    /* The parent ignores the signal, and an ignored signal stays so through exec. */
    if (signal(SIGPIPE, SIG_DFL) == SIG_ERR)
        _exit(127);
    /* The tool's process is between the two; it too must end with its parent. */
    if (line->tool != ASSAY_GPU_TOOL_NONE && prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        _exit(127);
    (void)execve(program, arguments, environment);
    _exit(127);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* Moves it to a number that no program takes for one of its own. */
static assay_status move_away(int *fd)
{
    const long most  = sysconf(_SC_OPEN_MAX);
    const int  from  = most > 1000 ? 700 : (int)(most / 2);
    const int  moved = fcntl(*fd, F_DUPFD_CLOEXEC, from);

    if (moved < 0)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot make a pipe: %s", strerror(errno));
    (void)close(*fd);
    *fd = moved;
    return ASSAY_OK;
}

int assay_child_share(void)
{
    int fd = memfd_create("assay-inputs", MFD_CLOEXEC);

    if (fd < 0 || move_away(&fd) != ASSAY_OK) {
        assay_status_reset(); /* it works without */
        close_fd(&fd);
    }
    return fd < 0 ? 0 : fd;
}

static assay_status open_line(int request[2], int reply[2], uint64_t *nonce)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(pipe2(request, O_CLOEXEC) == 0 && pipe2(reply, O_CLOEXEC) == 0, ASSAY_E_IO,
                  "cannot make a pipe: %s", strerror(errno));
    ASSAY_CHECK(move_away(&request[0]));
    ASSAY_CHECK(move_away(&reply[1]));
    ASSAY_CHECK(assay_entropy_fill(nonce, sizeof *nonce));
    ASSAY_CHECK(assay_pipe_write(request[1], nonce, sizeof *nonce));
out:
    return st;
}

/* The environment of a worker: this process's, with what a worker needs and the user has not set.
 * Owned. Not made by setenv, since several threads may start workers. */
static assay_status make_environment(bool times_nothing, char ***environment)
{
    assay_status st = ASSAY_OK;
    size_t       n  = 0;

    while (environ[n])
        n++;
    *environment = calloc(n + 3, sizeof **environment);
    ASSAY_REQUIRE(*environment, ASSAY_E_MEMORY, "no memory for a worker's environment");
    memcpy(*environment, environ, n * sizeof *environ);
    if (!getenv("GLIBC_TUNABLES"))
        (*environment)[n++] = LARGE_PAGES;
    if (times_nothing && !getenv("OMP_WAIT_POLICY"))
        (*environment)[n++] = WAITING_THREADS;
out:
    return st;
}

/* Makes a file in memory, which is gone when this process ends, in whatever way. */
static assay_status open_log(const assay_worker_options *options, int *log_fd)
{
    if (options->tool == ASSAY_GPU_TOOL_NONE)
        return ASSAY_OK;
    *log_fd = memfd_create("assay-tool-log", MFD_CLOEXEC);
    return *log_fd >= 0
               ? move_away(log_fd)
               : ASSAY_FAIL(ASSAY_E_IO, "cannot make a file in memory: %s", strerror(errno));
}

static assay_status fork_worker(assay_child *child, const assay_worker_options *options)
{
    assay_status         st         = ASSAY_OK;
    int                  request[2] = { -1, -1 }, reply[2] = { -1, -1 }, output_fd = -1;
    assay_child_command  line        = { .program = NULL };
    char               **environment = NULL;
    assay_worker_options own         = *options;

    ASSAY_CHECK(assay_tail_open(&child->output, &output_fd));
    ASSAY_CHECK(make_environment(options->times_nothing, &environment));
    ASSAY_CHECK(open_line(request, reply, &child->nonce));
    ASSAY_CHECK(open_log(options, &child->log_fd));
    own.request_fd = request[0];
    own.reply_fd   = reply[1];
    ASSAY_CHECK(assay_child_command_make(&own, child->log_fd, &line));
    child->pid = fork();
    ASSAY_REQUIRE(child->pid >= 0, ASSAY_E_IO, "cannot start a worker: %s", strerror(errno));
    if (child->pid == 0) /* execve takes them as not const */
        become_worker(&own, output_fd, line.program, (char **)(uintptr_t)line.words, environment);
    (void)setpgid(child->pid, child->pid); /* both processes do it, since either may come first */
    child->request_fd = request[1];
    child->reply_fd   = reply[0];
    request[1] = reply[0] = -1;
out:
    free(environment);
    for (int i = 0; i < 2; i++) {
        close_fd(&request[i]);
        close_fd(&reply[i]);
    }
    close_fd(&output_fd);
    return st;
}

char *assay_child_take_log(assay_child *child)
{
    const off_t size = child->log_fd > 0 ? lseek(child->log_fd, 0, SEEK_END) : -1;
    char       *text = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
    off_t       done = 0;
    ssize_t     n    = 1;

    while (text && done < size && n > 0) {
        n = pread(child->log_fd, text + done, (size_t)(size - done), done);
        done += n > 0 ? n : 0;
    }
    if (child->log_fd > 0)
        (void)close(child->log_fd);
    child->log_fd = 0;
    return text;
}

bool assay_child_receive(assay_child *child, void *bytes, size_t size, double limit_s,
                         bool *timed_out)
{
    bool           ended = false, is_whole;
    assay_patience patience;

    /* The process that was started here is the tool's, whose CPU time tells nothing. */
    if (child->log_fd > 0)
        assay_patience_begin(&patience, 0, limit_s * TOOL_PATIENCE);
    else
        assay_patience_begin(&patience, child->counts_cpu ? child->pid : 0, limit_s);
    is_whole =
        assay_pipe_read(child->reply_fd, bytes, size, &patience, &ended, timed_out) == ASSAY_OK;
    if (!is_whole)
        assay_status_reset(); /* who examines the worker finds out what it means */
    if (*timed_out)
        (void)assay_patience_text(&patience, child->silence, sizeof child->silence);
    return is_whole && !ended && !*timed_out;
}

static assay_status await_hello(assay_child *child)
{
    assay_status  st = ASSAY_OK;
    assay_message message;
    bool          timed_out = false;
    const bool    is_here =
        assay_child_receive(child, &message, sizeof message, OPEN_LIMIT_S, &timed_out);

    ASSAY_REQUIRE(!timed_out, ASSAY_E_DEVICE, "the device could not be opened %s", child->silence);
    ASSAY_REQUIRE(is_here, ASSAY_E_INTERNAL, "the worker ended before it opened the device");
    ASSAY_REQUIRE(message.nonce == child->nonce, ASSAY_E_INTERNAL, "the worker sent %s",
                  ASSAY_FOREIGN_MESSAGE);
    ASSAY_REQUIRE(!assay_message_judge(&message, 0), ASSAY_E_INTERNAL, "the worker sent %s",
                  assay_message_judge(&message, 0));
    ASSAY_REQUIRE(message.kind != ASSAY_MESSAGE_FAILURE, message.failure.status, "%s",
                  message.failure.text);
    ASSAY_REQUIRE(message.kind == ASSAY_MESSAGE_HELLO, ASSAY_E_INTERNAL,
                  "the worker did not say that its device is open");
out:
    return st;
}

assay_status assay_child_begin(assay_child *child, const assay_worker_options *options)
{
    assay_status st = ASSAY_OK;

    *child = (assay_child) { .request_fd = -1, .reply_fd = -1, .counts_cpu = options->counts_cpu };
    ASSAY_CHECK(fork_worker(child, options));
out:
    if (st != ASSAY_OK) {
        assay_child_kill(child, true);
        free(assay_child_take_log(child));
    }
    return st;
}

assay_status assay_child_await(assay_child *child)
{
    const assay_status st = await_hello(child);

    if (st != ASSAY_OK)
        assay_child_kill(child, true);
    return st;
}

assay_status assay_child_start(assay_child *child, const assay_worker_options *options)
{
    const assay_status st = assay_child_begin(child, options);

    return st == ASSAY_OK ? assay_child_await(child) : st;
}

/* Returns the last of what the worker wrote. The worker has ended. */
static void echo_output(const assay_child *child)
{
    static _Thread_local char text[ASSAY_TAIL_BYTES];

    assay_tail_end(child->output, text, sizeof text);
    if (*text)
        assay_say("%s", assay_text_make_safe(text));
}

static void forget(assay_child *child)
{
    close_fd(&child->request_fd);
    close_fd(&child->reply_fd);
    assay_tail_free(child->output);
    child->output = NULL;
    child->pid    = 0;
}

/* Has it ended? Then kills what it has left behind: until it is reaped, no other process can get
 * its process group. */
static bool reap(const assay_child *child, bool waits, int *status)
{
    siginfo_t about = { .si_pid = 0 };
    int       rc    = 0;

    do
        rc = waitid(P_PID, (id_t)child->pid, &about, WEXITED | WNOWAIT | (waits ? 0 : WNOHANG));
    while (rc != 0 && errno == EINTR);
    if (rc == 0 && about.si_pid != child->pid)
        return false;
    (void)kill(-child->pid, SIGKILL);
    while (waitpid(child->pid, status, 0) < 0 && errno == EINTR)
        continue;
    return true;
}

void assay_child_end(assay_child *child, bool echo)
{
    enum {
        TRIES          = 500,
        TRIES_OF_TOOLS = 12000 /* tools look again at all they have seen */
    };
    const int tries = child->log_fd > 0 ? TRIES_OF_TOOLS : TRIES;

    if (child->pid <= 0)
        return;
    close_fd(&child->request_fd);
    for (int i = 0; i < tries; i++) {
        int status = 0;

        if (reap(child, false, &status)) {
            if (echo)
                echo_output(child);
            forget(child);
            return;
        }
        (void)usleep(10000);
    }
    assay_child_kill(child, echo);
}

void assay_child_kill(assay_child *child, bool echo)
{
    int status = 0;

    if (child->pid > 0) {
        (void)kill(child->pid, SIGKILL);
        (void)reap(child, true, &status);
        if (echo)
            echo_output(child);
    }
    forget(child);
}

/* Words in reports of sanitizers, and what they mean. The first one that occurs decides. */
static const struct {
    const char   *word;
    assay_verdict verdict;
} report_words[] = {
    { "ThreadSanitizer: data race", ASSAY_RACE },
    { "ThreadSanitizer:", ASSAY_CRASHED },
    { "AddressSanitizer: heap-buffer-overflow", ASSAY_OUT_OF_BOUNDS },
    { "AddressSanitizer: use-after-poison", ASSAY_OUT_OF_BOUNDS },
    { "AddressSanitizer: heap-use-after-free", ASSAY_OUT_OF_BOUNDS },
    { "AddressSanitizer: global-buffer-overflow", ASSAY_OUT_OF_BOUNDS },
    { "AddressSanitizer: stack-buffer-overflow", ASSAY_OUT_OF_BOUNDS },
    { "AddressSanitizer: unknown-crash", ASSAY_OUT_OF_BOUNDS },
    { "out of bounds for type", ASSAY_OUT_OF_BOUNDS },
    { "misaligned address", ASSAY_OUT_OF_BOUNDS },
};

/* UndefinedBehaviorSanitizer writes no summary, but "/path/file.cu:12:3: runtime error: what". */
static const char *undefined_behaviour(const char *text)
{
    const char *error = strstr(text, "runtime error: ");
    const char *start = error;

    while (start && start > text && start[-1] != '\n' && start[-1] != '/')
        start--;
    return start;
}

/* Idioms that work on every GPU but are races: what to write instead. */
static const char *race_hint(const char *text)
{
    if (!strstr(text, "ThreadSanitizer: data race"))
        return "";
    if (strstr(text, "  Write of size") && strstr(text, "  Previous write of size"))
        return "; both write: threads that all write one value say so by assay_store_relaxed or "
               "atomicExch, or one of them writes";
    return "; if the writer had returned: a barrier at which others wait later does not order its "
           "writes; let it wait there too";
}

/* Did it end as a sanitizer ends a process? The worker is this program. */
static bool is_sanitizers_end(int status)
{
    return assay_sanitizer_here()[0] && WIFEXITED(status) &&
           WEXITSTATUS(status) == ASSAY_SANITIZER_EXIT;
}

/* Copies the line of the report that names the fault and its location into `reason`; false if there
 * is none. */
static bool read_summary(const char *text, char *reason, size_t size)
{
    const char *summary = strstr(text, "SUMMARY: ");

    if (!summary)
        summary = undefined_behaviour(text);
    if (summary)
        (void)assay_text_set(reason, size, "%.*s%s", (int)strcspn(summary, "\n"), summary,
                             race_hint(text));
    return summary != NULL;
}

static assay_verdict read_report(const char *text)
{
    for (size_t i = 0; i < sizeof report_words / sizeof report_words[0]; i++)
        if (strstr(text, report_words[i].word))
            return report_words[i].verdict;
    return ASSAY_CRASHED;
}

assay_verdict assay_child_autopsy(assay_child *child, char *reason, size_t size, char *output,
                                  size_t output_size)
{
    int status = 0;

    (void)reap(child, true, &status);
    assay_tail_end(child->output, output, output_size);
    forget(child);
    if (is_sanitizers_end(status) && read_summary(output, reason, size))
        return read_report(output);
    if (WIFSIGNALED(status))
        (void)assay_text_set(reason, size, "the process was killed by signal %d (%s)",
                             WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        (void)assay_text_set(reason, size, "the process ended with exit status %d",
                             WEXITSTATUS(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == ASSAY_WORKER_EXIT) {
        (void)assay_text_set(reason, size, "%s", ASSAY_CHILD_GAVE_UP);
        return ASSAY_NOT_RUN;
    }
    /* No process does that to itself by mistake: the system does it when memory runs out. */
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? ASSAY_NOT_RUN : ASSAY_CRASHED;
}
