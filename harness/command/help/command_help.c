/* assay help: the tables of commands and options as text, as a manual page, and for shells. */
#include "help_internal.h"

#include "base/output.h"
#include "base/text.h"

#include <string.h>

const char *assay_help_kind(const char *argument)
{
    static const struct {
        const char *name, *kind;
    } kinds[] = {
        { "FILE", "files" },        { "FILE...", "files" },   { "A B", "files" },
        { "OUT IN...", "files" },   { "DIR", "folders" },     { "DIR...", "folders" },
        { "CASE", "case" },         { "VARIANT", "variant" }, { "AXIS=V[,V...]", "axis" },
        { "[COMMAND]", "command" }, { "RUN", "run" },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(argument, kinds[i].name) == 0)
            return kinds[i].kind;
    return "none";
}

const char *assay_help_clause(const char *text, char *to, size_t size)
{
    size_t n = strcspn(text, ":;(['\"`$\\");

    while (n > 0 && strchr(" ,.", text[n - 1]))
        n--;
    return assay_text_set(to, size, "%.*s", (int)n, text);
}

static void write_text(FILE *out) { assay_cli_usage(out); }

static const struct {
    const char *name;
    void (*write)(FILE *out);
} forms[] = {
    { "text", write_text },
    { "man", assay_help_man },
    { "bash", assay_help_bash },
    { "zsh", assay_help_zsh },
};

static assay_status write_form(const assay_cli *cli)
{
    assay_output output = { .file = NULL };
    assay_status st     = ASSAY_OK;

    ASSAY_CHECK(assay_output_open(&output));
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(cli->format, forms[i].name) == 0)
            forms[i].write(output.file);
    ASSAY_CHECK(assay_output_write(&output, cli->output, NULL, 0));
out:
    assay_output_free(&output);
    return st;
}

/* Shows the page that the command itself prints for --help; this ends the process. */
static assay_status show_command(const assay_cli *cli)
{
    char         help[] = "--help", *argv[] = { cli->argv[0], NULL, help, NULL };
    assay_cli    asked;
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(cli->selection.n_cases == 1 && strcmp(cli->format, "text") == 0 && !cli->output,
                  ASSAY_E_USAGE,
                  "help takes one command: assay help check; a manual page and what shells read "
                  "are of all commands");
    argv[1] = (char *)(uintptr_t)cli->selection.cases[0];
    return assay_cli_parse(3, argv, cli->cases, &asked);
out:
    return st;
}

int assay_command_help(const assay_cli *cli)
{
    const assay_status st = cli->selection.n_cases > 0 ? show_command(cli) : write_form(cli);

    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
