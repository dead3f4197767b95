/* The case physarum: one step in double from the exact bits that the kernel gets. */
#include "physarum.h"

#include "../../kernels/physarum/physarum_case.h"

#include <string.h>

assay_reference_fn physarum_reference;
assay_prepare_fn   physarum_prepare;
assay_launch_fn    physarum_cpu_ref;

void physarum_prepare(const assay_prepare_args *args)
{
    const physarum_model m = physarum_model_of(args->param, args->scalar, args->parallel_for);

    (void)physarum_advance(&m, args->in[PHYSARUM_BUF_POS], args->in[PHYSARUM_BUF_ANGLE],
                           args->in[PHYSARUM_BUF_FIELD], args->param[PHYSARUM_PARAM_START]);
}

void physarum_reference(const assay_reference_args *args)
{
    const physarum_model m = physarum_model_of(args->param, args->scalar, args->parallel_for);
    const physarum_state s = { args->in[PHYSARUM_BUF_POS], args->in[PHYSARUM_BUF_ANGLE],
                               args->in[PHYSARUM_BUF_FIELD] };

    physarum_expect(&m, &s, &args->expect[PHYSARUM_BUF_NEW_POS],
                    &args->expect[PHYSARUM_BUF_NEW_ANGLE], &args->expect[PHYSARUM_BUF_NEW_FIELD]);
}

int physarum_cpu_ref(const assay_args *args, assay_stream stream)
{
    const physarum_model m     = physarum_model_of(args->param, args->scalar, NULL);
    const size_t         n     = (size_t)m.agents;
    const size_t         cells = (size_t)(m.height * m.width);

    (void)stream;
    memcpy(args->buf[PHYSARUM_BUF_NEW_POS], args->buf[PHYSARUM_BUF_POS], 2 * n * sizeof(float));
    memcpy(args->buf[PHYSARUM_BUF_NEW_ANGLE], args->buf[PHYSARUM_BUF_ANGLE], n * sizeof(float));
    memcpy(args->buf[PHYSARUM_BUF_NEW_FIELD], args->buf[PHYSARUM_BUF_FIELD], cells * sizeof(float));
    (void)physarum_advance(&m, args->buf[PHYSARUM_BUF_NEW_POS], args->buf[PHYSARUM_BUF_NEW_ANGLE],
                           args->buf[PHYSARUM_BUF_NEW_FIELD], args->param[PHYSARUM_PARAM_STEPS]);
    return 0;
}
