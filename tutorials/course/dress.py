"""Adds to every page of the site its table of contents, its last line, and its fonts."""

import base64
import gzip
import html
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from markupsafe import Markup

FEWEST = 4  # a page with fewer sections gets no list of contents
HEADING = re.compile(r'<h(?P<level>[12])[^>]*>\s*<a class="anchor" id="(?P<id>[^"]+)"></a>\s*(?P<title>.*?)</h', re.S)
FACES = Path("/usr/share/fonts/truetype/crosextra")  # Caladea; if it is not installed, pages use the reader's serif font
MADE = '<footer class="made">gradus {version}. Pages by Doxygen and doxygen-awesome, formulas by KaTeX.</footer>\n'


ENTRY = re.compile(
    r'(?:<a (?:name="[\w-]+" )?id="(?P<above>[\w-]+)"></a>\s*)?<h2 class="(?P<kind>groupheader|memtitle)"(?: id="(?P<id>[\w-]+)")?>'
    r'(?:<a id="(?P<inside>[\w-]+)"></a>|<span class="permalink"><a href="#(?P<member>[^"]+)">.*?</span>)?\s*(?P<title>.*?)</h2>',
    re.S,
)
NAMELESS = re.compile(r'(?<!</a>)<h2 class="groupheader">(?=(?P<words>[^<]+)</h2>)')


def headings(page):
    """The level, place and title of each heading of a page; on pages of the reference, of sections and the members
    below them."""
    if 'class="groupheader"' not in page:
        return [h.groupdict() for h in HEADING.finditer(page)]
    level = {"groupheader": "1", "memtitle": "2"}
    return [
        {"level": level[h["kind"]], "id": h["member"] or h["inside"] or h["id"] or h["above"], "title": re.sub(r"^(\w+::)+", "", h["title"]).replace("_", "_<wbr>")}
        for h in ENTRY.finditer(page)
    ]


def with_contents(page):
    """A page with several sections, beginning with links to them and to their own sections. The sections are the
    headings of the highest level on the page."""
    page = NAMELESS.sub(lambda h: f'<h2 class="groupheader" id="{re.sub("[^a-z]+", "-", h["words"].lower())}">', page)
    found = headings(page)
    level = min((h["level"] for h in found), default="")
    if sum(h["level"] == level or 'class="groupheader"' in page for h in found) < FEWEST:
        return page
    items = ""
    for h in found:
        link = f'<a href="#{h["id"]}">{words(h["title"])}</a>'
        own = items.endswith("</ol></li>\n")
        if h["level"] == level or not items:
            items += f"<li>{link}</li>\n"
        elif own:
            items = items.removesuffix("</ol></li>\n") + f"<li>{link}</li></ol></li>\n"
        else:
            items = items.removesuffix("</li>\n") + f"<ol><li>{link}</li></ol></li>\n"
    contents = f'<details class="sections"><summary>On this page</summary>\n<ol>\n{items}</ol>\n</details>\n'
    return page.replace('<div class="contents">\n', f'<div class="contents">\n{contents}', 1)


LABEL = re.compile(r"(?:(?<=[.;>])\s+|(?P<first><p ?>))(?P<label>Shapes|Gradient|Example):(?=\s)")


def with_labels(page):
    """A page of the reference in which the notes on shapes, gradient and example each begin a line of their own."""
    return LABEL.sub(lambda f: f"{f['first'] or '<br/>'}\n<b>{f['label']}:</b>", page)


COLOURS = re.compile(
    r"(?P<comment>//[^\n]*)|(?P<preprocessor>^#[^\n]*)|(?P<stringliteral>\"(?:\\.|[^\"\\\n])*\")|(?P<charliteral>'(?:\\.|[^'\\])')"
    r"|\b(?:(?P<keywordtype>auto|bool|char|double|float|int|unsigned|void)"
    r"|(?P<keywordflow>break|case|catch|continue|do|else|for|if|return|switch|throw|try|while)"
    r"|(?P<keyword>class|const|constexpr|false|inline|namespace|new|operator|static|struct|template|this|true|typename|using))\b",
    re.M,
)


def coloured(code):
    """The C++ of an exercise with Doxygen's colours for excerpts."""
    return Markup(COLOURS.sub(lambda f: f'<span class="{f.lastgroup}">{f[0]}</span>', html.escape(code, quote=False)))


def words(title):
    """The text of a title, with the places where a line may break."""
    return "<wbr>".join(html.escape(html.unescape(re.sub(r"<[^>]*>", "", part)).strip(), quote=False) for part in title.split("<wbr>"))


def with_foot(page, version):
    """A page with a last line in place of Doxygen's bar, which covers the bottom of every screen."""
    return page.replace("</div><!-- contents -->", f"</div><!-- contents -->\n{MADE.format(version=version)}", 1)


def data_url(file, kind):
    """A font as part of a style sheet, because a browser loads no other font file for a page that is opened as a
    file."""
    return f"data:font/{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"


def write_faces(site):
    rules = []
    for name, style, weight in (("Regular", "normal", 400), ("Italic", "italic", 400), ("Bold", "normal", 700)):
        file = FACES / f"Caladea-{name}.ttf"
        if file.exists():
            source = f"src: url({packed_face(file)})"
            rules.append(f"@font-face {{ font-family: Caladea; font-style: {style}; font-weight: {weight}; {source}; }}\n")
    (site / "faces.css").write_text("".join(rules))


def packed(data):
    """Packs bytes that a page unpacks (docs/reading.js)."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def packed_face(file):
    """A font as a data URL, compressed to a third if woff2_compress is installed."""
    if not shutil.which("woff2_compress"):
        return data_url(file, "ttf")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(file, folder)
        subprocess.run(["woff2_compress", Path(folder, file.name)], check=True, capture_output=True)
        return data_url(Path(folder, file.stem + ".woff2"), "woff2")
