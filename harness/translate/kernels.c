/* __global__ functions. A call of one launches it with the configuration that was set before
 * (launches.c): its body becomes what one thread runs,
 *
 *   __global__ void K(T *x, int n) { body }
 *   void K(T *x, int n)
 *   {
 *       static const char assay_key[] = "K";
 *       if (assay_host_is_asked(assay_key)) return;
 *       auto assay_thread = [=]() mutable { body };
 *       assay_host_enter(assay_key, assay_thread, bounds);
 *   }
 *
 * so that each thread has parameters of its own. After the definition of a kernel that has an
 * address, it is made known by its name, for launches that a case declares. */
#include "marks.h"
#include "translate_internal.h"

#include "base/stream.h"

#include <stdlib.h>
#include <string.h>

static bool is_template(const assay_tokens *t, int begin)
{
    return assay_token_is(t, begin, "template") && assay_token_is(t, begin + 1, "<") &&
           !assay_token_is(t, begin + 2, ">");
}

/* The parameters without default values and __grid_constant__, which a type cannot have. Caller
 * frees. */
static char *parameter_types(assay_tokens *t, int open)
{
    bool   is_whole = true;
    char  *text     = NULL;
    size_t size     = 0;
    FILE  *out      = assay_stream_open(&text, &size);

    if (!out)
        return NULL;
    for (int i = open + 1; i < t->match[open]; i++)
        if (assay_token_is(t, i, "__grid_constant__"))
            assay_token_drop(t, i, i + 1);
    for (int from = open + 1; from < t->match[open];) {
        const int to  = assay_translate_comma(t, from, t->match[open]);
        int       end = from;

        while (end < to && !assay_token_is(t, end, "="))
            end = t->match[end] > end ? t->match[end] + 1 : end + 1;
        char *one = assay_tokens_text(t, from, end);

        is_whole &= one != NULL;
        (void)fprintf(out, "%s%s", from > open + 1 ? ", " : "", one ? one : "");
        free(one);
        from = to + 1;
    }
    if (fclose(out) == 0 && is_whole)
        return text;
    free(text);
    return NULL;
}

/* Makes a kernel known by its name. Not for a member of a class, whose name cannot be used there,
 * nor for a template that is not yet instantiated. */
static assay_status make_known(assay_tokens *t, const assay_head *h, int behind, const char *scope)
{
    assay_status st    = ASSAY_OK;
    char        *name  = assay_tokens_text(t, h->name, h->open);
    char        *types = parameter_types(t, h->open);

    ASSAY_REQUIRE(name && types, ASSAY_E_MEMORY, "no memory for the name of a kernel");
    ASSAY_CHECK(assay_translate_after(
        t, behind,
        "static const assay_host_kernel assay_kernel_%d(static_cast<void (*)(%s)>(%s), \"%s%s\");",
        h->open, types, name, scope, name));
out:
    free(name);
    free(types);
    return st;
}

static assay_status translate_body(assay_tokens *t, const assay_unit *u, const assay_head *h)
{
    assay_status st    = ASSAY_OK;
    char        *first = NULL;
    char        *name  = assay_tokens_text(t, h->name, h->open);
    char        *bounds =
        h->bounds >= 0
                   ? assay_tokens_text(t, h->bounds + 1,
                                       assay_translate_comma(t, h->bounds + 1, t->match[h->bounds]))
                   : NULL;

    ASSAY_REQUIRE(name, ASSAY_E_MEMORY, "no memory for the name of a kernel");
    /* What the translation of shared memory inserted there belongs to the thread. */
    first                   = t->token[u->body].after;
    t->token[u->body].after = NULL;
    ASSAY_CHECK(assay_translate_after(t, u->body,
                                      ASSAY_MARK_KERNEL
                                      "\"%s\"; "
                                      "if (assay_host_is_asked(assay_key)) return; "
                                      "auto assay_thread = [=]() mutable -> void { %s",
                                      name, first ? first : ""));
    ASSAY_CHECK(assay_translate_before(t, t->match[u->body],
                                       "}; assay_host_enter(assay_key, assay_thread, %s);",
                                       bounds ? bounds : "0"));
out:
    free(first);
    free(name);
    free(bounds);
    return st;
}

static assay_status translate_unit(assay_tokens *t, const assay_unit *u, const char *scope)
{
    assay_status st     = ASSAY_OK;
    const int    end    = u->body >= 0 ? u->body : u->end;
    const int    global = assay_head_global(t, u->begin, end);
    assay_head   h;

    if (global < 0 || (u->kind != ASSAY_UNIT_FUNCTION && u->kind != ASSAY_UNIT_DECLARATION))
        return ASSAY_OK;
    /* A class is a unit, and its functions are units of their own. */
    if (u->kind == ASSAY_UNIT_DECLARATION &&
        !(assay_token_is(t, u->begin, "template") && !assay_token_is(t, u->begin + 1, "<")))
        return ASSAY_OK;
    h = assay_head_read(t, u->begin, global, end);
    if (h.name < 0)
        return assay_translate_refuse(t, global, "this __global__ function cannot be read");
    if (u->kind == ASSAY_UNIT_FUNCTION)
        ASSAY_CHECK(translate_body(t, u, &h));
    if (u->depth == 0 && !is_template(t, u->begin))
        ASSAY_CHECK(make_known(t, &h, u->end - 1, scope));
out:
    return st;
}

/* The namespaces around a declaration, "a::b::". One without a name adds nothing. */
typedef struct scope {
    char path[512];
    int  length[64]; /* of the path before each namespace */
    int  depth;
} scope;

static void enter(scope *s, const assay_tokens *t, const assay_unit *u)
{
    const size_t used  = strlen(s->path);
    int          first = u->begin;

    if (s->depth < (int)(sizeof s->length / sizeof s->length[0]))
        s->length[s->depth] = (int)used;
    s->depth++;
    while (first < u->end && !assay_token_is(t, first, "namespace"))
        first++;
    char *name = assay_tokens_text(t, first + 1, u->end - 1);

    if (name && first < u->end && name[0])
        (void)snprintf(s->path + used, sizeof s->path - used, "%s::", name);
    free(name);
}

static void leave(scope *s)
{
    s->depth--;
    if (s->depth >= 0 && s->depth < (int)(sizeof s->length / sizeof s->length[0]))
        s->path[s->length[s->depth]] = '\0';
}

assay_status assay_translate_kernels(assay_tokens *tokens, const assay_units *units)
{
    assay_status st = ASSAY_OK;
    scope        s  = { .path = "" };

    for (int i = 0; i < units->n; i++) {
        const assay_unit *u = &units->unit[i];

        if (u->kind == ASSAY_UNIT_OPEN)
            enter(&s, tokens, u);
        else if (u->kind == ASSAY_UNIT_CLOSE)
            leave(&s);
        else if (u->is_device && assay_token_is_own(tokens, u->begin))
            ASSAY_CHECK(translate_unit(tokens, u, s.path));
    }
out:
    return st;
}
