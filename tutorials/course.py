#!/usr/bin/env python3
"""The course at the command line: what ./run course, chapter and exercise do.

    course.py BUILD list
    course.py BUILD chapter 08
    course.py BUILD exercise 08[.2] [--watch] [--hint] [--solution [--give-up]] [--reset]
    course.py BUILD capture          runs every program: build/course/NN_name/output.txt and figures
    course.py BUILD check            for the tests: every starter is red, every solution green, every
                                     wrong answer rejected with its own words; texts show what their
                                     programs print, and use nothing that comes later

Readers work on copies in my/, which git does not know: they survive every update, as does
my/progress.json. Needs a built library in BUILD and its compile_commands.json.
"""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TUTORIALS = ROOT / "tutorials"
MINE = ROOT / "my"
PROGRESS = MINE / "progress.json"
CHAPTERS = json.loads((TUTORIALS / "course.json").read_text())["chapters"]
HINTS = ("Nudge", "Formula", "Skeleton")


class Trouble(Exception):
    """Something to tell the reader, in one line."""


def progress():
    try:
        return json.loads(PROGRESS.read_text())
    except (OSError, ValueError):
        return {}


def remember(key, value):
    MINE.mkdir(exist_ok=True)
    kept = progress() | {key: value}
    temporary = PROGRESS.with_suffix(".tmp")
    temporary.write_text(json.dumps(kept, indent=2) + "\n")
    temporary.replace(PROGRESS)


def chapter_of(number):
    for chapter in CHAPTERS:
        if chapter["number"] == number.zfill(2):
            return chapter
    known = ", ".join(c["number"] for c in CHAPTERS)
    raise Trouble(f"there is no chapter {number} yet (there is {known})")


def label(chapter, exercise):
    return f"{chapter['number']}.{exercise['name'].split('_')[0]}"


def section(chapter, exercise, title):
    """A part of the check's notes: a hint, or what is said after success."""
    notes = (TUTORIALS / chapter["folder"] / "checks" / (exercise["name"] + ".md")).read_text()
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", notes, re.S | re.M)
    if not found:
        raise Trouble(f"{exercise['name']}.md lacks the section {title}")
    return found.group(1).strip()


# Building.


class Builder:
    """Compiles answers with the flags of the build, against its library."""

    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        commands = json.loads((self.build / "compile_commands.json").read_text())
        entry = next(c for c in commands if c["file"].endswith("common/plot.cpp"))
        words = shlex.split(entry["command"])
        drop = {"-o", "-c", "-MF", "-MQ"}
        self.compiler = [w for w in words[:1] if w != "ccache"] or words[1:2]
        self.flags, skip = [], True  # the compiler itself is skipped
        for word in words:
            if skip:
                skip = False
            elif word in drop:
                skip = True
            elif word not in ("-MD", "-MMD", "-Werror") and not word.endswith("plot.cpp"):
                self.flags.append(word if not re.match(r"-O\d", word) else "-O1")
        self.objects = {}

    def compile(self, source, folder):
        """The object file of a source, or the compiler's words as Trouble."""
        if source in self.objects:
            return self.objects[source]
        out = pathlib.Path(folder) / (re.sub(r"\W", "_", str(source)) + ".o")
        run = subprocess.run(
            [*self.compiler, *self.flags, "-c", str(source), "-o", str(out)],
            cwd=self.build, capture_output=True, text=True,
        )  # fmt: skip
        if run.returncode != 0:
            raise Trouble(f"does not compile:\n{run.stderr}")
        return out

    def check(self, chapter, exercise, answer, folder):
        """Whether the answer passes, and what the check said."""
        at = TUTORIALS / chapter["folder"]
        checker = at / "checks" / (exercise["name"] + ".cpp")
        if checker not in self.objects:
            self.objects[checker] = self.compile(checker, folder)
        program = pathlib.Path(folder) / "program"
        objects = [str(self.objects[checker]), str(self.compile(answer, folder))]
        libraries = subprocess.run(
            ["pkg-config", "--libs", "openblas", "libpcre2-8"], capture_output=True, text=True
        ).stdout.split()
        link = subprocess.run(
            [*self.compiler, "-fopenmp", *objects, str(self.build / "libgradus_float.a"), *libraries,
             "-pthread", "-o", str(program)],
            capture_output=True, text=True,
        )  # fmt: skip
        if link.returncode != 0:
            raise Trouble(f"does not link:\n{link.stderr}")
        run = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
        return run.returncode == 0, run.stdout + run.stderr


