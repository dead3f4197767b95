/* Evaluates expressions: sums of products of names, numbers and calls of three functions. */
#include "expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const char        *text, *at;
    const assay_point *point;
    const assay_shape *shape;
    assay_status       status; /* of the first failure; nothing is read after it */
    int                depth;
} parser;

enum {
    MAX_DEPTH = 32
};

static assay_term sum(parser *p);

static assay_term fail(parser *p, const char *what)
{
    if (p->status == ASSAY_OK)
        p->status = ASSAY_FAIL(ASSAY_E_CASE, "\"%s\": %s at \"%s\"", p->text, what, p->at);
    return (assay_term) { .kind = ASSAY_TERM_INTEGER };
}

static void skip_blanks(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool take(parser *p, char mark)
{
    skip_blanks(p);
    if (*p->at != mark)
        return false;
    p->at++;
    return true;
}

static void require(parser *p, char mark)
{
    const char what[] = { '\'', mark, '\'', ' ', 'i', 's', ' ', 'm',
                          'i',  's',  's',  'i', 'n', 'g', '\0' };

    if (!take(p, mark))
        (void)fail(p, what);
}

static assay_term integer(int64_t value)
{
    return (assay_term) { .kind = ASSAY_TERM_INTEGER, .integer = value };
}
static assay_term real(double value)
{
    return (assay_term) { .kind = ASSAY_TERM_REAL, .real = value };
}

/* ---- arithmetic: in whole numbers as long as both operands are */

static double real_of(assay_term t)
{
    return t.kind == ASSAY_TERM_REAL ? t.real : (double)t.integer;
}

static assay_term combine_integers(parser *p, char op, int64_t a, int64_t b)
{
    int64_t result   = 0;
    bool    overflow = false;

    if ((op == '/' || op == '%' || op == 'c') && b <= 0)
        return fail(p, "a divisor has to be above 0");
    switch (op) {
    case '+':
        overflow = __builtin_add_overflow(a, b, &result);
        break;
    case '-':
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
    case '*':
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
    case '/':
        result = a / b;
        break;
    case '%':
        result = a % b;
        break;
    case 'c':
        result = a > 0 ? (a - 1) / b + 1 : 0;
        break;
    case 'm':
        result = a < b ? a : b;
        break;
    default:
        result = a < b ? b : a;
        break;
    }
    return overflow ? fail(p, "more than 64 bits") : integer(result);
}

static assay_term combine(parser *p, char op, assay_term a, assay_term b)
{
    if (p->status != ASSAY_OK)
        return integer(0);
    if (a.kind == ASSAY_TERM_BUFFER || b.kind == ASSAY_TERM_BUFFER)
        return fail(p, "a buffer is not a number");
    if (a.kind == ASSAY_TERM_INTEGER && b.kind == ASSAY_TERM_INTEGER)
        return combine_integers(p, op, a.integer, b.integer);
    const double x = real_of(a), y = real_of(b);

    switch (op) {
    case '+':
        return real(x + y);
    case '-':
        return real(x - y);
    case '*':
        return real(x * y);
    case '/':
        return real(x / y);
    case 'm':
        return real(x < y ? x : y);
    case 'M':
        return real(x < y ? y : x);
    default:
        return fail(p, "% and ceil_div take whole numbers");
    }
}

/* ---- names */

static bool is(const char *name, size_t length, const char *word)
{
    return word && strlen(word) == length && memcmp(name, word, length) == 0;
}

/* Finds a buffer, param or scalar of the shape; false: none has this name. */
static bool find_in_shape(const assay_shape *s, const char *name, size_t length, assay_term *term)
{
    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++)
        if (is(name, length, s->buf[b].name)) {
            *term = (assay_term) { .kind = ASSAY_TERM_BUFFER, .buffer = b };
            return true;
        }
    for (int i = 0; i < ASSAY_MAX_PARAMS; i++)
        if (is(name, length, s->param_name[i])) {
            *term = integer(s->param[i]);
            return true;
        }
    for (int i = 0; i < ASSAY_MAX_SCALARS; i++)
        if (is(name, length, s->scalar_name[i])) {
            *term = real(s->scalar[i]);
            return true;
        }
    return false;
}

static assay_term element(parser *p, int n, const double *reals, const int64_t *integers)
{
    const assay_term index = sum(p);

    require(p, ']');
    if (p->status != ASSAY_OK || index.kind != ASSAY_TERM_INTEGER || index.integer < 0 ||
        index.integer >= n)
        return fail(p, "no such param or scalar");
    return reals ? real(reals[index.integer]) : integer(integers[index.integer]);
}

