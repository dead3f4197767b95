/* What doctor says of peers: which python would compute them, with which torch. */
#include "doctor_peers.h"

#include "peer/peer.h"

void assay_doctor_peers(FILE *out)
{
    assay_peer_about about;
    char             why[ASSAY_REASON_SIZE] = "";

    if (assay_peer_describe(&about, why, sizeof why))
        (void)fprintf(out, "%-10s %-8s torch %s of %s, for --peers\n", "peers", "ok", about.torch,
                      about.interpreter);
    else
        (void)fprintf(out,
                      "%-10s %-8s %s; set ASSAY_PYTHON to a python that has torch, or go without "
                      "--peers\n",
                      "peers", "missing", why);
}
