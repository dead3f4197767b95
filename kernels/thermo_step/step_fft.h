/* Transforms of a real grid: cuFFT on a GPU, FFTW on the host device. Both are loaded when they are
 * needed. */
#ifndef ASSAY_STEP_FFT_H
#define ASSAY_STEP_FFT_H

#include "kernel.h"

struct step_complex {
    float re, im;
};

struct step_fft;

/* Makes plans for n[0] * n[1] * n[2] real values at `real` and the half of their spectrum at
 * `complex`, n[2] / 2 + 1 along z. The arrays may be written to. Returns 0, or what a setup
 * returns: with ASSAY_NOT_HERE, *why says what is missing. The caller frees. */
int  step_fft_create(const int n[3], float *real, step_complex *complex, step_fft **fft,
                     const char **why);
void step_fft_destroy(step_fft *fft); /* accepts NULL */

/* Each enqueues one transform, without scaling, and returns 0 or an error number. The inverse
 * transform overwrites the spectrum. */
int step_fft_forward(const step_fft *fft, float *real, step_complex *complex, assay_stream stream);
int step_fft_back(const step_fft *fft, step_complex *complex, float *real, assay_stream stream);

#endif
