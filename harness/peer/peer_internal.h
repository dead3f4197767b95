/* What the files of a peer share. */
#ifndef ASSAY_PEER_INTERNAL_H
#define ASSAY_PEER_INTERNAL_H

#include "peer.h"

#include "base/tail.h"

#include <sys/types.h>

enum {
    ASSAY_PEER_PROTOCOL    = 2, /* the newest that is spoken here; docs/peers.md has them all */
    ASSAY_PEER_ARENA_FD    = 3, /* where the peer finds the memory that both share */
    ASSAY_PEER_REPLY_SIZE  = 8192,
    ASSAY_PEER_REPLY_LINES = 64,
    ASSAY_PEER_MOST_STALE  = 64 /* answers to requests that are over, of one process */
};

/* Lines of an answer: "word" or "name value". The first one says what it is. */
typedef struct assay_peer_reply {
    char        text[ASSAY_PEER_REPLY_SIZE]; /* its lines end with '\0' here */
    const char *line[ASSAY_PEER_REPLY_LINES];
    int         n;
} assay_peer_reply;

struct assay_peer {
    pid_t       pid;        /* 0: dead */
    bool        counts_cpu; /* it computes on the CPU: its silence is measured in CPU time */
    int         fd;         /* a socket: requests and answers; -1: dead */
    assay_tail *output;     /* the last of what it wrote beside its answers */
    int         arena_fd; /* sealed against shrinking, so that its pages stay while they are read */
    char       *arena;    /* mapped */
    size_t      arena_bytes;
    char        script[ASSAY_PEER_PATH_SIZE], file[ASSAY_PEER_PATH_SIZE]; /* file: "" none */
    assay_peer_about      about;
    assay_peer_reply      hello;
    const assay_peer_job *job; /* borrowed; NULL: none is open */
    size_t                offset[ASSAY_MAX_BUFFERS];
    size_t                times_offset, records_offset;
    int64_t               n_asked; /* the number of the last request; 0: there was none */
    bool                  has_run; /* some job */
    int64_t               n_stale; /* answers to requests before it, dropped */
    char                  inbox[ASSAY_PEER_REPLY_SIZE]; /* what has come and was not looked at */
    size_t                inbox_bytes;
};

/* ---- the process ---- */

/* One interpreter, one script by its path, with a file or NULL; NULL in *peer and a finding if it
 * says that it cannot. */
assay_status assay_peer_launch(const char *interpreter, const char *path, const char *device,
                               const char *file, assay_peer **peer, assay_peer_finding *finding);
/* Kills it with all that it started. */
void assay_peer_kill(assay_peer *peer);
/* Kills it and finds `verdict`, with the sentence and the last line that it wrote to its stderr. */
void assay_peer_bury(assay_peer *peer, assay_peer_finding *finding, assay_verdict verdict,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* It has closed its end: CRASHED, with what it died of. */
void assay_peer_bury_dead(assay_peer *peer, assay_peer_finding *finding);

/* What the file of variants held when it was asked; a process that serves it must find the same. */
const char *assay_peer_variants_digest(void);

/* ---- talk ---- */

/* Sends a request (its word, and lines that end with '\n') under a number of its own and waits for
 * the answer with this number; those to requests before it are dropped, and counted in the reason
 * of a finding. An answer that is none, has another number, or comes too late, is a finding and the
 * end of the peer; so are those that say "unsupported", "skipped" or "failed", but for the end.
 * `wanted` is what the answer must be otherwise. */
void assay_peer_ask(assay_peer *peer, const char *word, const char *lines, const char *wanted,
                    double limit_s, assay_peer_reply *reply, assay_peer_finding *finding);
/* Waits for the first answer, which nobody asks for: it has no number. limit_s is of CPU time where
 * the peer computes on the CPU, else by the clock on the wall (base/patience.h). */
void assay_peer_listen(assay_peer *peer, const char *wanted, double limit_s,
                       assay_peer_reply *reply, assay_peer_finding *finding);
/* Splits reply->text, of `length` bytes, which ends with the line "end"; false: these are no lines
 * of an answer. */
bool assay_peer_parse(assay_peer_reply *reply, size_t length);
/* The value of a line "name value"; NULL: there is none. */
const char *assay_peer_value(const assay_peer_reply *reply, const char *name);
/* As a whole number in least..most; false: there is none. */
bool assay_peer_number(const assay_peer_reply *reply, const char *name, int64_t least, int64_t most,
                       int64_t *number);

/* Reads the lines "fact NAME VALUE", in their order; false: one of them is none, a name comes
 * twice, or there are more than ASSAY_PEER_MOST_FACTS. */
bool assay_peer_facts(const assay_peer_reply *reply, assay_peer_fact *facts, int *n_facts);

#endif
