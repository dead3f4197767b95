/* The texts and sizes behind the enums of case.h, one table each; the length of a list. */
#include "case.h"

#define TEXT_OF(texts, value)                                                                      \
    ((size_t)(value) < sizeof(texts) / sizeof *(texts) ? (texts)[value] : "unknown")

static const struct {
    size_t      size;
    const char *text;
    bool        is_float;
} types[] = {
    [ASSAY_F32] = { 4, "f32", true },  [ASSAY_F64] = { 8, "f64", true },
    [ASSAY_I32] = { 4, "i32", false }, [ASSAY_U32] = { 4, "u32", false },
    [ASSAY_I64] = { 8, "i64", false }, [ASSAY_U64] = { 8, "u64", false },
    [ASSAY_U8] = { 1, "u8", false },
};

static bool is_type(assay_type type) { return (size_t)type < sizeof types / sizeof *types; }

size_t assay_type_size(assay_type type) { return is_type(type) ? types[type].size : 0; }

const char *assay_type_text(assay_type type)
{
    return is_type(type) ? types[type].text : "unknown";
}

bool assay_type_is_float(assay_type type) { return is_type(type) && types[type].is_float; }

const char *assay_input_text(assay_input input)
{
    static const char *const texts[] = {
#define X(name, text) [ASSAY_INPUT_##name] = (text),
        ASSAY_INPUT_MAP(X)
#undef X
    };

    return TEXT_OF(texts, input);
}

const char *assay_verdict_text(assay_verdict verdict)
{
    static const char *const texts[] = {
#define X(name, text) [ASSAY_##name] = (text),
        ASSAY_VERDICT_MAP(X)
#undef X
    };

    return TEXT_OF(texts, verdict);
}

const char *assay_rule_text(assay_rule rule)
{
    static const char *const texts[] = {
        [ASSAY_RULE_BOUND] = "bound",
        [ASSAY_RULE_ULP]   = "ulp",
        [ASSAY_RULE_EXACT] = "exact",
        [ASSAY_RULE_OWN]   = "own",
    };

    return TEXT_OF(texts, rule);
}

const char *assay_growth_text(assay_growth growth)
{
    static const char *const texts[] = {
        [ASSAY_G_ONE]    = "one",
        [ASSAY_G_LOG2]   = "log2",
        [ASSAY_G_SQRT]   = "sqrt",
        [ASSAY_G_LINEAR] = "linear",
    };

    return TEXT_OF(texts, growth);
}

const char *assay_lane_text(assay_lane lane)
{
    static const char *const texts[] = {
        [ASSAY_LANE_CUDA] = "cuda",
        [ASSAY_LANE_HOST] = "host",
        [ASSAY_LANE_ASAN] = "asan",
        [ASSAY_LANE_TSAN] = "tsan",
    };

    return TEXT_OF(texts, lane);
}

int assay_variant_tuning_axes(const assay_variant *variant)
{
    int n = 0;

    while (n < ASSAY_MAX_TUNING && variant->tuning[n].name)
        n++;
    return n;
}

bool assay_variant_is_launched(const assay_variant *variant) { return variant->launch != NULL; }

bool assay_variant_is_peer(const assay_variant *variant) { return variant->peer.script != NULL; }
