/* How a worker is started: this program again, or compute-sanitizer with this program. */
#include "child_command.h"

#include "base/places.h"

#include <stdio.h>
#include <unistd.h>

/* compute-sanitizer needs a file to write to, and the path of the program to start. */
static assay_status put_tool(const assay_worker_options *own, int log_fd, assay_child_command *line,
                             int *n)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(assay_places_self(line->self, sizeof line->self), ASSAY_E_IO,
                  "cannot find out this program's path, to start it under %s",
                  assay_gpu_tool_text(own->tool));
    (void)snprintf(line->log, sizeof line->log, "/proc/%d/fd/%d", (int)getpid(), log_fd);
    line->program       = own->tool_path;
    *n                  = assay_sanitize_words(own->tool, own->tool_path, line->log, line->words);
    line->words[(*n)++] = line->self;
out:
    return st;
}

assay_status assay_child_command_make(const assay_worker_options *own, int log_fd,
                                      assay_child_command *line)
{
    assay_status st     = ASSAY_OK;
    const int numbers[] = { own->device_index, (int)own->cupti_use, own->request_fd, own->reply_fd,
                            own->shared_fd,    (int)own->tool,      (int)getpid() };
    int       n         = 0;

    line->program = "/proc/self/exe";
    if (own->tool != ASSAY_GPU_TOOL_NONE)
        ASSAY_CHECK(put_tool(own, log_fd, line, &n));
    else
        line->words[n++] = "assay";
    line->words[n++] = "worker";
    line->words[n++] = own->module_path;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        (void)snprintf(line->numbers[i], sizeof line->numbers[i], "%d", numbers[i]);
        line->words[n++] = line->numbers[i];
    }
    line->words[n] = NULL;
out:
    return st;
}
