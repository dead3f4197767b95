/* The completion script for bash. */
#include "help_internal.h"

#include <string.h>

static const char head[] =
    "# Completion of bash for assay. Made by `assay help --format bash`.\n"
    "\n"
    "# PROGRAM KIND [OPTION...]: names of cases and groups, variants, axes, runs or baselines, as "
    "the "
    "program lists them.\n"
    "_assay_names()\n"
    "{\n"
    "    case $2 in\n"
    "    case) \"$1\" list 2>/dev/null | sed -n 'h; s/^\\([^ :]*\\): .*/\\1/p; g; s/^[^ ].*; group "
    "\\([^ "
    "]*\\)$/\\1/p' ;;\n"
    "    variant) \"$1\" list 2>/dev/null | sed -n 's/^    variant \\([^ ,]*\\).*/\\1/p' ;;\n"
    "    axis) \"$1\" list 2>/dev/null | sed -n 's/^    axis \\([^ ]*\\).*/\\1=/p' ;;\n"
    "    run)\n"
    "        printf '%s\\n' latest previous\n"
    "        \"$1\" runs --format csv \"${@:3}\" 2>/dev/null | sed -n "
    "'s/^\\([0-9][0-9]*\\),.*/\\1/p'\n"
    "        _assay_names \"$1\" baseline \"${@:3}\" | sed 's/^/baseline:/'\n"
    "        ;;\n"
    "    baseline) \"$1\" baseline list \"${@:3}\" 2>/dev/null | sed -n '/^annotations$/q; "
    "s/^\\([^ "
    ":]*\\): run .*/\\1/p' ;;\n"
    "    esac | sort -u\n"
    "}\n"
    "\n"
    "# The option --db of the line, if it has one, with its file.\n"
    "_assay_database()\n"
    "{\n"
    "    local i\n"
    "    for ((i = 2; i < COMP_CWORD - 1; i++)); do\n"
    "        [ \"${COMP_WORDS[i]}\" = --db ] || continue\n"
    "        [ \"${COMP_WORDS[i + 1]}\" != = ] || i=$((i + 1))\n"
    "        printf '%s\\n' --db \"${COMP_WORDS[i + 1]}\"\n"
    "        return 0\n"
    "    done\n"
    "}\n"
    "\n"
    "# PROGRAM WORD KIND [VALUE...]: what of a kind begins with the word.\n"
    "_assay_offer()\n"
    "{\n"
    "    local program=$1 word=$2 kind=$3 database\n"
    "    shift 3\n"
    "    case $kind in\n"
    "    files) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") && compopt -o filenames "
    "2>/dev/null ;;\n"
    "    folders) mapfile -t COMPREPLY < <(compgen -d -- \"$word\") && compopt -o filenames "
    "2>/dev/null ;;\n"
    "    words) mapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$word\") ;;\n"
    "    case | variant) mapfile -t COMPREPLY < <(compgen -W \"$(_assay_names \"$program\" "
    "\"$kind\")\" -- \"$word\") ;;\n"
    "    axis)\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$(_assay_names \"$program\" axis)\" -- "
    "\"$word\")\n"
    "        compopt -o nospace 2>/dev/null\n"
    "        ;;\n"
    "    run | baseline)\n"
    "        mapfile -t database < <(_assay_database)\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$(_assay_names \"$program\" \"$kind\" "
    "\"${database[@]}\")\" -- \"$word\")\n"
    "        ;;\n"
    "    esac\n"
    "    return 0\n"
    "}\n"
    "\n"
    "_assay()\n"
    "{\n"
    "    local program=$1 word=$2 before=$3 command=${COMP_WORDS[1]} options arguments\n"
    "    COMPREPLY=()\n"
    "    # baseline:NAME is three words where : is among COMP_WORDBREAKS, as --db=FILE is where = "
    "is.\n"
    "    if [ \"$before$word\" = baseline: ]; then\n"
    "        _assay_offer \"$program\" '' baseline\n"
    "        return 0\n"
    "    fi\n"
    "    if [ \"$COMP_CWORD\" -gt 2 ] && [ \"${COMP_WORDS[COMP_CWORD - 2]}$before\" = baseline: ]; "
    "then\n"
    "        _assay_offer \"$program\" \"$word\" baseline\n"
    "        return 0\n"
    "    fi\n"
    "    [ \"$word\" != = ] || word=\n"
    "    if [ \"$before\" = = ]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "        [ \"${before#-}\" != \"$before\" ] || return 0 # a value of an axis\n"
    "    fi\n";

static void put_names(FILE *out)
{
    for (const assay_command *c = assay_commands; c->name; c++)
        (void)fprintf(out, " %s", c->name);
}

/* "check:--tier | bench:--tier" */
static void put_pattern(FILE *out, const assay_option *option)
{
    const char *before = "    ";

    for (const assay_command *c = assay_commands; c->name; c++) {
        if (!(c->bit & option->commands))
            continue;
        (void)fprintf(out, "%s%s:--%s", before, c->name, option->argp.name);
        before = " | ";
    }
}

static void put_words(FILE *out, const char *const *words)
{
    for (; *words; words++)
        (void)fprintf(out, " %s", *words);
}

/* Writes the values of options that need an argument. An optional argument can be given only with
 * =, so it has no value here. */
static void put_values(FILE *out)
{
    (void)fputs("    case $command:$before in\n", out);
    for (int o = 0; o < assay_n_options; o++) {
        const assay_option *option = &assay_options[o];

        if (!option->argp.arg || option->argp.flags & OPTION_ARG_OPTIONAL)
            continue;
        put_pattern(out, option);
        (void)fputs(")\n        _assay_offer \"$program\" \"$word\" ", out);
        if (option->words) {
            (void)fputs("words", out);
            put_words(out, option->words);
        } else {
            (void)fputs(assay_help_kind(option->argp.arg), out);
        }
        (void)fputs("\n        return 0\n        ;;\n", out);
    }
    (void)fputs("    esac\n", out);
}

/* Arguments such as "accept|annotate|list" are words to complete. */
static void put_arguments(FILE *out, const assay_command *command)
{
    const char *arguments = command->arguments;

    if (!arguments) {
        (void)fputs(command->takes_cases ? "case" : "none", out);
    } else if (strchr(arguments, '|')) {
        (void)fputs("words ", out);
        for (; *arguments; arguments++)
            (void)fputc(*arguments == '|' ? ' ' : *arguments, out);
    } else if (strcmp(assay_help_kind(arguments), "command") == 0) {
        (void)fputs("words", out);
        put_names(out);
    } else {
        (void)fputs(assay_help_kind(arguments), out);
    }
}

static void put_command(FILE *out, const assay_command *command)
{
    (void)fprintf(out, "    %s)\n        options='--help", command->name);
    for (int o = 0; o < assay_n_options; o++)
        if (assay_options[o].commands & command->bit)
            (void)fprintf(out, " --%s", assay_options[o].argp.name);
    (void)fputs("'\n        arguments='", out);
    put_arguments(out, command);
    (void)fputs("'\n        ;;\n", out);
}

void assay_help_bash(FILE *out)
{
    (void)fputs(head, out);
    (void)fputs(
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        _assay_offer \"$program\" \"$word\" words",
        out);
    put_names(out);
    (void)fputs(" --help --version\n        return 0\n    fi\n", out);
    put_values(out);
    (void)fputs("    case $command in\n", out);
    for (const assay_command *c = assay_commands; c->name; c++)
        put_command(out, c);
    (void)fputs("    esac\n"
                "    [ \"${word#-}\" = \"$word\" ] || arguments=\"words $options\"\n"
                "    # shellcheck disable=SC2086 # words on purpose\n"
                "    _assay_offer \"$program\" \"$word\" $arguments\n"
                "}\n"
                "\n"
                "complete -F _assay assay\n",
                out);
}
