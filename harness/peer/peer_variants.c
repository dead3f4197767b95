/* Makes a table of cases from the lines "variant CASE NAME BASELINE SECONDS" of a file's process.
 */
#include "peer_variants.h"

#include "peer_internal.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Passed from the program to its workers: the file, its digest, and its lines. */
static const char INHERITED[] = "ASSAY_WORKER_VARIANTS";

/* The memory of the table, until the program ends or takes another file. */
static struct {
    char              *text;    /* its words are texts of variants */
    assay_case_table   program; /* the program's own cases */
    const assay_case **table;   /* owned, and of its cases the copies */
    char               digest[ASSAY_NAME_SIZE];
} kept;

const char *assay_peer_variants_digest(void) { return kept.digest; }

/* The crc32 and length of a file. That is enough against mistakes, its only purpose.
 * python/assay/variants.py computes the same. */
static assay_status read_digest(const char *path)
{
    assay_status  st       = ASSAY_OK;
    FILE         *file     = fopen(path, "rb");
    unsigned long checksum = crc32_z(0, NULL, 0);
    size_t        length   = 0, n;
    unsigned char block[4096];

    ASSAY_REQUIRE(file, ASSAY_E_USAGE, "--script %s cannot be read: %s", path, strerror(errno));
    while ((n = fread(block, 1, sizeof block, file)) > 0) {
        checksum = crc32_z(checksum, block, n);
        length += n;
    }
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_USAGE, "--script %s cannot be read: %s", path,
                  strerror(errno));
    (void)assay_text_set(kept.digest, sizeof kept.digest, "%08lx-%zu", checksum, length);
out:
    if (file)
        (void)fclose(file);
    return st;
}

/* ---- the table ---- */

static bool is_copy(int i) { return kept.table[i] != kept.program[i]; }

static void forget(void)
{
    for (int i = 0; kept.table && kept.table[i]; i++)
        if (is_copy(i))
            free((void *)(uintptr_t)kept.table[i]);
    free(kept.table);
    free(kept.text);
    kept.table = NULL;
    kept.text  = NULL;
}

static assay_status copy_table(assay_case_table cases)
{
    const size_t n = (size_t)assay_registry_count(cases);

    kept.table = calloc(n + 1, sizeof *kept.table);
    if (!kept.table)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a table of cases");
    memcpy(kept.table, cases, n * sizeof *kept.table);
    kept.program = cases;
    return ASSAY_OK;
}

/* Adds a variant to a copy of the case, since the program's own case is constant. */
static assay_status add_variant(const char *case_name, const assay_variant *variant)
{
    assay_status      st    = ASSAY_OK;
    const assay_case *found = assay_registry_find(kept.table, case_name);
    const int         n     = found ? assay_case_variant_count(found) : 0;
    assay_case       *copy  = NULL;

    if (!found)
        ASSAY_CHECK(assay_registry_require(kept.table, case_name));
    ASSAY_REQUIRE(found, ASSAY_E_USAGE, "'%s' is a group: a variant is of one case", case_name);
    ASSAY_REQUIRE(assay_case_find_variant(found, variant->name) < 0, ASSAY_E_USAGE,
                  "case '%s' has a variant '%s' already: choose another name", case_name,
                  variant->name);
    ASSAY_REQUIRE(n < ASSAY_MAX_VARIANTS, ASSAY_E_USAGE,
                  "case '%s' has %d variants, and can hold no more", case_name, n);
    copy = malloc(sizeof *copy);
    ASSAY_REQUIRE(copy, ASSAY_E_MEMORY, "no memory for a case");
    *copy             = *found;
    copy->variants[n] = *variant;
    for (int i = 0; kept.table[i]; i++) {
        if (kept.table[i] != found)
            continue;
        if (is_copy(i)) /* with one variant less */
            free((void *)(uintptr_t)kept.table[i]);
        kept.table[i] = copy;
    }
out:
    return st;
}

/* ---- lines ---- */

/* The next word of a line; NULL: there is none. */
static char *next_word(char **rest)
{
    char *word = strsep(rest, " ");

    return word && word[0] ? word : NULL;
}

static bool is_limit(const char *word, double *seconds)
{
    char *end = NULL;

    *seconds = strtod(word, &end);
    return end > word && *end == '\0' && *seconds >= 0 && *seconds <= 86400;
}

