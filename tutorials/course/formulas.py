"""Formulas of the site, set by KaTeX when it is built: a page needs no script for them, and no file but its own folder's."""

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
ALPHABETS = {
    "mathcal": "Caligraphic", "mathfrak": "Fraktur", "mathsf": "SansSerif", "mathscr": "Script", "mathtt": "Typewriter",
}  # fmt: skip
PLAIN = {"\\(": "inline", "\\[": "display"}  # how a formula is shown where there is no KaTeX: as TeX


def set_formulas(pages):
    """The pages, {name: HTML}, with each formula as HTML that katex.css lays out; as TeX where there is no KaTeX."""
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
    # Read aloud, a formula is its TeX: KaTeX's spans say each letter by itself.
    spoken = (html.escape(tex_of(f)) for f in formulas)
    named = '<span class="formula" role="math" aria-label="{}">{}</span>'
    return [named.format(name, shown.replace("\n", " ")) for name, shown in zip(spoken, answer["made"])]


def as_tex(formula):
    return f'<code class="tex {PLAIN[formula[:2]]}">{html.escape(tex_of(formula), quote=False)}</code>'


def tex_of(formula):
    """Without its delimiters, and without the HTML's escapes."""
    return html.unescape(formula[2:-2]).strip()


def write_style(site, pages):
    """katex.css with the fonts that the pages use inside."""
    if not STYLE.exists():
        return (site / "katex.css").write_text("")
    style, used = STYLE.read_text(), set(re.findall(r"math\w+", "".join(pages)))
    for name, face in ALPHABETS.items():
        if name not in used:
            style = re.sub(rf"@font-face\{{font-family:KaTeX_{face};[^}}]*\}}", "", style)
    font = r"src:url\((fonts/[^)]*\.woff2)\) format\('woff2'\)[^;}]*"
    inside = lambda f: f"src:url({data_url(STYLE.parent / f[1], 'woff2')}) format('woff2')"  # noqa: E731
    (site / "katex.css").write_text(re.sub(font, inside, style))
