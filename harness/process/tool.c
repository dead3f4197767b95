/* Runs other programs to their end. */
#include "tool.h"

#include "exit_status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- signals ---- */

assay_status assay_tools_begin(assay_tools *tools)
{
    assay_status st = ASSAY_OK;
    sigset_t     ours;

    *tools = (assay_tools) { .signal_fd = -1 };
    (void)sigemptyset(&ours);
    (void)sigaddset(&ours, SIGINT);
    (void)sigaddset(&ours, SIGTERM);
    (void)sigaddset(&ours, SIGHUP);
    (void)sigaddset(&ours, SIGQUIT);
    (void)sigaddset(&ours, SIGCHLD);
    tools->signal_fd = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    ASSAY_REQUIRE(tools->signal_fd >= 0, ASSAY_E_IO, "cannot wait for signals: %s",
                  strerror(errno));
    ASSAY_REQUIRE(sigprocmask(SIG_BLOCK, &ours, &tools->mask) == 0, ASSAY_E_IO,
                  "cannot hold signals back: %s", strerror(errno));
out:
    if (st != ASSAY_OK && tools->signal_fd >= 0) {
        (void)close(tools->signal_fd);
        tools->signal_fd = -1;
    }
    return st;
}

void assay_tools_end(assay_tools *tools)
{
    if (!tools || tools->signal_fd < 0)
        return;
    assay_tools_look(tools); /* otherwise they would end this process when they are unblocked */
    (void)close(tools->signal_fd);
    (void)sigprocmask(SIG_SETMASK, &tools->mask, NULL);
    tools->signal_fd = -1;
}

void assay_tools_look(assay_tools *tools)
{
    struct signalfd_siginfo about;

    while (read(tools->signal_fd, &about, sizeof about) == (ssize_t)sizeof about)
        if (about.ssi_signo != SIGCHLD)
            tools->is_stopped = true;
}

/* ---- one program ---- */

/* Starts it in its own group, which can be ended as a whole, with the signals as this process had
 * them. */
static assay_status spawn(const assay_tools *tools, char *const *words, const int fds[2],
                          pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          attributes;
    int                        error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "cannot start %s: %s", words[0], strerror(error));
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(&actions, fds[0], STDOUT_FILENO);
        if (error == 0)
            error = posix_spawn_file_actions_adddup2(&actions, fds[1], STDERR_FILENO);
        if (error == 0) /* a background process that reads the terminal would be stopped */
            error =
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        (void)posix_spawnattr_setpgroup(&attributes, 0);
        (void)posix_spawnattr_setsigmask(&attributes, &tools->mask);
        if (error == 0)
            error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? ASSAY_OK
                      : ASSAY_FAIL(ASSAY_E_IO, "cannot start %s: %s", words[0], strerror(error));
}

/* A descriptor that becomes readable when the process ends; -1 if the kernel or its sandbox does
 * not support that. */
static int open_process(pid_t pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

/* SIGCHLD is not used: if this process has other threads, as with the CUDA runtime, one that does
 * not block the signal may get it, and it is lost. */
static int await(assay_tools *tools, pid_t pid)
{
    enum {
        LOOK_MS = 20 /* without a descriptor for the process */
    };
    const int     process   = open_process(pid);
    struct pollfd awaited[] = { { .fd = tools->signal_fd, .events = POLLIN },
                                { .fd = process, .events = POLLIN } };
    int           status    = 0;
    pid_t         ended     = 0;

    for (;;) {
        ended = waitpid(pid, &status, WNOHANG);
        if (ended != 0 && !(ended < 0 && errno == EINTR))
            break;
        (void)poll(awaited, 2, process < 0 ? LOOK_MS : -1);
        assay_tools_look(tools);
        if (tools->is_stopped)
            (void)kill(-pid, SIGTERM);
    }
    if (process >= 0)
        (void)close(process);
    if (ended < 0)
        return ASSAY_EXIT_USAGE; /* another thread has taken its status */
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status);
}

/* Reads everything that was written to it. */
static assay_status read_all(int fd, char **text)
{
    assay_status st = ASSAY_OK;
    struct stat  about;
    ssize_t      n = 0;

    ASSAY_REQUIRE(fstat(fd, &about) == 0, ASSAY_E_IO, "cannot read what a program wrote: %s",
                  strerror(errno));
    *text = calloc((size_t)about.st_size + 1, 1);
    ASSAY_REQUIRE(*text, ASSAY_E_MEMORY, "no memory for what a program wrote");
    n = pread(fd, *text, (size_t)about.st_size, 0);
    ASSAY_REQUIRE(n >= 0, ASSAY_E_IO, "cannot read what a program wrote: %s", strerror(errno));
    (*text)[n] = '\0';
out:
    return st;
}

assay_status assay_tool_run(assay_tools *tools, char *const *words, assay_tool *tool)
{
    assay_status st = ASSAY_OK;
    int   fds[2]    = { memfd_create("output", MFD_CLOEXEC), memfd_create("errors", MFD_CLOEXEC) };
    pid_t pid       = 0;

    *tool = (assay_tool) { .output = NULL };
    ASSAY_REQUIRE(fds[0] >= 0 && fds[1] >= 0, ASSAY_E_IO, "cannot keep what %s writes: %s",
                  words[0], strerror(errno));
    ASSAY_CHECK(spawn(tools, words, fds, &pid));
    tool->exit_status = await(tools, pid);
    ASSAY_CHECK(read_all(fds[0], &tool->output));
    ASSAY_CHECK(read_all(fds[1], &tool->errors));
out:
    for (int i = 0; i < 2; i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    if (st != ASSAY_OK)
        assay_tool_free(tool);
    return st;
}

void assay_tool_free(assay_tool *tool)
{
    if (!tool)
        return;
    free(tool->output);
    free(tool->errors);
    *tool = (assay_tool) { .output = NULL };
}

const char *assay_tool_line(assay_tool *tool)
{
    char  *text = tool->errors;
    size_t n    = strlen(text);

    tool->output[strcspn(tool->output, "\n")] = '\0';
    if (tool->output[0])
        return tool->output;
    while (n > 0 && text[n - 1] == '\n')
        text[--n] = '\0';
    const char *start = strrchr(text, '\n');

    return start ? start + 1 : text;
}