static assay_status add_line(char *line, assay_peer_variants *variants)
{
    assay_status st        = ASSAY_OK;
    char        *rest      = line;
    const char  *case_name = next_word(&rest), *name = next_word(&rest);
    const char  *baseline = next_word(&rest), *limit = next_word(&rest);
    double       limit_s = 0;

    ASSAY_REQUIRE(case_name && name && baseline && limit && is_limit(limit, &limit_s),
                  ASSAY_E_USAGE, "%s declares an invalid variant", variants->file);
    ASSAY_REQUIRE(variants->n < ASSAY_PEER_MOST_VARIANTS, ASSAY_E_USAGE,
                  "%s declares more than %d variants", variants->file, ASSAY_PEER_MOST_VARIANTS);
    ASSAY_CHECK(add_variant(
        case_name, &(assay_variant) { .name         = name,
                                      .peer         = { ASSAY_PEER_VARIANTS, name, variants->file },
                                      .baseline     = strcmp(baseline, "-") == 0 ? NULL : baseline,
                                      .time_limit_s = limit_s }));
    variants->variants[variants->n++] = (assay_peer_variant) { case_name, name };
out:
    return st;
}

/* Reads the file from the first line, its digest from the second, and a variant from each other
 * line. */
static assay_status take_text(const char *text, assay_case_table cases,
                              assay_peer_variants *variants)
{
    assay_status st = ASSAY_OK;
    char        *rest, *digest;

    forget();
    rest = kept.text = strdup(text);
    ASSAY_REQUIRE(kept.text, ASSAY_E_MEMORY, "no memory for the variants of a file");
    *variants = (assay_peer_variants) { .file = strsep(&rest, "\n"), .digest = kept.digest };
    digest    = strsep(&rest, "\n");
    (void)assay_text_set(kept.digest, sizeof kept.digest, "%s", digest ? digest : "");
    ASSAY_CHECK(copy_table(cases));
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
        ASSAY_CHECK(add_line(line, variants));
    variants->cases = kept.table;
out:
    return st;
}

/* ---- request ---- */

static assay_status ask(const char *file, char *text, size_t size)
{
    assay_status            st                                = ASSAY_OK;
    const assay_peer_script script                            = { ASSAY_PEER_VARIANTS, "", file };
    char                    interpreter[ASSAY_PEER_PATH_SIZE] = "";
    assay_peer             *peer                              = NULL;
    size_t                  length                            = 0;
    int                     n                                 = 0;
    assay_peer_finding      finding;

    ASSAY_CHECK(assay_peer_start(&script, "none", interpreter, &peer, &finding));
    ASSAY_REQUIRE(peer, ASSAY_E_USAGE, "--script %s cannot be loaded: %s", file, finding.reason);
    (void)assay_text_set(text, size, "%s\n%s", file, kept.digest);
    for (int i = 1; i < peer->hello.n; i++) {
        const char *variant = assay_text_after(peer->hello.line[i], "variant ");

        length = strlen(text);
        if (variant)
            (void)assay_text_set(text + length, size - length, "\n%s", variant);
        n += variant != NULL;
    }
    ASSAY_REQUIRE(n > 0, ASSAY_E_USAGE, "%s declares no variant", file);
out:
    assay_peer_end(peer);
    return st;
}

assay_status assay_peer_variants_take(const char *file, assay_case_table cases,
                                      assay_peer_variants *variants)
{
    assay_status st = ASSAY_OK;
    char         text[ASSAY_PEER_PATH_SIZE + ASSAY_NAME_SIZE + ASSAY_PEER_REPLY_SIZE];
    char        *path = realpath(file, NULL);

    *variants = (assay_peer_variants) { .n = 0 };
    ASSAY_REQUIRE(path, ASSAY_E_USAGE, "--script %s cannot be read: %s", file, strerror(errno));
    ASSAY_REQUIRE(strlen(path) < ASSAY_PEER_PATH_SIZE && !strchr(path, '\n'), ASSAY_E_USAGE,
                  "--script: this path is too long, or has a line break");
    ASSAY_CHECK(read_digest(path));
    ASSAY_CHECK(ask(path, text, sizeof text));
    ASSAY_CHECK(take_text(text, cases, variants));
    ASSAY_REQUIRE(setenv(INHERITED, text, 1) == 0, ASSAY_E_MEMORY,
                  "no memory for the variants of a file");
out:
    free(path);
    return st;
}

assay_status assay_peer_variants_inherit(assay_case_table *cases)
{
    assay_status        st   = ASSAY_OK;
    const char         *text = getenv(INHERITED);
    assay_peer_variants variants;

    if (!text)
        return ASSAY_OK;
    ASSAY_CHECK(take_text(text, *cases, &variants));
    *cases = variants.cases;
out:
    return st;
}
