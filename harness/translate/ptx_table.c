/* Which PTX the host device has. An opcode is a base and modifiers. Some modifiers are types; some
 * say what is done and belong to the function's name; some change nothing here: hints to caches,
 * and flushing of denormals, which a tolerance covers. */
#include "ptx_internal.h"

#include <string.h>

/* ---- modifiers ---- */

static const struct {
    const char *name, *type; /* C++ type of an element */
} types[] = {
    { "b8", "uint8_t" },
    { "u8", "uint8_t" },
    { "s8", "int8_t" },
    { "b16", "uint16_t" },
    { "u16", "uint16_t" },
    { "s16", "int16_t" },
    { "b32", "uint32_t" },
    { "u32", "uint32_t" },
    { "s32", "int32_t" },
    { "b64", "uint64_t" },
    { "u64", "uint64_t" },
    { "s64", "int64_t" },
    { "f32", "float" },
    { "f64", "double" },
    { "pred", "bool" },
    { "f16", "assay_ptx::f16" },
    { "bf16", "assay_ptx::bf16" },
    { "f16x2", "assay_ptx::f16x2" },
    { "bf16x2", "assay_ptx::bf16x2" },
    { "tf32", "assay_ptx::tf32" },
    { "e4m3x2", "assay_ptx::e4m3x2" },
    { "e5m2x2", "assay_ptx::e5m2x2" },
    { "e4m3", "assay_ptx::e4m3" },
    { "e5m2", "assay_ptx::e5m2" },
};

static const char *const ignored[] = {
    "ftz",    "nc",      "ca",      "cg",         "cs",     "lu",          "cv",
    "wb",     "wt",      "weak",    "v2",         "v4",     "cta",         "gpu",
    "sys",    "cluster", "generic", "aligned",    "uni",    "full",        "global",
    "local",  "const",   "param",   "noComplete", "shared", "shared::cta", "shared::cluster",
    "approx", "L2",      "L1"
};

/* ---- instructions: the name, and the number of its types ---- */

