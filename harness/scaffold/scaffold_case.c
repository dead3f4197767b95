/* The text of a case. */
#include "model.h"
#include "scaffold.h"

#include <string.h>

/* What is written, and where to. */
typedef struct writer {
    FILE              *out;
    const char        *name, *file;
    const assay_found *found;
    const assay_model *model;
} writer;

/* By type: how C calls it, where references read it as such, and what a tolerance wants. */
static const struct {
    assay_type  type;
    const char *word, *c_type, *roundoff;
} types[] = {
    { ASSAY_F32, "ASSAY_F32", "float", "ASSAY_U32_ROUNDOFF" },
    { ASSAY_F64, "ASSAY_F64", "double", "ASSAY_U64_ROUNDOFF" },
    { ASSAY_I32, "ASSAY_I32", "int32_t", NULL },
    { ASSAY_U32, "ASSAY_U32", "uint32_t", NULL },
    { ASSAY_I64, "ASSAY_I64", "int64_t", NULL },
    { ASSAY_U64, "ASSAY_U64", "uint64_t", NULL },
    { ASSAY_U8, "ASSAY_U8", "uint8_t", NULL },
    { ASSAY_I8, "ASSAY_I8", "int8_t", NULL },
    { ASSAY_I16, "ASSAY_I16", "int16_t", NULL },
    { ASSAY_U16, "ASSAY_U16", "uint16_t", NULL },
    { ASSAY_F16, "ASSAY_F16", NULL, "ASSAY_F16_ROUNDOFF" },
    { ASSAY_BF16, "ASSAY_BF16", NULL, "ASSAY_BF16_ROUNDOFF" },
    { ASSAY_F8E4M3, "ASSAY_F8E4M3", NULL, "ASSAY_F8E4M3_ROUNDOFF" },
    { ASSAY_F8E5M2, "ASSAY_F8E5M2", NULL, "ASSAY_F8E5M2_ROUNDOFF" },
};

static size_t row_of(assay_type type)
{
    size_t i = 0;

    while (types[i].type != type)
        i++;
    return i;
}

static const assay_item *next(const assay_model *m, assay_item_role role, int *at)
{
    while (*at < m->n_items)
        if (m->item[(*at)++].role == role)
            return &m->item[*at - 1];
    return NULL;
}

static bool is_output(const assay_item *i)
{
    return i->role == ASSAY_ITEM_BUFFER && !i->of->is_const;
}

/* ---- head and names ---- */

static void put_head(const writer *w)
{
    (void)fprintf(w->out,
                  "/* %s: the kernels of %s, compared with a reference.\n"
                  " *\n"
                  " * Written by `assay new`. What it guessed is marked TO CHECK, what it cannot "
                  "know TO WRITE. */\n"
                  "#include \"case.h\"\n"
                  "\n"
                  "#include <math.h>\n"
                  "\n"
                  "/* Names of places in the lists below. Axes first: the reference has them among "
                  "its\n"
                  " * parameters. */\n",
                  w->name, w->file);
}

static void put_names(const writer *w, assay_item_role first, assay_item_role second)
{
    const assay_item *item;
    const char       *before = "enum { ";

    for (int at = 0; (item = next(w->model, first, &at)) != NULL; before = ", ")
        (void)fprintf(w->out, "%s%s", before, item->place);
    if (second != first)
        for (int at = 0; (item = next(w->model, second, &at)) != NULL; before = ", ")
            (void)fprintf(w->out, "%s%s", before, item->place);
    if (before[0] == ',')
        (void)fprintf(w->out, " };\n");
}

/* ---- shape ---- */

static void put_sizes(const writer *w)
{
    const assay_item *item;
    const char       *before = "";

    for (int at = 0; (item = next(w->model, ASSAY_ITEM_AXIS, &at)) != NULL;)
        (void)fprintf(w->out, "    const int64_t %s = axis[%s].i[0];\n", item->local, item->place);
    (void)fprintf(w->out, "    const int64_t count = ");
    for (int at = 0; (item = next(w->model, ASSAY_ITEM_AXIS, &at)) != NULL; before = " * ")
        (void)fprintf(w->out, "%s%s", before, item->local);
    (void)fprintf(w->out, "; /* TO CHECK: elements of each buffer */\n\n    (void)input;\n");
}

