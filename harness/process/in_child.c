/* Runs one piece of work in a fork of this process. */
#include "in_child.h"

#include "interrupted.h"

#include "base/text.h"
#include "pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const double LIMIT_S = 120; /* creating a CUDA context can take long on a busy host */

typedef struct answer {
    assay_status status;
    char         text[ASSAY_REASON_SIZE];
} answer;

/* Ends the child without the parent's exit handlers and buffers. */
static void work_and_leave(int fd, assay_work_fn *work, const void *context, void *result,
                           size_t size)
{
    answer a = { .status = ASSAY_OK };

    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        _exit(127);
    assay_interrupted_end();
    assay_status_reset();
    a.status = work(context, result);
    (void)assay_text_set(a.text, sizeof a.text, "%s", assay_status_message());
    (void)fflush(NULL);
    if (assay_pipe_write(fd, &a, sizeof a) != ASSAY_OK ||
        assay_pipe_write(fd, result, size) != ASSAY_OK)
        _exit(127);
    _exit(0);
}

/* Waits for the child if it has ended, and kills it if it has not. */
static int end_child(pid_t pid, bool is_late)
{
    siginfo_t about;
    int       status = 0;

    (void)setpgid(pid, pid); /* both processes do it, since either may come first */
    if (is_late)
        (void)kill(pid, SIGKILL);
    while (waitid(P_PID, (id_t)pid, &about, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    (void)kill(-pid, SIGKILL); /* what it started; nothing else has its group until it is reaped */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static assay_status describe_end(const char *what, int status, bool is_late)
{
    if (is_late)
        return ASSAY_FAIL(ASSAY_E_IO, "%s did not end within %.0f s", what, LIMIT_S);
    if (WIFSIGNALED(status))
        return ASSAY_FAIL(ASSAY_E_IO, "%s ended the process: signal %d (%s)", what,
                          WTERMSIG(status), strsignal(WTERMSIG(status)));
    return ASSAY_FAIL(ASSAY_E_IO, "%s ended the process: exit status %d", what,
                      WEXITSTATUS(status));
}

static bool receive(int fd, void *bytes, size_t size, bool *is_late)
{
    bool           has_ended = false, is_whole;
    assay_patience patience;

    assay_patience_begin(&patience, 0, LIMIT_S);
    is_whole = assay_pipe_read(fd, bytes, size, &patience, &has_ended, is_late) == ASSAY_OK;
    if (!is_whole)
        assay_status_reset();
    return is_whole && !has_ended && !*is_late;
}

assay_status assay_in_child(const char *what, assay_work_fn *work, const void *context,
                            void *result, size_t size)
{
    assay_status st      = ASSAY_OK;
    int          fd[2]   = { -1, -1 };
    bool         is_late = false, is_whole = false;
    int          status = 0;
    answer       a;
    pid_t        pid;

    ASSAY_REQUIRE(pipe2(fd, O_CLOEXEC) == 0, ASSAY_E_IO, "cannot make a pipe: %s", strerror(errno));
    (void)fflush(NULL); /* otherwise the child would write it as well */
    pid = fork();
    ASSAY_REQUIRE(pid >= 0, ASSAY_E_IO, "cannot start a process: %s", strerror(errno));
    if (pid == 0)
        work_and_leave(fd[1], work, context, result, size);
    (void)close(fd[1]);
    fd[1]    = -1;
    is_whole = receive(fd[0], &a, sizeof a, &is_late) &&
               (size == 0 || receive(fd[0], result, size, &is_late));
    status = end_child(pid, is_late);
    if (!is_whole)
        return (void)close(fd[0]), describe_end(what, status, is_late);
    ASSAY_REQUIRE(a.status == ASSAY_OK, a.status, "%.*s", (int)sizeof a.text - 1, a.text);
out:
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0)
            (void)close(fd[i]);
    return st;
}
