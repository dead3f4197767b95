/* What a stream writes to. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LEAST_WIDTH = 80
};

int assay_terminal_width(FILE *file)
{
    struct winsize size = { .ws_col = 0 };
    const int      fd   = fileno(file);

    if (fd < 0 || !isatty(fd))
        return 0;
    (void)ioctl(fd, TIOCGWINSZ, &size);
    return size.ws_col > LEAST_WIDTH ? size.ws_col : LEAST_WIDTH;
}

bool assay_terminal_has_colours(FILE *file)
{
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");

    return assay_terminal_width(file) > 0 && !(none && *none) &&
           !(kind && strcmp(kind, "dumb") == 0);
}
