"""Tests the use of a page of the HTML report: filter, sort, choose columns, copy a line, keep the view in a link, use a screen
reader, compare two runs.
"""
import glob
import json
import os
import subprocess

from report_page_browser import By, Keys, Select, check_console, choose, holds, list_of, lists_of, open_page, rows_of, sheet, show_columns, titles_of, wait_for_page


def filter_of(browser, table):
    return sheet(browser, table).find_element(By.CSS_SELECTOR, "input[type=search]")


def address(browser):
    return browser.execute_script("return location.hash;")


# ---- tables ----

def check_filter(browser):
    words, count = filter_of(browser, "verdict-table"), sheet(browser, "verdict-table").find_element(By.TAG_NAME, "output")
    everything = len(rows_of(browser, "verdict-table"))
    words.send_keys("strided 65536")
    rows = rows_of(browser, "verdict-table")
    holds("the filter keeps rows with all words", rows and all(r["variant"] == "strided" and "65536" in r["configuration"] for r in rows), rows)
    holds("the count of rows", count.text.startswith("%d of " % len(rows)), count.text)
    words.clear()
    words.send_keys("stencil -fused")
    rows = rows_of(browser, "verdict-table")
    holds("and leaves out rows with a word behind a dash", {r["variant"] for r in rows} == {"plain", "tiled"}, rows[:2])
    words.clear()
    words.send_keys(" ", Keys.BACKSPACE)
    list_of(browser, "verdict-table", "Verdict").select_by_visible_text("WRONG_VALUE")
    rows = rows_of(browser, "verdict-table")
    holds("the list of verdicts", rows and all(r["verdict"] == "WRONG_VALUE" for r in rows), rows)
    list_of(browser, "verdict-table", "Case").select_by_visible_text("broken")
    rows = rows_of(browser, "verdict-table")
    holds("the list of cases", len(rows) == 1 and rows[0]["variant"] == "no_tail", rows)
    for label in ("Verdict", "Case"):
        list_of(browser, "verdict-table", label).select_by_index(0)
    holds("no filter shows all again", len(rows_of(browser, "verdict-table")) == everything)
    tables = [t.get_attribute("id") for t in browser.find_elements(By.TAG_NAME, "table")]
    holds("every table has a filter and heads that sort", len(tables) >= 10 and all(
        filter_of(browser, t) and browser.execute_script(
            "return [...document.querySelectorAll('#' + arguments[0] + ' th')].every((th) => th.querySelector('button'));", t) for t in tables), tables)


def head_of(browser, table, title):
    return browser.find_element(By.XPATH, "//table[@id='%s']//th[.='%s']" % (table, title))


def check_sorting(browser):
    medians = lambda: [float(r["time"]) for r in rows_of(browser, "time-table") if r["time"] is not None]
    head_of(browser, "time-table", "time").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)  # with the keyboard
    rising, cell = medians(), head_of(browser, "time-table", "time")
    holds("sorting by number", len(rising) > 20 and rising == sorted(rising) and cell.get_attribute("aria-sort") == "ascending", rising[:5])
    holds("unknown values come last", rows_of(browser, "time-table")[-1]["time"] is None)
    holds("the head keeps the keyboard", browser.switch_to.active_element.text == "time", browser.switch_to.active_element.text)
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' });", cell)
    cell.find_element(By.TAG_NAME, "button").click()  # with the mouse
    holds("sorting the other way", medians() == sorted(rising, reverse=True))


def check_columns(browser):
    before = titles_of(browser, "time-table")
    holds("variant and time come first", before[:2] == ["variant", "time"], before)
    show_columns(browser, "time-table", ["samples", "regime"])
    holds("columns as the reader chooses", set(before) ^ set(titles_of(browser, "time-table")) == {"samples", "regime"}, titles_of(browser, "time-table"))
    show_columns(browser, "time-table", ["samples", "regime"])
    holds("and back", titles_of(browser, "time-table") == before)


