"""Runs the commands of a page of docs/ as they are written, in an empty folder.

  page_test.py PAGE [NAME=VALUE...]      NAME=VALUE: environment of the page's commands; PATH=... comes first in PATH

These blocks of a page are used:

  ```cuda softmax.cu     a file: it is written, and replaces an older one
  ```console             bash runs the lines with `$ `. The output must contain the lines that follow, in this order, apart
                         from blanks; three dots stand for left-out output. A command must end with 0, or with N if
                         `# exit status N` follows it.
  ```console gpu         the same if there is a GPU; else the block is skipped, with a message

All other blocks are only for readers. Ends with 0 if everything was as written; prints the line of the page that was not.
"""
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w+)(?: (\S+))?$")
STATUS = re.compile(r"\s+# exit status (\d+)$")
TIME_LIMIT_S = 1200


class Failure(Exception):
    pass


def blocks(path):
    """(line, language, word, lines) of each fenced block."""
    begun = None
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            line = line.rstrip("\n")
            match = FENCE.match(line)
            if begun is None and match:
                begun = (number, match[1], match[2], [])
            elif begun is not None and line == "```":
                yield begun
                begun = None
            elif begun is not None:
                begun[3].append(line)
    if begun is not None:
        raise Failure(f"line {begun[0]}: this block does not end")


def commands(first, lines):
    """(line, command, expected lines) of a console block."""
    found = []
    for number, line in enumerate(lines, first + 1):
        if line.startswith("$ "):
            found.append((number, line[2:], []))
        elif line and not found:
            raise Failure(f"line {number}: output before any command")
        elif line:
            found[-1][2].append((number, line))
    return found


def squeezed(text):
    return " ".join(text.split())


def compare(expected, output):
    said = [squeezed(line) for line in output.splitlines()]
    at = 0
    for number, line in expected:
        wanted = squeezed(line)
        if wanted == "...":
            continue
        place = next((i for i in range(at, len(said)) if wanted in said[i]), None)
        if place is None:
            raise Failure(f"line {number}: '{wanted}' was not printed there, but:\n{output}")
        at = place + 1


def run(number, command, expected, folder, environment):
    status = STATUS.search(command)
    wanted = int(status[1]) if status else 0
    command = STATUS.sub("", command)
    print(f"line {number}: {command}", flush=True)
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=TIME_LIMIT_S, check=False)
    if done.returncode != wanted:
        raise Failure(f"line {number}: exit status {done.returncode}, not {wanted}:\n{done.stdout}")
    compare(expected, done.stdout)


def has_gpu(environment):
    done = subprocess.run(["assay", "doctor"], env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return re.search(r"^cuda +ok", done.stdout, re.M) is not None


def run_page(path, folder, environment):
    n_run = 0
    for first, language, word, lines in blocks(path):
        if language == "console":
            if word == "gpu" and not has_gpu(environment):
                print(f"line {first}: left out: no GPU here")
                continue
            for number, command, expected in commands(first, lines):
                run(number, command, expected, folder, environment)
                n_run += 1
        elif word:
            if os.path.isabs(word) or ".." in word.split("/"):
                raise Failure(f"line {first}: {word} lies outside the folder")
            with open(os.path.join(folder, word), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
    if n_run == 0:
        raise Failure("no command in this page")
    print(f"{n_run} commands of {path} as written")


def main():
    environment = dict(os.environ)
    for setting in sys.argv[2:]:
        name, _, value = setting.partition("=")
        environment[name] = f"{value}:{environment[name]}" if name == "PATH" else value
    with tempfile.TemporaryDirectory(prefix="assay-page-") as folder:
        try:
            run_page(sys.argv[1], folder, environment)
        except Failure as failure:
            sys.exit(f"{sys.argv[1]}: {failure}")


if __name__ == "__main__":
    main()
