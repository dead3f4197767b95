/* The table of what CUDA and its libraries have and the host device has not, and the words by which
 * gcc and clang say that something is missing. */
#include "survey_classify.h"

#include "base/text.h"
#include "translate/marks.h"

#include <string.h>

/* ---- constructs ---- */

/* Beginnings of the names of headers, functions and types; with a $ behind it, the whole name. The
 * first that fits counts. */
static const struct {
    const char *construct, *names;
} constructs[] = {
    { "thrust", "thrust" },
    { "device-wide CUB",
      "cub/device/ cub::Device DeviceAdjacentDifference DeviceFor$ DeviceHistogram DeviceMergeSort "
      "DevicePartition DeviceRadixSort DeviceReduce DeviceRunLengthEncode DeviceScan "
      "DeviceSegmented DeviceSelect DeviceTopK DeviceTransform" },
    { "graphics",
      "GL/ GLES GLFW/ EGL/ vulkan/ vdpau/ X11/ d3d D3D DirectX drm_ helper_gl.h$ "
      "cuda_gl_interop.h$ "
      "cuda_egl_interop.h$ cudaEGL.h$ cuda_vdpau_interop.h$ cuda_d3d cudaGraphics cudaGL" },
    { "graphs", "cudaGraph cudaStreamBeginCapture cudaStreamEndCapture cudaStreamIsCapturing "
                "cudaStreamCapture cudaStreamGetCapture" },
    { "dynamic parallelism", "cudaStreamTailLaunch cudaStreamFireAndForget" },
    { "textures, surfaces and arrays",
      "texture$ textureReference surface$ surfaceReference tex1D tex2D tex3D texCubemap surf1D "
      "surf2D surf3D surfCubemap cudaTexture cudaSurface cudaArray cudaMipmapped "
      "cudaChannelFormat cudaCreateChannelDesc cudaCreateTexture cudaCreateSurface "
      "cudaDestroyTexture cudaDestroySurface cudaBindTexture cudaBindSurface cudaUnbindTexture "
      "cudaResource cudaMallocArray cudaMallocMipmapped cudaFreeArray cudaMalloc3D cudaMemcpy3D "
      "cudaMemcpyToArray cudaMemcpy2DToArray cudaMemcpyFromArray cudaExtent cudaPitchedPtr "
      "make_cudaExtent make_cudaPitchedPtr cudaReadMode cudaAddressMode cudaFilterMode" },
    { "memory pools", "cudaMemPool cudaMemAllocation cudaMemLocation cudaMemAccess cudaMallocAsync "
                      "cudaMallocFromPool cudaFreeAsync cudaDeviceGetDefaultMemPool "
                      "cudaDeviceGetMemPool cudaDeviceSetMemPool" },
    { "memory between processes", "cudaIpc" },
    { "memory of other interfaces", "cudaExternal cudaImportExternal cudaDestroyExternal" },
    { "several GPUs (peers)",
      "cudaDeviceCanAccessPeer cudaDeviceEnablePeerAccess cudaDeviceDisablePeerAccess "
      "cudaMemcpyPeer cudaDevP2P cudaDeviceGetP2PAttribute" },
    { "the driver API",
      "cuda.h$ cudaTypedefs.h$ CUdevice CUcontext CUmodule CUresult CUfunction CUtensorMap "
      "CUstream CUevent" },
    { "compilation at run time", "nvrtc nvJitLink" },
    { "cuDLA and NvMedia", "cudla nvmedia nvsci" },
    { "cuRAND on the host, other generators", "curand" }, /* than those of curand_kernel.h */
    { "cuBLAS", "cublas" },
    { "cuSPARSE", "cusparse" },
    { "cuSOLVER", "cusolver" },
    { "cuFFT", "cufft" },
    { "cuDNN", "cudnn" },
    { "NPP", "npp" },
    { "nvJPEG", "nvjpeg" },
    { "NCCL", "nccl" },
    { "NVSHMEM", "nvshmem" },
    { "CUTLASS", "cutlass/ cute/" },
    { "MPI", "mpi.h$" },
    { "PyTorch", "torch/ ATen/ c10/" },
};

static bool is_among(const char *name, const char *names)
{
    while (*names) {
        const size_t all = strcspn(names, " "), n = strcspn(names, " $");

        if (strncmp(name, names, n) == 0 && (n == all || name[n] == '\0'))
            return true;
        names += all + strspn(names + all, " ");
    }
    return false;
}

