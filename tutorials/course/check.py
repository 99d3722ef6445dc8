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
ENGINE, ENGINE_LINES, ALL_LINES = "05", 400, 1800  # pocket's engine ends with that chapter; lines that are not blank


class Counted:
    """Verdicts, printed as they come."""

    def __init__(self):
        self.counts = {True: 0, False: 0}

    def __call__(self, holds, what, said=""):
        self.counts[bool(holds)] += 1
        print(f"{'ok  ' if holds else 'FAIL'}  {what}" + ("" if holds else f"\n{said}"), flush=True)


def check_course(build, capture, chapters, every=True):
    """Checks chapters against every wrong answer. Or, as compiling and running takes the time, in brief: one wrong answer
    of each exercise, no starter of a part, whose hole throws, and predictions are compiled and not run."""
    builder, verdict, pocket = Builder(build), Counted(), Pocket(titles=titles())
    exercises = [e for c in chapters for e in c.exercises]
    for exercise in exercises:
        exercise.wrong, exercise.known = exercise.wrong if every else exercise.wrong[:1], len(exercise.wrong)
        exercise.in_brief = not every
    capture(build, again=True, chapters=chapters)
    with ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        list(pool.map(builder.precompile, chapters))
        builder.precompile_checks(exercises)
        whole = len(chapters) == len(CHAPTERS)
        known = {*pocket.chapters, *(c.number for c in CHAPTERS if c.uses_pocket)}  # one may bring no line of its own
        numbers = [n for n in sorted(known) if whole or n in {c.number for c in chapters}]
        states = {n: pool.submit(compile_state, builder, pocket, n, Path(folder)) for n in numbers}
        tried = {e: answers_to(e, pocket, Path(folder)) for e in exercises}
        answers = {e: pool.submit(outcomes, builder, e, a) for e, a in tried.items()}
        check_pocket(pocket, {n: s.result() for n, s in states.items()}, verdict)
        for chapter in chapters:
            faults = faults_of(chapter)
            verdict(not faults, f"{chapter.number}: the text shows what the program prints", "\n".join(faults))
            for exercise in chapter.exercises:
                check_exercise(exercise, answers[exercise].result(), verdict)
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
    engine, everything = sum(lines[n] for n in lines if n <= ENGINE), sum(lines.values())
    small = engine <= ENGINE_LINES and everything <= ALL_LINES
    verdict(small, f"pocket: {ENGINE_LINES} lines of engine, {ALL_LINES} in all", f"has {engine} and {everything}")
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
                flags = builder.words_for(chapter.source)[1:]
                builder.run_compiler(f"-I{home}", "-fsyntax-only", chapter.source, flags=flags)
    except Trouble as trouble:
        return str(trouble)
    return ""


def answers_to(exercise, pocket, folder):
    """What is to be tried: (starter, solution, wrong answers), sources, or folders that hold pocket/. In a part's
    folders the holes that come later in the chapter are open: its check must not need them."""
    if exercise.kind == "predict":
        return exercise.starter, exercise.starter
    if exercise.kind == "variation":
        return exercise.starter, exercise.solution, *exercise.wrong
    own, home = number_of(exercise.label), folder / exercise.label
    margin = pocket.holes[exercise.label].margin if exercise.label in pocket.holes else ""
    later = lambda label: number_of(label) > own  # noqa: E731
    pocket.write(home / "starter" / "pocket", own[0], lambda label: number_of(label) >= own)
    pocket.write(home / "solution" / "pocket", own[0], later)
    for wrong in exercise.wrong:
        answer = textwrap.indent(wrong.read_text(), margin).splitlines(keepends=True)
        pocket.write(home / wrong.stem / "pocket", own[0], later, {exercise.label: answer})
    starter = () if exercise.in_brief else (home / "starter",)
    return *starter, home / "solution", *(home / wrong.stem for wrong in exercise.wrong)


def outcomes(builder, exercise, answers):
    """What the check said to each answer, in their order."""

    def outcome(answer):
        try:
            if exercise.kind == "predict" and exercise.in_brief:
                return True, builder.run_compiler("-fsyntax-only", answer) or "compiles"
            return builder.check(exercise, answer)
        except Trouble as trouble:
            return False, str(trouble)

    return [outcome(a) for a in answers]


def check_exercise(exercise, outcomes, verdict):
    name = exercise.label
    absent = [title for title in exercise.sections if not exercise.has(title)]
    verdict(not absent, f"{name}: the notes are whole", f"{exercise.checker.with_suffix('.md')} lacks {absent}")
    if exercise.kind == "predict":
        ok, said = outcomes[0]
        return verdict(ok and said.strip() and "warning" not in said, f"{name}: the program runs and prints", said)
    if exercise.kind == "variation" or not exercise.in_brief:
        ok, said = outcomes.pop(0)
        verdict(not ok and "RED" in said and "warning" not in said, f"{name}: the starter compiles, and is red", said)
    (solved, answer), *rejected = outcomes
    verdict(solved and "RED" not in answer and "warning" not in answer, f"{name}: the solution is green", answer)
    verdict(exercise.known >= 2, f"{name}: has two wrong answers or more")
    for file, (ok, said) in zip(exercise.wrong, rejected):
        message = message_of(file)
        verdict(not ok and message in said, f"{name}: {file.stem} is rejected: {message}", said)
    return None
