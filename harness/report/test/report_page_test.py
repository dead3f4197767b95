"""Tests the HTML report in headless Chromium: no errors, charts are drawn, nothing is wider than the page, names are shown
literally, and every value equals the database's. report_page_use.py tests the controls. Ends with 77 if there is no browser.

    report_page_test.py ASSAY TEST_REPORT_HTML
"""
import math
import os
import sqlite3
import subprocess
import sys
import tempfile

import report_page_browser
import report_page_charts
import report_page_use
from report_page_browser import (By, CHROMIUM, DRIVER, Select, check_console, choose, holds, list_of, lists_of, open_page, rows_of,
                                 show_columns, start_browser)


def same(shown, stored):
    if isinstance(stored, (int, float)) and shown is not None:
        return float(shown.replace("Infinity", "inf")) == float(stored)
    return shown == stored


def check_table(browser, name, columns, stored):
    shown = [[row.get(c) for c in columns] for row in rows_of(browser, name)]
    wrong = [(a, b) for a, b in zip(shown, stored) if not all(same(x, y) for x, y in zip(a, b))]
    holds("%s: %d rows equal the database's" % (name, len(stored)), len(shown) == len(stored) and not wrong and stored,
          len(shown), wrong[:2])


def check_values(browser, database):
    run = database.execute("SELECT max(run_id) FROM run").fetchone()[0]
    ask = lambda sql: database.execute(sql, (run,)).fetchall()
    check_table(browser, "verdict-table", ["case", "configuration", "variant", "verdict", "worst error / bound"], ask(
        "SELECT case_name, axes, variant, coalesce(verdict, 'not finished'), (SELECT max(worst_ratio) FROM check_result AS k "
        "WHERE k.point_id = v.point_id) FROM verdicts AS v WHERE run_id = ?1 ORDER BY outcome <> 'failed', ordinal"))
    check_table(browser, "verdict-table", ["variant", "reason"], [(v, r if r else "") for v, r in ask(
        "SELECT variant, reason FROM verdicts WHERE run_id = ?1 ORDER BY outcome <> 'failed', ordinal")])
    check_table(browser, "comparison-table", ["variant", "against", "regime", "ratio", "95 % from", "to", "finding"], ask(
        "SELECT variant, against, regime, ratio, lo, hi, finding FROM compared WHERE run_id = ?1 ORDER BY kind = "
        "'aa', ordinal, comparison_id"))
    list_of(browser, "time-table", "Clocks").select_by_visible_text("all")
    show_columns(browser, "time-table", ["q1", "q3"])
    timed = [row for row in rows_of(browser, "time-table") if row["time"] is not None]
    stored = ask("SELECT variant, axes, regime, clock, median_ns, q1_ns, q3_ns, gb_per_s FROM timed WHERE run_id = ?1 ORDER "
                 "BY ordinal, measurement_id")
    titles = ("variant", "configuration", "regime", "clock", "time", "q1", "q3", "GB/s")
    holds("times equal the database's", len(timed) == len(stored) and all(
        same(t[title], b) for t, s in zip(timed, stored) for title, b in zip(titles, s)))
    undecided = ask("SELECT count(*) FROM deciding WHERE run_id = ?1 AND cannot_tell IS NOT NULL")[0][0]
    cannot = [row for row in rows_of(browser, "time-table") if row["time"] is None]
    holds("CANNOT_TELL with its reason", len(cannot) == undecided > 0 and all(row["why"] for row in cannot))
    check_table(browser, "section-table", ["variant", "section", "time", "share"], ask(
        "SELECT p.variant, s.name, s.time_ns, s.share FROM point AS p JOIN section AS s USING (point_id) WHERE p.run_id = ?1 "
        "ORDER BY p.ordinal, s.section_id"))
    failed = ask("SELECT count(*) FROM verdicts WHERE run_id = ?1 AND outcome = 'failed'")[0][0]
    holds("the banner counts the failures", browser.find_element(By.ID, "count-failed").text == str(failed))


# ---- charts ----