# Commands.


def list_course(_):
    done = progress()
    print("The course. ./run chapter 08 builds and runs a chapter, ./run exercise 08.1 checks an exercise.\n")
    for chapter in CHAPTERS:
        solved = [e for e in chapter["exercises"] if done.get(label(chapter, e)) == "solved"]
        print(
            f"{chapter['number']}  {chapter['title']:<24} {chapter['reading']:>3} min to read,"
            f" {chapter['running']} s to run, exercises {len(solved)}/{len(chapter['exercises'])}"
        )
        for exercise in chapter["exercises"]:
            mark = done.get(label(chapter, exercise), "")
            print(f"    {label(chapter, exercise)}  {exercise['title']:<24} {exercise['minutes']:>3} min  {mark}")


def run_chapter(build, number):
    chapter = chapter_of(number)
    program = pathlib.Path(build) / "tutorials" / chapter["program"]
    figures = MINE / chapter["folder"]
    figures.mkdir(parents=True, exist_ok=True)
    status = subprocess.run([str(program), str(figures)]).returncode
    if status != 0:
        raise Trouble(f"the program of chapter {number} ended with {status}")
    print(f"text:    {(TUTORIALS / chapter['folder'] / 'chapter.md').relative_to(ROOT)}")
    for figure in sorted(figures.glob("*.svg")):
        print(f"figure:  {figure.relative_to(ROOT)}")


def my_copy(chapter, exercise):
    """The reader's file, begun as the starter."""
    mine = MINE / f"{chapter['number']}.{exercise['name']}.cpp"
    if not mine.exists():
        MINE.mkdir(exist_ok=True)
        shutil.copy(TUTORIALS / chapter["folder"] / "exercises" / (exercise["name"] + ".cpp"), mine)
        print(f"Red is where you start. Your file is {mine.relative_to(ROOT)}\n")
    return mine


def try_once(builder, chapter, exercise):
    mine = my_copy(chapter, exercise)
    name = label(chapter, exercise)
    with tempfile.TemporaryDirectory() as folder:
        try:
            passed, said = builder.check(chapter, exercise, mine, folder)
        except Trouble as trouble:
            print(f"{mine.relative_to(ROOT)} {trouble}")
            return False
        except subprocess.TimeoutExpired:
            print("RED    your program ran for a minute and was stopped: is there a loop without end?")
            return False
        finally:
            builder.objects.clear()
    print(said.strip())
    if passed:
        remember(name, "solved")
        print(f"\n{name} {exercise['title']}: solved.\n\n{section(chapter, exercise, 'Why')}")
        print(f"\nAnother way: {section(chapter, exercise, 'Another way')}")
    else:
        print(f"\nNext: edit {mine.relative_to(ROOT)}, then ./run exercise {name} again, or add --hint")
    return passed


