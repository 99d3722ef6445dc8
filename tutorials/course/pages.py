"""Makes the parts of the site's pages that come from chapter.json and the notes to the exercises."""

import html
import itertools
import json
import re
from pathlib import Path

from chapters import CHAPTERS, EXCERPT, OUTPUT, ROOT, TUTORIALS, Trouble
from dress import coloured, with_contents, with_foot, with_labels, write_faces
from formulas import set_formulas, write_style
from jinja2 import Environment, FileSystemLoader
from live import with_data, write_live, write_program
from markupsafe import Markup
from mine import titles
from pocket import Pocket, answer_of
from pytorch import script_of
from search import write_search
from slim import drop_files, join_heads, name_groups, short_kinds, slim_drawing, slim_tree, slimmed, without_marks

SITE = ROOT / "build" / "docs" / "html"


def write_parts(build, live=True):
    """Writes, for \\htmlinclude, build/course/course.html and the page of the course, and each chapter's head, exercises, foot,
    fold-outs and live piece; for docs/Doxyfile, the list of chapters and the folders of their figures; for \\snippet, pocket
    with open holes."""
    pocket = Pocket(titles=titles())
    (OUTPUT / "pocket").mkdir(parents=True, exist_ok=True)
    for file in pocket.sources:
        (OUTPUT / "pocket" / file).write_text(pocket.with_open_holes(file))
    files = {n: list(dict.fromkeys(block.file for block in pocket.of(n))) for n in pocket.chapters}
    (OUTPUT / "course.html").write_text(PARTS.course(course_map(), files))
    way = ways(course_pages())
    for chapter in CHAPTERS:
        chapter.output.mkdir(parents=True, exist_ok=True)
        (chapter.output / "head.html").write_text(PARTS.head(chapter))
        (chapter.output / "exercises.html").write_text("\n".join(shown_exercise(e, pocket) for e in chapter.exercises))
        for script in chapter.pytorch:
            (chapter.output / f"{script.stem}.html").write_text(same_in_pytorch(script))
        (chapter.output / "foot.html").write_text(PARTS.foot(way[f"chapter{chapter.number}.html"]))
    if live:
        write_live(build)
    texts = [TUTORIALS / "start_here.md", *(c.text for c in CHAPTERS), TUTORIALS / "stuck.md"]
    parts = "\n".join(f"- \\subpage {name}" for name in ("start_here", *(f"chapter{c.number}" for c in CHAPTERS), "stuck"))
    (OUTPUT / "course.md").write_text(f"# Course {{#course}}\n\n\\htmlinclude course.html\n\n{parts}\n")
    (OUTPUT / "chapters.doxy").write_text(
        "".join(f"INPUT += {t.relative_to(ROOT)}\n" for t in (OUTPUT / "course.md", *texts))
        + "".join(f"IMAGE_PATH += {c.output.relative_to(ROOT)}\n" for c in CHAPTERS)
    )


def course_pages():
    """(file, title) of the course's pages, in their order."""
    chapters = [(f"chapter{c.number}.html", f"{c.number} {c.title}") for c in CHAPTERS]
    return [("course.html", "Course"), ("start_here.html", "Start here"), *chapters, ("stuck.html", "Stuck?")]


def guide_pages(listed):
    """The same for the guides, in the order of their own page."""
    return [("guides.html", "Guides"), *re.findall(r'<li><a class="el" href="([\w.]+)">(.*?)</a>', listed)]


def ways(pages):
    """The pages before and after each page, or None."""
    return {page[0]: (before, after) for before, page, after in zip([None, *pages], pages, [*pages[1:], None])}


def course_map():
    """The parts of the course, in order: number, title, result, chapters, minutes of reading and of exercises."""
    parts = json.loads((TUTORIALS / "parts.json").read_text())
    for i, part in enumerate(parts):
        end = parts[i + 1]["first"] if i + 1 < len(parts) else "99"
        part["number"] = ("I", "II", "III", "IV")[i]
        part["chapters"] = [c for c in CHAPTERS if part["first"] <= c.number < end]
        part["reading"] = sum(c.reading for c in part["chapters"])
        part["exercising"] = sum(e.minutes for c in part["chapters"] for e in c.exercises)
    return parts


