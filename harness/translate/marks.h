/* What a translation can be known by, for whoever reads one that was kept (ASSAY_CC_KEEP). */
#ifndef ASSAY_MARKS_H
#define ASSAY_MARKS_H

/* Stands once in each __global__ function of the user's. */
#define ASSAY_MARK_KERNEL "static const char assay_key[] = "
/* Before the text, as a literal of C, of an instruction of PTX that the host device has not. */
#define ASSAY_MARK_UNKNOWN "assay_ptx::unknown("

#endif