def run_exercise(build, arguments):
    number, _, which = arguments[0].partition(".")
    options = arguments[1:]
    unknown = [o for o in options if o not in ("--watch", "--hint", "--solution", "--give-up", "--reset")]
    if unknown:
        raise Trouble(f"unknown option: {unknown[0]} (--watch, --hint, --solution, --give-up, --reset)")
    chapter = chapter_of(number)
    chosen = [e for e in chapter["exercises"] if not which or label(chapter, e) == f"{chapter['number']}.{which}"]
    if not chosen:
        raise Trouble(f"chapter {number} has no exercise {which} (it has {len(chapter['exercises'])})")
    exercise = next((e for e in chosen if progress().get(label(chapter, e)) != "solved"), chosen[0])
    name = label(chapter, exercise)
    if "--reset" in options:
        mine = MINE / f"{chapter['number']}.{exercise['name']}.cpp"
        if mine.exists():
            mine.replace(mine.with_suffix(".cpp.old"))
            print(f"what you had is in {mine.with_suffix('.cpp.old').relative_to(ROOT)}")
        remember(name, "")
        my_copy(chapter, exercise)
        return 0
    if "--hint" in options:
        level = min(int(progress().get(name + ".hints", 0)), 2)
        print(f"Hint {level + 1} of 3. {HINTS[level]}: {section(chapter, exercise, HINTS[level])}")
        remember(name + ".hints", level + 1)
        return 0
    if "--solution" in options:
        if progress().get(name) != "solved" and "--give-up" not in options:
            raise Trouble(f"{name} is not solved yet (--hint helps; --solution --give-up shows it all the same)")
        print((TUTORIALS / chapter["folder"] / "solutions" / (exercise["name"] + ".cpp")).read_text())
        return 0
    builder = Builder(build)
    passed = try_once(builder, chapter, exercise)
    if "--watch" in options:
        mine = my_copy(chapter, exercise)
        seen = mine.stat().st_mtime
        print("\nwatching; Ctrl-C ends")
        while not passed:
            time.sleep(0.3)
            if mine.exists() and mine.stat().st_mtime != seen:
                seen = mine.stat().st_mtime
                print("\n" + "-" * 60)
                passed = try_once(builder, chapter, exercise)
    return 0 if passed else 1


def capture(build, chapter):
    """Runs a chapter's program; returns the folder of its output and figures."""
    folder = ROOT / "build" / "course" / chapter["folder"]
    folder.mkdir(parents=True, exist_ok=True)
    program = pathlib.Path(build) / "tutorials" / chapter["program"]
    run = subprocess.run([str(program), str(folder)], capture_output=True, text=True)
    if run.returncode != 0:
        raise Trouble(f"the program of chapter {chapter['number']} ended with {run.returncode}:\n{run.stderr}")
    (folder / "output.txt").write_text(run.stdout)
    return folder


MARKER = re.compile(r"^\s*(?://\s*)?\[(\w+)\]\s*$", re.M)


def faults_of(chapter, folder):
    """What is wrong with a chapter's text, beside its program and what that printed."""
    at = TUTORIALS / chapter["folder"]
    text = (at / "chapter.md").read_text()
    source = (at / (chapter["program"] + ".cpp")).read_text()
    output = (folder / "output.txt").read_text()
    faults = []
    for name, content in (
        (f"{chapter['folder']}/{chapter['program']}.cpp", source),
        (f"{chapter['folder']}/output.txt", output),
    ):
        marked = MARKER.findall(content)
        used = re.findall(rf"^\\snippet {re.escape(name)} (\w+)", text, re.M)
        faults += [f"{name}: the snippet {m} is not marked twice" for m in set(marked) if marked.count(m) != 2]
        faults += [f"the snippet {u} is not in {name}" for u in used if u not in marked]
        faults += [f"the snippet {u} of {name} is shown twice" for u in set(used) if used.count(u) > 1]
        faults += [f"the snippet {m} of {name} is never shown" for m in set(marked) - set(used)]
    for figure in re.findall(r"^\\image html (\S+)", text, re.M):
        if not (folder / figure).exists():
            faults.append(f"the figure {figure} was not drawn")
    drawn = {f.name for f in folder.glob("*.svg")}
    faults += [f"the figure {d} is never shown" for d in drawn if d not in text]
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if not link.startswith("http") and not (at / link).exists():
            faults.append(f"the link {link} leads nowhere")
    # Numbers in running prose: printed by the run, rounded or not. Small whole numbers and years
    # are words; formulas, code, tables and headings are not prose.
    prose = re.sub(r"\\f\$.*?\\f\$|\\f\[.*?\\f\]|`[^`]*`", " ", text, flags=re.S)
    prose = "\n".join(l for l in prose.split("\n") if not re.match(r"[|\\#]|- \*\*\d\d\.\d", l))
    for exercise in (label(c, e) for c in CHAPTERS for e in c["exercises"]):
        prose = prose.replace(f"exercise {exercise}", "")
    printed = [float(n) for n in re.findall(r"-?\d+\.?\d*", output)] + [
        float(n) for n in re.findall(r"(?<![\w.])\d+\.?\d*(?![\w.])", source)
    ]
    for number in re.findall(r"(?<![\w.])\d+\.\d+(?!\w)|(?<![\w.])\d{2,}(?![\w.]*\w)", prose):
        value, digits = float(number), len(number.partition(".")[2])
        is_word = digits == 0 and (value <= 20 or 1900 <= value <= 2030)
        if not is_word and not any(abs(round(p, digits) - value) < 1e-9 for p in printed):
            faults.append(f"the number {number} in the text was never printed")
    # What comes later.
    introduced = dict(line.split() for line in (TUTORIALS / "introduced.txt").read_text().splitlines())
    for header in re.findall(r'#include "((?:autograd|nn)/[^"]+)"', source):
        if header not in introduced:
            faults.append(f"{header} is not in introduced.txt: which chapter brings it?")
        elif introduced[header] > chapter["number"]:
            faults.append(f"{header} comes in chapter {introduced[header]} only")
    return faults


