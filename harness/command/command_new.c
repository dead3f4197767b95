/* assay new: writes a case for a file of kernels, to be completed by hand. */
#include "cli.h"

#include "base/stream.h"
#include "scaffold/scaffold.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_BYTES = 16 << 20 /* limit for a file of kernels */
};

/* Reads a file as text; caller frees. */
static assay_status read_file(const char *path, char **text)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = fopen(path, "r");
    size_t       n    = 0;

    *text = NULL;
    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
    *text = malloc(MAX_BYTES + 1);
    ASSAY_REQUIRE(*text, ASSAY_E_MEMORY, "no memory for %s", path);
    n = fread(*text, 1, MAX_BYTES, file);
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
    (*text)[n] = '\0';
    ASSAY_REQUIRE(n < MAX_BYTES && strlen(*text) == n, ASSAY_E_USAGE,
                  "%s is no text of at most 16 MiB", path);
out:
    if (file)
        (void)fclose(file);
    return st;
}

/* Writes a new file; never replaces one that exists. */
static assay_status write_new(const char *path, const char *text)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = fopen(path, "wx");

    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    (void)fputs(text, file);
    ASSAY_REQUIRE(fflush(file) == 0, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    (void)printf("wrote %s\n", path);
out:
    if (file && fclose(file) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    return st;
}

/* The files to write, each as a text. */
typedef struct texts {
    const char *name;
    char        kernel_path[128], case_path[128];
    const char *file; /* file of the kernels */
    char       *kernel, *definition, *build;
} texts;

typedef assay_status put_fn(const texts *t, assay_found *found, FILE *out);

static assay_status put_kernel(const texts *t, assay_found *found, FILE *out)
{
    (void)found;
    return assay_scaffold_kernel(t->name, out);
}

static assay_status put_definition(const texts *t, assay_found *found, FILE *out)
{
    return assay_scaffold_case(t->name, t->file, found, out);
}

static assay_status put_build(const texts *t, assay_found *found, FILE *out)
{
    (void)found;
    return assay_scaffold_build(t->name, t->file, out);
}

static assay_status make_text(const texts *t, assay_found *found, put_fn *put, char **text)
{
    assay_status st   = ASSAY_OK;
    size_t       size = 0;
    FILE        *out  = assay_stream_open(text, &size);

    ASSAY_REQUIRE(out, ASSAY_E_MEMORY, "no memory for a text");
    st = put(t, found, out);
    if (fclose(out) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a text");
out:
    return st;
}

static assay_status make_texts(texts *t, const char *from)
{
    assay_status st    = ASSAY_OK;
    assay_found  found = { .kernel = NULL };

    if (from)
        ASSAY_CHECK(read_file(from, &t->kernel));
    else
        ASSAY_CHECK(make_text(t, &found, put_kernel, &t->kernel));
    ASSAY_CHECK(assay_found_read(t->kernel, &found));
    ASSAY_CHECK(make_text(t, &found, put_definition, &t->definition));
    ASSAY_CHECK(make_text(t, &found, put_build, &t->build));
    assay_scaffold_list(t->file, &found, stdout);
out:
    assay_found_free(&found);
    return st;
}

static assay_status require_absent(const char *path)
{
    return access(path, F_OK) != 0
               ? ASSAY_OK
               : ASSAY_FAIL(ASSAY_E_USAGE,
                            "%s is there already, and is left as it is: another name, or another "
                            "folder",
                            path);
}

static assay_status write_texts(const texts *t, bool has_kernel)
{
    assay_status st = ASSAY_OK;

    if (!has_kernel)
        ASSAY_CHECK(write_new(t->kernel_path, t->kernel));
    ASSAY_CHECK(write_new(t->case_path, t->definition));
    if (access("CMakeLists.txt", F_OK) == 0)
        (void)printf("CMakeLists.txt is there already: it needs the line assay_case(%s KERNELS "
                     "\"%s\")\n",
                     t->name, t->file);
    else
        ASSAY_CHECK(write_new("CMakeLists.txt", t->build));
    (void)printf(
        "next: write %s_reference in %s, check what is marked TO CHECK there, and build as "
        "CMakeLists.txt says\n",
        t->name, t->case_path);
out:
    return st;
}

int assay_command_new(const assay_cli *cli)
{
    const char  *from = cli->create.from;
    texts        t    = { .name = cli->selection.cases[0] };
    assay_status st   = ASSAY_OK;

    ASSAY_REQUIRE(cli->selection.n_cases == 1, ASSAY_E_USAGE,
                  "new takes one name: assay new NAME --from kernels.cu");
    ASSAY_CHECK(assay_scaffold_check_name(t.name));
    (void)snprintf(t.kernel_path, sizeof t.kernel_path, "%s.cu", t.name);
    (void)snprintf(t.case_path, sizeof t.case_path, "%s.c", t.name);
    t.file = from ? from : t.kernel_path;
    ASSAY_CHECK(assay_scaffold_check_file(t.file));
    ASSAY_CHECK(require_absent(t.case_path));
    if (!from)
        ASSAY_CHECK(require_absent(t.kernel_path));
    ASSAY_CHECK(make_texts(&t, from));
    ASSAY_CHECK(write_texts(&t, from != NULL));
out:
    free(t.kernel);
    free(t.definition);
    free(t.build);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
