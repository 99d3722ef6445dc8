"""Looks at every page of build/docs/html in Chromium, as a file, with the network off.

usage: check_pages.py FOLDER [PAGE...]

Each page must load without an error in the console and without asking for anything outside the
folder; all its formulas must be drawn, its images shown, its links lead somewhere; it must fit a
screen 400 pixels wide; pictures must have words and headings an order; and letters must stand out
from what is behind them (WCAG 2.1: 4.5 to 1, large ones 3 to 1), in light and in dark. At last the
search must find softmax. Prints each fault with its page, and "N passed, N failed".
"""

import os
import pathlib
import shutil
import sys
import tempfile
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

NARROW, WIDE = 400, 1200
NOT_LOOKED_INTO = ("search/",)  # parts of other pages

# Calls back once MathJax, where there is one, has drawn all formulas.
DRAWN = """
const done = arguments[arguments.length - 1];
if (window.MathJax && MathJax.Hub) MathJax.Hub.Queue(() => done(true)); else done(true);
"""

FAULTS = """
const faults = [], contents = document.querySelector('div.contents') || document.body;
for (const script of document.querySelectorAll('script[type^="math/tex"]')) {
  const drawn = script.previousElementSibling;
  if (!drawn || !/MathJax/.test(drawn.className)) faults.push('not drawn: ' + script.textContent);
}
// MathJax draws an error as red letters on yellow, and in an SVG it has no other mark.
for (const e of document.querySelectorAll('.MathJax_Error, .merror, [data-mjx-error], .MathJax_SVG rect[fill="rgb(255, 255, 136)"]'))
  faults.push('a formula with an error: ' + (e.textContent || e.parentElement.textContent));
const walker = document.createTreeWalker(contents, NodeFilter.SHOW_TEXT);
for (let n = walker.nextNode(); n; n = walker.nextNode())
  if (/\\\\f[$[\\]]|\\\\\\(|\\\\snippet|\\\\ref /.test(n.data) && !n.parentElement.closest('script, .fragment, code, pre'))
    faults.push('markup is left: ' + n.data.trim().slice(0, 60));
for (const i of document.images) {
  if (!i.complete || i.naturalWidth === 0) faults.push('an image is missing: ' + i.getAttribute('src'));
  if (!i.hasAttribute('alt')) faults.push('an image has no words: ' + i.getAttribute('src'));
}
for (const o of document.querySelectorAll('object'))
  faults.push('an object: ' + o.getAttribute('data'));
for (const s of contents.querySelectorAll('svg'))
  if (!s.closest('.MathJax_SVG, .MathJax_SVG_Display, [aria-hidden=true]') &&
      !s.closest('[aria-label]') && !s.querySelector('title'))
    faults.push('a drawing has no words');
let level = 0;
for (const h of contents.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
  const next = Number(h.tagName[1]);
  if (level && next > level + 1) faults.push('a heading skips a level: ' + h.textContent.trim());
  level = next;
}
return faults;
"""

WIDTH = "return document.documentElement.scrollWidth;"

# What the page asked for, whether it came or not.
REQUESTS = "return performance.getEntriesByType('resource').map(e => e.name);"
ALLOWED = ("file:", "data:", "about:", "blob:", "chrome:")

# The least contrast of letters that can be seen, and which they are.
CONTRAST = """
const rgba = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                     return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const behind = e => { let layers = [];
  for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] === 1) break; }
  return layers.reduceRight((b, c) => over(c, b), [255, 255, 255, 1]); };
const found = new Map(), contents = document.querySelector('div.contents') || document.body;
const walker = document.createTreeWalker(contents, NodeFilter.SHOW_TEXT);
for (let n = walker.nextNode(); n; n = walker.nextNode()) {
  const e = n.parentElement;
  if (!n.data.trim() || !e.offsetParent || e.closest('svg, script, style, .ttc, .MathJax_Preview, [aria-hidden=true]')) continue;
  const style = getComputedStyle(e), size = parseFloat(style.fontSize), b = behind(e), a = over(rgba(style.color), b);
  if (parseFloat(style.opacity) === 0) continue;
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p), ratio = (x + 0.05) / (y + 0.05);
  if (ratio < (large ? 3 : 4.5)) found.set((e.className || e.tagName) + ' ' + style.color, [ratio, n.data.trim().slice(0, 30)]);
}
return [...found].map(([k, [r, t]]) => `${k}: ${r.toFixed(2)} to 1, "${t}"`);
"""

