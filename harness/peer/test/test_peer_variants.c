/* Variants that a file declares. A shell script stands in for Python and prints what the file
 * holds. */
#include "peer/peer_variants.h"

#include "testing/testing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const assay_case        doubling = { .name     = "doubling",
                                            .group    = "toys",
                                            .variants = { { .name = "plain" } } };
static const assay_case        halving = { .name = "halving", .variants = { { .name = "plain" } } };
static const assay_case *const cases[] = { &doubling, &halving, NULL };

static char folder[] = "/tmp/assay_variants_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];

    assert_true(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A folder of peers, and an interpreter that prints the file of variants. */
static int begin(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file("assay_variants.py", "");
    write_file("python", "#!/bin/sh\n# -B SCRIPT DEVICE FILE DIGEST\nsed \"s/DIGEST/$5/\" \"$4\"; "
                         "printf 'end\\n'\n");
    assert_int_equal(chmod(in_folder("python"), 0700), 0);
    assert_int_equal(setenv("ASSAY_PYTHON", in_folder("python"), 1), 0);
    assert_int_equal(setenv("ASSAY_PEERS", folder, 1), 0);
    return 0;
}

static int end(void **state)
{
    static const char *const files[] = { "assay_variants.py", "python", "mine.py" };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        assert_true(unlink(in_folder(files[i])) == 0 || errno == ENOENT);
    assert_int_equal(rmdir(folder), 0);
    return 0;
}

static assay_status take(const char *lines, assay_peer_variants *found)
{
    write_file("mine.py", lines);
    return assay_peer_variants_take(in_folder("mine.py"), cases, found);
}

static void they_are_added_to_their_cases(void **state)
{
    assay_peer_variants  found;
    const assay_variant *mine;

    (void)state;
    assert_int_equal(take("hello\nvariant doubling mine plain 2.5\nvariant doubling other - 0\n"
                          "variant halving mine - 0\n",
                          &found),
                     ASSAY_OK);
    assert_int_equal(found.n, 3);
    assert_string_equal(found.variants[2].case_name, "halving");
    assert_int_equal(assay_registry_count(found.cases), 2);
    assert_ptr_equal(doubling.variants[1].name, NULL);
    mine = &found.cases[0]->variants[1];
    assert_string_equal(mine->name, "mine");
    assert_string_equal(mine->baseline, "plain");
    assert_true(mine->time_limit_s == 2.5);
    assert_string_equal(mine->peer.file, found.file);
    assert_string_equal(found.cases[0]->variants[2].name, "other");
    assert_null(found.cases[0]->variants[2].baseline);
}

static void a_worker_has_those_of_its_parent(void **state)
{
    assay_peer_variants found;
    assay_case_table    table = cases;

    (void)state;
    assert_int_equal(take("hello\nvariant halving mine - 0\n", &found), ASSAY_OK);
    assert_int_equal(assay_peer_variants_inherit(&table), ASSAY_OK);
    assert_string_equal(table[1]->variants[1].name, "mine");
    assert_int_equal(unsetenv("ASSAY_WORKER_VARIANTS"), 0);
    table = cases;
    assert_int_equal(assay_peer_variants_inherit(&table), ASSAY_OK);
    assert_ptr_equal(table, cases);
}

/* The process that serves a file gets the digest that it must find there; so does a worker's. */
static void a_file_has_a_digest(void **state)
{
    static const char   text[] = "hello\nvariant halving mine DIGEST 0\n";
    assay_peer_variants found;
    assay_case_table    table = cases;
    char                first[64], length[16];

    (void)state;
    (void)snprintf(length, sizeof length, "-%zu", sizeof text - 1);
    assert_int_equal(take(text, &found), ASSAY_OK);
    assert_true(strlen(found.digest) == 8 + strlen(length));
    assert_string_equal(found.digest + 8, length);
    assert_string_equal(found.cases[1]->variants[1].baseline, found.digest);
    (void)snprintf(first, sizeof first, "%s", found.digest);
    assert_int_equal(take("hello\nvariant halving mime DIGEST 0\n", &found), ASSAY_OK);
    assert_string_equal(found.digest + 8, length);
    assert_string_not_equal(found.digest, first);
    assert_int_equal(assay_peer_variants_inherit(&table), ASSAY_OK);
    assert_string_equal(table[1]->variants[1].baseline, found.digest);
}

static void what_cannot_be_is_named(void **state)
{
    static const struct {
        const char *lines, *words;
    } rows[] = {
        { "hello\n", "declares no variant" },
        { "hello\nvariant doublin mine - 0\n", "doubling" },
        { "hello\nvariant toys mine - 0\n", "'toys' is a group" },
        { "hello\nvariant doubling plain - 0\n", "has a variant 'plain' already" },
        { "hello\nvariant halving mine - 0\nvariant halving mine - 0\n", "choose another name" },
        { "hello\nvariant halving mine -\n", "declares an invalid variant" },
        { "hello\nvariant halving mine - never\n", "declares an invalid variant" },
        { "hello\nvariant halving mine - -1\n", "declares an invalid variant" },
        { "hello\nvariant halving mine - nan\n", "declares an invalid variant" },
        { "hello\nprotocol 3\nvariant halving mine - 0\n", "protocol 3" },
        { "failed\nreason SyntaxError: here\n", "cannot be loaded: " },
        { "failed\nreason SyntaxError: here\n", "SyntaxError: here" },
    };
    assay_peer_variants found;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(take(rows[i].lines, &found), ASSAY_E_USAGE);
        if (!strstr(assay_status_message(), rows[i].words))
            fail_msg("\"%s\" does not say \"%s\"", assay_status_message(), rows[i].words);
        assay_status_reset();
    }
    assert_int_equal(assay_peer_variants_take("/no/such.py", cases, &found), ASSAY_E_USAGE);
    assert_non_null(strstr(assay_status_message(), "/no/such.py cannot be read"));
    assay_status_reset();
}

static void a_case_holds_so_many(void **state)
{
    char                lines[4096] = "hello\n";
    assay_peer_variants found;

    (void)state;
    for (int i = 0; i < ASSAY_MAX_VARIANTS; i++)
        (void)snprintf(lines + strlen(lines), sizeof lines - strlen(lines),
                       "variant halving v%d - 0\n", i);
    assert_int_equal(take(lines, &found), ASSAY_E_USAGE);
    assert_non_null(strstr(assay_status_message(), "can hold no more"));
    assay_status_reset();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_added_to_their_cases),
        cmocka_unit_test(a_worker_has_those_of_its_parent),
        cmocka_unit_test(a_file_has_a_digest),
        cmocka_unit_test(what_cannot_be_is_named),
        cmocka_unit_test(a_case_holds_so_many),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
