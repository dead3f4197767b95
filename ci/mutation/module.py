"""Builds the kernels of one case as a module, with one file changed, and runs `assay check` on it.

Commands come from the build (`ninja -t compdb`). Files are changed in a copy of kernels/, and only objects that include
the file are compiled again.
"""
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time


# Files that are wrong on purpose, that a case shares with its kernels, or that use libraries or graphs, which the host
# device does not have.
LEFT_OUT = re.compile(r"kernels/selftest/|[^/]*(wrong|cub|cusolver|library|graph)[^/]*$|_case\.h$")


class Failure(Exception):
    pass


def run(arguments, limit_s=600, **more):
    """Returns exit status and output. After the time limit all processes that it started are ended, and the status is None."""
    child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             start_new_session=True, text=True, errors="replace", **more)
    try:
        said, _ = child.communicate(timeout=limit_s)
        return child.returncode, said
    except subprocess.TimeoutExpired:
        pass
    for name in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, name)
            child.communicate(timeout=20)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
    return None, ""


def option_after(words, name):
    return words.index(name) + 1


class Build:
    """The commands and objects in a build tree for one program and its host kernels."""

    def __init__(self, folder, program):
        self.folder = os.path.abspath(folder)
        self.program = os.path.join(self.folder, program)
        code, said = run(["ninja", "-C", self.folder, "-t", "compdb"])
        if code != 0 or not os.access(self.program, os.X_OK):
            raise Failure(f"{folder} holds no build of {program} by ninja: cmake --preset release, then build {program}")
        edges = json.loads(said[said.index("["):])
        kernels = f"{program}_kernels_host"
        self.objects, self.c_objects, self.link = {}, {}, None
        for edge in edges:
            output = edge["output"]
            if f"/{kernels}_objects.dir/" in output:
                self.objects.setdefault(self.source_of(edge["file"]), (output, shlex.split(edge["command"])))
            elif f"/{kernels}_c.dir/" in output:
                self.c_objects[os.path.realpath(edge["file"])] = output
            elif os.path.basename(output) == f"{kernels}.so":
                self.link = next((p for p in edge["command"].split(" && ") if " -shared " in p), self.link)
        if not self.objects or not self.link:
            raise Failure(f"{folder} has no host kernels of {program}")

    @staticmethod
    def source_of(wrapper):
        """The .cu that a wrapper includes; CMake writes the wrapper."""
        with open(wrapper, encoding="utf-8") as file:
            return re.search(r'#include "(.*)"', file.read())[1]

    def files_of_cases(self):
        """All files of each case."""
        name = "assay" if os.path.exists(os.path.join(self.folder, "assay.build")) else os.path.basename(self.program)
        with open(os.path.join(self.folder, f"{name}.build"), encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        files = {}
        for row in rows:
            if row[0] == "source":
                files.setdefault(row[1], []).append(row[2])
        return files

    def sources(self, case):
        """The .cu files of a case, the .c files of its launchers, and the cases with the same kernels, this one first."""
        files = self.files_of_cases()
        own = [f for f in files.get(case, []) if f in self.objects]
        cases = [case] + sorted(c for c, theirs in files.items() if c != case and set(own) & set(theirs))
        return own, [self.c_objects[f] for f in files.get(case, []) if f in self.c_objects], cases


class Module:
    """A copy of a case's kernels in a folder, compiled once without a change."""

    def __init__(self, build, tree, folder, case, limit_s, options=()):
        """`options` go to both the compiler and the linker."""
        self.build, self.tree, self.folder, self.case, self.limit_s, self.options = build, tree, folder, case, limit_s, options
        self.kernels = os.path.join(folder, "kernels")
        os.makedirs(folder, exist_ok=True)
        shutil.copytree(os.path.join(tree, "kernels"), self.kernels)
        for name in ("cases", "reference", "harness", "cmake"):
            if os.path.exists(os.path.join(tree, name)):
                os.symlink(os.path.join(tree, name), os.path.join(folder, name))
        wanted, self.c_objects, self.cases = build.sources(case)
        if not wanted:
            raise Failure(f"case '{case}' has no kernels for the host device (names: assay list)")
        self.commands, self.includes, self.bytes, self.code = {}, {}, {}, {}
        self.own = {self.name_of(source) for source in wanted if not LEFT_OUT.search(source)}
        while wanted:
            self.add(wanted)
            wanted = self.helpers()

    def name_of(self, source):
        return re.sub(r"\W", "_", os.path.relpath(source, self.tree))

    def add(self, sources):
        for source in sources:
            name = self.name_of(source)
            self.commands[name] = self.command(source, name)
            code, said = self.compile(name)
            if code != 0:
                raise Failure(f"{source} does not compile as it is:\n{said[-2000:]}")
            with open(self.path(name, "o"), "rb") as file:
                self.bytes[name] = file.read()
            self.code[name] = self.code_of(name)
            with open(self.path(name, "d"), encoding="utf-8") as file:
                words = file.read().replace("\\\n", " ").split()
            self.includes[name] = {os.path.normpath(w) for w in words if w.startswith(self.kernels + "/")}

    def path(self, name, suffix):
        return os.path.join(self.folder, f"{name}.{suffix}")

    def command(self, source, name):
        """The command of the build, but for the copy and with an output file in our folder."""
        with open(self.path(name, "cc"), "w", encoding="utf-8") as file:
            file.write(f'#include "{os.path.join(self.folder, os.path.relpath(source, self.tree))}"\n')
        words = [w.replace(os.path.join(self.tree, "kernels"), self.kernels) for w in self.build.objects[source][1]]
        for option, suffix in (("-o", "o"), ("-MF", "d"), ("-MT", "o"), ("-c", "cc")):
            words[option_after(words, option)] = self.path(name, suffix)
        return words + list(self.options)

    def compile(self, name):
        return run(self.commands[name], self.limit_s, cwd=self.build.folder)

    def code_of(self, name):
        """The compiled code without lines and local names, which would change even with a function that nothing uses."""
        stripped = self.path(name, "stripped")
        code, said = run(["objcopy", "--strip-unneeded", self.path(name, "o"), stripped])
        if code != 0:
            raise Failure(f"objcopy: {said}")
        with open(stripped, "rb") as file:
            return file.read()

    def helpers(self):
        """Sources of other cases whose kernels are called here, and that are not included yet."""
        def symbols(files, kind):
            _, said = run(["nm", "-A", kind, *files])
            return re.findall(r"^(.*?):\s*[0-9a-f]*\s+[A-Za-z] (\S+)$", said, re.M)
        own = [self.path(name, "o") for name in self.commands]
        launchers = [os.path.join(self.build.folder, o) for o in self.c_objects]
        missing = {symbol for _, symbol in symbols(own + launchers, "--undefined-only")}
        missing -= {symbol for _, symbol in symbols(own, "--defined-only")}
        built = {os.path.join(self.build.folder, o): source for source, (o, _) in self.build.objects.items()}
        there = [path for path in built if os.path.exists(path)]
        return sorted({built[path] for path, symbol in symbols(there, "--defined-only") if symbol in missing}) if there else []

    def files(self):
        """The files that may be changed, as paths from the tree's root. Files are left out if only sources use them that
        are left out themselves or belong to another case."""
        found = set().union(*(self.includes[name] for name in self.own))
        return [f for f in sorted(os.path.relpath(path, self.folder) for path in found) if not LEFT_OUT.search(f)]

    def link(self, objects):
        copies = []
        for name, content in objects.items():
            copies.append(os.path.join(self.folder, "linked", f"{name}.o"))
            os.makedirs(os.path.dirname(copies[-1]), exist_ok=True)
            with open(copies[-1], "wb") as file:
                file.write(content)
        module = os.path.join(self.folder, "module.so")
        code, said = run([os.path.join(self.build.folder, "assay-cc"), "--apart", *copies])
        words = [w for w in shlex.split(self.build.link) if "kernels_host" not in w or not w.endswith(".o")]
        words[option_after(words, "-o")] = module
        place = next(i for i, w in enumerate(words) if "statics_begin" in w) + 1
        words[place:place] = copies + self.c_objects
        if code == 0:
            code, said = run(words + list(self.options), cwd=self.build.folder)
        if code != 0:
            raise Failure(f"the module does not link:\n{said[-2000:]}")
        return module

    def check(self, module, limit_s, n_jobs, tuning="default"):
        """Returns the result, the verdict and the point that shows it."""
        database = os.path.join(self.folder, "check.db")
        for name in os.listdir(self.folder):
            if name.startswith("check.db"):
                os.unlink(os.path.join(self.folder, name))
        code, said = run([self.build.program, "check", *self.cases, "--device", "host", "--tier", "quick", "--quiet", "--tuning", tuning,
                          "--jobs", str(n_jobs), "--kernels", module, "--db", database], limit_s, cwd=self.folder)
        failed = first_failed(database)
        if failed:
            return ("found", *failed)
        if code is None:
            return "found", "no end within the limit", ""
        if code in (0, 77):
            return "survived", "", ""
        last = said.strip().splitlines()[-1:] or [""]
        return "found", f"exit status {code}", last[0][:200]

    def as_it_is(self, n_jobs):
        """Returns the seconds that the check of the unchanged kernels takes; it must pass."""
        start = time.monotonic()
        result, verdict, point = self.check(self.link(self.bytes), 3600, n_jobs)
        if result != "survived":
            raise Failure(f"case '{self.case}' does not pass as it is: {verdict} {point}")
        return time.monotonic() - start

    def judge(self, file, text, limit_s, n_jobs):
        """As `check`, for the module with this text in place of one file."""
        path = os.path.join(self.folder, file)
        with open(path, encoding="utf-8") as original:
            kept = original.read()
        try:
            with open(path, "w", encoding="utf-8") as changed:
                changed.write(text)
            objects, code = dict(self.bytes), dict(self.code)
            for name in [n for n, files in self.includes.items() if path in files]:
                if self.compile(name)[0] != 0:
                    return "not compiled", "", ""
                with open(self.path(name, "o"), "rb") as compiled:
                    objects[name] = compiled.read()
                code[name] = self.code_of(name)
        finally:
            with open(path, "w", encoding="utf-8") as original:
                original.write(kept)
        if all(code[name] == self.code[name] for name in self.own):
            return "same code", "", ""
        try:
            module = self.link(objects)
        except Failure:
            return "not compiled", "", ""
        result = self.check(module, limit_s, n_jobs)
        if result[0] == "survived" and os.path.basename(self.build.program) == "assay":  # too slow under sanitizers
            result = self.check(module, 10 * limit_s, n_jobs, "extremes")
        return result


def first_failed(database):
    """Verdict and key of the first point of a run whose verdict is not allowed."""
    if not os.path.exists(database):
        return None
    with sqlite3.connect(database) as connection:
        try:
            return connection.execute("SELECT verdict, key FROM verdicts WHERE outcome = 'failed' ORDER BY ordinal").fetchone()
        except sqlite3.Error:
            return None
