"""The course at the command line, for ./run course, chapter, my, exercise and docs.

    course BUILD list
    course BUILD program 08 [--mine] [--long] [-- ...]   prints the target to build for a chapter
    course BUILD chapter 08 [--mine] [--long] [-- ...]   arguments after -- go to the program
    course BUILD my [--catch-up 08]
    course BUILD exercise [08[.2]] [--watch] [--hint] [--solution [--give-up]] [--reset] [--predict WORDS]
    course BUILD table         the figures of each chapter: lines of pocket, its program's share on the page, words ...
    course BUILD live          compiles the live pieces of pages for browsers, if a source has changed
    course BUILD capture       runs every program that has changed since it last ran, and writes build/course/NN_name:
                               printed.txt, output.txt, which the page shows (with times from expected.txt), figures,
                               and the parts of pages that are made from chapter.json and the notes
    course BUILD accept [NN]   keeps the programs' present output as the output that tests expect, and the figures of
                               NN_name/kept from the same run
    course BUILD commands      writes build/course/commands.md from the help of BUILD/gradus
    course BUILD finish        after Doxygen: puts figures into their pages
    course BUILD check [NN]    checks that every starter is red, every solution green, every wrong answer rejected with
                               its own words; that texts show their programs' output, and use nothing that comes
                               later; that pages show all of pocket. Repeats only checks whose files have changed

Readers work on copies in my/, which git ignores: the copies survive every update, and so do
my/pocket/, their library, and my/progress.json. Needs a built library in BUILD and its compile_commands.json.
"""

import difflib
import json
import os
import re
import shutil
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from builder import Builder, program_lines, run_program
from causes import causes_of, is_comparable, parted, told
from chapters import CHAPTERS, EXCERPT, HINTS, KINDS, OUTPUT, ROOT, TEXTS, TRIALS, Trouble, chapter_of
from check import check_course
from commands import write_commands
from drawing import draw
from earlier import fault_of_earlier, said_of
from faults import as_shown
from kernels import blas_kernels, build_for_avx2, folder_of, other_kernels
from mine import Mine, shown, text_of
from picture import drawn
from pocket import Pocket, answer_of
from running import Ended, end_all, lines_of
from stamps import Stamps, digest_of
from terminal import Parts, bar, coloured, folded, verdicts, wrapped
from trial import causes_for_reader

MINE = ROOT / "my"
PROGRESS = MINE / "progress.json"
OPTIONS = ("--watch", "--hint", "--solution", "--give-up", "--reset", "--predict")


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
    """The exercises that are not solved yet, in the order of the course. Exercises before a catch-up come after the others,
    and further exercises last."""
    left = [e for c in CHAPTERS for e in c.exercises if not is_solved(e)]
    caught_up = Mine().reached()[1]
    return sorted(left, key=lambda e: (e.further, e.label[:2] <= caught_up))


def unsolved_from(exercise):
    """The same, beginning with the exercises after this one."""
    left = unsolved()
    every = [e for c in CHAPTERS for e in c.exercises]
    after = set(every[every.index(exercise) + 1 :])
    return sorted(left, key=lambda e: (e.further, e not in after))


def list_course():
    exercises = [e for c in CHAPTERS for e in c.exercises]
    left, wide = unsolved(), max(len(x.title) for x in (*CHAPTERS, *exercises))
    minutes = sum(c.reading for c in CHAPTERS) + sum(e.minutes for e in exercises)
    done = len(exercises) - len(left)
    print("The course. ./run chapter 08 builds and runs a chapter, ./run exercise 08.1 checks an exercise,")
    print("./run exercise continues with the first unsolved exercise.\n")
    print(f"{bar(done, len(exercises))}  {done} of {len(exercises)} exercises solved; {minutes / 60:.0f} hours in all")
    for chapter in CHAPTERS:
        solved = sum(map(is_solved, chapter.exercises))
        print(
            f"\n{chapter.number}  {coloured(f'{chapter.title:<{wide + 6}}', 'bold')}  {chapter.reading:>3} min to read,"
            f" {chapter.running:>2} s to run, exercises {solved}/{len(chapter.exercises)}"
        )
        for e in chapter.exercises:
            kind = e.kind + (", further" if e.further else "")
            state = coloured("  solved", "green") if is_solved(e) else "  <- you are here" if e is left[0] else ""
            print(f"    {e.label}  {e.title:<{wide}}  {e.minutes:>3} min  {kind:<18}{state}".rstrip())
    print(f"\nnext: ./run exercise {left[0].label}, {left[0].title}" if left else "\nAll exercises are solved.")


