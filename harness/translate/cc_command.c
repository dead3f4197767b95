/* Runs the compiler with parts of a command line. */
#include "cc_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The architecture of device text: that of this project's card. */
#define DEVICE_ARCHITECTURE "-D__CUDA_ARCH__=900"

/* ---- which option is what ---- */

/* An option that only preprocessing needs. */
typedef struct option {
    const char *name;
    bool        has_value; /* in the next argument, unless it is joined to the name */
} option;

static const option of_preprocessing[] = {
    { "-I", true },       { "-isystem", true }, { "-iquote", true }, { "-idirafter", true },
    { "-include", true }, { "-D", true },       { "-U", true },
};
static const option of_dependencies[] = {
    { "-MD", false }, { "-MMD", false }, { "-MP", false },
    { "-MF", true },  { "-MT", true },   { "-MQ", true },
};
static const option of_compiling[] = { { "-c", false }, { "-o", true }, { "-x", true } };

#define IN(table) (table), sizeof(table) / sizeof *(table)

/* How many arguments from `at` on belong to such an option; 0: it is none. */
static int length_of(const cc_command *c, int at, const option *table, size_t n)
{
    const char *a = c->argument[at];

    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(table[i].name);

        if (strcmp(a, table[i].name) == 0)
            return table[i].has_value && at + 1 < c->n ? 2 : 1;
        if (table[i].has_value && length == 2 && strncmp(a, table[i].name, length) == 0)
            return 1;
    }
    return 0;
}

static bool is_source(const char *name)
{
    static const char *const suffixes[] = { ".cu", ".cc", ".cpp", ".cxx", ".C" };
    const size_t             length     = strlen(name);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t n = strlen(suffixes[i]);

        if (length > n && strcmp(name + length - n, suffixes[i]) == 0)
            return true;
    }
    return false;
}

static const char *basename_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

assay_status cc_read_command(int n, char **arguments, cc_command *command)
{
    const char *source   = NULL;
    bool        compiles = false;

    *command = (cc_command) { .argument = arguments, .n = n };
    while (command->compiler + 1 < n && arguments[command->compiler + 1][0] != '-')
        command->compiler++;
    for (int i = command->compiler + 1; i < n; i++) {
        const int length = length_of(command, i, IN(of_preprocessing)) +
                           length_of(command, i, IN(of_dependencies));

        if (strcmp(arguments[i], "-o") == 0 && i + 1 < n)
            command->object = arguments[++i];
        else if (strcmp(arguments[i], "-c") == 0)
            compiles = true;
        else if (length > 0)
            i += length - 1;
        else if (arguments[i][0] != '-' && is_source(arguments[i]))
            source = arguments[i];
    }
    if (!compiles || !command->object || !source)
        return ASSAY_OK;
    if (asprintf(&command->translated, "%s.ii", command->object) < 0) {
        command->translated = NULL;
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the name of a file");
    }
    command->source  = source;
    command->is_cuda = strstr(basename_of(arguments[command->compiler]), "nvcc") != NULL;
    return ASSAY_OK;
}

void cc_free_command(cc_command *command)
{
    free(command->translated);
    *command = (cc_command) { .n = 0 };
}

/* ---- running ---- */

/* output: descriptor for its standard output, or -1. */
assay_status cc_spawn(char *const arguments[], int output)
{
    posix_spawn_file_actions_t actions;
    pid_t                      child = -1;
    int                        state = 0, error;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory to start %s", arguments[0]);
    error = output >= 0 ? posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) : 0;
    if (error == 0)
        error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot run %s: %s", arguments[0], strerror(error));
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return ASSAY_FAIL(ASSAY_E_IO, "lost %s: %s", arguments[0], strerror(errno));
    return WIFEXITED(state) && WEXITSTATUS(state) == 0
               ? ASSAY_OK
               : ASSAY_FAIL(ASSAY_E_CASE, "%s failed", arguments[0]);
}

static assay_status read_all(int file, char **text, size_t *size)
{
    struct stat about;
    size_t      n = 0;

    if (fstat(file, &about) != 0 || lseek(file, 0, SEEK_SET) != 0)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot read a preprocessed text: %s", strerror(errno));
    *text = malloc((size_t)about.st_size + 1);
    if (!*text)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a text of %lld bytes",
                          (long long)about.st_size);
    while (n < (size_t)about.st_size) {
        const ssize_t here = read(file, *text + n, (size_t)about.st_size - n);

        if (here <= 0)
            return ASSAY_FAIL(ASSAY_E_IO, "cannot read a preprocessed text: %s", strerror(errno));
        n += (size_t)here;
    }
    (*text)[n] = '\0';
    *size      = n;
    return ASSAY_OK;
}

