/* What the tests of matrix instructions and of nvcuda::wmma share. */
#ifndef ASSAY_TEST_EXECUTOR_TENSOR_H
#define ASSAY_TEST_EXECUTOR_TENSOR_H

#include "executor_tensor_list.h"
#include "executor_test.h"
#include "types.h"

static inline assay_type type_named(const char *name)
{
    static const struct {
        const char *name;
        assay_type  type;
    } types[] = { { "assay_binary16", ASSAY_F16 },
                  { "assay_bfloat16", ASSAY_BF16 },
                  { "assay_tf32", ASSAY_F32 },
                  { "int8_t", ASSAY_I8 },
                  { "uint8_t", ASSAY_U8 },
                  { "assay_e4m3", ASSAY_F8E4M3 },
                  { "assay_e5m2", ASSAY_F8E5M2 },
                  { "float", ASSAY_F32 },
                  { "int", ASSAY_I32 },
                  { "uint16_t", ASSAY_F16 },
                  { "signed char", ASSAY_I8 },
                  { "unsigned char", ASSAY_U8 },
                  { "__half", ASSAY_F16 },
                  { "__nv_bfloat16", ASSAY_BF16 },
                  { "precision::tf32", ASSAY_F32 },
                  { "double", ASSAY_F64 } };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    fail_msg("no type %s", name);
    return ASSAY_N_TYPES;
}

/* Whole numbers that every type holds; they differ from place to place. */
static inline double number(int which, int row, int column, bool is_signed)
{
    const int n = (which * 7 + row * 5 + column * 3 + row * column) % 9;

    return is_signed ? n - 4 : n;
}

static inline assay_fault launch_on(assay_launch_fn *launch, void *const *buffers, int64_t param)
{
    const assay_args args = { .buf = buffers, .param = &param };
    assay_fault      fault, late;

    assert_int_equal(api->enqueue(device, launch, &args, &fault), ASSAY_OK);
    assert_int_equal(api->wait(device, &late), ASSAY_OK);
    return fault.kind != ASSAY_FAULT_NONE ? fault : late;
}
static inline void run_on(assay_launch_fn *launch, void *const *buffers, int64_t param)
{
    const assay_fault fault = launch_on(launch, buffers, param);

    if (fault.kind != ASSAY_FAULT_NONE)
        fail_msg("fault %d: %s", (int)fault.kind, fault.text);
}

#endif
