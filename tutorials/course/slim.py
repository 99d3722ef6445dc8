"""What the site does without: pages of files, what Doxygen leaves beside pages, and characters that say nothing."""

import re
from itertools import groupby

FILE_PAGE = r"(?:[\w-]+_8(?:h|cpp|dox)|dir_[0-9a-f]+|files)(?:_source)?\.(?:html|js)"
LINK = re.compile(rf'<a [^>]*href="{FILE_PAGE}[^"]*"[^>]*>(.*?)</a>', re.S)
AREA = re.compile(rf'<area [^>]*href="{FILE_PAGE}[^"]*"[^>]*/>')
KEPT = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>|<div class=\"fragment.*?<!-- fragment -->)", re.S)


def drop_files(site):
    """Headers are named on the pages of what they declare; a page for each, and for each folder, says nothing more."""
    for file in [*site.glob("*.html"), *site.glob("*.js")]:
        if re.fullmatch(FILE_PAGE, file.name):
            file.unlink()
    for file in [*site.glob("*.md5"), *site.glob("*.map")]:
        file.unlink()


def slimmed(page):
    """A page without links to pages of files, comments, and blanks at the beginnings of lines."""
    page = AREA.sub("", LINK.sub(r"\1", page))
    page = re.sub(r"/\* @license.*?\*/\n?", "", page)
    parts = KEPT.split(page)
    # Split by two groups: what is between, a piece that is kept, its name, and so on.
    for i in range(0, len(parts), 3):
        parts[i] = re.sub(r"\s*\n\s*", "\n", re.sub(r"<!--(?! (?:contents|fragment)).*?-->", "", parts[i], flags=re.S))
    return "".join(part for i, part in enumerate(parts) if i % 3 != 2)


def slim_drawing(svg):
    """gnuplot writes hundredths of a pixel, points of all shapes, and colours in 18 characters."""
    used = set(re.findall(r"href=['\"]#([\w-]+)", svg))
    svg = re.sub(r"<(path|circle|rect) id=['\"](\w*gp(?:Pt\d+|Dot))['\"][^>]*/>", lambda m: m[0] if m[2] in used else "", svg)
    svg = re.sub(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)", lambda m: "#" + "".join(f"{int(c):02x}" for c in m.groups()), svg)
    svg = PLACE.sub(lambda place: re.sub(r"(\d+\.\d)\d+", r"\1", place[0]), svg)
    svg = re.sub(r'fill-opacity="0\.00?"', 'fill-opacity="0"', svg)
    return RUN.sub(lambda run: hoisted(run[0]), re.sub(r"\s*\n\s*", "\n", svg))


PLACE = re.compile(r"""\s(?:d|points|transform|x|y|x1|x2|y1|y2|cx|cy)=("[^"]*"|'[^']*')""")
RUN = re.compile(r"(?:<(?:rect|use|line|circle|path|polyline|polygon) [^>]*/>\s*){3,}")
ATTRIBUTE = re.compile(r"""\s+([\w:-]+)=("[^"]*"|'[^']*')""")
LOOKS = ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "color")


def hoisted(run):
    """A run of elements, in groups of those that look alike, whose looks are said once."""
    elements = []
    for name, rest in re.findall(r"<(\w+)([^>]*?)/>", run):
        attributes = dict(ATTRIBUTE.findall(rest))
        if attributes.get("fill-opacity") == '"0"' and "stroke" not in attributes:
            continue  # it is not seen
        looks = tuple((key, attributes.pop(key)) for key in LOOKS if key in attributes)
        elements.append((looks, f"<{name}" + "".join(f" {key}={value}" for key, value in attributes.items()) + "/>"))
    out = []
    for looks, alike in groupby(elements, key=lambda element: element[0]):
        inside = [element for _, element in alike]
        said = "".join(f" {key}={value}" for key, value in looks)
        if len(inside) > 2:
            out += [f"<g{said}>", *inside, "</g>"]
        else:
            out += [element.replace("/>", f"{said}/>") for element in inside]
    return "\n".join(out) + "\n"


HEAD = re.compile(r"<head>.*?</head>", re.S)
SHEET = re.compile(r'<link href="([\w.-]+\.css)" rel="stylesheet"[^>]*/>\s*')
SCRIPT = re.compile(r'<script type="text/javascript"(?: src="([\w.-]+\.js)")?>(.*?)</script>\s*', re.S)


def join_heads(pages, site):
    """Pages, {name: HTML}, that name one style sheet and one script in place of what Doxygen and its theme name: each page
    says it in two lines, and loads it at once. Scripts that wait for the page stay by themselves."""
    heads = {HEAD.search(page)[0] for page in pages.values()}
    sheets = {tuple(SHEET.findall(head)) for head in heads}
    scripts = {tuple(SCRIPT.findall(head)) for head in heads}
    if len(sheets) != 1 or len(scripts) != 1:
        return pages  # a theme that differs from page to page
    text = lambda name: (site / name).read_text()  # noqa: E731
    sheets, scripts = sheets.pop(), scripts.pop()
    (site / "site.css").write_text("\n".join(map(text, sheets)))
    (site / "site.js").write_text("\n".join(text(name) if name else inside for name, inside in scripts))
    for name in [*sheets, *(name for name, _ in scripts if name)]:
        (site / name).unlink()

    def joined(head):
        head = SHEET.sub("", SCRIPT.sub("", head[0]))
        return head.replace("</head>", '<link href="site.css" rel="stylesheet"/>\n<script src="site.js"></script>\n</head>')

    return {name: HEAD.sub(joined, page, count=1) for name, page in pages.items()}
