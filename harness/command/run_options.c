/* A request as text, and back. */
#include "run_options.h"

#include "base/text.h"
#include "sanitize/sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

assay_status assay_run_options_write(const assay_run_request *request, const assay_target *target,
                                     char *text, size_t size)
{
    assay_status          st       = ASSAY_OK;
    const assay_timing   *timing   = &request->timing;
    const assay_counting *counting = &request->counting;
    const char           *kernels  = request->target.kernels ? target->module_path : "";
    int                   length =
        snprintf(text, size,
                 "--device=%s\n--gpu=%d\n--kernels=%s\n--processes=%d\n--time=%.17g\n"
                 "--target-error=%.17g\n--flush=%s\n--tune=%d\n--against-itself=%d\n"
                 "--metrics=%s\n--replay=%s\n--benchmark-flags=%d\n--strict-memory-model=%d\n",
                 target->info.kind, target->device_index, kernels, timing->n_processes,
                 timing->time_s, timing->target_error, timing->flush, request->stages.tunes,
                 timing->against_itself, counting->metrics ? counting->metrics : "",
                 counting->replay, request->outputs.gbench.n, request->is_strict);

    if (request->script && length >= 0 && (size_t)length < size)
        length +=
            snprintf(text + length, size - (size_t)length, "--script=%s\n--script-digest=%s\n",
                     request->script, request->script_digest);
    if (request->repeats && length >= 0 && (size_t)length < size)
        length +=
            snprintf(text + length, size - (size_t)length, "--repeats=%s\n", request->repeats);
    if (request->tool != ASSAY_GPU_TOOL_NONE && length >= 0 && (size_t)length < size)
        length += snprintf(text + length, size - (size_t)length, "--sanitizer=%s\n",
                           assay_gpu_tool_text(request->tool));
    ASSAY_REQUIRE(length >= 0 && (size_t)length < size, ASSAY_E_USAGE,
                  "--kernels, --metrics and --script are too long to be stored: together about %zu "
                  "characters are",
                  size - 256);
    ASSAY_REQUIRE(!strchr(kernels, '\n'), ASSAY_E_USAGE,
                  "the path of the kernel module has a line break");
out:
    return st;
}

static double read_number(const char *text, const char *name)
{
    char value[64];

    assay_text_option(text, name, value, sizeof value);
    return strtod(value, NULL);
}

static void read_texts(const char *text, assay_run_options *options, assay_run_request *request)
{
    const struct {
        const char  *name;
        char        *value;
        size_t       size;
        const char **member; /* unchanged if the option was not given */
    } texts[] = {
        { "--device=", options->device, sizeof options->device, &request->target.device },
        { "--metrics=", options->metrics, sizeof options->metrics, &request->counting.metrics },
        { "--flush=", options->flush, sizeof options->flush, &request->timing.flush },
        { "--replay=", options->replay, sizeof options->replay, &request->counting.replay },
    };

    /* These never become part of the request: nothing that a database names is loaded or run. */
    assay_text_option(text, "--kernels=", options->kernels, sizeof options->kernels);
    assay_text_option(text, "--script=", options->script, sizeof options->script);
    assay_text_option(text, "--script-digest=", options->script_digest,
                      sizeof options->script_digest);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assay_text_option(text, texts[i].name, texts[i].value, texts[i].size);
        if (texts[i].value[0])
            *texts[i].member = texts[i].value;
    }
}

/* The file may hold any text. */
static int read_int(const char *text, const char *name)
{
    const double number = read_number(text, name);

    return number > 0 && number < 1e9 ? (int)number : 0;
}

void assay_run_options_read(const char *text, assay_run_options *options,
                            assay_run_request *request)
{
    assay_timing *timing = &request->timing;
    char          tool[16];

    assay_text_option(text, "--sanitizer=", tool, sizeof tool);
    if (!assay_sanitize_parse(tool, &request->tool))
        request->tool = ASSAY_GPU_TOOL_NONE;
    read_texts(text, options, request);
    request->target.gpu        = read_int(text, "--gpu=");
    request->stages.tunes      = read_number(text, "--tune=") > 0;
    timing->n_processes        = read_int(text, "--processes=");
    timing->time_s             = read_number(text, "--time=");
    timing->target_error       = read_number(text, "--target-error=");
    timing->against_itself     = read_number(text, "--against-itself=") > 0;
    request->is_strict         = read_number(text, "--strict-memory-model=") > 0;
    options->n_benchmark_flags = read_int(text, "--benchmark-flags=");
}
