"""A run with a million samples gives a page of less than a megabyte, which opens. Prints how long that takes. Ends with 77 if
there is no browser.

    report_page_large.py ASSAY TEST_REPORT_HTML
"""
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile

import report_page_browser
from report_page_browser import By, CHROMIUM, DRIVER, check_console, holds, open_page, rows_of, start_browser


def check_large(browser, assay, writer, directory):
    path, page = os.path.join(directory, "large.db"), os.path.join(directory, "large.html")
    subprocess.run([writer, path, "large"], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([assay, "report", "--db", path, "--format", "html", "--output", page], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print("the report took %.2f s of CPU" % (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime))
    samples, measurements = sqlite3.connect(path).execute("SELECT sum(n_samples), count(*) FROM measurement").fetchone()
    size = os.path.getsize(page)
    print("%d samples of %d measurements: %d bytes" % (samples, measurements, size))
    holds("a million samples on less than a megabyte", samples >= 1000000 and size < 1000000, samples, size)
    open_page(browser, page)
    holds("it opens, with the first rows of each table", len(rows_of(browser, "time-table")) == 200)
    browser.find_element(By.XPATH, "//div[@class='sheet'][.//table[@id='time-table']]/button").click()
    holds("and all on demand", len(rows_of(browser, "time-table")) == measurements / 2)
    seen = browser.execute_script("return Chart.getChart('seen-chart').data.datasets[0].data.reduce((a, b) => a + b);")
    caption = browser.find_element(By.CSS_SELECTOR, "#samples .pair figcaption").text
    beyond = sum(int(word) for word in caption.replace(",", " ").split() if word.isdigit()) if "Beyond" in caption else 0
    holds("every sample of a measurement is in its distribution", seen + beyond == 1002, seen, caption)
    check_console(browser, "a large page")


def main(assay, writer):
    if not os.path.exists(CHROMIUM) or not os.path.exists(DRIVER):
        print("no chromium here: install chromium and chromium-driver")
        return 77
    with tempfile.TemporaryDirectory() as directory:
        browser = start_browser(directory)
        try:
            check_large(browser, assay, writer, directory)
        finally:
            browser.quit()
    print("%d wrong" % report_page_browser.failures)
    return report_page_browser.failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