LINKS = """
return {ids: [...document.querySelectorAll('[id], a[name]')].flatMap(e => [e.id, e.getAttribute('name')]).filter(Boolean),
        links: [...document.querySelectorAll('a[href], area[href]')].map(a => a.getAttribute('href'))};
"""


def browser(profile):
    options = Options()
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--hide-scrollbars",
    ):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def set_width(driver, width):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )


def look_at(driver, folder, page):
    """The faults of one page, its anchors and its links."""
    set_width(driver, NARROW)
    driver.get((folder / page).as_uri())
    text = (folder / page).read_text()
    if "\\(" in text or "\\[" in text:
        driver.execute_async_script(DRAWN)
    faults = [f"contrast in light: {c}" for c in driver.execute_script(CONTRAST)]
    if (needed := driver.execute_script(WIDTH)) > NARROW:
        faults.append(f"needs {needed} pixels where there are {NARROW}")
    driver.execute_script("document.documentElement.classList.replace('light-mode', 'dark-mode');")
    faults += [f"contrast in dark: {c}" for c in driver.execute_script(CONTRAST)]
    faults += driver.execute_script(FAULTS)
    faults += [f"console: {e['message']}" for e in driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]
    faults += [f"asks for {url}" for url in driver.execute_script(REQUESTS) if not url.startswith(ALLOWED)]
    seen = driver.execute_script(LINKS)
    return faults, set(seen["ids"]), seen["links"]


def broken_links(folder, pages):
    """(page, fault) of links that lead nowhere."""
    for page, (_, _, links) in pages.items():
        for link in set(links):
            url = urllib.parse.urlsplit(link)
            if url.scheme in ("http", "https", "mailto", "javascript") or link in ("#", ""):
                continue
            target = (folder / page).parent / urllib.parse.unquote(url.path) if url.path else folder / page
            name = str(target.resolve().relative_to(folder)) if target.resolve().is_relative_to(folder) else None
            if name is None or not target.exists():
                yield page, f"the link {link} leads nowhere"
            elif url.fragment and name in pages and urllib.parse.unquote(url.fragment) not in pages[name][1]:
                yield page, f"the link {link} leads to no place on its page"


def search_fault(driver, folder):
    set_width(driver, WIDE)
    driver.get((folder / "index.html").as_uri())
    field = driver.find_element(By.ID, "MSearchField")
    field.click()
    field.send_keys("softmax")

    def results(d):
        d.switch_to.default_content()
        frames = d.find_elements(By.CSS_SELECTOR, "#MSearchResults")
        if frames and frames[0].tag_name == "iframe":
            d.switch_to.frame(frames[0])
        found = d.find_elements(By.CSS_SELECTOR, ".SRResult")
        return any("softmax" in f.text for f in found if f.is_displayed())

    try:
        WebDriverWait(driver, 10).until(results)
        return None
    except Exception as error:
        return f"the search does not find softmax ({type(error).__name__})"


def look_at_all(folder, names):
    """Faults, anchors and links of each page; one browser for each core."""
    pages, waiting = {}, iter(names)

    def work():
        with tempfile.TemporaryDirectory() as profile:
            driver = browser(profile)
            try:
                for name in waiting:
                    pages[name] = look_at(driver, folder, name)
                    if sys.stderr.isatty():
                        print(f"\r\033[K  {len(pages)}/{len(names)} {name[:60]}", end="", file=sys.stderr, flush=True)
            finally:
                driver.quit()

    with ThreadPoolExecutor() as pool:
        for worker in [pool.submit(work) for _ in range(min(os.cpu_count(), len(names)))]:
            worker.result()
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return pages


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    names = sys.argv[2:] or sorted(
        name for p in folder.rglob("*.html") if not (name := str(p.relative_to(folder))).startswith(NOT_LOOKED_INTO)
    )
    pages = look_at_all(folder, names)
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            fault = search_fault(driver, folder)
        finally:
            driver.quit()
    found = {name: faults for name, (faults, _, _) in pages.items() if faults}
    if len(names) > 1:
        for name, what in broken_links(folder, pages):
            found.setdefault(name, []).append(what)
    if fault:
        found["search"] = [fault]
    for name, faults in found.items():
        print(f"{name}:\n" + "\n".join(f"  {f}" for f in dict.fromkeys(faults)))
    print(f"{len(pages) + 1 - len(found)} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
