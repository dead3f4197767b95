/* Converts a declared launch into one that a device can enqueue. */
#include "declared_internal.h"

#include "base/demangle.h"
#include "plan/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

/* Types of parameters, as a demangler writes them. */
static const struct {
    const char *name;
    int         size;
    bool        is_signed, is_real;
} types[] = {
    { "bool", 1, false, false },       { "char", 1, true, false },
    { "signed char", 1, true, false }, { "unsigned char", 1, false, false },
    { "short", 2, true, false },       { "unsigned short", 2, false, false },
    { "int", 4, true, false },         { "unsigned int", 4, false, false },
    { "long", 8, true, false },        { "unsigned long", 8, false, false },
    { "long long", 8, true, false },   { "unsigned long long", 8, false, false },
    { "float", 4, true, true },        { "double", 8, true, true },
};

/* Names of a buffer's elements in a kernel; any other name is another type. */
static const struct {
    assay_type  type;
    const char *names;
} elements[] = {
    { ASSAY_F32, "|float|" },
    { ASSAY_F64, "|double|" },
    { ASSAY_I32, "|int|" },
    { ASSAY_U32, "|unsigned int|" },
    { ASSAY_I64, "|long|long long|" },
    { ASSAY_U64, "|unsigned long|unsigned long long|" },
    { ASSAY_U8, "|unsigned char|char|bool|" },
    { ASSAY_I8, "|signed char|char|" },
    { ASSAY_I16, "|short|" },
    { ASSAY_U16, "|unsigned short|" },
    { ASSAY_F16, "|__half|" },
    { ASSAY_BF16, "|__nv_bfloat16|" },
};

/* One argument that is converted to one parameter. */
typedef struct argument {
    const assay_kernel *kernel;
    const assay_shape  *shape;
    int                 number;    /* from 0 */
    char                type[128]; /* of the parameter, without const */
    assay_term          term;
} argument;

static assay_status misfit(const argument *a, const char *what)
{
    return ASSAY_FAIL(ASSAY_E_CASE,
                      "kernel %s, argument %d of \"%s\": its parameter is '%s', and %s",
                      a->kernel->name, a->number + 1, a->kernel->arguments, a->type, what);
}

/* Is `type` the name of a scalar of some buffer's type? Vectors and structures may be a view of any
 * buffer. */
static bool is_scalar_name(const char *type)
{
    char word[132];

    (void)snprintf(word, sizeof word, "|%s|", type);
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (strstr(elements[i].names, word))
            return true;
    return false;
}

static assay_status put_buffer(const argument *a, assay_planned_argument *to)
{
    const assay_buffer *buffer = &a->shape->buf[a->term.buffer];
    char                element[128], word[132], what[256];
    const size_t        length = strcspn(a->type, "*");

    if (a->type[length] != '*')
        return misfit(a, "a buffer needs a pointer");
    (void)snprintf(element, sizeof element, "%.*s", (int)length, a->type);
    (void)snprintf(word, sizeof word, "|%s|", element);
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (elements[i].type == buffer->type && is_scalar_name(element) &&
            !strstr(elements[i].names, word)) {
            (void)snprintf(what, sizeof what, "the elements of buffer '%s' are %s", buffer->name,
                           assay_type_text(buffer->type));
            return misfit(a, what);
        }
    to->buffer = a->term.buffer;
    return ASSAY_OK;
}

static bool fits(int64_t value, int size, bool is_signed)
{
    if (size == 8)
        return is_signed || value >= 0;
    return is_signed
               ? value >= -(INT64_C(1) << (8 * size - 1)) && value < INT64_C(1) << (8 * size - 1)
               : value >= 0 && value < INT64_C(1) << 8 * size;
}

static assay_status put_number(const argument *a, assay_planned_argument *to)
{
    const bool is_real = a->term.kind == ASSAY_TERM_REAL;
    char       what[128];
    size_t     i = 0;

    while (i < sizeof types / sizeof types[0] && strcmp(types[i].name, a->type) != 0)
        i++;
    if (i == sizeof types / sizeof types[0])
        return misfit(a, "such a value cannot be declared: write a launcher");
    if (types[i].is_real) {
        const double value = is_real ? a->term.real : (double)a->term.integer;
        const float  small = (float)value;

        memcpy(to->bytes, types[i].size == 4 ? (const void *)&small : &value,
               (size_t)types[i].size);
        return ASSAY_OK;
    }
    if (is_real)
        return misfit(a, "the argument is not a whole number");
    if (!fits(a->term.integer, types[i].size, types[i].is_signed)) {
        (void)snprintf(what, sizeof what, "%lld does not fit", (long long)a->term.integer);
        return misfit(a, what);
    }
    memcpy(to->bytes, &a->term.integer, (size_t)types[i].size); /* little endian */
    return ASSAY_OK;
}

static assay_status put_argument(const argument *a, assay_planned_argument *to)
{
    to->buffer = -1;
    return a->term.kind == ASSAY_TERM_BUFFER ? put_buffer(a, to) : put_number(a, to);
}

/* Reads the next parameter of the list at *at, without const and without blanks beside marks.
 * False: there is none. */
static bool next_type(const char **at, char type[128])
{
    int    depth = 0;
    size_t n     = 0;

    while (**at == ' ' || **at == ',')
        ++*at;
    if (!**at || **at == ')')
        return false;
    for (; **at && !(depth == 0 && (**at == ',' || **at == ')')); ++*at) {
        depth += **at == '<' || **at == '(';
        depth -= **at == '>' || **at == ')';
        if (strncmp(*at, " const", 6) == 0 && !isalnum((unsigned char)(*at)[6]))
            *at += 5;
        else if (n < 127)
            type[n++] = **at;
    }
    type[n] = '\0';
    return strcmp(type, "void") != 0;
}

