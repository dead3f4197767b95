#!/usr/bin/env bash
# assay help: for one command, as a manual page, and as completion scripts, which are run.
#   test_cli_help.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"

echo "# commands"
ends 0 "  check    Compare variants with the reference." "$assay" help
"$assay" --help >usage
holds "the same as --help" cmp usage said
ends 0 "Usage: assay check" "$assay" help check
ends 4 "there is no command 'chek' (did you mean 'check'?)" "$assay" help chek
ends 4 "help takes one command" "$assay" help check bench
ends 4 "help takes one command" "$assay" help check --format man
ends 4 "--format does not know 'fish'" "$assay" help --format fish
commands=$("$assay" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
holds "help is one of the commands" grep -qx help <<<"$commands"

echo "# each command's help fits on a terminal"
for command in $commands; do
    holds "$command" is "$("$assay" "$command" --help | awk 'length > 80')" ""
done

# COMMAND: the options that its help shows, except those of every program.
options_of() { "$assay" "$1" --help | sed -nE 's/^ {2,6}(-., )?(--[a-z-]+).*/\2/p' | grep -vxE -- '--(help|usage)'; }

echo "# the manual page"
ends 0 "" "$assay" help --format man --output assay.1
holds "mandoc finds nothing to say" is "$(mandoc -Tlint -Wwarning assay.1 2>&1)" ""
mandoc -Tascii assay.1 | col -b >page
for command in $commands; do
    holds "has $command" grep -qE "^   $command\b" page
    # every option that the command's help shows
    for option in $(options_of "$command"); do
        holds "    and its $option" grep -qE "^ +(-[a-z], )?$option(=|\[| |$)" page
    done
done
for status in 0 1 2 3 4 77; do
    holds "has exit status $status" grep -qE "^ +$status +[a-z]" page
done
holds "and those of signals" grep -q "130, 143" page

echo "# completion of bash: the function, called as bash calls it"
ends 0 "" "$assay" help --format bash --output assay.bash
holds "is bash" bash -n assay.bash
touch results.db 'a file.db'
mkdir sources
completes() { # words of the line, the last one unfinished; prints the offered words in one line
    bash --norc -c '
        . ./assay.bash
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _assay "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$assay" "$@" | paste -sd ' '
}
holds "is registered" is "$(bash --norc -c '. ./assay.bash; complete -p assay')" "complete -F _assay assay"
holds "all commands" is "$(completes '')" "$(tr '\n' ' ' <<<"$commands")--help --version"
holds "a command" is "$(completes ch)" check
holds "options" is "$(completes check --wa)" "--watch"
holds "    of that command alone" is "$(completes report --wa)" ""
holds "    all that its help has" is "$(completes bench -- | tr ' ' '\n' | sort | paste -sd ' ')" \
    "$({ options_of bench; echo --help; } | sort | paste -sd ' ')"
holds "cases" is "$(completes check axp)" axpy
holds "    and groups" grep -qw selftest <<<"$(completes check self)"
holds "    all of them" is "$(completes list '' | wc -w)" \
    "$({ "$assay" list | sed -n 's/^\([^ :]*\): .*/\1/p'; "$assay" list | sed -n 's/^[^ ].*; group //p'; } | sort -u | wc -l)"
holds "    none where none are taken" is "$(completes report axp)" ""
holds "files of --db" is "$(completes check --db res)" results.db
holds "    behind = as well" is "$(completes check --db = res)" results.db
holds "    right after it" is "$(completes check --db =)" "$(compgen -f | paste -sd ' ')"
holds "    with blanks in them" is "$(completes check --db a)" "$(compgen -f a | paste -sd ' ')"
holds "folders" is "$(completes survey so)" sources
holds "words" is "$(completes check --device '')" "cuda host auto"
holds "    of each command its own" is "$(completes plan --format '') | $(completes runs --format '') | $(completes help --format m)" \
    "text json | text csv json | man"
holds "variants" grep -qw vec4 <<<"$(completes check axpy --variant ve)"
holds "cases of --case" is "$(completes compare a b --case axp)" axpy
holds "axes" is "$(completes check --axis vj)" vjp=
holds "    and not their values" is "$(completes check --axis vjp = r)" ""
holds "what baseline does" is "$(completes baseline an)" annotate
holds "commands of help" is "$(completes help ga)" gate
holds "nothing for a number" is "$(completes check --seed '')" ""
for _ in 1 2; do
    ends 0 "" "$assay" bench physics_loss --axis grid=8x9x10 --axis boundary=periodic --axis time=first_order --axis vjp=residual \
        --axis pass=both --variant cpu_omp --device host --time 0.01s --processes 2 --quiet --db runs.db
done
ends 0 "" "$assay" baseline accept --name main --why "of the test" --db runs.db
ends 0 "" "$assay" baseline accept --name other --run 1 --why "of the test" --db runs.db
ends 0 "" "$assay" baseline annotate --run 1 --text "evil: run 3, of" --db runs.db
runs="1 2 baseline:main baseline:other latest previous"
holds "runs without a database: what is always there" is "$(completes report --run '')" "latest previous"
holds "    of the database that the line names" is "$(completes report --db runs.db --run '')" "$runs"
holds "    behind = as well" is "$(completes resume --db = runs.db --run = 2)" 2
holds "    a baseline, whose name is a word of its own" is "$(completes report --db runs.db --run baseline : m)" main
holds "    or not yet begun" is "$(completes baseline accept --db runs.db --run baseline :)" "main other"
mkdir results
cp runs.db results/assay.db
holds "    of the default database" is "$(completes report --run '')" "$runs"
holds "nothing of a command that is none" is "$(completes chek --d)" ""

echo "# completion of zsh: the arguments of its functions"
ends 0 "" "$assay" help --format zsh --output _assay
if command -v zsh >/dev/null; then
    holds "is zsh" zsh -n _assay
    asks() { # words of the line; prints the arguments of _arguments
        zsh -f -c '_arguments() { print -rl -- "$@" }; service=$1; shift; words=("$@"); CURRENT=$#words; . ./_assay' zsh "$assay" "$@"
    }
    holds "options of a command" is "$(asks assay list '' | grep -- --format)" "--format=[What to write]:value:(text json)"
    holds "its arguments" is "$(asks assay check '' | tail -n 1)" "*:argument:_assay_case"
    holds "those that may be said again" is "$(asks assay check '' | grep -- --axis)" "*--axis=[Only these values of an axis]:value:_assay_axis"
    holds "cases" is "$(zsh -f -c '_call_program() { shift; eval "$@" }; compadd() { print -rl -- ${(P)2} }; _arguments() { _assay_case }
        service=$1; words=(assay list ""); CURRENT=3; . ./_assay' zsh "$assay" | grep -cxE 'axpy|selftest')" 2
    holds "runs" is "$(zsh -f -c '_call_program() { shift; eval "$@" }; compadd() { print -rl -- ${(P)2} }
        _arguments() { typeset -A opt_args=(--db runs.db); _assay_run }
        service=$1; words=(assay report ""); CURRENT=3; . ./_assay' zsh "$assay" | sort | paste -sd ' ')" "$runs"
    rm -r results
    holds "    none of a database that is not there" is "$(zsh -f -c '_call_program() { shift; eval "$@" }; compadd() { print -rl -- ${(P)2} }
        _arguments() { typeset -A opt_args; _assay_run }
        service=$1; words=(assay report ""); CURRENT=3; . ./_assay' zsh "$assay" | sort | paste -sd ' ')" "latest previous"
else
    echo "skipped: no zsh"
fi

finish
