"""Looks at every page of build/docs/html in Chromium, as a file, with the network off.

usage: check_pages.py FOLDER [PAGE...]

Checks a copy of the folder in another place, because the site must be whole in any place. Checks that each page
- loads without an error in the console and without a request outside the folder,
- has its formulas set, its images shown, and links that lead somewhere,
- fits a screen of 390 pixels, where figures are whole, with readable letters, and tables that scroll say so,
- at 1280 pixels fits its formulas into the text, and has lines of about 70 letters, which begin below the title and come
  before the links to other pages,
- at 1700 pixels shows the name of each excerpt's file beside the excerpt,
- has words for pictures, and headings in order,
- has letters with enough contrast to their background (WCAG 2.1: 4.5 to 1, large letters 3 to 1), in light and in dark.
Then checks that the search finds the sections that readers look for, and that the site has at most 12 MB. Prints each fault
with its page, and "N passed, N failed".
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

NARROW, WIDE, WIDEST = 390, 1280, 1700
LEAST_LETTERS = 9  # the least height in pixels in a figure on a narrow screen
MOST_LETTERS = 78  # letters in a line of text; the design aims at 70
MOST_BYTES = 12_000_000  # for the whole site

FAULTS = """
const faults = [], contents = document.querySelector('div.contents') || document.body;
for (const e of document.querySelectorAll('code.tex, .katex-error')) faults.push('a formula is not set: ' + e.textContent);
for (const e of document.querySelectorAll('.katex'))
  if (!getComputedStyle(e).fontFamily.includes('KaTeX')) { faults.push('formulas have no style'); break; }
