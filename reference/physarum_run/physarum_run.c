/* The case physarum_run: the state before the last step of a call, and after it. */
#include "../physarum/physarum.h"

#include "../../kernels/physarum/physarum_case.h"

#include <stdlib.h>
#include <string.h>

assay_reference_fn physarum_run_reference;
assay_launch_fn    physarum_run_cpu_ref;

static float *copy_of(const float *from, int64_t count)
{
    float *to = malloc(((size_t)count + 1) * sizeof *to);

    if (!to)
        abort(); /* without memory there is no answer: a crash before anything is judged */
    memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static void expect_values(assay_expected *e, const float *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        e->value[i] = (double)from[i];
}

/* Expects nothing of any element. */
static void exempt_all(const assay_reference_args *args)
{
    for (int b = PHYSARUM_BUF_NEW_POS; b <= PHYSARUM_BUF_BEFORE_FIELD; b++)
        memset(args->expect[b].law, ASSAY_EXEMPT, (size_t)args->count[b]);
}

void physarum_run_reference(const assay_reference_args *args)
{
    const physarum_model m = physarum_model_of(args->param, args->scalar, args->parallel_for);
    float               *part[3];

    if (!physarum_is_followed(&m, args->param[PHYSARUM_PARAM_STEPS])) {
        exempt_all(args);
        return;
    }
    for (int b = 0; b < 3; b++)
        part[b] = copy_of(args->in[PHYSARUM_BUF_POS + b], args->count[PHYSARUM_BUF_POS + b]);
    (void)physarum_advance(&m, part[0], part[1], part[2], args->param[PHYSARUM_PARAM_STEPS] - 1);
    physarum_expect(&m, &(physarum_state) { part[0], part[1], part[2] },
                    &args->expect[PHYSARUM_BUF_NEW_POS], &args->expect[PHYSARUM_BUF_NEW_ANGLE],
                    &args->expect[PHYSARUM_BUF_NEW_FIELD]);
    for (int b = 0; b < 3; b++) {
        expect_values(&args->expect[PHYSARUM_BUF_BEFORE_POS + b], part[b],
                      args->count[PHYSARUM_BUF_BEFORE_POS + b]);
        free(part[b]);
    }
}

int physarum_run_cpu_ref(const assay_args *args, assay_stream stream)
{
    const physarum_model m      = physarum_model_of(args->param, args->scalar, NULL);
    void *const         *before = args->buf + PHYSARUM_BUF_BEFORE_POS;
    void *const *new            = args->buf + PHYSARUM_BUF_NEW_POS;

    (void)stream;
    for (int b = 0; b < 3; b++)
        memcpy(before[b], args->buf[PHYSARUM_BUF_POS + b],
               (size_t)args->count[PHYSARUM_BUF_POS + b] * sizeof(float));
    (void)physarum_advance(&m, before[0], before[1], before[2],
                           args->param[PHYSARUM_PARAM_STEPS] - 1);
    for (int b = 0; b < 3; b++)
        memcpy(new[b], before[b], (size_t)args->count[PHYSARUM_BUF_POS + b] * sizeof(float));
    (void)physarum_advance(&m, new[0], new[1], new[2], 1);
    return 0;
}
