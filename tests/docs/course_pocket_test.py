"""Tests pocket's blocks, their parts on pages, and the reader's copy, with a small library. usage: course_pocket_test.py ROOT"""

import pathlib
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tutorials" / "course"))
sys.dont_write_bytecode = True

from chapters import Trouble  # noqa: E402
from mine import Mine  # noqa: E402
from picture import drawn  # noqa: E402
from pocket import Pocket, faults_of_pages, parse  # noqa: E402
from verdicts import finish, verdict  # noqa: E402

TENSOR = """//! [01 the head]
#pragma once
namespace pocket {
//! [01 the head]

//! [01 area]
int area(int rows, int columns) {
  //! [01.1]
  const int all = rows * columns;
  return all;
  //! [01.1]
}
//! [01 area]

//! [02 twice]
int twice(int x) {
  //! [02.1]
  return 2 * x;
  //! [02.1]
}
//! [02 twice]

//! [01 the end]
}  // namespace pocket
//! [01 the end]
"""
GRAPH = '//! [02 all]\n#pragma once\n#include "tensor.h"\n//! [02 all]\n'
PAGES = {
    "01": "\\snippet pocket/tensor.h 01 the head\n\\snippet pocket/tensor.h 01 area\n\\snippet pocket/tensor.h 01 the end\n",
    "02": "\\snippet pocket/tensor.h 02 twice\nwords\n\\snippet pocket/graph.h 02 all\n",
}


def library(folder, **files):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ({"tensor": TENSOR, "graph": GRAPH} | files).items():
        (folder / f"{name}.h").write_text(text)
    return Pocket(folder, {"01.1": "Area", "02.1": "Twice"})


def rejects(what, text, words):
    faults = []
    parse("f.h", text, faults)
    verdict(f"{what} is a fault", any(words in f for f in faults), faults)


scratch = tempfile.TemporaryDirectory()
temp = pathlib.Path(scratch.name)
pocket = library(temp / "pocket")

# Blocks, holes and states.
verdict("a library by the rules has no faults", pocket.faults == [], pocket.faults)
verdict("chapters are those of the blocks", pocket.chapters == ["01", "02"])
plain = "".join(line for line in TENSOR.splitlines(keepends=True) if "//! [" not in line)
verdict("the last state is the file without its markers", pocket.state("02")["tensor.h"] == plain)
first = pocket.state("01")
verdict("a state has no later chapter's code", "twice" not in first["tensor.h"] and list(first) == ["tensor.h"])
verdict("and no blank lines where that was", "}\n\n}  // namespace" in first["tensor.h"], first["tensor.h"])
is_open = pocket.state("01", lambda label: True)["tensor.h"]
verdict("an open hole throws in its place", '{\n  throw std::logic_error("exercise 01.1: Area");\n}' in is_open, is_open)
answered = pocket.state("01", answers={"01.1": ["  return 7;\n"]})["tensor.h"]
verdict("a hole takes an answer", "{\n  return 7;\n}" in answered)
quoted = pocket.with_open_holes("tensor.h")
verdict("what pages quote has markers of blocks and open holes", "//! [02 twice]" in quoted and "2 * x" not in quoted)
rejects("a line in no block", "int x;\n", "f.h:1: stands in no block")
rejects("a block that is not closed", "//! [01 a]\n", "01 a is not closed")
rejects("a block in a block", "//! [01 a]\n//! [02 b]\n", "begins within 01 a")
rejects("a hole in no block", "//! [01.1]\n", "stands in no block")
rejects("a hole of another chapter", "//! [01 a]\n//! [02.1]\n//! [02.1]\n//! [01 a]\n", "in a block of chapter 01")
rejects("a hole that is not closed", "//! [01 a]\n//! [01.1]\nx\n//! [01 a]\n", "within hole 01.1")
rejects("a marker without a chapter", "//! [a]\n", "is no marker")
twice = library(temp / "two", graph=GRAPH + GRAPH)
verdict("two blocks of one name are a fault", "graph.h: two blocks 02 all" in twice.faults, twice.faults)

# The pages are the library.
verdict("pages with all blocks are without fault", faults_of_pages(pocket, PAGES) == [])


