"""Sets the site's formulas with KaTeX when the site is built, so that a page needs no script for them, and no file outside
its own folder."""

import html
import json
import re
import subprocess
from pathlib import Path

from chapters import Trouble
from dress import data_url

SET = """
const katex = require('/usr/share/nodejs/katex');
const formulas = JSON.parse(require('fs').readFileSync(0));
const faults = [];
const made = formulas.map(([tex, displayMode]) => {
  try { return katex.renderToString(tex, { displayMode, output: 'html', strict: 'error' }); }
  catch (error) { faults.push(error.message); return ''; }
});
console.log(JSON.stringify({ made, faults }));
"""
STYLE = Path("/usr/share/nodejs/katex/dist/katex.min.css")
# Fonts of katex.css that most formulas do not need, and the classes that need them.
RARE = {
    "Main-Italic": "mathit", "Main-Bold": "mathbf textbf", "Main-BoldItalic": "textbf", "Math-BoldItalic": "boldsymbol",
    "AMS-Regular": "amsrm mathbb textbb", "Caligraphic-Regular": "mathcal", "Caligraphic-Bold": "mathcal",
    "Fraktur-Regular": "mathfrak textfrak", "Fraktur-Bold": "mathfrak textfrak", "Script-Regular": "mathscr textscr",
    "SansSerif-Regular": "mathsf textsf", "SansSerif-Bold": "textboldsf", "SansSerif-Italic": "textitsf",
    "Typewriter-Regular": "mathtt texttt",
}  # fmt: skip
PLAIN = {"\\(": "inline", "\\[": "display"}  # without KaTeX a formula is shown as TeX


def set_formulas(pages):
    """The pages, {name: HTML}, with each formula as HTML for katex.css, or as TeX if KaTeX is not installed."""
    found = sorted({f[0] for text in pages.values() for f in FORMULA.finditer(text) if f["formula"]})
    if not found:
        return pages
    made = dict(zip(found, by_katex(found) if STYLE.exists() else map(as_tex, found)))
    put = lambda f: made[f[0]] if f["formula"] else f[0]  # noqa: E731
    return {name: FORMULA.sub(put, text) for name, text in pages.items()}


FORMULA = re.compile(r"<(script|style|pre|title)\b.*?</\1>|<[^>]*>|(?P<formula>\\\(.*?\\\)|\\\[.*?\\\])", re.S)


def by_katex(formulas):
    asked = json.dumps([(tex_of(f), f.startswith("\\[")) for f in formulas])
    run = subprocess.run(["node", "-e", SET], input=asked, capture_output=True, text=True)
    if run.returncode != 0:
        raise Trouble(f"KaTeX does not run:\n{run.stderr}")
    answer = json.loads(run.stdout)
    if answer["faults"]:
        raise Trouble("formulas that KaTeX does not take:\n" + "\n".join(answer["faults"]))
    # Screen readers read a formula's TeX, because they would read KaTeX's spans letter by letter.
    spoken = (html.escape(tex_of(f)) for f in formulas)
    named = '<span class="formula" role="math" aria-label="{}">{}</span>'
    return [named.format(name, shown.replace("\n", " ")) for name, shown in zip(spoken, answer["made"])]


def as_tex(formula):
    return f'<code class="tex {PLAIN[formula[:2]]}">{html.escape(tex_of(formula), quote=False)}</code>'


def tex_of(formula):
    """A formula without its delimiters and without HTML's escapes."""
    return html.unescape(formula[2:-2]).strip()


def write_style(site, pages):
    """Writes katex.css with the fonts that the pages use inside it."""
    if not STYLE.exists():
        return (site / "katex.css").write_text("")
    used = {name for page in pages for names in re.findall(r'class="([^"]*)"', page) for name in names.split()}
    kept = lambda face: "" if (asked := RARE.get(face[1])) and not used & set(asked.split()) else face[0]  # noqa: E731
    style = re.sub(r"@font-face\{[^}]*?KaTeX_([\w-]+)\.woff2[^}]*\}", kept, STYLE.read_text())
    font = r"src:url\((fonts/[^)]*\.woff2)\) format\('woff2'\)[^;}]*"
    inside = lambda f: f"src:url({data_url(STYLE.parent / f[1], 'woff2')}) format('woff2')"  # noqa: E731
    (site / "katex.css").write_text(re.sub(font, inside, style))