def charts(browser):
    """For each canvas: its id, the number of pixels that are not empty, and whether it fits the page."""
    return browser.execute_script("""
        return [...document.querySelectorAll('canvas')].map((canvas) => {
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            let n = 0;
            for (let i = 3; i < pixels.length; i += 4) n += pixels[i] !== 0;
            return [canvas.id, n, canvas.getBoundingClientRect().right <= window.innerWidth, canvas.getAttribute('aria-label')];
        });""")


def check_charts(browser, what):
    drawn = charts(browser)
    holds("%s: all charts are there" % what, [c[0] for c in drawn] == ["speedup-chart", "size-chart", "rate-chart", "roofline-chart",
          "sample-chart", "seen-chart", "block-chart", "section-chart", "histogram-chart", "history-chart"], [c[0] for c in drawn])
    for name, pixels, fits, label in drawn:
        holds("%s: %s is drawn, fits and is described" % (what, name), pixels > 3000 and fits and label, pixels, fits)


def check_choice(browser):
    """If the long measurement is chosen, the page says that it was thinned out."""
    select = browser.find_element(By.CSS_SELECTOR, "#samples select")
    Select(select).select_by_visible_text("axpy/naive/n=16777216: cold, record")
    caption = browser.find_element(By.CSS_SELECTOR, "#samples figcaption").text
    holds("a long series says that it was downsampled", "24\u202f000" in caption and "Downsampled" in caption, caption)
    holds("every caption of a figure of times names a regime and a clock", all(
        any(r in c.text for r in ("cold", "hot")) and any(k in c.text for k in ("record", "event"))
        for c in browser.find_elements(By.CSS_SELECTOR, "section:not(#histograms) figcaption")))


# ---- choosing a configuration ----

def bars(browser):
    return browser.execute_script("""
        const { labels, datasets: [set] } = Chart.getChart('speedup-chart').data;
        return labels.map((label, i) => [label, set.data[i][1], set.intervals[i].lo, set.intervals[i].hi]);""")


def check_speedup_lists(browser, ask):
    sql = ("SELECT c.variant, c.axes, c.ratio, c.lo, c.hi FROM compared AS c WHERE c.run_id = ?1 AND c.case_name = 'stencil' "
           "AND c.ratio IS NOT NULL ORDER BY c.ordinal, c.comparison_id")
    choose(browser, "speedups", None, "stencil: cold, record clock")
    chosen = lists_of(browser, "speedups")
    holds("a list for each axis with several values", list(chosen) == ["n", "side", "pass"], chosen)
    stored = ask(sql)
    holds("few bars at first, of the largest size", len(stored) == 22 and chosen == {"n": "4\u202f194\u202f304", "side": "all",
          "pass": "all"} and len(bars(browser)) == 8, chosen, len(bars(browser)))
    choose(browser, "speedups", "n", "all")
    holds("all bars on demand", [b[1:] for b in bars(browser)] == [list(s[2:]) for s in stored])
    choose(browser, "speedups", "side", "open")
    choose(browser, "speedups", "pass", "backward")
    wanted = [s for s in stored if "side=open;pass=backward" in s[1]]
    holds("bars of one configuration equal the database's", len(wanted) == 4 and [b[1:] for b in bars(browser)] == [list(s[2:]) for s in wanted],
          bars(browser)[:2], wanted[:2])
    labels = [b[0] for b in bars(browser)]
    holds("labels: variant first, no axis that all share", labels[0].startswith("tiled, n=") and not any(
        word in label for label in labels for word in ("side", "pass", "kind", "open")), labels)


def check_empty_choice(browser):
    figure, caption = "#speedups figure .canvas", "#speedups figcaption"
    choose(browser, "speedups", "n", "262\u202f144")
    holds("a choice without rows says so", not browser.find_element(By.CSS_SELECTOR, figure).is_displayed()
          and "no speed-up was told" in browser.find_element(By.CSS_SELECTOR, caption).text)
    choose(browser, "speedups", "n", "all")
    holds("and the figure comes back", browser.find_element(By.CSS_SELECTOR, figure).is_displayed() and len(bars(browser)) == 4)


