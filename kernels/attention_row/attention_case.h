/* Names that the case, its reference and its launchers share: places in the lists of the shape. */
#ifndef ATTENTION_CASE_H
#define ATTENTION_CASE_H

/* Buffers. Those of vectors are [batch][heads][length][head size]; d_* are gradients of a loss,
 * without elements in the forward pass. */
enum {
    ATTN_BUF_Q,
    ATTN_BUF_K,
    ATTN_BUF_V,
    ATTN_BUF_BIAS, /* fp32 [batch][keys], added to scores; -inf masks a key. May be empty */
    ATTN_BUF_D_OUT,
    ATTN_BUF_OUT,
    ATTN_BUF_D_Q,
    ATTN_BUF_D_K,
    ATTN_BUF_D_V,
    ATTN_N_BUFS
};

/* Parameters. */
enum {
    ATTN_PARAM_TYPE, /* an assay_type */
    ATTN_PARAM_BATCH,
    ATTN_PARAM_HEADS,
    ATTN_PARAM_QUERIES,
    ATTN_PARAM_KEYS,
    ATTN_PARAM_SIZE, /* of a head */
    ATTN_PARAM_IS_CAUSAL,
    ATTN_PARAM_HAS_BIAS,
    ATTN_PARAM_HAS_BACKWARD
};

/* Scalars. */
enum {
    ATTN_SCALAR_SCALE
};

/* No variant takes heads larger than this. */
enum {
    ATTN_MAX_SIZE = 256
};

#endif
