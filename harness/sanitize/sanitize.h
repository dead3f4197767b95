/* The tools of NVIDIA's compute-sanitizer: how to find it, how to start a process under it, what
 * its log says, and what that means for a variant. The formats are those of its manual, and of
 * versions 2025.3 and 2026.4. */
#ifndef ASSAY_SANITIZE_H
#define ASSAY_SANITIZE_H

#include "case.h"
#include "status.h"

#include "rows/rows.h"

/* Finds the tool of that name; false: there is none. */
bool assay_sanitize_parse(const char *word, assay_gpu_tool *tool);

/* The environment variable that names the program, if it is not in PATH. */
#define ASSAY_SANITIZE_PROGRAM "ASSAY_COMPUTE_SANITIZER"

/* Finds compute-sanitizer: by the variable, else in PATH, else in the CUDA toolkit. False: `why` is
 * a sentence. */
bool assay_sanitize_find(char *path, size_t size, char *why, size_t why_size);

enum {
    ASSAY_SANITIZE_WORDS = 32, /* words before the program, at most */
    /* Reports that the tool prints; further ones are only counted. */
    ASSAY_SANITIZE_PRINTED = 1000
};

/* Writes the command line up to the watched program: borrowed words, of which the first is `path`.
 * Returns their number. */
int assay_sanitize_words(assay_gpu_tool tool, const char *path, const char *log,
                         const char *words[ASSAY_SANITIZE_WORDS]);

/* ---- its log ---- */

typedef enum assay_gpu_line {
    ASSAY_GPU_REPORT,  /* a fault, with its lines */
    ASSAY_GPU_TROUBLE, /* the tool says that it could not work */
    ASSAY_GPU_UNKNOWN, /* a text that is not recognised */
    ASSAY_GPU_SUMMARY, /* the last line: the number of faults */
} assay_gpu_line;

/* A part of a log. `text` points into the log, and does not end with a zero. */
typedef struct assay_gpu_record {
    assay_gpu_line kind;
    const char    *text;
    size_t         size;
    assay_verdict  verdict; /* of a report */
    int64_t        n;       /* hazards of a report, at least 1; faults of a summary */
} assay_gpu_record;

/* Gives the next part from *at on, and moves *at after it; false: there is none. */
bool assay_sanitize_next(const char **at, assay_gpu_record *record);

/* Writes a report in one line: what, each access, by which thread; without frames of the host.
 * Returns `to`. */
char *assay_sanitize_line(const assay_gpu_record *record, char *to, size_t size);

/* Is each access of a report in one of `places` (separated by ", "), in its line or in a frame
 * below it? */
bool assay_sanitize_is_at(const assay_gpu_record *record, const char *places);

/* ---- its meaning ---- */

typedef struct assay_gpu_finding {
    assay_verdict verdict; /* PASS, or that of the gravest report without a suppression */
    char          reason[ASSAY_REASON_SIZE];   /* with PASS: what was suppressed, and why; or "" */
    int64_t       n_excused[ASSAY_MAX_UNSEEN]; /* hazards, by suppression of the case */
    bool          is_whole; /* the tool reached its end: there is a summary, and no trouble */
    char          trouble[ASSAY_REASON_SIZE]; /* or this is what it said about itself; "" */
} assay_gpu_finding;

/* Judges the log of a process that ran only this variant. */
void assay_sanitize_judge(assay_gpu_tool tool, const char *log, const assay_case *c,
                          const char *variant, assay_gpu_finding *finding);

#endif
