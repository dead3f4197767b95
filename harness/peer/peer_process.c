/* The process of a peer: its interpreter, its start, its end. */
#include "peer_internal.h"

#include "base/places.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* For loading torch from a cold disk, and opening the GPU. */
static const double HELLO_LIMIT_S   = 120;
static const char   SYSTEM_PYTHON[] = "/usr/bin/python3";

/* ---- paths ---- */

/* $ASSAY_PEERS; NULL if it is not set. */
static const char *own_folder(void)
{
    const char *own = getenv("ASSAY_PEERS");

    return own && own[0] ? own : NULL;
}

bool assay_peer_locate(const char *script, char *path, size_t size)
{
    const char *own = own_folder();

    if (!own)
        return assay_places_find(ASSAY_FILE_PEERS, script, path, size);
    const int length = snprintf(path, size, "%s/%s", own, script);

    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

const char *assay_peer_explain(const char *script, char *why, size_t size)
{
    const char *own = own_folder();

    if (own)
        return assay_text_set(
            why, size, "the peer's script %s is not in %s, which ASSAY_PEERS names", script, own);
    return assay_text_set(why, size,
                          "the peer's script %s is not here; looked for %s (ASSAY_PEERS can name "
                          "another folder)",
                          script, assay_places_text(ASSAY_FILE_PEERS));
}

static bool find_in_path(const char *name, char *path, size_t size)
{
    const char *folder = getenv("PATH");

    while (folder && *folder) {
        const size_t length = strcspn(folder, ":");
        const int    n      = snprintf(path, size, "%.*s/%s", (int)length, folder, name);

        if (length > 0 && n > 0 && (size_t)n < size && access(path, X_OK) == 0)
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

/* Candidate number i; false: there are no more. */
static bool find_interpreter(int i, char path[ASSAY_PEER_PATH_SIZE])
{
    const char *own = getenv("ASSAY_PYTHON");

    if (own && own[0])
        return i == 0 && assay_text_set(path, ASSAY_PEER_PATH_SIZE, "%s", own);
    if (i == 0) {
        if (!find_in_path("python3", path, ASSAY_PEER_PATH_SIZE))
            (void)assay_text_set(path, ASSAY_PEER_PATH_SIZE, "%s", SYSTEM_PYTHON);
        return true;
    }
    return i == 1 && assay_text_set(path, ASSAY_PEER_PATH_SIZE, "%s", SYSTEM_PYTHON);
}

/* ---- starting ---- */

/* Runs in the child, between fork and exec: only async-signal-safe calls. Its process group holds
 * what it starts. It ends with the process that started it. */
static void become_peer(int socket_fd, int arena_fd, int output_fd, char *const *arguments)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || setpgid(0, 0) != 0 ||
        dup2(socket_fd, STDIN_FILENO) < 0 || dup2(socket_fd, STDOUT_FILENO) < 0 ||
        dup2(output_fd, STDERR_FILENO) < 0)
        _exit(127);
    if (arena_fd == ASSAY_PEER_ARENA_FD ? fcntl(arena_fd, F_SETFD, 0) < 0
                                        : dup2(arena_fd, ASSAY_PEER_ARENA_FD) < 0)
        _exit(127);
    if (signal(SIGPIPE, SIG_DFL) == SIG_ERR)
        _exit(127);
    /* Our descriptors close by themselves. For those of libraries, on newer kernels, this is the
     * best that can be done. */
    (void)close_range(ASSAY_PEER_ARENA_FD + 1, ~0U, 0);
    (void)execv(arguments[0], arguments);
    _exit(127);
}

static assay_status make_arena(assay_peer *peer)
{
    assay_status st = ASSAY_OK;

    peer->arena_fd = memfd_create("assay-peer-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSAY_REQUIRE(peer->arena_fd >= 0 &&
                      fcntl(peer->arena_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0,
                  ASSAY_E_IO, "cannot make memory for a peer: %s", strerror(errno));
out:
    return st;
}

/* Finds modules of Debian and of the user; writes no byte code beside the scripts. */
static assay_status fork_peer(assay_peer *peer, const char *interpreter, const char *path,
                              const char *device, const char *file)
{
    assay_status st      = ASSAY_OK;
    int          pair[2] = { -1, -1 }, output_fd = -1;
    const char  *digest  = file ? assay_peer_variants_digest() : NULL;
    const char  *words[] = { interpreter, "-B", path, device, file, digest, NULL };
    char        *arguments[sizeof words / sizeof words[0]];

    memcpy(arguments, words, sizeof words); /* execv takes them without const */
    ASSAY_REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, ASSAY_E_IO,
                  "cannot make a socket: %s", strerror(errno));
    ASSAY_CHECK(assay_tail_open(&peer->output, &output_fd));
    peer->pid = fork();
    ASSAY_REQUIRE(peer->pid >= 0, ASSAY_E_IO, "cannot start a peer: %s", strerror(errno));
    if (peer->pid == 0)
        become_peer(pair[1], peer->arena_fd, output_fd, arguments);
    (void)setpgid(peer->pid, peer->pid); /* both processes do it, since either may come first */
    peer->fd = pair[0];
    pair[0]  = -1;
out:
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            (void)close(pair[i]);
    if (output_fd >= 0)
        (void)close(output_fd);
    return st;
}

/* The frameworks in the answer to `hello`; the first protocol had only torch. */
static void take_frameworks(const assay_peer_reply *reply, char *text, size_t size)
{
    const char *torch  = assay_peer_value(reply, "torch");
    size_t      length = 0;

    text[0] = '\0';
    if (torch)
        (void)assay_text_set(text, size, "torch %s", torch);
    for (int i = 1; i < reply->n; i++) {
        const char *framework = assay_text_after(reply->line[i], "framework ");

        if (!framework)
            continue;
        length = strlen(text);
        (void)assay_text_set(text + length, size - length, "%s%s", length > 0 ? ", " : "",
                             framework);
    }
    (void)assay_text_make_safe(text);
}

static void take_about(assay_peer *peer, const char *interpreter, assay_peer_finding *finding)
{
    const char *protocol = assay_peer_value(&peer->hello, "protocol"),
               *device   = assay_peer_value(&peer->hello, "device");
    int64_t version      = 1;

    if (protocol &&
        !assay_peer_number(&peer->hello, "protocol", 1, ASSAY_PEER_PROTOCOL, &version)) {
        finding->verdict = ASSAY_SKIPPED;
        (void)assay_text_set(finding->reason, sizeof finding->reason,
                             "it speaks protocol %.20s, and this program up to %d: it is of "
                             "another version of assay",
                             protocol, ASSAY_PEER_PROTOCOL);
        return;
    }
    (void)assay_text_set(peer->about.interpreter, sizeof peer->about.interpreter, "%s",
                         interpreter);
    (void)assay_text_set(peer->about.device, sizeof peer->about.device, "%s", device ? device : "");
    (void)assay_text_make_safe(peer->about.device);
    take_frameworks(&peer->hello, peer->about.frameworks, sizeof peer->about.frameworks);
}

assay_status assay_peer_launch(const char *interpreter, const char *path, const char *device,
                               const char *file, assay_peer **peer, assay_peer_finding *finding)
{
    assay_status st  = ASSAY_OK;
    assay_peer  *own = calloc(1, sizeof *own);

    *peer = NULL;
    ASSAY_REQUIRE(own, ASSAY_E_MEMORY, "no memory for a peer");
    own->fd = own->arena_fd = -1;
    own->counts_cpu         = strncmp(device, "cuda", 4) != 0;
    ASSAY_CHECK(make_arena(own));
    ASSAY_CHECK(fork_peer(own, interpreter, path, device, file));
    assay_peer_listen(own, "hello", HELLO_LIMIT_S, &own->hello, finding);
    if (finding->verdict == ASSAY_NOT_RUN)
        take_about(own, interpreter, finding);
    if (finding->verdict != ASSAY_NOT_RUN)
        goto out;
    *peer = own;
    own   = NULL;
out:
    assay_peer_end(own);
    return st;
}

/* Takes the first interpreter that can work; keeps the reasons of those that cannot. */
static assay_status try_all(const char *path, const char *device, const char *file,
                            assay_peer **peer, assay_peer_finding *finding)
{
    assay_status st = ASSAY_OK;
    char         candidate[ASSAY_PEER_PATH_SIZE], tried[ASSAY_PEER_PATH_SIZE] = "";
    char         reasons[ASSAY_REASON_SIZE] = "";

    for (int i = 0; !*peer && find_interpreter(i, candidate); i++) {
        const size_t length = strlen(reasons);

        if (strcmp(candidate, tried) == 0)
            continue;
        (void)assay_text_set(tried, sizeof tried, "%s", candidate);
        *finding = (assay_peer_finding) { .verdict = ASSAY_NOT_RUN };
        ASSAY_CHECK(assay_peer_launch(candidate, path, device, file, peer, finding));
        (void)assay_text_set(reasons + length, sizeof reasons - length, "%s%s: %s",
                             length > 0 ? "; " : "", candidate, finding->reason);
    }
    if (!*peer)
        (void)assay_text_set(finding->reason, sizeof finding->reason, "%s", reasons);
out:
    return st;
}

assay_status assay_peer_start(const assay_peer_script *script, const char *device,
                              char interpreter[ASSAY_PEER_PATH_SIZE], assay_peer **peer,
                              assay_peer_finding *finding)
{
    assay_status st = ASSAY_OK;
    char         path[ASSAY_PEER_PATH_SIZE];

    *peer    = NULL;
    *finding = (assay_peer_finding) { .verdict = ASSAY_NOT_RUN };
    if (!assay_peer_locate(script->script, path, sizeof path)) {
        (void)assay_peer_explain(script->script, finding->reason, sizeof finding->reason);
    } else if (interpreter[0]) {
        ASSAY_CHECK(assay_peer_launch(interpreter, path, device, script->file, peer, finding));
    } else {
        ASSAY_CHECK(try_all(path, device, script->file, peer, finding));
    }
    /* If it cannot be started, that is never a fault of a variant. */
    if (!*peer)
        finding->verdict = ASSAY_SKIPPED;
    if (*peer) {
        (void)assay_text_set(interpreter, ASSAY_PEER_PATH_SIZE, "%s", (*peer)->about.interpreter);
        (void)assay_text_set((*peer)->script, sizeof(*peer)->script, "%s", script->script);
        (void)assay_text_set((*peer)->file, sizeof(*peer)->file, "%s",
                             script->file ? script->file : "");
    }
out:
    return st;
}

bool assay_peer_describe(int i, assay_peer_about *about, char *why, size_t size)
{
    assay_peer        *peer    = NULL;
    assay_peer_finding finding = { .verdict = ASSAY_NOT_RUN };
    char               path[ASSAY_PEER_PATH_SIZE], first[ASSAY_PEER_PATH_SIZE];

    *about = (assay_peer_about) { .frameworks = "" };
    if (!find_interpreter(i, about->interpreter) ||
        (i > 0 && find_interpreter(0, first) && strcmp(first, about->interpreter) == 0) ||
        !assay_peer_locate(ASSAY_PEER_VARIANTS, path, sizeof path))
        return false;
    if (assay_peer_launch(about->interpreter, path, "none", NULL, &peer, &finding) != ASSAY_OK) {
        (void)assay_text_set(why, size, "%s", assay_status_message());
        assay_status_reset();
        return true;
    }
    (void)assay_text_set(why, size, "%s",
                         finding.verdict != ASSAY_NOT_RUN ? finding.reason
                                                          : "it has no framework that peers use");
    if (peer)
        *about = peer->about;
    assay_peer_end(peer);
    return true;
}

/* ---- ending ---- */

/* Waits after its requests have ended. Its clean-up, such as removing files, must not take longer.
 * False: it is still running. */
static bool await_end(assay_peer *peer, int *status)
{
    enum {
        TRIES = 100
    };

    for (int i = 0; i < TRIES; i++) {
        if (waitpid(peer->pid, status, WNOHANG) == peer->pid) {
            (void)kill(-peer->pid, SIGKILL); /* the processes that it left behind */
            peer->pid = 0;
            return true;
        }
        (void)usleep(10000);
    }
    return false;
}

void assay_peer_kill(assay_peer *peer)
{
    if (peer->fd >= 0)
        (void)close(peer->fd);
    peer->fd = -1;
    if (peer->pid <= 0)
        return;
    (void)kill(-peer->pid, SIGKILL);
    (void)kill(peer->pid, SIGKILL); /* before it had its own group */
    while (waitpid(peer->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    peer->pid = 0;
}

void assay_peer_end(assay_peer *peer)
{
    int status;

    if (!peer)
        return;
    if (peer->pid > 0 && peer->fd >= 0) {
        (void)shutdown(peer->fd, SHUT_WR);
        (void)await_end(peer, &status);
    }
    assay_peer_kill(peer);
    if (peer->arena)
        (void)munmap(peer->arena, peer->arena_bytes);
    if (peer->arena_fd >= 0)
        (void)close(peer->arena_fd);
    assay_tail_free(peer->output);
    free(peer);
}

/* The last line of a dead peer that is not empty, safe for a reason. */
static void read_last_words(const assay_peer *peer, char *words, size_t size)
{
    char    text[4096];
    ssize_t n, begin;

    assay_tail_end(peer->output, text, sizeof text);
    n        = (ssize_t)strlen(text);
    words[0] = '\0';
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    if (n <= 0)
        return;
    for (begin = n; begin > 0 && text[begin - 1] != '\n'; begin--)
        if (iscntrl((unsigned char)text[begin - 1]))
            text[begin - 1] = ' ';
    text[n] = '\0';
    (void)assay_text_make_safe(assay_text_set(words, size, "%s", text + begin));
}

static void add_words(const assay_peer *peer, assay_peer_finding *finding, const char *sentence)
{
    char words[200];

    read_last_words(peer, words, sizeof words);
    (void)assay_text_set(finding->reason, sizeof finding->reason, "%s%s%s", sentence,
                         words[0] ? ": " : "", words);
}

void assay_peer_bury(assay_peer *peer, assay_peer_finding *finding, assay_verdict verdict,
                     const char *format, ...)
{
    char    sentence[256];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    assay_peer_kill(peer);
    finding->verdict = verdict;
    add_words(peer, finding, sentence);
}

/* It has closed its end, so it ends soon; if not, it is killed. */
void assay_peer_bury_dead(assay_peer *peer, assay_peer_finding *finding)
{
    char sentence[128] = "the peer closed its output";
    int  status        = 0;

    if (await_end(peer, &status) && WIFSIGNALED(status))
        (void)assay_text_set(sentence, sizeof sentence, "the peer was killed by signal %d (%s)",
                             WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (peer->pid == 0)
        (void)assay_text_set(sentence, sizeof sentence, "the peer ended with exit status %d",
                             WEXITSTATUS(status));
    assay_peer_kill(peer);
    finding->verdict = ASSAY_CRASHED;
    add_words(peer, finding, sentence);
}
