"""Cuts pocket, the reader's library, into the blocks that the chapters show.

A line `//! [NN name]` begins and ends a block; chapter NN's page shows it. Lines between two blocks are blank, and
belong to the block below them. A hole stands between two lines `//! [NN.k]` inside a block of chapter NN: the reader
writes it in exercise NN.k. The library's state after chapter NN is all blocks of chapters up to NN.
"""

import re
import textwrap

from chapters import TUTORIALS, Trouble

FOLDER = TUTORIALS / "pocket"
MARK = re.compile(r"\s*//! \[(?:(?P<chapter>\d\d) (?P<name>\S.*)|(?P<hole>\d\d\.\d+))\]\s*")
SHOWN = re.compile(r"^\\snippet pocket/(\S+) (\d\d .+?)\s*$", re.M)  # the line with which a page shows a block


class Hole:
    """The lines that the reader writes in an exercise."""

    def __init__(self, label):
        self.label, self.lines = label, []

    @property
    def margin(self):
        return re.match(r" *", self.lines[0])[0] if self.lines else ""

    def left_open(self, title):
        """The statement in a hole until the reader writes others."""
        return [f'{self.margin}throw std::logic_error("exercise {self.label}: {title}");\n']

    def solved(self):
        return self.lines


class Block:
    """A block of a file; `pieces` are its lines and holes in order."""

    def __init__(self, file, chapter, name, blank):
        self.file, self.chapter, self.name = file, chapter, name
        self.blank, self.pieces = blank, []  # blank: the blank lines above it

    @property
    def title(self):
        return f"{self.chapter} {self.name}"

    @property
    def holes(self):
        return [p for p in self.pieces if isinstance(p, Hole)]

    def text(self, fill=Hole.solved):
        """The block's lines without markers; `fill` gives the lines of a hole."""
        return "".join("".join(fill(p)) if isinstance(p, Hole) else p for p in self.pieces)


def parse(file, text, faults):
    """The blocks of a file. Adds each breach of the rules to the list `faults`."""
    blocks, block, hole, blank = [], None, None, []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        def wrong(what):
            faults.append(f"{file}:{number}: {what}")  # noqa: B023

        mark = MARK.fullmatch(line.rstrip("\n"))
        if mark is None and line.lstrip().startswith("//! ["):
            wrong(f"is no marker: {line.strip()} (//! [NN name], or //! [NN.k] for a hole)")
        elif mark is None and (hole is not None or block is not None):
            (block.pieces if hole is None else hole.lines).append(line)
        elif mark is None and line.strip():
            wrong("stands in no block")
        elif mark is None:
            blank.append(line)
        elif mark["hole"] and hole is not None:
            if mark["hole"] != hole.label:
                wrong(f"hole {mark['hole']} in hole {hole.label}")
            hole = None
        elif mark["hole"] and block is None:
            wrong(f"hole {mark['hole']} stands in no block")
        elif mark["hole"]:
            if not mark["hole"].startswith(block.chapter):
                wrong(f"hole {mark['hole']} in a block of chapter {block.chapter}")
            hole = Hole(mark["hole"])
            block.pieces.append(hole)
        elif block is None:
            block, blank = Block(file, mark["chapter"], mark["name"], "".join(blank)), []
            blocks.append(block)
        elif hole is not None:
            wrong(f"the block {block.title} is marked within hole {hole.label}")
        elif block.title == f"{mark['chapter']} {mark['name']}":
            block = None
        else:
            wrong(f"the block {mark['chapter']} {mark['name']} begins within {block.title}")
    if hole is not None:
        faults.append(f"{file}: hole {hole.label} is not closed")
    if block is not None:
        faults.append(f"{file}: the block {block.title} is not closed")
    return blocks


