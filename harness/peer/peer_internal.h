/* What the files of a peer share. */
#ifndef ASSAY_PEER_INTERNAL_H
#define ASSAY_PEER_INTERNAL_H

#include "peer.h"

#include "base/tail.h"

#include <sys/types.h>

enum {
    ASSAY_PEER_PROTOCOL =
        2, /* the newest version that this program speaks; docs/peers.md has all versions */
    ASSAY_PEER_ARENA_FD    = 3, /* the descriptor of the shared memory in the peer */
    ASSAY_PEER_REPLY_SIZE  = 8192,
    ASSAY_PEER_REPLY_LINES = 64,
    ASSAY_PEER_MOST_STALE  = 64 /* answers to earlier requests, in one process */
};

/* The lines of an answer: "word" or "name value". The first one tells its kind. */
typedef struct assay_peer_reply {
    char        text[ASSAY_PEER_REPLY_SIZE]; /* its lines end with '\0' here */
    const char *line[ASSAY_PEER_REPLY_LINES];
    int         n;
} assay_peer_reply;

struct assay_peer {
    pid_t       pid;        /* 0: dead */
    bool        counts_cpu; /* it computes on the CPU, so its silence is measured in CPU time */
    int         fd;         /* a socket: requests and answers; -1: dead */
    assay_tail *output;     /* the end of its output besides answers */
    int         arena_fd; /* sealed against shrinking, so that its pages stay while they are read */
    char       *arena;    /* mapped */
    size_t      arena_bytes;
    char        script[ASSAY_PEER_PATH_SIZE], file[ASSAY_PEER_PATH_SIZE]; /* file: "" none */
    assay_peer_about      about;
    assay_peer_reply      hello;
    const assay_peer_job *job; /* borrowed; NULL: none is open */
    size_t                offset[ASSAY_MAX_BUFFERS];
    size_t                times_offset, records_offset;
    int64_t               n_asked; /* number of the last request; 0: there was none */
    bool                  has_run; /* some job */
    int64_t               n_stale; /* dropped answers to earlier requests */
    char                  inbox[ASSAY_PEER_REPLY_SIZE]; /* what has arrived and was not read */
    size_t                inbox_bytes;
};

/* ---- the process ---- */

/* Starts one interpreter with one script, by its path, and a file or NULL. *peer is NULL, with a
 * finding, if the peer says that it cannot work. */
assay_status assay_peer_launch(const char *interpreter, const char *path, const char *device,
                               const char *file, assay_peer **peer, assay_peer_finding *finding);
/* Kills it, and all processes that it started. */
void assay_peer_kill(assay_peer *peer);
/* Kills it and adds the finding `verdict`, with the sentence and the last line of its stderr. */
void assay_peer_bury(assay_peer *peer, assay_peer_finding *finding, assay_verdict verdict,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The peer has closed its end: adds the finding CRASHED, with how it ended. */
void assay_peer_bury_dead(assay_peer *peer, assay_peer_finding *finding);

/* The digest of the file of variants when it was read. A process that serves the file must find the
 * same. */
const char *assay_peer_variants_digest(void);

/* ---- requests and answers ---- */

/* Sends a request (its word, and lines that end with '\n') with a new number, and waits for the
 * answer with that number. Answers to earlier requests are dropped, and counted in the reason of a
 * finding. An invalid answer, a wrong number or a late answer is a finding, and ends the peer.
 * Answers "unsupported", "skipped" or "failed" are findings too, but do not end it. Otherwise the
 * answer must be `wanted`. */
void assay_peer_ask(assay_peer *peer, const char *word, const char *lines, const char *wanted,
                    double limit_s, assay_peer_reply *reply, assay_peer_finding *finding);
/* Waits for the first answer, which has no request and no number. limit_s is CPU time if the peer
 * computes on the CPU, else wall time (base/patience.h). */
void assay_peer_listen(assay_peer *peer, const char *wanted, double limit_s,
                       assay_peer_reply *reply, assay_peer_finding *finding);
/* Divides reply->text, of `length` bytes, which ends with the line "end"; false: these are not
 * lines of an answer. */
bool assay_peer_parse(assay_peer_reply *reply, size_t length);
/* Returns the value of a line "name value"; NULL: there is none. */
const char *assay_peer_value(const assay_peer_reply *reply, const char *name);
/* Reads it as a whole number in least..most; false: there is none. */
bool assay_peer_number(const assay_peer_reply *reply, const char *name, int64_t least, int64_t most,
                       int64_t *number);

/* Reads the lines "fact NAME VALUE" in their order; false: one of them is invalid, a name occurs
 * twice, or there are more than ASSAY_PEER_MOST_FACTS. */
bool assay_peer_facts(const assay_peer_reply *reply, assay_peer_fact *facts, int *n_facts);

#endif