static const struct {
    const char *name;
    int         n_types;
} instructions[] = {
    { "bar_sync", 0 },
    { "bar_arrive", 0 },
    { "bar_warp_sync", 0 },
    { "fence", 0 },
    { "fence_cta", 0 },
    { "fence_sys", 0 },
    { "prefetch", 0 },
    { "nothing", 0 },
    { "trap", 0 },
    { "cp_async", 0 },
    { "cp_async_commit_group", 0 },
    { "cp_async_wait_group", 0 },
    { "cp_async_wait_all", 0 },
    { "mov", 1 },
    { "add", 1 },
    { "add_rn", 1 },
    { "sub", 1 },
    { "sub_rn", 1 },
    { "mul", 1 },
    { "mul_rn", 1 },
    { "mul_lo", 1 },
    { "mul_hi", 1 },
    { "mul_wide", 1 },
    { "mad_lo", 1 },
    { "mad_wide", 1 },
    { "fma_rn", 1 },
    { "fma_rn_relu", 1 },
    { "div", 1 },
    { "div_rn", 1 },
    { "rem", 1 },
    { "and", 1 },
    { "or", 1 },
    { "xor", 1 },
    { "not", 1 },
    { "shl", 1 },
    { "shr", 1 },
    { "min", 1 },
    { "max", 1 },
    { "abs", 1 },
    { "neg", 1 },
    { "ex2", 1 },
    { "lg2", 1 },
    { "rcp", 1 },
    { "rcp_rn", 1 },
    { "sqrt", 1 },
    { "sqrt_rn", 1 },
    { "rsqrt", 1 },
    { "sin", 1 },
    { "cos", 1 },
    { "tanh", 1 },
    { "selp", 1 },
    { "popc", 1 },
    { "clz", 1 },
    { "brev", 1 },
    { "bfe", 1 },
    { "prmt", 1 },
    { "lop3", 1 },
    { "setp_eq", 1 },
    { "setp_ne", 1 },
    { "setp_lt", 1 },
    { "setp_le", 1 },
    { "setp_gt", 1 },
    { "setp_ge", 1 },
    { "setp_lo", 1 },
    { "setp_ls", 1 },
    { "setp_hi", 1 },
    { "setp_hs", 1 },
    { "cvta", 1 },
    { "cvta_to", 1 },
    { "cvta_to_shared", 1 },
    { "ld", 1 },
    { "ld_volatile", 1 },
    { "ld_relaxed", 1 },
    { "ld_acquire", 1 },
    { "ldu", 1 },
    { "st", 1 },
    { "st_volatile", 1 },
    { "st_relaxed", 1 },
    { "st_release", 1 },
    { "atom_add", 1 },
    { "atom_add_noftz", 1 },
    { "atom_min", 1 },
    { "atom_max", 1 },
    { "atom_and", 1 },
    { "atom_or", 1 },
    { "atom_xor", 1 },
    { "atom_exch", 1 },
    { "atom_inc", 1 },
    { "atom_dec", 1 },
    { "atom_cas", 1 },
    { "acquire_atom_add", 1 },
    { "acquire_atom_exch", 1 },
    { "acquire_atom_cas", 1 },
    { "release_atom_add", 1 },
    { "release_atom_exch", 1 },
    { "release_atom_cas", 1 },
    { "acq_rel_atom_add", 1 },
    { "acq_rel_atom_exch", 1 },
    { "acq_rel_atom_cas", 1 },
    { "red_add", 1 },
    { "red_add_noftz", 1 },
    { "red_min", 1 },
    { "red_max", 1 },
    { "red_and", 1 },
    { "red_or", 1 },
    { "red_xor", 1 },
    { "red_inc", 1 },
    { "red_dec", 1 },
    { "release_red_add", 1 },
    { "shfl_sync_up", 1 },
    { "shfl_sync_down", 1 },
    { "shfl_sync_bfly", 1 },
    { "shfl_sync_idx", 1 },
    { "vote_sync_ballot", 1 },
    { "vote_sync_any", 1 },
    { "vote_sync_all", 1 },
    { "activemask", 1 },
    { "match_any_sync", 1 },
    { "redux_sync_add", 1 },
    { "redux_sync_min", 1 },
    { "redux_sync_max", 1 },
    { "redux_sync_and", 1 },
    { "redux_sync_or", 1 },
    { "redux_sync_xor", 1 },
    { "nanosleep", 1 },
    { "ldmatrix_sync_m8n8_x1", 1 },
    { "ldmatrix_sync_m8n8_x2", 1 },
    { "ldmatrix_sync_m8n8_x4", 1 },
    { "ldmatrix_sync_m8n8_x1_trans", 1 },
    { "ldmatrix_sync_m8n8_x2_trans", 1 },
    { "ldmatrix_sync_m8n8_x4_trans", 1 },
    { "stmatrix_sync_m8n8_x1", 1 },
    { "stmatrix_sync_m8n8_x2", 1 },
    { "stmatrix_sync_m8n8_x4", 1 },
    { "stmatrix_sync_m8n8_x1_trans", 1 },
    { "stmatrix_sync_m8n8_x2_trans", 1 },
    { "stmatrix_sync_m8n8_x4_trans", 1 },
    { "movmatrix_sync_m8n8_trans", 1 },
    { "cp_async_mbarrier_arrive", 1 },
    { "cp_async_mbarrier_arrive_noinc", 1 },
    { "mbarrier_init", 1 },
    { "mbarrier_inval", 1 },
    { "mbarrier_arrive", 1 },
    { "mbarrier_arrive_expect_tx", 1 },
    { "mbarrier_expect_tx", 1 },
    { "mbarrier_test_wait_parity", 1 },
    { "mbarrier_try_wait_parity", 1 },
    { "cvt", 2 },
    { "cvt_rn", 2 },
    { "cvt_rna", 2 },
    { "cvt_rn_relu", 2 },
    { "cvt_rn_satfinite", 2 },
    { "cvt_rni", 2 },
    { "cvt_rzi", 2 },
    { "cvt_rmi", 2 },
    { "cvt_rpi", 2 },
    { "cvt_rni_sat", 2 },
    { "cvt_rzi_sat", 2 },
    { "cvt_rmi_sat", 2 },
    { "cvt_rpi_sat", 2 },
    { "cvt_sat", 2 },
    { "mma_sync_m8n8k4_row_col", 4 },
    { "mma_sync_m8n8k16_row_col", 4 },
    { "mma_sync_m8n8k16_row_col_satfinite", 4 },
    { "mma_sync_m16n8k4_row_col", 4 },
    { "mma_sync_m16n8k8_row_col", 4 },
    { "mma_sync_m16n8k16_row_col", 4 },
    { "mma_sync_m16n8k16_row_col_satfinite", 4 },
    { "mma_sync_m16n8k32_row_col", 4 },
    { "mma_sync_m16n8k32_row_col_satfinite", 4 },
};

/* Other spellings of instructions in the table, by how they begin, and the spelling in the
 * table. */
static const struct {
    const char *begin, *name;
} aliases[] = {
    { "griddepcontrol", "nothing" },      { "pmevent", "nothing" },
    { "prefetch", "prefetch" },           { "cvta_to_shared", "cvta_to_shared" },
    { "barrier_sync", "bar_sync" },       { "barrier_cta_sync", "bar_sync" },
    { "bar_cta_sync", "bar_sync" },       { "barrier_arrive", "bar_arrive" },
    { "atom_acquire_", "acquire_atom_" }, { "atom_release_", "release_atom_" },
    { "atom_acq_rel_", "acq_rel_atom_" }, { "red_release_", "release_red_" },
};

