"""Compiles all answers to an exercise as one program, and tries each answer in a separate process."""

import json
import os
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from answers import FLAGS, answers_of, groups_of, refuse, write_part, write_variation
from builder import flags_of_answers
from chapters import TRIALS, Trouble
from mine import titles
from pocket import Pocket
from running import end_all
from stamps import Stamps, digest_of, read_by

SECONDS = 600  # the longest time of an answer in a test, on a busy machine
SECONDS_OF_CAUSES = 20  # the longest time that a reader waits for all causes

# The modules that make programs of answers and judge them.
MACHINERY = ("answers", "builder", "causes", "chapters", "check", "mine", "pocket", "running", "stamps", "trial", "wrong")


def stamps_of(builder):
    machinery = (digest_of(Path(__file__).parent / f"{name}.py") for name in MACHINERY)
    return Stamps(TRIALS / "stamps", *machinery, builder.described())


class Trial:
    """A trial of all answers to an exercise. `runs` are the future outcomes, one for each answer; there are none if all
    passed before and nothing has changed."""

    def __init__(self, exercise, builder, stamps, pocket):
        self.exercise, self.builder, self.stamps, self.name = exercise, builder, stamps, f"exercise_{exercise.label}"
        self.home, self.pocket = TRIALS / exercise.label, pocket
        self.answers, self.tried, self.files, self.fault, self.warned = [], 0, [], "", ""
        self.words, self.runs, self.made = [], [], None

    def begin(self, pool):
        self.made = pool.submit(self.make, pool)

    def make(self, pool):
        """Compiles the programs, and starts a run of each answer."""
        exercise = self.exercise
        try:
            self.answers = [] if exercise.kind == "predict" else answers_of(exercise, self.pocket)
            groups = groups_of(self.answers) if self.answers else [[0]]
            sources = [self.source(numbers, self.home / f"{i}") for i, numbers in enumerate(groups)]
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

    def outcome(self, number, program, seconds=SECONDS):
        if self.answers and self.answers[number].refused:
            return False, self.answers[number].refused
        environment = os.environ | {"COURSE_ANSWER": str(number), "OPENBLAS_NUM_THREADS": "1"} if self.answers else None
        return self.builder.outcome(self.exercise, program, seconds=seconds, env=environment)

    def outcomes(self):
        return [run.result() for run in self.runs]

    def causes(self):
        """The causes that wrong.txt names, each with the check's output."""
        said = zip(self.answers, self.outcomes())
        return [(answer.wrong.words, words) for answer, (_, words) in said if answer.wrong and answer.wrong.is_cause]

    def source(self, numbers, home):
        """Writes the source for these answers. Returns the source and the flags to compile it with."""
        exercise, flags = self.exercise, flags_of_answers(self.exercise)
        flags = flags or self.builder.parsed  # a header that was precompiled without these flags does not fit
        if exercise.kind == "predict":
            return exercise.starter, flags  # a reader's is optimised as in the build, which compiles more slowly
        numbers = [n for n in numbers if not self.answers[n].refused]
        if exercise.kind == "part":
            return exercise.checker, (*write_part(exercise, self.answers, numbers, self.pocket, home), *flags)
        return write_variation(exercise, self.answers, numbers, home), (*FLAGS, *flags)

    def program(self, numbers, home):
        """The program of these answers. Wrong answers that do not compile are marked as refused and left out."""
        try:
            return self.compiled(*self.source(numbers, home), home)
        except Trouble as trouble:
            if not refuse(self.answers, str(trouble)):
                raise
        self.files += [file for file in home.rglob("*") if file.suffix in (".cpp", ".h")]  # with those left out
        return self.compiled(*self.source(numbers, home / "rest"), home / "rest")

    def compiled(self, source, flags, home):
        home.mkdir(parents=True, exist_ok=True)
        made = home / f"{source.stem}.o"
        self.warned += self.builder.run_compiler(*flags, "-MD", "-MF", f"{made}.d", "-c", source, "-o", made)
        self.files += read_by(f"{made}.d", self.builder.build)
        return self.builder.link(str(home / "program"), str(made))

    def causes_for_reader(self):
        """The same as causes(), without the other answers. Keeps the check's output until something changes. Answers that
        have not ended after SECONDS_OF_CAUSES are tried again the next time."""
        self.answers = answers_of(self.exercise, self.pocket)
        own = {n for n, answer in enumerate(self.answers) if answer.wrong and answer.wrong.is_cause}
        if not own:
            return []
        groups = [chosen for numbers in groups_of(self.answers) if (chosen := [n for n in numbers if n in own])]
        homes, kept = {n: self.home / f"causes_{numbers[0]}" for numbers in groups for n in numbers}, self.home / "causes.json"
        words = [str(self.source(numbers, homes[numbers[0]])) for numbers in groups]
        name = f"causes_{self.exercise.label}"
        if not self.stamps.holds(name, *words) or not kept.exists():
            for numbers in groups:
                self.compiled(*self.source(numbers, homes[numbers[0]]), homes[numbers[0]])
            kept.write_text("{}")
            self.stamps.keep(name, *words, files=[*self.files, *self.exercise.chapter.data])
        said = json.loads(kept.read_text())
        pool = ThreadPoolExecutor(os.cpu_count())
        try:
            missing = [n for n in sorted(own) if self.answers[n].wrong.name not in said]
            runs = {pool.submit(self.outcome, n, homes[n] / "program", SECONDS_OF_CAUSES): n for n in missing}
            done = wait(runs, SECONDS_OF_CAUSES).done
            said |= {self.answers[runs[run]].wrong.name: run.result()[1] for run in done}
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            end_all()
        kept.write_text(json.dumps(said))
        return [(self.answers[n].wrong.words, said[self.answers[n].wrong.name]) for n in own if self.answers[n].wrong.name in said]


def causes_for_reader(builder, exercise):
    """Pairs of a cause and the check's output for the wrong answer with this cause."""
    stamps = stamps_of(builder)
    try:
        builder.precompile(TRIALS, stamps)
        return Trial(exercise, builder, stamps, Pocket(titles=titles())).causes_for_reader()
    except Trouble:  # one of the course's own answers is at fault, and its test reports that
        return []
