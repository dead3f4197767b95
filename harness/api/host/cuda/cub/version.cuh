/* The version of CUB whose documentation these headers follow. */
#ifndef ASSAY_HOST_CUB_VERSION_CUH
#define ASSAY_HOST_CUB_VERSION_CUH

#define CUB_VERSION          300001
#define CUB_MAJOR_VERSION    (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION    (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
#define CUB_PATCH_NUMBER     0

#endif
