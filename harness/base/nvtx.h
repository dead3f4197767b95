/* NVTX ranges for NVIDIA's tools. If Nsight watches the program, each check, block of samples,
 * count and trace appears as a range with its point's key. Without a tool, or if built without
 * NVTX's headers, nothing happens. Independent of CUPTI. */
#ifndef ASSAY_NVTX_H
#define ASSAY_NVTX_H

/* Ranges nest. Each push needs a pop in the same thread. */
void assay_nvtx_push(const char *what, const char *key);
void assay_nvtx_pop(void);

#endif
