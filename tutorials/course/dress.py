"""What every page of the site gets: its contents, its last line, and the faces of its letters."""

import base64
import gzip
import html
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from markupsafe import Markup

FEWEST = 4  # sections that make a list of contents worth its room
HEADING = re.compile(r'<h(?P<level>[12])[^>]*>\s*<a class="anchor" id="(?P<id>[^"]+)"></a>\s*(?P<title>.*?)</h', re.S)
FACES = Path("/usr/share/fonts/truetype/crosextra")  # Caladea: the build has it, or pages take the reader's serif face
MADE = '<footer class="made">gradus {version}. Pages by Doxygen and doxygen-awesome, formulas by KaTeX.</footer>\n'


ENTRY = re.compile(
    r'(?:<a (?:name="[\w-]+" )?id="(?P<above>[\w-]+)"></a>\s*)?<h2 class="(?P<kind>groupheader|memtitle)"(?: id="(?P<id>[\w-]+)")?>'
    r'(?:<a id="(?P<inside>[\w-]+)"></a>|<span class="permalink"><a href="#(?P<member>[^"]+)">.*?</span>)?\s*(?P<title>.*?)</h2>',
    re.S,
)
NAMELESS = re.compile(r'(?<!</a>)<h2 class="groupheader">(?=(?P<words>[^<]+)</h2>)')


def headings(page):
    """Level, place and title of each heading of a page; of the reference, sections and below them members."""
    if 'class="groupheader"' not in page:
        return [h.groupdict() for h in HEADING.finditer(page)]
    level = {"groupheader": "1", "memtitle": "2"}
    return [
        {"level": level[h["kind"]], "id": h["member"] or h["inside"] or h["id"] or h["above"], "title": re.sub(r"^(\w+::)+", "", h["title"]).replace("_", "_<wbr>")}
        for h in ENTRY.finditer(page)
    ]


def with_contents(page):
    """A page of several sections begins with links to them, and below each to its own. The sections are of the highest
    level that the page has."""
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
    """What a description of the reference says of shapes, gradient and example begins a line of its own."""
    return LABEL.sub(lambda f: f"{f['first'] or '<br/>'}\n<b>{f['label']}:</b>", page)


COLOURS = re.compile(
    r"(?P<comment>//[^\n]*)|(?P<preprocessor>^#[^\n]*)|(?P<stringliteral>\"(?:\\.|[^\"\\\n])*\")|(?P<charliteral>'(?:\\.|[^'\\])')"
    r"|\b(?:(?P<keywordtype>auto|bool|char|double|float|int|unsigned|void)"
    r"|(?P<keywordflow>break|case|catch|continue|do|else|for|if|return|switch|throw|try|while)"
    r"|(?P<keyword>class|const|constexpr|false|inline|namespace|new|operator|static|struct|template|this|true|typename|using))\b",
    re.M,
)


def coloured(code):
    """C++ of exercises as Doxygen colours excerpts."""
    return Markup(COLOURS.sub(lambda f: f'<span class="{f.lastgroup}">{f[0]}</span>', html.escape(code, quote=False)))


def words(title):
    """What a title says, and where it may break."""
    return "<wbr>".join(html.escape(html.unescape(re.sub(r"<[^>]*>", "", part)).strip(), quote=False) for part in title.split("<wbr>"))


def with_foot(page, version):
    """In place of Doxygen's bar, which covers the bottom of every screen."""
    return page.replace("</div><!-- contents -->", f"</div><!-- contents -->\n{MADE.format(version=version)}", 1)


def data_url(file, kind):
    """A font as part of a style sheet: to a page that is opened as a file, a browser gives no font of another file."""
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
    """Bytes for a page to unpack (docs/reading.js)."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def packed_face(file):
    """A face as it is, or a third of it where woff2_compress is."""
    if not shutil.which("woff2_compress"):
        return data_url(file, "ttf")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(file, folder)
        subprocess.run(["woff2_compress", Path(folder, file.name)], check=True, capture_output=True)
        return data_url(Path(folder, file.stem + ".woff2"), "woff2")
