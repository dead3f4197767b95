/* Findings of doctor on peers: are their scripts here, and which frameworks has each python that
 * would run them? */
#include "doctor_peers.h"

#include "peer/peer.h"

#include <string.h>

enum {
    MOST_SCRIPTS = 64
};

typedef struct scripts {
    const char *name[MOST_SCRIPTS]; /* each once */
    int         n;
} scripts;

static void put(assay_findings *findings, const char *state, const char *text)
{
    assay_finding_put(findings, "peers", state, "%s", text);
}

static void add(scripts *all, const char *name)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->name[i], name) == 0)
            return;
    if (all->n < MOST_SCRIPTS)
        all->name[all->n++] = name;
}

static void gather(assay_case_table cases, scripts *all)
{
    for (; *cases; cases++)
        for (int i = 0; i < assay_case_variant_count(*cases); i++)
            if (assay_variant_is_peer(&(*cases)->variants[i]))
                add(all, (*cases)->variants[i].peer.script);
}

/* Adds the scripts that are missing. */
static void put_missing(const scripts *all, assay_findings *findings)
{
    char path[ASSAY_PEER_PATH_SIZE], why[ASSAY_REASON_SIZE];

    for (int i = 0; i < all->n; i++)
        if (!assay_peer_locate(all->name[i], path, sizeof path))
            put(findings, "missing", assay_peer_explain(all->name[i], why, sizeof why));
}

/* What an interpreter can be used for: peers need PyTorch; functions can use any framework. */
static const char *purpose(const assay_peer_about *about, bool has_peers)
{
    return has_peers && strstr(about->frameworks, "torch ") ? "--peers and --script" : "--script";
}

static void put_empty(const assay_peer_about *about, const char *why, bool has_peers,
                      assay_findings *findings)
{
    if (has_peers)
        assay_finding_put(findings, "peers", "missing",
                          "%s: %s; its peers are skipped: set ASSAY_PYTHON to a python that "
                          "has what they compute with, or go without --peers",
                          about->interpreter, why);
    else
        assay_finding_put(findings, "peers", "note",
                          "%s: %s; for --script set ASSAY_PYTHON to a python that has one",
                          about->interpreter, why);
}

/* Adds each python that would be tried, in that order. */
static void put_frameworks(bool has_peers, assay_findings *findings)
{
    assay_peer_about about;
    char             path[ASSAY_PEER_PATH_SIZE], why[ASSAY_REASON_SIZE] = "";

    if (!assay_peer_locate(ASSAY_PEER_VARIANTS, path, sizeof path))
        put(findings, "note", assay_peer_explain(ASSAY_PEER_VARIANTS, why, sizeof why));
    for (int i = 0; assay_peer_describe(i, &about, why, sizeof why); i++) {
        if (about.frameworks[0])
            assay_finding_put(findings, "peers", "ok", "%s of %s, for %s", about.frameworks,
                              about.interpreter, purpose(&about, has_peers));
        else
            put_empty(&about, why, has_peers, findings);
    }
}

void assay_doctor_peers(assay_case_table cases, assay_findings *findings)
{
    scripts all = { .n = 0 };

    gather(cases, &all);
    if (all.n == 0)
        put(findings, "ok", "no case of this program has one");
    put_missing(&all, findings);
    put_frameworks(all.n > 0, findings);
}