/* Instructions that the host device cannot have for now, by how they begin. */
static const struct {
    const char *begin, *reason;
} refused[] = {
    { "wgmma", "matrix instructions of a warp group are judged on a GPU" },
    { "tcgen05", "matrix instructions of this kind are judged on a GPU" },
    { "cp.async.bulk", "bulk copies are judged on a GPU" },
    { "cp.reduce", "bulk copies are judged on a GPU" },
    { "setmaxnreg", "registers are divided on a GPU alone" },
    { "mapa", "the host device has no clusters" },
    { "multimem", "the host device has no multicast memory" },
};

static bool is_fence(const char *name)
{
    return strncmp(name, "fence", strlen("fence")) == 0 ||
           strncmp(name, "membar", strlen("membar")) == 0;
}

/* Modifiers that are numbers of bytes or kinds of a cache: L2::128B, L1::no_allocate. An atomic
 * without an order is relaxed; a load or a store is not. For an address the space matters, and for
 * a fence the scope. */
static bool is_ignored(const char *name, const char *part)
{
    if (is_fence(name) && (strcmp(part, "cta") == 0 || strcmp(part, "sys") == 0))
        return false;
    if (strcmp(part, "relaxed") == 0)
        return strcmp(name, "ld") != 0 && strcmp(name, "st") != 0;
    if (strcmp(name, "cvta_to") == 0 && strncmp(part, "shared", strlen("shared")) == 0)
        return false;
    if (strncmp(part, "L1::", 4) == 0 || strncmp(part, "L2::", 4) == 0)
        return true;
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (strcmp(part, ignored[i]) == 0)
            return true;
    return false;
}

static const char *find_type(const char *part)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(part, types[i].name) == 0)
            return types[i].type;
    return NULL;
}

static bool is_known(const char *name, int n_types)
{
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++)
        if (strcmp(name, instructions[i].name) == 0)
            return n_types >= instructions[i].n_types;
    return false;
}

/* Keeps only the scope of a fence. */
static void use_scope(char *name, size_t size)
{
    const char *scope = strrchr(name, '_');

    if (scope && (strcmp(scope, "_cta") == 0 || strcmp(scope, "_sys") == 0)) {
        char text[16];

        (void)snprintf(text, sizeof text, "fence%s", scope);
        (void)snprintf(name, size, "%s", text);
    } else
        (void)snprintf(name, size, "fence");
}

/* An alias that ends in `_` keeps the rest of the name. */
static void use_alias(char *name, size_t size)
{
    if (is_fence(name)) {
        use_scope(name, size);
        return;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        const size_t n = strlen(aliases[i].begin);

        if (strncmp(name, aliases[i].begin, n) == 0) {
            char rest[128];

            (void)snprintf(rest, sizeof rest, "%s", aliases[i].begin[n - 1] == '_' ? name + n : "");
            (void)snprintf(name, size, "%s%s", aliases[i].name, rest);
            return;
        }
    }
}

static bool is_refused(const char *opcode, const char **reason)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strncmp(opcode, refused[i].begin, strlen(refused[i].begin)) == 0) {
            *reason = refused[i].reason;
            return true;
        }
    return false;
}

static void append(char *to, size_t size, const char *between, const char *part)
{
    const size_t n = strlen(to);

    (void)snprintf(to + n, size - n, "%s%s", n > 0 ? between : "", part);
}

bool ptx_find(const char *opcode, char *call, size_t size, const char **reason)
{
    char name[128] = "", list[192] = "", copy[256], *rest = NULL;
    int  n_types = 0;

    *reason = NULL;
    if (is_refused(opcode, reason))
        return false;
    (void)snprintf(copy, sizeof copy, "%s", opcode);
    for (char *part = strtok_r(copy, ".", &rest); part; part = strtok_r(NULL, ".", &rest)) {
        const char *type = name[0] ? find_type(part) : NULL;

        if (type) {
            append(list, sizeof list, ", ", type);
            n_types++;
        } else if (!name[0] || !is_ignored(name, part))
            append(name, sizeof name, "_", part);
    }
    use_alias(name, sizeof name);
    if (!is_known(name, n_types))
        return false;
    (void)snprintf(call, size, n_types > 0 ? "i_%s<%s>" : "i_%s", name, list);
    return true;
}

const char *ptx_row(int i)
{
    return (size_t)i < sizeof instructions / sizeof instructions[0] ? instructions[i].name : NULL;
}