def check_size_lists(browser, ask):
    choose(browser, "sizes", None, "stencil: cold, along n")
    holds("no list for the axis along which, none says all", lists_of(browser, "sizes") == {"side": "closed", "pass": "forward"},
          lists_of(browser, "sizes"))
    choose(browser, "sizes", "pass", "backward")
    shown = browser.execute_script("""
        return Chart.getChart('size-chart').data.datasets.filter((d) => d.label !== 'fit')
            .flatMap((d) => d.data.map((p) => [d.label, p.x, p.y]));""")
    stored = ask("SELECT t.variant, p.cells, t.median_ns FROM timed AS t JOIN point AS p USING (point_id) WHERE t.run_id = ?1 AND "
                 "t.case_name = 'stencil' AND t.axes LIKE '%side=closed;pass=backward%' ORDER BY t.ordinal")
    holds("curves of one configuration equal the database's", len(stored) == 9 and sorted(shown) == sorted(map(list, stored)),
          shown[:2], stored[:2])
    choose(browser, "sizes", "pass", "all")
    both = browser.execute_script(drawn, "size-chart")
    stored = ask("SELECT t.variant || ', pass=' || iif(t.axes LIKE '%pass=backward%', 'backward', 'forward'), p.cells, t.median_ns "
                 "FROM timed AS t JOIN point AS p USING (point_id) WHERE t.run_id = ?1 AND t.case_name = 'stencil' "
                 "AND t.axes LIKE '%side=closed;%' ORDER BY t.ordinal")
    holds("all words of an axis: a curve for each variant and word", len(stored) == 18 and alike(
        [p for p in both if p[0] != "fit"], stored), both[:2], stored[:2])
    choose(browser, "sizes", "pass", "backward")
    fits = [(r["variant"], "a [95 %]" in r, r["note"]) for r in rows_of(browser, "fit-table")]
    holds("a row for each variant, with the reason where there is no curve", fits == [
        (v, False, "fewer than 4 sizes") for v in ("plain", "tiled", "fused")], fits)


drawn = "return Chart.getChart(arguments[0]).data.datasets.flatMap((d) => d.data.map((p) => [d.label, p.x, p.y]));"


def alike(shown, stored):
    return len(shown) == len(stored) and all(
        a[:2] == list(b[:2]) and math.isclose(a[2], b[2], rel_tol=1e-12) for a, b in zip(sorted(shown), sorted(stored)))


