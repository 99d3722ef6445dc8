"""Finds faults in a chapter's text: places that do not fit its program and the program's output."""

import itertools
import re

from chapters import CHAPTERS, EXCERPT, TUTORIALS
from kernels import KEPT, blas_kernels, folder_of, other_kernels
from pocket import Pocket
from pytorch import faults_of_pytorch

PARTS = ("head.html", "exercises.html", "foot.html")  # the parts of each page that pages.py makes
MARKER = re.compile(r"^\s*(?://\s*)?\[(\w+)\]\s*$", re.M)


def faults_of(chapter):
    text, source = chapter.text.read_text(), "".join(file.read_text() for file in chapter.sources)
    output, shown = ((chapter.output / name).read_text() for name in ("printed.txt", "output.txt"))
    figures = chapter.folder / "figures.cpp"
    figures = figures.read_text() if figures.exists() else ""
    library = "".join(b.text() for b in Pocket().of(chapter.number))
    program = source + library + figures
    return [
        *faults_of_excerpts(chapter, text),
        *faults_of_snippets(text, f"{chapter.folder.name}/output.txt", shown),
        *faults_of_figures(chapter, text),
        *faults_of_kept_figures(chapter),
        *faults_of_links(chapter, text),
        *faults_of_lists(text),
        *faults_of_numbers(text, program, quotable(chapter, text, shown)),
        *(["figures.cpp must not include pocket, or --mine would use the course's library"] if "pocket/" in figures else []),
        *changes_of_output(chapter, output, blas_kernels()),
        *(f"with {k}'s kernels: {f}" for k in other_kernels() for f in faults_on(chapter, text, program, k)),
        *uses_of_what_comes_later(chapter, source),
        *(f for script in chapter.pytorch for f in faults_of_pytorch(script, parts_of(chapter.expected.read_text()))),
    ]


def quotable(chapter, text, shown):
    """The output that the text may quote: the output on the page, tables that are kept as files, and PyTorch's numbers."""
    kept = [TUTORIALS / f for f in re.findall(r"^\\snippet (\S+\.txt) ", text, re.M) if not f.endswith("/output.txt")]
    pytorch = [script.with_suffix(".txt") for script in chapter.pytorch]
    return shown + "".join(f.read_text() for f in [*kept, *pytorch])


def faults_on(chapter, text, source, kernels):
    """The places where the page would contradict itself on a CPU for which OpenBLAS chooses these kernels: a number in the
    text that is not in the output on the page there, or a drawing that differs there and is not kept with the numbers of its
    run."""
    folder = folder_of(kernels) / chapter.folder.name
    output = (folder / "printed.txt").read_text()
    yield from faults_of_numbers(text, source, quotable(chapter, text, as_shown(chapter, output)))
    yield from changes_of_output(chapter, output, kernels)
    kept = {file.name for file in chapter.kept_figures}
    for file in sorted([*folder.glob("*.svg"), *folder.glob("*.html")]):
        if file.name not in kept and not same_drawing(file.read_text(), (chapter.output / file.name).read_text()):
            yield f"{file.name} is another drawing there (keep one in kept/, of the run that expected.txt is of)"


MOST_UNITS = 3  # a place in a drawing may move this far; a drawing has some five hundred units


def same_drawing(one, other):
    """Whether two drawings have the same lines and words, all in the same places. Does not compare pixels."""
    one, other = (re.sub(r"'data:image/[^']*'|<!-- of the part \w+ -->\s*\Z", "", text) for text in (one, other))
    places = zip(NUMBER.findall(one), NUMBER.findall(other))
    return NUMBER.sub("#", one) == NUMBER.sub("#", other) and all(abs(float(a) - float(b)) <= MOST_UNITS for a, b in places)


def faults_of_excerpts(chapter, text):
    for file in chapter.sources:
        yield from faults_of_snippets(text, f"{chapter.folder.name}/{file.name}", file.read_text())


def faults_of_snippets(text, name, content):
    marked = MARKER.findall(content)
    used = re.findall(rf"^\\snippet {re.escape(name)} (\w+)", text, re.M)
    # Doxygen takes any [name] for a mark, even an index.
    yield from (f"{name}: [{m}] is not there twice" for m in set(marked) if content.count(f"[{m}]") != 2)
    yield from (f"the snippet {u} is not in {name}" for u in used if u not in marked)
    yield from (f"the snippet {u} of {name} is shown twice" for u in set(used) if used.count(u) > 1)
    yield from (f"the snippet {m} of {name} is never shown" for m in set(marked) - set(used))


