"""Tests docs/seeds.md and its tables: everything they name exists, and the totals are those of the rows.

  seeds_page_test.py ROOT BUILD ASSAY

A row is `| 000.12 | what the seed has | state | shown by, or why not |`. In its last column every text in backticks is looked
up: a path, `path::name`, a command of assay, `ctest -R NAME`, a program of the build, or a word of the sources. A row that is
done has at least one of these. First, rows with planted faults must be refused. Ends with 0 if everything is right.
"""
import os
import re
import subprocess
import sys

STATES = ["done", "partly", "not", "not ours"]
ROW = re.compile(r"^\| (\d{3})\.(\d{2,3}) \| (.+?) \| (.+?) \| (.+?) \|$")
TOTAL = re.compile(r"^\| (?:\[(\d{3})\]\(seeds/(\d{3})\.md\)|all) \|.*?((?: \d+ \|){5})$")
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")
SPAN = re.compile(r"`([^`]+)`")
SOURCES = ["cases", "cmake", "harness", "kernels", "python", "reference", "results/README.md"]


class Known:
    """Everything that exists: files, tests, programs, cases with their axes and variants, words."""

    def __init__(self, root, build, assay):
        self.root, self.assay, self.help = root, assay, {}
        self.text = {name: self.read(name) for name in self.files(root)}
        self.cmake = "\n".join(text for name, text in self.text.items() if name.endswith(("CMakeLists.txt", ".cmake")))
        self.words = set(re.findall(r"[\w.-]+", "\n".join(self.text.values())))
        self.tests = re.findall(r"Test +#\d+: (\S+)", self.said(["ctest", "--test-dir", build, "-N"]))
        self.cases = self.cases_of(self.said([assay, "list"]))

    def files(self, root):
        for top in SOURCES:
            path = os.path.join(root, top)
            if os.path.isfile(path):
                yield top
            for folder, _, names in os.walk(path):
                for name in names:
                    if name.endswith((".c", ".h", ".cc", ".cu", ".cuh", ".py", ".sh", ".sql", ".txt", ".cmake")):
                        yield os.path.relpath(os.path.join(folder, name), root)

    def read(self, name):
        with open(os.path.join(self.root, name), encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def said(command):
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout

    @staticmethod
    def cases_of(text):
        cases = {}
        for line in text.splitlines():
            word = line.split()
            if line.startswith("    axis "):
                case["axes"][word[1]] = {value.rstrip("*") for value in word[2:]}
            elif line.startswith("    variant "):
                case["variants"].add(word[1].rstrip(","))
            elif re.match(r"\w+: ", line):
                case = cases.setdefault(word[0][:-1], {"axes": {}, "variants": set()})
        return cases

    def options(self, verb):
        if verb not in self.help:
            self.help[verb] = set(re.findall(r"--[\w-]+", self.said([self.assay, verb, "--help"])))
        return self.help[verb]


# ---- one text in backticks: None, or what is wrong with it ----


def axis_fault(cases, text):
    name, _, values = text.partition("=")
    having = [case for case in cases if name in case["axes"]]
    if not having or not values:
        return "no axis '%s'" % name
    for value in values.split(","):
        is_number = re.fullmatch(r"[\dx]+", value)
        if not is_number and not any(value in case["axes"][name] for case in having):
            return "axis '%s' has no '%s'" % (name, value)
    return None


def point_fault(known, key):
    name, variant, *axes = key.split("/")
    if name not in known.cases or variant not in known.cases[name]["variants"]:
        return "no variant '%s/%s'" % (name, variant)
    return next(filter(None, (axis_fault([known.cases[name]], axis) for axis in axes)), None)


def assay_fault(known, words):
    verb, *rest = words
    names = [w for w in rest if not w.startswith("-") and w in known.cases]
    cases = [known.cases[name] for name in names] or list(known.cases.values())
    k = 0
    while k < len(rest):
        option, _, value = rest[k].partition("=")
        if option.startswith("--"):
            if option not in known.options(verb):
                return "assay %s has no %s" % (verb, option)
            if not value and k + 1 < len(rest) and not rest[k + 1].startswith("--") and rest[k + 1] not in known.cases:
                value, k = rest[k + 1], k + 1
            fault = None
            if option == "--axis":
                fault = axis_fault(cases, value)
            elif option == "--point":
                fault = point_fault(known, value)
            elif option == "--variant" and not any(value in case["variants"] for case in cases):
                fault = "no variant '%s' of %s" % (value, ", ".join(names))
            if fault:
                return fault
        elif option not in known.cases and option != "selftest":
            return "no case '%s'" % option
        k += 1
    return None


def ctest_fault(known, words):
    option, name = words
    if option == "-L":
        return None if name in known.words else "no label '%s'" % name
    is_there = any(re.search(name, test) for test in known.tests) or re.search(r"\b%s\b" % name, known.cmake)
    return None if option == "-R" and is_there else "no test '%s'" % name


def path_fault(known, text):
    path, _, name = text.partition("::")
    if not os.path.exists(os.path.join(known.root, path)):
        return "no file '%s'" % path
    return None if not name or re.search(r"\b%s\b" % re.escape(name), known.read(path)) else "no '%s' in %s" % (name, path)


def span_fault(known, text):
    words = text.split()
    if words[0] == "assay":
        return assay_fault(known, words[1:])
    if words[0] == "ctest":
        return ctest_fault(known, words[1:])
    if len(words) > 1:
        return None if re.search(r"\b%s\b" % words[0], known.cmake) else "no program '%s'" % words[0]
    if "/" in text or "::" in text or text.endswith(".md"):
        return path_fault(known, text)
    return None if text in known.words else "no '%s' in the sources" % text


# ---- rows, pages, totals ----


def row_faults(known, line):
    match = ROW.match(line)
    if not match:
        return ["is no row"]
    state, shown = match[4], match[5]
    spans = SPAN.findall(shown)
    faults = [] if state in STATES else ["the state '%s' is unknown" % state]
    if state == "done" and not any(re.search(r"[ /:]|\.md$", span) or span in known.cmake for span in spans):
        faults.append("nothing shows that it is done")
    return faults + list(filter(None, (span_fault(known, span) for span in spans)))


def read_page(known, seed, complain):
    """The states of the rows of a page; faults are reported by complain(line, text)."""
    states = []
    page = "docs/seeds/%s.md" % seed
    for number, line in enumerate(known.read(page).splitlines(), 1):
        for link in LINK.findall(line):
            if not os.path.exists(os.path.join(known.root, "docs/seeds", link)):
                complain(page, number, "no page '%s'" % link)
        if not re.match(r"\| \d", line):
            continue
        for fault in row_faults(known, line):
            complain(page, number, fault)
        match = ROW.match(line)
        if match:
            states.append(match[4])
            if (match[1], int(match[2])) != (seed, len(states)):
                complain(page, number, "is not %s.%02d" % (seed, len(states)))
    return states


def check_totals(known, complain):
    sums, n_pages = [0] * 5, 0
    for number, line in enumerate(known.read("docs/seeds.md").splitlines(), 1):
        match = TOTAL.match(line)
        if not match:
            continue
        said = [int(n) for n in re.findall(r"\d+", match[3])]
        if match[1]:
            states = read_page(known, match[1], complain)
            counted = [len(states)] + [states.count(state) for state in STATES]
            sums, n_pages = [a + b for a, b in zip(sums, counted)], n_pages + 1
        else:
            counted = sums
        if said != counted:
            complain("docs/seeds.md", number, "the rows are %s" % counted)
    if n_pages != len(os.listdir(os.path.join(known.root, "docs/seeds"))):
        complain("docs/seeds.md", 0, "pages of docs/seeds are missing in the table")
    return sums


WRONG = [
    "| 000.01 | a | finished | `README.md` |",
    "| 000.01 | a | done | because |",
    "| 000.01 | a | done | `docs/no_such_page.md` |",
    "| 000.01 | a | done | `README.md::no_such_name` |",
    "| 000.01 | a | done | `ctest -R test_no_such` |",
    "| 000.01 | a | done | `test_no_such 12` |",
    "| 000.01 | a | done | `assay check no_such_case` |",
    "| 000.01 | a | done | `assay check axpy --variant no_such` |",
    "| 000.01 | a | done | `assay check axpy --axis m=4` |",
    "| 000.01 | a | done | `assay check physics_loss --axis boundary=open` |",
    "| 000.01 | a | done | `assay check axpy --no-such-option` |",
    "| 000.01 | a | done | `assay trace --point axpy/no_such/n=4` |",
    "| 000.01 | a | not |",
]


def main(root, build, assay):
    known = Known(root, build, assay)
    faults = ["accepts the wrong row: %s" % line for line in WRONG if not row_faults(known, line)]
    sums = check_totals(known, lambda page, number, fault: faults.append("%s:%d: %s" % (page, number, fault)))
    print("\n".join(faults + ["%d points: %s" % (sums[0], ", ".join("%d %s" % (n, s) for n, s in zip(sums[1:], STATES)))]))
    return 1 if faults or sums[0] == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
