/* Device time per part of a call. */
#include "trace_internal.h"

#include "base/demangle.h"
#include "base/sort.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A name and a range from the records, with their section; this saves most of the demangling. */
typedef struct alias {
    const char *name, *range;
    size_t      section;
} alias;

typedef struct sums {
    const assay_section_name *names; /* NULL, or what the case calls its kernels */

    assay_section *sections; /* owned; time_ns over all calls */
    alias         *aliases;  /* owned */
    size_t         n_sections, n_aliases, capacity;
    int64_t        n_kernels;
} sums;

bool assay_trace_is_device(const assay_activity *record)
{
    return (record->kind == ASSAY_ACTIVITY_KERNEL || record->kind == ASSAY_ACTIVITY_MEMCPY ||
            record->kind == ASSAY_ACTIVITY_MEMSET) &&
           record->end_ns >= record->start_ns;
}

static double length_ns(int64_t start_ns, int64_t end_ns)
{
    return (double)((uint64_t)end_ns - (uint64_t)start_ns);
}

/* Makes room for one more section and alias; there are never more sections than aliases. */
static bool has_room(sums *s)
{
    if (s->n_aliases < s->capacity)
        return true;
    const size_t   capacity = s->capacity ? 2 * s->capacity : 16;
    assay_section *sections = realloc(s->sections, capacity * sizeof *sections);

    if (!sections)
        return false;
    s->sections    = sections;
    alias *aliases = realloc(s->aliases, capacity * sizeof *aliases);

    if (!aliases)
        return false;
    s->aliases  = aliases;
    s->capacity = capacity;
    return true;
}

const char *assay_trace_find_name(const assay_section_name *names, const char *text)
{
    for (const assay_section_name *n = names; n && n->kernel; n++)
        if (strcmp(n->kernel, text) == 0)
            return n->section;
    return NULL;
}

bool assay_trace_name(const assay_section_name *names, const assay_activity *record, char *text,
                      size_t size)
{
    const char *section;

    (void)assay_demangle_short(record->name ? record->name : "(unnamed)", text, size);
    section = assay_trace_find_name(names, text);
    if (!section && record->range)
        section = assay_trace_find_name(names, record->range);
    if (section)
        (void)assay_text_set(text, size, "%s", section);
    return section != NULL;
}

/* The section of a record, made if needed; NULL: out of memory. */
static assay_section *section_of(sums *s, const assay_activity *record)
{
    char   text[sizeof s->sections->name];
    size_t found = 0;

    for (size_t i = 0; i < s->n_aliases; i++) {
        if (s->aliases[i].name == record->name && s->aliases[i].range == record->range)
            return &s->sections[s->aliases[i].section];
    }
    if (!has_room(s))
        return NULL;
    (void)assay_trace_name(s->names, record, text, sizeof text);
    while (found < s->n_sections && strcmp(s->sections[found].name, text) != 0)
        found++;
    if (found == s->n_sections) {
        memset(&s->sections[found], 0, sizeof s->sections[found]);
        memcpy(s->sections[found].name, text, sizeof text);
        s->n_sections++;
    }
    s->aliases[s->n_aliases++] = (alias) { record->name, record->range, found };
    return &s->sections[found];
}

/* The longest section first; by name if times are equal. */
static int compare_sections(const void *left, const void *right)
{
    const assay_section *a = left, *b = right;

    if (a->time_ns > b->time_ns || a->time_ns < b->time_ns)
        return a->time_ns > b->time_ns ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Sums busy time and span of all calls. */
static assay_status measure(const assay_activity *records, size_t n, assay_section_total *total)
{
    assay_status st    = ASSAY_OK;
    int64_t(*times)[2] = calloc(n ? n : 1, sizeof *times);
    size_t n_times     = 0;

    ASSAY_REQUIRE(times, ASSAY_E_MEMORY, "no memory for %zu records", n);
    for (size_t i = 0; i < n; i++) {
        if (!assay_trace_is_device(&records[i]))
            continue;
        times[n_times][0]   = records[i].start_ns;
        times[n_times++][1] = records[i].end_ns;
    }
    if (n_times == 0)
        goto out;
    qsort(times, n_times, sizeof *times, assay_compare_int64s);
    int64_t end_ns = times[0][0];

    for (size_t i = 0; i < n_times; i++) {
        const int64_t from_ns = times[i][0] > end_ns ? times[i][0] : end_ns;

        if (times[i][1] > from_ns) {
            total->busy_ns += length_ns(from_ns, times[i][1]);
            end_ns = times[i][1];
        }
    }
    total->span_ns = length_ns(times[0][0], end_ns);
out:
    free(times);
    return st;
}

/* Divides sums over all calls by their number, and computes the shares. */
static void finish(sums *s, int64_t n_calls)
{
    double time_ns = 0;

    for (size_t i = 0; i < s->n_sections; i++)
        time_ns += s->sections[i].time_ns;
    for (size_t i = 0; i < s->n_sections; i++) {
        assay_section *section = &s->sections[i];

        section->share = time_ns > 0 ? section->time_ns / time_ns : 0;
        section->time_ns /= (double)n_calls;
    }
    if (s->n_sections > 1)
        qsort(s->sections, s->n_sections, sizeof *s->sections, compare_sections);
}

static assay_status add_all(sums *s, const assay_activity *records, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!assay_trace_is_device(&records[i]))
            continue;
        assay_section *section = section_of(s, &records[i]);

        if (!section)
            return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the sections of a trace");
        section->launches++;
        section->time_ns += length_ns(records[i].start_ns, records[i].end_ns);
        s->n_kernels += records[i].kind == ASSAY_ACTIVITY_KERNEL;
    }
    return ASSAY_OK;
}

assay_status assay_trace_sections(const assay_activity *records, size_t n_records, int64_t n_calls,
                                  const assay_section_name *names, assay_section **sections,
                                  int *n_sections, assay_section_total *total)
{
    assay_status        st  = ASSAY_OK;
    sums                s   = { .names = names };
    assay_section_total all = { 0 };

    *sections   = NULL;
    *n_sections = 0;
    ASSAY_REQUIRE(n_calls > 0, ASSAY_E_USAGE, "records of %lld calls make no sections",
                  (long long)n_calls);
    ASSAY_CHECK(add_all(&s, records, n_records));
    ASSAY_CHECK(measure(records, n_records, &all));
    finish(&s, n_calls);
    all.launches = s.n_kernels;
    all.busy_ns /= (double)n_calls;
    all.span_ns /= (double)n_calls;
    if (total)
        *total = all;
    *sections   = s.sections;
    *n_sections = (int)s.n_sections;
    s.sections  = NULL;
out:
    free(s.sections);
    free(s.aliases);
    return st;
}
