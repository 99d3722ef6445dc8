"""Tests the pages that the course generates, without Doxygen. usage: course_pages_test.py ROOT"""

import html
import pathlib
import re
import sys
import tempfile
import types

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tutorials" / "course"))
sys.dont_write_bytecode = True

import chapters  # noqa: E402
import commands  # noqa: E402
import pages  # noqa: E402
from chapters import CHAPTERS, Chapter, Exercise, Trouble  # noqa: E402
from drawing import Drawing, drawings_of  # noqa: E402
from dress import with_contents, with_labels  # noqa: E402
from faults import faults_of_excerpts  # noqa: E402
from pocket import Pocket  # noqa: E402
from pytorch import digest, faults_of_pytorch, is_same, script_of  # noqa: E402
from slim import join_heads, name_groups, short_kinds, short_names, slim_drawing, slim_tree, slimmed, without_marks  # noqa: E402
from verdicts import finish, verdict  # noqa: E402

scratch = tempfile.TemporaryDirectory()
temp = pathlib.Path(scratch.name)

# The page of the commands: flags become tables, words paragraphs, examples code.
SAID = """Does a thing.

usage: ./run do [FLAGS]

What
  --name KIND               one of <two>, or
                            none [one]
  --a_very_long_name_of_a_flag N
                            how many
  config                    a file

Words that
go on.

Examples:
  ./run do
  ./run do | less
"""
said = commands.as_html(SAID)
verdict("a group of flags is a table", said.count("<table") == 1 and "<h2>What</h2>" in said, said)
verdict("with a row for each, and one of titles", said.count("<tr") == 4, said)
verdict("which has all that is said of it", "<code>--name KIND</code></td><td>one of &lt;two&gt;, or none [one]</td>" in said, said)
verdict("also where that is on the next line", "flag N</code></td><td>how many</td>" in said, said)
verdict("words are one paragraph", "<p>Words that go on.</p>" in said, said)
verdict("examples are code", "<p>Examples:</p>\n<pre>./run do\n./run do | less</pre>" in said, said)

# Drawings become shorter and look the same.
drawn = "".join(f"<polygon fill = 'rgb( {k}, 0, 16)' points = '{k}.257,1.999 {k + 1},2 3,{k}' />\n" for k in range(4))
slim = slim_drawing(f"<svg>{drawn}</svg>")
verdict("a cell keeps its place", [f"points='{k}.2,1.9 {k + 1},2 3,{k}'" in slim for k in range(4)] == [True] * 4, slim)
verdict("and its colour", [f"#0{k}0010" in slim for k in range(4)] == [True] * 4, slim)
alike = slim_drawing("<svg>" + "<line x1='1' y1='2' x2='3' y2='4' stroke='rgb(255,0,0)'/>" * 4 + "</svg>")
verdict("what looks alike says so once", alike.count("#ff0000") == 1 and alike.count("<line x1='1'") == 4, alike)
points = "<path id='gpPt1' d='M0,0'/><use xlink:href='#gpPt1' id='gpPt2'/>"
kept = slim_drawing(f"<svg>{points}<use xlink:href='#gpPt2' x='1'/></svg>")
verdict("points that are drawn stay, with what they are made of", "id='gpPt1'" in kept and "id='gpPt2'" in kept, kept)
empty = slim_drawing("<svg><defs><filter id='box'><feFlood/></filter></defs><g><g x='1'>\n</g>\n</g><g x='2'>\n<text>word</text>\n</g></svg>")
verdict("empty groups and unused filters go, and a text has its group's attributes", empty == "<svg><text x='2'>word</text></svg>", empty)
verdict("others go", slim_drawing(f"<svg>{points}</svg>") == "<svg></svg>", slim_drawing(f"<svg>{points}</svg>"))

