#include "interrupted.h"

#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
    N_SIGNALS = 2
};
static const int signals[N_SIGNALS] = { SIGINT, SIGTERM };

/* Read by the handler; written only while no handler is installed. */
static struct {
    char             text[1000];
    size_t           length;
    bool             is_on[N_SIGNALS];
    struct sigaction before[N_SIGNALS];
} told;

/* SA_RESETHAND has restored the default: the raised signal ends the process when this handler
 * returns. */
static void tell(int number)
{
    const ssize_t written = write(STDERR_FILENO, told.text, told.length);

    (void)written;
    (void)raise(number);
}

assay_status assay_interrupted_begin(const char *text)
{
    const struct sigaction own = { .sa_handler = tell, .sa_flags = (int)SA_RESETHAND };
    assay_status           st  = ASSAY_OK;

    (void)assay_text_set(told.text, sizeof told.text, "%s", text);
    told.length = strlen(told.text);
    for (int i = 0; i < N_SIGNALS; i++) {
        ASSAY_REQUIRE(sigaction(signals[i], NULL, &told.before[i]) == 0, ASSAY_E_INTERNAL,
                      "cannot ask what signal %d does: %s", signals[i], strerror(errno));
        told.is_on[i] = told.before[i].sa_handler == SIG_DFL;
        ASSAY_REQUIRE(!told.is_on[i] || sigaction(signals[i], &own, NULL) == 0, ASSAY_E_INTERNAL,
                      "cannot watch for signal %d: %s", signals[i], strerror(errno));
    }
out:
    return st;
}

void assay_interrupted_end(void)
{
    for (int i = 0; i < N_SIGNALS; i++) {
        if (told.is_on[i])
            (void)sigaction(signals[i], &told.before[i], NULL);
        told.is_on[i] = false;
    }
}
