"""A peer for tests, without PyTorch: y = 2x and z += 1. The word of the variant selects a fault that a peer may have."""

import mmap
import os
import signal
import struct
import sys
import time

SIZES = {"f32": 4, "i32": 4}
buffers, axes, arena, word, has_timed = {}, [], None, "right", False
number = 0  # of the current request


def say_plainly(*lines):
    os.write(1, ("\n".join(lines + ("end", ""))).encode("latin-1"))


def say(first, *lines, to=None):
    say_plainly(first, "number %s" % (number if to is None else to), *lines)


def read(name):
    kind, count, offset = buffers[name]
    return list(struct.unpack_from("%d%s" % (count, "f" if kind == "f32" else "i"), arena, offset))


def write(name, values):
    kind, count, offset = buffers[name]
    struct.pack_into("%d%s" % (count, "f" if kind == "f32" else "i"), arena, offset, *values)


def compute():
    y, z = [2 * x for x in read("x")], [v + 1 for v in read("z")]
    is_wrong = word == "wrong" or (word == "goes_wrong" and has_timed)
    if y and is_wrong:
        y[3] += 1
    if y and word == "nan":
        y[3] = float("nan")
    if word != "unwritten":
        write("y", y)
    write("z", z)
    if word == "changes_input":
        write("x", [v + 1 for v in read("x")])


# Faults instead of an answer to "run".
def fail():
    say("failed", "reason no such operator")


def tell_axes():
    say("failed", "reason axes: %s" % ", ".join(axes))


def fail_for_good():
    say("failed", "reason the device is lost", "last yes")


def refuse_memory():
    say("skipped", "reason no room on the device")


def end():
    sys.stderr.write("a line before\nthe disk is full\n\n")
    sys.stderr.flush()
    os._exit(3)


def be_killed():
    os.kill(os.getpid(), signal.SIGSEGV)


def hang():  # like a computation that never ends
    while True:
        pass


def close_and_hang():
    os.close(0), os.close(1)
    hang()


def babble():
    os.write(1, b"Loading weights...\n" * 2000)


def break_off():
    os.write(1, b"done\nnumber %d\n" % number)
    os._exit(0)


def say_bytes():
    say("failed", "reason \x1b[2J\x07")


def say_nothing():
    say("failed")


def answer_after_sleep():  # like a peer that gets no CPU for longer than its limit
    time.sleep(1)
    compute()
    say("done")


# Answers to requests other than the current one.
def answer_twice():
    compute()
    os.write(1, 2 * (b"done\nnumber %d\nend\n" % number))


def answer_late():
    say("done", to=number - 1)
    say("failed", "reason it was too slow", to=number - 1)
    time.sleep(0.05)  # a harness that believes the answer reads outputs that are not computed yet
    compute()
    say("done")


def answer_late_and_hang():
    say("done", to=1)
    say("done", to=1)
    hang()


def answer_late_and_fail():
    say("done", to=1)
    fail()


def answer_late_and_end():
    say("done", to=1)
    end()


def answer_late_without_end():
    while True:
        say("done", to=number - 1)


def answer_early():
    compute()
    os.write(1, b"done\nnumber %d\nend\ndone\nnumber %d\nend\n" % (number, number + 1))


def answer_wrongly():
    say("done", to=number + 7)


def answer_to_no_number():
    say("done", to="%dx" % number)


def answer_in_the_old_form():
    say_plainly("done")


def take_memory_away():
    try:
        os.ftruncate(3, 0)
    except OSError as error:
        say("failed", "reason %s" % error.strerror)


ON_RUN = {
    "fails": fail, "tells_axes": tell_axes, "is_lost": fail_for_good, "no_room": refuse_memory, "ends": end, "is_killed": be_killed, "hangs": hang,
    "hangs_asleep": answer_after_sleep,
    "closes": close_and_hang, "babbles": babble, "breaks_off": break_off, "says_bytes": say_bytes,
    "says_nothing": say_nothing, "shrinks": take_memory_away, "twice": answer_twice, "late": answer_late,
    "hangs_late": answer_late_and_hang, "fails_late": answer_late_and_fail, "ends_late": answer_late_and_end,
    "floods": answer_late_without_end, "early": answer_early, "wrong_number": answer_wrongly,
    "no_number": answer_to_no_number, "old_form": answer_in_the_old_form,
}


# The reported time of a step, by word; other words report none.
TOOK = {"took_a_year": "31536000000000000", "took_nothing": "0", "took_words": "long"}
n_steps = 0


def run():
    global n_steps
    if word in ON_RUN:
        ON_RUN[word]()
        return
    n_steps += 1
    compute()
    took = TOOK.get(word, ("10000" if n_steps == 1 else "1000") if word == "took_once" else None)
    say("done", *(["took %s" % took] if took else []))


# Samples and their reported number, by word; other words take some ms for each.
TIMES = {
    "nan_times": ([1e6, float("nan"), 1e6], "3"), "no_time": ([0.0], "1"), "negative": ([-1e6], "1"),
    "no_samples": ([], "0"), "many_samples": ([], "1001"), "odd_samples": ([1e6], "1x"),
    "long_times": ([1e15], "1"),
}


FACTS = {
    "fact_of_words": ["fact room much"], "fact_without_name": ["fact  3"], "fact_alone": ["fact room"],
    "fact_of_nan": ["fact room nan"], "facts_twice": ["fact room 1", "fact room 2"],
    "fact_of_ours": ["fact traced_first_call_ns 1"], "fact_of_a_counter": ["fact dram__bytes.sum 1"],
    "many_facts": ["fact n%d 1" % i for i in range(9)],
}


