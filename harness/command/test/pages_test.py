"""Tests the pages of the tree: links and anchors have targets, no page has 300 lines, and docs/README.md lists each page of
docs/.

  pages_test.py ROOT

First, pages with planted faults must be refused. Ends with 0 if everything is right.
"""
import os
import re
import sys
import tempfile

MOST_LINES = 299
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)
SKIPPED = {".git", "build", "third_party", "corpus"}


def pages_of(root):
    """Every page with its path in the tree; folders named `build` are left out."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def text_of(root, page):
    """A page whose blocks of code are replaced by empty lines."""
    with open(os.path.join(root, page), encoding="utf-8") as file:
        return re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), file.read(), flags=re.M | re.S)


def anchors_of(text):
    """The anchors that GitHub makes from headings."""
    anchors = set()
    for heading in HEADING.findall(text):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchors.add(re.sub(r"[^\w\- ]", "", words.replace("`", "").replace("*", "")).replace(" ", "-"))
    return anchors


def wrong_link(root, page, target):
    path, _, anchor = target.partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(os.path.join(root, file)):
        return f"{page}: there is no {target}"
    if anchor and file.endswith(".md") and anchor not in anchors_of(text_of(root, file)):
        return f"{page}: {file} has no heading #{anchor}"
    return None


def faults_of(root):
    pages = list(pages_of(root))
    listed = set(LINK.findall(text_of(root, "docs/README.md")))
    for page in pages:
        text = text_of(root, page)
        yield from filter(None, (wrong_link(root, page, target) for target in LINK.findall(text) if "://" not in target))
        folder, name = os.path.split(page)
        if (folder == "docs" or name == "README.md") and text.count("\n") > MOST_LINES:
            yield f"{page}: {text.count(chr(10))} lines, at most {MOST_LINES}"
        if folder == "docs" and name != "README.md" and name not in listed:
            yield f"docs/README.md: does not list {name}"


def self_check():
    """Pages with one fault each, and words of its message."""
    wrong = [
        ("[a](no.md)", "there is no no.md"),
        ("[a](#none)", "has no heading #none"),
        ("x\n" * 300, "lines, at most"),
        (None, "does not list"),
    ]
    for text, words in wrong:
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "docs"))
            for name, content in (("README.md", "" if text is None else "[p](page.md)\n"), ("page.md", f"# A page\n{text or ''}\n")):
                with open(os.path.join(root, "docs", name), "w", encoding="utf-8") as file:
                    file.write(content)
            found = list(faults_of(root))
            if len(found) != 1 or words not in found[0]:
                yield f"of a wrong page '{words}' is said {found}"


def main(root):
    faults = list(self_check()) + list(faults_of(root))
    n = len(list(pages_of(root)))
    print("\n".join(faults + [f"{n} pages, {len(faults)} faults"]))
    return 1 if faults or n < 50 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