class Pocket:
    """The library in a folder; `titles` maps labels to the titles of exercises."""

    def __init__(self, folder=FOLDER, titles=None):
        self.folder, self.titles, self.faults = folder, titles or {}, []
        self.sources = {f.name: f.read_text() for f in sorted(folder.glob("*.h"))}
        self.blocks = [b for file, text in self.sources.items() for b in parse(file, text, self.faults)]
        holes = [h for b in self.blocks for h in b.holes]
        self.holes = {h.label: h for h in holes}
        names = [(b.file, b.title) for b in self.blocks]
        self.faults += [f"{f}: two blocks {t}" for f, t in sorted({n for n in names if names.count(n) > 1})]
        labels = [h.label for h in holes]
        self.faults += [f"hole {label} is there twice" for label in sorted({x for x in labels if labels.count(x) > 1})]
        self.faults += [f"hole {h.label} is empty" for h in holes if not h.lines]

    @property
    def chapters(self):
        """The numbers of the chapters that have blocks, in order."""
        return sorted({b.chapter for b in self.blocks})

    def of(self, number):
        """The blocks of a chapter."""
        return [b for b in self.blocks if b.chapter == number]

    def block_of(self, label):
        """The block with the hole."""
        for block in self.blocks:
            if any(h.label == label for h in block.holes):
                return block
        raise Trouble(f"no file of pocket has the hole //! [{label}]")

    def filled(self, is_open=lambda label: False, answers=None):
        """A function that fills holes: with a throw if `is_open`, with an answer from `answers` (label: lines), or as
        in the files."""

        def fill(hole):
            if hole.label in (answers or {}):
                return answers[hole.label]
            return hole.left_open(self.titles.get(hole.label, "write it")) if is_open(hole.label) else hole.lines

        return fill

    def state(self, number, is_open=lambda label: False, answers=None, blocks=None):
        """The library after a chapter: texts by file name. Files that have no line yet are absent. `blocks` maps
        blocks to texts that replace them."""
        fill, texts = self.filled(is_open, answers), {}
        for block in self.blocks:
            if block.chapter <= number:
                above = block.blank if block.file in texts else ""
                text = (blocks or {}).get(block, None)
                texts[block.file] = texts.get(block.file, "") + above + (block.text(fill) if text is None else text)
        return texts

    def write(self, folder, *arguments, **options):
        """Makes `folder` and writes a state into it as files."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.state(*arguments, **options).items():
            (folder / name).write_text(text)

    def with_open_holes(self, file):
        """A file with its blocks marked and every hole open, from which the pages quote."""
        fill, lines = self.filled(lambda label: True), []
        for block in self.blocks:
            if block.file == file:
                mark = f"//! [{block.title}]\n"
                lines += [block.blank, mark, block.text(fill), mark]
        return "".join(lines)


def answer_of(exercise, pocket):
    """The course's own answer, in words or code."""
    if exercise.kind == "part":
        return textwrap.dedent("".join(pocket.holes[exercise.label].lines))
    return exercise.section("Why") + "\n" if exercise.kind == "predict" else exercise.solution.read_text()


def faults_of_pages(pocket, pages):
    """The places where the pages (chapter: text) do not show pocket's files byte for byte and in order."""
    faults, shown = list(pocket.faults), []
    known = {(b.file, b.title): b for b in pocket.blocks}
    place = {b: i for i, b in enumerate(pocket.blocks)}
    for number in sorted(pages):
        last = {}  # file: its block that this page showed last
        for found in SHOWN.findall(pages[number]):
            block = known.get(found)
            if block is None:
                faults.append(f"{number}: pocket/{found[0]} has no block {found[1]}")
                continue
            if block.chapter != number:
                faults.append(f"{number}: shows {block.file} {block.title}, which belongs to chapter {block.chapter}")
            if place[block] < place.get(last.get(block.file), -1):
                faults.append(f"{number}: shows {block.file} {block.title} after {last[block.file].title}")
            if block in shown:
                faults.append(f"{number}: shows {block.file} {block.title} once more")
            last[block.file] = block
            shown.append(block)
    for number in pocket.chapters:
        absent = [b for b in pocket.of(number) if b not in shown]
        faults += [f"{number}: no page shows {b.file} {b.title}:\n{b.text()}" for b in absent]
    for name, text in pocket.sources.items():
        plain = "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("//! ["))
        rebuilt = "".join(b.blank + b.text() for b in pocket.blocks if b.file == name and b in shown)
        if not faults and rebuilt != plain:
            faults.append(f"{name}: the excerpts of all pages are not the file")
    return faults