def page_fault(what, words, pages=None):
    faults = faults_of_pages(pocket, PAGES | (pages or {}))
    verdict(f"{what} is a fault", any(words in f for f in faults), faults)


page_fault("a block on no page", "no page shows graph.h 02 all", {"02": "\\snippet pocket/tensor.h 02 twice\n"})
page_fault("a block on two pages", "once more", {"02": PAGES["02"] * 2})
page_fault("a block on an earlier page", "belongs to chapter 02", {"01": PAGES["01"] + PAGES["02"]})
page_fault("an excerpt out of order", "after 01 the end", {"01": "\\snippet pocket/tensor.h 01 the end\n" + PAGES["01"]})
page_fault("a block that is not there", "has no block 02 none", {"02": PAGES["02"] + "\\snippet pocket/graph.h 02 none\n"})

# The reader's copy grows, and its contents stay.
mine = Mine(pocket, temp / "my")
file = mine.files / "tensor.h"
mine.ready("01")
verdict("the copy begins with open holes", list(mine.open_holes()) == ["01.1"], file.read_text())
verdict("a hole has a line", mine.hole("01.1") == (file, file.read_text().splitlines().index(
    '  throw std::logic_error("exercise 01.1: Area");') + 1))
file.write_text(file.read_text().replace('  throw std::logic_error("exercise 01.1: Area");', "  return columns * rows;"))
said = mine.ready("02")
text = file.read_text()
verdict("a later chapter keeps what was written", "columns * rows" in text and "int twice" in text, text)
verdict("and says what it brought", "graph.h, tensor.h" in said[0], said)
verdict("later holes are open", list(mine.open_holes()) == ["02.1"])
verdict("nothing more to say the next time", mine.ready("02") == [])
verdict("yours beside ours is the block of the hole alone", mine.difference("01.1") == [
    "@@ -1,3 +1,4 @@", " int area(int rows, int columns) {", "-  return columns * rows;",
    "+  const int all = rows * columns;", "+  return all;", " }"], mine.difference("01.1"))
kept = mine.reset("01.1")
verdict("a reset opens its hole, and keeps the file", "columns * rows" in kept.read_text() and "01.1" in mine.open_holes())
verdict("and leaves the rest", file.read_text().count("int twice") == 1)
graph = mine.files / "graph.h"
graph.unlink()
said = mine.ready("02")
verdict("a file that is gone comes back, with a word", graph.exists() and "was missing" in said[0], said)

# A file into which the chapter's lines do not fit.
(temp / "my" / "pocket" / "graph.h").write_text("#pragma once\n// all mine\n")
newer = library(temp / "pocket3", graph=GRAPH.replace('#include "tensor.h"', '#include "tensor.h"  // newer'))
said = Mine(newer, temp / "my").ready("02")
verdict("what does not fit stays the reader's", "all mine" in graph.read_text(), graph.read_text())
verdict("the course's file is put beside it", "newer" in (mine.files / "graph.h.course").read_text() and "is unchanged" in said[0], said)

# Catching up.
said = Mine(pocket, temp / "my").catch_up("02")
verdict("a catch-up writes the state before a chapter", file.read_text() == pocket.state("01")["tensor.h"])
verdict("and keeps what was there", "all mine" in (temp / "my" / "pocket.1" / "graph.h").read_text())
mine = Mine(pocket, temp / "my")
mine.ready("02")
verdict("after it the chapter's own holes are open", list(mine.open_holes()) == ["02.1"])
try:
    mine.catch_up("01")
    verdict("nothing comes before the first chapter", False)
except Trouble as trouble:
    verdict("nothing comes before the first chapter", "no chapter comes before chapter 01" in str(trouble))

newer = Mine(pocket, temp / "my")
newer.ready("02")
newer.catch_up("02")
verdict("going back and on again is no loss", not any("was missing" in line for line in newer.ready("02")))

# The drawing.
picture = drawn(pocket, mine, lambda label: False)
verdict("the drawing marks what is begun", "tensor.h …" in picture and "graph.h ✓" in picture, picture)
verdict("and what is solved", "tensor.h ✓" in drawn(pocket, mine, lambda label: True))
verdict("in a pipe without colours", "\x1b" not in picture)
verdict("its lines are as wide as they were", len({len(x) for x in picture.splitlines() if x.endswith("│")}) == 1)

finish()