blank = f'<svg\n width="700" height="600"\n viewBox="0 0 700 600"><g id="gnuplot_canvas">{points}<path d=\'M10,200 L20,300\'/><g transform="translate(5.5,400.25)"/></g></svg>'
verdict("what is blank above and below goes", 'height="228" viewBox="0 184 700 228"' in slim_drawing(blank), slim_drawing(blank))
verdict("a drawing that fills its picture stays as it is", 'viewBox="0 0 700 600"' in slim_drawing(blank.replace("10,200", "10,9").replace("400.25", "590")))

# Phones show a figure's narrow drawing, which the chapter's program has written beside the other.
own, shown = temp / "chapter", temp / "shown"
own.mkdir(), shown.mkdir()
for file in (shown / "flow.svg", own / "flow_narrow.svg", shown / "alone.svg"):
    file.write_text(f'<svg width="200" height="9"><text font-size="13">{file.stem}</text></svg>')
every, pages.CHAPTERS = pages.CHAPTERS, [types.SimpleNamespace(output=own)]
both, alone = (pages.figure(shown / f"{name}.svg", "words") for name in ("flow", "alone"))
pages.CHAPTERS = every
verdict("a figure has its narrow drawing after the other", both.count('class="seen"') == 2 and ">flow<" in both.split("flow_narrow")[0], both)
verdict("or one drawing alone", alone.count('class="seen"') == 1, alone)

# A phone shows a drawing as wide as its screen, with letters that can be read.
wide = Drawing("wide", 1014, 100, "")
wide.text(1000, 50, "x", 10)
wide.matrix(500, 10, [["1"]], cell=40)
verdict("a wide drawing is made narrower, and its letters stay readable", 'width="507"' in wide.svg() and '<text x="500" y="54.3225" font-size="12.35"' in wide.svg(), wide.svg())
verdict("with all places in x", '<rect x="250" y="10" width="20" height="40"' in wide.svg(), wide.svg())
small = []
for chapter in CHAPTERS:
    drawings = {d.name: d.svg() for d in drawings_of(chapter)}
    for name, svg in drawings.items():
        letters = min(float(size) for size in re.findall(r'font-size="([\d.]+)"', svg))
        across = int(re.search(r'width="(\d+)"', svg)[1])
        if f"{name}_narrow" not in drawings and letters * min(1, 390 / across) < 9:
            small.append(f"{chapter.number} {name}: {letters * 390 / across:.1f} pixels")
verdict("letters of drawings have at least 9 pixels on a phone of 390", not small, "\n".join(small))

# Without the theme's package, pages name its files and work without them.
bare = temp / "bare"
bare.mkdir()
for name in ("gradus.css", "reading.js"):
    (bare / name).write_text(f"/* {name} */")
sheets = "".join(f'<link href="{name}" rel="stylesheet" type="text/css"/>\n' for name in ("theme.css", "gradus.css"))
scripts = "".join(f'<script type="text/javascript" src="{name}"></script>\n' for name in ("theme.js", "reading.js"))
joined = join_heads({"a": f"<head>{sheets}{scripts}</head>"}, bare)
verdict("without the theme, pages have what is there", '<script src="site.js">' in joined["a"] and "theme" not in joined["a"], joined)
verdict("in one file of each kind", {f.name: f.read_text() for f in bare.iterdir()} == {"site.css": "/* gradus.css */", "site.js": "/* reading.js */"})

