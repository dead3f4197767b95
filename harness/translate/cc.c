/* assay-cc: stands before a C++ compiler's command line and compiles a plain .cu file for the host
 * device.
 *
 *   assay-cc [LAUNCHER] COMPILER OPTIONS -c FILE -o OBJECT
 *   assay-cc --apart OBJECT...      before these are linked into one module (cc_keep_doubles)
 *
 * The compiler preprocesses the file, and does so again as for a GPU if a file of the user has
 * __CUDA_ARCH__. The text is translated (translate.h), and the compiler compiles the result. With
 * nvcc as the compiler nothing is translated. Either way the object keeps its hidden symbols to
 * itself. Any other command is run unchanged. */
#include "cc_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail_by_status(void)
{
    (void)fprintf(stderr, "%s\n", assay_status_message());
    return 1;
}

static assay_status write_translation(const cc_command *command, FILE *out)
{
    assay_status         st   = ASSAY_OK;
    assay_translate_text host = { .text = NULL }, device = { .text = NULL };

    ASSAY_CHECK(cc_preprocess(command, &host, &device));
    ASSAY_CHECK(assay_translate(host, device, out, stderr));
out:
    free((char *)(uintptr_t)host.text);
    free((char *)(uintptr_t)device.text);
    return st;
}

static assay_status translate(const cc_command *command)
{
    assay_status st  = ASSAY_OK;
    FILE        *out = fopen(command->translated, "w");

    ASSAY_REQUIRE(out, ASSAY_E_IO, "cannot write %s: %s", command->translated, strerror(errno));
    ASSAY_CHECK(write_translation(command, out));
out:
    if (out && fclose(out) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot write %s: %s", command->translated, strerror(errno));
    return st;
}

int main(int argc, char **argv)
{
    cc_command   command;
    assay_status st = ASSAY_OK;

    if (argc < 2) {
        (void)fprintf(stderr, "usage: assay-cc COMPILER OPTIONS -c FILE.cu -o FILE.o\n");
        return 1;
    }
    if (strcmp(argv[1], "--apart") == 0)
        return cc_keep_doubles(argc - 2, argv + 2) == ASSAY_OK ? 0 : fail_by_status();
    ASSAY_CHECK(cc_read_command(argc - 1, argv + 1, &command));
    if (!command.source) {
        (void)execvp(argv[1], argv + 1);
        (void)fprintf(stderr, "cannot run %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    if (!command.is_cuda)
        ASSAY_CHECK(translate(&command));
    ASSAY_CHECK(command.is_cuda ? cc_run(&command) : cc_compile(&command));
    ASSAY_CHECK(cc_keep_weak(command.object));
out:
    if (st == ASSAY_OK && command.source && !getenv("ASSAY_CC_KEEP"))
        (void)unlink(command.translated);
    cc_free_command(&command);
    return st == ASSAY_OK ? 0 : fail_by_status();
}
