"""The package assay from the tree, on the CPU: verdicts of right and wrong functions, replay lines, reading a database,
the plugin of pytest where that is installed.

    package_test.py ASSAY TREE    the program, and the tree with python/ and examples/
"""

import importlib
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

program, tree = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
os.environ.update(ASSAY_PROGRAM=str(program), ASSAY_PYTHON=sys.executable, PYTHONPATH=str(tree / "python"),
                  PYTHONDONTWRITEBYTECODE="1")
sys.path.insert(0, str(tree / "python"))
sys.dont_write_bytecode = True
import assay  # noqa: E402
from assay import command, cuda_python, frameworks, job, peer, variants  # noqa: E402

HERE = tree / "python" / "test"
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)

# What each function of wrong.py gets at n=255, and words of the reason.
VERDICTS = {
    "right": ("PASS", ""), "in_place": ("PASS", ""), "by_name": ("PASS", ""), "shaped": ("PASS", ""), "prints": ("PASS", ""),
    "wrong_value": ("WRONG_VALUE", "element 0 is"), "not_finite": ("NOT_FINITE", "element 3"),
    "does_nothing": ("WRONG_VALUE", "element"), "differs_from_call_to_call": ("WRONG_VALUE", "element"),
    "changes_its_input": ("INPUT_CHANGED", "'x'"),
    "wrong_count": ("LAUNCH_FAILED", "'y' has 254 elements of float32: 255 of float32 are wanted"),
    "wrong_type": ("LAUNCH_FAILED", "'y' has 255 elements of float64: 255 of float32 are wanted"),
    "no_array": ("LAUNCH_FAILED", "'y' has 1 elements of <U1"),
    "unknown_output": ("LAUNCH_FAILED", "it returned 'z', which is not an output: y"),
    "too_many": ("LAUNCH_FAILED", "it returned 3 arrays: the outputs are y"),
    "takes_what_is_not_there": ("LAUNCH_FAILED", "it takes 'stride': there are job, n, params, scalars, x, y"),
    "raises": ("LAUNCH_FAILED", "RuntimeError: no such shape"),
    "hangs": ("TIMED_OUT", "no answer from the peer within 0.5 s of CPU time"),
    "ends": ("CRASHED", "exit status 3"), "is_killed": ("CRASHED", "signal 11"),
    "refuses": ("UNSUPPORTED", "rows are too short"), "lacks_memory": ("SKIPPED", "MemoryError: 64 GiB"),
}


def ask(*words, **environment):
    return subprocess.run([program, *words], env={**os.environ, **environment}, text=True, capture_output=True)


def write(name, text):
    pathlib.Path(name).write_text(textwrap.dedent(text))
    return name


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.outcome = assay.check(HERE / "wrong.py", "axpy", axes={"n": 255}, device="host", db="wrong.db")
        cls.found = {v.key.split("/")[1]: v for v in cls.outcome.verdicts}

    def test_each_has_the_verdict_that_is_promised(self):
        self.assertEqual(sorted(self.found), sorted(VERDICTS))
        for name, (verdict, words) in VERDICTS.items():
            with self.subTest(name):
                self.assertEqual(self.found[name].verdict, verdict, self.found[name])
                self.assertIn(words, self.found[name].reason)

    def test_the_outcome_is_that_of_the_program(self):
        self.assertEqual(self.outcome.exit_status, 2)
        self.assertFalse(self.outcome.passed)
        self.assertEqual(self.outcome.times, [])  # nothing is timed on the CPU, and nothing that failed anywhere
        self.assertIn("WRONG_VALUE", str(self.outcome))

    def test_a_replay_line_works_again_from_anywhere(self):
        line = self.found["wrong_value"].replay
        self.assertIn("--script %s" % (HERE / "wrong.py"), line)
        again = subprocess.run(shlex.split(line) + ["--db", os.path.abspath("again.db")], text=True, capture_output=True, cwd="/")
        self.assertEqual(again.returncode, 2, again.stderr)
        self.assertIn("axpy/wrong_value/n=255", again.stdout)
        self.assertIn("1 points: 0 passed, 1 failed", again.stdout.replace("1 point:", "1 points:"))

    def test_an_outcome_is_of_its_own_run(self):
        words = {"device": "host", "db": "twice.db", "options": ["--variant", "right"]}
        for n in (255, 256):
            found = assay.check(HERE / "wrong.py", "axpy", axes={"n": n}, **words)
            self.assertEqual([v.key for v in found.verdicts], ["axpy/right/n=%d" % n])
        with self.assertRaisesRegex(assay.ProgramFailed, "axis"):  # and stores nothing
            assay.check(HERE / "wrong.py", "axpy", axes={"m": 255}, **words)
        with self.assertRaisesRegex(assay.ProgramFailed, "cannot be read"):
            assay.check("none.py", "axpy", **words)
        skips = os.path.abspath(write("skips", "#!/bin/sh\necho no GPU; exit 77\n"))  # stands in for a program without a GPU
        os.chmod(skips, 0o700)
        with mock.patch.dict(os.environ, ASSAY_PROGRAM=skips):
            self.assertEqual(assay.check(HERE / "wrong.py", "axpy", **words), command.Outcome(77, [], text="no GPU\n"))

    def test_what_is_taken_and_not_written_is_unwritten(self):
        outcome = assay.check(HERE / "wrong.py", "softmax_row", axes={"type": "f32", "size": "5x31x1"}, device="host")
        found = {v.key.split("/")[1]: v.verdict for v in outcome.verdicts}
        self.assertEqual(found, {"writes_nothing": "UNWRITTEN", "narrow": "PASS"})


