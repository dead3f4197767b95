"""Reads files of reasons, in which each block of lines is about one place of a kernel."""
import os
import re

from . import module

def read(path, needed=("case", "file", "before", "after")):
    """Blocks of lines `name text`, separated by blank lines; a line that begins with # is a comment."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    found = []
    for part in re.split(r"\n\s*\n", text):
        block = {}
        for line in part.splitlines():
            name, _, value = line.strip().partition(" ")
            block[name] = (block.get(name, "") + " " + " ".join(value.split())).strip()
        if any(block):
            if not set(needed) <= set(block):
                raise module.Failure(f"{path}: a block needs {', '.join(needed)}: {block}")
            found.append(block)
    return found