def chapter_and_options(arguments):
    """The chapter, whether --mine is given, and the arguments for its program: --long, and all after a --."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    arguments, passed = arguments[:end], [*arguments[end + 1 :]]
    named = [a for a in arguments if not a.startswith("-")]
    unknown = [a for a in arguments if a.startswith("-") and a not in ("--mine", "--long")]
    if unknown:
        raise Trouble(f"unknown option: {unknown[0]} (use --mine or --long; put arguments for the program after --)")
    if len(named) != 1:
        raise Trouble(f"takes one chapter, got: {' '.join(named)}" if named else "needs a chapter, such as ./run chapter 08")
    chapter, mine, long = chapter_of(named[0]), "--mine" in arguments, "--long" in arguments
    if mine and not chapter.uses_pocket:
        raise Trouble(f"chapter {chapter.number} does not use pocket (leave out --mine)")
    if long and not chapter.long:
        raise Trouble(f"chapter {chapter.number} has no long run (leave out --long)")
    return chapter, mine, (["--long"] if long else []) + passed


def what_to_build(build, *arguments):
    """Prints the target for ./run to build. Prints a note first if its first compile takes long."""
    chapter, _, _ = chapter_and_options(arguments)
    if chapter.first_compile > 20 and not Path(build, "tutorials", chapter.program).exists():
        print(f"run: the first build of this chapter takes about {chapter.first_compile} s", file=sys.stderr)
    print(f"tutorials/{chapter.program}")


def run_chapter(build, *arguments):
    chapter, mine, options = chapter_and_options(arguments)
    parts, figures = Parts(), MINE / chapter.folder.name
    if "--long" in options:
        print(f"The long run: {chapter.long}. Ctrl-C ends it.\n")
    lines = own_lines(build, chapter, figures, options) if mine else program_lines(build, chapter, figures, *options)
    for line in lines:
        print(parts.shown(line), end="", flush=True)
    print(f"source:     {chapter.source.relative_to(ROOT)}")
    for file in dict.fromkeys(b.file for b in Pocket().of(chapter.number)):
        print(f"            {shown(MINE if mine else ROOT / 'tutorials') / 'pocket' / file}")
    for figure in sorted([*figures.glob("*.svg"), *figures.glob("*.html")]):
        print(f"figure:     {figure.relative_to(ROOT)}")
    print(f"page:       {shown_page(chapter)}")
    solved = sum(map(is_solved, chapter.exercises))
    if chapter.exercises:
        minutes = [e.minutes for e in chapter.exercises]
        print(f"exercises:  {solved} of {len(minutes)} solved, of {', '.join(map(str, minutes))} minutes, {sum(minutes)} in all")
    print(f"next:       {after_chapter(chapter)}")


def shown_page(chapter):
    """The chapter's page if it has been made; otherwise its text, with the command that makes the page."""
    page = ROOT / "build" / "docs" / "html" / f"chapter{chapter.number}.html"
    return f"{shown(page)}" if page.exists() else f"{shown(chapter.text)} (./run docs --open shows it as a page)"


def after_chapter(chapter):
    """The command for the chapter's first exercise that is not solved, or for the next chapter."""
    left = [e for e in chapter.exercises if not is_solved(e) and not e.further]
    later = [c for c in CHAPTERS if c.number > chapter.number]
    return f"./run exercise {left[0].label}" if left else f"./run chapter {later[0].number}" if later else "./run course"


