/* Texts by which a kept translation can be recognised (ASSAY_CC_KEEP). */
#ifndef ASSAY_MARKS_H
#define ASSAY_MARKS_H

/* Occurs once in each __global__ function of the user's. */
#define ASSAY_MARK_KERNEL "static const char assay_key[] = "
/* Precedes the text, as a C literal, of a PTX instruction that the host device lacks. */
#define ASSAY_MARK_UNKNOWN "assay_ptx::unknown("

#endif
