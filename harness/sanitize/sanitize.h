/* The tools of NVIDIA's compute-sanitizer: where it is, how a process is started under it, what its
 * log says, and what that means for a variant.
 *
 * The formats are those of its manual and of versions 2025.3 and 2026.4. */
#ifndef ASSAY_SANITIZE_H
#define ASSAY_SANITIZE_H

#include "case.h"
#include "status.h"

#include "rows/rows.h"

/* The tool of that name; false: there is none. */
bool assay_sanitize_parse(const char *word, assay_gpu_tool *tool);

/* The environment variable that names the program, where it is not in PATH. */
#define ASSAY_SANITIZE_PROGRAM "ASSAY_COMPUTE_SANITIZER"

/* Where compute-sanitizer is, into `path`: what the variable names, else by PATH, else of the CUDA
 * toolkit. False: `why` is a sentence. */
bool assay_sanitize_find(char *path, size_t size, char *why, size_t why_size);

enum {
    ASSAY_SANITIZE_WORDS = 32, /* what stands before the program, at most */
    /* Reports that are printed; further ones are counted. */
    ASSAY_SANITIZE_PRINTED = 1000
};

/* The file of this program, to be started once more; false: that cannot be told. (The header of
 * base/places.h cannot stand beside those of a worker: both have a type assay_place.) */
bool assay_sanitize_self(char *path, size_t size);

/* The command line up to the program that is to be watched: borrowed words, the first one `path`,
 * as many as returned. */
int assay_sanitize_words(assay_gpu_tool tool, const char *path, const char *log,
                         const char *words[ASSAY_SANITIZE_WORDS]);

/* ---- its log ---- */

typedef enum assay_gpu_line {
    ASSAY_GPU_REPORT,  /* a fault, with the lines that belong to it */
    ASSAY_GPU_TROUBLE, /* the tool says that it could not do its work */
    ASSAY_GPU_UNKNOWN, /* words that are no fault that is known here */
    ASSAY_GPU_SUMMARY, /* its last word: how many faults */
} assay_gpu_line;

/* A part of a log; `text` is of the log, without an end of its own. */
typedef struct assay_gpu_record {
    assay_gpu_line kind;
    const char    *text;
    size_t         size;
    assay_verdict  verdict; /* of a report */
    int64_t        n;       /* hazards of a report, at least 1; faults of a summary */
} assay_gpu_record;

/* The next one from *at on, which moves behind it; false: there is none. */
bool assay_sanitize_next(const char **at, assay_gpu_record *record);

/* A report in one line: what, each access, by which thread; no frames of the host. Returns `to`. */
char *assay_sanitize_line(const assay_gpu_record *record, char *to, size_t size);

/* Is there one of `places` (", " between two) in each access of a report, in its line or in a frame
 * below it? */
bool assay_sanitize_is_at(const assay_gpu_record *record, const char *places);

/* ---- what it means ---- */

typedef struct assay_gpu_finding {
    assay_verdict verdict; /* PASS, or of the gravest report that no row of the case is for */
    char          reason[ASSAY_REASON_SIZE];   /* with PASS: what was excused, and why; or "" */
    int64_t       n_excused[ASSAY_MAX_UNSEEN]; /* hazards, by row of the case */
    bool          is_whole; /* the tool was there to the end: there is a summary, and no trouble */
    char          trouble[ASSAY_REASON_SIZE]; /* or this is what it said; "" */
} assay_gpu_finding;

/* What the log of a process says that ran this variant and nothing else. */
void assay_sanitize_judge(assay_gpu_tool tool, const char *log, const assay_case *c,
                          const char *variant, assay_gpu_finding *finding);

#endif
