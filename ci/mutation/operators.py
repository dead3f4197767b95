"""Small changes to one CUDA C++ source: where each operator of ci/mutate applies, and what it writes there.

This works on tokens, without a grammar: if something is mistaken for an operand, the compiler refuses the result. A binary
operator has blanks on both sides (ci/check_format), which distinguishes it from a pointer, a template and a sign.
"""
import bisect
import collections
import re

Mutant = collections.namedtuple("Mutant", "operator start end text")  # source[start:end] becomes text

TOKEN = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFuUlL]*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign><<<|>>>|<<=|>>=|->|\+\+|--|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|<<|::|\S)", re.S | re.M)
CLOSING = {"(": ")", "[": "]", "{": "}"}

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
OPERANDS = {"+": "-", "-": "+", "&&": "||", "||": "&&", "min": "max", "max": "min", "fminf": "fmaxf", "fmaxf": "fminf",
            "atomicMin": "atomicMax", "atomicMax": "atomicMin"}
NARROWER = {"double": "float", "int64_t": "int16_t", "uint64_t": "uint16_t", "size_t": "uint16_t", "uint32_t": "uint16_t"}
WARP_OPERATION = re.compile(r"__(shfl_\w*sync|ballot_sync|any_sync|all_sync|reduce_\w+_sync|match_\w+_sync)$")
WAITING = [("fence", re.compile(r"fence")), ("barrier", re.compile(r"^(?!cuda).*(sync|barrier)"))]
# Numbers that have no effect on the host device, or only let the compiler fail.
UNHEARD = {"__launch_bounds__", "alignas", "__align__", "static_assert"}
PLAIN = {
    "Add": "old + v", "Sub": "old - v", "Exch": "v", "Or": "old | v", "And": "old & v", "Xor": "old ^ v",
    "Max": "old < v ? v : old", "Min": "v < old ? v : old",
}


class Source:
    """One file as tokens: `kind`, `text`, `start`, `end` by index."""

    def __init__(self, text):
        self.source = text
        found = [m for m in TOKEN.finditer(text) if m.lastgroup != "skip"]
        self.kind = [m.lastgroup for m in found]
        self.text = [m.group() for m in found]
        self.start = [m.start() for m in found]
        self.end = [m.end() for m in found]
        self.partner = {}
        self.around = []  # for each token, the innermost open bracket
        opened = []
        for i, word in enumerate(self.text):
            if opened and word == CLOSING[self.text[opened[-1]]]:
                self.partner[opened.pop()] = i
            self.around.append(opened[-1] if opened else -1)
            if word in CLOSING:
                opened.append(i)
        self.begin = []  # for each token, the first token of its statement
        begin = 0
        for i, word in enumerate(self.text):
            self.begin.append(begin)
            if word in (";", "{", "}"):
                begin = i + 1

    def at(self, i):
        return self.text[i] if 0 <= i < len(self.text) else ""

    def is_apart(self, i):
        """Does it have blanks on both sides, as a binary operator does?"""
        s = self.source
        return 0 < i < len(self.text) - 1 and s[self.start[i] - 1].isspace() and s[self.end[i]:self.end[i] + 1].isspace()

    def is_value_end(self, i):
        return i >= 0 and (self.kind[i] in ("word", "number") and self.text[i] not in ("return", "else", "case")
                           or self.text[i] in (")", "]"))

    def template_end(self, i):
        """The place after the > that closes the < at i, if that directly follows its name; else i."""
        depth = 0
        for k in range(i, min(i + 40, len(self.text))):
            word = self.text[k]
            depth += {"<": 1, ">": -1, ">>>": -3}.get(word, 0)
            if depth == 0:
                return k + 1
            if word in (";", "{", ")", "&&", "||"):
                break
        return i

    def unit_end(self, i):
        """The place after the operand that begins at i, with calls and subscripts; None if none begins there."""
        while self.at(i) in ("-", "!", "~", "*", "&", "++", "--") and not self.is_apart(i):
            i += 1
        if i >= len(self.text) or not (self.kind[i] in ("word", "number") or self.text[i] == "("):
            return None
        i = self.partner.get(i, i) + 1
        while i < len(self.text):
            word = self.text[i]
            if word in ("(", "[") and i in self.partner:
                i = self.partner[i] + 1
            elif word in (".", "->", "::") and self.at(i + 1):
                i += 2
            elif word == "<" and not self.source[self.start[i] - 1].isspace() and self.template_end(i) > i:
                i = self.template_end(i)
            elif word in ("++", "--") and not self.is_apart(i):
                i += 1
            else:
                break
        return i

    def product_end(self, i):
        i = self.unit_end(i)
        while i and self.at(i) in ("*", "/", "%") and self.is_apart(i):
            i = self.unit_end(i + 1)
        return i

    def piece(self, i, end):
        return self.source[self.start[i]:self.end[end - 1]]

    def is_statement(self, i):
        """Does a statement begin at i?"""
        return i == 0 or self.at(i - 1) in (";", "{", "}", ")", "else")

    def is_declared(self, i):
        """Does the [ at i give the size of an array?"""
        if i > 1 and self.kind[i - 1] == "word" and self.kind[i - 2] == "word":
            return self.text[i - 2] not in ("return", "else", "case")
        if i > 2 and self.text[i - 2] == ">" and self.end[i - 3] == self.start[i - 2]:
            return True  # the type is a template with arguments
        first = self.begin[i]
        words = [k for k in range(first, i) if self.text[k] not in ("const", "static", "constexpr", "extern")][:2]
        if len(words) < 2 or any(self.kind[k] != "word" for k in words) or self.text[words[0]] in ("return", "else"):
            return False
        return self.around[i] == self.around[first] and "=" not in self.text[first:i]

    def last_name(self, i, end):
        """The name of the call that is the whole operand; None if the operand is not one call."""
        if self.at(end - 1) != ")":
            return None
        opening = next((k for k in range(i, end) if self.partner.get(k) == end - 1), None)
        return self.text[opening - 1] if opening and self.kind[opening - 1] == "word" else None

    def is_within(self, i, names):
        while i >= 0:
            i = self.around[i]
            if i > 0 and self.text[i] == "(" and self.text[i - 1] in names:
                return True
        return False


