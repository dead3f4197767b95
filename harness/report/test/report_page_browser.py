"""What looks at a page of the HTML report in headless Chromium: opening it, reading its tables, choosing in its lists. Ends with
77 where there is no browser to ask.
"""
import os
import sys

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select
except ImportError:
    print("no selenium here: install python3-selenium")
    sys.exit(77)

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
failures = 0


def holds(what, condition, *seen):
    global failures
    print(("ok    " if condition else "WRONG ") + what, *(() if condition else seen))
    failures += not condition


def start_browser(directory):
    options = Options()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--user-data-dir=" + os.path.join(directory, "profile")):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(DRIVER))


def open_page(browser, path, width=1280, scheme="light"):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.get("file://" + path)


def rows_of(browser, table):
    """data-value of every cell; None where the database has no value."""
    return browser.execute_script("""
        return [...document.querySelectorAll('#' + arguments[0] + ' tbody tr')].map((row) =>
            [...row.cells].map((cell) => cell.dataset.value === undefined ? null : cell.dataset.value));""", table)


def choose(browser, part, axis, text):
    """Chooses in the list of an axis; with axis None in the first list of that part."""
    name = "#%s .controls.axes select[data-axis='%s']" % (part, axis) if axis else "#%s select" % part
    Select(browser.find_element(By.CSS_SELECTOR, name)).select_by_visible_text(text)


def lists_of(browser, part):
    found = browser.find_elements(By.CSS_SELECTOR, "#%s .controls.axes select" % part)
    return {s.get_attribute("data-axis"): Select(s).first_selected_option.text for s in found}
