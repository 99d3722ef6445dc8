"""Tests the course's output in a terminal and in a pipe, without compiling anything. usage: course_terminal_test.py ROOT"""

import contextlib
import importlib.util
import io
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tutorials" / "course"))
sys.dont_write_bytecode = True

import terminal  # noqa: E402
from builder import program_lines  # noqa: E402
from chapters import CHAPTERS  # noqa: E402
from mine import Mine, shown as path_of  # noqa: E402
from verdicts import finish, verdict  # noqa: E402

spec = importlib.util.spec_from_file_location("course", root / "tutorials" / "course" / "__main__.py")
course = importlib.util.module_from_spec(spec)
spec.loader.exec_module(course)

course.Mine = lambda: Mine(folder=pathlib.Path(sys.argv[2]) / "nobody")  # not the copy of the person who runs the test


def listing(solved):
    course.is_solved = lambda exercise: exercise.label in solved
    with contextlib.redirect_stdout(io.StringIO()) as out:
        course.list_course()
    return out.getvalue()


first, second = CHAPTERS[0].exercises[:2]
text = listing({first.label})
here = [line for line in text.splitlines() if "you are here" in line]
verdict("the list marks the first exercise that is not solved", len(here) == 1 and second.label in here[0])
verdict("the list counts what is solved", re.search(r"\b1 of \d+ exercises solved", text) is not None)
core = [[e for e in chapter.exercises if not e.further] for chapter in CHAPTERS]
verdict("four to six exercises are a chapter's core", all(4 <= len(of_chapter) <= 6 for of_chapter in core))
stops = next(i for i, chapter in enumerate(CHAPTERS) if chapter.exercises[-1].further)
listing({e.label for of_chapter in core[: stops + 1] for e in of_chapter})
verdict("further exercises come last", course.unsolved()[0] is core[stops + 1][0] and course.unsolved()[-1].further)
verdict("and do not hold back the next chapter", course.after_chapter(CHAPTERS[stops]).endswith(f"chapter {CHAPTERS[stops + 1].number}"))
columns = {line.index(" min") for line in text.splitlines() if re.match(r" {4}\d\d\.\d", line)}
verdict("minutes stand in one column", len(columns) == 1)

parts = terminal.Parts()
shown = "".join(map(parts.shown, ["[four_words]\n", "1 2\n", "[four_words]\n", "[x y]\n"]))
verdict("marks of parts become headings", shown == "Four words\n1 2\n[x y]\n")
verdict("a pipe gets no colours", terminal.verdicts("\x1b[01;31merror\x1b[m\x1b[K: RED") == "error: RED")
long_line = "axes " * 60
verdict("lines break between words", all(line.endswith("axes") for line in terminal.wrapped(long_line).split("\n")))
code = "    int x = 1;  // " + "axes " * 60
items = "- " + "one item of a list " * 9 + "\n- another"
broken = terminal.wrapped(items).split("\n")
verdict("an item begins its own line", [line[:2] for line in broken] == ["- "] + ["  "] * (len(broken) - 2) + ["- "])
verdict("code is not broken", terminal.wrapped(code) == code)

greens = [f"green  step {i}" for i in range(30)]
verdict("many lines that hold are one", terminal.folded("\n".join([*greens, "RED    the end", "a matrix"])) ==
        "green  30 steps hold, the last: step 29\nRED    the end\na matrix")  # fmt: skip
verdict("a few are as they were", terminal.folded("\n".join(greens[:8])) == "\n".join(greens[:8]))

# Causes of a crash.
from builder import place_of_crash  # noqa: E402
from running import ended_by, printable  # noqa: E402

verdict("from chapter 03 on a crash may be a null pointer or a closure's", "null" in ended_by(-11, chapter="04") and "[&]" in ended_by(-11, chapter="04"))
verdict("and before it an index", "null" not in ended_by(-11, chapter="02") and "index" in ended_by(-11, chapter="02"))
own = pathlib.Path(sys.argv[2]) / "my"
(own / "pocket").mkdir(parents=True, exist_ok=True)
(own / "pocket" / "ops.h").write_text("one\ntwo\n  return [&] { return x; };\n")
report = f"""==7==ERROR: AddressSanitizer: stack-use-after-return on address 0x7f00 at pc 0x5600 bp 0x7ffc sp 0x7ffd
READ of size 8 at 0x7f00 thread T0
    #0 0x5611 in std::vector<float, std::allocator<float> >::size() const /usr/include/c++/12/bits/stl_vector.h:987
    #1 0x5612 in operator() {own}/pocket/ops.h:3
    #2 0x5613 in main /work/check.cpp:9
"""
verdict("a report of the sanitizer becomes two lines", place_of_crash(report, own) ==
        "the address sanitizer says: a variable was used after its function had ended: does a closure capture by reference ([&])? "
        f"(stack-use-after-return)\n    {path_of(own)}/pocket/ops.h:3: return [&] {{ return x; }};\n", place_of_crash(report, own))  # fmt: skip
verdict("one without a line of the reader's says nothing", place_of_crash(report.replace("ops.h", "../../other.h").replace(str(own), ""), own) == "")
verdict("what a terminal would act on is shown", printable("\x1b[2J\u202eé\t\x9b\n".encode() + b"\xff") == "\\x1b[2J\\u202eé\t\\x9b\n\\xff")

# A program's lines appear while it runs: this program waits until its first line was seen.
folder = pathlib.Path(sys.argv[2])
(folder / "tutorials").mkdir(parents=True, exist_ok=True)
program = folder / "tutorials" / CHAPTERS[0].program
program.write_text('#!/bin/sh\necho first\nuntil [ -e "$1/seen" ]; do sleep 0.02; done\necho second\n')
program.chmod(0o755)
(folder / "figures" / "seen").unlink(missing_ok=True)
lines = program_lines(folder, CHAPTERS[0], folder / "figures")
verdict("a chapter's output is shown as it comes", next(lines) == "first\n")
(folder / "figures" / "seen").touch()
verdict("and to its end", list(lines) == ["second\n"])

finish()
