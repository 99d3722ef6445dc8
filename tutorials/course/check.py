"""What must hold of the course, for the tests: exercises, texts and pocket. What was found well is not tried again until
something changes that it read."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from answers import FLAGS, answers_of, groups_of, refuse, write_part, write_variation
from builder import Builder, flags_of_answers
from chapters import CHAPTERS, TRIALS, Trouble
from faults import faults_of
from mine import titles
from pocket import Pocket, faults_of_pages
from stamps import Stamps, digest_of, read_by

# How many lines pocket may have, blank ones not counted: its engine, all models, and with several machines and files.
MOST_LINES = {"05": 400, "22": 1800, "24": 2050}
SECONDS = 600  # that an answer may take here, on a machine that does other things besides

# What makes programs of answers, and judges them.
MACHINERY = ("answers", "builder", "chapters", "check", "mine", "pocket", "running", "stamps", "wrong")


class Counted:
    """Verdicts, printed as they come."""

    def __init__(self):
        self.counts = {True: 0, False: 0}

    def __call__(self, holds, what, said=""):
        self.counts[bool(holds)] += 1
        print(f"{'ok  ' if holds else 'FAIL'}  {what}" + ("" if holds else f"\n{said}"), flush=True)


def check_course(build, capture, chapters):
    """Checks chapters: their texts, their lines of pocket, and their exercises against every answer."""
    builder, verdict, pocket = Builder(build), Counted(), Pocket(titles=titles())
    exercises = [e for c in chapters for e in c.exercises]
    capture(build, chapters, at_once=os.cpu_count())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        machinery = (digest_of(Path(__file__).parent / f"{name}.py") for name in MACHINERY)
        stamps = Stamps(TRIALS / "stamps", *machinery, builder.described())
        builder.precompile(TRIALS, stamps)
        known = {*pocket.chapters, *(c.number for c in CHAPTERS if c.uses_pocket)}  # one may bring no line of its own
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
    """The pages are pocket, and it compiles after each chapter."""
    pages = {c.number: c.text.read_text() for c in CHAPTERS}
    if not pocket.sources:
        shown = any("\\snippet pocket/" in text for text in pages.values())
        return verdict(not shown, "no page shows a pocket without files")
    faults = faults_of_pages(pocket, pages)
    verdict(not faults, "pocket: the excerpts of all pages are its files", "\n".join(faults))
    known = {e.label for c in CHAPTERS for e in c.exercises if e.kind == "part"}
    strange = [label for label in pocket.holes if label not in known]
    verdict(not strange, "pocket: each hole is an exercise", ", ".join(strange))
    lines = {n: sum(bool(line.strip()) for b in pocket.of(n) for line in b.text().splitlines()) for n in pocket.chapters}
    for last, most in MOST_LINES.items():
        count = sum(lines[n] for n in lines if n <= last)
        verdict(count <= most, f"pocket: at most {most} lines by chapter {last}", f"has {count}")
    for number, said in states.items():
        verdict(not said, f"pocket: compiles after chapter {number}", said)


def compile_state(builder, stamps, pocket, number):
    """What the compiler says to the library after a chapter, and to the chapter's program on it."""
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


