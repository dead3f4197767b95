/* sources and saves: which files a case is made of, and which writes count as saving one. */
#include "testing/testing.h"

#include "watch/saves.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/assay-saves-XXXXXX";

static const char *at(const char *name)
{
    static char path[PATH_MAX];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(at(name), "w");

    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void rename_file(const char *from, const char *to)
{
    char old[PATH_MAX];

    (void)snprintf(old, sizeof old, "%s", at(from));
    assert_int_equal(rename(old, at(to)), 0);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || mkdir(at("sub"), 0777) != 0)
        return 1;
    write_file("a.cu", "#include \"sub/b.cuh\"\n  # include \"missing.h\"\n#include <c.h>\n"
                       "#include \"c.h");
    write_file("sub/b.cuh", "#include \"../a.cu\"\n#include \"../d.h\" // again\n");
    write_file("c.h", "");
    write_file("d.h", "");
    write_file("other.h", "");
    return 0;
}

static int remove_files(void **state)
{
    static const char *const names[] = { "a.cu", "sub/b.cuh", "c.h", "d.h", "other.h", "sub" };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (remove(at(names[i])) != 0)
            return 1;
    return rmdir(folder);
}

static void what_is_included_belongs_to_it(void **state)
{
    assay_sources sources = { .paths = NULL };
    char          sub[PATH_MAX];

    (void)state;
    assert_int_equal(assay_sources_add(&sources, at("a.cu")), ASSAY_OK);
    assert_int_equal(assay_sources_add(&sources, at("sub/../a.cu")), ASSAY_OK);
    assert_int_equal(assay_sources_add(&sources, at("missing.cu")), ASSAY_OK);
    assert_int_equal(assay_sources_add(&sources, at("nowhere/missing.cu")), ASSAY_OK);
    assert_int_equal(sources.n, 5);
    assert_true(assay_sources_have(&sources, folder, "missing.cu")); /* it may come back */
    (void)snprintf(sub, sizeof sub, "%s", at("sub"));
    assert_true(assay_sources_have(&sources, folder, "a.cu"));
    assert_true(assay_sources_have(&sources, folder, "c.h"));
    assert_true(assay_sources_have(&sources, folder, "d.h"));
    assert_true(assay_sources_have(&sources, sub, "b.cuh"));
    assert_false(assay_sources_have(&sources, folder, "b.cuh"));
    assert_false(assay_sources_have(&sources, folder, "other.h"));
    assay_sources_free(&sources);
    assay_sources_free(&sources);
    assay_sources_free(NULL);
}

/* Without a save it would wait forever: -1 stands for no file. */
static bool is_saved(assay_saves *saves, const assay_sources *sources)
{
    bool saved = false;

    assert_int_equal(assay_saves_wait(saves, sources, -1, &saved), ASSAY_OK);
    return saved;
}

/* Another file descriptor can be read at once. */
static bool is_nothing_saved(assay_saves *saves, const assay_sources *sources)
{
    int  fds[2];
    bool saved = true;

    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(assay_saves_wait(saves, sources, fds[0], &saved), ASSAY_OK);
    assert_int_equal(close(fds[0]), 0);
    assert_int_equal(close(fds[1]), 0);
    return !saved;
}

static void saves_are_seen_however_they_are_made(void **state)
{
    assay_sources sources = { .paths = NULL };
    assay_saves  *saves   = NULL;

    (void)state;
    assert_int_equal(assay_sources_add(&sources, at("a.cu")), ASSAY_OK);
    assert_int_equal(assay_saves_open(&saves), ASSAY_OK);
    assert_int_equal(assay_saves_look(saves, &sources), ASSAY_OK);
    assert_int_equal(assay_saves_look(saves, &sources), ASSAY_OK);
    assert_true(is_nothing_saved(saves, &sources));

    write_file("other.h", "not of the case");
    write_file("a.cu.swp", "nor that of an editor");
    assert_int_equal(remove(at("a.cu.swp")), 0);
    assert_true(is_nothing_saved(saves, &sources));

    write_file("d.h", "in place");
    assert_true(is_saved(saves, &sources));
    write_file("d.h.new", "by another name");
    rename_file("d.h.new", "d.h");
    assert_true(is_saved(saves, &sources));
    for (int i = 0; i < 20; i++)
        write_file(i % 2 == 0 ? "sub/b.cuh" : "c.h", "a burst");
    assert_true(is_saved(saves, &sources));
    assert_true(is_nothing_saved(saves, &sources));
    assay_saves_close(saves);
    assay_saves_close(NULL);
    assay_sources_free(&sources);
}

static void a_folder_that_is_gone_is_named(void **state)
{
    char         *path    = strdup("/no/such/folder/a.cu");
    assay_sources sources = { .paths = &path, .n = 1 };
    assay_saves  *saves   = NULL;

    (void)state;
    assert_int_equal(assay_saves_open(&saves), ASSAY_OK);
    assert_failed_with(assay_saves_look(saves, &sources), ASSAY_E_IO, "folder /no/such/folder");
    assay_saves_close(saves);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_included_belongs_to_it),
        cmocka_unit_test(saves_are_seen_however_they_are_made),
        cmocka_unit_test(a_folder_that_is_gone_is_named),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