def faults_of_figures(chapter, text):
    shown = re.findall(r"^\\image html (\S+)", text, re.M)
    drawn = {f.name for f in chapter.output.glob("*.svg")}
    yield from (f"the figure {s} was not drawn" for s in shown if s not in drawn)
    yield from (f"the figure {d} is never shown" for d in drawn if d.replace("_narrow.svg", ".svg") not in text)
    others = {f.name for c in CHAPTERS if c is not chapter for f in c.output.glob("*.svg")}
    yield from (f"another chapter has a figure {s}, too" for s in shown if s in others)
    yield from (f"the figure {s} has no caption" for s in re.findall(r"^\\image html (\S+)\s*$", text, re.M))
    shown = set(re.findall(rf"^\\htmlinclude {re.escape(chapter.folder.name)}/(\S+)", text, re.M)) - set(PARTS)
    made = {f.name for f in chapter.output.glob("*.html")} - set(PARTS)
    made = made | {"live.html"} if chapter.live else made - {"live.html"}  # live.html is made with the pages
    yield from (f"the figure {s} was not made" for s in sorted(shown - made))
    yield from (f"the figure {m} is never shown" for m in sorted(made - shown))


def faults_of_kept_figures(chapter):
    """The figures of this machine's run whose part is shown from the kept run: the page would mix two runs."""
    kept = {file.name for file in chapter.kept_figures}
    for file in sorted([*chapter.output.glob("*.svg"), *chapter.output.glob("*.html")]):
        part = re.search(r"<!-- of the part (\w+) -->\s*\Z", file.read_text())
        if part and part[1] in chapter.shown_as_kept and file.name not in kept:
            yield f"{file.name} is of the part {part[1]}, which is shown as in expected.txt (keep the figure of that run in kept/)"
    drawings = chapter.folder / "drawings.py"
    if drawings.exists() and "expected.txt" in drawings.read_text():
        yield "drawings.py reads expected.txt itself (call kept_part(), which refuses a part that the page does not show from there)"


def faults_of_links(chapter, text):
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if not link.startswith("http") and not (chapter.folder / link).exists():
            yield f"the link {link} leads nowhere"
    for line in re.findall(r'^.*\\ref \w+ "[^"\n]*$', text, re.M):
        yield f"the words of a reference must end on its line: {line}"
    for part in PARTS:
        if f"\\htmlinclude {chapter.folder.name}/{part}" not in text:
            yield f"\\htmlinclude {chapter.folder.name}/{part} is missing"


def faults_of_lists(text):
    for line in re.findall(r"^(?!\d+\. |- |\s|$).+\n(\d+\. .*)", text, re.M):
        yield f"the end of a sentence makes a list of this line: {line}"


NO_PROSE = re.compile(r"\\f\$.*?\\f\$|\\f\[.*?\\f\]|`[^`]*`", re.S)  # formulas and code
CAPTION = re.compile(r'^(?:\\image html \S+ "(.*)"|\\fold\{(.*)\}|[\\#].*)')  # the words of a line that is no prose
PLACE = re.compile(
    r'\\ref chapter\d\d "[^"]*"|\b[Cc]hapters?\s\d\d\b(?:(?:,|\sand|\sto)\s\d\d\b)*'
    r"|\b[Ee]xercises?\s\d\d\.\d+(?:(?:,|\sand)\s\d\d\.\d+)*|^\d+\. ",
    re.M,
)  # names of chapters and exercises, and the beginnings of lists
PROSE_NUMBER = re.compile(r"(?<![\w.])(?:\d+(?:\.\d+)?e[-+]?\d+(?!\w)|\d+\.\d+(?!\w)|\d+(?![\w.]*\w))")
WORDS = "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
WORDS = {word: str(number) for number, word in enumerate(WORDS.split(), 3)}
PROSE_WORD = re.compile(rf"\b({'|'.join(WORDS)})\b(?!-)", re.I)