static assay_term axis_value(parser *p, int a)
{
    const assay_axis *axis = &p->point->definition->axes[a];

    if (axis->kind != ASSAY_AXIS_GRID)
        return integer(p->point->axis[a].i[0]);
    if (*p->at == '.' && p->at[1] >= 'x' && p->at[1] <= 'z') {
        p->at += 2;
        return integer(p->point->axis[a].i[p->at[-1] - 'x']);
    }
    return fail(p, "an axis of grids needs its extent: .x, .y or .z");
}

static assay_term call(parser *p, const char *name, size_t length)
{
    const char op = is(name, length, "min")        ? 'm'
                    : is(name, length, "max")      ? 'M'
                    : is(name, length, "ceil_div") ? 'c'
                                                   : '\0';

    if (is(name, length, "count")) {
        const assay_term b = sum(p);

        require(p, ')');
        return b.kind == ASSAY_TERM_BUFFER ? integer(p->shape->buf[b.buffer].count)
                                           : fail(p, "count takes a buffer");
    }
    if (!op)
        return fail(p, "there is no such function");
    const assay_term a = sum(p);

    require(p, ',');
    const assay_term b = sum(p);

    require(p, ')');
    return combine(p, op, a, b);
}

static assay_term name(parser *p)
{
    const char *begin = p->at;

    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    const size_t         length  = (size_t)(p->at - begin);
    const assay_case    *c       = p->point->definition;
    const assay_variant *variant = &c->variants[p->point->variant];

    if (take(p, '('))
        return call(p, begin, length);
    if (is(begin, length, "param") && take(p, '['))
        return element(p, ASSAY_MAX_PARAMS, NULL, p->shape->param);
    if (is(begin, length, "scalar") && take(p, '['))
        return element(p, ASSAY_MAX_SCALARS, p->shape->scalar, NULL);
    for (int a = 0; a < ASSAY_MAX_AXES && c->axes[a].name; a++)
        if (is(begin, length, c->axes[a].name))
            return axis_value(p, a);
    for (int t = 0; t < ASSAY_MAX_TUNING && variant->tuning[t].name; t++)
        if (is(begin, length, variant->tuning[t].name))
            return integer(p->point->tune[t]);
    assay_term term;

    if (find_in_shape(p->shape, begin, length, &term))
        return term;
    p->at = begin;
    return fail(p, "no axis, tuning axis, buffer, param or scalar has this name");
}

/* ---- numbers, products, sums */

static assay_term number(parser *p)
{
    char        *end   = NULL;
    const size_t whole = strspn(p->at, "0123456789");
    assay_term   result;

    if (p->at[whole] == '.' || p->at[whole] == 'e')
        result = real(strtod(p->at, &end));
    else
        result = integer(strtoll(p->at, &end, 10));
    p->at = end;
    return result;
}

static assay_term factor(parser *p)
{
    assay_term inner;

    skip_blanks(p);
    if (++p->depth > MAX_DEPTH)
        inner = fail(p, "too deep");
    else if (take(p, '('))
        inner = sum(p), require(p, ')');
    else if (take(p, '-'))
        inner = combine(p, '-', integer(0), factor(p));
    else if (isdigit((unsigned char)*p->at))
        inner = number(p);
    else if (isalpha((unsigned char)*p->at) || *p->at == '_')
        inner = name(p);
    else
        inner = fail(p, "a number or a name is missing");
    p->depth--;
    return inner;
}

static assay_term product(parser *p)
{
    assay_term a = factor(p);

    for (skip_blanks(p); *p->at && strchr("*/%", *p->at) && p->status == ASSAY_OK; skip_blanks(p)) {
        const char op = *p->at++;

        a = combine(p, op, a, factor(p));
    }
    return a;
}

static assay_term sum(parser *p)
{
    assay_term a = product(p);

    for (skip_blanks(p); *p->at && strchr("+-", *p->at) && p->status == ASSAY_OK; skip_blanks(p)) {
        const char op = *p->at++;

        a = combine(p, op, a, product(p));
    }
    return a;
}

assay_status assay_expression_list(const char *text, const assay_point *point,
                                   const assay_shape *shape, assay_term *terms, int room,
                                   int *n_terms)
{
    parser p = { .text = text, .at = text, .point = point, .shape = shape };

    *n_terms = 0;
    skip_blanks(&p);
    if (!*p.at)
        return ASSAY_OK;
    do {
        if (*n_terms == room)
            return ASSAY_FAIL(ASSAY_E_CASE, "\"%s\" has more than %d values", text, room);
        terms[(*n_terms)++] = sum(&p);
    } while (p.status == ASSAY_OK && take(&p, ','));
    skip_blanks(&p);
    if (p.status == ASSAY_OK && *p.at)
        (void)fail(&p, "an operator or a comma is missing");
    return p.status;
}