class Files(unittest.TestCase):
    def fails(self, words, *more, **environment):
        done = ask("check", *map(str, more), "--device", "host", "--db", "none.db", **environment)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn(words, done.stderr)
        self.assertFalse(os.path.exists("none.db"))

    def test_a_file_that_cannot_be(self):
        self.fails("cannot be read: No such file", "--script", "none.py")
        self.fails("SyntaxError", "--script", write("broken.py", "def f(:\n"))
        self.fails("No module named 'no_such'", "--script", write("imports.py", "import no_such\n"))
        self.fails("it declares no @assay.variant", "--script", write("empty.py", "import assay\n"))
        self.fails("did you mean 'axpy'", "--script", write("far.py", """
            import assay
            @assay.variant("axpi")
            def f(x): return x
        """))
        self.fails("has a variant 'vec4' already", "--script", write("twice.py", """
            import assay
            @assay.variant("axpy", name="vec4")
            def f(x): return x
        """))
        self.fails("baseline", "--script", write("base.py", """
            import assay
            @assay.variant("axpy", baseline="fastest")
            def f(x): return x
        """))
        self.fails("a name has letters, digits and _ alone", "--script", write("name.py", """
            import assay
            @assay.variant("axpy", name="my kernel")
            def f(x): return x
        """))
        for words, said in (('baseline="the fast one"', "'the fast one': a name has letters"),
                            ("time_limit_s=-1", "'f': time_limit_s is -1: seconds"),
                            ('time_limit_s=float("nan")', "'f': time_limit_s is nan"), ("time_limit_s=1e6", "at most 86400")):
            self.fails(said, "--script", write("words.py", """
                import assay
                @assay.variant("axpy", %s)
                def f(x): return x
            """ % words))
        self.fails("exit status 127", "--script", HERE / "wrong.py", ASSAY_PYTHON="/no/such/python")

    def test_it_takes_part_unless_others_are_named(self):
        mine = write("mine.py", """
            import assay
            @assay.variant("axpy", baseline="naive")
            def mine(x, y, scalars): return (y.astype("f8") + float(y.dtype.type(scalars[0])) * x.astype("f8")).astype("f4")
        """)
        plan = ask("plan", "--script", mine, "--axis", "n=255").stdout
        self.assertIn("axpy/mine/n=255", plan)
        self.assertNotIn("axpy/naive", plan)
        plan = ask("plan", "--script", mine, "--variant", "naive", "--axis", "n=255").stdout
        self.assertIn("axpy/naive/n=255", plan)
        self.assertNotIn("axpy/mine", plan)
        plan = ask("plan", "--script", mine, "--variant", "mine", "--variant", "naive", "--axis", "n=255").stdout
        self.assertIn("axpy/mine/n=255", plan)
        self.assertIn("axpy/naive/n=255", plan)
        done = ask("check", "--script", mine, "--point", "axpy/mine/n=255", "--device", "host", "--in-process", "--db", "p.db")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_run_that_was_cut_off_names_its_file_again(self):
        script = os.path.abspath(shutil.copy(HERE / "wrong.py", "cut.py"))
        ask("check", "axpy", "--script", script, "--variant", "right", "--axis", "n=255", "--device", "host", "--db", "cut.db")
        with sqlite3.connect("cut.db") as file:  # as if it had been killed at once
            self.assertIn("--script=%s\n--script-digest=" % script, file.execute("SELECT options FROM run").fetchone()[0])
            for kind, name in file.execute("SELECT type, name FROM sqlite_schema WHERE type = 'trigger' "
                                           "AND sql NOT LIKE '%INSTEAD OF%'").fetchall():
                file.execute('DROP %s "%s"' % (kind, name))
            for table in ("run_end", "verdict", "checked_point"):
                file.execute("DELETE FROM %s" % table)
        done = ask("resume", "--db", "cut.db")
        self.assertEqual(done.returncode, 4)
        self.assertIn("assay resume --script FILE", done.stderr)
        done = ask("resume", "--script", shutil.copy(script, "beside.py"), "--db", "cut.db")
        self.assertEqual(done.returncode, 4)
        self.assertIn("was begun with the variants of %s, not of" % script, done.stderr)
        text = pathlib.Path(script).read_text()
        pathlib.Path(script).write_text(text + "\n")
        done = ask("resume", "--script", script, "--db", "cut.db")
        self.assertEqual(done.returncode, 4)
        self.assertIn("cut.py has changed since run 1 began", done.stderr)
        pathlib.Path(script).write_text(text)
        done = ask("resume", "--script", script, "--db", "cut.db")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_file_that_is_saved_during_a_run_is_served_no_more(self):
        mine = write("saved.py", """
            import assay
            with open(__file__, "a") as file:  # whoever imports it next finds another file
                file.write("# more\\n")
            @assay.variant("axpy")
            def mine(x, y, scalars): return (y.astype("f8") + float(y.dtype.type(scalars[0])) * x.astype("f8")).astype("f4")
        """)
        outcome = assay.check(mine, "axpy", axes={"n": 255}, device="host")
        self.assertEqual([v.verdict for v in outcome.verdicts], ["SKIPPED"])
        self.assertIn("saved.py has changed since the run began", outcome.verdicts[0].reason)

    def test_axes_are_given_as_a_function_gets_them(self):
        axes = {"size": (5, 31, 1), "n": [255, 1000], "grid": [(2, 3, 4), "5x6x7"], "m": range(2), "type": "f32"}
        self.assertEqual(command.axis_words(axes)[1::2], ["size=5x31x1", "n=255,1000", "grid=2x3x4,5x6x7", "m=0,1", "type=f32"])
        outcome = assay.check(HERE / "wrong.py", "softmax_row", axes={"type": "f32", "size": (5, 31, 1)}, device="host",
                              options=["--variant", "narrow"])
        self.assertEqual([v.verdict for v in outcome.verdicts], ["PASS"])

    def test_without_a_program_it_says_so(self):
        environment = {**os.environ, "PATH": "/nowhere"}
        del environment["ASSAY_PROGRAM"]
        done = subprocess.run([sys.executable, "-c", "import assay; assay.program()"], env=environment, text=True,
                              capture_output=True)
        self.assertIn("there is no program assay", done.stderr)

    def test_a_function_that_is_no_variant(self):
        with self.assertRaisesRegex(ValueError, "is no variant"):
            assay.check(lambda x: x)

    def test_what_the_program_refuses_is_its_sentence(self):
        with self.assertRaisesRegex(assay.ProgramFailed, "there is no"):
            assay.check(HERE / "wrong.py", "axpy", options=["--no-such-option"])


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        assay.check(HERE / "wrong.py", "axpy", axes={"n": 255}, device="host", db="read#1?.db",
                    options=["--variant", "right", "--variant", "wrong_value"])

    def test_every_view_can_be_read_by_its_name(self):
        results = assay.read("read#1?.db")
        for name in results:
            with self.subTest(name):
                self.assertIsInstance(results.rows(name), list)
        self.assertEqual(len(results.rows("runs")), 1)
        self.assertEqual({row["verdict"] for row in results.rows("verdicts")}, {"PASS", "WRONG_VALUE"})
        self.assertEqual(results.rows("times"), [])
        with self.assertRaisesRegex(KeyError, "no 'verdict_s'"):
            results.rows("verdict_s")

    def test_nothing_is_left_beside_a_file_at_rest(self):
        before = {name: os.stat(name).st_mtime_ns for name in os.listdir() if name.startswith("read")}
        assay.read("read#1?.db").rows("verdicts")
        self.assertEqual({name: os.stat(name).st_mtime_ns for name in os.listdir() if name.startswith("read")}, before)

    def test_while_it_is_written_the_log_is_read_too(self):
        shutil.copy("read#1?.db", "open.db")
        writer = sqlite3.connect("open.db")
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE more (n INTEGER)")
        writer.execute("INSERT INTO more VALUES (7)")
        writer.commit()
        self.assertTrue(os.path.exists("open.db-wal"))
        self.assertEqual(assay.read("open.db").rows("more"), [{"n": 7}])
        writer.close()

    def test_a_writer_that_begins_during_a_read(self):
        shutil.copy("read#1?.db", "begun.db")
        results, connect, began = assay.read("begun.db"), sqlite3.connect, []

        def begin(*words, **more):
            if began:
                return connect(*words, **more)
            began.append(os.utime("begun.db", ns=(1, 1)))
            raise sqlite3.DatabaseError("database disk image is malformed")

        with mock.patch.object(sqlite3, "connect", begin):
            self.assertEqual(len(results.rows("run")), 1)
        with mock.patch.object(sqlite3, "connect", side_effect=sqlite3.DatabaseError("malformed")) as broken:
            with self.assertRaises(sqlite3.DatabaseError):  # of a file at rest it is the truth
                results.rows("run")
            broken.assert_called_once()

    def test_what_is_no_database_of_assay(self):
        with self.assertRaises(FileNotFoundError):
            assay.read("none.db")
        with sqlite3.connect("other.db") as file:
            file.execute("CREATE TABLE t (n)")
        with self.assertRaisesRegex(ValueError, "is no database of assay"):
            assay.read("other.db")

    def test_data_frames(self):
        if importlib.util.find_spec("pandas") is None:
            with self.assertRaisesRegex(ImportError, "pip install pandas"):
                assay.read("read#1?.db").verdicts
            return
        frame = assay.read("read#1?.db").verdicts
        self.assertEqual(sorted(frame.verdict), ["PASS", "WRONG_VALUE"])
        self.assertIn("median_ns", assay.read("read#1?.db")["times"].columns)
        with self.assertRaises(AttributeError):
            assay.read("read#1?.db").no_such


