/* What the tables of physarum and physarum_run say about their variants: every kernel that one
 * launches is a part of the step, under the article's name for it; and the bytes that it moves are
 * those of its passes over memory, which are listed here pass by pass. */
#include "../../testing/launched.h"

#include "../../../kernels/physarum/physarum_case.h"
#include "../../testing/trial.h"

#include <stdlib.h>
#include <string.h>

extern const assay_case assay_case_physarum, assay_case_physarum_run;

assay_launch_fn physarum_ops, physarum_two_kernel, physarum_fused, physarum_fused_sorted,
    physarum_fused_resident;
assay_workspace_fn physarum_ops_workspace, physarum_two_kernel_workspace, physarum_fused_workspace,
    physarum_fused_sorted_workspace, physarum_fused_resident_workspace;

/* ---- sections */

static const struct {
    const char         *variant;
    int64_t             semantics;
    assay_launch_fn    *launch;
    assay_workspace_fn *workspace;
    const char         *sections; /* in the order of their first launches */
} calls[] = {
    { "ops", PHYSARUM_TORCH, physarum_ops, physarum_ops_workspace,
      "copies of the call; sense_compute_offsets; sense_sample_points; sense_grid_sample; sensing; "
      "steering; movement; deposition; diffusion; " },
    { "two_kernel", PHYSARUM_CANONICAL, physarum_two_kernel, physarum_two_kernel_workspace,
      "sensing, steering, movement; copies of the call; deposition; diffusion; " },
    { "two_kernel", PHYSARUM_TRITON, physarum_two_kernel, physarum_two_kernel_workspace,
      "sensing, steering, movement; copies of the call; deposition; diffusion; " },
    { "fused", PHYSARUM_CANONICAL, physarum_fused, physarum_fused_workspace,
      "copies of the call; sensing to deposition; diffusion; " },
    { "fused", PHYSARUM_TRITON, physarum_fused, physarum_fused_workspace,
      "copies of the call; sensing to deposition; diffusion; " },
    { "fused_torch", PHYSARUM_TORCH, physarum_fused, physarum_fused_workspace,
      "copies of the call; sensing to deposition; diffusion; " },
    { "fused_sorted", PHYSARUM_CANONICAL, physarum_fused_sorted, physarum_fused_sorted_workspace,
      "copies of the call; sorting; sensing to deposition; diffusion; " },
    { "fused_resident", PHYSARUM_CANONICAL, physarum_fused_resident,
      physarum_fused_resident_workspace, "copies of the call; sorting; sensing to diffusion; " },
};

static const assay_variant *variant_of(const assay_case *definition, const char *name)
{
    for (const assay_variant *v = definition->variants; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    abort();
}

static assay_shape shape_of(int64_t semantics, int64_t width, int64_t height, int64_t agents,
                            int64_t steps)
{
    const assay_value axis[ASSAY_MAX_AXES] = { { .i = { semantics } },
                                               { .i = { width, height, 1 } },
                                               { .i = { agents } },
                                               { .i = { 0 } },
                                               { .i = { steps } } };
    assay_shape       s                    = { .cells = 0 };

    assay_case_physarum_run.shape(axis, ASSAY_INPUT_RANDOM, &s);
    return s;
}

static void *zeroed(size_t bytes)
{
    const size_t room   = (bytes / 256 + 1) * 256;
    void        *memory = aligned_alloc(256, room);

    return memory ? memset(memory, 0, room) : (abort(), NULL);
}

static void launch(int k, const assay_variant *v, const assay_shape *s)
{
    void      *buf[ASSAY_MAX_BUFFERS];
    int64_t    count[ASSAY_MAX_BUFFERS], tune[ASSAY_MAX_TUNING];
    assay_args args = {
        .buf = buf, .count = count, .param = s->param, .scalar = s->scalar, .tune = tune
    };

    for (int t = 0; v->tuning[t].name; t++)
        tune[t] = v->tuning[t].values[0];
    for (int b = 0; b <= PHYSARUM_BUF_BEFORE_FIELD; b++) {
        count[b] = s->buf[b].count;
        buf[b]   = zeroed((size_t)count[b] * sizeof(float));
    }
    args.workspace_bytes = calls[k].workspace(&args);
    args.workspace       = zeroed(args.workspace_bytes);
    trial_expect(calls[k].launch(&args, NULL) == 0, "%s: the launch failed", v->name);
    free(args.workspace);
    for (int b = 0; b <= PHYSARUM_BUF_BEFORE_FIELD; b++)
        free(buf[b]);
}

/* Marks the rows that were used, and lists the sections. */
static void collect(const assay_variant *v, bool *is_used, char *sections, size_t size)
{
    sections[0] = '\0';
    for (int i = 0; i < launched_count(); i++) {
        const assay_section_name *row = launched_section(v, launched_name(i));

        if (!row)
            continue;
        is_used[row - v->sections] = true;
        if (!strstr(sections, row->section) &&
            strlen(sections) + strlen(row->section) + 3 <= size) {
            (void)strcat(sections, row->section);
            (void)strcat(sections, "; ");
        }
    }
}

/* A memset is not a launch, and neither is a range of a peer. */
static bool is_kernel(const char *name)
{
    const size_t length = strlen(name), suffix = strlen("_kernel");

    return length > suffix && strcmp(name + length - suffix, "_kernel") == 0;
}

/* On a grid whose rows are whole warps and on one where they are not. */
static void check_sections(void)
{
    static const int64_t grids[][2]  = { { 128, 9 }, { 33, 17 } };
    bool                 is_used[64] = { false };
    char                 found[256];

    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++)
        for (int g = 0; g < 2; g++) {
            const assay_variant *v = variant_of(&assay_case_physarum_run, calls[k].variant);
            const assay_shape    s = shape_of(calls[k].semantics, grids[g][0], grids[g][1], 257, 3);

            launched_forget();
            launch((int)k, v, &s);
            launched_expect_sections(v);
            collect(v, is_used, found, sizeof found);
            trial_expect(strcmp(found, calls[k].sections) == 0, "%s has the sections %s not %s",
                         v->name, found, calls[k].sections);
        }
    const assay_section_name *rows = variant_of(&assay_case_physarum_run, "fused")->sections;

    for (int r = 0; rows[r].kernel; r++)
        trial_expect(is_used[r] || !is_kernel(rows[r].kernel),
                     "no variant launches %s, which has a section", rows[r].kernel);
}

