/* Is a case defined consistently? All rules that its data can break are checked before anything
 * runs. */
#include "check.h"

#include "check_definition.h"
#include "rows/rows.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum {
    MAX_COMBINATIONS = 100000 /* combinations of axis values that are checked through the shape */
};

static bool is_empty(const char *text) { return !text || !text[0]; }

bool assay_definition_is_name(const char *text)
{
    if (is_empty(text) || strlen(text) >= ASSAY_NAME_SIZE)
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("_-.", *text))
            return false;
    return true;
}

/* ---- axes ---- */

static bool is_same_value(const assay_axis *axis, const assay_value *a, const assay_value *b)
{
    if (axis->kind == ASSAY_AXIS_TEXT)
        return strcmp(a->text, b->text) == 0;
    if (axis->kind == ASSAY_AXIS_INT)
        return a->i[0] == b->i[0];
    return memcmp(a->i, b->i, sizeof a->i) == 0;
}

static const char *wrong_with_value(const assay_axis *axis, int v)
{
    const assay_value *value = &axis->values[v];

    if (axis->kind == ASSAY_AXIS_TEXT && !assay_definition_is_name(value->text))
        return "has a word that is not a valid name";
    if (axis->kind == ASSAY_AXIS_TEXT && value->i[0] != v)
        return "has a word whose index is not its index in the list";
    if (axis->kind == ASSAY_AXIS_GRID && (value->i[0] < 0 || value->i[1] < 0 || value->i[2] < 0))
        return "has an extent below 0";
    if (value->tier != ASSAY_QUICK && value->tier != ASSAY_FULL)
        return "has a value without a tier";
    for (int w = 0; w < v; w++)
        if (is_same_value(axis, &axis->values[w], value))
            return "has the same value twice";
    return NULL;
}

static const char *wrong_with_axis(const assay_case *c, int a)
{
    const assay_axis *axis  = &c->axes[a];
    const char       *wrong = NULL;

    if (!assay_definition_is_name(axis->name))
        return "has no proper name";
    if (axis->kind > ASSAY_AXIS_TEXT)
        return "has an unknown kind";
    if (axis->n_values < 1 || !axis->values)
        return "has no values";
    for (int b = 0; b < a; b++)
        if (strcmp(c->axes[b].name, axis->name) == 0)
            return "has the name of another axis";
    for (int v = 0; v < axis->n_values && !wrong; v++)
        wrong = wrong_with_value(axis, v);
    return wrong;
}

static int axis_count(const assay_case *c)
{
    int n = 0;

    while (n <= ASSAY_MAX_AXES && c->axes[n].name)
        n++;
    return n;
}

static assay_status check_axes(const assay_case *c)
{
    assay_status st = ASSAY_OK;
    const int    n  = axis_count(c);

    for (int a = n + 1; a <= ASSAY_MAX_AXES; a++)
        ASSAY_REQUIRE(!c->axes[a].name, ASSAY_E_CASE,
                      "case '%s': axes: axis %d is missing, but axis %d, '%s', follows it", c->name,
                      n, a, c->axes[a].name);
    ASSAY_REQUIRE(n >= 1 && n <= ASSAY_MAX_AXES, ASSAY_E_CASE,
                  "case '%s': axes: there must be 1 to %d", c->name, ASSAY_MAX_AXES);
    for (int a = 0; a < n; a++) {
        const char *wrong = wrong_with_axis(c, a);

        ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': axes: axis '%s' %s", c->name,
                      c->axes[a].name, wrong);
    }
out:
    return st;
}

/* ---- head and inputs ---- */

static assay_status check_head(const assay_case *c)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(assay_definition_is_name(c->name), ASSAY_E_CASE,
                  "case '%s': name: must be letters, digits, '_', '-' or '.'",
                  c->name ? c->name : "");
    ASSAY_REQUIRE(!c->group || assay_definition_is_name(c->group), ASSAY_E_CASE,
                  "case '%s': group: '%s' is not a valid name", c->name, c->group);
    ASSAY_REQUIRE(!is_empty(c->what), ASSAY_E_CASE, "case '%s': what: is missing", c->name);
    ASSAY_REQUIRE(c->version >= 1, ASSAY_E_CASE, "case '%s': version: %d is below 1", c->name,
                  c->version);
    ASSAY_REQUIRE(c->shape, ASSAY_E_CASE, "case '%s': shape: is missing", c->name);
    ASSAY_REQUIRE(c->reference, ASSAY_E_CASE,
                  "case '%s': reference: is missing, and without one nothing can be judged: write "
                  "%s_reference in %s.c and set .reference to it",
                  c->name, c->name, c->name);
    ASSAY_REQUIRE(c->inputs != 0 && c->inputs < 1u << ASSAY_N_INPUTS, ASSAY_E_CASE,
                  "case '%s': inputs: names no class, or an unknown one", c->name);
    ASSAY_REQUIRE((unsigned)c->timed_input < ASSAY_N_INPUTS &&
                      (c->inputs & (1u << (unsigned)c->timed_input)),
                  ASSAY_E_CASE, "case '%s': timed_input: '%s' is not among its inputs", c->name,
                  assay_input_text(c->timed_input));
