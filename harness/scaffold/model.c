/* Which kernels become variants, and what each parameter is: by its type, and a whole number by its
 * name. */
#include "model.h"

#include "base/text.h"
#include "device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- roles ---- */

/* Whole numbers of these names are sizes; others are parameters. */
static const char *const sizes[] = {
    "n",     "m",      "k",      "b",     "t",     "c",        "h",          "w",        "d",
    "size",  "len",    "length", "count", "rows",  "cols",     "row",        "col",      "columns",
    "width", "height", "depth",  "batch", "numel", "dim",      "hidden",     "seq",      "seq_len",
    "heads", "nx",     "ny",     "nz",    "total", "elements", "batch_size", "channels", NULL
};

static bool is_size(const char *name)
{
    for (const char *const *one = sizes; *one; one++)
        if (strcasecmp(name, *one) == 0)
            return true;
    return strncasecmp(name, "n_", 2) == 0 || strncasecmp(name, "num", 3) == 0;
}

static int count_kind(const assay_found_kernel *k, assay_found_kind kind)
{
    int n = 0;

    for (int p = 0; p < k->n_parameters; p++)
        n += k->parameter[p].kind == kind;
    return n;
}

static void add_item(assay_model *m, const assay_found_parameter *of, assay_item_role role)
{
    m->item[m->n_items++] = (assay_item) { .of = of, .role = role };
    m->n[role]++;
}

static bool is_taken(const assay_model *m, const char *name)
{
    for (int i = 0; i < m->n_items; i++)
        if (strcmp(m->item[i].of->name, name) == 0)
            return true;
    return false;
}

/* A case has an axis, even where no kernel takes a number. */
static void require_axis(assay_model *m)
{
    static const assay_found_parameter own[] = { { .name = "n" },
                                                 { .name = "size" },
                                                 { .name = "extent" } };
    int                                i     = 0;

    for (int k = 0; k < m->n_items && m->n[ASSAY_ITEM_AXIS] == 0; k++)
        if (m->item[k].role == ASSAY_ITEM_PARAM) {
            m->item[k].role = ASSAY_ITEM_AXIS;
            m->n[ASSAY_ITEM_PARAM]--;
            m->n[ASSAY_ITEM_AXIS]++;
        }
    if (m->n[ASSAY_ITEM_AXIS] > 0)
        return;
    while (i < 2 && is_taken(m, own[i].name))
        i++;
    add_item(m, &own[i], ASSAY_ITEM_AXIS);
    m->has_own_axis = true;
}

static void set_items(assay_model *m, const assay_found_kernel *k)
{
    for (int p = 0; p < k->n_parameters; p++) {
        const assay_found_parameter *of = &k->parameter[p];

        if (of->kind == ASSAY_FOUND_BUFFER)
            add_item(m, of, ASSAY_ITEM_BUFFER);
        else if (of->kind == ASSAY_FOUND_REAL)
            add_item(m, of, ASSAY_ITEM_SCALAR);
        else
            add_item(m, of,
                     is_size(of->name) && m->n[ASSAY_ITEM_AXIS] < ASSAY_MAX_AXES
                         ? ASSAY_ITEM_AXIS
                         : ASSAY_ITEM_PARAM);
    }
    require_axis(m);
}

/* ---- names ---- */

/* What the headers that the case includes define, and what C keeps for itself. */
static const char *const reserved[] = {
    "NULL",     "NAN",    "INFINITY", "HUGE",      "HUGE_VAL", "DOMAIN",   "SING",     "OVERFLOW",
    "PLOSS",    "TLOSS",  "EOF",      "UNDERFLOW", "axis",     "input",    "s",        "count",
    "auto",     "break",  "case",     "char",      "const",    "continue", "default",  "do",
    "double",   "else",   "enum",     "extern",    "float",    "for",      "goto",     "if",
    "inline",   "int",    "long",     "register",  "restrict", "return",   "short",    "signed",
    "sizeof",   "static", "struct",   "switch",    "typedef",  "union",    "unsigned", "void",
    "volatile", "while",  "bool",     "true",      "false",    "linux",    "unix",     "asm",
    "typeof",   "i386",   NULL
};

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool is_reserved(const char *name)
{
    for (const char *const *one = reserved; *one; one++)
        if (strcmp(name, *one) == 0)
            return true;
    return assay_text_after(name, "ASSAY_") || assay_text_after(name, "M_") ||
           assay_text_after(name, "FP_") || ends_with(name, "_MAX") || ends_with(name, "_MIN");
}

/* Is the name another item's place or variable already? */
static bool is_used(const assay_model *m, const char *name)
{
    for (int i = 0; i < m->n_items; i++)
        if (strcmp(m->item[i].place, name) == 0 || strcmp(m->item[i].local, name) == 0)
            return true;
    return false;
}

static void set_name(const assay_model *m, const char *from, int (*to_case)(int), char *to,
                     size_t size)
{
    char base[ASSAY_FOUND_NAME];

    while (*from && !isalpha((unsigned char)*from))
        from++;
    (void)assay_text_set(base, sizeof base, "%s", *from ? from : "arg");
    for (char *p = base; *p; p++)
        *p = (char)to_case((unsigned char)*p);
    (void)snprintf(to, size, "%s", "");
    for (int i = 1;; i++) {
        char name[ASSAY_FOUND_NAME + 8];

        (void)snprintf(name, sizeof name, i > 1 ? "%s_%d" : "%s", base, i);
        if (!is_reserved(name) && !is_used(m, name)) {
            (void)assay_text_set(to, size, "%s", name);
            return;
        }
    }
}