class Arrays(unittest.TestCase):
    """What of them needs no GPU."""

    def test_numpy_types(self):
        own = frameworks.Numpy("cpu")
        self.assertEqual([str(own.type_of(kind)) for kind in ("f16", "u64", "i8")], ["float16", "uint64", "int8"])
        if importlib.util.find_spec("ml_dtypes") is None:
            with self.assertRaisesRegex(job.Unsupported, "has no bf16"):
                own.type_of("bf16")

    def test_an_array_of_another_framework_is_taken_by_dlpack(self):
        own = frameworks.Numpy("cpu")

        class Other:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **more):
                return self.array.__dlpack__(**more)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        array = own.np.arange(5, dtype="f4")
        taken = own.adopt(Other(array))
        self.assertEqual(own.describe(taken), (own.np.dtype("f4"), 5))
        self.assertEqual(taken.__array_interface__["data"][0], array.__array_interface__["data"][0])
        self.assertFalse(own.is_own(Other(array)))

    def test_nothing_is_moved_to_another_device(self):
        """Stand-ins for the frameworks of a GPU: what they say of where an array lies."""
        class Place:
            def __init__(self, kind, index=None):
                self.type, self.index, self.id = kind, index, index

            def __str__(self):
                return self.type if self.index is None else "%s:%d" % (self.type, self.index)

        class Array:
            def __init__(self, *where):
                self.device = Place(*where)

        class Linear:  # what only DLPack reads
            def __dlpack__(self, **more):
                return None

        here, beside, host = Array("cuda", 0), Array("cuda", 1), Array("cpu")
        numpy = importlib.import_module("numpy")
        torch = frameworks.Torch.__new__(frameworks.Torch)
        torch.device = Place("cuda", 0)
        torch.torch = mock.Mock(Tensor=Array, from_dlpack=lambda thing: host if isinstance(thing, numpy.ndarray) else here,
                                as_tensor=lambda thing, device: host if device is None else here)
        cupy = frameworks.Cupy.__new__(frameworks.Cupy)
        cupy.device, cupy.index, cupy.np = "cuda:0", 0, numpy
        cupy.cupy = mock.Mock(ndarray=Array, from_dlpack=lambda thing: here, asarray=lambda thing: here)
        for own in (torch, cupy):
            self.assertIs(own.adopt(here), here)
            self.assertIs(own.adopt(Linear()), here)
            for thing, where in ((beside, "cuda:1"), (numpy.zeros(3), "cpu"), ([1.0], "cpu")):
                words = "(?i)an array of .*%s: one of cuda:0 is wanted" % where
                with self.subTest(own=own.name, where=where), self.assertRaisesRegex(TypeError, words):
                    own.adopt(thing)

    def test_events_of_cuda_python_are_given_back(self):
        own = cuda_python.CudaPython.__new__(cuda_python.CudaPython)
        own.runtime = mock.MagicMock(**{"cudaEventCreate.return_value": (0, "its own"), "cudaEventRecord.return_value": (0,)})
        own.runtime.cudaError_t.cudaErrorMemoryAllocation = 2
        event = own.event()
        own.record(event)
        own.runtime.cudaEventRecord.assert_called_once_with("its own", 0)
        own.runtime.cudaEventDestroy.assert_not_called()
        del event
        own.runtime.cudaEventDestroy.assert_called_once_with("its own")

    def test_axes_as_they_are_told(self):
        told = job.parse_job(["case c", "axis n int 255", "axis size grid 5x31x1", "axis type text f32", "later thing 1"], "cpu")
        self.assertEqual(told.axes, {"n": 255, "size": (5, 31, 1), "type": "f32"})

    def test_whose_arrays_a_function_gets(self):
        def one(arrays):
            return variants.Variant("c", "v", print, "f", arrays, None, 0)

        self.assertEqual(variants.arrays_of(one("cuda"), "cuda:0"), "cuda")
        self.assertEqual(variants.arrays_of(one(None), "cpu"), "numpy")
        with self.assertRaisesRegex(job.Unsupported, "there are no arrays of 'tensorflow'"):
            peer.Peer(lambda case, word: ("", None), "cpu").load("tensorflow")

    def test_what_one_has_loaded_changes_nothing_for_another(self):
        file = write("two.py", """
            import assay
            @assay.variant("axpy")
            def plain(x): return x
            @assay.variant("axpy", arrays="torch")
            def other(x): return x
        """)

        def begin(choose, device, names):
            told["names"] = names
            with mock.patch.dict(sys.modules, torch=None):  # as it is once it has been loaded
                told["chosen"] = [choose("axpy", name)[0] for name in ("plain", "other")]

        told, digest = {}, variants.digest_of(pathlib.Path(file).read_bytes())
        with mock.patch.object(sys, "argv", ["", "cpu", os.path.realpath(file), digest]), mock.patch.object(peer, "begin", begin):
            variants.serve_file()
        self.assertEqual(told, {"names": ["numpy", "torch"], "chosen": ["numpy", "torch"]})

    def test_the_frameworks_that_are_installed(self):
        self.assertIn("numpy", frameworks.installed())