# The sidebar: parts of the site, and nothing below a class. Doxygen may list the front page once more, among its own sections. Names of places are short, and lead where they led.
site = temp / "site"
site.mkdir()
FRONT, PARTS = '[ "A title", "index.html", null ], [ "To begin", "index.html#a", null ]', '[ "Course", "course.html", null ],\n [ "Reference", "modules.html", "modules" ]'
(site / "navtreedata.js").write_text(f'var NAVTREE =\n[\n [ "gradus", "index.html", [\n {FRONT},\n {PARTS}\n ] ]\n];\n\nvar NAVTREEINDEX =\n[\n"x"\n];\n\nvar SYNC = 1;')
(site / "navtreeindex0.js").write_text('var NAVTREEINDEX0 =\n{\n"course.html":[2],\n"course.html#a":[2,0],\n"index.html":[]\n};\n')
(site / "navtreeindex1.js").write_text('var NAVTREEINDEX1 =\n{\n"structgradus_1_1A.html":[3,0],\n"index.html":[1]\n};\n')
(site / "modules.js").write_text('var modules =\n[\n [ "gradus::A", "structgradus_1_1A.html", "structgradus_1_1A" ],\n [ "f", "group__g.html#g", null ]\n];')
(site / "structgradus_1_1A.js").write_text("var structgradus_1_1A =\n[\n];")
# From 1.9.8 on, Doxygen's list of groups is called topics.
newer = temp / "newer"
newer.mkdir()
for name in ("navtreedata.js", "modules.js"):
    (newer / name.replace("modules", "topics")).write_text((site / name).read_text().replace("modules", "topics"))
(newer / "topics.html").write_text('<a href="topics.html">Topics about the topics</a>')
name_groups(newer)
verdict("the groups are called modules, whatever Doxygen calls them", all((newer / name).read_text() == (site / name).read_text() for name in ("navtreedata.js", "modules.js")))
verdict("and so is the link to them", {file.name for file in newer.glob("*.html")} == {"modules.html"} and (newer / "modules.html").read_text() == '<a href="modules.html">Topics about the topics</a>')
slim_tree(site)
made = {file.name: file.read_text() for file in site.iterdir()}
tree = made["navtreedata.js"]
verdict("the sidebar has the parts alone", '[["gradus","index.html",[["Course","course.html",null],["Reference","modules.html","modules"]]]]' in tree, tree)
verdict("pages have their places there", '{"course.html":[0],"index.html":[],"structgradus_1_1A.html":[1,0]}' in made["navtreeindex0.js"], made)
verdict("in one list", 'NAVTREEINDEX=["course.html"]' in tree and "navtreeindex1.js" not in made and "SYNC = 1" in tree, tree)
verdict("no members are below a class", '[["A","structgradus_1_1A.html",null],["f","group__g.html#g",null]]' in made["modules.js"] and len(made) == 4, made)
hashes = "ga" + "01234567" * 4, "a" + "89abcdef" * 4
verdict("names of places are short", short_names(f"#{hashes[0]} #g{hashes[0]}{hashes[1]}") == "#ga01234567 #gga01234567a89abcdef")
row = '<tr class="memdesc:"><td>Words.  <a href="x#details">More...</a><br /></td></tr>\n<tr class="separator:a"><td>&#160;</td></tr>\n'
sides = '<td class="memItemLeft" align="right" valign="top">int</td><td class="memItemRight" valign="bottom">f</td>'
verdict("cells do not say how they are aligned", slimmed(sides) == '<td class="memItemLeft">int</td><td class="memItemRight">f</td>', slimmed(sides))
marked = '<svg width="1"\nxmlns="http://a" xmlns:xlink="http://b"><g xlink:href="#c"/></svg><div class="fragment">x</div><!-- fragment -->'
verdict("marks of its making go", without_marks(marked) == '<svg width="1"><g xlink:href="#c"/></svg><div class="fragment">x</div>', without_marks(marked))
verdict("rows without words go", slimmed(row) == '<tr class="memdesc:"><td>Words.</td></tr>\n', slimmed(row))

# The contents of a page, in two levels.
marked = lambda level, name: f'<h{level}><a class="anchor" id="{name}"></a>\n{name}</h{level}>\n'  # noqa: E731
page = '<div class="contents">\n' + "".join(marked(*h) for h in ((1, "a"), (2, "b"), (2, "c"), (1, "d"), (1, "e"), (1, "f")))
listed = with_contents(page)
verdict("sections are listed", listed.count("<li>") == 6 and '<li><a href="#d">d</a></li>' in listed, listed)
verdict("below each its own", '<li><a href="#a">a</a><ol><li><a href="#b">b</a></li><li><a href="#c">c</a></li></ol></li>' in listed, listed)
verdict("few need no list", with_contents('<div class="contents">\n' + marked(1, "a") * 3).count("<li>") == 0)