def paragraphs(text):
    """The kind and HTML of each paragraph of notes: plain text with `code`, items that begin with "- ", or code indented by
    four blanks."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        words = Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(block, quote=False)))
        if all(line.startswith("    ") for line in block.split("\n")):
            yield "code", "\n".join(line[4:] for line in block.split("\n"))
        elif block.startswith("- "):
            yield "items", words.removeprefix("- ").split("\n- ")
        else:
            yield "words", words


def starter_of(exercise):
    """A starter without its title, which stands above it, and without the exercises' header."""
    title = r'\A// Exercise .*\n(//\n)?|^#include "tutorials/.*exercises.h"\n'
    return re.sub(title, "", exercise.starter.read_text(), flags=re.M)


ENVIRONMENT = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True)
ENVIRONMENT.filters |= {"paragraphs": paragraphs, "starter": starter_of, "coloured": coloured}
PARTS = ENVIRONMENT.get_template("parts.html").module


def shown_exercise(exercise, pocket):
    """The HTML of an exercise. Its task and its starter are open; a click on each hint or the answer unfolds it."""
    file = pocket.block_of(exercise.label).file if exercise.kind == "part" else ""
    answer = "" if exercise.kind == "predict" else answer_of(exercise, pocket)
    return PARTS.exercise(exercise, file, answer)


def same_in_pytorch(script):
    """The HTML of a fold-out: a script that a machine with PyTorch ran, and its output."""
    made = script.with_suffix(".txt")
    if not made.exists():
        raise Trouble(f"{made.relative_to(ROOT)} is missing: run tests/golden/pytorch_pages.py where there is PyTorch")
    printed = made.read_text().partition("\n")[2]
    return PARTS.same_in_pytorch(script_of(script), re.sub(r"^\[\w+\]\n", "", printed, flags=re.M))


FIGURES = (
    re.compile(
        r'<div class="image">\s*<object type="image/svg\+xml" data="(?P<file>[^"]+)"[^>]*>.*?</object>\s*'
        r'<div class="caption">\s*(?P<caption>.*?)</div>\s*</div>',
        re.S,
    ),
    # Doxygen takes a picture that stands by itself for a part of a line if code is before it.
    re.compile(r'<p\s*>\s*<img src="(?P<file>[^"]+\.svg)"[^>]*class="inline" title="(?P<caption>[^"]*)"/>\s*</p>'),
)


def finish_pages():
    """Puts figures into their pages, so that they take the page's colours, dark or light, and screen readers read their
    captions. Doxygen shows an SVG as an object, with colours of its own."""
    pocket = Pocket(titles=titles())
    sources = {f"chapter{c.number}.html": (c, pocket) for c in CHAPTERS}
    for page in SITE.glob("*-members.html"):  # repeats the class's own page
        page.unlink()
    name_groups(SITE)
    drop_files(SITE)
    slim_tree(SITE)
    read = {page: page.read_text() for page in SITE.glob("*.html")}
    version = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text())[1]
    finished, drawn = {}, set()
    way = ways(course_pages()) | ways(guide_pages(read[SITE / "guides.html"]))
    for page, text in read.items():
        made = text
        for kind in FIGURES:
            drawn |= {f["file"] for f in kind.finditer(text)}
            made = kind.sub(lambda f: figure(SITE / f["file"], f["caption"].strip()), made)
        if 'name="nested-classes"' not in made:  # Doxygen links to it even if all nested classes are private
            made = re.sub(r'<a href="#nested-classes">Classes</a> &#124;\s*', "", made)
        if page.name.startswith(("classgradus", "structgradus")):  # Doxygen lists some overridden members twice
            made = MEMBER.sub(lambda row: row[0] if row["page"] == page.name else "", made)
            made = re.sub(r'(&#124;\s*)?<a href="[^"]*-members.html">List of all members</a>\s*', "", made)
        if page.name in sources:
            made = with_files(made, *sources[page.name])
        elif page.name in way:  # a chapter's text includes its own foot
            made = made.replace(END, f"{PARTS.foot(way[page.name])}{END}", 1)
        if page.name.startswith(("class", "group", "namespace", "struct")):
            made = PROTOTYPE.sub(in_one_line, with_labels(made))
            made = re.sub(r" (?:Class|Namespace|Struct)(?: Template)? Reference(?=</title>|<div|</div>| *<span)", "", made)
        made = SUMMARY.sub(with_code, made)
        made = FRAGMENT.sub(at_the_margin, made)
        made = TABLE.sub(with_names, made)
        made = CELL.sub(lambda cell: CODE.sub(lambda name: name[0].replace("_", "_<wbr>"), cell[0]), made)
        made = BESIDE_WORDS.sub(in_one_piece, made)
        finished[page] = with_foot(with_contents(slimmed(made)), version)
    finished = set_formulas(finished)
    write_search(SITE, finished)
    write_style(SITE, finished.values())
    write_faces(SITE)
    tree = SITE / "navtree.js"  # its only picture needs an empty alternative text
    tree.write_text(re.sub(r'<img src="\'\+relpath', '<img alt="" src="\'+relpath', tree.read_text()))
    for page, text in join_heads(finished, SITE).items():
        page.write_text(with_data(short_kinds(without_marks(text))))
    for sheet in SITE.glob("*.css"):
        sheet.write_text(short_kinds(sheet.read_text()))
    write_program(SITE)
    for file in drawn:  # the drawing is in its page now
        (SITE / file).unlink()