out:
    return st;
}

/* ---- invariants ---- */

static assay_status check_invariants(const assay_case *c)
{
    assay_status           st   = ASSAY_OK;
    const assay_invariant *list = c->invariants;

    ASSAY_REQUIRE(!list[ASSAY_MAX_INVARIANTS].name, ASSAY_E_CASE,
                  "case '%s': invariants: more than %d", c->name, ASSAY_MAX_INVARIANTS);
    for (int i = 0; list[i].name; i++) {
        ASSAY_REQUIRE(!is_empty(list[i].name) && !is_empty(list[i].why) && list[i].measure,
                      ASSAY_E_CASE, "case '%s': invariants: '%s' needs a name, a why and a measure",
                      c->name, list[i].name);
        for (int k = 0; k < i; k++)
            ASSAY_REQUIRE(strcmp(list[k].name, list[i].name) != 0, ASSAY_E_CASE,
                          "case '%s': invariants: two are called '%s'", c->name, list[i].name);
    }
out:
    return st;
}

/* ---- variants ---- */

static int variant_named(const assay_case *c, const char *name)
{
    for (int v = 0; v < ASSAY_MAX_VARIANTS && c->variants[v].name; v++)
        if (strcmp(c->variants[v].name, name) == 0)
            return v;
    return -1;
}

static const char *wrong_with_variant(const assay_case *c, int i)
{
    const assay_variant *v = &c->variants[i];

    if (!assay_definition_is_name(v->name))
        return "name: must be letters, digits, '_', '-' or '.'";
    if (variant_named(c, v->name) != i)
        return "name: is another variant's too";
    if (v->what && (is_empty(v->what) || strlen(v->what) >= ASSAY_VARIANT_WHAT_SIZE))
        return "what: must be one line of text";
    if (!is_empty(v->launch) + (v->kernels != NULL) + (v->cpu != NULL) +
            !is_empty(v->peer.script) !=
        1)
        return "launch, kernels, cpu, peer: exactly one of them must be set";
    if (v->kernels && !v->kernels[0].name)
        return "kernels: the list is empty";
    if (v->baseline && variant_named(c, v->baseline) < 0)
        return "baseline: is not a variant of this case";
    if (v->baseline && strcmp(v->baseline, v->name) == 0)
        return "baseline: is the variant itself";
    if (v->gpu_only && is_empty(v->gpu_only))
        return "gpu_only: must name the instruction";
    if (!(v->time_limit_s >= 0 && isfinite(v->time_limit_s)))
        return "time_limit_s: must be finite and not below 0";
    for (const assay_section_name *n = v->sections; n && n->kernel; n++)
        if (is_empty(n->kernel) || is_empty(n->section))
            return "sections: one lacks a name";
    for (int lane = 0; lane < ASSAY_N_LANES; lane++)
        if (v->expect[lane] >> ASSAY_N_VERDICTS)
            return "expect: has a bit that is not a verdict";
    return assay_definition_wrong_with_peer(v);
}

static assay_status check_variants(const assay_case *c)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(c->variants[0].name, ASSAY_E_CASE, "case '%s': variants: there is none", c->name);
    ASSAY_REQUIRE(!c->variants[ASSAY_MAX_VARIANTS].name, ASSAY_E_CASE,
                  "case '%s': variants: more than %d", c->name, ASSAY_MAX_VARIANTS);
    for (int i = 0; c->variants[i].name; i++) {
        const char *wrong = wrong_with_variant(c, i);

        ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': variant '%s': %s", c->name,
                      c->variants[i].name, wrong);
        ASSAY_CHECK(assay_definition_check_tuning(c, &c->variants[i]));
    }
out:
    return st;
}

/* ---- shapes ---- */

static const char *wrong_with_buffer(const assay_shape *s, int b)
{
    const assay_buffer *buffer = &s->buf[b];

    if (!assay_definition_is_name(buffer->name))
        return "has no proper name";
    for (int k = 0; k < b; k++)
        if (strcmp(s->buf[k].name, buffer->name) == 0)
            return "has the name of another buffer";
    if (buffer->count < 0)
        return "has a count below 0";
    if ((unsigned)buffer->role > ASSAY_WORK || assay_type_size(buffer->type) == 0)
        return "has an unknown role or type";
    return NULL;
}

