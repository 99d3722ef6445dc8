"""Reads the chapters from their folders: chapter.json, chapter.md, exercises and notes."""

import json
import pathlib
import re

from wrong import Trouble, read_wrong

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TUTORIALS = ROOT / "tutorials"
TEXTS = [ROOT / "nn/data/corpus" / name for name in ("fables.txt", "tales.txt")]  # which programs read
OUTPUT = ROOT / "build" / "course"  # the output and figures of a run, and the parts of them that the site shows
TRIALS = ROOT / "build" / "trials"  # programs of all answers, and stamps of passed checks
HINTS = ("Nudge", "Formula", "Skeleton")
SECTIONS = ("Task", *HINTS, "Why", "Another way")
KINDS = ("part", "variation", "predict")
WORDS_A_MINUTE, SECONDS_A_LINE = 200, 4  # of text; of code or output


class Exercise:
    """An exercise: its starter, its solution, wrong answers, the check and the notes.

    A "variation" is a program of its own. A "part" is a hole in pocket, and pocket has its solution; wrong answers are
    other texts for the hole. A "predict" runs its starter after the reader has predicted the output. `further` exercises
    are optional: the course goes on without them."""

    def __init__(self, chapter, name, title, minutes, kind="variation", further=False):
        self.chapter, self.name, self.title, self.minutes, self.kind = chapter, name, title, minutes, kind
        self.further = further
        self.label = f"{chapter.number}.{name.split('_')[0]}"
        if kind not in KINDS:
            raise Trouble(f"exercise {self.label} has the unknown kind {kind!r} (choose {', '.join(KINDS)})")
        self.folder = chapter.folder / "exercises" / name
        self.notes, self.checker = self.folder / "task.md", self.folder / "check.cpp"
        self.starter, self.solution = self.folder / "starter.cpp", self.folder / "answer.cpp"

    @property
    def wrong(self):
        """The wrong answers, each with the words with which the check must reject it."""
        file = self.folder / "wrong.txt"
        try:
            return read_wrong(file.read_text()) if file.exists() else []
        except Trouble as trouble:
            raise Trouble(f"{file.relative_to(ROOT)}: {trouble}") from None

    @property
    def sections(self):
        """The sections that the notes must have."""
        return tuple(s for s in SECTIONS if self.kind != "predict" or s in ("Task", "Why"))

    def has(self, title):
        return f"\n## {title}\n" in "\n" + self.notes.read_text()

    def section(self, title):
        """A section of the notes: the task, a hint, or the text after success."""
        found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", self.notes.read_text(), re.S | re.M)
        if not found:
            raise Trouble(f"{self.notes.relative_to(ROOT)} lacks the section {title}")
        return found.group(1).strip("\n")  # keeps the indentation of code at its beginning


class Chapter:
    def __init__(self, folder):
        self.folder, self.number = folder, folder.name[:2]
        about = json.loads((folder / "chapter.json").read_text())
        self.title, self.question = about["title"], about["question"]
        self.program, self.running = about["program"], about["running"]
        self.varies = about.get("varies", [])  # parts of the output that differ from run to run
        self.amplifies = about.get("amplifies", [])  # and between BLAS libraries: training amplifies rounding
        self.expected = folder / "expected.txt"
        self.text = folder / "chapter.md"
        self.source = folder / f"{self.program}.cpp"
        self.output = OUTPUT / folder.name
        self.exercises = [Exercise(self, **e) for e in about["exercises"]]

        self.live = about.get("live")  # its live piece, in tutorials/live
        self.long = about.get("long")  # a description of the run `chapter NN --long`, if there is one
        self.first_compile = about.get("first_compile", 0)  # seconds; ./run prints them first if they are many

    @property
    def data(self):
        """The files that its programs read when they run: all files of its other folders."""
        folders = [f for f in self.folder.iterdir() if f.is_dir() and f.name not in ("exercises", "kept")]
        return sorted(file for folder in folders for file in folder.rglob("*") if file.is_file())

    @property
    def kept_figures(self):
        """Figures of numbers that vary, such as times, from the run whose output is kept."""
        return sorted((self.folder / "kept").glob("*"))

    @property
    def shown_as_kept(self):
        """The parts that the page shows from expected.txt, whatever a run prints."""
        return {*self.varies, *self.amplifies}

    @property
    def sources(self):
        """The program and its headers, without the headers that draw or that exercises or checks share."""
        others = {self.folder / name for name in ("figures.h", "exercises.h", "checking.h")}
        return sorted({self.source, *self.folder.glob("*.h")} - others)

    @property
    def uses_pocket(self):
        own = [*self.folder.glob("*.h"), self.source]
        return any('#include "pocket/' in file.read_text() for file in own if file.name != "exercises.h")

    @property
    def pytorch(self):
        """The fold-outs "Same in PyTorch"."""
        return sorted(self.folder.glob("pytorch*.py"))

    @property
    def reading(self):
        """Minutes of reading, without the parts that a reader must unfold."""
        text = re.sub(r"^\\fold\{.*?^\\endfold$", "", self.text.read_text(), flags=re.M | re.S)
        words = len(re.sub(r"^(\\\w+.*| {4}.*)$", "", text, flags=re.M).split())
        code = len(re.findall(r"^ {4}\S", text, re.M)) + sum(map(self.excerpt_lines, EXCERPT.findall(text)))
        return max(1, round(words / WORDS_A_MINUTE + code * SECONDS_A_LINE / 60))

    @property
    def printed_share(self):
        """The share of the experiment that its page shows, in lines of its program and headers, without comments, lines
        that any file has, and lines that draw."""
        files = self.sources
        printed = {(name, block) for name, block in EXCERPT.findall(self.text.read_text()) if TUTORIALS / name in files}
        whole = sum(map(experiment_lines, (file.read_text() for file in files)))
        return sum(experiment_lines(self.excerpt(*each)) for each in printed) / max(1, whole)

    def excerpt_lines(self, excerpt):
        """The number of lines of an excerpt that are not blank. `excerpt` is the (file, name) of \\snippet. A hole is
        one line."""
        return sum(1 for line in self.excerpt(*excerpt).split("\n") if line.strip())

    def excerpt(self, name, block):
        """The text between two marks of a file."""
        file = self.expected if name.endswith("/output.txt") else TUTORIALS / name
        text = HOLE.sub("throw", file.read_text() if file.exists() else "")
        between = re.split(rf"^.*\[{re.escape(block)}\].*$", text, flags=re.M)
        return between[1] if len(between) == 3 else ""


HOLE = re.compile(r"^ *//! \[(\d\d\.\d+)\]$.*?//! \[\1\]$", re.M | re.S)  # pages show one statement in its place
NO_EXPERIMENT = re.compile(r"\s*//|#|using |(inline )?namespace|}  // namespace")


def experiment_lines(text):
    return sum(1 for line in text.split("\n") if line.strip() and not NO_EXPERIMENT.match(line))


EXCERPT = re.compile(r"^\\snippet (\S+) (.+?)\s*$", re.M)


CHAPTERS = [Chapter(p.parent) for p in sorted(TUTORIALS.glob("[0-9][0-9]_*/chapter.json"))]


def chapter_of(number):
    for chapter in CHAPTERS:
        if chapter.number == number.zfill(2):
            return chapter
    known = ", ".join(c.number for c in CHAPTERS)
    raise Trouble(f"unknown chapter {number} (choose {known})")