class Trial:
    """All answers to an exercise being tried: `runs` are the outcomes to come, one for each; none where all was well before
    and nothing has changed."""

    def __init__(self, exercise, builder, stamps, pocket):
        self.exercise, self.builder, self.stamps, self.name = exercise, builder, stamps, f"exercise_{exercise.label}"
        self.home, self.pocket = TRIALS / exercise.label, pocket
        self.answers, self.tried, self.files, self.fault, self.warned = [], 0, [], "", ""
        self.words, self.runs, self.made = [], [], None

    def begin(self, pool):
        self.made = pool.submit(self.make, pool)

    def make(self, pool):
        """Compiles the programs, and has each answer tried."""
        exercise = self.exercise
        try:
            self.answers = [] if exercise.kind == "predict" else answers_of(exercise, self.pocket)
            groups = groups_of(self.answers) if self.answers else [[0]]
            sources = [self.sources(numbers, self.home / f"{i}") for i, numbers in enumerate(groups)]
            self.words = [f"{a.kind} {a.wrong.words if a.wrong else ''}" for a in self.answers] + [*map(str, sources)]
            if self.stamps.holds(self.name, *self.words):
                return
            programs = {n: self.program(numbers, self.home / f"{i}") for i, numbers in enumerate(groups) for n in numbers[:1]}
        except Trouble as trouble:
            self.fault = str(trouble)
            return
        self.tried = sum(a.kind == "wrong" for a in self.answers)
        made = {n: programs[numbers[0]] for numbers in groups for n in numbers}
        self.runs = [pool.submit(self.outcome, number, made[number]) for number in sorted(made)]

    def outcome(self, number, program):
        if self.answers and self.answers[number].refused:
            return False, self.answers[number].refused
        environment = os.environ | {"COURSE_ANSWER": str(number), "OPENBLAS_NUM_THREADS": "1"} if self.answers else None
        return self.builder.outcome(self.exercise, program, seconds=SECONDS, env=environment)

    def sources(self, numbers, home):
        """Pairs of a source and the flags that it is compiled with, for these answers; written anew."""
        exercise, parsed, flags = self.exercise, self.builder.parsed, flags_of_answers(self.exercise)
        if exercise.kind == "predict":
            return [(exercise.starter, self.builder.as_built)]
        numbers = [n for n in numbers if not self.answers[n].refused]
        if exercise.kind == "part":
            own = write_part(exercise, self.answers, numbers, self.pocket, home)
            return [(exercise.checker, (*(() if flags else parsed), *own, *flags))]
        return [(write_variation(exercise, self.answers, numbers, home), (*FLAGS, *flags)), (exercise.checker, parsed)]

    def program(self, numbers, home):
        """The program of these answers. Wrong ones that do not compile are refused, and left out."""
        try:
            return self.compiled(self.sources(numbers, home), home)
        except Trouble as trouble:
            if not refuse(self.answers, str(trouble)):
                raise
        self.files += [file for file in home.rglob("*") if file.suffix in (".cpp", ".h")]  # with those that are left out
        return self.compiled(self.sources(numbers, home / "rest"), home / "rest")

    def compiled(self, sources, home):
        home.mkdir(parents=True, exist_ok=True)
        objects = []
        for source, flags in sources:
            made = home / f"{source.stem}.o"
            self.warned += self.builder.run_compiler(*flags, "-MD", "-MF", f"{made}.d", "-c", source, "-o", made)
            self.files += read_by(f"{made}.d", self.builder.build)
            objects.append(str(made))
        return self.builder.link(str(home / "program"), *objects)

    def finish(self, verdict):
        """Waits for all of it, and says of each answer whether it went as it must."""
        self.made.result()
        name = self.exercise.label
        if self.fault:
            return verdict(False, f"{name}: all answers compile", self.fault)
        if not self.runs:
            return verdict(True, f"{name}: all answers went as they must, and nothing has changed")
        before = verdict.counts[False]
        verdict("warning" not in self.warned, f"{name}: the starter and the answer compile without warnings", self.warned)
        outcomes = [run.result() for run in self.runs]
        if self.exercise.kind == "predict":
            for passes, said in outcomes:
                verdict(passes and said.strip(), f"{name}: the program runs and prints", said)
        for answer, (passes, said) in zip(self.answers, outcomes):
            if answer.kind == "starter":
                verdict(not passes and "RED" in said, f"{name}: the starter is red", said)
            elif answer.kind == "solution":
                verdict(passes and "RED" not in said, f"{name}: the solution is green", said)
            else:
                words = answer.wrong.words
                verdict(not passes and words in said, f"{name}: {answer.wrong.name} is rejected: {words}", said)
        if verdict.counts[False] == before:
            self.stamps.keep(self.name, *self.words, files=[*self.files, *self.exercise.chapter.data])


def check_exercise(exercise, trial, verdict):
    name = exercise.label
    absent = [title for title in exercise.sections if not exercise.has(title)]
    verdict(not absent, f"{name}: the notes are whole", f"{exercise.notes} lacks {absent}")
    if exercise.kind != "predict":
        verdict(len(exercise.wrong) >= 2, f"{name}: has two wrong answers or more")
    trial.finish(verdict)