def check_rate_lists(browser, ask):
    choose(browser, "rates", None, "stencil: cold, along n")
    holds("no list for the axis along which", set(lists_of(browser, "rates")) == {"side", "pass"}, lists_of(browser, "rates"))
    choose(browser, "rates", "side", "closed")
    choose(browser, "rates", "pass", "backward")
    shown = browser.execute_script(drawn, "rate-chart")
    stored = ask("SELECT t.variant, a.value_x, p.cells / t.median_ns * m.value FROM timed AS t JOIN point AS p USING (point_id) JOIN "
                 "metric AS m ON m.point_id = p.point_id AND m.name = 'useful' JOIN axis_value "
                 "AS a ON a.config_id = p.config_id AND a.name = 'n' WHERE t.run_id = ?1 AND t.case_name = 'stencil' AND t.axes LIKE "
                 "'%side=closed;pass=backward%'")
    holds("rates of one configuration equal the database's, times the case's fact", len(stored) == 9 and alike(shown, stored),
          shown[:2], stored[:2])
    caption = browser.find_element(By.CSS_SELECTOR, "#rates figcaption").text
    holds("the caption says so", "times useful as the check found it" in caption, caption)
    choose(browser, "rates", None, "stencil: cold, along warps")
    holds("no list for the axis that the fact follows", set(lists_of(browser, "rates")) == {"side", "pass"}, lists_of(browser, "rates"))
    choose(browser, "rates", "side", "closed")
    choose(browser, "rates", "pass", "backward")
    shown = browser.execute_script(drawn, "rate-chart")
    holds("along the case's fact", alike(shown, [(v, x // 32, y) for v, x, y in stored]), shown[:2])


def check_tuning_rates(browser, ask):
    """The trials of one tuning value, with the other one as in the chosen trial."""
    choose(browser, "rates", None, "stencil: hot, along chunk (tuning)")
    choices = [o.text for o in Select(browser.find_element(By.CSS_SELECTOR, "#rates select")).options]
    holds("a tuning value of which there are two gives no curve", "stencil: hot, along tile (tuning)" not in choices, choices)
    for axis, text in (("n", "262\u202f144"), ("side", "open"), ("pass", "forward")):
        choose(browser, "rates", axis, text)
    shown = browser.execute_script(drawn, "rate-chart")
    stored = ask("SELECT p.variant, CAST(substr(x.tuning, 7) AS INTEGER), p.cells / x.median_ns * 0.75 FROM tuning_trial AS x JOIN point "
                 "AS p USING (point_id) WHERE p.run_id = ?1 AND p.key = 'stencil/tiled/n=262144/side=open/pass=forward/kind=plain' AND "
                 "x.tuning LIKE '%,tile=1'")
    holds("rates along a tuning value equal the database's", len(stored) == 3 and alike(shown, stored), shown, stored)


def check_histograms(browser, ask):
    choose(browser, "histograms", None, "stencil: fused")
    for axis, text in (("n", "262\u202f144"), ("side", "closed"), ("pass", "backward")):
        choose(browser, "histograms", axis, text)
    bars = browser.execute_script("""
        const { labels, datasets } = Chart.getChart('histogram-chart').data;
        return [labels, datasets.map((d) => [d.label, d.data])];""")
    holds("bins from the first that has something to the last", bars == [["16", "32", "64"], [["wait", [0.25, 0, 0.75]]]], bars)
    names = [r["counter"] for r in rows_of(browser, "counter-table")]
    holds("the table of counters leaves them out", "useful" in names and not any(".2e" in n for n in names), names[:8])


def check_roofline_lists(browser, ask):
    holds("the roofline begins with everything", set(lists_of(browser, "roofline").values()) == {"all"}, lists_of(browser, "roofline"))
    choose(browser, "roofline", "pass", "forward")
    n = browser.execute_script("""
        return Chart.getChart('roofline-chart').data.datasets.flatMap((d) => d.data.filter((p) => p.row)).map((p) => p.point.axes);""")
    said = browser.execute_script("""
        const { data, options } = Chart.getChart('roofline-chart');
        return options.plugins.tooltip.callbacks.label({ raw: data.datasets.flatMap((d) => d.data.filter((p) => p.row))[0] });""")
    holds("hovering says variant, configuration, share of the ceiling and clock", said[0].startswith("stencil plain, n=262")
          and "pass=forward" in said[0] and "ceiling" in said[2] and "record clock" in said[3], said)
    holds("points of one choice", len(n) == 18 and all("pass=forward" in axes for axes in n), len(n))


def check_summary(browser, ask):
    rows = rows_of(browser, "summary-table")
    shown = {(r["case"], r["variant"]): r for r in rows}
    stored = ask("SELECT case_name, variant, count(*), sum(outcome = 'passed'), sum(outcome = 'failed') FROM verdicts WHERE "
                 "run_id = ?1 GROUP BY case_name, variant")
    holds("the summary counts as the database does", len(shown) == len(stored) and all(
        [float(shown[s[0], s[1]][title]) for title in ("points", "passed", "failed")] == list(map(float, s[2:5])) for s in stored), stored[:2])
    worst = ask("SELECT max(worst_ratio) FROM check_result JOIN verdicts USING (point_id) WHERE run_id = ?1 AND case_name = 'stencil' "
                "AND variant = 'fused'")[0][0]
    fused = shown["stencil", "fused"]
    holds("and has the worst ratio", float(fused["worst error / bound"]) == worst, fused, worst)
    holds("what variants are, where a case says so", fused["is"] == "fused & its planes" and shown["axpy", "naive"]["is"] == "", fused)
    failed = [float(r["failed"]) > 0 for r in rows]
    holds("failures come first", failed[0] and failed == sorted(failed, reverse=True), failed)
    text = browser.find_element(By.CSS_SELECTOR, "dl.facts").text
    holds("an axis with one value is named once", "stencil: kind=plain" in text and not any(
        "kind=" in c.text for c in browser.find_elements(By.CSS_SELECTOR, "#verdict-table td.config")), text)


def check_lists(browser, database):
    run = database.execute("SELECT max(run_id) FROM run").fetchone()[0]
    ask = lambda sql: database.execute(sql, (run,)).fetchall()
    check_summary(browser, ask)
    report_page_charts.check_intervals(browser, ask)
    report_page_charts.check_distribution(browser, ask)
    report_page_charts.check_cards(browser, ask)
    check_speedup_lists(browser, ask)
    check_empty_choice(browser)
    check_size_lists(browser, ask)
    check_rate_lists(browser, ask)
    check_tuning_rates(browser, ask)
    check_histograms(browser, ask)
    check_roofline_lists(browser, ask)


# ---- the page as a whole ----

def check_names(browser, database):
    run = database.execute("SELECT max(run_id) FROM run").fetchone()[0]
    host = database.execute("SELECT host FROM run WHERE run_id = ?", (run,)).fetchone()[0]
    facts = browser.find_element(By.CSS_SELECTOR, "dl.facts").text
    holds("the host's name is text", host.replace("\n", "\\n") in facts, facts)
    holds("no name became an element", not browser.find_elements(By.CSS_SELECTOR, "dd b, td script, td b, option b"))
    cells = browser.execute_script("return [...document.querySelectorAll('#verdict-table td')].map((cell) => cell.textContent);")
    for name in ("<script>alert(1)</script>", "'; DROP TABLE run; --", "line\\nbreak", "\\u001b[31mred", "a,b"):
        holds("shown as it is: " + name, name in cells)


def check_widths(browser, path):
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            what = "%d pixels, %s" % (width, scheme)
            open_page(browser, path, width, scheme)
            holds(what + ": the page is no wider", browser.execute_script(
                "return document.documentElement.scrollWidth") <= width)
            paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            light = sum(int(x) for x in paper[4:-1].split(",")) > 3 * 128
            holds(what + ": the colours follow", light == (scheme == "light"), paper)
            check_charts(browser, what)
            check_console(browser, what)


def check_empty(browser, assay, directory):
    """A run with checks only: there is no empty part, chart, table or column."""
    database, page = os.path.join(directory, "host.db"), os.path.join(directory, "host.html")
    subprocess.run([assay, "check", "axpy", "--device", "host", "--axis", "n=64", "--db", database],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([assay, "report", "--db", database, "--format", "html", "--output", page], check=True)
    open_page(browser, page)
    holds("without times there is no chart", not browser.find_elements(By.TAG_NAME, "canvas"))
    parts = [s.get_attribute("id") for s in browser.find_elements(By.CSS_SELECTOR, "main section")]
    holds("nor a part for them", parts == ["verdicts"], parts)
    report_page_use.check_nothing_empty(browser, "a run without times")
    check_console(browser, "a run without times")


def main(assay, writer):
    if not os.path.exists(CHROMIUM) or not os.path.exists(DRIVER):
        print("no chromium here: install chromium and chromium-driver")
        return 77
    with tempfile.TemporaryDirectory() as directory:
        path, page = os.path.join(directory, "page.db"), os.path.join(directory, "page.html")
        subprocess.run([writer, path], check=True)
        subprocess.run([assay, "report", "--db", path, "--format", "html", "--output", page], check=True)
        database, browser = sqlite3.connect(path), start_browser(directory)
        try:
            open_page(browser, page)
            if browser.execute_script("return typeof Chart") == "undefined":
                print("this program was built without the chart library: install libjs-chart.js")
                return 77
            check_console(browser, "opened from disk")
            check_values(browser, database)
            check_names(browser, database)
            report_page_charts.check_fit(browser)
            check_choice(browser)
            check_lists(browser, database)
            report_page_use.check_use(browser, page)
            check_widths(browser, page)
            check_empty(browser, assay, directory)
            report_page_charts.check_roofs(browser, assay, directory)
            report_page_use.check_comparison(browser, assay, path, directory)
        finally:
            browser.quit()
            database.close()
    print("%d wrong" % report_page_browser.failures)
    return report_page_browser.failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