/* ---- preprocessing ---- */

static assay_status preprocess(const cc_command *c, bool for_device, char **text, size_t *size)
{
    assay_status st        = ASSAY_OK;
    const char **arguments = calloc((size_t)c->n + 16, sizeof *arguments);
    int          n = 0, file = -1;

    ASSAY_REQUIRE(arguments, ASSAY_E_MEMORY, "no memory for a command of %d words", c->n);
    arguments[n++] = c->argument[c->compiler];
    for (int i = c->compiler + 1; i < c->n; i++) {
        const int skip = length_of(c, i, IN(of_compiling)) +
                         (for_device ? length_of(c, i, IN(of_dependencies)) : 0);

        if (skip > 0)
            i += skip - 1;
        else if (c->argument[i] != c->source)
            arguments[n++] = c->argument[i];
    }
    const char *const rest[] = {
        "-DASSAY_TRANSLATED=1", "-include", "cuda_runtime.h", "-E", "-x", "c++", c->source
    };

    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        arguments[n++] = rest[i];
    if (for_device)
        arguments[n++] = DEVICE_ARCHITECTURE;
    file = memfd_create("preprocessed", MFD_CLOEXEC);
    ASSAY_REQUIRE(file >= 0, ASSAY_E_IO, "no file for a preprocessed text: %s", strerror(errno));
    ASSAY_CHECK(cc_spawn((char *const *)(uintptr_t)arguments, file));
    ASSAY_CHECK(read_all(file, text, size));
out:
    if (file >= 0)
        (void)close(file);
    free(arguments);
    return st;
}

static bool file_has(const char *name, size_t length, const char *word)
{
    char       *path = strndup(name, length), *text = NULL;
    size_t      size = 0;
    bool        has  = false;
    int         file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat about;

    /* A line marker may also name the folder of work, which is no error. */
    if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        has = read_all(file, &text, &size) == ASSAY_OK && strstr(text, word) != NULL;
    if (file >= 0)
        (void)close(file);
    free(path);
    free(text);
    return has;
}

/* Searches only the files of the user: their line markers have no 3 after the name. */
static bool asks_for_architecture(const char *text)
{
    const char *last        = "";
    size_t      last_length = 0;

    for (const char *at = strstr(text, "\n# "); at; at = strstr(at + 1, "\n# ")) {
        const char *eol  = strchr(at + 1, '\n');
        const char *name = strchr(at, '"'), *end = name ? strchr(name + 1, '"') : NULL;

        if (!eol || !end || end > eol || memchr(end, '3', (size_t)(eol - end)) || name[1] == '<')
            continue;
        name++;
        if ((size_t)(end - name) == last_length && memcmp(name, last, last_length) == 0)
            continue;
        last        = name;
        last_length = (size_t)(end - name);
        if (file_has(name, last_length, "__CUDA_ARCH__"))
            return true;
    }
    return false;
}

assay_status cc_preprocess(const cc_command *command, assay_translate_text *host,
                           assay_translate_text *device)
{
    assay_status st   = ASSAY_OK;
    char        *text = NULL;

    ASSAY_CHECK(preprocess(command, false, &text, &host->size));
    host->text = text;
    if (asks_for_architecture(text)) {
        ASSAY_CHECK(preprocess(command, true, &text, &device->size));
        device->text = text;
    }
out:
    return st;
}

/* ---- compiling ---- */

assay_status cc_run(const cc_command *c) { return cc_spawn(c->argument, -1); }

assay_status cc_compile(const cc_command *c)
{
    assay_status st        = ASSAY_OK;
    const char **arguments = calloc((size_t)c->n + 16, sizeof *arguments);
    int          n         = 0;

    ASSAY_REQUIRE(arguments, ASSAY_E_MEMORY, "no memory for a command of %d words", c->n);
    for (int i = 0; i < c->n; i++) {
        const int skip = i <= c->compiler ? 0
                                          : length_of(c, i, IN(of_preprocessing)) +
                                                length_of(c, i, IN(of_dependencies)) +
                                                length_of(c, i, IN(of_compiling));

        if (skip > 0)
            i += skip - 1;
        else if (c->argument[i] != c->source)
            arguments[n++] = c->argument[i];
    }
    const char *const rest[] = { "-x", "c++-cpp-output", "-c", c->translated, "-o", c->object };

    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        arguments[n++] = rest[i];
    ASSAY_CHECK(cc_spawn((char *const *)(uintptr_t)arguments, -1));
out:
    free(arguments);
    return st;
}
