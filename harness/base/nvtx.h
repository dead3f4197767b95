/* Ranges for NVIDIA's own tools: where Nsight watches the program, each check, block of samples,
 * count and trace carries its point's key. Nothing happens where nobody watches, or where it was
 * built without NVTX's headers. Independent of CUPTI. */
#ifndef ASSAY_NVTX_H
#define ASSAY_NVTX_H

/* Ranges nest; each push has its pop, in the same thread. */
void assay_nvtx_push(const char *what, const char *key);
void assay_nvtx_pop(void);

#endif
