/* Requests to a peer, and its answers: lines, closed by the line "end". */
#include "peer_internal.h"

#include "base/patience.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* ---- text ---- */

/* Is it printable, so that it may be in a report? */
static bool is_decent(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\n' && iscntrl((unsigned char)text[i]))
            return false;
    return true;
}

bool assay_peer_parse(assay_peer_reply *reply, size_t length)
{
    char *line = reply->text, *next;

    reply->n = 0;
    if (!is_decent(reply->text, length))
        return false;
    for (; line < reply->text + length; line = next + 1) {
        next = memchr(line, '\n', (size_t)(reply->text + length - line));
        if (!next || reply->n == ASSAY_PEER_REPLY_LINES)
            return false;
        *next                   = '\0';
        reply->line[reply->n++] = line;
    }
    /* The last one is the "end" that was waited for. */
    reply->n--;
    return reply->n > 0;
}

const char *assay_peer_value(const assay_peer_reply *reply, const char *name)
{
    const size_t length = strlen(name);

    for (int i = 1; i < reply->n; i++)
        if (strncmp(reply->line[i], name, length) == 0 && reply->line[i][length] == ' ')
            return reply->line[i] + length + 1;
    return NULL;
}

bool assay_peer_number(const assay_peer_reply *reply, const char *name, int64_t least, int64_t most,
                       int64_t *number)
{
    const char *value = assay_peer_value(reply, name);
    char       *end   = NULL;

    if (!value || (!isdigit((unsigned char)value[0]) && value[0] != '-'))
        return false;
    errno   = 0;
    *number = strtoll(value, &end, 10);
    return errno == 0 && *end == '\0' && *number >= least && *number <= most;
}

/* Names that the harness uses for its own facts, and names of hardware counters, are not allowed
 * for a peer's facts. */
static bool is_reserved(const char *name)
{
    return strncmp(name, "traced_", 7) == 0 || strstr(name, "__") != NULL;
}

static bool is_fact(const char *line, assay_peer_fact *fact)
{
    const char  *value  = strchr(line, ' ');
    const size_t length = value ? (size_t)(value - line) : 0;
    char        *end    = NULL;

    if (length == 0 || length >= sizeof fact->name)
        return false;
    memcpy(fact->name, line, length);
    fact->name[length] = '\0';
    if (is_reserved(fact->name))
        return false;
    errno       = 0;
    fact->value = strtod(value + 1, &end);
    return errno == 0 && end > value + 1 && *end == '\0' && isfinite(fact->value);
}

static bool is_told(const assay_peer_fact *facts, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(facts[i].name, name) == 0)
            return true;
    return false;
}

bool assay_peer_facts(const assay_peer_reply *reply, assay_peer_fact *facts, int *n_facts)
{
    static const char word[] = "fact ";

    *n_facts = 0;
    for (int i = 1; i < reply->n; i++) {
        if (strncmp(reply->line[i], word, sizeof word - 1) != 0)
            continue;
        if (*n_facts == ASSAY_PEER_MOST_FACTS ||
            !is_fact(reply->line[i] + sizeof word - 1, &facts[*n_facts]) ||
            is_told(facts, *n_facts, facts[*n_facts].name))
            return false;
        ++*n_facts;
    }
    return true;
}

/* ---- sending and receiving ---- */

/* False: the peer is gone, or is ended here since it would wait for the rest. The next read finds
 * out. */
static bool send_all(const assay_peer *peer, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t n = send(peer->fd, text, left, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            (void)shutdown(peer->fd, SHUT_WR);
            return false;
        }
        text += n;
        left -= (size_t)n;
    }
    return true;
}

/* Returns the length up to the end of the first line "end"; 0: there is none. */
static size_t whole_answer(const char *text, size_t length)
{
    const char *line = text, *next;

    for (; (next = memchr(line, '\n', (size_t)(text + length - line))); line = next + 1)
        if (next - line == 3 && memcmp(line, "end", 3) == 0)
            return (size_t)(next + 1 - text);
    return 0;
}

/* Takes the first answer of what has arrived. *length: of its text, 0 if it is incomplete. */
static void take_answer(assay_peer *peer, assay_peer_reply *reply, size_t *length)
{
    *length = whole_answer(peer->inbox, peer->inbox_bytes);
    memcpy(reply->text, peer->inbox, *length);
    peer->inbox_bytes -= *length;
    memmove(peer->inbox, peer->inbox + *length, peer->inbox_bytes);
}

/* If no time is left, it only looks. */
static bool wait_readable(int fd, assay_patience *patience)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    int           n;

    do {
        n = poll(&p, 1, patience ? (int)ceil(assay_patience_wait_s(patience) * 1e3) : 0);
    } while ((n < 0 && errno == EINTR) ||
             (n == 0 && patience && !assay_patience_is_over(patience)));
    return n > 0;
}

typedef enum hearing {
    HEARD_ANSWER,
    HEARD_END,
    HEARD_NOTHING,
    HEARD_NONSENSE
} hearing;