def check_column_list(browser, page):
    """On a phone the list of columns stays on the page, and Escape closes it."""
    open_page(browser, page, 390)
    box = sheet(browser, "time-table").find_element(By.CSS_SELECTOR, "details.columns")
    box.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    rect = box.find_element(By.TAG_NAME, "div").rect
    holds("390 pixels: the list of columns fits", rect["x"] >= 0 and rect["x"] + rect["width"] <= 390 and browser.execute_script(
        "return document.documentElement.scrollWidth") <= 390, rect)
    box.find_element(By.TAG_NAME, "input").send_keys(Keys.ESCAPE)
    holds("Escape closes it", box.get_attribute("open") is None)


def check_stays(browser, page, width):
    """A table that is scrolled to its right end still shows variant and time side by side, and has room for a column."""
    open_page(browser, page, width)
    cells = browser.execute_script("""
        const table = document.getElementById('time-table'), box = table.closest('.scroll');
        box.scrollLeft = 10000;
        const of = (cell) => { const r = cell.getBoundingClientRect(); return [r.left, r.right]; }, edge = box.getBoundingClientRect();
        return [box.scrollLeft, [edge.left, edge.right], ...[table.tHead.rows[0], table.tBodies[0].rows[0]].map((row) => [of(row.cells[0]), of(row.cells[1])])];""")
    scrolled, (left, right), *rows = cells
    holds("%d pixels: variant and time never scroll away" % width, scrolled > 0 or width > 1000, scrolled)
    for (a, b), (c, d) in rows:
        holds("%d pixels: they stand side by side at the left" % width, abs(a - left) <= 2 and abs(b - c) <= 2 and d < right - 90, cells)


def check_doubts(browser):
    """A time that is doubtful by the database's rules is marked, and no other."""
    shown = browser.execute_script("""
        const data = [...document.querySelectorAll('#time-table tbody tr')].map((row) => row.cells[1]);
        return data.map((cell) => [cell.querySelector('.believed') !== null, (cell.querySelector('.doubt') || { textContent: '' }).textContent, cell.textContent]);""")
    words = {word for _, said, _ in shown for word in said.split(", ") if word}
    holds("words of doubt", words == {"not decided", "near the floor", "few samples"}, words)
    holds("a time is believed, doubted or none", all(believed != bool(said) or "CANNOT_TELL" in text for believed, said, text in shown), shown[:3])
    holds("both kinds are there", {believed for believed, _, _ in shown} == {True, False})


def check_notes(browser):
    """A speed-up names the one of its two times that is doubtful, in the words of the table of times."""
    list_of(browser, "time-table", "Clocks").select_by_visible_text("all")
    said = browser.execute_script("return [...document.querySelectorAll('#time-table tbody tr')].map((row) => (row.cells[1].querySelector('.doubt') || { textContent: '' }).textContent);")
    name = lambda row, variant: (row["case"], row["configuration"], variant, row["regime"], row["clock"])
    doubts = {name(row, row["variant"]): word for row, word in zip(rows_of(browser, "time-table"), said)}
    wrong, kinds = [], set()
    rows = rows_of(browser, "comparison-table")
    for row in rows:
        sides = [(v, doubts.get(name(row, v), "")) for v in dict.fromkeys((row["variant"], row["against"]))]
        expected = "; ".join("%s: %s" % side for side in sides if side[1])
        kinds.add(sum(bool(word) for _, word in sides))
        if (row["note"] or "") != expected:
            wrong.append((row, expected))
    holds("speed-ups say which of their times is doubted", rows and not wrong, wrong[:2])
    holds("of neither, of one, of both", kinds >= {0, 1, 2} or kinds >= {0, 2}, kinds)
    list_of(browser, "time-table", "Clocks").select_by_visible_text("those that decide")


# ---- legends ----

def legend_of(browser, part):
    return browser.find_elements(By.CSS_SELECTOR, "#%s .legend button" % part)