def indices(s):
    for i, word in enumerate(s.text):
        if word != "[" or i not in s.partner or s.partner[i] == i + 1 or not s.is_value_end(i - 1) or s.is_declared(i):
            continue
        inner = s.piece(i + 1, s.partner[i])
        if s.unit_end(i + 1) != s.partner[i]:
            inner = f"({inner})"
        for change in ("+ 1", "- 1"):
            yield Mutant("index", s.end[i], s.start[s.partner[i]], f"{inner} {change}")


# A minimum or maximum: if both values are equal, either may be chosen.
CHOICE = re.compile(r"([\w.\[\]>-]+(?: [-+*/] [\w.\[\]>-]+)*) (<=|>=|<|>) ([\w.\[\]>-]+(?: [-+*/] [\w.\[\]>-]+)*)"
                    r"\s\?\s(?:\1\s:\s\3|\3\s:\s\1)\b")


FLOAT_NAME = re.compile(r"\b(?:float|double)\s+(\w+)")
FLOAT = re.compile(r"(\d+\.\d*|\.\d+)f?$")


def chooses_by_float(s, i, floats):
    """Does the comparison at i compare floating-point numbers and alone decide a `?`? Hardly any number is exactly at the
    boundary, and both values are the same there, unless the function jumps."""
    opening = {closing: k for k, closing in s.partner.items()}
    left, end = i - 1, s.unit_end(i + 1)
    while left in opening:
        left = opening[left] - 1
    right = next(k for k in range(i + 1, len(s.text)) if s.text[k] not in ("-", "("))
    return s.at(end or 0) == "?" and any(s.text[k] in floats or FLOAT.match(s.text[k]) for k in (left, right))


def counts_to_constant(s, i):
    """Does the < at i belong to a loop with a constant bound? If the loop counts elements of a thread's own array, one
    iteration more is undefined, and the compiler may do anything; so one iteration less is tried."""
    opening = s.around[i]
    return opening > 0 and s.text[opening - 1] == "for" and s.text[i] == "<" and s.at(i + 2) == ";" and \
        re.fullmatch(r"[A-Z][A-Z0-9_]*|\d+", s.at(i + 1)) is not None


def compared(s, i, floats):
    """The text that replaces the comparison at i."""
    if counts_to_constant(s, i):
        return "+ 1 <"
    return (NEGATED if chooses_by_float(s, i, floats) else COMPARISONS)[s.text[i]]


def exchanged(s, operator, table):
    chosen, floats = {m.start(2) for m in CHOICE.finditer(s.source)}, set(FLOAT_NAME.findall(s.source))
    for i, word in enumerate(s.text):
        if word not in table or s.kind[i] == "sign" and not (s.is_apart(i) and s.is_value_end(i - 1)):
            continue
        if (s.kind[i] == "sign" or s.at(i + 1) == "(") and s.start[i] not in chosen:
            yield Mutant(operator, s.start[i], s.end[i], compared(s, i, floats) if table is COMPARISONS else table[word])