static const char *find_construct(const char *name)
{
    for (size_t i = 0; i < sizeof constructs / sizeof constructs[0]; i++)
        if (is_among(name, constructs[i].names))
            return constructs[i].construct;
    return NULL;
}

/* ---- sentences ---- */

/* Around the name that is missing. */
typedef struct pattern {
    const char *before, *behind;
} pattern;

static const pattern of_headers[] = {
    { "'", "' file not found" },
    { "", ": No such file or directory" },
};

static const pattern of_names[] = {
    { "'", "' was not declared in this scope" },
    { "'", "' has not been declared" },
    { "'", "' does not name a t" }, /* type, template type */
    { "'", "' is not a member of" },
    { "'", "' is not a template" },
    { "has no member named '", "'" },
    { "use of undeclared identifier '", "'" },
    { "unknown type name '", "'" },
    { "no member named '", "'" },
    { "no template named '", "'" },
    { "no type named '", "'" },
    { "no matching function for call to '", "'" },
};

#define IN(table) (table), sizeof(table) / sizeof *(table)

/* The name in the sentence by one of the patterns; false: it follows none. */
static bool find_name(const char *sentence, const pattern *patterns, size_t n, char *name,
                      size_t size)
{
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(patterns[i].before);

        for (const char *at = strstr(sentence, patterns[i].before); at && *at;
             at             = strstr(at + 1, patterns[i].before)) {
            const char  *from = at + length;
            const size_t used = strcspn(from, *patterns[i].behind == '\'' ? "'" : ":");

            if (used > 0 && assay_text_after(from + used, patterns[i].behind)) {
                (void)assay_text_set(name, size, "%.*s", (int)used, from);
                return true;
            }
        }
    }
    return false;
}

/* Behind the scope that it is named in, and before what it is called with. */
static void strip_name(char *name)
{
    char *from;

    name[strcspn(name, "(<")] = '\0';
    from                      = strrchr(name, ' ');
    from                      = from ? from + 1 : name;
    for (char *scope = strstr(from, "::"); scope; scope = strstr(from, "::"))
        from = scope + 2;
    memmove(name, from, strlen(from) + 1);
}

/* Any name in quotes that tells of a construct: "invalid use of incomplete type 'cudaGraph_t'". */
static const char *find_quoted_construct(const char *sentence)
{
    for (const char *at = strchr(sentence, '\''); at; at = strchr(at, '\'')) {
        const char *end = strchr(at + 1, '\'');
        const char *construct;
        char        name[sizeof((assay_survey_reason *)0)->what];

        if (!end)
            return NULL;
        (void)assay_text_set(name, sizeof name, "%.*s", (int)(end - at - 1), at + 1);
        construct = find_construct(name);
        if (!construct) {
            strip_name(name);
            construct = find_construct(name);
        }
        if (construct)
            return construct;
        at = end + 1;
    }
    return NULL;
}

static void set_reason(assay_survey_reason *reason, assay_survey_kind kind, const char *what)
{
    reason->kind = kind;
    (void)assay_text_set(reason->what, sizeof reason->what, "%s", what);
}

/* By what stands behind "error: ", without the name that a compiler would rather have seen. */
static void judge_error(char *error, assay_survey_reason *reason)
{
    char       *guess     = strstr(error, "; did you mean '");
    const char *construct = NULL;
    char        name[sizeof reason->what];

    if (guess)
        *guess = '\0';
    if (find_name(error, IN(of_headers), name, sizeof name)) {
        construct = find_construct(name);
        set_reason(reason, construct ? ASSAY_SURVEY_CONSTRUCT : ASSAY_SURVEY_HEADER,
                   construct ? construct : name);
        return;
    }
    construct = find_quoted_construct(error);
    if (construct) {
        set_reason(reason, ASSAY_SURVEY_CONSTRUCT, construct);
    } else if (find_name(error, IN(of_names), name, sizeof name)) {
        strip_name(name);
        set_reason(reason, ASSAY_SURVEY_NAME, name);
    }
}

/* ---- lines ---- */

enum {
    LINE_SIZE = 8192 /* what is longer is not read to its end: a path, and a sentence */
};

typedef struct line {
    const char *text;
    size_t      length;
} line;

static line next_line(const char **at, const char *end)
{
    const char *eol = memchr(*at, '\n', (size_t)(end - *at));
    const line  l   = { .text = *at, .length = (size_t)((eol ? eol : end) - *at) };

    *at = eol ? eol + 1 : end;
    return l;
}

