/* The completion script for zsh. */
#include "help_internal.h"

#include <string.h>

static const char head[] =
    "#compdef assay\n"
    "# Completion of zsh for assay. Made by `assay help --format zsh`.\n"
    "\n"
    "_assay_case() {\n"
    "    local -a names\n"
    "    names=(${(fu)\"$(_call_program names $service list 2>/dev/null |\n"
    "        sed -n 'h; s/^\\([^ :]*\\): .*/\\1/p; g; s/^[^ ].*; group \\([^ ]*\\)$/\\1/p')\"})\n"
    "    compadd -a names\n"
    "}\n"
    "_assay_variant() {\n"
    "    local -a names\n"
    "    names=(${(fu)\"$(_call_program names $service list 2>/dev/null | sed -n 's/^    variant "
    "\\([^ ]*\\).*/\\1/p')\"})\n"
    "    compadd -a names\n"
    "}\n"
    "_assay_axis() {\n"
    "    local -a names\n"
    "    names=(${(fu)\"$(_call_program names $service list 2>/dev/null | sed -n 's/^    axis "
    "\\([^ ]*\\).*/\\1/p')\"})\n"
    "    compadd -S = -a names\n"
    "}\n"
    "_assay_run() {\n"
    "    local -a names of=(${opt_args[--db]:+--db} ${opt_args[--db]})\n"
    "    names=(latest previous ${(f)\"$(_call_program names $service runs --format csv $of "
    "2>/dev/null "
    "|\n"
    "        sed -n 's/^\\([0-9][0-9]*\\),.*/\\1/p')\"}\n"
    "        ${(f)\"$(_call_program names $service baseline list $of 2>/dev/null |\n"
    "        sed -n '/^annotations$/q; s/^\\([^ :]*\\): run .*/baseline:\\1/p')\"})\n"
    "    compadd -a names\n"
    "}\n"
    "_assay_files() { _files }\n"
    "_assay_folders() { _files -/ }\n"
    "_assay_none() { _message 'a value' }\n"
    "\n"
    "_assay_command() {\n"
    "    local -a commands\n"
    "    commands=(\n";

static void put_action(FILE *out, const char *argument, const char *const *words)
{
    if (!words) {
        (void)fprintf(out, "_assay_%s", assay_help_kind(argument));
        return;
    }
    (void)fputc('(', out);
    for (const char *before = ""; *words; words++, before = " ")
        (void)fprintf(out, "%s%s", before, *words);
    (void)fputc(')', out);
}

static void put_option(FILE *out, const assay_option *option)
{
    const struct argp_option *o = &option->argp;
    char                      what[128];

    (void)assay_help_clause(o->doc, what, sizeof what);
    if (option->letter)
        (void)fprintf(out, "            '-%c[%s]' \\\n", option->letter, what);
    (void)fprintf(out, "            '%s--%s%s[%s]", option->count ? "*" : "", o->name,
                  !o->arg                          ? ""
                  : o->flags & OPTION_ARG_OPTIONAL ? "=-"
                                                   : "=",
                  what);
    if (o->arg) {
        (void)fprintf(out, "%svalue:", o->flags & OPTION_ARG_OPTIONAL ? "::" : ":");
        put_action(out, o->arg, option->words);
    }
    (void)fputs("' \\\n", out);
}

static void put_command(FILE *out, const assay_command *command)
{
    const char *arguments = command->arguments;

    (void)fprintf(out, "    %s)\n        _arguments \\\n            '--help[Show help]'",
                  command->name);
    (void)fputs(" \\\n", out);
    for (int o = 0; o < assay_n_options; o++)
        if (assay_options[o].commands & command->bit)
            put_option(out, &assay_options[o]);
    (void)fputs("            '*:argument:", out);
    if (arguments && strchr(arguments, '|')) {
        (void)fputc('(', out);
        for (; *arguments; arguments++)
            (void)fputc(*arguments == '|' ? ' ' : *arguments, out);
        (void)fputc(')', out);
    } else {
        put_action(out, arguments ? arguments : command->takes_cases ? "CASE" : "", NULL);
    }
    (void)fputs("'\n        ;;\n", out);
}

void assay_help_zsh(FILE *out)
{
    char what[128];

    (void)fputs(head, out);
    for (const assay_command *c = assay_commands; c->name; c++)
        (void)fprintf(out, "        '%s:%s'\n", c->name,
                      assay_help_clause(c->what, what, sizeof what));
    (void)fputs("    )\n"
                "    _describe command commands\n"
                "}\n"
                "\n"
                "if (( CURRENT == 2 )); then\n"
                "    _assay_command\n"
                "    return\n"
                "fi\n"
                "local command=$words[2]\n"
                "shift words\n"
                "(( CURRENT-- ))\n"
                "case $command in\n",
                out);
    for (const assay_command *c = assay_commands; c->name; c++)
        put_command(out, c);
    (void)fputs("esac\n", out);
}