def condition_end(s, i):
    while i < len(s.text) and s.text[i] not in (")", "]", "}", ";", ",", "?", ":", "&&", "||"):
        i = s.partner.get(i, i) + 1
    return i


def terms(s):
    """Leaves out a summand, a factor, a condition or a whole `x += y;`."""
    for i, word in enumerate(s.text):
        if word in ("+", "-", "*", "&&", "||") and s.is_apart(i) and s.is_value_end(i - 1):
            end = condition_end(s, i + 1) if word in ("&&", "||") else s.unit_end(i + 1) if word == "*" else s.product_end(i + 1)
            if end:
                yield Mutant("term", s.end[i - 1], s.end[end - 1], "")
        elif s.is_statement(i) and s.kind[i] == "word":
            end = s.unit_end(i)
            if end and s.at(end) in ("+=", "-=", "*=", "|=", "&=", "^="):
                stop = condition_end(s, end + 1)
                while s.at(stop) not in (";", ")", "}", ""):
                    stop = condition_end(s, stop + 1)
                if s.at(stop) == ";":
                    yield Mutant("term", s.start[i], s.start[stop], "")


def waiting(s):
    """Leaves out a barrier or a fence; makes a memory order relaxed."""
    for i, word in enumerate(s.text):
        if s.kind[i] == "word" and re.fullmatch(r"memory_order_(acquire|release|acq_rel|seq_cst)", word):
            yield Mutant("fence", s.start[i], s.end[i], "memory_order_relaxed")
        if s.kind[i] != "word" or not s.is_statement(i):
            continue
        end = s.unit_end(i)
        name = end and s.at(end) == ";" and s.last_name(i, end)
        for operator, pattern in WAITING:
            if name and pattern.search(name):
                yield Mutant(operator, s.start[i], s.start[end], "")
                break


def arguments(s, i):
    """The texts of the arguments of the call whose ( is at i."""
    found, first, k = [], i + 1, i + 1
    while k < s.partner[i]:
        if s.text[k] == ",":
            found.append(s.piece(first, k))
            first = k + 1
        k = s.partner.get(k, k) + 1
    return found + [s.piece(first, k)] if k > first else found


def atomics(s):
    """Replaces one atomic instruction by a load and a later store."""
    for i, word in enumerate(s.text):
        if s.kind[i] != "word" or s.at(i + 1) != "(" or (i + 1) not in s.partner:
            continue
        stop = s.partner[i + 1]
        given = arguments(s, i + 1)
        if word.startswith("atomic") and word[6:] in PLAIN and len(given) == 2:
            text = f"[](auto *p, auto v) {{ const auto old = *p; *p = {PLAIN[word[6:]]}; return old; }}({', '.join(given)})"
            yield Mutant("atomic", s.start[i], s.end[stop], text)
        elif word == "atomicCAS" and len(given) == 3:
            text = "[](auto *p, auto c, auto v) { const auto old = *p; *p = old == c ? v : old; return old; }"
            yield Mutant("atomic", s.start[i], s.end[stop], f"{text}({', '.join(given)})")
        elif word == "fetch_add" and given and s.at(i - 1) == ".":
            text = "([&](auto &&r, auto v) { const auto old = r.load(cuda::std::memory_order_relaxed); " \
                   "r.store(old + v, cuda::std::memory_order_relaxed); return old; }(%s, %s))"
            first = next((k for k in range(max(s.begin[i], i - 40), i)
                          if s.unit_end(k) == stop + 1 and s.at(k - 1) not in (".", "->", "::", "&", "*")), None)
            if first is not None:
                yield Mutant("atomic", s.start[first], s.end[stop], text % (s.piece(first, i - 1), given[0]))


def masks(s):
    """Removes the last lane from a mask."""
    for i, word in enumerate(s.text):
        if WARP_OPERATION.match(word) and s.at(i + 1) == "(" and (i + 1) in s.partner:
            mask = arguments(s, i + 1)[0]
            yield Mutant("mask", s.start[i + 2], s.start[i + 2] + len(mask), f"({mask}) & 0x7fffffffu")