/* ---- bytes */

enum {
    CANONICAL = PHYSARUM_CANONICAL,
    TORCH     = PHYSARUM_TORCH
};

static const struct {
    const char *variant;
    int64_t     semantics, width, height, agents, steps, bytes;
} moved[] = {
    { "cpu_omp", CANONICAL, 128, 9, 257, 3, 95388 },
    { "ops", TORCH, 128, 9, 257, 3, 925860 },
    { "two_kernel", CANONICAL, 128, 9, 257, 3, 155292 },
    { "fused", CANONICAL, 128, 9, 257, 3, 80004 },
    { "fused_torch", TORCH, 128, 9, 257, 3, 84576 },
    { "fused_graph", CANONICAL, 128, 9, 257, 3, 80004 },
    { "fused_sorted", CANONICAL, 128, 9, 257, 3, 556232 },
    { "fused_resident", CANONICAL, 128, 9, 257, 3, 539784 },
    /* The call copies its input, and the only step is the first and the last. */
    { "cpu_omp", CANONICAL, 128, 9, 257, 1, 47180 },
    { "ops", TORCH, 128, 9, 257, 1, 327076 },
    { "two_kernel", CANONICAL, 128, 9, 257, 1, 70220 },
    { "fused", CANONICAL, 128, 9, 257, 1, 45124 },
    { "fused_sorted", CANONICAL, 128, 9, 257, 1, 523408 },
    /* Few agents, which reach few cells; four sorts. */
    { "fused", CANONICAL, 8192, 8192, 100, 500, 402923819456 },
    { "fused_sorted", CANONICAL, 8192, 8192, 100, 500, 403393408704 },
    { "fused_resident", CANONICAL, 8192, 8192, 100, 500, 403392408304 },
    /* The most cells and agents: nothing is cut to 32 bits. */
    { "ops", TORCH, 32768, 32768, 1 << 28, 1024, 315577017040896 },
    { "two_kernel", CANONICAL, 32768, 32768, 1 << 28, 1024, 45097156608000 },
    { "fused_torch", TORCH, 32768, 32768, 1 << 28, 1024, 26392574033920 },
    { "fused_sorted", CANONICAL, 32768, 32768, 1 << 28, 1024, 24336224223232 },
};

static void check_bytes(void)
{
    for (size_t i = 0; i < sizeof moved / sizeof moved[0]; i++) {
        const assay_variant *v     = variant_of(&assay_case_physarum_run, moved[i].variant);
        const assay_shape    s     = shape_of(moved[i].semantics, moved[i].width, moved[i].height,
                                              moved[i].agents, moved[i].steps);
        const int64_t        bytes = v->bytes_moved(&s);

        trial_expect(bytes == moved[i].bytes, "%s (row %d) moves %lld bytes, not %lld", v->name,
                     (int)i, (long long)bytes, (long long)moved[i].bytes);
    }
}

/* One step that does not store the state before it: physarum. */
static void check_single_step(void)
{
    assay_shape          s = shape_of(CANONICAL, 128, 9, 257, 1);
    const assay_variant *v = variant_of(&assay_case_physarum, "fused");

    s.param[PHYSARUM_PARAM_KEEPS_BEFORE] = false;
    trial_expect(v->bytes_moved(&s) == 45124 - 2 * (12 * 257 + 4 * 1152), "a step moves %lld bytes",
                 (long long)v->bytes_moved(&s));
}

static void check_all_have_bytes(const assay_case *definition)
{
    for (const assay_variant *v = definition->variants; v->name; v++)
        trial_expect((v->bytes_moved != NULL) != (v->peer.script || v->flags & ASSAY_IS_REFERENCE),
                     "%s/%s: bytes", definition->name, v->name);
}

int main(void)
{
    check_sections();
    check_bytes();
    check_single_step();
    check_all_have_bytes(&assay_case_physarum);
    check_all_have_bytes(&assay_case_physarum_run);
    return trial_finish("test_physarum_variants");
}