static assay_status put_arguments(const assay_kernel *kernel, const assay_point *point,
                                  const assay_shape *shape, const char *parameters,
                                  assay_planned_kernel *to)
{
    assay_status st = ASSAY_OK;
    assay_term   term[ASSAY_MAX_KERNEL_PARAMETERS];
    argument     a = { .kernel = kernel, .shape = shape };

    ASSAY_CHECK(assay_expression_list(kernel->arguments ? kernel->arguments : "", point, shape,
                                      term, ASSAY_MAX_KERNEL_PARAMETERS, &to->n_arguments));
    for (const char *at = parameters + 1; next_type(&at, a.type);) {
        ASSAY_REQUIRE(a.number < to->n_arguments, ASSAY_E_CASE,
                      "kernel %s has more parameters than \"%s\" has values", kernel->name,
                      kernel->arguments ? kernel->arguments : "");
        a.term = term[a.number];
        ASSAY_CHECK(put_argument(&a, &to->argument[a.number]));
        a.number++;
    }
    ASSAY_REQUIRE(a.number == to->n_arguments, ASSAY_E_CASE,
                  "kernel %s has %d parameters, and \"%s\" has %d values", kernel->name, a.number,
                  kernel->arguments ? kernel->arguments : "", to->n_arguments);
out:
    return st;
}

/* ---- extents ---- */

static assay_status put_extents(const char *text, const assay_kernel *kernel,
                                const assay_point *point, const assay_shape *shape, unsigned to[3])
{
    assay_status st = ASSAY_OK;
    assay_term   term[3];
    int          n = 0;

    to[0] = to[1] = to[2] = 1;
    ASSAY_REQUIRE(text, ASSAY_E_CASE, "kernel %s is declared without grid or block", kernel->name);
    ASSAY_CHECK(assay_expression_list(text, point, shape, term, 3, &n));
    for (int i = 0; i < n; i++) {
        ASSAY_REQUIRE(term[i].kind == ASSAY_TERM_INTEGER && term[i].integer >= 0 &&
                          term[i].integer <= INT32_MAX,
                      ASSAY_E_CASE, "kernel %s: \"%s\" is not an extent of a launch", kernel->name,
                      text);
        to[i] = (unsigned)term[i].integer;
    }
out:
    return st;
}

static assay_status put_shared(const assay_kernel *kernel, const assay_point *point,
                               const assay_shape *shape, size_t *bytes)
{
    assay_status st = ASSAY_OK;
    assay_term   term;
    int          n = 0;

    *bytes = 0;
    if (!kernel->shared)
        goto out;
    ASSAY_CHECK(assay_expression_list(kernel->shared, point, shape, &term, 1, &n));
    ASSAY_REQUIRE(n == 1 && term.kind == ASSAY_TERM_INTEGER && term.integer >= 0, ASSAY_E_CASE,
                  "kernel %s: \"%s\" is not a number of bytes", kernel->name, kernel->shared);
    *bytes = (size_t)term.integer;
out:
    return st;
}

static assay_status plan_one(const assay_module *module, const assay_kernel *kernel,
                             const assay_point *point, const assay_shape *shape,
                             assay_planned_kernel *to)
{
    assay_status       st = ASSAY_OK;
    assay_kernel_entry entry;
    char              *signature  = NULL;
    const char        *parameters = NULL;

    ASSAY_CHECK(assay_declared_entry(module, kernel->name, &entry));
    *to       = (assay_planned_kernel) { .kernel         = entry.kernel,
                                         .name           = kernel->name,
                                         .is_co_resident = kernel->is_co_resident };
    signature = assay_demangle(entry.signature);
    ASSAY_REQUIRE(signature, ASSAY_E_MEMORY, "no memory for the name of a kernel");
    parameters = assay_declared_parameters(signature);
    ASSAY_REQUIRE(parameters, ASSAY_E_CASE,
                  "the parameters of kernel %s are not known: extern \"C\" hides them",
                  kernel->name);
    ASSAY_CHECK(put_extents(kernel->grid, kernel, point, shape, to->grid));
    ASSAY_CHECK(put_extents(kernel->block, kernel, point, shape, to->block));
    ASSAY_CHECK(put_shared(kernel, point, shape, &to->shared_bytes));
    ASSAY_CHECK(put_arguments(kernel, point, shape, parameters, to));
out:
    free(signature);
    return st;
}

assay_status assay_declared_plan(const assay_module *module, const assay_point *point,
                                 const assay_shape *shape, assay_launch_plan *plan)
{
    assay_status         st       = ASSAY_OK;
    const assay_variant *variant  = &point->definition->variants[point->variant];
    const assay_kernel  *declared = variant->kernels;

    *plan = (assay_launch_plan) { .n = 0 };
    if (!declared)
        goto out;
    plan->kernel = calloc(ASSAY_MAX_KERNELS, sizeof *plan->kernel);
    ASSAY_REQUIRE(plan->kernel, ASSAY_E_MEMORY, "no memory for a plan of launches");
    for (; declared[plan->n].name; plan->n++) {
        ASSAY_REQUIRE(plan->n < ASSAY_MAX_KERNELS, ASSAY_E_CASE,
                      "variant '%s' declares more than %d kernels", variant->name,
                      ASSAY_MAX_KERNELS);
        ASSAY_CHECK(plan_one(module, &declared[plan->n], point, shape, &plan->kernel[plan->n]));
    }
out:
    return st;
}

void assay_declared_free(assay_launch_plan *plan)
{
    free(plan->kernel);
    *plan = (assay_launch_plan) { .n = 0 };
}
