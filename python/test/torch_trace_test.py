"""What torch_trace.py reads of the profiler's file, in the form of old and of new releases of PyTorch.

  torch_trace_test.py FOLDER    where the package assay is
"""

import io
import json
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
from assay import job, torch_trace  # noqa: E402

KERNEL = {
    "ph": "X", "cat": "kernel", "name": "void at::native::k<float>(float*)", "pid": 0, "tid": 7, "ts": 20, "dur": 3,
    "args": {"grid": [2, 3, 1], "block": [64, 1, 1], "registers per thread": 32, "shared memory": 0, "correlation": 11,
             "stream": 7},
}
CALL = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 99, "ts": 10, "dur": 2,
        "args": {"External id": 4, "correlation": 11}}
OPERATION = {"ph": "X", "cat": "cpu_op", "name": "aten::cos", "pid": 5, "tid": 99, "ts": 9, "dur": 4, "args": {}}
RANGE = dict(OPERATION, cat="user_annotation", name="step_sensing", ts=8, dur=30)


def read(*events):
    return torch_trace.read_records(io.StringIO(json.dumps({"traceEvents": events})))


class Records(unittest.TestCase):
    def test_a_kernel(self):
        self.assertEqual(read(KERNEL), [(20000, 3000, 0, 2, 3, 1, 64, 1, 1, 32, 11, 7, b"void at::native::k<float>(float*)")])

    def test_times_keep_their_digits(self):
        text = '{"traceEvents": [{"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "ts": 1680000000123456.789, "dur": 0.928}]}'
        self.assertEqual(torch_trace.read_records(io.StringIO(text)),
                         [(1680000000123456789, 928, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, b"memset")])

    def test_a_copy_says_from_where_to_where(self):
        copy = dict(KERNEL, cat="gpu_memcpy", name="Memcpy DtoD (Device -> Device)", args={"bytes": 4})
        self.assertEqual(read(copy)[0][-1], b"memcpy DtoD")

    def test_the_host(self):
        self.assertEqual([(r[0], r[2], r[10], r[11], r[12]) for r in read(KERNEL, CALL, OPERATION, RANGE)],
                         [(8000, 5, 0, 99, b"step_sensing"), (9000, 3, 0, 99, b"aten::cos"),
                          (10000, 4, 11, 99, b"cudaLaunchKernel"),
                          (20000, 0, 11, 7, b"void at::native::k<float>(float*)")])
        self.assertEqual(read(dict(CALL, cat="cuda_driver", tid="stream 7"))[0][2:12], (4, 0, 0, 0, 0, 0, 0, 0, 11, 0))

    def test_what_is_neither_is_left_out(self):
        others = [dict(KERNEL, cat=cat) for cat in ("gpu_user_annotation", "overhead", "python_function", "Trace")]
        others += [dict(KERNEL, ph="s"), {"ph": "M", "name": "process_name", "args": {"name": "python"}}]
        others += [{k: v for k, v in OPERATION.items() if k != "dur"}]
        self.assertEqual(read(*others), [])

    def test_where_not_all_find_room(self):
        records = read(KERNEL, CALL, OPERATION, RANGE)
        kinds = {4: [5, 3, 4, 0], 3: [5, 4, 0], 2: [5, 0], 1: [0]}
        for most, kept in kinds.items():
            self.assertEqual([r[2] for r in torch_trace.keep(records, most)[0]], kept)
            self.assertEqual(torch_trace.keep(records, most)[1], 4 - most)
        with self.assertRaises(job.Unsupported):
            torch_trace.keep(records, 0)

    def test_parts_are_ranges_while_a_call_is_recorded(self):
        one, seen = job.Job("cpu"), []
        with one.part("step_sensing"):
            self.assertEqual(seen, [])
        one.named = lambda name: seen.append(name) or job.NO_PART
        with one.part("step_sensing"):
            self.assertEqual(seen, ["step_sensing"])

    def test_a_profiler_that_does_not_watch_the_device(self):
        self.assertEqual(torch_trace.read_records(io.StringIO('[{"name": "aten::ones", "ph": "X", "ts": 1, "dur": 2}]')), [])

    def test_records_are_in_order(self):
        self.assertEqual([r[0] for r in read(dict(KERNEL, ts=5), dict(KERNEL, ts=2), dict(KERNEL, ts=9))],
                         [2000, 5000, 9000])

    def test_older_releases_write_kinds_in_capitals(self):
        self.assertEqual(read(dict(KERNEL, cat="Kernel"))[0][2], 0)

    def test_names_fit_and_can_be_printed(self):
        name = read(dict(KERNEL, name="\x1b\u00e9" + 300 * "x"))[0][-1]
        self.assertEqual((name[:3], len(name)), (b"??x", 199))
        self.assertEqual(read(dict(KERNEL, name=""))[0][-1], b"(unnamed)")
        self.assertEqual(len(torch_trace.RECORD.pack(*read(KERNEL)[0])), 256)


unittest.main()
