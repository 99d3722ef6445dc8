"""Manages the reader's own pocket, my/pocket/: adds each chapter's lines to it, and keeps the lines that the reader
wrote.

my/.pocket/ keeps the lines as they were handed out. When a chapter adds lines, the difference between the old and the
new lines is merged into the reader's files, as git merges a branch. If that is not possible, the reader's file stays
unchanged, and the course's file is put beside it.
"""

import difflib
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from chapters import CHAPTERS, ROOT, Trouble
from pocket import Pocket


def number_of(label):
    """The key to sort labels: 04.10 comes after 04.2."""
    chapter, _, k = label.partition(".")
    return chapter, int(k or 0)


def titles(chapters=CHAPTERS):
    return {e.label: e.title for c in chapters for e in c.exercises}


def text_of(file):
    """The text of a reader's file; bytes that are not UTF-8 are kept when it is written again."""
    return file.read_text(errors="surrogateescape")


def write(file, text):
    file.write_text(text, errors="surrogateescape")


def shown(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


class Mine:
    """my/pocket: its files, and the lines of the course's `pocket` that were handed out."""

    def __init__(self, pocket=None, folder=ROOT / "my"):
        self.pocket = pocket or Pocket(titles=titles())
        self.folder, self.files, self.given = folder, folder / "pocket", folder / ".pocket"

    def reached(self):
        """The last chapter whose lines were handed out, and the chapter up to which holes were filled."""
        try:
            about = json.loads((self.given / "reached.json").read_text())
            return about["chapter"], about["solved"]
        except (OSError, ValueError, KeyError):
            return "00", "00"

    def hand_out(self, number, solved):
        """The lines that the reader gets: the state after a chapter, with the holes after chapter `solved` open."""
        return self.pocket.state(number, lambda label: label[:2] > solved)

    def record(self, texts, number, solved):
        shutil.rmtree(self.given, ignore_errors=True)
        self.given.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (self.given / name).write_text(text)
        (self.given / "reached.json").write_text(json.dumps({"chapter": number, "solved": solved}))

    def grow(self, number):
        """Brings the reader's files to a chapter; returns lines that describe the changes."""
        self.must_exist()
        reached, solved = self.reached()
        number, said = max(number, reached), []
        texts = self.hand_out(number, solved)
        self.files.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            said += self.merge(name, text)
        self.record(texts, number, solved)
        if number > reached:
            brought = sorted({b.file for b in self.pocket.blocks if reached < b.chapter <= number})
            if brought:  # a chapter may add no lines
                said.append(f"{shown(self.files)}/ now has the lines up to chapter {number}: {', '.join(brought)}")
        return said

    def merge(self, name, text):
        file, before = self.files / name, self.given / name
        if not file.exists():
            write(file, text)
            return [f"{shown(file)} was missing: restored the original file"] if before.exists() else []
        mine, base = text_of(file), text_of(before) if before.exists() else ""
        if base == text or mine == text:
            return []
        with tempfile.TemporaryDirectory() as folder:
            sides = [Path(folder) / side for side in ("mine", "base", "course")]
            for side, content in zip(sides, (mine, base, text)):
                write(side, content)
            merged = subprocess.run(["git", "merge-file", "-p", *map(str, sides)], capture_output=True, text=True, errors="surrogateescape")
        if merged.returncode == 0:
            write(file, merged.stdout)
            return []
        other = beside(file, ".course")
        write(other, text)
        return [f"{shown(file)} is unchanged, because your edits conflict with the chapter's lines; the course's version is {shown(other)}"]

    def must_exist(self):
        if not self.pocket.blocks:
            raise Trouble("tutorials/pocket/ has no files yet")

    def catch_up(self, number):
        """Writes the state before a chapter. Keeps the old files beside it, and the reader's answers to the chapter's
        exercises."""
        self.must_exist()
        before = max((n for n in self.pocket.chapters if n < number), default=None)
        if before is None:
            raise Trouble(f"--catch-up: no chapter comes before chapter {number} (start with ./run exercise)")
        texts, said, solved = self.pocket.state(before), [], self.solved_of(number)
        if self.files.exists() and any(self.files.iterdir()):
            kept = beside(self.files, "")
            self.files.rename(kept)
            said.append(f"your earlier version is in {shown(kept)}/")
        self.files.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write(self.files / name, text)
        self.record(texts, before, f"{int(number) - 1:02}")
        lines = sum(text.count("\n") for text in texts.values())
        said.append(f"{shown(self.files)}/ is the library before chapter {number}: {len(texts)} files, {lines} lines")
        if solved:
            self.grow(number)
            for label, answer in solved.items():
                mine, low, high = self.place(label)
                write(self.files / self.pocket.block_of(label).file, "".join([*mine[:low], *answer, *mine[high:]]))
            said.append(f"with yours of {', '.join(solved)}")
        return said

    def solved_of(self, number):
        """The reader's lines in the blocks of a chapter's filled holes, by label."""
        reached, solved = self.reached()
        if not solved < number <= reached:  # not reached yet, or filled with the course's lines
            return {}
        labels = [k for k in self.pocket.holes if k[:2] == number and self.hole(k)[0].is_file() and not self.hole(k)[1]]
        places = {label: self.place(label) for label in labels}
        return {label: mine[low:high] for label, (mine, low, high) in places.items()}

    def ready(self, number):
        """Brings the reader's files to a chapter, and makes sure that each file is there."""
        said = self.grow(number)
        for name in self.pocket.state(number):
            if not (self.files / name).is_file():
                raise Trouble(f"{shown(self.files / name)} is not a file")
        return said

    def open_holes(self):
        """The holes that are still open in the reader's files: label to (file, line)."""
        found = {}
        for file in sorted(self.files.glob("*.h")):
            for line, text in enumerate(text_of(file).splitlines(), 1):
                mark = re.search(r'"exercise (\d\d\.\d+): ', text)
                if mark:
                    found[mark[1]] = (file, line)
        return found

    def hole(self, label):
        """The file of an exercise and the line of its open hole, or 0 if the hole is filled."""
        file = self.files / self.pocket.block_of(label).file
        return self.open_holes().get(label, (file, 0))

    def reset(self, label):
        """Opens the hole again: its block is as handed out, the rest stays. Keeps the old file beside it."""
        self.ready(label[:2])
        block = self.pocket.block_of(label)
        file, (mine, low, high) = self.files / block.file, self.place(label)
        kept = beside(file, ".old")
        write(kept, "".join(mine))
        fill = self.pocket.filled(lambda other: other == label)
        write(file, "".join(mine[:low]) + block.text(fill) + "".join(mine[high:]))
        return kept

    def place(self, label):
        """The lines of the reader's file with a hole, and the first and last index of the hole's block in them."""
        block = self.pocket.block_of(label)
        mine = text_of(self.files / block.file).splitlines(keepends=True)
        theirs = self.pocket.state(self.reached()[0])[block.file]
        start = theirs[: theirs.index(block.text())].count("\n")
        return mine, *across(theirs.splitlines(keepends=True), mine, start, start + block.text().count("\n"))

    def difference(self, label):
        """The difference between the reader's lines in the block of a hole and the course's."""
        mine, low, high = self.place(label)
        ours = self.pocket.block_of(label).text().splitlines(keepends=True)
        return [line.rstrip("\n") for line in difflib.unified_diff(mine[low:high], ours, n=2)][2:]


def across(theirs, mine, first, last):
    """The range of lines of `mine` that corresponds to lines first to last of `theirs`."""
    low, high = 0, len(mine)
    for a, b, size in difflib.SequenceMatcher(None, theirs, mine, autojunk=False).get_matching_blocks():
        if size and a <= first < a + size:  # the first line of the block is in `mine`
            low = b + first - a
        elif size and a + size <= first:
            low = b + size
        if size and a < last <= a + size:
            high = b + last - a
            break
        if size and a >= last:
            high = b
            break
    return low, max(low, high)


def beside(path, suffix):
    """A free name beside a path: pocket.1, tensor.h.old, tensor.h.old.1 ..."""
    wanted = [path.with_name(path.name + suffix)] if suffix else []
    numbered = (path.with_name(f"{path.name}{suffix}.{i}") for i in range(1, 10000))
    return next(p for p in (*wanted, *numbered) if not p.exists())
