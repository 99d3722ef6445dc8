"""The course at the command line: what ./run course, chapter, exercise and docs do.

    course BUILD list
    course BUILD program 08    the name of a chapter's program, for it to be built
    course BUILD chapter 08
    course BUILD exercise [08[.2]] [--watch] [--hint] [--solution [--give-up]] [--reset]
    course BUILD capture       runs every program built since it last ran: build/course/NN_name/output.txt,
                               figures, and the parts of pages that are made of chapter.json and the notes
    course BUILD accept [NN]   keeps what the programs print now as what the tests expect
    course BUILD finish        after Doxygen: figures become part of their pages
    course BUILD check         for the tests: every starter is red, every solution green, every
                               wrong answer rejected with its own words; texts show what their
                               programs print, and use nothing that comes later

Readers work on copies in my/, which git does not know: they survive every update, as does
my/progress.json. Needs a built library in BUILD and its compile_commands.json.
"""

import difflib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from builder import Builder, program_lines, run_program
from chapters import CHAPTERS, HINTS, OUTPUT, PLANNED, ROOT, SECTIONS, Trouble, chapter_of
from faults import faults_of
from pages import finish_pages, write_parts
from terminal import Parts, bar, coloured, verdicts, wrapped

MINE = ROOT / "my"
PROGRESS = MINE / "progress.json"
OPTIONS = ("--watch", "--hint", "--solution", "--give-up", "--reset")


def progress():
    try:
        return json.loads(PROGRESS.read_text())
    except (OSError, ValueError):
        return {}


def remember(key, value):
    MINE.mkdir(exist_ok=True)
    temporary = PROGRESS.with_suffix(".tmp")
    temporary.write_text(json.dumps(progress() | {key: value}, indent=2) + "\n")
    temporary.replace(PROGRESS)


def is_solved(exercise):
    return progress().get(exercise.label) == "solved"


def unsolved():
    """The exercises still to be solved, in the order of the course."""
    return [e for c in CHAPTERS for e in c.exercises if not is_solved(e)]


def list_course():
    exercises = [e for c in CHAPTERS for e in c.exercises]
    left, wide = unsolved(), max(len(x.title) for x in (*CHAPTERS, *exercises))
    minutes = sum(c.reading for c in CHAPTERS) + sum(e.minutes for e in exercises)
    done = len(exercises) - len(left)
    print("The course. ./run chapter 08 builds and runs a chapter, ./run exercise 08.1 checks an exercise,")
    print("./run exercise goes on with the first that is not solved.\n")
    print(f"{bar(done, len(exercises))}  {done} of {len(exercises)} exercises solved; {minutes / 60:.0f} hours in all")
    rows = {c.number: c for c in CHAPTERS} | {p["number"]: p for p in PLANNED}
    for number in sorted(rows):
        chapter = rows[number]
        if isinstance(chapter, dict):
            print(coloured(f"\n{number}  {chapter['title']:<{wide + 6}}  planned", "dim"))
            continue
        solved = sum(map(is_solved, chapter.exercises))
        print(
            f"\n{number}  {coloured(f'{chapter.title:<{wide + 6}}', 'bold')}  {chapter.reading:>3} min to read,"
            f" {chapter.running:>2} s to run, exercises {solved}/{len(chapter.exercises)}"
        )
        for e in chapter.exercises:
            state = coloured("  solved", "green") if is_solved(e) else "  <- you are here" if e is left[0] else ""
            print(f"    {e.label}  {e.title:<{wide}}  {e.minutes:>3} min{state}")


def run_chapter(build, number):
    chapter, parts = chapter_of(number), Parts()
    figures = MINE / chapter.folder.name
    for line in program_lines(build, chapter, figures):
        print(parts.shown(line), end="", flush=True)
    print(f"source:  {chapter.source.relative_to(ROOT)}")
    print(f"text:    {chapter.text.relative_to(ROOT)} (./run docs --open shows it as a page)")
    for figure in sorted([*figures.glob("*.svg"), *figures.glob("*.html")]):
        print(f"figure:  {figure.relative_to(ROOT)}")
    if chapter.exercises:
        print(f"next:    ./run exercise {(of_these(chapter.exercises)).label}")