def check_legends(browser, page):
    """The keyboard reaches the buttons; they show and hide their data, and their state says so."""
    open_page(browser, page)
    pressed = lambda: [b.get_attribute("aria-pressed") for b in legend_of(browser, "sizes")]
    shown = lambda: browser.execute_script("const chart = Chart.getChart('size-chart'); return chart.data.datasets.map((d, i) => [d.belongsTo || d.label, chart.isDatasetVisible(i)]);")
    names = list(dict.fromkeys(name for name, _ in shown()))
    holds("a button for each curve, and none for its fit", [b.text for b in legend_of(browser, "sizes")] == names and len(names) > 1, names)
    holds("all are shown at first", set(pressed()) == {"true"})
    for key, is_shown in ((Keys.ENTER, False), (Keys.SPACE, True), (Keys.SPACE, False)):
        legend_of(browser, "sizes")[0].send_keys(key)
        holds("the curve and its fit are " + ("shown" if is_shown else "hidden"), all((name != names[0]) or visible == is_shown for name, visible in shown())
              and all(visible for name, visible in shown() if name != names[0]), shown())
        holds("the button says so", pressed() == [str(is_shown).lower()] + ["true"] * (len(names) - 1), pressed())
        holds("the keyboard stays there", browser.execute_script("return document.activeElement.closest('#sizes .legend') && document.activeElement.textContent;") == names[0])
    counts = browser.execute_script("return [...document.querySelectorAll('figure')].map((f) => [f.querySelector('canvas').id, f.querySelectorAll('.legend:not([hidden]) button').length, f.querySelectorAll('.legend img[alt=\"\"]').length]);")
    holds("a mark before each name", all(n == marks for _, n, marks in counts), counts)
    holds("a chart of bars alone has none", dict((c[0], c[1]) for c in counts)["speedup-chart"] == 0 < dict((c[0], c[1]) for c in counts)["roofline-chart"], counts)


def check_launches(browser):
    """Two equal launches are one row, with the time of both."""
    rows = [r for r in rows_of(browser, "launch-table") if r["variant"] == "vec4" and r["configuration"] == "n=65536"]
    holds("equal launches are one row", sorted(r["launches"] for r in rows) == ["1", "2"], rows)
    once, twice = sorted(rows, key=lambda r: r["launches"])
    holds("with the time of all", float(twice["time"]) == 2 * 400, twice)


# ---- the view in the address ----

def check_address(browser, page):
    open_page(browser, page)
    holds("a page as it is has no settings", address(browser) == "", address(browser))
    filter_of(browser, "time-table").send_keys("vec4")
    head_of(browser, "time-table", "of ceiling").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    show_columns(browser, "time-table", ["samples", "clock"])
    list_of(browser, "time-table", "Regime").select_by_visible_text("cold")
    choose(browser, "speedups", None, "stencil: cold, record clock")
    choose(browser, "speedups", "n", "all")
    choose(browser, "speedups", "side", "open")
    choose(browser, "history", None, "axpy/vec4/n=65536: cold, record clock")
    legend_of(browser, "sizes")[1].send_keys(Keys.SPACE)
    browser.find_element(By.CSS_SELECTOR, "#contents a[href='#history']").send_keys(Keys.ENTER)
    seen = view_of(browser)
    holds("a button of a legend hides a curve and its fit", [shown for _, shown in seen[-1]].count(False) == 2, seen[-1])
    link = browser.execute_script("return location.href;")
    holds("the address has part and settings", "#history?" in link and "time-table.find=vec4" in link, link)
    browser.get("about:blank")
    browser.get(link)
    wait_for_page(browser)
    holds("a link shows the same view", view_of(browser) == seen, seen, view_of(browser))
    holds("at the same part", abs(browser.find_element(By.ID, "history").rect["y"] - browser.execute_script("return scrollY;")) < 120)
    browser.execute_script("location.hash = '#times?time-table.find=naive&time-table.sort=-time&time-table.columns=nothing%7Cbe%20here&speedups=%3Cb%3E';")
    rows = rows_of(browser, "time-table")
    holds("another address on the same page is followed, and what it has not is ignored", rows and {r["variant"] for r in rows} == {"naive"}, rows[:2])
    for cut in ("#%", "#times%E2%8?time-table.find=naive"):
        open_page(browser, page, view=cut)
        holds("an address that was cut off, %s, shows the page" % cut, len(rows_of(browser, "time-table")) > 20 or "find" in cut, browser.title)
    holds("and its settings are read", {r["variant"] for r in rows_of(browser, "time-table")} == {"naive"})
    check_console(browser, "addresses")