static void set_places(assay_model *m)
{
    for (int i = 0; i < m->n_items; i++) {
        assay_item *item = &m->item[i];

        set_name(m, item->of->name, toupper, item->place, sizeof item->place);
        if (item->role == ASSAY_ITEM_AXIS || item->role == ASSAY_ITEM_BUFFER)
            set_name(m, item->of->name, tolower, item->local, sizeof item->local);
    }
}

/* ---- variants ---- */

static const char *beyond(const assay_found_kernel *k)
{
    int n_outputs = 0;

    for (int p = 0; p < k->n_parameters; p++)
        n_outputs += k->parameter[p].kind == ASSAY_FOUND_BUFFER && !k->parameter[p].is_const;
    if (k->n_parameters > ASSAY_MAX_KERNEL_PARAMETERS)
        return "it takes more parameters than a declared launch may";
    if (count_kind(k, ASSAY_FOUND_BUFFER) > ASSAY_MAX_BUFFERS)
        return "it takes more buffers than a case may have";
    if (count_kind(k, ASSAY_FOUND_INTEGER) > ASSAY_MAX_PARAMS)
        return "it takes more whole numbers than a case may have";
    if (count_kind(k, ASSAY_FOUND_REAL) > ASSAY_MAX_SCALARS)
        return "it takes more scalars than a case may have";
    if (n_outputs > ASSAY_MAX_OUTPUTS)
        return "it has more outputs than a case may have";
    return n_outputs == 0 ? "it has no output: no pointer that is not const" : NULL;
}

static void refuse_beyond(assay_found *found)
{
    for (int i = 0; i < found->n_kernels; i++) {
        assay_found_kernel *k   = &found->kernel[i];
        const char         *why = k->why[0] ? NULL : beyond(k);

        if (why)
            (void)assay_text_set(k->why, sizeof k->why, "%s", why);
    }
}

static const assay_found_kernel *choose(const char *name, const assay_found *found)
{
    const assay_found_kernel *first = NULL;

    for (int i = 0; i < found->n_kernels; i++) {
        const assay_found_kernel *k = &found->kernel[i];

        if (k->why[0])
            continue;
        if (assay_text_after(k->plain, name))
            return k;
        first = first ? first : k;
    }
    return first;
}

static bool takes_the_same(const assay_found_kernel *a, const assay_found_kernel *b)
{
    if (a->n_parameters != b->n_parameters)
        return false;
    for (int p = 0; p < a->n_parameters; p++) {
        const assay_found_parameter *x = &a->parameter[p], *y = &b->parameter[p];

        if (x->kind != y->kind || x->type != y->type || x->lanes != y->lanes ||
            x->is_const != y->is_const)
            return false;
    }
    return true;
}

/* Letters, digits and '_', of a kernel's name from `text` on. */
static void set_variant_name(char *to, size_t size, const char *text)
{
    size_t n = 0;

    for (; *text && n + 1 < size; text++)
        if (isalnum((unsigned char)*text) || *text == '_')
            to[n++] = *text;
        else if (n > 0 && to[n - 1] != '_')
            to[n++] = '_';
    while (n > 1 && to[n - 1] == '_')
        n--;
    to[n] = '\0';
}

static bool is_variant(const assay_model *m, const char *name)
{
    for (int v = 0; v < m->n_variants; v++)
        if (strcmp(m->variant[v].name, name) == 0)
            return true;
    return false;
}

static void add_variant(assay_model *m, const assay_found_kernel *k)
{
    const char *at = k->name + strcspn(k->name, "<");
    char        name[ASSAY_FOUND_NAME - 8], base[ASSAY_FOUND_NAME - 8];

    while (at > k->name && at[-1] != ':') /* the last word, with its template's arguments */
        at--;
    set_variant_name(name, sizeof name, at);
    if (is_variant(m, name))
        set_variant_name(name, sizeof name, k->name);
    (void)assay_text_set(base, sizeof base, "%s", name);
    for (int i = 2; is_variant(m, name); i++)
        (void)assay_text_set(name, sizeof name, "%.*s_%d", (int)sizeof base - 8, base, i);
    m->variant[m->n_variants].kernel = k;
    (void)assay_text_set(m->variant[m->n_variants].name, ASSAY_FOUND_NAME, "%s", name);
    m->n_variants++;
}

static void add_variants(assay_model *m, assay_found *found, const assay_found_kernel *first)
{
    add_variant(m, first);
    for (int i = 0; i < found->n_kernels; i++) {
        assay_found_kernel *k = &found->kernel[i];

        if (k->why[0] || k == first)
            continue;
        if (!takes_the_same(first, k))
            (void)assay_text_set(k->why, sizeof k->why,
                                 "it does not take what %s takes: a case of its own, or another "
                                 "step of a variant's list of kernels",
                                 first->name);
        else if (m->n_variants == ASSAY_MAX_VARIANTS)
            (void)assay_text_set(k->why, sizeof k->why, "a case has at most %d variants",
                                 ASSAY_MAX_VARIANTS);
        else
            add_variant(m, k);
    }
}

void assay_model_make(const char *name, assay_found *found, assay_model *model)
{
    static const assay_found_kernel made_up = {
        .parameter    = { { .name     = "x",
                            .kind     = ASSAY_FOUND_BUFFER,
                            .type     = ASSAY_F32,
                            .lanes    = 1,
                            .is_const = true },
                          { .name = "y", .kind = ASSAY_FOUND_BUFFER, .type = ASSAY_F32, .lanes = 1 } },
        .n_parameters = 2
    };
    const assay_found_kernel *first;

    *model = (assay_model) { .n_items = 0 };
    refuse_beyond(found);
    first = choose(name, found);
    if (first)
        add_variants(model, found, first);
    set_items(model, first ? first : &made_up);
    set_places(model);
}
