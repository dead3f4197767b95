/* The matrix instructions that test_executor_tensor.c and test_executor_wmma.c test, shared with
 * their kernels. */
#ifndef ASSAY_TEST_EXECUTOR_TENSOR_LIST_H
#define ASSAY_TEST_EXECUTOR_TENSOR_LIST_H

#include <stdint.h>

/* X(name, M, K, type of A, type of B, type of the sum, where PTX has the elements) */
#define TENSOR_LIST(X)                                                                             \
    X(f16_k8, 16, 8, assay_binary16, assay_binary16, float, HALF_K8)                               \
    X(f16_k8_f16, 16, 8, assay_binary16, assay_binary16, assay_binary16, HALF_K8)                  \
    X(bf16_k8, 16, 8, assay_bfloat16, assay_bfloat16, float, HALF_K8)                              \
    X(f16_k16, 16, 16, assay_binary16, assay_binary16, float, HALF_K16)                            \
    X(f16_k16_f16, 16, 16, assay_binary16, assay_binary16, assay_binary16, HALF_K16)               \
    X(bf16_k16, 16, 16, assay_bfloat16, assay_bfloat16, float, HALF_K16)                           \
    X(tf32_k4, 16, 4, assay_tf32, assay_tf32, float, WORD_K4)                                      \
    X(tf32_k8, 16, 8, assay_tf32, assay_tf32, float, WORD_K8)                                      \
    X(s8_k16, 16, 16, int8_t, int8_t, int, BYTE_K16)                                               \
    X(u8_s8_k16, 16, 16, uint8_t, int8_t, int, BYTE_K16)                                           \
    X(s8_k32, 16, 32, int8_t, int8_t, int, BYTE_K32)                                               \
    X(s8_u8_k32, 16, 32, int8_t, uint8_t, int, BYTE_K32)                                           \
    X(u8_k32, 16, 32, uint8_t, uint8_t, int, BYTE_K32)                                             \
    X(e4m3_k32, 16, 32, assay_e4m3, assay_e4m3, float, BYTE_K32)                                   \
    X(e5m2_k32, 16, 32, assay_e5m2, assay_e5m2, float, BYTE_K32)                                   \
    X(e4m3_e5m2_k32, 16, 32, assay_e4m3, assay_e5m2, float, BYTE_K32)                              \
    X(m8_s8, 8, 16, int8_t, int8_t, int, BYTE_M8)

/* The registers of a lane; arrays have the most that any instruction needs. */
struct tensor_registers {
    uint32_t a[4], b[2], c[4], d[4];
};

/* nvcuda::wmma: X(M, N, K, type, C's type of an element, type of the sum) */
#define WMMA_SHAPES(X, type, plain, sum)                                                           \
    X(16, 16, 16, type, plain, sum)                                                                \
    X(32, 8, 16, type, plain, sum)                                                                 \
    X(8, 32, 16, type, plain, sum)
#define WMMA_LIST(X)                                                                               \
    WMMA_SHAPES(X, __half, uint16_t, float)                                                        \
    WMMA_SHAPES(X, __nv_bfloat16, uint16_t, float)                                                 \
    WMMA_SHAPES(X, signed char, int8_t, int)                                                       \
    WMMA_SHAPES(X, unsigned char, uint8_t, int)                                                    \
    X(16, 16, 8, precision::tf32, float, float)                                                    \
    X(8, 8, 4, double, double, double)

#endif