def own_lines(build, chapter, figures, options):
    """The lines that a chapter's program prints when it is compiled with my/pocket."""
    mine = Mine()
    for line in mine.ready(chapter.number):
        print(line)
    builder = Builder(build)  # whose programs go with it
    try:
        program, warned = builder.own_program(chapter, MINE)
    except Trouble as trouble:
        raise Trouble(f"on my/pocket, chapter {chapter.number} {verdicts(str(trouble))}{course_compiles(mine)}") from None
    print(verdicts(f"The compiler warns:\n{warned}") if warned else "", end="")
    figures.mkdir(parents=True, exist_ok=True)
    try:
        yield from lines_of(program, str(figures), *options)
    except Ended as ended:
        raise Trouble(f"on my/pocket, {ended}{waiting_in(str(ended), chapter.number)}") from None


def course_compiles(mine):
    """Advice for files that do not compile."""
    number = mine.reached()[0]
    return f"\n(./run my shows your progress; ./run my --catch-up {int(number) + 1:02} starts from the course's files)"


def waiting_in(said, own):
    """Names the other exercise at which a program stopped, and what to do. `own` is the exercise or chapter that was
    run."""
    mark = re.search(r"exercise (\d\d\.\d+): ", said)
    if not mark or mark[1] == own:
        return ""
    if int(mark[1][:2]) < int(own[:2]):  # readers who skipped chapters want to go on with this one
        take = f"./run my --catch-up {own[:2]} takes the course's lines"
        return f"\n{mark[1]} is still to be written. {take}, or write it: ./run exercise {mark[1]}"
    return (
        f"\n{mark[1]} is still to be written: ./run exercise {mark[1]}"
        f" (or ./run my --catch-up {int(mark[1][:2]) + 1:02} takes the course's lines)"
    )


def run_my(build, *arguments):
    mine = Mine()
    if arguments and (arguments[0] != "--catch-up" or len(arguments) != 2 or not arguments[1].isdigit()):
        raise Trouble("my takes no arguments, or --catch-up and a chapter, such as ./run my --catch-up 08")
    if arguments:
        for line in mine.catch_up(arguments[1].zfill(2)):
            print(line)
        return
    print(drawn(mine.pocket, mine, lambda label: progress().get(label) == "solved"))
    files = sorted(mine.files.glob("*.h")) if mine.files.is_dir() else []
    lines = sum(len(text_of(f).splitlines()) for f in files)
    print(f"my/pocket/: {len(files)} files, {lines} lines" if files else "my/pocket/ does not exist yet.")
    for label, (file, line) in mine.open_holes().items():
        print(f"    {shown(file)}:{line} is empty until exercise {label}")
    left = unsolved()
    print(f"next:  ./run exercise {left[0].label}, {left[0].title}" if left else "All exercises are solved.")


def of_these(exercises):
    """The first exercise that is not solved, with further ones last; if all are solved, the first."""
    return next((e for e in sorted(exercises, key=lambda e: e.further) if not is_solved(e)), exercises[0])


def my_file(exercise):
    """The file that the reader edits."""
    if exercise.kind == "part":
        return Mine().hole(exercise.label)[0]
    return MINE / f"{exercise.chapter.number}.{exercise.name}.cpp"


def my_copy(exercise):
    """The reader's file, made as a copy of the starter; for a part it is a file in my/pocket."""
    mine, begun = my_file(exercise), False
    if exercise.kind == "part":
        own = Mine()
        for line in own.ready(exercise.chapter.number):
            print(line)
        line = own.hole(exercise.label)[1]
        begun, where = line > 0, f"{shown(mine)}, line {line}"
    elif not mine.exists():
        MINE.mkdir(exist_ok=True)
        shutil.copy(exercise.starter, mine)
        begun, where = True, str(shown(mine))
    if begun:
        print(wrapped(f"{exercise.title}: {exercise.section('Task')}"))
        print(f"\nWrite your answer in {where}\n")
    return mine


