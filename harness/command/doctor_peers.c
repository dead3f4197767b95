/* What doctor says of peers: are their scripts here, which python would run them, with which torch?
 */
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

static void print(FILE *out, const char *state, const char *text)
{
    (void)fprintf(out, "%-10s %-8s %s\n", "peers", state, text);
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

/* The scripts that are not here. */
static void print_missing(const scripts *all, FILE *out)
{
    char path[ASSAY_PEER_PATH_SIZE], why[ASSAY_REASON_SIZE];

    for (int i = 0; i < all->n; i++)
        if (!assay_peer_locate(all->name[i], path, sizeof path))
            print(out, "missing", assay_peer_explain(all->name[i], why, sizeof why));
}

/* Asked of what all scripts of PyTorch import; others say themselves what they lack. */
static void print_torch(FILE *out)
{
    static const char side[] = "assay_peer.py";
    assay_peer_about  about;
    char              path[ASSAY_PEER_PATH_SIZE], why[ASSAY_REASON_SIZE] = "";

    if (!assay_peer_locate(side, path, sizeof path))
        print(out, "note", assay_peer_explain(side, why, sizeof why));
    else if (assay_peer_describe(&about, why, sizeof why))
        (void)fprintf(out, "%-10s %-8s torch %s of %s, for --peers\n", "peers", "ok", about.torch,
                      about.interpreter);
    else
        (void)fprintf(
            out,
            "%-10s %-8s %s; peers that compute with PyTorch are skipped: set ASSAY_PYTHON "
            "to a python that has torch, or go without --peers\n",
            "peers", "missing", why);
}

void assay_doctor_peers(assay_case_table cases, FILE *out)
{
    scripts all = { .n = 0 };

    gather(cases, &all);
    if (all.n == 0) {
        print(out, "ok", "no case of this program has one");
        return;
    }
    print_missing(&all, out);
    print_torch(out);
}