/* Waits for one answer. What has arrived by then is read even if no time is left. */
static hearing hear(assay_peer *peer, assay_patience *patience, assay_peer_reply *reply)
{
    size_t length;

    for (take_answer(peer, reply, &length); length == 0; take_answer(peer, reply, &length)) {
        const size_t room = sizeof peer->inbox - peer->inbox_bytes;
        ssize_t      n;

        if (room == 0)
            return HEARD_NONSENSE;
        if (!wait_readable(peer->fd, patience))
            return HEARD_NOTHING;
        n = recv(peer->fd, peer->inbox + peer->inbox_bytes, room, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return HEARD_END;
        peer->inbox_bytes += (size_t)n;
    }
    return assay_peer_parse(reply, length) ? HEARD_ANSWER : HEARD_NONSENSE;
}

/* ---- what an answer means ---- */

/* What a peer may answer instead of what was requested. */
static const struct {
    const char   *word;
    assay_verdict verdict;
} refusals[] = {
    { "unsupported", ASSAY_UNSUPPORTED }, /* it does not do this */
    { "skipped", ASSAY_SKIPPED },         /* not here: no torch, no room */
    { "failed", ASSAY_LAUNCH_FAILED },    /* it tried */
};

static void judge_answer(assay_peer *peer, const char *wanted, const assay_peer_reply *reply,
                         assay_peer_finding *finding)
{
    const char *reason = assay_peer_value(reply, "reason");

    if (strcmp(reply->line[0], wanted) == 0)
        return;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (strcmp(reply->line[0], refusals[i].word) == 0 && reason && reason[0]) {
            finding->verdict = refusals[i].verdict;
            (void)assay_text_set(finding->reason, sizeof finding->reason, "%s", reason);
            if (assay_peer_value(reply, "last"))
                assay_peer_kill(peer);
            return;
        }
    assay_peer_bury(peer, finding, ASSAY_CRASHED, "the peer answered '%.40s' where '%s' was wanted",
                    reply->line[0], wanted);
}

/* True: it is an answer to a request before number `least`, which is dropped unless there are too
 * many of them. A number that was never used is a finding. */
static bool is_stale(assay_peer *peer, int64_t least, const assay_peer_reply *reply,
                     assay_peer_finding *finding)
{
    const char *text   = assay_peer_value(reply, "number");
    int64_t     number = 0;

    if (!text) {
        assay_peer_bury(peer, finding, ASSAY_CRASHED,
                        "the peer answered '%.40s' without the number of its request, which its "
                        "script must repeat (docs/peers.md)",
                        reply->line[0]);
    } else if (!assay_peer_number(reply, "number", 1, peer->n_asked, &number)) {
        assay_peer_bury(peer, finding, ASSAY_CRASHED,
                        "the peer answered request %.40s; the last one asked is %" PRId64, text,
                        peer->n_asked);
    } else if (number < least && ++peer->n_stale > ASSAY_PEER_MOST_STALE) {
        assay_peer_bury(
            peer, finding, ASSAY_CRASHED,
            "the peer broke the protocol: more than %d answers to requests that are over",
            ASSAY_PEER_MOST_STALE);
    }
    return finding->verdict == ASSAY_NOT_RUN && number < least;
}

static void find_silence(assay_peer *peer, hearing heard, const assay_patience *patience,
                         assay_peer_finding *finding)
{
    char limit[80];

    if (heard == HEARD_NOTHING)
        assay_peer_bury(peer, finding, ASSAY_TIMED_OUT, "no answer from the peer %s",
                        assay_patience_text(patience, limit, sizeof limit));
    else if (heard == HEARD_END)
        assay_peer_bury_dead(peer, finding);
    else
        assay_peer_bury(peer, finding, ASSAY_CRASHED,
                        "the peer broke the protocol: no answer in lines");
}

void assay_peer_listen(assay_peer *peer, const char *wanted, double limit_s,
                       assay_peer_reply *reply, assay_peer_finding *finding)
{
    assay_patience patience;
    hearing        heard;

    assay_patience_begin(&patience, peer->counts_cpu ? peer->pid : 0, limit_s);
    do {
        heard = hear(peer, &patience, reply);
        if (heard != HEARD_ANSWER)
            find_silence(peer, heard, &patience, finding);
    } while (heard == HEARD_ANSWER && peer->n_asked > 0 &&
             is_stale(peer, peer->n_asked, reply, finding));
    if (finding->verdict == ASSAY_NOT_RUN)
        judge_answer(peer, wanted, reply, finding);
}

/* What arrives before a request can only be answers to earlier requests. */
static void clear_inbox(assay_peer *peer, assay_peer_reply *reply, assay_peer_finding *finding)
{
    hearing heard;

    do {
        heard = hear(peer, NULL, reply);
    } while (heard == HEARD_ANSWER && is_stale(peer, peer->n_asked + 1, reply, finding));
    if (heard == HEARD_NONSENSE)
        find_silence(peer, heard, NULL, finding);
}

static void add_count(const assay_peer *peer, assay_peer_finding *finding)
{
    const size_t length = strlen(finding->reason);

    (void)assay_text_set(finding->reason + length, sizeof finding->reason - length,
                         " (dropped %" PRId64 " answer%s to earlier requests)", peer->n_stale,
                         peer->n_stale == 1 ? "" : "s");
}

void assay_peer_ask(assay_peer *peer, const char *word, const char *lines, const char *wanted,
                    double limit_s, assay_peer_reply *reply, assay_peer_finding *finding)
{
    char head[64];

    clear_inbox(peer, reply, finding);
    if (finding->verdict == ASSAY_NOT_RUN) {
        (void)assay_text_set(head, sizeof head, "%s\nnumber %" PRId64 "\n", word, ++peer->n_asked);
        (void)(send_all(peer, head) && send_all(peer, lines) && send_all(peer, "end\n"));
        assay_peer_listen(peer, wanted, limit_s, reply, finding);
    }
    if (finding->verdict != ASSAY_NOT_RUN && peer->n_stale > 0)
        add_count(peer, finding);
}