def try_once(build, exercise):
    mine = my_copy(exercise)
    if exercise.kind == "predict":
        return see(build, exercise, mine)
    builder, answer, compiles = Builder(build), MINE if exercise.kind == "part" else mine, True
    try:
        passed, said = builder.check(exercise, answer)
    except Trouble as trouble:
        passed, said, compiles = False, f"RED    {shown(mine)} {trouble}", False
    waiting = waiting_in(said, exercise.label)
    head, general = parted(said)
    print(verdicts(folded(head.strip()) + waiting), flush=True)
    if not passed and compiles and not waiting:
        general = general_and_causes(builder, exercise, answer, said, general)
    print(general, end="", flush=True)
    if not passed:
        fault = None
        if exercise.kind == "part" and compiles and not waiting and f'"exercise {exercise.label}: ' not in said:
            fault = fault_of_earlier(builder, exercise)
        if fault:
            print(f"\n{said_of(fault)}")
        print(f"\nnext: edit {shown(fault[1] if fault else mine)}, then ./run exercise {exercise.label} again, or add --hint", flush=True)
        return False
    if exercise.kind == "part" and exercise.label[:2] <= Mine().reached()[1] and not Mine().difference(exercise.label):
        print(f"\nThe check passes, but the file holds the course's answer. To write your own, run ./run exercise {exercise.label} --reset")
        return True
    congratulate(exercise)
    return True


def general_and_causes(builder, exercise, answer, said, general):
    """The likely cause: the place of a crash, and the cause of the wrong answer that fails in the same way as this one."""
    place = ""
    if re.search(r"^RED    the program was ended by SIG", said, re.M):
        place = builder.sanitized(exercise, answer)
    causes = causes_of(said, causes_for_reader(builder, exercise)) if is_comparable(said) else ([], [])
    return place + told("" if place else general, causes)


def congratulate(exercise):
    """Prints the text after a green check: why, another way, the reader's answer beside the course's, and the next
    command."""
    remember(exercise.label, "solved")
    print(f"\n{coloured(f'{exercise.label} {exercise.title}: solved.', 'green')}\n")
    print(wrapped(exercise.section("Why")))
    if exercise.has("Another way"):
        print("\n" + wrapped(f"Another way: {exercise.section('Another way')}"))
    if exercise.kind != "predict":
        show_difference(exercise)
    left = unsolved_from(exercise)
    print(f"\nnext: ./run exercise {left[0].label}" if left else "\nThat was the last exercise: all are solved.")


def show_difference(exercise):
    """Prints the difference between the reader's code and the course's."""

    def code(file):
        lines = [line.rstrip() for line in text_of(file).splitlines()]
        return [line for line in lines if line and not line.startswith(("//", "#include"))]

    if exercise.kind == "part":
        difference = Mine().difference(exercise.label)
    else:
        mine, solution = code(my_file(exercise)), code(exercise.solution)
        difference = list(difflib.unified_diff(mine, solution, lineterm="", n=2))[2:]
    if difference:
        print("\nYours (-) beside the course's own answer (+):")
        for line in difference:
            print(coloured(line, {"-": "yellow", "+": "green"}.get(line[:1], "dim")))


def see(build, exercise, mine):
    """Asks once for a prediction of the output; then runs the reader's copy, which may be changed and run again."""
    before = progress().get(exercise.label + ".said")
    if before is None:
        print("Your prediction, in one line: ", end="", flush=True)
        before = sys.stdin.readline().strip()
        if not before:
            raise Trouble(f'this exercise needs your prediction first: ./run exercise {exercise.label} --predict "what you expect"')
        remember(exercise.label + ".said", before)
    builder = Builder(build)  # whose programs go with it
    program, warned = builder.program(exercise, mine)
    print(verdicts(f"The compiler warns:\n{warned}") if warned else "", end="")
    parts = Parts()
    for line in lines_of(program, str(MINE)):
        print(parts.shown(line), end="", flush=True)
    print(f"\n{coloured('You said:', 'bold')} {before}")
    congratulate(exercise)
    print(f"to experiment, change {shown(mine)} and run the exercise again")
    return True


def watch(build, exercise):
    """Checks again each time the file is saved, until it is green."""
    mine, seen = my_copy(exercise), 0
    print(f"watching {shown(mine)}; Ctrl-C ends", flush=True)
    while True:
        saved = mine.stat().st_mtime if mine.exists() else seen
        if saved != seen:
            seen = saved
            print("-" * 60)
            try:
                if try_once(build, exercise):
                    return 0
            except Trouble as trouble:  # for example, a prediction that does not compile: the next save may mend it
                print(f"run: {trouble}", flush=True)
        time.sleep(0.3)


