"""Makes the data of the site's search: the words of each section of each page, for docs/search.js."""

import html
import json
import re
import shutil
from pathlib import Path

from dress import packed

LUNR = Path("/usr/share/javascript/lunr/lunr.min.js")
MOST = 6000  # characters of a section, enough for all its words; the reference keeps a paragraph of each
START = re.compile(
    r'<h[123][^>]*>\s*<a class="anchor" id="(?P<id>[^"]+)"></a>\s*(?P<heading>.*?)</h[123]>'
    r'|<h2 class="memtitle"><span class="permalink"><a href="#(?P<member>[^"]+)">.*?</span>(?P<name>.*?)</h2>',
    re.S,
)
BESIDE_TEXT = re.compile(
    r'<(script|style|svg|nav|footer)\b.*?</\1>|<span class="formula".*?aria-label="(?P<tex>[^"]*)".*?(?=</p>|<(?!/?span))'
    r'|<details class="sections">.*?</details>|<div class="memproto">.*?</div>|<table class="memberdecls">.*?</table>'
    r'|<div class="fragment.*?<!-- fragment -->|<pre.*?</pre>',
    re.S,
)
TITLE = re.compile(r'<div class="title">(.*?)(?:<div class="ingroups">|<span class="mlabels">|</div>)', re.S)
BODY = re.compile(r'<div class="contents">(.*)</div><!-- contents -->', re.S)


def write_search(site, pages):
    """Writes search_data.js from finished pages, {file: HTML}, and copies lunr, which searches it. Does nothing if
    lunr is not installed."""
    if not LUNR.exists():
        return
    found = [section for file, page in sorted(pages.items()) for section in sections(file.name, page)]
    data = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
    (site / "search_data.js").write_text(f'const kPackedSections = "{packed(data)}";\n')
    shutil.copy(LUNR, site / "lunr.min.js")


def sections(file, page):
    """[part of the site, address, title of the page, heading, text] of each section of a page."""
    part, title, body = part_of(file), TITLE.search(page), BODY.search(page)
    if not part or not title or not body:
        return
    title, body = plain(title[1]), body[1]
    short = lambda name: name.removeprefix("gradus::").removeprefix(f"{title}::")  # noqa: E731
    starts = [*START.finditer(body)]
    for at, until, start in zip([0, *(s.end() for s in starts)], [*(s.start() for s in starts), None], [None, *starts]):
        heading = short(plain(start["heading"] or start["name"])) if start else ""
        address = f"{file}#{start['id'] or start['member']}" if start else file
        text = plain(BESIDE_TEXT.sub(" ", body[at:until]))
        if start or len(text) > 40:
            yield [part, address, title, heading, text[: 250 if part == "reference" else MOST]]


def part_of(file):
    """The part of the site: course, guide or reference; empty for pages of files and of lists."""
    if re.match(r"chapter\d|course|start|stuck", file):
        return "course"
    if re.match(r"group__|structgradus|classgradus", file):
        return "reference"
    lists = r"dir_|annotated|classes|files|functions|globals|hierarchy|modules|namespace|pages|inherits|graph_legend|.*_8(h|dox)\."
    return "" if re.match(lists, file) else "guide"


def plain(text):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())
