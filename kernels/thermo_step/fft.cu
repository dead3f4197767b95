/* The transforms of gravity: cuFFT on a GPU, FFTW in single precision on the host device. Either
 * library is loaded when it is needed, and called through prototypes of our own: neither the build
 * nor the module needs it. */
#include "step_fft.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fft_symbol {
    void       *member;
    const char *name;
};

/* Returns the first name that is missing, or NULL. POSIX promises that a function's address keeps
 * its bits when it is copied this way. */
template <size_t N> static const char *resolve(void *library, const fft_symbol (&wanted)[N])
{
    for (const fft_symbol &one : wanted) {
        void *const address = dlsym(library, one.name);

        if (address == nullptr)
            return one.name;
        memcpy(one.member, &address, sizeof address);
    }
    return nullptr;
}

/* ASSAY_FFT_LIBRARY may name a file other than the one that the loader would find. */
template <size_t N> static void *open_library(const char *const (&names)[N])
{
    const char *const given   = getenv("ASSAY_FFT_LIBRARY");
    void             *library = nullptr;

    if (given != nullptr && given[0] != '\0')
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < N && library == nullptr; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static char reason[256]; /* outlives a setup; the next one replaces it */

static int missing(const char *library, const char *what, const char **why)
{
    (void)snprintf(reason, sizeof reason, "gravity needs %s: %s", library,
                   what != nullptr ? what : "it does not load");
    *why = reason;
    return ASSAY_NOT_HERE;
}

#ifndef ASSAY_HOST_KERNELS

/* Types of transform, and success, by their numbers in the library's interface. */
enum {
    FFT_SUCCESS         = 0,
    FFT_REAL_TO_COMPLEX = 0x2a,
    FFT_COMPLEX_TO_REAL = 0x2c
};

struct step_fft {
    int forward, back; /* plans */
    int n_plans;
    int (*plan)(int *plan, int nx, int ny, int nz, int type);
    int (*destroy)(int plan);
    int (*set_stream)(int plan, assay_stream stream);
    int (*to_complex)(int plan, float *real, step_complex *complex);
    int (*to_real)(int plan, step_complex *complex, float *real);
};

static int load(step_fft *fft, const char **why)
{
    static const char *const names[] = { "libcufft.so.12", "libcufft.so.11" };
    void *const              library = open_library(names);

    if (library == nullptr)
        return missing("cuFFT", dlerror(), why);
    const fft_symbol wanted[] = {
        { &fft->plan, "cufftPlan3d" },          { &fft->destroy, "cufftDestroy" },
        { &fft->set_stream, "cufftSetStream" }, { &fft->to_complex, "cufftExecR2C" },
        { &fft->to_real, "cufftExecC2R" },
    };
    const char *const symbol = resolve(library, wanted);

    return symbol != nullptr ? missing("cuFFT", symbol, why) : 0;
}

/* The library has error numbers of its own: to CUDA each becomes an unknown error. */
static int as_error(int status)
{
    return status == FFT_SUCCESS ? 0 : static_cast<int>(cudaErrorUnknown);
}

/* A first transform loads the library's kernels, which would not be allowed during a capture. */
static int make_plans(step_fft *fft, const int n[3], float *real, step_complex *complex)
{
    int error = as_error(fft->plan(&fft->forward, n[0], n[1], n[2], FFT_REAL_TO_COMPLEX));

    fft->n_plans = error == 0 ? 1 : 0;
    error = error ? error : as_error(fft->plan(&fft->back, n[0], n[1], n[2], FFT_COMPLEX_TO_REAL));
    fft->n_plans += error == 0 ? 1 : 0;
    error = error ? error : step_fft_forward(fft, real, complex, nullptr);
    error = error ? error : step_fft_back(fft, complex, real, nullptr);
    return error ? error : assay_stream_wait(nullptr);
}

/* The library stays loaded: its threads and the driver may still refer to it. */
static void destroy_plans(step_fft *fft)
{
    if (fft->n_plans > 0)
        (void)fft->destroy(fft->forward);
    if (fft->n_plans > 1)
        (void)fft->destroy(fft->back);
}

int step_fft_forward(const step_fft *fft, float *real, step_complex *complex, assay_stream stream)
{
    const int error = as_error(fft->set_stream(fft->forward, stream));

    return error ? error : as_error(fft->to_complex(fft->forward, real, complex));
}

int step_fft_back(const step_fft *fft, step_complex *complex, float *real, assay_stream stream)
{
    const int error = as_error(fft->set_stream(fft->back, stream));

    return error ? error : as_error(fft->to_real(fft->back, complex, real));
}

#else

/* By their numbers in the library's interface: any alignment, and no timing trials. */
enum {
    FFTW_FLAGS = (1 << 1) | (1 << 6)
};

struct step_fft {
    void *forward, *back; /* plans */
    void *(*plan_forward)(int nx, int ny, int nz, float *real, step_complex *complex,
                          unsigned flags);
    void *(*plan_back)(int nx, int ny, int nz, step_complex *complex, float *real, unsigned flags);
    void (*destroy)(void *plan);
    void (*to_complex)(const void *plan, float *real, step_complex *complex);
    void (*to_real)(const void *plan, step_complex *complex, float *real);
};

static int load(step_fft *fft, const char **why)
{
    static const char *const names[] = { "libfftw3f.so.3" };
    void *const              library = open_library(names);

    if (library == nullptr)
        return missing("FFTW", dlerror(), why);
    const fft_symbol wanted[] = {
        { &fft->plan_forward, "fftwf_plan_dft_r2c_3d" },
        { &fft->plan_back, "fftwf_plan_dft_c2r_3d" },
        { &fft->destroy, "fftwf_destroy_plan" },
        { &fft->to_complex, "fftwf_execute_dft_r2c" },
        { &fft->to_real, "fftwf_execute_dft_c2r" },
    };
    const char *const symbol = resolve(library, wanted);

    return symbol != nullptr ? missing("FFTW", symbol, why) : 0;
}

static int make_plans(step_fft *fft, const int n[3], float *real, step_complex *complex)
{
    fft->forward = fft->plan_forward(n[0], n[1], n[2], real, complex, FFTW_FLAGS);
    fft->back    = fft->plan_back(n[0], n[1], n[2], complex, real, FFTW_FLAGS);
    return fft->forward != nullptr && fft->back != nullptr ? 0 : 1; /* cudaErrorInvalidValue */
}

static void destroy_plans(step_fft *fft)
{
    if (fft->forward != nullptr)
        fft->destroy(fft->forward);
    if (fft->back != nullptr)
        fft->destroy(fft->back);
}

/* Kernels of the host device are done when a launch returns, so that the order of calls is that of
 * the stream. */
int step_fft_forward(const step_fft *fft, float *real, step_complex *complex, assay_stream)
{
    fft->to_complex(fft->forward, real, complex);
    return 0;
}

int step_fft_back(const step_fft *fft, step_complex *complex, float *real, assay_stream)
{
    fft->to_real(fft->back, complex, real);
    return 0;
}

#endif

int step_fft_create(const int n[3], float *real, step_complex *complex, step_fft **fft,
                    const char **why)
{
    int error;

    *fft = static_cast<step_fft *>(calloc(1, sizeof **fft));
    if (*fft == nullptr)
        return 2; /* cudaErrorMemoryAllocation */
    error = load(*fft, why);
    error = error ? error : make_plans(*fft, n, real, complex);
    if (error) {
        step_fft_destroy(*fft);
        *fft = nullptr;
    }
    return error;
}

void step_fft_destroy(step_fft *fft)
{
    if (fft != nullptr)
        destroy_plans(fft);
    free(fft);
}