def capture_all(build):
    for chapter in CHAPTERS:
        print(capture(build, chapter))


def check_course(build):
    """Starters fail, solutions pass, wrong answers fail each with its own words; texts hold."""
    builder, failed, passed = Builder(build), 0, 0

    def verdict(holds, what, said=""):
        nonlocal failed, passed
        passed, failed = passed + holds, failed + (not holds)
        print(f"{'ok  ' if holds else 'FAIL'}  {what}" + ("" if holds else "\n" + said))

    for chapter in CHAPTERS:
        at = TUTORIALS / chapter["folder"]
        faults = faults_of(chapter, capture(build, chapter))
        verdict(not faults, f"{chapter['number']}: the text shows what the program prints", "\n".join(faults))
        for exercise in chapter["exercises"]:
            name, stem = label(chapter, exercise), exercise["name"]
            for title in (*HINTS, "Why", "Another way"):
                section(chapter, exercise, title)
            with tempfile.TemporaryDirectory() as folder:
                ok, said = builder.check(chapter, exercise, at / "exercises" / (stem + ".cpp"), folder)
                verdict(not ok and "RED" in said, f"{name}: the starter compiles, and is red", said)
                ok, said = builder.check(chapter, exercise, at / "solutions" / (stem + ".cpp"), folder)
                verdict(ok and "RED" not in said, f"{name}: the solution is green", said)
                wrong = sorted((at / "wrong").glob(stem + ".*.cpp"))
                verdict(len(wrong) >= 2, f"{name}: has two wrong answers or more")
                for answer in wrong:
                    message = answer.read_text().split("\n")[0].removeprefix("// rejected: ")
                    ok, said = builder.check(chapter, exercise, answer, folder)
                    verdict(not ok and message in said, f"{name}: {answer.stem} is rejected: {message}", said)
                builder.objects.clear()
    print(f"\n{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    build, command, *arguments = sys.argv[1:]
    try:
        if command == "list":
            return list_course(build)
        if command == "chapter" and len(arguments) == 1:
            return run_chapter(build, arguments[0])
        if command == "exercise" and arguments:
            return run_exercise(build, arguments)
        if command == "capture":
            return capture_all(build)
        if command == "check":
            return check_course(build)
        print("run: which one? for example: ./run chapter 08, ./run exercise 08.1", file=sys.stderr)
        return 2
    except Trouble as trouble:
        print(f"run: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
