"""Checks that pocket can be read chapter by chapter: each line is in one block, each chapter's state compiles.

usage: blocks_test.py ROOT COMPILER...

A block begins and ends with the line `//! [NN name]`, NN being the chapter that prints it. Within it, `//! [NN.k]` begins
and ends the lines that exercise k leaves to the reader. The state of a chapter is all blocks of it and those before.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ORDER = ("tensor matmul graph ops random engine gradcheck learn text recurrent attention position block gpt write tokens "
         "bert transformer").split()
ENGINE_LINES, ALL_LINES, LONGEST_LINE = 415, 1870, 100
MARKER = re.compile(r"\s*//! \[(\d\d)([. ])(.+)\]")


def blocks(path):
    """The (chapter, lines) of a file's blocks, in order. A problem ends the program."""
    found, name, part = [], None, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        def problem(text):
            sys.exit(f"{path}:{number}: {text}")
        marker = MARKER.fullmatch(line)
        if len(line) > LONGEST_LINE:
            problem(f"more than {LONGEST_LINE} columns")
        if marker is None:
            if "//! [" in line:
                problem("is no marker")
            if name is None:
                if line:
                    problem("is in no block")
            else:
                found[-1][1].append(line)
        elif marker[2] == ".":
            if name is None or marker[1] != name[4:6]:
                problem(f"a part outside a block of chapter {marker[1]}")
            if part not in (None, line.strip()):
                problem(f"begins within {part}")
            part = None if part else line.strip()
        elif name is None:
            if any(line == other[2] for other in found):
                problem("there is another block of this name")
            name = line
            found.append((int(marker[1]), [], line))
        elif line != name or part:
            problem(f"ends {part or name}")
        else:
            name = None
    if name:
        sys.exit(f"{path}: {name} does not end")
    return found


def write_state(files, chapter, folder):
    """Writes what the chapter has of each file, and returns the names of those that it has begun."""
    begun = []
    for name, parts in files.items():
        lines = [line for number, text, _ in parts if number <= chapter for line in [*text, ""]]
        if lines:
            (folder / f"{name}.h").write_text("\n".join(lines))
            begun.append(name)
    return begun


root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
folder = root / "tutorials/pocket"
names = sorted((path.stem for path in folder.glob("*.h")), key=lambda name: ORDER.index(name))
files = {name: blocks(folder / f"{name}.h") for name in names}

lines = {}
for name, parts in files.items():
    for chapter, text, _ in parts:
        lines[chapter] = lines.get(chapter, 0) + sum(map(bool, text))
engine = sum(n for chapter, n in lines.items() if chapter <= 5)
print(*(f"{chapter:02}: {n} lines" for chapter, n in sorted(lines.items())), sep="\n")
print(f"engine {engine}, all {sum(lines.values())}")
if engine > ENGINE_LINES or sum(lines.values()) > ALL_LINES:
    sys.exit(f"more than {ENGINE_LINES} lines in the engine or {ALL_LINES} in all")

failed = False
for chapter in sorted(lines):
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        begun = write_state(files, chapter, made)
        (made / "state.cpp").write_text("".join(f'#include "{name}.h"\n' for name in begun))
        result = subprocess.run([*compiler, "-std=c++20", "-fsyntax-only", "-w", str(made / "state.cpp")],
                                capture_output=True, text=True)
        if result.returncode != 0:
            failed = True
            print(f"the state after chapter {chapter:02} does not compile:\n{result.stderr[:3000]}")
sys.exit(failed)
