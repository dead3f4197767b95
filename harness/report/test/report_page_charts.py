"""Tests that charts of the HTML report agree with the database: fits, error bars, distributions, cards, roofs."""
import math
import os
import sqlite3
import subprocess

import report_page_use
from report_page_browser import By, choose, holds, open_page, rows_of

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")


def check_fit(browser):
    """The times in the database are 1908 + 0.01317 n ns: the curve has this formula, and is drawn through them. The slope is
    that of a line through the logarithms of the table's rows that are not near the floor."""
    shown = [r for r in rows_of(browser, "fit-table") if r["variant"] == "strided"]
    a, b, c = [float(shown[0][title + " [95 %]"]) for title in "abc"]
    holds("the numbers of the curve", len(shown) == 1 and math.isclose(b, 1, rel_tol=1e-6) and math.isclose(c, 1908, rel_tol=1e-6)
          and math.isclose(a, 12 / 2800 * 2.9 * 1.06, rel_tol=1e-4), shown)
    lines = browser.execute_script("""
        return Chart.getChart('size-chart').data.datasets.filter((d) => d.label === 'fit').map((d) => d.data.map((p) => [p.x, p.y]));""")
    holds("a curve for each variant, from the first size to the last", len(lines) == 3 and all(
        (round(line[0][0]), round(line[-1][0])) == (1 << 14, 1 << 24) for line in lines), [len(line) for line in lines])
    holds("the curve is the fit", all(math.isclose(y, a * x ** b + c, rel_tol=1e-9) for x, y in lines[2]), lines[2][:2])
    points = [(float(r["configuration"].split("=")[1]), float(r["time"])) for r in rows_of(browser, "time-table")
              if r["variant"] == "strided" and (r["regime"], r["clock"]) == ("cold", "record") and float(r["time"]) >= 4500]
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)
    holds("the slope", len(points) >= 3 and math.isclose(float(shown[0]["log-log slope"]), slope, rel_tol=1e-9), shown, slope)


def check_intervals(browser, ask):
    """Error bars are the intervals of the table; the marks of doubtful times are small."""
    choose(browser, "sizes", None, "axpy: cold, along n")
    shown = browser.execute_script("""
        return Chart.getChart('size-chart').data.datasets.filter((d) => d.label === 'vec4').flatMap((d) => d.data.map((p, i) => [p.x, d.intervals[i].lo, d.intervals[i].hi, d.pointRadius[i]]));""")
    stored = ask("SELECT p.cells, m.median_ns, max(m.process_spread / 2, 1.82 * (m.q3_ns - m.q1_ns) / sqrt(m.n_samples) / m.median_ns), m.is_below_floor "
                 "FROM timed AS m JOIN point AS p USING (point_id) WHERE m.run_id = ?1 AND m.case_name = 'axpy' AND m.variant = 'vec4' AND m.decides = 1 ORDER BY p.cells")
    holds("error bars of times", len(stored) == 6 and len(shown) == 6 and all(x == n and math.isclose(lo, t * (1 - u)) and math.isclose(hi, t * (1 + u))
          for (x, lo, hi, _), (n, t, u, _) in zip(shown, stored)), shown, stored)
    holds("small marks near the floor", [r < 4 for *_, r in shown] == [bool(near) for *_, near in stored] and {r < 4 for *_, r in shown} == {True, False}, shown)
    rates = browser.execute_script("return Chart.getChart('roofline-chart').data.datasets.filter((d) => d.label === 'axpy vec4').map((d) => [d.data[5].y, d.intervals[5].lo, d.intervals[5].hi]);")
    t, u = stored[5][1:3]
    holds("error bars of rates", all(math.isclose(a, b) for a, b in zip(rates[0], [2 * stored[5][0] / x for x in (t, t * (1 + u), t * (1 - u))])), rates, stored[5])


def check_distribution(browser, ask):
    choose(browser, "samples", None, "axpy/naive/n=16384: cold, record")
    seen = browser.execute_script("return Chart.getChart('seen-chart').data.datasets[0].data;")
    caption = browser.find_element(By.CSS_SELECTOR, "#samples .pair figcaption").text
    holds("how often which time was seen: all 120 but those beyond the ends", sum(seen) == 117 and len(seen) == 40 and "3 slower" in caption, seen, caption)
    blocks = browser.execute_script("return Chart.getChart('block-chart').data.datasets.map((d) => [d.label, d.data.map((p) => [p.x, p.y])]);")
    stored = ask("SELECT b.process, b.block + 1, round(b.median_ns, 1) FROM sample_block AS b JOIN measurement AS m USING (measurement_id) JOIN point AS p USING (point_id) WHERE "
                 "p.run_id = ?1 AND p.key = 'axpy/naive/n=16384' AND m.regime = 'cold' AND m.clock = 'record' ORDER BY b.block")
    holds("the middles of blocks, by process", len(blocks) == 3 and [["process %d" % p, x, y] for p, x, y in stored] == [
        [name, *point] for name, points in blocks for point in points], blocks, stored)


def check_cards(browser, ask):
    choose(browser, "history", None, "axpy/vec4/n=65536: cold, record clock")
    cards = browser.execute_script("return Chart.getChart('history-chart').data.datasets.map((d) => [d.label, d.data.filter((y) => y !== null).length]);")
    holds("a history card by card", cards == [["card GPU-5678", 1], ["card GPU-1234", 4]], cards)
    rows = rows_of(browser, "history-table")
    began = [(r["run"], r["segment begins"] or "") for r in rows]
    holds("segments begin where something changed", [run for run, text in began if text] == ["2", "4"] and "device" in began[1][1]
          and "driver" in began[3][1], began)
    stored = ask("SELECT m.median_ns FROM timed AS m JOIN point AS p USING (point_id) WHERE p.key = 'axpy/vec4/n=65536' AND m.decides = 1 AND ?1 > 0 ORDER BY m.run_id")
    holds("with the database's times", [float(r["median"]) for r in rows] == [t for t, in stored], rows, stored)


def check_roofs(browser, assay, directory):
    """A real run: the chart names the memory whose roof applies."""
    path, page = os.path.join(directory, "axpy.db"), os.path.join(directory, "axpy.html")
    subprocess.run([assay, "import", os.path.join(TREE, "results/baseline/h200/axpy.csv"), "--db", path], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([assay, "report", "--db", path, "--format", "html", "--output", page], check=True)
    stored = sqlite3.connect(path).execute(
        "SELECT max(iif(m.working_set_bytes <= s.l2_bytes, ceiling_bytes_per_s, 0)), max(iif(m.working_set_bytes > s.l2_bytes, ceiling_bytes_per_s, 0)) FROM "
        "measurement AS m JOIN point USING (point_id) JOIN run USING (run_id) JOIN device_state AS s USING (device_state_id) WHERE m.decides = 1 AND m.regime = 'hot' "
        "AND run_id = (SELECT max(run_id) FROM run)").fetchone()
    open_page(browser, page, view="#?roofline=hot")
    shown = browser.execute_script("return Chart.getChart('roofline-chart').data.datasets.filter((d) => d.name).map((d) => [d.name, d.data[0].y / d.data[0].x * 1e9]);")
    holds("roofs of L2 and DRAM by name", [name for name, _ in shown] == ["L2", "DRAM", "fp32"] and all(
        math.isclose(a, b) for (_, a), b in zip(shown, stored)), shown, stored)
    report_page_use.check_nothing_empty(browser, "an imported run")