/* The copy is fit for a terminal, and cut at a character's edge. */
static void copy_line(line l, char *to, size_t size)
{
    const size_t n = l.length < size ? l.length : size - 1;

    memcpy(to, l.text, n);
    to[n] = '\0';
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)to[i] < ' ')
            to[i] = ' ';
    (void)assay_text_make_safe(to);
}

/* What stands behind the word by which a compiler ("file:1:2: error: ...", "c++: fatal error: ...")
 * or the host's assembler begins; NULL: it is no error. */
static const char *find_error(const char *text)
{
    static const char *const words[] = { ": error: ", ": fatal error: ", ": Error: ",
                                         ": internal compiler error: " };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(text, words[i]);

        if (at)
            return at + strlen(words[i]);
    }
    return NULL;
}

/* "path:12: sentence" */
static const char *own_sentence(const char *text)
{
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        const size_t n = strspn(at + 1, "0123456789");

        if (n > 0 && assay_text_after(at + 1 + n, ": "))
            return at + 1 + n + 2;
    }
    return NULL;
}

/* gcc says this of a function before it says what of its parameters it does not know. */
static bool is_consequence(const char *error)
{
    return assay_text_after(error, "variable or field '") && strstr(error, "declared void");
}

void assay_survey_classify(const char *text, size_t size, assay_survey_reason *reason)
{
    const char *at = text, *end = text + size, *own;
    char       *error = NULL;
    char        now[LINE_SIZE], last[LINE_SIZE] = "no word of a compiler";

    *reason = (assay_survey_reason) { .kind = ASSAY_SURVEY_ERROR };
    while (at < end && (!error || is_consequence(error))) {
        const char *here;

        copy_line(next_line(&at, end), now, sizeof now);
        here = find_error(now);
        if (here || (now[0] && !error)) {
            memcpy(last, now, sizeof last);
            error = here ? last + (here - now) : NULL;
        }
    }
    (void)assay_text_set(reason->sentence, sizeof reason->sentence, "%s", last);
    own = error ? NULL : own_sentence(last);
    if (error)
        judge_error(error, reason);
    else if (own)
        set_reason(reason, ASSAY_SURVEY_REFUSED, own);
}

/* ---- translations ---- */

int assay_survey_count_kernels(const char *text, size_t size)
{
    const char  *end = text + size;
    const size_t n   = strlen(ASSAY_MARK_KERNEL);
    int          sum = 0;

    while ((text = memmem(text, (size_t)(end - text), ASSAY_MARK_KERNEL, n)) != NULL) {
        sum++;
        text += n;
    }
    return sum;
}

static bool was_listed(const char *list, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = list; *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, word, n) == 0 && at[n] == '\n')
            return true;
    return false;
}

/* The opcode of `"@p wgmma.fence.sync.aligned", ...`, at most to the end of the text. */
static void read_opcode(const char *at, const char *end, char *opcode, size_t size)
{
    size_t n = 0;

    at += at < end && *at == '"';
    while (at < end && (*at == ' ' || *at == '@')) { /* a guard is no part of it */
        if (*at == '@')
            while (at < end && *at != ' ' && *at != '"')
                at++;
        else
            at++;
    }
    while (at + n < end && n + 1 < size && !strchr(" \"\\;\n\t", at[n]))
        n++;
    (void)assay_text_set(opcode, size, "%.*s", (int)n, at);
    (void)assay_text_make_safe(opcode);
}

void assay_survey_list_unknown(const char *text, size_t size, FILE *out)
{
    const char  *end        = text + size;
    const size_t n          = strlen(ASSAY_MARK_UNKNOWN);
    char         list[4096] = "", opcode[120];

    while ((text = memmem(text, (size_t)(end - text), ASSAY_MARK_UNKNOWN, n)) != NULL) {
        text += n;
        read_opcode(text, end, opcode, sizeof opcode);
        if (!opcode[0] || was_listed(list, opcode))
            continue;
        if (strlen(list) + strlen(opcode) + 2 > sizeof list)
            break;
        (void)strcat(strcat(list, opcode), "\n");
    }
    (void)fputs(list, out);
}

/* ---- words ---- */

const char *assay_survey_word(assay_survey_kind kind)
{
    static const char *const words[] = {
#define X(name, word, text) [ASSAY_SURVEY_##name] = (word),
        ASSAY_SURVEY_MAP(X)
#undef X
    };

    return words[kind];
}

const char *assay_survey_text(assay_survey_kind kind)
{
    static const char *const texts[] = {
#define X(name, word, text) [ASSAY_SURVEY_##name] = (text),
        ASSAY_SURVEY_MAP(X)
#undef X
    };

    return texts[kind];
}