def view_of(browser):
    return [rows_of(browser, "time-table"), titles_of(browser, "time-table"), lists_of(browser, "speedups"),
            [s.first_selected_option.text for s in map(Select, browser.find_elements(By.CSS_SELECTOR, "select"))],
            browser.execute_script("const chart = Chart.getChart('size-chart'); return chart.data.datasets.map((d, i) => [d.label, chart.isDatasetVisible(i)]);")]


# ---- a line to copy ----

def check_copy(browser, page):
    open_page(browser, page)
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    box = browser.find_element(By.CSS_SELECTOR, "#verdict-table .command")
    line = box.find_element(By.TAG_NAME, "code").text
    browser.execute_script("window.copied = null; navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };")
    box.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    holds("the line that repeats a failure can be copied", "--point" in line and "--seed" in line and browser.execute_script(
        "return window.copied;") == line, line)


# ---- nothing empty, and nothing that a screen reader cannot read ----

def check_nothing_empty(browser, what):
    empty = browser.execute_script("""
        const rows = (t) => [...t.tBodies[0].rows], bad = [];
        document.querySelectorAll('table').forEach((t) => rows(t).length || bad.push(t.id));
        document.querySelectorAll('main section').forEach((s) => s.querySelector('table, canvas') || bad.push(s.id));
        document.querySelectorAll('table').forEach((t) => [...t.tHead.rows[0].cells].forEach((th, i) =>
            rows(t).some((row) => row.cells[i].textContent.trim()) || bad.push(t.id + ' ' + th.textContent)));
        document.querySelectorAll('dd').forEach((d) => d.textContent.trim() || bad.push('dd'));
        return bad;""")
    holds(what + ": no part, table or column is empty", empty == [], empty)


def axe_script():
    """The rules of axe, from where ci/setup installs them."""
    here = os.path.dirname(os.path.abspath(__file__))
    found = glob.glob(os.path.join(here, "../../../build/python/lib/python3*/site-packages/axe_core_python/axe.min.js"))
    return open(found[0], encoding="utf-8").read() if found else None


# The longest tables are shortened, since axe examines every cell.
SHORT = "#?time-table.find=65536&comparison-table.find=65536&counter-table.find=65536&trial-table.find=262144+open+forward"


def check_axe(browser, pages):
    script = axe_script()
    if script is None:
        print("skipped: axe's rules (no build/python with axe-core-python: ci/setup makes it)")
        return
    for page in pages:
        for width, scheme in ((1280, "light"), (390, "dark")):
            open_page(browser, page, width, scheme, SHORT)
            browser.execute_script(script)
            found = browser.execute_async_script("const done = arguments[0]; axe.run().then((r) => done([r.passes.length, r.violations.map((v) => "
                                                 "[v.id, v.nodes.length, v.nodes[0].html.slice(0, 160), v.nodes[0].failureSummary])]));")
            holds("axe finds nothing in %s at %d pixels, %s" % (os.path.basename(page), width, scheme), found[0] > 20 and found[1] == [],
                  json.dumps(found, indent=1))


# ---- two runs ----

def is_shown(row, title, value):
    """A column without any value is not shown; JSON writes numbers as the cells of the page have them."""
    shown = row.get(title)
    return (float(shown) == value) if shown is not None else value is None


