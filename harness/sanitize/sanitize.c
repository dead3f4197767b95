/* Where compute-sanitizer is, and how a process is started under it. */
#include "sanitize.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char NAME[] = "compute-sanitizer";

bool assay_sanitize_parse(const char *word, assay_gpu_tool *tool)
{
    for (int t = ASSAY_GPU_TOOL_NONE + 1; t < ASSAY_N_GPU_TOOLS; t++) {
        if (strcmp(assay_gpu_tool_text((assay_gpu_tool)t), word) == 0) {
            *tool = (assay_gpu_tool)t;
            return true;
        }
    }
    return false;
}

/* ---- where it is ---- */

static bool is_program(const char *path) { return strchr(path, '/') && access(path, X_OK) == 0; }

static bool find_in(const char *folders, char *path, size_t size)
{
    while (folders && *folders) {
        const size_t length = strcspn(folders, ":");

        if (length > 0 &&
            (size_t)snprintf(path, size, "%.*s/%s", (int)length, folders, NAME) < size &&
            is_program(path))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Beside nvcc, or in the toolkit's folder of that name. */
static bool find_in_toolkit(const char *toolkit, char *path, size_t size)
{
    char folders[1024];

    if (!toolkit || !*toolkit)
        return false;
    (void)assay_text_set(folders, sizeof folders, "%s/bin:%s/compute-sanitizer", toolkit, toolkit);
    return find_in(folders, path, size);
}

bool assay_sanitize_find(char *path, size_t size, char *why, size_t why_size)
{
    const char *named = getenv(ASSAY_SANITIZE_PROGRAM);

    if (named && *named) {
        (void)assay_text_set(path, size, "%s", named);
        (void)assay_text_set(why, why_size, "%s names %s, which cannot be started",
                             ASSAY_SANITIZE_PROGRAM, named);
        return strlen(named) < size && is_program(named);
    }
    (void)assay_text_set(why, why_size,
                         "there is no %s in PATH, and none in CUDA_HOME or /usr/local/cuda: it "
                         "comes with the CUDA toolkit (%s names one that lies elsewhere)",
                         NAME, ASSAY_SANITIZE_PROGRAM);
    return find_in(getenv("PATH"), path, size) ||
           find_in_toolkit(getenv("CUDA_HOME"), path, size) ||
           find_in_toolkit("/usr/local/cuda", path, size);
}

/* ---- how it is started ---- */

/* Faults of CUDA's calls are the harness's to judge, which provokes some; so is the exit status.
 * Children are peers and the like. */
static const char *const options_of_all[] = {
    "--target-processes",  "application-only",
    "--check-exit-code",   "no",
    "--require-cuda-init", "no",
    "--show-backtrace",    "device",
    "--print-limit",       "1000",
    "--launch-timeout",    "120",
    "--max-connections",   "64",
};
_Static_assert(ASSAY_SANITIZE_PRINTED == 1000, "the option's word");

static const struct {
    assay_gpu_tool tool;
    const char    *words[4];
} options_of_one[] = {
    /* An access far behind one allocation is not to hit the next one. */
    { ASSAY_GPU_TOOL_MEMCHECK, { "--report-api-errors", "no", "--padding", "4096" } },
    /* What is brought home to be judged may well hold what no kernel has to write. */
    { ASSAY_GPU_TOOL_INITCHECK, { "--check-api-memory-access", "no" } },
};

int assay_sanitize_words(assay_gpu_tool tool, const char *path, const char *log,
                         const char *words[ASSAY_SANITIZE_WORDS])
{
    const char *const first[] = { path, "--tool", assay_gpu_tool_text(tool), "--log-file", log };
    int               n       = 0;

    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        words[n++] = first[i];
    for (size_t i = 0; i < sizeof options_of_all / sizeof options_of_all[0]; i++)
        words[n++] = options_of_all[i];
    for (size_t i = 0; i < sizeof options_of_one / sizeof options_of_one[0]; i++)
        for (int w = 0; options_of_one[i].tool == tool && w < 4 && options_of_one[i].words[w]; w++)
            words[n++] = options_of_one[i].words[w];
    ASSAY_ASSERT(n <= ASSAY_SANITIZE_WORDS);
    return n;
}
