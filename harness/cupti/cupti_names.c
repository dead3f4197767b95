/* A hash table of names. */
#include "cupti_names.h"

#include "cupti_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_BUCKETS = 256, /* a power of two, as every later number is */
};

static assay_name **bucket_of(const assay_names *names, uint64_t hash)
{
    return &names->buckets[hash & (names->n_buckets - 1)];
}

/* Twice the buckets, before the chains get long. */
static bool grow(assay_names *names)
{
    assay_names larger = { .n_buckets = names->n_buckets ? 2 * names->n_buckets : FIRST_BUCKETS,
                           .n         = names->n };

    larger.buckets = calloc(larger.n_buckets, sizeof(assay_name *));
    if (!larger.buckets)
        return false;
    for (size_t i = 0; i < names->n_buckets; i++) {
        for (assay_name *entry = names->buckets[i], *next = NULL; entry; entry = next) {
            assay_name **bucket = bucket_of(&larger, entry->name_hash);

            next        = entry->next;
            entry->next = *bucket;
            *bucket     = entry;
        }
    }
    free(names->buckets);
    *names = larger;
    return true;
}

assay_name *assay_names_get(assay_names *names, const char *text)
{
    const size_t   length = strlen(text);
    const uint64_t hash   = assay_code_hash(text, length);

    if (names->n >= names->n_buckets && !grow(names))
        return NULL;
    assay_name **bucket = bucket_of(names, hash);

    for (assay_name *entry = *bucket; entry; entry = entry->next) {
        if (entry->name_hash == hash && strcmp(entry->text, text) == 0)
            return entry;
    }
    assay_name *entry = calloc(1, sizeof *entry + length + 1);

    if (!entry)
        return NULL;
    entry->name_hash = hash;
    memcpy(entry->text, text, length + 1);
    entry->next = *bucket;
    *bucket     = entry;
    names->n++;
    return entry;
}

static void add_function(void *context, const char *name, uint64_t hash)
{
    assay_name *entry = assay_names_get(context, name);
    char        text[ASSAY_CODE_HASH_SIZE];

    if (!entry)
        return;
    (void)snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    if (!entry->has_code)
        memcpy(entry->code_hash, text, sizeof text);
    else if (strcmp(entry->code_hash, text) != 0)
        entry->code_hash[0] = '\0';
    entry->has_code = true;
}

int assay_names_add_code(assay_names *names, const void *cubin, size_t size)
{
    return assay_code_visit(cubin, size, add_function, names);
}

void assay_names_free(assay_names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < names->n_buckets; i++) {
        for (assay_name *entry = names->buckets[i], *next = NULL; entry; entry = next) {
            next = entry->next;
            free(entry);
        }
    }
    free(names->buckets);
    memset(names, 0, sizeof *names);
}
