/* Reading what identifies a host and a build. */
#include "environment.h"

#include "build_info.h"
#include "text.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

assay_status assay_environment_uuid(char *uuid, size_t size)
{
    unsigned char b[16];

    if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "no random bytes: %s", strerror(errno));
    b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
    (void)assay_text_set(uuid, size,
                         "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                         b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
                         b[12], b[13], b[14], b[15]);
    return ASSAY_OK;
}

static void append(char *line, size_t size, const char *text)
{
    const size_t used = strlen(line);

    (void)assay_text_set(line + used, size - used, "%s", text);
}

void assay_environment_quote(const char *word, char *line, size_t size)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:+@%";

    if (line[0] != '\0')
        append(line, size, " ");
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        append(line, size, word);
        return;
    }
    append(line, size, "'");
    for (; *word; word++)
        append(line, size, *word == '\'' ? "'\\''" : (char[]) { *word, '\0' });
    append(line, size, "'");
}

/* The linker's build id of the main program, as hex: what was run, whatever its name. */
static int read_build_id(struct dl_phdr_info *info, size_t size, void *context)
{
    assay_run_row *row = context;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        const char *at           = (const char *)(info->dlpi_addr + header->p_vaddr);
        const char *end          = at + header->p_memsz;

        while (header->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const unsigned char *bytes =
                (const unsigned char *)(note + 1) + (note->n_namesz + 3u) / 4 * 4;

            for (unsigned k = 0; note->n_type == NT_GNU_BUILD_ID && k < note->n_descsz; k++)
                (void)snprintf(row->binary_id + 2 * k, 2 * k + 3 <= sizeof row->binary_id ? 3 : 0,
                               "%02x", bytes[k]);
            at = (const char *)bytes + (note->n_descsz + 3u) / 4 * 4;
        }
    }
    return 1; /* the first entry is the program itself */
}

/* The value of "key<spaces>: value" in a /proc file; "" if absent. */
static void read_proc(const char *path, const char *key, char *value, size_t size)
{
    FILE *file = fopen(path, "r");
    char  line[512];

    value[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        const char *rest = assay_text_after(line, key);

        if (!rest)
            continue;
        rest += strspn(rest, " \t:");
        (void)assay_text_set(value, size, "%.*s", (int)strcspn(rest, "\n"), rest);
        break;
    }
    if (file)
        (void)fclose(file);
}

int64_t assay_environment_free_bytes(void)
{
    char kilobytes[64];

    read_proc("/proc/meminfo", "MemAvailable", kilobytes, sizeof kilobytes);
    return 1024 * strtoll(kilobytes, NULL, 10);
}

assay_status assay_environment_fill(int argc, char **argv, assay_run_row *row)
{
    assay_status   st = ASSAY_OK;
    struct utsname name;

    ASSAY_CHECK(assay_environment_uuid(row->uuid, sizeof row->uuid));
    for (int i = 0; i < argc; i++)
        assay_environment_quote(argv[i], row->command, sizeof row->command);
    if (uname(&name) == 0) {
        (void)assay_text_set(row->host, sizeof row->host, "%s", name.nodename);
        (void)assay_text_set(row->kernel_release, sizeof row->kernel_release, "%s", name.release);
    }
    read_proc("/proc/cpuinfo", "model name", row->cpu_model, sizeof row->cpu_model);
    row->n_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    (void)assay_text_set(row->assay_version, sizeof row->assay_version, "%s", ASSAY_VERSION);
    (void)assay_text_set(row->git_commit, sizeof row->git_commit, "%s", ASSAY_GIT_COMMIT);
    row->git_dirty = ASSAY_GIT_DIRTY;
    (void)assay_text_set(row->compiler, sizeof row->compiler, "%s", ASSAY_COMPILER);
    (void)assay_text_set(row->cuda_compiler, sizeof row->cuda_compiler, "%s", ASSAY_CUDA_COMPILER);
    (void)assay_text_set(row->build_type, sizeof row->build_type, "%s", ASSAY_BUILD_TYPE);
    (void)assay_text_set(row->build_flags, sizeof row->build_flags, "%s", ASSAY_BUILD_FLAGS);
    (void)dl_iterate_phdr(read_build_id, row);
out:
    return st;
}