def of_these(exercises):
    """The first that is not solved, or the first."""
    return next((e for e in exercises if not is_solved(e)), exercises[0])


def my_file(exercise):
    return MINE / f"{exercise.chapter.number}.{exercise.name}.cpp"


def my_copy(exercise):
    """The reader's file, begun as the starter."""
    mine = my_file(exercise)
    if not mine.exists():
        MINE.mkdir(exist_ok=True)
        shutil.copy(exercise.starter, mine)
        print(wrapped(f"Red is where you start. {exercise.title}: {exercise.section('Task')}"))
        print(f"Your file is {mine.relative_to(ROOT)}\n")
    return mine


def try_once(build, exercise):
    mine = my_copy(exercise)
    try:
        passed, said = Builder(build).check(exercise, mine)
    except Trouble as trouble:
        print(verdicts(f"RED    {mine.relative_to(ROOT)} {trouble}"))
        return False
    except subprocess.TimeoutExpired:
        print(verdicts("RED    your program ran for a minute and was stopped: is there a loop without end?"))
        return False
    print(verdicts(said.strip()))
    if passed:
        remember(exercise.label, "solved")
        print(f"\n{coloured(f'{exercise.label} {exercise.title}: solved.', 'green')}\n")
        print(wrapped(exercise.section("Why")))
        print("\n" + wrapped(f"Another way: {exercise.section('Another way')}"))
        show_difference(exercise)
        left = unsolved()
        print(f"\nNext: ./run exercise {left[0].label}" if left else "\nThat was the last exercise: all are solved.")
    else:
        print(f"\nNext: edit {mine.relative_to(ROOT)}, then ./run exercise {exercise.label} again, or add --hint")
    return passed


def show_difference(exercise):
    """The reader's answer beside the course's, as a difference of their code."""

    def code(file):
        lines = [line.rstrip() for line in file.read_text().splitlines()]
        return [line for line in lines if line and not line.startswith(("//", "#include"))]

    difference = list(difflib.unified_diff(code(my_file(exercise)), code(exercise.solution), lineterm="", n=2))[2:]
    if difference:
        print("\nYours (-) beside the course's own answer (+):")
        for line in difference:
            print(coloured(line, {"-": "yellow", "+": "green"}.get(line[0], "dim")))


def watch(build, exercise):
    """Checks again each time the file is saved, until it is green."""
    mine, seen = my_copy(exercise), 0
    print("watching; Ctrl-C ends")
    while True:
        saved = mine.stat().st_mtime if mine.exists() else seen
        if saved != seen:
            seen = saved
            print("-" * 60)
            if try_once(build, exercise):
                return 0
        time.sleep(0.3)


def hint(exercise):
    level = min(int(progress().get(exercise.label + ".hints", 0)), 2)
    print(f"Hint {level + 1} of 3. {HINTS[level]}:\n{wrapped(exercise.section(HINTS[level]))}")
    if level == 2:
        print(f"\nThis is the last hint; ./run exercise {exercise.label} --solution --give-up shows an answer.")
    remember(exercise.label + ".hints", level + 1)


def reset(exercise):
    mine = my_file(exercise)
    if mine.exists():
        kept = mine.with_suffix(".cpp.old")
        mine.replace(kept)
        print(f"what you had is in {kept.relative_to(ROOT)}")
    remember(exercise.label, "")
    my_copy(exercise)


def run_exercise(build, *arguments):
    options = [a for a in arguments if a.startswith("-")]
    named = [a for a in arguments if not a.startswith("-")]
    if len(named) > 1:
        raise Trouble(f"takes one exercise, got: {' '.join(named)}")
    if not named and not unsolved():
        print("All exercises are solved. ./run exercise 08.1 checks one again.")
        return 0
    which = named[0] if named else unsolved()[0].label
    number, _, _ = which.partition(".")
    unknown = [o for o in options if o not in OPTIONS]
    if unknown:
        raise Trouble(f"unknown option: {unknown[0]} (there are {', '.join(OPTIONS)})")
    chapter = chapter_of(number)
    wanted = chapter.number + which[len(number) :]
    chosen = [e for e in chapter.exercises if wanted in (chapter.number, e.label)]
    if not chosen:
        raise Trouble(f"there is no exercise {which} ({', '.join(e.label for e in chapter.exercises)} are there)")
    exercise = of_these(chosen)
    if not named:
        print(f"{exercise.label} {exercise.title}, {exercise.minutes} minutes, of chapter {chapter.number} {chapter.title}")
    if "--reset" in options:
        return reset(exercise)
    if "--hint" in options:
        return hint(exercise)
    if "--solution" in options:
        if not is_solved(exercise) and "--give-up" not in options:
            raise Trouble(f"{exercise.label} is not solved yet (--hint helps; --solution --give-up shows it)")
        return print(exercise.solution.read_text(), end="")
    if "--watch" in options:
        return watch(build, exercise)
    return 0 if try_once(build, exercise) else 1