entry = lambda name: f'<h2 class="memtitle"><span class="permalink"><a href="#{name}">&#9670;</a></span>{name}()</h2>\n'  # noqa: E731
of_type = '<div class="contents">\n<a name="details" id="details"></a><h2 class="groupheader">Description</h2>\n<h2 class="groupheader"><a id="pub"></a>\nPublic</h2>\n'
of_type += '<h2 class="groupheader">Member Function Documentation</h2>\n' + entry("look") + entry("gradus::A::ask_me")
listed = with_contents(of_type)
verdict("a type's page lists its sections", all(f'<li><a href="#{name}">' in listed for name in ("details", "pub", "member-function-documentation")), listed)
verdict("which are there", 'id="member-function-documentation"' in listed.split("</details>")[-1], listed)
verdict("and below them its members", '<ol><li><a href="#look">look()</a></li><li><a href="#gradus::A::ask_me">ask_<wbr>me()</a></li></ol>' in listed, listed)
labelled = with_labels("<p >Shapes: x [2]. Gradient: 1.\nExample: <code>Shapes:</code></p>")
verdict("a label is set apart, also at a paragraph's beginning", labelled.count("<b>") == 3 and labelled.startswith("<p >\n<b>Shapes:</b>"), labelled)

# Declarations below 90 letters stand in one line.
cell = lambda kind, words: f'<td class="{kind}">{words}</td>'  # noqa: E731
head = lambda name: f'<table class="memname"><tr>{cell("memname", f"Tensor {name} ")}<td>(</td>{cell("paramtype", "const Tensor &amp;&#160;")}' \
    f'{cell("paramname", "<em>x</em>, ")}</tr><tr><td></td><td></td>{cell("paramtype", "Index&#160;")}{cell("paramname", "<em>row</em>&#160;")}</tr>' \
    "<tr><td></td><td>)</td><td></td><td></td></tr></table>"  # fmt: skip  # noqa: E731
short = pages.PROTOTYPE.sub(pages.in_one_line, head("batch_row"))
verdict("a short declaration is one line", ">Tensor batch_row(const Tensor &amp;<em>x</em>, Index <em>row</em>)</td>" in short, short)
verdict("a long one keeps its rows", pages.PROTOTYPE.sub(pages.in_one_line, head("long" * 20)) == head("long" * 20))

# Code of exercises has the colours of excerpts.
code = pages.coloured('if (a < "//") return 1;  // no\n#include "x.h"')
verdict("words of C++ are coloured", '<span class="keywordflow">if</span> (a &lt; <span class="stringliteral">"//"</span>)' in code, code)
verdict("and what is not code", '<span class="comment">// no</span>\n<span class="preprocessor">#include "x.h"</span>' in code, code)

# A finished page and its style sheet use the same two letters for them.
verdict("their kinds are short in the end", short_kinds(code) == code.replace("keywordflow", "kf").replace("stringliteral", "st").replace("comment", "cm").replace("preprocessor", "pp"))
sheet = short_kinds("pre span.keyword,\nspan.keywordtype {color: var(--fragment-keyword);} .comment {}")
verdict("in a style sheet, too", sheet == "pre span.kw,\nspan.kt {color: var(--fragment-keyword);} .comment {}", sheet)

# A picture that Doxygen treats as part of a line is a figure too, with its caption.
inline = '<p > <img src="a.svg" alt="" style="pointer-events: none;" class="inline" title="Losses &lt; 2"/>    </p>'
verdict("a picture in a line is a figure", [f["caption"] for kind in pages.FIGURES for f in kind.finditer(inline)] == ["Losses &lt; 2"])

verdict("code in the title of a fold is code", pages.SUMMARY.sub(pages.with_code, "<summary>`a` and `b_c`</summary> `d`") ==
        "<summary><code>a</code> and <code>b_c</code></summary> `d`")  # fmt: skip