def swaps(s):
    """Changes a - b to b - a; / and % likewise."""
    for i in range(1, len(s.text)):
        if s.at(i - 1) in (".", "->", "::", ")", "]") or s.kind[i - 1] in ("word", "number") and s.at(i - 1) != "return":
            continue
        for operator, end_of in (("-", s.product_end), ("/", s.unit_end), ("%", s.unit_end)):
            if operator == "-" and s.at(i - 1) in ("*", "/", "%"):
                continue
            middle = end_of(i)
            if middle and s.at(middle) == operator and s.is_apart(middle):
                end = end_of(middle + 1)
                if end:
                    text = f"{s.piece(middle + 1, end)} {operator} {s.piece(i, middle)}"
                    yield Mutant("operand", s.start[i], s.end[end - 1], text)


def other_number(word):
    """A whole number becomes one less, since more memory, more threads or a wider margin than needed is rarely a fault."""
    body, suffix = re.fullmatch(r"(.*?)([uUlLfF]*)", word).groups() if word[:2].lower() != "0x" else \
        re.fullmatch(r"(.*?)([uUlL]*)", word).groups()
    if body[:2].lower() == "0x":
        return f"0x{int(body, 16) ^ 1:x}{suffix}"
    if re.search(r"[.eE]", body):
        value = float(body) * 1.125 or 1.0
        return f"{value:.9g}" + ("" if re.search(r"[.e]", f"{value:.9g}") else ".0") + suffix
    if not body.isdigit() or "f" in suffix.lower():
        return None
    return f"{int(body) - 1}{suffix}" if int(body) > 0 or not suffix else f"1{suffix}"


def constants(s):
    for i, word in enumerate(s.text):
        if s.kind[i] != "number" or s.is_within(i, UNHEARD):
            continue
        if s.around[i] >= 0 and s.text[s.around[i]] == "[" and s.is_declared(s.around[i]):
            continue
        changed = other_number(word)
        if changed:
            yield Mutant("constant", s.start[i], s.end[i], changed)


def device_code(s):
    """The tokens of functions that run on a device."""
    inside = set()
    for i, word in enumerate(s.text):
        if word in ("__global__", "__device__"):
            opening = next((k for k in range(i, len(s.text)) if s.text[k] in ("{", ";")), None)
            if opening in s.partner:
                inside.update(range(i, s.partner[opening]))
    return inside


def is_number_of_block(s, i):
    """Is the value after the = at i a number of a block or warp: blockIdx, not multiplied, or by the warps of a block?"""
    value = " ".join(s.text[i:next((k for k in range(i, len(s.text)) if s.text[k] == ";"), i)])
    value = value.replace("* ( blockDim . x / ", "")
    return value.startswith("=") and "blockIdx" in value and "*" not in value


BLOCK_NUMBER = re.compile(r"\b(\w+)\s*=[^;,*=]*\bblockIdx\b[^;,*]*[;,]")


def block_numbers(texts):
    """The names of variables that hold just a block's number, in all files of a case."""
    return {name for text in texts for name in BLOCK_NUMBER.findall(text)}


def types(s, numbers):
    """Narrows types of declarations in device code only, since 16 bits are enough for most numbers that launch code passes
    on. Casts, and variables that hold just a block's number, are left out: there it shows only with more than 32767 blocks."""
    inside = device_code(s)
    for i, word in enumerate(s.text):
        if word in NARROWER and i in inside and i + 2 < len(s.text) and s.kind[i + 1] == "word" and s.text[i + 2] in ("=", ";", ",", ")") \
                and not is_number_of_block(s, i + 2) and not (s.text[i + 1] in numbers and s.text[i + 2] in (",", ")")):
            yield Mutant("type", s.start[i], s.end[i], NARROWER[word])


OPERATORS = ("index", "comparison", "term", "barrier", "fence", "atomic", "mask", "operand", "constant", "type")


def mutants(text, numbers=frozenset()):
    """All mutants of one file, each once, sorted by place; numbers: the names from `block_numbers`."""
    s = Source(text)
    found = set()
    for made in (indices(s), exchanged(s, "comparison", COMPARISONS), terms(s), waiting(s), atomics(s), masks(s),
                 exchanged(s, "operand", OPERANDS), swaps(s), constants(s), types(s, numbers)):
        found.update(made)
    return sorted(found, key=lambda m: (m.start, m.end, m.operator, m.text))


def place(text, mutant):
    """Line and column, from 1, and the changed line or lines without indentation: before and after."""
    lines = [0] + [m.end() for m in re.finditer("\n", text)]
    line = bisect.bisect_right(lines, mutant.start)
    first = lines[line - 1]
    last = text.find("\n", mutant.end)
    last = len(text) if last < 0 else last
    after = text[first:mutant.start] + mutant.text + text[mutant.end:last]
    return line, mutant.start - first + 1, " ".join(text[first:last].split()), " ".join(after.split())
