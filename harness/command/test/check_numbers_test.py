"""Tests ci/check_numbers on small trees: numbers that agree pass, and each planted difference fails with its line.

    check_numbers_test.py CHECK_NUMBERS
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile

RATES = "grid,kernel,rate\r\n64x64x64,plain,2.512\r\n64x64x64,tiled,9.573\r\n128x128x128,tiled,17.59\r\n"
EXPORTED = "config,variant,median_ns\r\nn=4096;odd=a\\;b,naive,1500\r\n"
REPORT = "  variant     time\n    naive   hot *    1.092 ms   0.05 %\n"
VIEW = "<!-- view rate = card/rates.csv: SELECT *, CAST(grid AS INT) AS side FROM card_rates -->\n"
TABLE = VIEW + ("<!-- table rate: SELECT side, only(rate, kernel = 'plain'), only(rate,\n"
                "kernel = 'tiled') FROM rate GROUP BY side -->\n| side | plain | tiled |\n|---|---|---|\n%s\n")
SENTENCE = "It is %s times as fast.\n<!-- 3.8 = card/rates.csv: SELECT 9.573 / 2.512 -->\n"
STUDY = "```sh study\nassay bench axpy\n```\n"

# page, words of the failure; None: no failure
PAGES = [
    (TABLE % "| 64 | 2.51 | 9.6 |\n| 128 | - | 17.6 |", None),
    (TABLE % "| 64 | 2.52 | 9.6 |", "docs/page.md:6: '64': says '2.52', its source 2.512"),
    (TABLE % "| 64 | 2.51 | - |", "says '-', its source 9.573"),
    (TABLE % "| 128 | 17.6 | 17.6 |", "'128': says '17.6', its source nothing"),
    (TABLE % "| 96 | 2.51 | 9.6 |", "the source has 0 rows '96'"),
    (TABLE % "| 64 | 2.51 |", "1 cells, the source has 2"),
    (TABLE.replace("table rate", "table by 2 rate") % "| 64 | 2.512 | 9.6 |", None),
    (TABLE.replace(" GROUP BY side", "") % "| 64 | 2.51 | 9.6 |", "docs/page.md:2: only() has several values: 9.573, 17.59"),
    (SENTENCE % "3.8", None),
    (SENTENCE % "3.9", "docs/page.md:2: there is no 3.8, in this order, in the paragraph"),
    (SENTENCE % "\u22123.8", "there is no 3.8"),
    (SENTENCE % "-3.8", "there is no 3.8"),
    (SENTENCE % "3800", "there is no 3.8"),
    (SENTENCE.replace("2.512", "2512") % "3.8", "its source 0.00381091"),
    ("2 of 3, and 4.\n<!-- 2, 3 = card/rates.csv: SELECT 2, 3 -->\n<!-- 4 = card/rates.csv: SELECT 4 -->\n", None),
    ("2 of 3, and 4.\n<!-- 3, 2 = card/rates.csv: SELECT 3, 2 -->\n", "there is no 2, in this order"),
    ("2 against 1, then 1.\n<!-- 2, 1, 1 = card/rates.csv: SELECT 2, 1, 1 -->\n", None),
    ("2 against 1, then 3.\n<!-- 2, 1, 1 = card/rates.csv: SELECT 2, 1, 1 -->\n", "there is no 1"),
    ("- It is 3.9.\n  <!-- 3.8 = card/rates.csv: SELECT 3.8 -->\n- Else 3.8.\n", "docs/page.md:2: there is no 3.8"),
    ("- It is 3.8.\n- Else 3.9.\n  <!-- 3.8 = card/rates.csv: SELECT 3.8 -->\n", "docs/page.md:3: there is no 3.8"),
    ("It is 3.9.\n<!-- 3.8 = card/rates.csv: SELECT 3.8 -->\nElse 3.8.\n", "there is no 3.8"),
    (SENTENCE.replace(" -->", "") % "3.8", "docs/page.md:2: a comment that does not end"),
    (SENTENCE % "13.8", "there is no 3.8, in this order, in the paragraph"),
    (SENTENCE.replace("2.512", "2.4") % "3.8", "docs/page.md:2: says 3.8, its source 3.98875"),
    ("Not here.\n\nIt is 3.8.\n\n<!-- 3.8 = card/rates.csv: SELECT 3.8 -->\n", None),
    ("Two: 1 and 2.\n<!-- 1, 2 = card/rates.csv: SELECT 1 -->\n", "2 numbers, but the source has 1 rows of 1"),
    ("It is 2.\n<!-- 2 = card/rates.csv: SELECT rate FROM card_rates WHERE grid = 'none' -->\n", "no such row"),
    ("It is 2.\n<!-- 2 = card/rates.csv: SELECT NULL -->\n", "says 2, its source nothing"),
    ("It is 2.\n<!-- 2 = card/none.csv: SELECT 2 -->\n", "cannot read card/none.csv"),
    ("It is 2.\n<!-- 2 = card/rates.csv: SELEC 2 -->\n", "syntax error"),
    ("It is 2.\n<!-- a remark -->\n", "docs/page.md:2: a comment that is no source"),
    ("<!-- table card/rates.csv: SELECT 1 -->\nIt is 2.\n", "no table follows"),
    ("1.5 us, of b.\n<!-- 1.5 = card/exported.csv: SELECT median_ns / 1e3 FROM card_exported WHERE axis(config, 'n') = '4096'\n"
     "AND axis(config, 'odd') = 'a;b' -->\n", None),
    ("1092 us.\n<!-- 1092 = card/report.txt: SELECT 1e3 * re('hot \\* (\\S+) ms', line) FROM card_report\n"
     "WHERE line LIKE 'naive%' -->\n", None),
    ("<!-- table card/rates.csv: SELECT 'a', '2.4 / 9.6' -->\n| | |\n|---|---|\n| a | 2 / 10 |\n", None),
    ("```\n<!-- in a block of code -->\n```\n" + SENTENCE % "3.8", None),
]


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def run(tool, page, *options):
    with tempfile.TemporaryDirectory() as tree:
        write(tree, "README.md", "# A tree\n")
        write(tree, "docs/page.md", page)
        write(tree, "results/baseline/card/rates.csv", RATES)
        write(tree, "results/baseline/card/exported.csv", EXPORTED)
        write(tree, "results/baseline/card/report.txt", REPORT)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = tool.main([*options, tree])
        return code, said.getvalue()


def load(path):
    loader = importlib.machinery.SourceFileLoader("check_numbers", path)
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_numbers", loader))
    loader.exec_module(tool)
    return tool


def main(path):
    tool = load(path)
    failures = []

    def holds(sentence, truth, said):
        if not truth:
            failures.append(f"FAILED  {sentence}\n{said}")

    for page, words in PAGES:
        code, said = run(tool, page)
        holds(f"{words or 'agrees'}: {page}", code == (1 if words else 0) and (words or " 0 differ") in said, said)
    code, said = run(tool, "No number.\n")
    holds("a tree without any number with a source is no success", code == 1, said)
    code, said = run(tool, "", "--no-such-option")
    holds("wrong use", code == 4 and "--uncovered" in said, said)
    page = STUDY + TABLE % "| 64 | 2.51 | 9.6 GB/s |" + "\n" + SENTENCE % "3.8" + "\nAnd 7.5 us, 12 % and 3 of 4.\n"
    code, said = run(tool, page, "--uncovered")
    listed = [line for line in said.splitlines() if line]
    holds("what has no source is listed", code == 0 and len(listed) == 2 and ": 7.5 us" in listed[0] and ": 12 %" in listed[1], said)
    code, said = run(tool, page[len(STUDY):], "--uncovered")
    holds("pages without a study are not looked at", code == 0 and not said.strip(), said)
    print("\n".join(failures) or f"{len(PAGES) + 4} expectations hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
