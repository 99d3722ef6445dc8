"""Drives each live piece of build/docs/html in Chromium, as a file, with the network off: clicks, types and drags.

usage: check_live.py FOLDER BUILD [PIECE...]

All that a page asked of its program and all that it was told is kept, asked again of the same program compiled natively
(BUILD/tutorials/live_PIECE), and must agree within 1e-5. What the page then shows must be what it was told. A page must
stay below 2 MB, answer a touch within 100 ms, and have its still figure for readers without JavaScript. Prints each
fault with its piece, and "N passed, N failed".
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

from check_pages import ALLOWED, REQUESTS, WIDE, browser, set_width
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

MOST_BYTES, MOST_MS, NEAR, PATIENCE = 2_000_000, 100, 1e-5, 120

BEFORE = """
window.liveCalls = [];
window.liveTouches = [];
new PerformanceObserver(seen => {
  for (const e of seen.getEntries()) window.liveTouches.push([e.name, e.processingEnd - e.processingStart]);
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
"""
CALLS = "return window.liveCalls.map(call => [call[0], [...call[1]], [...call[2]]])"


class Piece:
    """A live piece in a browser."""

    def __init__(self, driver):
        self.driver = driver
        self.root = driver.find_element(By.CSS_SELECTOR, "section.live .working")
        driver.execute_script("arguments[0].scrollIntoView()", self.root)

    def find(self, what):
        return self.root.find_element(By.CSS_SELECTOR, what)

    def texts(self, what):
        return [e.text for e in self.root.find_elements(By.CSS_SELECTOR, what)]

    def click(self, what):
        self.find(what).click()

    def type(self, what, words):
        field = self.find(what)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(words)

    def calls(self, name):
        """[arguments, results] of each call of a function so far."""
        return [call[1:] for call in self.driver.execute_script(CALLS + ".filter(call => call[0] === arguments[0])", name)]

    def until(self, happened, what):
        end = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {PATIENCE} s for {what}")
            time.sleep(0.1)

    def settle(self, name, count=1):
        """Until a function has been called so often, and the page shows it."""
        counted = "return window.liveCalls.filter(call => call[0] === arguments[0]).length"
        self.until(lambda: self.driver.execute_script(counted, name) >= count, f"{count} x {name}")
        time.sleep(0.2)


def train(piece):
    """Trains for some steps, stops, writes, and begins again with another rate."""
    piece.click("button.run")
    piece.settle("learn", 25)
    piece.click("button.run")
    time.sleep(1)
    steps = len(piece.calls("learn"))
    time.sleep(1)
    yield "it does not stop", len(piece.calls("learn")) == steps
    yield f"the curve's words are {piece.find('svg').get_attribute('aria-label')!r}", f"after {steps} steps" in piece.find(
        "svg"
    ).get_attribute("aria-label")
    piece.type("input.prompt", "A fox ")
    piece.click("button.write")
    piece.settle("babble", 2)
    written = bytes(map(int, piece.calls("babble")[-1][1])).decode()
    shown = piece.texts("td code")[0].split()
    yield f"shows {shown}, not {written!r}", shown == ("A fox " + written.replace("\n", "/")).split()
    held_out = f"{piece.calls('held_out_loss')[-1][1][0]:.2f}"
    yield f"does not show the held-out loss {held_out}", held_out in piece.texts("td")
    Select(piece.find("select.rate")).select_by_visible_text("0.0005")
    piece.click("button.run")
    piece.settle("learn", steps + 5)
    piece.click("button.run")
    losses = [answer[0] for _, answer in piece.calls("learn")]
    yield "a new model begins elsewhere", abs(losses[0] - losses[steps]) < NEAR
    yield "another rate learns the same", abs(losses[4] - losses[steps + 4]) > 1e-3


PIECES = {"train": train}


def differences(build, name, calls):
    """What the native program answers otherwise than the page's."""
    lines = "".join(f"{function} {' '.join(map(repr, numbers))}\n" for function, numbers, _ in calls)
    run = subprocess.run([pathlib.Path(build, "tutorials", f"live_{name}")], input=lines, capture_output=True, text=True)
    answers = [list(map(float, line.split())) for line in run.stdout.splitlines()]
    if run.returncode != 0 or len(answers) != len(calls):
        return [f"the native program answered {len(answers)} of {len(calls)} calls: {run.stderr.strip()}"]
    faults = []
    for i, ((function, _, here), native) in enumerate(zip(calls, answers)):
        if len(here) != len(native):
            faults.append(f"call {i}, {function}: {len(here)} numbers, natively {len(native)}")
        elif far := [(a, b) for a, b in zip(here, native) if not abs(a - b) <= NEAR * max(1, abs(b))]:
            faults.append(f"call {i}, {function}: {far[0][0]!r}, natively {far[0][1]!r}")
    return faults[:3]


def faults_of(driver, folder, page, build, name):
    file = folder / page
    text = file.read_text()
    if (size := file.stat().st_size) >= MOST_BYTES:
        yield f"the page has {size} bytes"
    if not re.search(r'<div class="still">\s*<(table|svg|figure|p)\b', text) or '<div class="working" hidden' not in text:
        yield "there is nothing to see without JavaScript"
    driver.get(file.as_uri())
    piece = Piece(driver)
    try:
        yield from (fault for fault, well in PIECES[name](piece) if not well)
    except TimeoutError as late:
        yield str(late)
    touches = driver.execute_script("return window.liveTouches")
    slow = max((ms for _, ms in touches), default=0)
    if slow > MOST_MS:
        yield f"a touch kept the page busy for {slow:.0f} ms"
    yield from (f"console: {e['message']}" for e in driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING"))
    outside = [url for url in driver.execute_script(REQUESTS) if not url.startswith((folder.as_uri(), *ALLOWED))]
    yield from (f"asks for {url}" for url in outside)
    calls = driver.execute_script(CALLS)
    yield from differences(build, name, calls)
    print(f"{name}: {page}, {size // 1000} kB, {len(calls)} calls, busy for {slow:.0f} ms at most after a touch", flush=True)


def main():
    folder, build, *names = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    found = {}  # each piece's page, where it runs
    for file in sorted(folder.glob("chapter*.html")):
        text = file.read_text()
        if (piece := re.search(r'<section class="live" data-piece="(\w+)"', text)) and '<div class="working"' in text:
            found[piece[1]] = file.name
    failed = 0
    for name in names or found:
        with tempfile.TemporaryDirectory() as profile:
            driver = browser(profile)
            try:
                set_width(driver, WIDE)
                driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BEFORE})
                faults = list(dict.fromkeys(faults_of(driver, folder, found[name], build, name)))
            finally:
                driver.quit()
        failed += bool(faults)
        print("".join(f"  {fault}\n" for fault in faults), end="")
    print(f"{len(names or found) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