class Doctor(unittest.TestCase):
    def test_it_names_the_frameworks_of_each_python(self):
        said = ask("doctor").stdout
        self.assertRegex(said, r"(?m)^peers +ok +.*numpy [0-9.]+.* of %s, for (--peers and )?--script$" % sys.executable)
        has_torch = "torch" in frameworks.installed()
        self.assertEqual(re.search(r"(?m)^peers +ok +.* of %s, .*--peers" % sys.executable, said) is not None, has_torch, said)


class Plugin(unittest.TestCase):
    def setUp(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("no pytest here")

    def run_pytest(self, text):
        write("test_kernels.py", text)
        return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "assay.pytest_plugin", "-p", "no:cacheprovider",
                               "test_kernels.py"], text=True, capture_output=True)

    def test_it_fails_with_verdict_reason_and_replay(self):
        done = self.run_pytest("""
            import assay

            @assay.variant("axpy")
            def right(x, y, scalars):
                return (y.astype("f8") + float(y.dtype.type(scalars[0])) * x.astype("f8")).astype("f4")

            @assay.variant("axpy")
            def wrong(x, y, scalars):
                return y

            @assay.variant("axpy")
            def refuses(x):
                raise assay.Unsupported("too short")

            def test_right(assay_check):
                assert len(assay_check(right, "axpy", axes={"n": [255, 1000]}, device="host").verdicts) == 2

            def test_wrong(assay_check):
                assay_check(wrong, "axpy", axes={"n": 255}, device="host")

            def test_refuses(assay_check):
                assay_check(refuses, axes={"n": 255}, device="host")

            def test_no_case(assay_check):
                assay_check(right, "axpi", device="host")

            def test_no_axis(assay_check):
                assay_check(right, axes={"m": 255}, device="host")
        """)
        self.assertEqual(done.returncode, 1, done.stderr)
        for words in ("1 passed", "1 skipped", "3 failed", "axpy/wrong/n=255: WRONG_VALUE", "check --point axpy/wrong/n=255 --seed 1 --script",
                      "is no variant of 'axpi'", "axis"):
            self.assertIn(words, done.stdout.replace("3 failed, 1 passed, 1 skipped", "3 failed 1 passed 1 skipped"))


class Example(unittest.TestCase):
    def test_it_runs(self):
        done = subprocess.run([sys.executable, tree / "examples" / "python" / "softmax.py"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("PASS", done.stdout)


unittest.main()
