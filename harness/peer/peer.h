/* A peer: another program that computes a case's answer (PyTorch, Triton), in its own process.
 * Requests and answers are lines of text; nothing in an answer is trusted before it was checked.
 * docs/peers.md has the protocol. */
#ifndef ASSAY_PEER_H
#define ASSAY_PEER_H

#include "case.h"
#include "rows/rows.h"
#include "status.h"

enum {
    ASSAY_PEER_MOST_SAMPLES = 1000,    /* of one request */
    ASSAY_PEER_MOST_RECORDS = 1 << 16, /* of one traced call */
    ASSAY_PEER_MOST_FACTS   = 8,       /* of one request */
    ASSAY_PEER_PATH_SIZE    = 1024
};

/* The script that serves the variants of a user's file, and tells what an interpreter has. */
#define ASSAY_PEER_VARIANTS "assay_variants.py"

typedef struct assay_peer assay_peer;

/* What was found of a peer; NOT_RUN: nothing. After CRASHED and TIMED_OUT it is dead. */
typedef struct assay_peer_finding {
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE];
} assay_peer_finding;

/* What a peer tells about itself. */
typedef struct assay_peer_about {
    char interpreter[ASSAY_PEER_PATH_SIZE];
    char frameworks[256]; /* each with its version: "torch 2.11.0, numpy 2.4.6" */
    char device[128];     /* name of the GPU, or "cpu" */
} assay_peer_about;

/* One point, as a peer gets it. */
typedef struct assay_peer_job {
    const char        *case_name, *word;
    const assay_axis  *axes; /* of the case; NULL: the peer is told none */
    const assay_value *axis; /* the value of each */
    const assay_shape *shape;
    void *const       *data;     /* by buffer: its inputs, and memory for its answer */
    double             limit_s;  /* for each request */
    int64_t            l2_bytes; /* a cold sample flushes twice as many */
} assay_peer_job;

/* A number that it reports, with a name. */
typedef struct assay_peer_fact {
    char   name[ASSAY_NAME_SIZE];
    double value;
} assay_peer_fact;

/* Its times, in the order in which they were taken. */
typedef struct assay_peer_times {
    double          time_ns[ASSAY_PEER_MOST_SAMPLES];
    int64_t         n, n_warmup;
    int64_t         peak_bytes; /* device memory during hot samples; -1: unknown */
    assay_peer_fact facts[ASSAY_PEER_MOST_FACTS];
    int             n_facts;
} assay_peer_times;

typedef enum assay_peer_kind {
    ASSAY_PEER_KERNEL,
    ASSAY_PEER_COPY,
    ASSAY_PEER_FILL,
    /* On the host: */
    ASSAY_PEER_OPERATION, /* of the framework */
    ASSAY_PEER_CALL,      /* of CUDA */
    ASSAY_PEER_RANGE,     /* a part that the script has named */
    ASSAY_PEER_N_KINDS
} assay_peer_kind;

/* A record of a traced call, from the peer's own tool, as it is in the shared memory
 * (docs/peers.md). */
typedef struct assay_peer_record {
    int64_t start_ns, duration_ns;
    int32_t kind;                         /* assay_peer_kind */
    int32_t grid[3], block[3], registers; /* of a kernel; 0 unknown */
    int32_t correlation;                  /* relates a call to what it started; 0 unknown */
    int32_t place;                        /* number of the host's thread or the device's stream */
    char    name[200];
} assay_peer_record;

/* The records of one call that were kept. */
typedef struct assay_peer_recording {
    assay_peer_record *records; /* sorted by their starts; the caller frees */
    int64_t            n;
    int64_t            n_left_out; /* records of the host for which there was no room */
} assay_peer_recording;

/* Finds a script of peers: only in $ASSAY_PEERS if that is set, else as base/places.h says. */
bool assay_peer_locate(const char *script, char *path, size_t size);
/* Writes why it was not found; returns `why`. */
const char *assay_peer_explain(const char *script, char *why, size_t size);

/* Starts a script with the first interpreter that can compute on `device` ("cpu", "cuda:0"; "none":
 * it only tells what it has): only $ASSAY_PYTHON if that is set, else python3 of PATH, else
 * /usr/bin/python3. `interpreter` remembers it, and is "" at first. If none can, *peer is NULL and
 * the finding is SKIPPED with the reason. The caller ends the peer. */
assay_status assay_peer_start(const assay_peer_script *script, const char *device,
                              char interpreter[ASSAY_PEER_PATH_SIZE], assay_peer **peer,
                              assay_peer_finding *finding);
void         assay_peer_end(assay_peer *peer); /* accepts NULL */

/* Tells what interpreter number i has, without the seconds that loading takes. `why`: the reason if
 * that is not known; about->frameworks is then "". False: there is no such interpreter. */
bool assay_peer_describe(int i, assay_peer_about *about, char *why, size_t size);

bool                    assay_peer_is_alive(const assay_peer *peer); /* NULL: no */
const assay_peer_about *assay_peer_whom(const assay_peer *peer);
bool                    assay_peer_runs(const assay_peer *peer, const assay_peer_script *script);

/* Tells the peer what to compute. The finding is UNSUPPORTED or SKIPPED if it does not. The job
 * must outlive all requests about it, until it is closed. */
assay_status assay_peer_open(assay_peer *peer, const assay_peer_job *job,
                             assay_peer_finding *finding);
/* Computes the outputs once. All buffers are handed over, and returned as the peer left them.
 * *took_ns: the time of the step alone, by the host's clock; NaN if the peer does not tell. */
void assay_peer_run(assay_peer *peer, double *took_ns, assay_peer_finding *finding);
bool assay_peer_has_run(const assay_peer *peer); /* any job, in this process */
/* Times whole steps on the data of the last run: hot (one after the other) or cold (with a cache
 * flush before each), for about `wall_s`. */
void assay_peer_time(assay_peer *peer, assay_regime regime, double wall_s, assay_peer_times *times,
                     assay_peer_finding *finding);
/* Records one whole call: the first of this process and job, before which nothing has run; or
 * another one on the data of the last run. With a finding, nothing is recorded. */
assay_status assay_peer_trace(assay_peer *peer, bool is_first, assay_peer_recording *recording,
                              assay_peer_finding *finding);
/* Ends the job; both processes free its memory. */
void assay_peer_close(assay_peer *peer); /* accepts NULL */

#endif
