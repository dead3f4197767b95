/* Requests to a peer, and what it answers: lines, closed by the line "end". */
#include "peer_internal.h"

#include "clock.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char CLOSING[] = "end\n";

/* ---- text ---- */

/* Printable, so that it may stand in a report whatever a peer has to say. */
static bool is_decent(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\n' && iscntrl((unsigned char)text[i]))
            return false;
    return true;
}

bool assay_peer_parse(assay_peer_reply *reply, size_t length)
{
    char *line    = reply->text, *next;
    bool  is_over = false;

    reply->n = 0;
    if (!is_decent(reply->text, length))
        return false;
    for (; line < reply->text + length; line = next + 1) {
        next = memchr(line, '\n', (size_t)(reply->text + length - line));
        if (!next || reply->n == ASSAY_PEER_REPLY_LINES || is_over)
            return false;
        *next                   = '\0';
        is_over                 = strcmp(line, "end") == 0;
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

/* ---- sending and receiving ---- */

/* False: the peer is gone; whoever listens will find out. */
static bool send_all(const assay_peer *peer, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t n = send(peer->fd, text, left, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        text += n;
        left -= (size_t)n;
    }
    return true;
}

/* What a peer says unasked would be taken for the answer to the next request. */
static bool has_words_left(const assay_peer *peer)
{
    char byte;

    return recv(peer->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static bool is_closed(const char *text, size_t length)
{
    const size_t n = sizeof CLOSING - 1;

    return length >= n && memcmp(text + length - n, CLOSING, n) == 0 &&
           (length == n || text[length - n - 1] == '\n');
}

typedef enum hearing {
    HEARD_ANSWER,
    HEARD_END,
    HEARD_NOTHING,
    HEARD_TOO_MUCH
} hearing;

static bool wait_readable(int fd, double left_s)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    int           n;

    do {
        n = poll(&p, 1, (int)(left_s * 1e3) + 1);
    } while (n < 0 && errno == EINTR);
    return n > 0;
}

static hearing hear(const assay_peer *peer, double limit_s, char *text, size_t size, size_t *length)
{
    const double end_s = assay_clock_s() + limit_s;

    for (*length = 0; !is_closed(text, *length);) {
        const double left_s = end_s - assay_clock_s();
        ssize_t      n;

        if (*length == size)
            return HEARD_TOO_MUCH;
        if (left_s <= 0 || !wait_readable(peer->fd, left_s))
            return HEARD_NOTHING;
        n = recv(peer->fd, text + *length, size - *length, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return HEARD_END;
        *length += (size_t)n;
    }
    return HEARD_ANSWER;
}

/* ---- what an answer means ---- */

/* What a peer may say instead of what it was asked for. */
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

void assay_peer_listen(assay_peer *peer, const char *wanted, double limit_s,
                       assay_peer_reply *reply, assay_peer_finding *finding)
{
    size_t        length = 0;
    const hearing heard  = hear(peer, limit_s, reply->text, sizeof reply->text, &length);

    if (heard == HEARD_NOTHING)
        assay_peer_bury(peer, finding, ASSAY_TIMED_OUT, "no answer from the peer within %g s",
                        limit_s);
    else if (heard == HEARD_END)
        assay_peer_bury_dead(peer, finding);
    else if (heard == HEARD_TOO_MUCH || !assay_peer_parse(reply, length))
        assay_peer_bury(peer, finding, ASSAY_CRASHED,
                        "the peer spoke nonsense: no answer in lines");
    else
        judge_answer(peer, wanted, reply, finding);
}

void assay_peer_ask(assay_peer *peer, const char *request, const char *wanted, double limit_s,
                    assay_peer_reply *reply, assay_peer_finding *finding)
{
    if (has_words_left(peer)) {
        assay_peer_bury(peer, finding, ASSAY_CRASHED, "the peer spoke nonsense: words unasked for");
        return;
    }
    (void)send_all(peer, request);
    assay_peer_listen(peer, wanted, limit_s, reply, finding);
}
