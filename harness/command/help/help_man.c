/* The manual page, in man(7). */
#include "help_internal.h"

#include "api/exit_status.h"
#include "machine/environment.h"

#include <string.h>

/* Writes text unchanged: characters that groff would interpret are escaped. Lines of `text` stay
 * lines. */
static void put(FILE *out, const char *text)
{
    for (bool begins = true; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            (void)fputs("\\&", out);
        begins = *text == '\n';
        if (*text == '\\')
            (void)fputs("\\e", out);
        else if (*text == '-')
            (void)fputs("\\-", out);
        else
            (void)fputc(*text, out);
    }
}

static void put_commands(FILE *out)
{
    (void)fputs(".SH COMMANDS\n", out);
    for (const assay_command *c = assay_commands; c->name; c++) {
        (void)fprintf(out, ".SS %s", c->name);
        if (c->arguments || c->takes_cases)
            (void)fprintf(out, " %s", c->arguments ? c->arguments : "[CASE...]");
        (void)fputc('\n', out);
        put(out, c->what);
        (void)fputs("\n.PP\n.EX\n", out);
        put(out, c->examples);
        (void)fputs("\n.EE\n", out);
    }
}

/* "check, bench, run" */
static void put_takers(FILE *out, unsigned commands)
{
    const char *before = "";

    for (const assay_command *c = assay_commands; c->name; c++) {
        if (!(c->bit & commands))
            continue;
        (void)fprintf(out, "%s%s", before, c->name);
        before = ", ";
    }
}

static void put_option(FILE *out, const assay_option *option)
{
    const struct argp_option *o = &option->argp;

    (void)fputs(".TP\n", out);
    if (option->letter)
        (void)fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    (void)fputs("\\fB\\-\\-", out);
    put(out, o->name);
    (void)fputs("\\fR", out);
    if (o->arg) {
        (void)fputs(o->flags & OPTION_ARG_OPTIONAL ? "[=\\fI" : "=\\fI", out);
        put(out, o->arg);
        (void)fputs(o->flags & OPTION_ARG_OPTIONAL ? "\\fR]" : "\\fR", out);
    }
    (void)fputc('\n', out);
    put(out, o->doc);
    (void)fputs(".\nOf: ", out);
    put_takers(out, option->commands);
    (void)fputs(".\n", out);
}

static void put_exit_statuses(FILE *out)
{
    static const struct {
        int         status;
        const char *words;
    } statuses[] = {
#define X(name, number, words) { (number), (words) },
        ASSAY_EXIT_MAP(X)
#undef X
    };

    (void)fputs(".SH EXIT STATUS\nThe worst comes first. If several apply, the first one counts.\n",
                out);
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        (void)fprintf(out, ".TP\n%d\n", statuses[i].status);
        put(out, statuses[i].words);
        (void)fputs(".\n", out);
    }
    (void)fputs(".TP\n130, 143\nended by Ctrl\\-C or SIGTERM: finished points are stored.\n", out);
}

void assay_help_man(FILE *out)
{
    char version[128];

    (void)fprintf(out, ".TH ASSAY 1 \"%.10s\" \"assay ", assay_environment_date());
    put(out, assay_environment_version(version, sizeof version));
    (void)fputs(
        "\" \"User Commands\"\n.SH NAME\nassay \\- compares GPU kernels with a CPU reference, and "
        "times only those that pass\n.SH SYNOPSIS\n.B assay\n.I COMMAND\n[\\fIOPTION\\fR...] "
        "[\\fICASE\\fR...]\n.SH DESCRIPTION\nEach variant of a kernel is checked on inputs that "
        "are meant to break it, and timed only if it passed.\nVerdicts and times are kept in a "
        "database (\\fIresults/assay.db\\fR).\n\\fBassay\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR "
        "shows the options of a command.\n",
        out);
    put_commands(out);
    (void)fputs(".SH OPTIONS\n", out);
    for (int o = 0; o < assay_n_options; o++)
        put_option(out, &assay_options[o]);
    put_exit_statuses(out);
    (void)fputs(".SH ENVIRONMENT\n"
                ".TP\n.B ASSAY_PYTHON\nthe python that runs peers.\n"
                ".TP\n.B NO_COLOR\nno colours on a terminal.\n",
                out);
}
