/* Finding kernels, instantiations and host functions that launch among the units of a file. */
#include "found_internal.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- where one stands ---- */

enum {
    MAX_DEPTH = 32
};

/* The namespaces around what follows, "a::b::", and whether one of the scopes is extern "C". */
typedef struct place {
    char path[ASSAY_FOUND_TEXT];
    struct {
        size_t length;
        bool   is_c;
    } outer[MAX_DEPTH];
    int  depth;
    bool is_c;
} place;

static void enter(place *p, const assay_tokens *t, const assay_unit *u)
{
    const size_t used  = strlen(p->path);
    int          first = u->begin;

    if (p->depth < MAX_DEPTH) {
        p->outer[p->depth].length = used;
        p->outer[p->depth].is_c   = p->is_c;
    }
    p->depth++;
    p->is_c |= assay_token_is(t, u->begin, "extern");
    while (first < u->end && !assay_token_is(t, first, "namespace"))
        first++;
    if (first + 2 < u->end &&
        assay_reading_text(t, first + 1, u->end - 1, p->path + used, sizeof p->path - used - 3))
        (void)strcat(p->path, "::");
}

static void leave(place *p)
{
    p->depth--;
    if (p->depth >= 0 && p->depth < MAX_DEPTH) {
        p->path[p->outer[p->depth].length] = '\0';
        p->is_c                            = p->outer[p->depth].is_c;
    }
}

/* ---- kernels ---- */

static assay_status add_kernel(assay_found *found, assay_found_kernel **kernel)
{
    assay_status st = ASSAY_OK;

    if (found->n_kernels == found->kernels_room) {
        const int           room = found->kernels_room ? 2 * found->kernels_room : 16;
        assay_found_kernel *more = realloc(found->kernel, (size_t)room * sizeof *more);

        ASSAY_REQUIRE(more, ASSAY_E_MEMORY, "no memory for %d kernels", room);
        found->kernel       = more;
        found->kernels_room = room;
    }
    *kernel  = &found->kernel[found->n_kernels++];
    **kernel = (assay_found_kernel) { .line = 0 };
out:
    return st;
}

static void refuse(assay_found_kernel *k, const char *why)
{
    if (!k->why[0])
        (void)assay_text_set(k->why, sizeof k->why, "%s", why);
}

/* The last word of a name without its template arguments. */
static int plain_of(const assay_tokens *t, const assay_head *h)
{
    int last = h->name;

    for (int i = h->name; i < h->open && !assay_token_is(t, i, "<"); i++)
        if (assay_token_is_word(t, i))
            last = i;
    return last;
}

static bool set_names(const assay_tokens *t, const assay_head *h, const place *p,
                      assay_found_kernel *k)
{
    const int    plain = plain_of(t, h);
    const size_t used  = strlen(p->path);

    (void)assay_text_set(k->name, sizeof k->name, "%s", p->path);
    (void)assay_reading_text(t, h->open + 1, t->match[h->open], k->written, sizeof k->written);
    return assay_reading_text(t, plain, plain + 1, k->plain, sizeof k->plain) &&
           assay_reading_text(t, h->name, h->open, k->name + used, sizeof k->name - used);
}

static bool has_dynamic_shared(const assay_tokens *t, const assay_unit *u)
{
    for (int i = u->body; i >= 0 && i < u->end; i++)
        if (assay_token_is(t, i, "extern") &&
            (assay_token_is(t, i + 1, "__shared__") || assay_token_is(t, i + 2, "__shared__")))
            return true;
    return false;
}

static assay_status take_kernel(assay_reading *r, const assay_unit *u, int global, const place *p)
{
    const assay_tokens *t           = &r->tokens;
    const int           end         = u->body >= 0 ? u->body : u->end;
    const assay_head    h           = assay_head_read(t, u->begin, global, end);
    const bool          is_template = assay_token_is(t, u->begin, "template");
    assay_found_kernel *k           = NULL;
    assay_status        st          = ASSAY_OK;

    if (h.name < 0)
        return ASSAY_OK;
    ASSAY_CHECK(add_kernel(r->found, &k));
    k->line               = t->token[global].line;
    k->is_template        = is_template && assay_token_is(t, u->begin + 1, "<");
    k->is_instantiation   = is_template && !k->is_template;
    k->has_dynamic_shared = has_dynamic_shared(t, u);
    if (!set_names(t, &h, p, k))
        refuse(k, "its name is too long");
    if (p->is_c || assay_token_is(t, u->begin, "extern"))
        refuse(k, "extern \"C\" hides its parameters: it needs a launcher");
    if (u->depth > 0)
        refuse(k, "it is a member of a class");
    if (k->is_template)
        refuse(k,
               "it is a template, and the file makes no instance of it: template __global__ void "
               "NAME<...>(...);");
    assay_found_parameters(r, h.open, k);
out:
    return st;
}

/* ---- host functions ---- */

static bool launches(const assay_tokens *t, const assay_unit *u)
{
    for (int i = u->begin; i < u->end; i++)
        if ((i > u->body && assay_token_is_triple(t, i, '<')) ||
            (i < u->body && assay_token_is(t, i, "cudaStream_t")))
            return true;
    return false;
}