END = "</div><!-- contents -->"
MEMBER = re.compile(
    r'<tr class="memitem:(?P<id>\w+)">(?:(?!</tr>).)*?<td class="memItemRight"[^>]*>'
    r'<a class="el" href="(?P<page>[^"#]+)#(?P=id)">(?:(?!</tr>).)*</tr>\n'
    r'(?:<tr class="(?:memdesc|separator):(?P=id)">.*?</tr>\n)*',
    re.S,
)
CELL = re.compile(r'<td\b[^>]*class="markdown.*?</td>', re.S)  # long names may break at their underscores here
CODE = re.compile(r"<code>[^<]*_[^<]*</code>")
FRAGMENT = re.compile(r'<div class="fragment[ a-z]*">.*?</div><!-- fragment -->', re.S)


def words_of(fragment):
    """The lines of a fragment as in its file, without blank lines around them."""
    lines = re.findall(r'<div class="line">(.*?)</div>', fragment)  # the rest of the fragment appears at the mouse pointer
    return "\n".join(html.unescape(re.sub(r"<[^>]*>", "", line)).rstrip() for line in lines).strip("\n")


def with_files(page, chapter, pocket):
    """A page in which each excerpt has the name of its file, and an excerpt of pocket the answers to its holes. Names in the
    reader's code, and in a program that does not use the library, do not link to the library's names. Printed output has a look
    of its own."""
    fill = pocket.filled(lambda label: True)
    blocks = {b.text(fill).strip("\n"): b for b in pocket.of(chapter.number)}
    wanted = EXCERPT.findall(chapter.text.read_text())
    excerpts = {excerpt(file, name): file for file, name in wanted if not file.startswith("pocket/")}
    own = re.search(r'^#include "(autograd|nn)/', chapter.source.read_text(), re.M) is None
    named = []

    def with_file(found):
        words = words_of(found[0])
        block, file = blocks.get(words), excerpts.get(words)
        if block is None and file is None:
            return found[0]
        named.append(words)
        if not block and file.endswith(".txt"):
            shown = found[0].replace('"fragment"', '"fragment output"', 1)
            return shown if file.endswith("/output.txt") else PARTS.excerpt(file, [], shown)
        name, holes = (f"pocket/{block.file}", block.holes) if block else (file, [])
        shown = re.sub(r'</?a\b[^>]*>|<div class="ttc".*?</div></div>\n', "", found[0]) if block or own else found[0]
        return PARTS.excerpt(name, holes, shown)

    page = FRAGMENT.sub(with_file, page)
    if len(named) != len(wanted):
        lost = len(wanted) - len(named)
        raise Trouble(f"chapter {chapter.number}: {lost} of {len(wanted)} excerpts are not on its page")
    return page


def excerpt(file, name):
    """The part of a file that \\snippet shows."""
    folder = OUTPUT if file.endswith("/output.txt") else TUTORIALS
    marked = re.split(rf"^.*\[{re.escape(name)}\].*$", (folder / file).read_text(), flags=re.M)[1]
    return "\n".join(line.rstrip() for line in marked.strip("\n").split("\n"))


def at_the_margin(found):
    """An excerpt without the indentation of the function around it."""
    lines = re.findall(r'<div class="line">( *)(?=[^ <]|<(?!/div>))', found[0])
    least = min(map(len, lines), default=0)
    return found[0].replace(f'<div class="line">{" " * least}', '<div class="line">') if least else found[0]