def measure(request):
    global has_timed
    has_timed = True
    fields = dict(line.split(" ", 1) for line in request)
    if word == "hangs_timing":
        hang()
    if word == "untimed":
        say("unsupported", "reason there is no clock")
        return
    values, n = TIMES.get(word, ([1e6, 3e6, 2e6] if fields["regime"] == "hot" else [4e6], None))
    time.sleep(0.01)
    struct.pack_into("%dd" % len(values), arena, int(fields["at"]), *values)
    if word == "late_times":
        say("timed", "samples 1", "warmup 1", to=number - 1)
    facts = FACTS.get(word, ["fact room 4096"])
    say("timed", "samples %s" % (len(values) if n is None else n), "warmup 2", "peak 4096",
        *(facts if fields["regime"] == "hot" else []))


# Records of a traced call: start, duration, kind, blocks, threads, registers, join id, thread or stream, name.
KERNEL = (1000, 300, 0, 2, 1, 1, 64, 1, 1, 16, 0, 0, b"void scale<float>(float*)")
COPY = (2000, 500, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, b"memcpy DtoD")


def of_host(start, duration, kind, name, joins=0):
    return (start, duration, kind) + 7 * (0,) + (joins, 5, name)


# A step on the host: a range that contains an operation and a call of CUDA, which starts a kernel.
STEP = [
    of_host(100, 900, 5, b"step_twice"), of_host(200, 600, 3, b"aten::mul"), of_host(300, 200, 4, b"cudaLaunchKernel", 7),
    of_host(850, 100, 4, b"cudaLaunchKernel", 8), (1000, 300) + KERNEL[2:10] + (7, 3) + KERNEL[12:],
    of_host(1100, 50, 4, b"cudaLaunchKernel", 9), (1500, 100) + KERNEL[2:10] + (9, 3) + KERNEL[12:],
]
RECORDS = {
    "traces_none": [], "kind_of_record": [KERNEL[:2] + (6,) + KERNEL[3:]], "no_name": [KERNEL[:12] + (b"",)],
    "endless_name": [KERNEL[:12] + (200 * b"x",)], "name_of_bytes": [KERNEL[:12] + (b"\x1b[2J",)],
    "negative_join": [KERNEL[:10] + (-1, 0) + KERNEL[12:]], "negative_place": [KERNEL[:11] + (-1,) + KERNEL[12:]],
    "negative_time": [(1000, -1) + KERNEL[2:]], "long_record": [(1000, 10**15) + KERNEL[2:]],
    "negative_extent": [KERNEL[:4] + (-1,) + KERNEL[5:]], "out_of_order": [COPY, KERNEL],
    "far_apart": [KERNEL, (10**15, 500) + COPY[2:]], "before_time": [(-5, 1) + KERNEL[2:]],
    "many_steps": [(1000 * i, 100) + KERNEL[2:] for i in range(5000)],
}
COUNTS = {"many_records": "65537", "odd_records": "-1", "odd_left": "1\nleft -1", "some_left": "1\nleft 3"}


def trace(request):
    fields = dict(line.split(" ", 1) for line in request)
    is_first = fields["call"] == "first"
    if is_first == (n_steps > 0):
        say("failed", "reason this is not the %s call" % fields["call"])
        return
    if word == "untraced":
        say("unsupported", "reason operations are no launches")
        return
    if word == "hangs_tracing":
        hang()
    memory = mmap.mmap(3, int(fields["arena"]))
    records = RECORDS.get(word, STEP if word == "steps" else [KERNEL, (1500, 100) + KERNEL[2:], COPY])
    if word == "many_names" and is_first:
        records = [of_host(1000 * i, 1000, 3, b"operation %d" % i) for i in range(3000)]
    if word == "loads" and is_first:
        records = [of_host(0, 100000, 3, b"aten::conv2d"), of_host(1000, 90000, 4, b"cuModuleLoadData")]
    for i, record in enumerate(records):
        struct.pack_into("=qq10i200s", memory, int(fields["at"]) + 256 * i, *record)
    time.sleep(0.01)
    say("traced", *("records %s" % COUNTS.get(word, len(records))).split("\n"))


def open_job(request):
    global arena, word
    buffers.clear()
    axes.clear()
    for line in request:
        name, rest = line.split(" ", 1)
        if name == "word":
            word = rest
        elif name == "axis":
            axes.append(rest)
        elif name == "buffer":
            label, _, kind, count, offset = rest.split(" ")
            buffers[label] = (kind, int(count), int(offset))
        elif name == "arena":
            arena = mmap.mmap(3, int(rest))
    if word == "unsupported":
        say("unsupported", "reason no such word")
    elif word == "mistakes":
        say("done")
    else:
        say("ready")


def serve():
    global number
    lines = []
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line != "end":
            lines.append(line)
            continue
        request, lines = lines, []
        number = int(request.pop(1).split(" ")[1])
        if request[0] == "open":
            open_job(request[1:])
        elif request[0] == "run":
            run()
        elif request[0] == "time":
            measure(request[1:])
        elif request[0] == "trace":
            trace(request[1:])
        else:
            say("closed")


how = os.environ.get("FAKE_PEER", "")
if how == "absent":
    say_plainly("skipped", "reason there is no torch")
elif how == "silent":
    sys.stderr.write("SyntaxError: invalid syntax\n")
else:
    about = {"first_protocol": ["torch 0.0-fake"], "later_protocol": ["protocol 3", "framework torch 9"]}.get(
        how, ["protocol 2", "framework fake 0.0", "framework numpy 1"])
    say_plainly("hello", *about, "device %s %d" % (sys.argv[1], os.getpid()))
    serve()
