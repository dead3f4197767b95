/* Samples a program counter by ptrace(2), and finds source lines by addr2line. */
#include "spin_place.h"

#include "base/process_look.h"
#include "base/text.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    N_SAMPLES  = 100,
    N_NAMED    = 3,
    PAUSE_US   = 1000,
    LOOK_US    = 50000,
    WAIT_US    = 1000,
    MOST_WAITS = 500
};

/* ---- the thread ---- */

static double cpu_before(const assay_look *before, pid_t thread)
{
    for (int i = 0; i < before->n; i++)
        if (before->rows[i].thread == thread)
            return before->rows[i].cpu_s;
    return 0;
}

/* 0: there is none. Clock ticks are too coarse for a short look. Among threads that used the same
 * meanwhile, the CPU time of their whole life decides. */
static pid_t busiest_thread(pid_t pid)
{
    static _Thread_local assay_look before, after;
    pid_t                           best   = 0;
    double                          most_s = 0, total_s = 0;

    if (!assay_process_look(pid, &before))
        return 0;
    (void)usleep(LOOK_US);
    if (!assay_process_look(pid, &after))
        return 0;
    for (int i = 0; i < after.n; i++) {
        const double s = after.rows[i].cpu_s - cpu_before(&before, after.rows[i].thread);

        if (s > most_s || (s >= most_s && after.rows[i].cpu_s > total_s)) {
            best    = after.rows[i].thread;
            most_s  = s;
            total_s = after.rows[i].cpu_s;
        }
    }
    return best;
}

/* ---- the program counter ---- */

static bool read_counter(pid_t thread, uint64_t *counter)
{
    struct user_regs_struct registers;
    struct iovec            all = { &registers, sizeof registers };

    if (ptrace(PTRACE_GETREGSET, thread, (void *)(uintptr_t)NT_PRSTATUS, &all) != 0)
        return false;
#if defined(__x86_64__)
    *counter = registers.rip;
#else
    *counter = registers.pc;
#endif
    return true;
}

/* The status of a thread that has ended stays for who waits for it. */
static bool await_stop(pid_t thread)
{
    for (int i = 0; i < MOST_WAITS; i++) {
        siginfo_t about = { .si_pid = 0 };

        if (waitid(P_PID, (id_t)thread, &about, WSTOPPED | WNOHANG | __WALL) != 0)
            return false;
        if (about.si_pid == thread)
            return true;
        (void)usleep(WAIT_US);
    }
    return false;
}

static int take_samples(pid_t thread, uint64_t *counter)
{
    int n = 0;

    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0)
        return 0;
    while (n < N_SAMPLES) {
        if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 || !await_stop(thread))
            return 0; /* it has ended, or is ending */
        if (!read_counter(thread, &counter[n]))
            break;
        if (++n == N_SAMPLES || ptrace(PTRACE_CONT, thread, NULL, NULL) != 0)
            break;
        (void)usleep(PAUSE_US);
    }
    (void)ptrace(PTRACE_DETACH, thread, NULL, NULL);
    return n;
}

/* ---- inside the module ---- */

typedef struct range {
    uint64_t begin, end; /* of all its mappings */
} range;

static bool find_module(pid_t pid, const char *module_path, range *module)
{
    char   path[64], *line = NULL, real[PATH_MAX];
    size_t size = 0;
    FILE  *file;

    *module = (range) { 0, 0 };
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    file = fopen(path, "r");
    if (!file || !realpath(module_path, real)) {
        if (file)
            (void)fclose(file);
        return false;
    }
    while (getline(&line, &size, file) > 0) {
        const char *name = strchr(line, '/');
        uint64_t    begin, end;

        line[strcspn(line, "\n")] = '\0';
        if (!name || strcmp(name, real) != 0 ||
            sscanf(line, "%" SCNx64 "-%" SCNx64, &begin, &end) != 2)
            continue;
        module->begin = module->end == 0 || begin < module->begin ? begin : module->begin;
        module->end   = end > module->end ? end : module->end;
    }
    free(line);
    (void)fclose(file);
    return module->end > 0;
}

/* ---- source lines ---- */

typedef struct places {
    char text[N_SAMPLES][96]; /* file and line, without folders */
    int  n_seen[N_SAMPLES], n;
} places;

/* Reads "/path/a.cu:12 (discriminator 2)". "??:0" is not a line; neither are lines that the harness
 * has inserted. */
static void add_place(places *all, char *line)
{
    const char *slash, *cut[] = { "\n", " " };

    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++)
        line[strcspn(line, cut[i])] = '\0';
    if (line[0] == '?' || strstr(line, ":?") || strstr(line, "/harness/api/") ||
        strstr(line, "/harness/device/host/") || strstr(line, "/include/assay/"))
        return;
    slash = strrchr(line, '/');
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->text[i], slash ? slash + 1 : line) == 0) {
            all->n_seen[i]++;
            return;
        }
    (void)assay_text_set(all->text[all->n], sizeof all->text[0], "%s", slash ? slash + 1 : line);
    all->n_seen[all->n++] = 1;
}

/* Writes the address in the module's file for each sample inside the module. */
static int make_words(const char *module_path, const range *module, const uint64_t *counter, int n,
                      char address[][24], char **words)
{
    static char program[] = "addr2line", option[] = "-e";
    int         n_words = 0;

    words[n_words++] = program;
    words[n_words++] = option;
    words[n_words++] = (char *)(uintptr_t)module_path; /* spawn takes it without const */
    for (int i = 0; i < n; i++)
        if (counter[i] >= module->begin && counter[i] < module->end) {
            (void)snprintf(address[i], sizeof address[i], "0x%" PRIx64, counter[i] - module->begin);
            words[n_words++] = address[i];
        }
    words[n_words] = NULL;
    return n_words;
}

static bool start(char *const *words, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int                        error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return false;
    error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawnp(pid, words[0], &actions, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error == 0;
}

static void read_places(char *const *words, places *all)
{
    int   ends[2];
    char  line[1024];
    FILE *file = NULL;
    pid_t pid  = 0;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    if (start(words, ends[1], &pid))
        file = fdopen(ends[0], "r");
    (void)close(ends[1]);
    while (file && all->n < N_SAMPLES && fgets(line, sizeof line, file))
        add_place(all, line);
    if (file)
        (void)fclose(file);
    else
        (void)close(ends[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void write_places(places *all, char *text, size_t size)
{
    size_t used = 0;

    for (int named = 0; named < N_NAMED; named++) {
        int best = 0;

        for (int i = 1; i < all->n; i++)
            if (all->n_seen[i] > all->n_seen[best])
                best = i;
        if (all->n == 0 || all->n_seen[best] == 0 || used >= size)
            return;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                                 all->text[best]);
        all->n_seen[best] = 0;
    }
}

bool assay_spin_place(pid_t pid, const char *module_path, char *text, size_t size)
{
    const pid_t thread = pid > 0 ? busiest_thread(pid) : 0;
    uint64_t    counter[N_SAMPLES];
    char        address[N_SAMPLES][24];
    char       *words[N_SAMPLES + 4];
    range       module;
    places      all = { .n = 0 };
    int         n;

    text[0] = '\0';
    if (thread == 0 || !find_module(pid, module_path, &module))
        return false;
    n = take_samples(thread, counter);
    if (make_words(module_path, &module, counter, n, address, words) <= 3)
        return false;
    read_places(words, &all);
    write_places(&all, text, size);
    return text[0] != '\0';
}
