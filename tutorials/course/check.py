"""What must hold of the course, for the tests: exercises, texts and pocket."""

import os
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from builder import Builder
from chapters import CHAPTERS, TUTORIALS, Trouble
from faults import faults_of
from mine import number_of, titles
from pocket import Pocket, faults_of_pages, lines_to_come

UNPRINTED = TUTORIALS / "unprinted.txt"
# How many lines pocket may have, blank ones not counted: its engine, all models, and with several machines and files.
MOST_LINES = {"05": 400, "22": 1800, "24": 2050}


class Counted:
    """Verdicts, printed as they come."""

    def __init__(self):
        self.counts = {True: 0, False: 0}

    def __call__(self, holds, what, said=""):
        self.counts[bool(holds)] += 1
        print(f"{'ok  ' if holds else 'FAIL'}  {what}" + ("" if holds else f"\n{said}"), flush=True)


def check_course(build, capture, chapters, every=True):
    """Checks chapters against every wrong answer. Or, as compiling takes the time, in brief: see `to_try`."""
    builder, verdict, pocket = Builder(build, brief=not every), Counted(), Pocket(titles=titles())
    exercises = [e for c in chapters for e in c.exercises]
    capture(build, again=True, chapters=chapters, at_once=os.cpu_count())
    with ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        builder.precompile()
        whole = len(chapters) == len(CHAPTERS)
        known = {*pocket.chapters, *(c.number for c in CHAPTERS if c.uses_pocket)}  # one may bring no line of its own
        numbers = [n for n in sorted(known) if whole or n in {c.number for c in chapters}]
        states = {n: pool.submit(compile_state, builder, pocket, n, Path(folder)) for n in numbers}
        tried = {e: to_try(e, pocket, Path(folder), every) for e in exercises}
        outcomes = {e: pool.submit(outcomes_of, builder, e, tried[e]) for e in exercises}
        check_pocket(pocket, {n: s.result() for n, s in states.items()}, verdict)
        for chapter in chapters:
            faults = faults_of(chapter)
            verdict(not faults, f"{chapter.number}: the text shows what the program prints", "\n".join(faults))
            for exercise in chapter.exercises:
                check_exercise(exercise, outcomes[exercise].result(), verdict)
    print(f"\n{verdict.counts[True]} passed, {verdict.counts[False]} failed")
    return 1 if verdict.counts[False] else 0


def message_of(wrong):
    """What the check must say to a wrong answer."""
    return wrong.read_text().split("\n")[0].removeprefix("// rejected: ")


def unprinted():
    """The chapters whose blocks of pocket are on no page yet: numbers, with # before a remark."""
    return {line.split()[0] for line in UNPRINTED.read_text().splitlines() if line.strip() and not line.startswith("#")}


def check_pocket(pocket, states, verdict):
    """The pages are pocket, and it compiles after each chapter."""
    pages = {c.number: c.text.read_text() for c in CHAPTERS}
    if not pocket.sources:
        shown = any("\\snippet pocket/" in text for text in pages.values())
        return verdict(not shown, "no page shows a pocket without files")
    faults = faults_of_pages(pocket, pages, unprinted())
    verdict(not faults, "pocket: the excerpts of all pages are its files", "\n".join(faults))
    known = {e.label for c in CHAPTERS for e in c.exercises if e.kind == "part"}
    strange = [label for label in pocket.holes if label not in known and label[:2] not in unprinted()]
    verdict(not strange, "pocket: each hole is an exercise", ", ".join(strange))
    lines = {n: sum(bool(line.strip()) for b in pocket.of(n) for line in b.text().splitlines()) for n in pocket.chapters}
    for last, most in MOST_LINES.items():
        count = sum(lines[n] for n in lines if n <= last)
        verdict(count <= most, f"pocket: at most {most} lines by chapter {last}", f"has {count}")
    for number, count in sorted(lines_to_come(pocket, pages).items()):
        print(f"      {number}: {count} lines of pocket are on no page yet")
    for number, said in states.items():
        verdict(not said, f"pocket: compiles after chapter {number}", said)


def compile_state(builder, pocket, number, folder):
    """What the compiler says to the library after a chapter, and to the chapter's program on it."""
    texts, home = pocket.state(number), folder / f"state_{number}"
    pocket.write(home / "pocket", number)
    try:
        builder.parse("".join(f'#include "pocket/{name}"\n' for name in texts), home)
        for chapter in CHAPTERS:
            if chapter.number == number and chapter.uses_pocket:
                defined = [word for word in builder.words_for(chapter.source) if word.startswith("-D")]
                builder.run_compiler(*builder.parsed, *defined, f"-I{home}", "-fsyntax-only", chapter.source)
    except Trouble as trouble:
        return str(trouble)
    return ""


def to_try(exercise, pocket, folder, every):
    """What is to be tried: pairs of what it is, or of a wrong answer's file, and the answer: a source, or for a part a
    folder that holds pocket/. There the holes that come later in the chapter are open: its check must not need them.
    In brief there are no wrong answers, and predictions and starters compile and do not run."""
    if exercise.kind == "predict":
        return [("program that runs" if every else "program", exercise.starter)]
    wrong = exercise.wrong if every else []
    if exercise.kind == "variation":
        return [("starter" if every else "program", exercise.starter), ("solution", exercise.solution), *((w, w) for w in wrong)]
    own, home = number_of(exercise.label), folder / exercise.label
    margin = pocket.holes[exercise.label].margin if exercise.label in pocket.holes else ""
    later = lambda label: number_of(label) > own  # noqa: E731
    answers = [("solution", home / "solution"), *((w, home / w.stem) for w in wrong)]
    pocket.write(home / "solution" / "pocket", own[0], later)
    for file in wrong:
        answer = textwrap.indent(file.read_text(), margin).splitlines(keepends=True)
        pocket.write(home / file.stem / "pocket", own[0], later, {exercise.label: answer})
    if every:
        pocket.write(home / "starter" / "pocket", own[0], lambda label: number_of(label) >= own)
        answers.insert(0, ("starter", home / "starter"))
    return answers


def outcomes_of(builder, exercise, answers):
    """What each answer is, whether it passes its check, and what was said to it."""

    def outcome(what, answer):
        try:
            if what == "program":
                return True, builder.run_compiler(*builder.parsed, "-fsyntax-only", answer)
            return builder.check(exercise, answer)
        except Trouble as trouble:
            return False, str(trouble)

    return [(what, *outcome(what, answer)) for what, answer in answers]


def check_exercise(exercise, outcomes, verdict):
    name = exercise.label
    absent = [title for title in exercise.sections if not exercise.has(title)]
    verdict(not absent, f"{name}: the notes are whole", f"{exercise.checker.with_suffix('.md')} lacks {absent}")
    if exercise.kind != "predict":
        verdict(len(exercise.wrong) >= 2, f"{name}: has two wrong answers or more")
    for what, passes, said in outcomes:
        clean = "warning" not in said
        if what == "program":
            verdict(passes and clean, f"{name}: the program compiles", said)
        elif what == "program that runs":
            verdict(passes and clean and said.strip(), f"{name}: the program runs and prints", said)
        elif what == "starter":
            verdict(not passes and clean and "RED" in said, f"{name}: the starter compiles, and is red", said)
        elif what == "solution":
            verdict(passes and clean and "RED" not in said, f"{name}: the solution is green", said)
        else:
            message = message_of(what)
            verdict(not passes and message in said, f"{name}: {what.stem} is rejected: {message}", said)
