"""Functions to examine a page of the HTML report in headless Chromium: open it, read its tables, choose in its lists. Ends
with 77 if there is no browser.
"""
import os
import sys

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
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
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    browser.set_script_timeout(600)  # only ends a script that hangs
    return browser


def wait_for_page(browser):
    """Waits, since the page unpacks its data before it draws."""
    WebDriverWait(browser, 60, 0.05).until(lambda b: b.execute_script("return document.documentElement.dataset.isDrawn"))


def open_page(browser, path, width=1280, scheme="light", view="", media=""):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.get("about:blank")  # an address that differs only after '#' would load nothing
    browser.get("file://" + path + view)
    wait_for_page(browser)


def rows_of(browser, table):
    """For each row, the data-value of every cell by the title of its column; None if the database has no value."""
    return browser.execute_script("""
        const table = document.getElementById(arguments[0]), titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
        return [...table.tBodies[0].rows].map((row) => Object.fromEntries(
            [...row.cells].map((cell, i) => [titles[i], cell.dataset.value === undefined ? null : cell.dataset.value])));""", table)


def titles_of(browser, table):
    return browser.execute_script("return [...document.querySelectorAll('#' + arguments[0] + ' th')].map((cell) => cell.textContent);", table)


def sheet(browser, table):
    """The element around a table, with its lists, its filter and its columns."""
    return browser.find_element(By.XPATH, "//div[@class='sheet'][.//table[@id='%s']]" % table)


def list_of(browser, table, label):
    return Select(sheet(browser, table).find_element(By.XPATH, ".//label[starts-with(., '%s')]/select" % label))


def show_columns(browser, table, titles):
    """Ticks or unticks these columns in the list of columns, which is opened and closed with the keyboard."""
    box = sheet(browser, table).find_element(By.CSS_SELECTOR, "details.columns")
    box.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    for title in titles:
        box.find_element(By.XPATH, ".//label[.='%s']/input" % title).send_keys(Keys.SPACE)
    box.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)


def choose(browser, part, axis, text):
    """Chooses a value in the list of an axis; with axis None, in the first list of this part."""
    name = "#%s .controls.axes select[data-axis='%s']" % (part, axis) if axis else "#%s select" % part
    Select(browser.find_element(By.CSS_SELECTOR, name)).select_by_visible_text(text)


def lists_of(browser, part):
    found = browser.find_elements(By.CSS_SELECTOR, "#%s .controls.axes select" % part)
    return {s.get_attribute("data-axis"): Select(s).first_selected_option.text for s in found}


def check_console(browser, what):
    said = [e["message"] for e in browser.get_log("browser")]
    holds(what + ": nothing in the console", not said, said[:3])
    asked = [e["message"] for e in browser.get_log("performance")
             if '"Network.requestWillBeSent"' in e["message"] and '"documentURL":"file://' in e["message"]]
    other = [m for m in asked if '"url":"file://' not in m and '"url":"data:' not in m]
    holds(what + ": nothing is loaded", asked and not other, other[:2])