def faults_of_numbers(text, source, output):
    """The numbers in the text that the run did not print, rounded or not, and that are not in the program; from three to twenty,
    also in words. Captions, the summaries of folds and tables in Markdown are checked like sentences; formulas, code, headings
    and years are not."""
    lines = (CAPTION.sub(lambda line: line[1] or line[2] or "", line) for line in NO_PROSE.sub(" ", text).split("\n"))
    prose = PLACE.sub("", "\n".join(lines))
    printed = [abs(float(n)) for n in NUMBER.findall(output)]
    printed += [float(n) for n in re.findall(r"(?<![\w.])\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])", source)]
    for line in prose.split("\n"):
        found = [*PROSE_NUMBER.findall(line), *PROSE_WORD.findall(line)]
        strange = [number for number in found if not is_among(printed, number)]
        if line.startswith("|"):  # a row may have the sum or the difference of two others of its numbers
            known = [float(number) for number in found if number not in strange and number.lower() not in WORDS]
            pairs = itertools.combinations(known, 2)
            computed = [number for one, other in pairs for number in (one + other, abs(one - other))]
            strange = [number for number in strange if not is_among(computed, number)]
        yield from (f"the number {number} in the text was never printed" for number in strange)


def is_among(numbers, written):
    """Whether a number as it is written in a text is one of these, rounded. Years are among any."""
    mantissa, _, power = WORDS.get(written.lower(), written).partition("e")
    value, digits, unit = float(mantissa), len(mantissa.partition(".")[2]), 10.0 ** int(power or 0)
    is_year = not digits and not power and 1900 <= value <= 2030
    return is_year or any(abs(round(n / unit, digits) - value) < 1e-9 for n in numbers)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


PART = re.compile(r"^\[(\w+)\]\n(.*?)^\[\1\]$", re.M | re.S)


def parts_of(output):
    """The text between two lines [name], by name."""
    return {name: part for name, part in PART.findall(output)}


def as_shown(chapter, printed):
    """The output of a run as the page shows it. Parts that vary from run to run, or from one BLAS to another, are taken from
    expected.txt, because the text quotes those."""
    kept = parts_of(chapter.expected.read_text())
    of_page = {name: f"[{name}]\n{part}[{name}]" for name, part in kept.items() if name in chapter.shown_as_kept}
    return PART.sub(lambda part: of_page.get(part[1], part[0]), printed)


def is_near(expected, printed):
    """Whether two numbers are equal within a unit of the last digit and a fiftieth, because machines add up in different
    orders."""
    digits = len(re.sub(r"e.*", "", expected).partition(".")[2])
    allowed = 1.01 * 10.0**-digits if "e" not in expected and "." in expected else 0
    return abs(float(expected) - float(printed)) <= allowed + abs(float(expected)) / 50


def changes_of_output(chapter, output, kernels):
    """The lines in which the program's output differs from expected.txt, after rounding. Parts that vary according to
    chapter.json, such as times, need only be there; the same holds for parts in which training amplifies rounding, if the
    BLAS adds in another order."""
    loose = {*chapter.varies, *(chapter.amplifies if kernels not in KEPT else ())}
    kept, now = parts_of(chapter.expected.read_text()), parts_of(output)
    yield from (f"the part {name} is in the output or in expected.txt, not in both" for name in kept.keys() ^ now.keys())
    for name in kept.keys() & now.keys() - loose:
        for expected, printed in itertools.zip_longest(kept[name].split("\n"), now[name].split("\n")):
            same = expected is not None and printed is not None and (
                NUMBER.sub("#", expected).split() == NUMBER.sub("#", printed).split()
                and all(map(is_near, NUMBER.findall(expected), NUMBER.findall(printed)))
            )  # fmt: skip
            if not same:
                yield f"{name}: expected.txt has {expected!r}, the run printed {printed!r}"


def uses_of_what_comes_later(chapter, source):
    introduced = dict(line.split() for line in (TUTORIALS / "introduced.txt").read_text().splitlines())
    for header in re.findall(r'#include "((?:autograd|nn)/[^"]+)"', source):
        if header not in introduced:
            yield f"{header} is not in introduced.txt: which chapter brings it?"
        elif introduced[header] > chapter.number:
            yield f"{header} comes in chapter {introduced[header]} only"
