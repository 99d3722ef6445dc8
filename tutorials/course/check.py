"""Checks the course's exercises, texts and pocket, for the tests. A check that has passed runs again only after a file
that it read has changed."""

import os
from concurrent.futures import ThreadPoolExecutor

from builder import Builder
from causes import MOST, causes_of, with_causes
from chapters import CHAPTERS, TRIALS, Trouble
from faults import faults_of
from mine import titles
from pocket import Pocket, faults_of_pages
from stamps import read_by
from trial import Trial, stamps_of


class Counted:
    """Prints and counts verdicts."""

    def __init__(self):
        self.counts = {True: 0, False: 0}

    def __call__(self, holds, what, said=""):
        self.counts[bool(holds)] += 1
        print(f"{'ok  ' if holds else 'FAIL'}  {what}" + ("" if holds else f"\n{said}"), flush=True)


def check_course(build, capture, chapters):
    """Checks the texts of chapters, their lines of pocket, and their exercises with every answer."""
    builder, verdict, pocket = Builder(build), Counted(), Pocket(titles=titles())
    exercises = [e for c in chapters for e in c.exercises]
    capture(build, chapters, at_once=os.cpu_count())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        stamps = stamps_of(builder)
        builder.precompile(TRIALS, stamps)
        known = {*pocket.chapters, *(c.number for c in CHAPTERS if c.uses_pocket)}  # a chapter may add no line of its own
        numbers = [n for n in sorted(known) if n in {c.number for c in chapters}]
        states = {n: pool.submit(compile_state, builder, stamps, pocket, n) for n in numbers}
        trials = {e: Trial(e, builder, stamps, pocket) for e in exercises}
        for trial in trials.values():
            trial.begin(pool)
        check_pocket(pocket, {n: s.result() for n, s in states.items()}, verdict)
        for chapter in chapters:
            faults = faults_of(chapter)
            verdict(not faults, f"{chapter.number}: the text shows what the program prints", "\n".join(faults))
            for exercise in chapter.exercises:
                check_exercise(exercise, trials[exercise], verdict)
    print(f"\n{sum(len(e.wrong) for e in exercises)} wrong answers, {sum(t.tried for t in trials.values())} of them tried now")
    print(f"{verdict.counts[True]} passed, {verdict.counts[False]} failed")
    return 1 if verdict.counts[False] else 0


def check_pocket(pocket, states, verdict):
    """Checks that the pages show all of pocket, and that it compiles after each chapter."""
    pages = {c.number: c.text.read_text() for c in CHAPTERS}
    if not pocket.sources:
        shown = any("\\snippet pocket/" in text for text in pages.values())
        return verdict(not shown, "no page shows a pocket without files")
    faults = faults_of_pages(pocket, pages)
    verdict(not faults, "pocket: the excerpts of all pages are its files", "\n".join(faults))
    known = {e.label for c in CHAPTERS for e in c.exercises if e.kind == "part"}
    strange = [label for label in pocket.holes if label not in known]
    verdict(not strange, "pocket: each hole is an exercise", ", ".join(strange))
    for number, said in states.items():
        verdict(not said, f"pocket: compiles after chapter {number}", said)


def compile_state(builder, stamps, pocket, number):
    """The compiler's errors in the library after a chapter, and in the chapter's program with it."""
    home = TRIALS / "states" / number
    pocket.write(home / "pocket", number)
    whole = home / "whole.cpp"
    whole.write_text("".join(f'#include "pocket/{name}"\n' for name in pocket.state(number)))
    sources = [(whole, ("-Werror",))]
    for chapter in CHAPTERS:
        if chapter.number == number and chapter.uses_pocket:
            defined = [word for word in builder.words_for(chapter.source) if word.startswith("-D")]
            sources.append((chapter.source, defined))
    if stamps.holds(f"state_{number}", sources):
        return ""
    read = []
    for source, flags in sources:
        depends = home / f"{source.stem}.d"
        try:
            builder.run_compiler(*builder.parsed, *flags, f"-I{home}", "-fsyntax-only", "-MD", "-MF", depends, source)
        except Trouble as trouble:
            return str(trouble)
        read += read_by(depends, builder.build)
    stamps.keep(f"state_{number}", sources, files=read)
    return ""


def finish(trial, verdict):
    """Waits for a trial to end, and gives a verdict on each answer."""
    trial.made.result()
    name = trial.exercise.label
    if trial.fault:
        return verdict(False, f"{name}: all answers compile", trial.fault)
    if not trial.runs:
        return verdict(True, f"{name}: all answers went as they must, and nothing has changed")
    before = verdict.counts[False]
    verdict("warning" not in trial.warned, f"{name}: the starter and the answer compile without warnings", trial.warned)
    outcomes, usual = trial.outcomes(), trial.causes()
    if trial.exercise.kind == "predict":
        for passes, said in outcomes:
            verdict(passes and said.strip(), f"{name}: the program runs and prints", said)
    for answer, (passes, said) in zip(trial.answers, outcomes):
        if answer.kind == "starter":
            verdict(not passes and "RED" in said, f"{name}: the starter is red", said)
        elif answer.kind == "solution":
            verdict(passes and "RED" not in said, f"{name}: the solution is green", said)
        else:
            words, causes = answer.wrong.words, causes_of(said, usual)
            verdict(len(causes[0]) <= MOST, f"{name}: {answer.wrong.name} is red as at most {MOST - 1} others are", "\n".join(causes[0]))
            verdict(not passes and words in with_causes(said, causes), f"{name}: {answer.wrong.name} is rejected: {words}", said)
    if verdict.counts[False] == before:
        trial.stamps.keep(trial.name, *trial.words, files=[*trial.files, *trial.exercise.chapter.data])


def check_exercise(exercise, trial, verdict):
    name = exercise.label
    absent = [title for title in exercise.sections if not exercise.has(title)]
    verdict(not absent, f"{name}: the notes are whole", f"{exercise.notes} lacks {absent}")
    if exercise.kind != "predict":
        verdict(len(exercise.wrong) >= 2, f"{name}: has two wrong answers or more")
    finish(trial, verdict)