/* A gap in the list is a slip if an enumeration numbers the buffers; it would end the list. */
static assay_status check_places(const assay_case *c, const assay_shape *s, int n)
{
    assay_status st    = ASSAY_OK;
    const char  *which = NULL, *wrong = assay_definition_wrong_with_names(c, s, &which);

    for (int b = n + 1; b < ASSAY_MAX_BUFFERS; b++)
        ASSAY_REQUIRE(s->buf[b].role == ASSAY_NO_BUFFER, ASSAY_E_CASE,
                      "case '%s': shape: buffer %d is missing, but buffer %d, '%s', follows it",
                      c->name, n, b, s->buf[b].name ? s->buf[b].name : "");
    ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': shape: the name '%s' of a param or scalar %s",
                  c->name, which, wrong);
out:
    return st;
}

static bool is_output(const assay_buffer *buffer)
{
    return buffer->role == ASSAY_OUT || buffer->role == ASSAY_INOUT;
}

/* Checks one shape, and marks in `used` the tolerances that apply to its outputs. */
static assay_status check_shape(const assay_case *c, const assay_shape *s,
                                bool used[ASSAY_MAX_OUTPUTS])
{
    assay_status st        = ASSAY_OK;
    int          n_outputs = 0, b = 0;

    for (; b < ASSAY_MAX_BUFFERS && s->buf[b].role != ASSAY_NO_BUFFER; b++) {
        const char *wrong = wrong_with_buffer(s, b);
        int         t;

        ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "case '%s': shape: buffer %d '%s' %s", c->name, b,
                      s->buf[b].name ? s->buf[b].name : "", wrong);
        if (!is_output(&s->buf[b]))
            continue;
        n_outputs++;
        t = assay_definition_tolerance_of(c, s->buf[b].name);
        if (t >= 0)
            used[t] = true;
        ASSAY_REQUIRE(t >= 0 || assay_check_is_compared(c, s->buf[b].name) ||
                          assay_definition_is_tolerance_set(&c->tol),
                      ASSAY_E_CASE, "case '%s': tol: output '%s' has no tolerance", c->name,
                      s->buf[b].name);
    }
    ASSAY_CHECK(check_places(c, s, b));
    ASSAY_REQUIRE(n_outputs > 0, ASSAY_E_CASE, "case '%s': shape: has no output", c->name);
    ASSAY_REQUIRE(s->cells >= 0 && s->flops >= 0 && s->bytes_read >= 0 && s->bytes_written >= 0,
                  ASSAY_E_CASE, "case '%s': shape: cells, flops or bytes below 0", c->name);
out:
    return st;
}

/* Checks all input classes at one combination of axis values. */
static assay_status check_combination(const assay_case *c, const assay_value *axis,
                                      bool used[ASSAY_MAX_OUTPUTS])
{
    assay_status st = ASSAY_OK;

    if (c->excluded && c->excluded(axis))
        return ASSAY_OK;
    for (unsigned input = 0; input < ASSAY_N_INPUTS; input++) {
        assay_shape s = { 0 };

        if (!(c->inputs & (1u << input)) ||
            (c->input_excluded && c->input_excluded(axis, (assay_input)input)))
            continue;
        c->shape(axis, (assay_input)input, &s);
        ASSAY_CHECK(check_shape(c, &s, used));
    }
out:
    return st;
}

/* Moves on to the next combination of axis values; false after the last one. */
static bool next_combination(const assay_case *c, int place[ASSAY_MAX_AXES])
{
    for (int a = axis_count(c) - 1; a >= 0; a--) {
        if (++place[a] < c->axes[a].n_values)
            return true;
        place[a] = 0;
    }
    return false;
}

static assay_status check_shapes(const assay_case *c)
{
    assay_status st                      = ASSAY_OK;
    int          place[ASSAY_MAX_AXES]   = { 0 };
    bool         used[ASSAY_MAX_OUTPUTS] = { false };
    int          n                       = 0;
    assay_value  axis[ASSAY_MAX_AXES]    = { 0 };

    do {
        for (int a = 0; a < axis_count(c); a++)
            axis[a] = c->axes[a].values[place[a]];
        ASSAY_CHECK(check_combination(c, axis, used));
    } while (++n < MAX_COMBINATIONS && next_combination(c, place));
    for (int t = 0; c->tol_for[t].output && n < MAX_COMBINATIONS; t++)
        ASSAY_REQUIRE(used[t], ASSAY_E_CASE,
                      "case '%s': tol_for: '%s' is not an output at any point", c->name,
                      c->tol_for[t].output);
out:
    return st;
}

assay_status assay_check_definition(const assay_case *definition)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(definition, ASSAY_E_CASE, "there is no case");
    ASSAY_CHECK(check_head(definition));
    ASSAY_CHECK(check_axes(definition));
    ASSAY_CHECK(assay_definition_check_tolerances(definition));
    ASSAY_CHECK(check_invariants(definition));
    ASSAY_CHECK(assay_definition_check_waivers(definition));
    ASSAY_CHECK(assay_definition_check_unseen(definition));
    ASSAY_CHECK(assay_definition_check_facts(definition));
    ASSAY_CHECK(check_variants(definition));
    ASSAY_CHECK(check_shapes(definition));
out:
    return st;
}
