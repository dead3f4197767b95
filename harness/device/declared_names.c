/* Finds kernels of a module by the names that a case declares. */
#include "declared_internal.h"

#include "base/demangle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is *at part of a number's suffix, as in 4u or 4ul? The end of a name, as in v4l, is not. */
static bool is_suffix(const char *begin, const char *at)
{
    const char *end;

    while (at > begin && strchr("uUlL", at[-1]))
        at--;
    for (end = at; at > begin && isdigit((unsigned char)at[-1]);)
        at--;
    return at < end && (at == begin || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'));
}

/* Compares names without blanks, and without suffixes of numbers in template arguments, which only
 * one side may have. */
static bool is_same_name(const char *a, const char *a_end, const char *b)
{
    const char *const a_begin = a, *const b_begin = b;

    for (;;) {
        while (a < a_end && isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (a < a_end && strchr("uUlL", *a) && is_suffix(a_begin, a))
            a++;
        else if (*b && strchr("uUlL", *b) && is_suffix(b_begin, b))
            b++;
        else if (a == a_end || !*b)
            return a == a_end && !*b;
        else if (*a++ != *b++)
            return false;
    }
}

const char *assay_declared_parameters(const char *text)
{
    int         angle = 0;
    const char *last  = NULL;

    for (const char *p = text; *p; p++) {
        angle += *p == '<';
        angle -= *p == '>';
        if (*p == '(' && angle == 0 && strncmp(p, "(anonymous", 10) != 0) {
            last = p;
            break;
        }
    }
    return last;
}

static bool is_entry(const assay_kernel_entry *entry, const char *name)
{
    bool        found = false;
    char       *text;
    const char *end, *begin;

    if (entry->name)
        return is_same_name(entry->name, entry->name + strlen(entry->name), name);
    text = assay_demangle(entry->signature);
    end  = text ? assay_declared_parameters(text) : NULL;
    if (end) {
        /* The text of a template begins with the type of its result. */
        static const char nameless[] = "(anonymous namespace)::";

        begin = strncmp(text, "void ", 5) == 0 ? text + 5 : text;
        for (char *at = strstr(text, nameless); at; at = strstr(text, nameless)) {
            (void)memmove(at, at + sizeof nameless - 1, strlen(at + sizeof nameless - 1) + 1);
            end -= sizeof nameless - 1;
        }
        found = is_same_name(begin, end, name);
    } else if (text)
        found = strcmp(text, name) == 0; /* extern "C" */
    free(text);
    return found;
}

static assay_status unknown_kernel(const assay_module *module, const char *name)
{
    assay_kernel_entry entry;
    char               list[512] = "";
    size_t             used      = 0;

    for (int i = 0; module->api->kernel && module->api->kernel(i, &entry); i++) {
        char *text = entry.name ? strdup(entry.name) : assay_demangle(entry.signature);

        if (text && used + strlen(text) + 3 < sizeof list)
            used +=
                (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", text);
        free(text);
    }
    return ASSAY_FAIL(ASSAY_E_CASE,
                      "%s has no kernel %s; it has %s. Of a template it has what is instantiated: "
                      "template __global__ void name<...>(...);",
                      module->path, name, list[0] ? list : "none");
}

assay_status assay_declared_entry(const assay_module *module, const char *name,
                                  assay_kernel_entry *entry)
{
    assay_kernel_entry one;
    int                n = 0;

    for (int i = 0; module->api->kernel && module->api->kernel(i, &one); i++)
        if (is_entry(&one, name) && (n == 0 || one.kernel != entry->kernel)) {
            *entry = one;
            n++;
        }
    if (n > 1)
        return ASSAY_FAIL(ASSAY_E_CASE,
                          "%s has %d kernels %s, of several files: a namespace tells them apart",
                          module->path, n, name);
    return n == 1 ? ASSAY_OK : unknown_kernel(module, name);
}

assay_status assay_declared_find(const assay_module *module, const assay_variant *variant)
{
    assay_status       st = ASSAY_OK;
    assay_kernel_entry entry;

    for (const assay_kernel *k = variant->kernels; k && k->name && st == ASSAY_OK; k++)
        st = assay_declared_entry(module, k->name, &entry);
    return st;
}