static const char *fill_of(const assay_item *item)
{
    if (assay_type_is_float(item->of->type))
        return "ASSAY_UNIFORM(-1, 1)";
    return strcmp(item->of->element, "bool") == 0 ? "ASSAY_INTEGERS(0, 1, 1)"
                                                  : "ASSAY_INTEGERS(0, 100, 1)";
}

static void put_buffer(const writer *w, const assay_item *item)
{
    const char *word = types[row_of(item->of->type)].word;

    (void)fprintf(w->out,
                  "    s->buf[%s] = (assay_buffer) { .name = \"%s\", .role = %s, .type = %s, ",
                  item->place, item->of->name, is_output(item) ? "ASSAY_OUT" : "ASSAY_IN", word);
    if (item->of->lanes > 1)
        (void)fprintf(w->out, ".count = %d * count", item->of->lanes);
    else
        (void)fprintf(w->out, ".count = count");
    if (is_output(item))
        (void)fprintf(
            w->out, " };\n    /* TO CHECK: ASSAY_INOUT if kernels read what was there, ASSAY_IN if "
                    "they never write it,\n     * ASSAY_WORK if it is scratch; the first two need "
                    "a .fill. */\n");
    else
        (void)fprintf(w->out,
                      ",\n        .fill = %s }; /* TO CHECK: what kernels may be given */\n",
                      fill_of(item));
}

static void put_numbers(const writer *w)
{
    const assay_item *item;

    for (int at = 0; (item = next(w->model, ASSAY_ITEM_AXIS, &at)) != NULL;)
        (void)fprintf(w->out, "    s->param[%s] = %s;\n", item->place, item->local);
    for (int at = 0; (item = next(w->model, ASSAY_ITEM_PARAM, &at)) != NULL;)
        (void)fprintf(w->out,
                      "    s->param[%s] = 1; /* TO CHECK */\n    s->param_name[%s] = \"%s\";\n",
                      item->place, item->place, item->of->name);
    for (int at = 0; (item = next(w->model, ASSAY_ITEM_SCALAR, &at)) != NULL;)
        (void)fprintf(w->out,
                      "    s->scalar[%s] = 0.5; /* TO CHECK */\n    s->scalar_name[%s] = \"%s\";\n",
                      item->place, item->place, item->of->name);
}

static size_t bytes_of(const assay_model *m, bool outputs)
{
    const assay_item *item;
    size_t            bytes = 0;

    for (int at = 0; (item = next(m, ASSAY_ITEM_BUFFER, &at)) != NULL;)
        if (is_output(item) == outputs)
            bytes += assay_type_size(item->of->type) * (size_t)item->of->lanes;
    return bytes;
}

static void put_shape(const writer *w)
{
    const assay_item *item;

    (void)fprintf(w->out,
                  "\nstatic void %s_shape(const assay_value *axis, assay_input input, assay_shape "
                  "*s)\n{\n",
                  w->name);
    put_sizes(w);
    for (int at = 0; (item = next(w->model, ASSAY_ITEM_BUFFER, &at)) != NULL;)
        put_buffer(w, item);
    put_numbers(w);
    (void)fprintf(w->out,
                  "    s->cells = count; /* TO CHECK: what rates are per second of */\n"
                  "    s->flops = 0; /* TO CHECK: operations that the mathematics needs */\n"
                  "    s->bytes_read = %zu * count; /* TO CHECK: each input once, each output once "
                  "*/\n"
                  "    s->bytes_written = %zu * count;\n}\n",
                  bytes_of(w->model, false), bytes_of(w->model, true));
}

/* ---- reference ---- */

static void put_reference_notes(const writer *w)
{
    const assay_item *item;

    for (int at = 0; (item = next(w->model, ASSAY_ITEM_BUFFER, &at)) != NULL;) {
        const size_t row = row_of(item->of->type);

        if (is_output(item))
            (void)fprintf(w->out, " *   %s: args->expect[%s].%s[i]\n", item->of->name, item->place,
                          types[row].roundoff ? "value" : "integer");
        else if (types[row].c_type)
            (void)fprintf(w->out, " *   %s: const %s *%s = args->in[%s];\n", item->of->name,
                          types[row].c_type, item->local, item->place);
        else
            (void)fprintf(w->out, " *   %s: assay_type_load(%s, args->in[%s], i)\n", item->of->name,
                          types[row].word, item->place);
    }
    for (int i = 0; i < w->model->n_items; i++) {
        item = &w->model->item[i];
        if (item->role != ASSAY_ITEM_BUFFER)
            (void)fprintf(w->out, " *   %s: args->%s[%s]\n", item->of->name,
                          item->role == ASSAY_ITEM_SCALAR ? "scalar" : "param", item->place);
    }
}

