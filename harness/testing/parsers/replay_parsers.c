/* Gives every file of the corpora to its parser: whole, cut in the middle, and with one byte
 * changed. replay_parsers CORPORA */
#include "parsers.h"

#include "status.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *size)
{
    FILE  *file   = fopen(path, "rb");
    char  *text   = NULL;
    size_t length = 0;

    *size = 0;
    if (!file)
        return NULL;
    for (size_t n = 1; n > 0; length += n) {
        char *more = realloc(text, length + 65536);

        if (!more)
            abort();
        text = more;
        n    = fread(text + length, 1, 65536, file);
    }
    (void)fclose(file);
    *size = length;
    return text;
}

/* Copies the text to memory of exactly its size, so that a sanitizer sees the end. */
static void give(const parser *p, const char *text, size_t size)
{
    char *own = malloc(size + 1);

    if (!own)
        abort();
    memcpy(own, text, size);
    own[size] = '\0';
    p->take(own, size);
    assay_status_reset();
    free(own);
}

static void replay(const parser *p, char *text, size_t size)
{
    static const char others[] = { 0, '"', ',', '\n', '-', (char)0xff };
    const size_t      step     = size / 40 + 1;

    give(p, text, size);
    for (size_t at = 0; at < size; at += step) {
        const char byte = text[at];

        give(p, text, at);
        text[at] = others[at / step % sizeof others];
        give(p, text, size);
        text[at] = byte;
    }
}

static int replay_folder(const parser *p, const char *corpora)
{
    char path[PATH_MAX];
    int  n = 0;

    (void)snprintf(path, sizeof path, "%s/%s", corpora, p->name);
    DIR *folder = opendir(path);

    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char   file[PATH_MAX + 300];
        size_t size;

        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        char *text = read_file(file, &size);

        if (!text)
            return 0;
        replay(p, text, size);
        free(text);
        n++;
    }
    if (folder)
        (void)closedir(folder);
    (void)printf("%-16s %d files\n", p->name, n);
    return n;
}

int main(int argc, char **argv)
{
    int n_empty = 0;

    for (const parser *p = parsers; p->name; p++)
        n_empty += replay_folder(p, argc == 2 ? argv[1] : "corpus") == 0;
    if (n_empty)
        (void)printf("%d parsers without a corpus\n", n_empty);
    return n_empty > 0;
}