def hint(exercise):
    if not exercise.has(HINTS[0]):
        raise Trouble(f"{exercise.label} has no hints")
    level = min(int(progress().get(exercise.label + ".hints", 0)), 2)
    print(f"Hint {level + 1} of 3. {HINTS[level]}:\n{wrapped(exercise.section(HINTS[level]))}")
    if level == 2:
        print(f"\nThis is the last hint; ./run exercise {exercise.label} --solution --give-up shows an answer.")
    remember(exercise.label + ".hints", level + 1)


def reset(exercise):
    mine = my_file(exercise)
    kept = None
    if exercise.kind == "part":
        kept = Mine().reset(exercise.label)
    elif mine.exists():
        kept = mine.with_suffix(".cpp.old")
        mine.replace(kept)
    if kept:
        print(f"your earlier version is in {kept.relative_to(ROOT)}")
    remember(exercise.label, "")
    remember(exercise.label + ".said", None)
    my_copy(exercise)


def run_exercise(build, *arguments):
    arguments, words = [*arguments], None
    if "--predict" in arguments:
        words = " ".join(arguments[arguments.index("--predict") + 1 :])
        arguments = arguments[: arguments.index("--predict")]
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
        raise Trouble(f"unknown option: {unknown[0]} (use {', '.join(OPTIONS)})")
    chapter = chapter_of(number)
    wanted = chapter.number + which[len(number) :]
    chosen = [e for e in chapter.exercises if wanted in (chapter.number, e.label)]
    if not chosen:
        raise Trouble(f"unknown exercise {which} (choose {', '.join(e.label for e in chapter.exercises)})")
    exercise = of_these(chosen)
    if not named:
        print(f"{exercise.label} {exercise.title}, {exercise.minutes} minutes, of chapter {chapter.number} {chapter.title}")
    if words is not None:
        if exercise.kind != "predict" or not words.strip():
            raise Trouble(f"--predict: needs an exercise of the kind predict, and your prediction ({exercise.label} is a {exercise.kind})")
        remember(exercise.label + ".said", words)
    if "--reset" in options:
        return reset(exercise)
    if "--hint" in options:
        return hint(exercise)
    if "--solution" in options:
        if not is_solved(exercise) and "--give-up" not in options:
            raise Trouble(f"{exercise.label} is not solved yet (--hint helps; --solution --give-up shows it)")
        return print(answer_of(exercise, Pocket()), end="")
    if "--watch" in options:
        return watch(build, exercise)
    return 0 if try_once(build, exercise) else 1


def run_if_changed(build, chapter, folder, kernels=None):
    """The file with the output of the chapter's program, beside its figures. Runs the program unless the file is from the
    same program with the same kernels of OpenBLAS: the ones that OpenBLAS chooses here, or `kernels`."""
    stamps = Stamps(folder.parent / "stamps", kernels or blas_kernels(), *map(digest_of, TEXTS))
    captured, program = folder / "printed.txt", Path(build, "tutorials", chapter.program)
    if not captured.exists() or not stamps.holds(chapter.folder.name, digest_of(program)):
        shutil.rmtree(folder, ignore_errors=True)  # removes figures of earlier versions
        environment = os.environ | {"OPENBLAS_CORETYPE": kernels} if kernels else None
        captured.write_text(run_program(build, chapter, folder, environment))
        stamps.keep(chapter.folder.name, digest_of(program), files=chapter.data)
    return captured


def capture(build, chapters=CHAPTERS, at_once=1):
    """Runs the programs, except programs whose output exists already from the same program and the same kernels."""
    for folder in {f for f in OUTPUT.glob("[0-9][0-9]_*") if f.is_dir()} - {c.output for c in CHAPTERS}:
        shutil.rmtree(folder)

    def run(chapter):
        captured = run_if_changed(build, chapter, chapter.output)
        lost = [file.name for file in chapter.kept_figures if not (chapter.output / file.name).exists()]
        if lost:
            raise Trouble(f"chapter {chapter.number}: kept/ has {', '.join(lost)}, which the program does not draw")
        (chapter.output / "output.txt").write_text(as_shown(chapter, captured.read_text()))
        for file in chapter.kept_figures:
            shutil.copy(file, chapter.output)
        draw(chapter)
        print(f"{chapter.number}  {chapter.output.relative_to(ROOT)}", flush=True)

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(run, chapters))