static void put_reference(const writer *w)
{
    (void)fprintf(w->out,
                  "\n/* TO WRITE: every element of every output, in double, by plain loops, then "
                  ".reference below.\n");
    put_reference_notes(w);
    (void)fprintf(w->out,
                  " * The rule BOUND wants beside .value[i] also .magnitude[i], the sum of the "
                  "absolute values of its\n * terms, and .terms, how many the longest sum has. */\n"
                  "assay_reference_fn %s_reference;\n\n"
                  "void %s_reference(const assay_reference_args *args)\n{\n    (void)args;\n}\n",
                  w->name, w->name);
}

/* ---- launches ---- */

static void put_escaped(const writer *w, const char *text)
{
    for (; *text; text++)
        (void)fprintf(w->out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void put_arguments(const writer *w)
{
    const assay_model *m = w->model;

    (void)fprintf(w->out, "      .arguments = \"");
    for (int i = 0; i < m->n_items - m->has_own_axis; i++)
        (void)fprintf(w->out, "%s%s", i ? ", " : "", m->item[i].of->name);
    (void)fprintf(w->out, "\" },\n");
}

static void put_guessed_grid(const writer *w)
{
    const assay_item *item;
    const char       *before = "";

    (void)fprintf(w->out, "ceil_div(");
    for (int at = 0; (item = next(w->model, ASSAY_ITEM_AXIS, &at)) != NULL; before = " * ")
        (void)fprintf(w->out, "%s%s", before, item->of->name);
    (void)fprintf(w->out, ", 256)");
}

static void put_launch(const writer *w, int v)
{
    const assay_found_kernel *k         = w->model->variant[v].kernel;
    const bool                is_known  = k->grid[0] && k->block[0];
    const bool                is_shared = k->shared[0] && strcmp(k->shared, "0") != 0;

    (void)fprintf(w->out, "\nstatic const assay_kernel %s_launch[] = {\n    { .name = \"",
                  w->model->variant[v].name);
    put_escaped(w, k->name);
    (void)fprintf(w->out, "\",\n      .grid = \"");
    if (is_known)
        (void)fprintf(w->out, "%s", k->grid);
    else
        put_guessed_grid(w);
    (void)fprintf(w->out, "\", .block = \"%s\", %s\n", is_known ? k->block : "256",
                  is_known ? "/* as the file launches it */"
                           : "/* TO CHECK: the file does not say it in these names */");
    if (is_shared)
        (void)fprintf(w->out, "      .shared = \"%s\",\n", k->shared);
    else if (k->has_dynamic_shared)
        (void)fprintf(w->out,
                      "      .shared = \"1024\", /* TO CHECK: bytes of its extern __shared__ */\n");
    put_arguments(w);
    (void)fprintf(w->out, "    { .name = NULL },\n};\n");
}

static void put_launches(const writer *w)
{
    for (int v = 0; v < w->model->n_variants; v++)
        put_launch(w, v);
    for (int i = 0; i < w->found->n_kernels; i++) {
        const assay_found_kernel *k = &w->found->kernel[i];

        if (k->why[0])
            (void)fprintf(w->out, "\n/* No variant: line %d, %s: %s */\n", k->line, k->name,
                          k->why);
    }
    if (w->model->n_variants == 0)
        (void)fprintf(w->out, "\n/* TO WRITE: no kernel of the file can be launched as data. The "
                              "buffers above are an example. */\n");
}

/* ---- the case ---- */

static void put_axes(const writer *w)
{
    /* By the number of axes: edge sizes, and real ones that fit into memory together. */
    static const char *const values[] = {
        "ASSAY_Q(1), ASSAY_Q(31), ASSAY_Q(256), ASSAY_Q(257), ASSAY_Q(10007), ASSAY_F(1 << 24)",
        "ASSAY_Q(1), ASSAY_Q(7), ASSAY_Q(33), ASSAY_Q(257), ASSAY_F(4096)",
        "ASSAY_Q(1), ASSAY_Q(7), ASSAY_Q(33), ASSAY_F(256)",
        "ASSAY_Q(1), ASSAY_Q(5), ASSAY_F(8)",
    };
    const int         n = w->model->n[ASSAY_ITEM_AXIS];
    const assay_item *item;

    (void)fprintf(w->out, "    /* TO CHECK: are these the sizes? Edge sizes that hurt (0, 1, "
                          "beside a tile, a prime), then real ones. */\n    .axes = {\n");
    for (int at = 0; (item = next(w->model, ASSAY_ITEM_AXIS, &at)) != NULL;)
        (void)fprintf(w->out, "        [%s] = ASSAY_AXIS(\"%s\", ASSAY_AXIS_INT, %s),\n",
                      item->place, item->of->name, values[n < 4 ? n - 1 : 3]);
    (void)fprintf(w->out, "    },\n");
}

static void put_rule(const writer *w, assay_type type)
{
    const char *roundoff = types[row_of(type)].roundoff;

    if (!roundoff)
        (void)fprintf(w->out, "{ .rule = ASSAY_RULE_EXACT, .why = NULL }");
    else
        (void)fprintf(w->out,
                      "{ .rule = ASSAY_RULE_BOUND, .c = 2, .u_out = %s,\n        .u_acc = %s, "
                      ".growth = ASSAY_G_LINEAR, .why = NULL }",
                      roundoff, type == ASSAY_F64 ? roundoff : "ASSAY_U32_ROUNDOFF");
}

/* One for all outputs of the first one's type, and one each for others. */
static void put_tolerances(const writer *w)
{
    const assay_item *item, *first = NULL;
    bool              has_more = false;

    (void)fprintf(w->out, "    /* TO CHECK: the rule; TO WRITE: .why, its reason. */\n");
    for (int at = 0; (item = next(w->model, ASSAY_ITEM_BUFFER, &at)) != NULL;) {
        if (!is_output(item))
            continue;
        if (!first) {
            first = item;
            (void)fprintf(w->out, "    .tol = ");
            put_rule(w, item->of->type);
            (void)fprintf(w->out, ",\n");
        } else if (item->of->type != first->of->type) {
            (void)fprintf(w->out, "%s        { \"%s\", ", has_more ? "" : "    .tol_for = {\n",
                          item->of->name);
            put_rule(w, item->of->type);
            (void)fprintf(w->out, " },\n");
            has_more = true;
        }
    }
    if (has_more)
        (void)fprintf(w->out, "    },\n");
}

static void put_definition(const writer *w)
{
    (void)fprintf(w->out,
                  "\nconst assay_case assay_case_%s = {\n"
                  "    .name = \"%s\",\n"
                  "    .what = \"%s\", /* TO CHECK: one line for people */\n"
                  "    .version = 1,\n",
                  w->name, w->name, w->name);
    put_axes(w);
    (void)fprintf(w->out,
                  "    /* TO CHECK: EXACT as well, if small whole numbers give the same bits in "
                  "every order. */\n"
                  "    .inputs = ASSAY_INPUT_BIT(RANDOM),\n"
                  "    .timed_input = ASSAY_INPUT_RANDOM,\n"
                  "    .shape = %s_shape,\n"
                  "    .reference = NULL, /* TO WRITE: %s_reference, once it is written */\n",
                  w->name, w->name);
    put_tolerances(w);
    (void)fprintf(w->out, "    .variants = {\n");
    for (int v = 0; v < w->model->n_variants; v++)
        (void)fprintf(w->out, "        { .name = \"%s\", .kernels = %s_launch },\n",
                      w->model->variant[v].name, w->model->variant[v].name);
    (void)fprintf(w->out, "        { .name = NULL },\n    },\n};\n");
}

assay_status assay_scaffold_case(const char *name, const char *file, assay_found *found, FILE *out)
{
    assay_model  model;
    const writer w = { out, name, file, found, &model };

    assay_model_make(name, found, &model);
    put_head(&w);
    put_names(&w, ASSAY_ITEM_AXIS, ASSAY_ITEM_PARAM);
    put_names(&w, ASSAY_ITEM_BUFFER, ASSAY_ITEM_BUFFER);
    put_names(&w, ASSAY_ITEM_SCALAR, ASSAY_ITEM_SCALAR);
    put_shape(&w);
    put_reference(&w);
    put_launches(&w);
    put_definition(&w);
    return ferror(out) ? ASSAY_FAIL(ASSAY_E_IO, "cannot write the case") : ASSAY_OK;
}