# Reading time: words / 200, and 4 s for each line of code and output.
folder = temp / "01_name"
folder.mkdir()
(folder / "chapter.json").write_text('{"title": "T", "question": "Q", "program": "p", "running": 1, "exercises": []}')
(folder / "p.cpp").write_text("// [part]\n" + "int x;\n\n" * 30 + "// [part]\nint hidden;\n")
(folder / "expected.txt").write_text("[out]\n" + "1\n" * 15 + "[out]\n")
text = folder / "chapter.md"
chapters.TUTORIALS = temp


def reading(content):
    text.write_text(content)
    return Chapter(folder).reading


verdict("400 words take two minutes", reading("word " * 400) == 2)
verdict("30 lines of code take two", reading("\\snippet 01_name/p.cpp part\n") == 2, reading("\\snippet 01_name/p.cpp part\n"))
verdict("15 lines of output take one", reading("\\snippet 01_name/output.txt out\n" + "word " * 200) == 2)
verdict("30 lines in the text take two", reading("    int x;\n" * 30) == 2)
chapters.TUTORIALS = root / "tutorials"
(folder / "h.h").write_text("// [own]\nint y;\n// [own]\n")
lost = list(faults_of_excerpts(Chapter(folder), "\\snippet 01_name/p.cpp part\n"))
verdict("an excerpt of a header that no page shows is a fault", lost == ["the snippet own of 01_name/h.h is never shown"], str(lost))
try:
    Exercise(Chapter(folder), "1_a", "A", 5, "riddle")
    verdict("a kind of exercise that is none is refused", False)
except Trouble as trouble:
    verdict("a kind of exercise that is none is refused", "choose part, variation, predict" in str(trouble))

# The map of the course.
on_map = [row for part in pages.course_map() for row in part["chapters"]]
numbers = [row.number for row in on_map]
verdict("the map has every chapter once, in order", numbers == [c.number for c in CHAPTERS], numbers)
verdict("its minutes are those of the chapters", sum(p["reading"] for p in pages.course_map()) == sum(c.reading for c in CHAPTERS))

course = pages.course_pages()
way = pages.ways(course) | pages.ways(pages.guide_pages('<li><a class="el" href="own.html">Your <b>own</b></a> goes</li>'))
verdict("each page of the course leads to the next", [way[page][1] for page, _ in course] == [*course[1:], None], way)
verdict("and back", [way[page][0] for page, _ in course] == [None, *course[:-1]] and way["own.html"][0] == ("guides.html", "Guides"), way)
foot = str(pages.PARTS.foot(way["stuck.html"]))
verdict("the last leads back alone", f'<a href="chapter{CHAPTERS[-1].number}.html">' in foot and 'class="after"' not in foot, foot)

readme = (root / "README.md").read_text()
absent = [c.number for c in CHAPTERS if f"[{c.number} {c.title}](tutorials/{c.folder.name}/chapter.md)" not in readme]
verdict("README.md has every chapter in its table", not absent, absent)

# Same in PyTorch.
script = temp / "pytorch.py"
script.write_text('print("[a]")\nprint(0.25)\nprint("[a]")\n')
made = script.with_suffix(".txt")


def pytorch_fault(printed, ours, current=True):
    made.write_text((digest(script) if current else "# made from another\n") + printed)
    return " ".join(faults_of_pytorch(script, {"a": ours}))