const walker = document.createTreeWalker(contents, NodeFilter.SHOW_TEXT);
for (let n = walker.nextNode(); n; n = walker.nextNode())
  if (/\\\\f[$[\\]]|\\\\\\(|\\\\snippet|\\\\ref /.test(n.data) && !n.parentElement.closest('script, .fragment, code, pre'))
    faults.push('markup is left: ' + n.data.trim().slice(0, 60));
for (const i of document.images) {
  if (!i.complete || i.naturalWidth === 0) faults.push('an image is missing: ' + i.getAttribute('src'));
  if (!i.getAttribute('alt') && i.getClientRects().length && !i.closest('[aria-hidden=true]')) faults.push('an image has no words: ' + i.getAttribute('src'));
}
for (const o of document.querySelectorAll('object'))
  faults.push('an object: ' + o.getAttribute('data'));
for (const s of contents.querySelectorAll('svg'))
  if (!s.closest('[aria-hidden=true], .katex') &&
      !s.closest('[aria-label], [title]') && !s.querySelector('title'))
    faults.push('a drawing has no words');
for (const s of contents.querySelectorAll('polygon:not([points]), polyline:not([points]), path:not([d]), rect:not([width]), line:not([x2])'))
  { faults.push('a drawing has a shape without a place: ' + s.outerHTML.slice(0, 60)); break; }
for (let walker = document.createTreeWalker(contents, NodeFilter.SHOW_TEXT), n = walker.nextNode(); n; n = walker.nextNode()) {
  const label = /(^|[.;] )\\s*(Shapes:|Gradient:|Gradient(?=,| as of)|Example:)/.exec(n.data);
  if (label && n.parentElement.closest('.memdoc, .textblock') && !n.parentElement.closest('b, pre, .fragment, td')
      && /(group|class|struct)/.test(location.pathname.split('/').pop()))
    faults.push('a label is not set apart: ' + n.data.slice(label.index).trim().slice(0, 40));
}
let level = 0;
for (const h of contents.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
  const next = Number(h.tagName[1]);
  if (level && next > level + 1) faults.push('a heading skips a level: ' + h.textContent.trim());
  level = next;
}
return faults;
"""

WIDTH = "return document.documentElement.scrollWidth;"

# The files that the page requested, loaded or not.
REQUESTS = "return performance.getEntriesByType('resource').map(e => e.name);"
ALLOWED = ("data:", "about:", "blob:", "chrome:")  # besides the folder's own files

# The text whose contrast to its background is too low.
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
  if (!n.data.trim() || !e.offsetParent || e.closest('svg, script, style, .ttc, [aria-hidden=true]')) continue;
  const style = getComputedStyle(e), size = parseFloat(style.fontSize), b = behind(e), a = over(rgba(style.color), b);
  if (parseFloat(style.opacity) === 0) continue;
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p), ratio = (x + 0.05) / (y + 0.05);
  if (ratio < (large ? 3 : 4.5)) found.set((e.className || e.tagName) + ' ' + style.color, [ratio, n.data.trim().slice(0, 30)]);
}
return [...found].map(([k, [r, t]]) => `${k}: ${r.toFixed(2)} to 1, "${t}"`);
"""

# Formulas that show a part only after scrolling.
CUT = """
return [...document.querySelectorAll('.formulaDsp')].filter(e => e.scrollWidth > e.clientWidth + 1)
  .map(e => 'a formula is wider than the text: ' + e.textContent.trim().slice(0, 60));
"""

# Running text whose lines are too long to read: the mean letters in a line, for paragraphs of three lines or more.
MEASURE = """
const contents = document.querySelector('div.contents') || document.body;
return [...contents.querySelectorAll('p, li, dd, figcaption')].flatMap(e => {
  if (!e.offsetParent || e.querySelector('.katex, p, ul, ol, pre, .fragment') || e.closest('table, details.sections')) return [];
  const lines = Math.round(e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight));
  const letters = e.textContent.trim().replace(/\\s+/g, ' ').length;
  return lines > 2 && letters / lines > arguments[0] ? [`${Math.round(letters / lines)} letters a line: ${e.textContent.trim().slice(0, 40)}`] : [];
});
"""

# On a wide screen the text begins below its title, and the links to other pages come after the text.
PLACES = """
const faults = [], box = e => { const range = document.createRange(); range.selectNodeContents(e); return range.getBoundingClientRect(); };
const title = document.querySelector('.header .title'), way = document.querySelector('nav.way');
const text = [...document.querySelectorAll('div.contents .textblock > p, div.contents > p')].filter(p => p.offsetParent && p.textContent.trim());
if (title && text.length) {
  const apart = text[0].getBoundingClientRect().left - box(title).left;
  if (Math.abs(apart) > 1) faults.push(`the text begins ${Math.round(apart)} pixels beside its title`);
}
if (way && text.length && way.getBoundingClientRect().top < text.at(-1).getBoundingClientRect().bottom)
  faults.push('the way on stands beside the text, or before it');
return faults;
"""

# The name of an excerpt's file stands close to the excerpt and covers nothing.
FILES = """
const gap = (a, b) => [Math.max(0, a.left - b.right, b.left - a.right), Math.max(0, a.top - b.bottom, b.top - a.bottom)];
const sections = document.querySelector('details.sections');
return [...document.querySelectorAll('p.file')].flatMap(name => {
  const code = name.nextElementSibling.getBoundingClientRect(), box = name.querySelector('code').getBoundingClientRect();
  const [x, y] = gap(box, code), words = name.textContent.trim();
  if (!box.width || box.right > innerWidth || x > 40 || y > 40) return [`the name ${words} is not beside its excerpt`];
  if (x + y === 0 || sections && gap(box, sections.getBoundingClientRect()).every(d => d === 0)) return [`the name ${words} covers something`];
  return [];
});
"""

# Figures whose smallest letters are too small to read.
SMALL = """
const size = e => { const m = e.getScreenCTM(); return parseFloat(getComputedStyle(e).fontSize) * Math.hypot(m.a, m.b); };
return [...document.querySelectorAll('figure svg')].flatMap(svg => {
  const shown = [...svg.querySelectorAll('text, tspan')].filter(e => e.textContent.trim() && e.getClientRects().length);
  const least = Math.min(...shown.map(size));
  return least < arguments[0] ? [`letters of ${least.toFixed(1)} pixels in the figure: ${(svg.getAttribute('aria-label') || '').slice(0, 50)}`] : [];
});
"""

# Unfolds everything, and waits until the page's own script has seen it.
UNFOLD = """
for (const d of document.querySelectorAll('details')) d.open = true;
requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(arguments[0])));
"""

# Figures of which a phone shows a part alone, and tables that scroll without a word about it.
CUT_OFF = """
return [...document.querySelectorAll('figure .seen, figure .drawing')].filter(e => e.scrollWidth > e.clientWidth + 1)
    .map(e => `a figure needs ${e.scrollWidth} pixels: ` + (e.querySelector('svg').getAttribute('aria-label') || '').slice(0, 50))
  .concat([...document.querySelectorAll('div.contents table')].filter(e =>
      [e, ...e.tBodies].some(part => part.scrollWidth > part.clientWidth + 1) && !getComputedStyle(e, '::before').content.includes('scroll'))
    .map(e => `a table scrolls and does not say so: ${e.textContent.trim().slice(0, 40)}`));
"""

# Outputs and tables that are cut off at an edge without a shadow there.
SHADOWLESS = """
return [...document.querySelectorAll('div.contents .fragment.output, div.contents table.markdownTable > tbody')].filter(e =>
  e.scrollWidth > e.clientWidth + 1 && !getComputedStyle(e).backgroundImage.includes('gradient')).map(e =>
  `goes on behind an edge without a shadow: ${e.textContent.trim().slice(0, 40)}`);
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
    faults = [f"contrast in light: {c}" for c in driver.execute_script(CONTRAST)]
    if (needed := driver.execute_script(WIDTH)) > NARROW:
        faults.append(f"needs {needed} pixels where there are {NARROW}")
    driver.execute_async_script(UNFOLD)
    faults += driver.execute_script(SMALL, LEAST_LETTERS)
    faults += driver.execute_script(CUT_OFF)
    faults += driver.execute_script(SHADOWLESS)
    driver.execute_script("document.documentElement.classList.replace('light-mode', 'dark-mode');")
    faults += [f"contrast in dark: {c}" for c in driver.execute_script(CONTRAST)]
    faults += driver.execute_script(FAULTS)
    set_width(driver, WIDE)
    faults += driver.execute_script(CUT)
    faults += driver.execute_script(MEASURE, MOST_LETTERS)
    faults += driver.execute_script(PLACES)
    set_width(driver, WIDEST)
    faults += driver.execute_script(PLACES)
    faults += driver.execute_script(FILES)
    faults += [f"console: {e['message']}" for e in driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]
    faults += [f"asks for {url}" for url in driver.execute_script(REQUESTS) if not url.startswith((folder.as_uri(), *ALLOWED))]
    seen = driver.execute_script(LINKS)
    return faults, set(seen["ids"]), seen["links"]


def broken_links(folder, pages):
    """(page, fault) for each link that leads nowhere."""
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


# Searches of readers, and the section that must be found first or second; a page's name alone means its beginning.
SEARCHES = {
    "broadcasting": "01 Tensors › Broadcasting is a stride of 0",
    "stride": "01 Tensors › Shape and strides",
    "chain rule": "03 Reverse mode › Follow the nudge: the chain rule",
    "backprop": "03 Reverse mode › The backward pass",
    "learning rate": "06 Learning",
    "overfitting": "06 Learning › New points: what reduces overfitting?",
    "AdamW": "AdamW",
    "cross entropy": "07 From text to loss › Cross-entropy",
    "perplexity": "07 From text to loss › How probable is a text?",
    "self-attention": "09 Self-attention",
    "multi head": "10 Many heads",
    "causal mask": "11 Masks and cross-attention › The causal mask",
    "cross-attention": "11 Masks and cross-attention › Cross-attention: T queries, S keys",
    "positional encoding": "12 Positions › Sinusoids",
    "rope": "13 Relative positions › Rotating queries and keys",
    "layer norm": "14 The block › Layer norm",
    "residual": "14 The block › The residual stream",
    "temperature": "16 Writing › What the rules do to a text",
    "kv cache": "16 Writing › Keep the keys and values",
    "bpe": "17 Tokens › Merges, one by one",
    "beam search": "19 The full transformer › Beam search",
    "install": "Stuck? › The build",
    "softmax": "Softmax › softmax()",
    "matmul": "Matrix products › matmul()",
    "key width": "MultiHeadAttention › Sizes",
    "optimizer": "Optimiser",
    "normalization": "14 The block › Layer norm",
    "einsum": "Matrix products › matmul()",
    "word2vec": "18 The encoder and BERT › Word vectors",
    "dropout": "Dropout › dropout()",
    "save model": "24 Other people's weights › What is in the folder",
}


# Results that do not mark the words that were found.
UNMARKED = """
return [...document.querySelectorAll('#found a')].filter(a => !a.querySelector('mark')).map(a => a.querySelector('b').textContent);
"""


def search_faults(driver, folder):
    set_width(driver, WIDE)
    driver.get((folder / "chapter01.html").as_uri())
    field = driver.find_element(By.ID, "MSearchField")
    for asked, wanted in SEARCHES.items():
        field.clear()
        field.send_keys(asked)
        WebDriverWait(driver, 20).until(lambda d: d.find_element(By.ID, "found").get_attribute("data-asked") == asked)
        names = [b.text for b in driver.find_elements(By.CSS_SELECTOR, "#found a b")]
        if unmarked := driver.execute_script(UNMARKED):
            yield f'"{asked}": no word is marked in {unmarked}'
        alike = [f"{a.text}" for a in driver.find_elements(By.CSS_SELECTOR, "#found a")]
        if same := {name for name in alike if alike.count(name) > 1}:
            yield f'"{asked}" finds alike {same}'
        texts = [p.text for p in driver.find_elements(By.CSS_SELECTOR, "#found a p") if p.text]
        if asked == "save model" and (again := {text for text in texts if texts.count(text) > 1}):  # overrides become one result
            yield f'"{asked}" finds more than once {again}'
        if wanted not in names[:2]:
            yield f'"{asked}" finds {names[:3]}, not first or second "{wanted}"'


def look_at_all(folder, names):
    """The faults, anchors and links of each page. Uses one browser for each core."""
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
    with tempfile.TemporaryDirectory() as elsewhere:
        copy = pathlib.Path(elsewhere).resolve() / "site"
        shutil.copytree(sys.argv[1], copy)
        return check(copy)


def check(folder):
    names = sys.argv[2:] or sorted(str(p.relative_to(folder)) for p in folder.rglob("*.html"))
    pages = look_at_all(folder, names)
    with tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            not_found = list(search_faults(driver, folder))
        finally:
            driver.quit()
    found = {name: faults for name, (faults, _, _) in pages.items() if faults}
    if len(names) > 1:
        for name, what in broken_links(folder, pages):
            found.setdefault(name, []).append(what)
    if not_found:
        found["search"] = not_found
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if size > MOST_BYTES:
        found["the site"] = [f"has {size / 1e6:.1f} MB, and may have {MOST_BYTES / 1e6:.0f}"]
    for name, faults in found.items():
        print(f"{name}:\n" + "\n".join(f"  {f}" for f in dict.fromkeys(faults)))
    print(f"{len(pages) + 2 - len(found)} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
