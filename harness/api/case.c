/* The texts of the enums of case.h, one table each, and the length of a list. */
#include "case.h"

#define TEXT_OF(texts, value)                                                                      \
    ((size_t)(value) < sizeof(texts) / sizeof *(texts) ? (texts)[value] : "unknown")

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

const char *assay_corruption_text(assay_corruption corruption)
{
    static const char *const texts[] = {
#define X(name, text) [ASSAY_CORRUPT_##name] = (text),
        ASSAY_CORRUPTION_MAP(X)
#undef X
    };

    return TEXT_OF(texts, corruption);
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

const char *assay_gpu_tool_text(assay_gpu_tool tool)
{
    static const char *const texts[] = {
#define X(name, text) [ASSAY_GPU_TOOL_##name] = (text),
        ASSAY_GPU_TOOL_MAP(X)
#undef X
    };

    return TEXT_OF(texts, tool);
}

int assay_variant_tuning_axes(const assay_variant *variant)
{
    int n = 0;

    while (n < ASSAY_MAX_TUNING && variant->tuning[n].name)
        n++;
    return n;
}

bool assay_variant_is_launched(const assay_variant *variant)
{
    return variant->launch != NULL || variant->kernels != NULL;
}

bool assay_variant_is_peer(const assay_variant *variant) { return variant->peer.script != NULL; }