verdict("PyTorch's numbers may be some of the page's, in order", pytorch_fault("[a]\n1.5 2.25\n[a]\n", "x 1.5 y 9 z 2.25") == "")
verdict("another number is a fault", "has 2.35" in pytorch_fault("[a]\n1.5 2.35\n[a]\n", "x 1.5 y 9 z 2.25"))
verdict("another order is a fault", "has 1.5" in pytorch_fault("[a]\n2.25 1.5\n[a]\n", "x 1.5 y 9 z 2.25"))
verdict("a part without numbers is a fault", "has no number" in pytorch_fault("[a]\nwords\n[a]\n", "1"))
verdict("a part that the chapter lacks is a fault", "no part b" in pytorch_fault("[b]\n1\n[b]\n", "1"))
verdict("nothing printed is a fault", "has no part" in pytorch_fault("", "1"))
verdict("a script that was changed since is a fault", "has changed" in pytorch_fault("[a]\n1\n[a]\n", "1", current=False))
marks = [s for c in CHAPTERS for s in c.pytorch if 'print("[' in script_of(s)]
verdict("a page shows no line that prints a mark", not marks, str(marks))
verdict("the last digit may differ by one", is_same("0.621", "0.62") and is_same("1.5e-07", "1.6e-07") and not is_same("0.621", "0.6"))
verdict("a whole number may not", not is_same("3", "4") and is_same("3", "3"))

# Each excerpt has its file's name; pocket's holes have their answers.
chapter = CHAPTERS[0]
library = temp / "pocket"
library.mkdir()
code = f"//! [{chapter.number} f]\nint f() {{\n  //! [{chapter.number}.1]\n  return 1 < 2;\n  //! [{chapter.number}.1]\n}}\n//! [{chapter.number} f]\n"
(library / "f.h").write_text(code)
pocket = Pocket(library)
page_text = temp / "chapter.md"
page_text.write_text(f"\\snippet pocket/f.h {chapter.number} f\n")
chapter.text = page_text


def fragment(shown):
    lines = "".join(f'<div class="line">{html.escape(x)}</div>\n' for x in shown.rstrip("\n").split("\n"))
    tip = '<div class="ttc" id="a"><div class="ttname"><a href="x">gradus::f</a></div></div>\n'
    return f'<div class="fragment">{lines.replace("int", "<a href=x>int</a>")}{tip}</div><!-- fragment -->'


block = pocket.blocks[0].text(pocket.filled(lambda label: True))
made_page = pages.with_files(fragment(block), chapter, pocket)
verdict("an excerpt of pocket has its file's name", "<code>pocket/f.h</code></p>" in made_page, made_page)
verdict("its hole is open, and the answer folds out", "throw std::logic_error" in made_page and
        made_page.index("<details>") < made_page.index("</span> 1 &lt; 2;"), made_page)  # fmt: skip
verdict("its names do not lead to the library", "<a href=x>" not in made_page and "gradus::f" not in made_page, made_page)
try:
    pages.with_files(fragment("int other;\n"), chapter, pocket)
    verdict("an excerpt that the page lacks is a fault", False)
except Trouble as trouble:
    verdict("an excerpt that the page lacks is a fault", "1 of 1 excerpts are not on its page" in str(trouble))

# Printed output has this form in any file, and with blanks at the ends of lines.
(temp / "long.txt").write_text("[out]\nstep 1  \nstep 2\n[out]\n")
page_text.write_text("\\snippet long.txt out\n")
chapters.TUTORIALS, pages.TUTORIALS = temp, temp
printed = pages.with_files(fragment("step 1  \nstep 2\n"), chapter, Pocket(library))
chapters.TUTORIALS, pages.TUTORIALS = root / "tutorials", root / "tutorials"
verdict("what was printed looks so", '<div class="fragment output">' in printed and "<code>long.txt</code>" in printed, printed)

# An exercise: its task and starter stand there, the answer does not. A part leads to its hole in place of a starter.
pocket = pages.Pocket(titles=pages.titles())
by_kind = {e.kind: pages.shown_exercise(e, pocket) for c in CHAPTERS for e in c.exercises}
for kind, begun in {"variation": "<pre", "predict": "<pre", "part": 'href="#hole'}.items():
    shown = by_kind[kind]
    task, answer = shown.index(begun), shown.index("and why")
    verdict(f"of a {kind}, task and starter are open, the rest folds", task < shown.index("<details>") < answer, shown)

finish()
