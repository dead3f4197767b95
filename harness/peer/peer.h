/* A peer: another program that computes a case's answer (PyTorch, Triton), in a process of its own
 * that is spoken to in lines. Everything that it says is looked at like the words of an enemy.
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

/* The script that serves the variants of a person's own file, and says what an interpreter has. */
#define ASSAY_PEER_VARIANTS "assay_variants.py"

typedef struct assay_peer assay_peer;

/* What a peer has shown of itself; NOT_RUN: nothing bad. After CRASHED and TIMED_OUT it is dead. */
typedef struct assay_peer_finding {
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE];
} assay_peer_finding;

/* What it says of itself. */
typedef struct assay_peer_about {
    char interpreter[ASSAY_PEER_PATH_SIZE];
    char frameworks[256]; /* each with its version: "torch 2.11.0, numpy 2.4.6" */
    char device[128];     /* name of the GPU, or "cpu" */
} assay_peer_about;

/* One point as a peer gets it. */
typedef struct assay_peer_job {
    const char        *case_name, *word;
    const assay_axis  *axes; /* those of the case, NULL: none are told */
    const assay_value *axis; /* the value of each */
    const assay_shape *shape;
    void *const       *data;     /* by buffer: what it reads, and where its answer goes */
    double             limit_s;  /* for each request */
    int64_t            l2_bytes; /* a cold sample flushes twice as much */
} assay_peer_job;

/* A number that it tells of itself, by a name of its own. */
typedef struct assay_peer_fact {
    char   name[ASSAY_NAME_SIZE];
    double value;
} assay_peer_fact;

/* Its times, in their order. */
typedef struct assay_peer_times {
    double          time_ns[ASSAY_PEER_MOST_SAMPLES];
    int64_t         n, n_warmup;
    int64_t         peak_bytes; /* of device memory while hot samples are taken; -1: unknown */
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

/* What a traced call did, as the peer's own tool recorded it. So it lies in the shared memory
 * (docs/peers.md). */
typedef struct assay_peer_record {
    int64_t start_ns, duration_ns;
    int32_t kind;                         /* assay_peer_kind */
    int32_t grid[3], block[3], registers; /* of a kernel; 0 unknown */
    int32_t correlation;                  /* joins a call with what it started; 0 unknown */
    int32_t place;                        /* thread of the host, stream of the device */
    char    name[200];
} assay_peer_record;

/* One call, or what of it was kept. */
typedef struct assay_peer_recording {
    assay_peer_record *records; /* in the order of their starts; the caller's to free */
    int64_t            n;
    int64_t            n_left_out; /* of the host, for want of room */
} assay_peer_recording;

/* Where a script of peers is: $ASSAY_PEERS alone if that is set, else as base/places.h says. */
bool assay_peer_locate(const char *script, char *path, size_t size);
/* Why it is not there: returns `why`. */
const char *assay_peer_explain(const char *script, char *why, size_t size);

/* Starts a script with the first interpreter that can compute on `device` ("cpu", "cuda:0"; "none":
 * it only says what it has): $ASSAY_PYTHON alone if that is set, else python3 of PATH, else
 * /usr/bin/python3. `interpreter` remembers it: "" at first. None: *peer is NULL, SKIPPED with the
 * reason. Caller ends it. */
assay_status assay_peer_start(const assay_peer_script *script, const char *device,
                              char interpreter[ASSAY_PEER_PATH_SIZE], assay_peer **peer,
                              assay_peer_finding *finding);
void         assay_peer_end(assay_peer *peer); /* accepts NULL */

/* What interpreter number i has, without the seconds that it takes to load it; `why`: the reason
 * where that cannot be told, and about->frameworks is "". False: there is no such interpreter. */
bool assay_peer_describe(int i, assay_peer_about *about, char *why, size_t size);

bool                    assay_peer_is_alive(const assay_peer *peer); /* NULL: no */
const assay_peer_about *assay_peer_whom(const assay_peer *peer);
bool                    assay_peer_runs(const assay_peer *peer, const assay_peer_script *script);

/* Says what is to be computed; UNSUPPORTED or SKIPPED if it will not. The job must outlive all that
 * is asked of it, until it is closed. */
assay_status assay_peer_open(assay_peer *peer, const assay_peer_job *job,
                             assay_peer_finding *finding);
/* Computes the outputs once: all buffers are handed over, and come back as it left them. *took_ns:
 * the step alone by the host's clock; NaN if the peer does not say. */
void assay_peer_run(assay_peer *peer, double *took_ns, assay_peer_finding *finding);
bool assay_peer_has_run(const assay_peer *peer); /* any job, in this process */
/* Times whole steps on what the last run was given: hot (one behind the other) or cold (the
 * cache flushed before each), for about `wall_s`. */
void assay_peer_time(assay_peer *peer, assay_regime regime, double wall_s, assay_peer_times *times,
                     assay_peer_finding *finding);
/* Records one whole call: the first of this process and job, which nothing may have run before; or
 * another one on what the last run was given. Nothing is recorded with a finding. */
assay_status assay_peer_trace(assay_peer *peer, bool is_first, assay_peer_recording *recording,
                              assay_peer_finding *finding);
/* Forgets the job; the memory of both sides is given back. */
void assay_peer_close(assay_peer *peer); /* accepts NULL */

#endif