def capture_for_pages(build):
    from pages import write_parts  # needs Jinja2; readers can do without it

    capture(build)
    write_parts(build)


def finish():
    from pages import finish_pages

    finish_pages()


def live(build):
    from live import compile_pieces

    compile_pieces(build)


def accept(build, *numbers):
    for chapter in map(chapter_of, numbers) if numbers else CHAPTERS:
        if chapter.varies and "OPENBLAS_CORETYPE" in os.environ:
            raise Trouble(f"chapter {chapter.number} measures times, but OPENBLAS_CORETYPE selects the kernels of another processor (unset it)")
        chapter.expected.write_text(run_program(build, chapter, chapter.output))
        for file in chapter.kept_figures:
            shutil.copy(chapter.output / file.name, file)
        print(chapter.expected.relative_to(ROOT))


LEAST_PRINTED = 0.8  # the least share of a chapter's experiment on its page


def table():
    """Prints a table of the chapters for their authors."""
    pocket = Pocket()
    print("chapter                       pocket  on page  words  min  parts variations predicts  wrong  drawings")
    for c in CHAPTERS:
        text = c.text.read_text()
        lines = sum(b.text().count("\n") for b in pocket.of(c.number))
        kinds = [sum(e.kind == kind for e in c.exercises) for kind in KINDS]
        wrong = sum(len(e.wrong) for e in c.exercises)
        drawings = len(re.findall(r"^\\image ", text, re.M))
        print(
            f"{c.number} {c.title:<27}{lines:>6}{c.printed_share:>8.0%}{len(text.split()):>8}{c.reading:>5}"
            f"{kinds[0]:>7}{kinds[1]:>11}{kinds[2]:>9}{wrong:>7}{drawings:>10}"
        )
    hidden = [c.number for c in CHAPTERS if c.printed_share < LEAST_PRINTED]
    if hidden:
        raise Trouble(f"less than {LEAST_PRINTED:.0%} of the experiment is on the page of {', '.join(hidden)}")


def check(build, *numbers):
    from pages import write_parts

    def captured(build, chapters, at_once):
        capture(build, chapters, at_once)
        for kernels in other_kernels():  # on the same programs; in CI, a check of all chapters builds others
            made = build_for_avx2(build) if os.environ.get("CI") == "true" and not numbers else build
            with ThreadPoolExecutor(at_once) as pool:
                list(pool.map(lambda c: run_if_changed(made, c, folder_of(kernels) / c.folder.name, kernels), chapters))
        write_parts(build, live=False)  # the models of live pieces need not be trained for a test

    return check_course(build, captured, [chapter_of(number) for number in numbers] or CHAPTERS)


COMMANDS = {
    "table": lambda build: table(),
    "list": lambda build: list_course(),
    "program": what_to_build,
    "chapter": run_chapter,
    "my": run_my,
    "exercise": run_exercise,
    "live": live,
    "capture": capture_for_pages,
    "accept": accept,
    "commands": lambda build: write_commands(Path(build), OUTPUT),
    "finish": lambda build: finish(),
    "check": check,
}


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in COMMANDS:
        print(__doc__)
        return 2
    sys.stdout.reconfigure(errors="backslashreplace")  # a reader's file may hold bytes that are not UTF-8
    for ending in (signal.SIGTERM, signal.SIGHUP):  # end like Ctrl-C, so that no program and no folder is left behind
        signal.signal(ending, signal.default_int_handler)
    _, build, command, *arguments = sys.argv
    try:
        status = COMMANDS[command](build, *arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # `./run course | head` ends without a message
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (Trouble, OSError) as trouble:  # an OSError names the file that cannot be read or made
        print(f"run: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        end_all()


if __name__ == "__main__":
    sys.exit(main())