static assay_status take_launcher(assay_reading *r, const assay_unit *u)
{
    const assay_tokens   *t     = &r->tokens;
    const assay_head      h     = assay_head_read(t, u->begin, u->begin, u->body);
    assay_found          *found = r->found;
    assay_found_launcher *one;
    assay_status          st = ASSAY_OK;

    if (h.name < 0)
        return ASSAY_OK;
    if (found->n_launchers == found->launchers_room) {
        const int             room = found->launchers_room ? 2 * found->launchers_room : 16;
        assay_found_launcher *more = realloc(found->launcher, (size_t)room * sizeof *more);

        ASSAY_REQUIRE(more, ASSAY_E_MEMORY, "no memory for %d functions", room);
        found->launcher       = more;
        found->launchers_room = room;
    }
    one       = &found->launcher[found->n_launchers++];
    one->line = t->token[h.name].line;
    (void)assay_reading_text(t, h.name, h.open, one->name, sizeof one->name);
    (void)assay_reading_text(t, h.open + 1, t->match[h.open], one->written, sizeof one->written);
out:
    return st;
}

/* ---- all units ---- */

static assay_status take_unit(assay_reading *r, const assay_unit *u, place *p)
{
    const assay_tokens *t = &r->tokens;

    if (u->kind == ASSAY_UNIT_OPEN)
        enter(p, t, u);
    else if (u->kind == ASSAY_UNIT_CLOSE)
        leave(p);
    else if (u->brace < 0) { /* what is in a class is listed by itself */
        const int  end    = u->body >= 0 ? u->body : u->end;
        const int  global = assay_head_global(t, u->begin, end);
        const bool makes =
            assay_token_is(t, u->begin, "template") && !assay_token_is(t, u->begin + 1, "<");

        if (global >= 0 && (u->body >= 0 || makes))
            return take_kernel(r, u, global, p);
        if (u->kind == ASSAY_UNIT_FUNCTION && !u->is_device && launches(t, u))
            return take_launcher(r, u);
    }
    return ASSAY_OK;
}

/* An instantiation may leave names out: they are those of its template. */
static void name_parameters(assay_found *found, assay_found_kernel *k)
{
    for (int i = 0; i < found->n_kernels; i++) {
        assay_found_kernel *of = &found->kernel[i];

        if (!of->is_template || strcmp(of->plain, k->plain) != 0 ||
            of->n_parameters != k->n_parameters)
            continue;
        k->has_dynamic_shared = of->has_dynamic_shared;
        for (int p = 0; p < k->n_parameters; p++)
            if (!k->parameter[p].name[0])
                (void)assay_text_set(k->parameter[p].name, sizeof k->parameter[p].name, "%s",
                                     of->parameter[p].name);
        (void)assay_text_set(of->why, sizeof of->why,
                             "it is a template; what the file makes of it is listed by itself");
    }
}

static void finish_names(assay_found *found, assay_found_kernel *k)
{
    if (k->is_instantiation)
        name_parameters(found, k);
    for (int p = 0; p < k->n_parameters; p++)
        if (!k->parameter[p].name[0])
            (void)assay_text_set(k->parameter[p].name, sizeof k->parameter[p].name, "unnamed_%d",
                                 p + 1);
    for (int i = 0; i < found->n_kernels; i++)
        if (&found->kernel[i] != k && strcmp(found->kernel[i].name, k->name) == 0)
            refuse(k, "the file has two kernels of this name: a namespace tells them apart");
}

static void note(assay_found *found, const char *sentence)
{
    const size_t used = strlen(found->notes);

    (void)assay_text_set(found->notes + used, sizeof found->notes - used, "%s\n", sentence);
}

static assay_status read_units(assay_reading *r)
{
    assay_status st = ASSAY_OK;
    place        p  = { .path = "" };

    ASSAY_CHECK(assay_units_list(&r->tokens, &r->units));
    for (int i = 0; i < r->units.n; i++)
        ASSAY_CHECK(take_unit(r, &r->units.unit[i], &p));
    for (int i = 0; i < r->found->n_kernels; i++) {
        finish_names(r->found, &r->found->kernel[i]);
        assay_found_launch(r, &r->found->kernel[i]);
    }
out:
    return st;
}

assay_status assay_found_read(const char *text, assay_found *found)
{
    assay_source  source = { .text = NULL };
    assay_reading r      = { .source = &source, .found = found };
    assay_status  st     = ASSAY_OK;

    *found = (assay_found) { .kernel = NULL };
    ASSAY_CHECK(assay_source_read(text, &source));
    if (source.has_branches)
        note(found, "only one branch of each #if with an #else was read");
    if (source.has_kernel_macro)
        note(found, "a macro makes kernels: those are not seen");
    ASSAY_CHECK(assay_tokens_read(&r.tokens, source.text, strlen(source.text)));
    st = assay_tokens_pair(&r.tokens);
    if (st == ASSAY_E_CASE) { /* said, and nothing guessed */
        assay_status_reset();
        note(found, "its brackets do not pair as it stands (macros, or #if around them): no kernel "
                    "was read");
        st = ASSAY_OK;
        goto out;
    }
    ASSAY_CHECK(st);
    ASSAY_CHECK(read_units(&r));
out:
    assay_tokens_free(&r.tokens);
    assay_units_free(&r.units);
    assay_source_free(&source);
    return st;
}

void assay_found_free(assay_found *found)
{
    free(found->kernel);
    free(found->launcher);
    *found = (assay_found) { .kernel = NULL };
}