def note_of(change):
    sides = [side + ": " + change[name] for side, name in (("A", "doubt_a"), ("B", "doubt_b")) if change[name]]
    is_of_time_alone = change["verdict"] in ("SLOWER", "FASTER") and change["cycles_effect"] is None
    return "; ".join(sides + ["cycles unknown"] * is_of_time_alone)


def check_sides(changes, compared, others):
    """A change shows both of its times, the medians under their own name, and why a side is doubtful."""
    judged, left = [c for c in changes if c["kind"] == "compared"], [c for c in changes if c["kind"] != "compared"]
    holds("A and B are what is judged", judged and all(is_shown(r, "A", c["time_a_ns"]) and is_shown(r, "B", c["time_b_ns"]) for r, c in zip(compared, judged)),
          compared[:2])
    for what, rows, of in (("compared", compared, judged), ("not compared", others, left)):
        holds(what + ": medians are medians", of and all(
            is_shown(r, "median of A", c["median_a_ns"]) and is_shown(r, "median of B", c["median_b_ns"]) for r, c in zip(rows, of)), rows[:2])
        holds(what + ": notes", all((r.get("note") or "") == note_of(c) for r, c in zip(rows, of)), rows[:2])
    holds("a mean is not a median somewhere, and medians of what was not compared are known", any(
        c["time_a_ns"] != c["median_a_ns"] for c in judged) and any(c["median_b_ns"] is not None for c in left), judged[:1], left[:1])
    holds("some side is doubted", any(note_of(c) for c in judged), judged[:1])


def check_comparison(browser, assay, database, directory):
    """The page of two runs has the values that `assay compare` judges."""
    page, sides = os.path.join(directory, "compare.html"), [assay, "compare", "4", "5", "--db", database]
    said = subprocess.run([*sides, "--format", "json"], stdout=subprocess.PIPE, check=False)
    wrote = subprocess.run([*sides, "--format", "html", "--output", page], check=False)
    holds("compare writes a page and says the same", said.returncode == wrote.returncode and os.path.exists(page), said.returncode, wrote.returncode)
    data = json.loads(said.stdout)
    open_page(browser, page)
    judged = [c for c in data["changes"] if c["kind"] == "compared"]
    shown = rows_of(browser, "compared-table")
    holds("each line that is judged, with its change", len(shown) == len(judged) > 0 and all(
        (r["variant"], r["verdict"], float(r["change [95 %]"])) == (c["variant"], c["verdict"], c["effect"]) for r, c in zip(shown, judged)), shown[:2])
    interval = browser.find_element(By.CSS_SELECTOR, "#compared-table td.second").text
    check_sides(data["changes"], shown, rows_of(browser, "not-compared-table"))
    holds("with the interval", "[" in interval and "%" in interval, interval)
    banner = browser.find_element(By.ID, "banner").text
    holds("the banner counts as compare does", str(data["summary"]["slower"]) in banner and "SLOWER" in banner, banner)
    others = rows_of(browser, "not-compared-table")
    holds("and what was not compared", len(others) == len(data["changes"]) - len(judged), len(others))
    bars = browser.execute_script("return Chart.getChart('compared-chart').data.datasets[0].data;")
    holds("the chart has what changed", bars == [c["effect"] for c in judged if c["verdict"] != "SAME" and c["effect"] is not None][:40], bars[:3])
    check_nothing_empty(browser, "two runs")
    check_console(browser, "two runs")
    check_axe(browser, [page])


def check_use(browser, page):
    check_doubts(browser)
    check_notes(browser)
    check_launches(browser)
    check_filter(browser)
    check_sorting(browser)
    check_columns(browser)
    check_legends(browser, page)
    check_address(browser, page)
    check_copy(browser, page)
    check_column_list(browser, page)
    for width in (1280, 390):
        check_stays(browser, page, width)
    open_page(browser, page)
    check_nothing_empty(browser, "everything")
    check_axe(browser, [page])