def capture(build, again=False):
    """Runs the programs: all of them again, or those that were built since they last ran."""
    for folder in {f for f in OUTPUT.glob("*") if f.is_dir()} - {c.output for c in CHAPTERS}:
        shutil.rmtree(folder)
    for chapter in CHAPTERS:
        captured, program = chapter.output / "output.txt", Path(build, "tutorials", chapter.program)
        if again or not captured.exists() or captured.stat().st_mtime < program.stat().st_mtime:
            shutil.rmtree(chapter.output, ignore_errors=True)  # no figure of an earlier version stays
            output = run_program(build, chapter, chapter.output)
            captured.write_text(output)
        print(f"{chapter.number}  {chapter.output.relative_to(ROOT)}")
    write_parts()


def accept(build, *numbers):
    for chapter in map(chapter_of, numbers) if numbers else CHAPTERS:
        chapter.expected.write_text(run_program(build, chapter, chapter.output))
        print(chapter.expected.relative_to(ROOT))


def check_course(build):
    builder, counts = Builder(build), {True: 0, False: 0}

    def verdict(holds, what, said=""):
        counts[holds] += 1
        print(f"{'ok  ' if holds else 'FAIL'}  {what}" + ("" if holds else f"\n{said}"), flush=True)

    def outcome(exercise, answer):
        try:
            return builder.check(exercise, answer)
        except Trouble as trouble:
            return False, str(trouble)

    def outcomes(exercise):  # of all answers
        return {a: outcome(exercise, a) for a in (exercise.starter, exercise.solution, *exercise.wrong)}

    capture(build, again=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(builder.precompile, CHAPTERS))
        answers = {e: pool.submit(outcomes, e) for c in CHAPTERS for e in c.exercises}
        for chapter in CHAPTERS:
            faults = faults_of(chapter)
            verdict(not faults, f"{chapter.number}: the text shows what the program prints", "\n".join(faults))
            for exercise in chapter.exercises:
                check_exercise(exercise, answers[exercise].result(), verdict)
    print(f"\n{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


def check_exercise(exercise, outcomes, verdict):
    name = exercise.label
    for title in SECTIONS:
        exercise.section(title)
    ok, said = outcomes[exercise.starter]
    verdict(not ok and "RED" in said, f"{name}: the starter compiles, and is red", said)
    ok, said = outcomes[exercise.solution]
    verdict(ok and "RED" not in said, f"{name}: the solution is green", said)
    verdict(len(exercise.wrong) >= 2, f"{name}: has two wrong answers or more")
    for answer in exercise.wrong:
        message = answer.read_text().split("\n")[0].removeprefix("// rejected: ")
        ok, said = outcomes[answer]
        verdict(not ok and message in said, f"{name}: {answer.stem} is rejected: {message}", said)


COMMANDS = {
    "list": lambda build: list_course(),
    "program": lambda build, number: print(chapter_of(number).program),
    "chapter": run_chapter,
    "exercise": run_exercise,
    "capture": capture,
    "accept": accept,
    "finish": lambda build: finish_pages(),
    "check": check_course,
}


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in COMMANDS:
        print(__doc__)
        return 2
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `./run course | head` ends without a word
    _, build, command, *arguments = sys.argv
    if command in ("program", "chapter") and len(arguments) != 1:
        print("run: which chapter? for example: ./run chapter 08", file=sys.stderr)
        return 2
    try:
        return COMMANDS[command](build, *arguments)
    except Trouble as trouble:
        print(f"run: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