SUMMARY = re.compile(r"<summary>[^<]*</summary>")


def with_code(found):
    """The title of a fold, with `code` as HTML: Doxygen leaves the back-quotes there."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", found[0])


TABLE = re.compile(r'<table class="markdownTable">.*?</table>', re.S)


def with_names(found):
    """A table of sentences in which each cell has the name of its column, because a narrow screen shows the cells one below
    another."""
    names = [n.strip() for n in re.findall(r"<th\b[^>]*>(.*?)</th>", found[0], re.S)]
    cells = re.findall(r"<td\b[^>]*>(.*?)</td>", found[0], re.S)
    if len(names) < 3 or max((len(re.sub(r"<[^>]*>", "", c)) for c in cells), default=0) < 50:
        return found[0]
    column = itertools.cycle(names)
    table = found[0].replace('"markdownTable"', '"markdownTable sentences"', 1)
    return re.sub(r"<td\b", lambda _: f'<td data-name="{html.escape(next(column))}"', table)


BESIDE_WORDS = re.compile(
    r"<(script|style|svg|pre|title)\b.*?</\1>|<div class=\"fragment.*?<!-- fragment -->|\\\[.*?\\\]|<(?!code\b)[^>]*>"
    r"|(?:\\\(.*?\\\)|<code\b.*?</code>)(?P<after>[.,;:)]*)|(?P<shape>\[[^][<>]{1,12}, [^][<>]{1,12}\])",
    re.S,
)


def in_one_piece(found):
    """Keeps a shape in one line, and a formula or code in one line with the comma after it."""
    return f'<span class="whole">{found[0]}</span>' if found["after"] or found["shape"] else found[0]


LETTERS = 9.01  # least height in pixels, if a screen shows a figure smaller than it was drawn


PROTOTYPE = re.compile(r'<table class="memname">(.*?)</table>', re.S)


def in_one_line(found):
    """Puts a declaration of less than 90 letters into one line; Doxygen gives each argument a row."""
    name, *rest = re.findall(r"<td\b[^>]*>(.*?)</td>", found[1], re.S)
    line = name.rstrip() + "".join(rest)
    for long, short in (("&amp;&#160;", "&amp;"), ("*&#160;", "*"), ("&#160;)", ")"), ("&#160;", " "), ("<code>", ""), ("</code>", "")):
        line = line.replace(long, short)
    letters = html.unescape(re.sub(r"<[^>]*>", "", line)).strip()
    return f'<table class="memname"><tr><td class="memname">{line}</td></tr></table>' if rest and len(letters) < 90 else found[0]


def figure(file, caption):
    """A figure with its drawing, and with a drawing for phones, NAME_narrow.svg, if docs/ or a chapter has one. Doxygen
    copies only the first to the site."""
    narrow = [folder / f"{file.stem}_narrow.svg" for folder in (ROOT / "docs", *(c.output for c in CHAPTERS))]
    shown = "".join(f'<div class="seen">{drawing_of(f, caption)}</div>\n' for f in (file, *narrow) if f.exists())
    return f'<figure class="drawn">\n{shown}<figcaption>{caption}</figcaption>\n</figure>'


def drawing_of(file, caption):
    drawing = re.search(r"<svg.*</svg>", file.read_text(), re.S)[0]
    drawing = slim_drawing(re.sub(r"<(style|title|desc)>.*?</\1>\s*", "", drawing, flags=re.S))
    # Names inside a drawing must differ from all other names of the page now.
    name = re.sub(r"\W", "_", file.stem)
    drawing = re.sub(r"(\bid=['\"]|url\(#|href=['\"]#)", rf"\g<1>{name}_", drawing)
    label = ""
    if "aria-label=" not in drawing.split(">")[0]:  # a drawing of drawing.py has its own description
        label = f' aria-label="{html.escape(re.sub(r"<[^>]*>", "", html.unescape(caption)))}"'
    letters = [float(size) for size in re.findall(r'font-size="([\d.]+)"', drawing)]
    least = round(int(re.search(r'\bwidth="(\d+)"', drawing)[1]) * LETTERS / min(letters, default=14))
    return drawing.replace("<svg", f'<svg role="img"{label} style="min-width: {least}px"', 1)
