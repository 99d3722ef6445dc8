"""Compiles and runs programs of chapters and answers to exercises."""

import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from chapters import ROOT, TEXTS, TUTORIALS, Trouble
from stamps import digest_of, read_by
from running import SECONDS, Ended, Running, ended_by, lines_of, memory_cause

# A reader's source may hold bytes that are not UTF-8, and a compiler repeats them in its messages.
SAID = {"capture_output": True, "text": True, "errors": "backslashreplace"}


class Builder:
    """Compiles answers with the flags of the build, against its library."""

    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        self.folder = tempfile.TemporaryDirectory()
        self.parsed = ()  # the flags that include the header of precompile()
        commands = json.loads((self.build / "compile_commands.json").read_text())
        in_float = lambda c: "-DGRADUS_DOUBLE" not in c["command"]  # noqa: E731; float comes last and overwrites double
        self.commands = {(self.build / c["file"]).resolve(): c["command"] for c in sorted(commands, key=in_float)}
        words = self.words_for(TUTORIALS / "common" / "plot.cpp")
        self.compiler = words[:1]
        # -O1 compiles more slowly than -O0, but checks run twice as fast: together, a trial takes less time. The
        # assertions catch an index past a vector's end and name it. A starter does not use its arguments yet; for clang, the
        # last flag counts.
        fast = re.compile(r"-O\d")
        self.flags = ["-O1" if fast.match(word) else word for word in words[1:]]
        self.flags += ["-D_GLIBCXX_ASSERTIONS", "-Wno-unused-parameter"]
        # For predictions, which may measure time. gcc 14 at -O3 warns of faults in inlined vectors that are not there.
        self.as_built = (*filter(fast.match, words), "-Wno-array-bounds", "-Wno-free-nonheap-object")
        openblas = subprocess.run(["pkg-config", "--libs", "openblas"], capture_output=True, text=True).stdout.split()
        self.libraries = [str(self.build / "libgradus_engine.a"), *openblas, "-pthread"]  # checks need no more

    @functools.cache
    def version(self):
        return subprocess.run([*self.compiler, "--version"], **SAID).stdout

    def described(self):
        """All inputs of a program besides its sources: compiler, flags, library and data."""
        return (self.compiler, self.version(), self.flags, self.libraries, digest_of(self.libraries[0]), *map(digest_of, TEXTS))

    def words_for(self, source):
        """The compiler and the build's flags for a source, without the flags that name files or the reader's pocket."""
        if source not in self.commands:
            raise Trouble(f"{source.relative_to(ROOT)} is no part of the build in {self.build.name}/")
        words, kept, skip = shlex.split(self.commands[source]), [], False
        if pathlib.Path(words[0]).name in ("ccache", "sccache"):
            words = words[1:]  # Meson puts it before the compiler if it is installed
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-c", "-MF", "-MQ"):
                skip = word != "-c"
            elif word not in ("-MD", "-MMD", "-Werror") and not word.endswith((source.name, "/tutorials")):
                kept.append(word)
        return kept

    def run_compiler(self, *arguments, flags=None):
        """Runs the compiler with the build's flags; raises Trouble at an error, and returns the warnings."""
        command = [*self.compiler, *(self.flags if flags is None else flags), *map(str, arguments)]
        run = subprocess.run(command, cwd=self.build, **SAID)
        if run.returncode != 0:
            raise Trouble(f"does not compile:\n{run.stderr}")
        return run.stderr

    def precompile(self, folder, stamps):
        """Precompiles the headers that each check includes. It leaves out pocket, which differs from answer to answer, and
        the library's ops: a reader's answer is compiled without these headers, so a check must include its ops itself."""
        header = folder / "parsed.h"
        standard = "algorithm array cmath functional map memory numbers numeric random sstream vector".split()
        includes = [f"<{name}>" for name in standard]
        includes.append(f'"{ROOT}/tutorials/common/guards.h"')
        header.write_text("".join(f"#include {name}\n" for name in includes))
        made = pathlib.Path(f"{header}.gch")
        # clang also compares the times of headers unless it is forbidden; the stamp compares their contents.
        timeless = ("-Xclang", "-fno-pch-timestamp") if "clang" in self.version() else ()
        if not made.exists() or not stamps.holds("parsed"):
            self.run_compiler(*timeless, "-MD", "-MF", f"{header}.d", "-x", "c++-header", header, "-o", made)
            stamps.keep("parsed", files=read_by(f"{header}.d", self.build))
        self.parsed = ("-include", str(header))

    @functools.cache
    def compile(self, source, extra=()):
        """The object file of a source, and the compiler's warnings."""
        out = pathlib.Path(self.folder.name) / (re.sub(r"\W", "_", f"{source}{''.join(extra)}") + ".o")
        return str(out), self.run_compiler(*extra, "-c", source, "-o", out)

    def link(self, program, *objects, flags=()):
        link = subprocess.run([*self.compiler, *objects, *self.libraries, *flags, "-o", program], **SAID)
        if link.returncode != 0:
            raise Trouble(f"does not link:\n{link.stderr}")
        return program

    def program(self, exercise, answer):
        """The program of an answer and its check, and the compiler's warnings about the answer. The answer to a part is a
        folder that holds pocket/. A prediction's program has no check, and is optimised as in the build."""
        if exercise.kind == "part":
            made, warned = self.compile(exercise.checker, (*flags_of_answers(exercise), f"-I{answer}"))
            return self.link(made.removesuffix(".o"), made), warned
        if exercise.kind == "predict":
            made, warned = self.compile(answer, self.as_built)
            return self.link(made.removesuffix(".o"), made), warned
        with ThreadPoolExecutor() as pool:
            sources, flags = (answer, exercise.checker), (flags_of_answers(exercise), ())
            (made, warned), (checker, _) = pool.map(self.compile, sources, flags)
        return self.link(made.removesuffix(".o"), checker, made), warned

    def check(self, exercise, answer):
        """Whether the answer passes, and the output of the compiler and the check."""
        program, warned = self.program(exercise, answer)
        passed, said = self.outcome(exercise, program)
        return passed, (f"The compiler warns:\n{warned}\n" if warned else "") + said

    def outcome(self, exercise, program, seconds=SECONDS, **options):
        """The same for a program that has been made."""
        run = Running(program, seconds=seconds, **options)
        printed = "".join(run.lines())
        if run.stopped:
            return False, f"{cut(printed)}RED    your program {run.stopped}"
        said = printed + run.complaints
        if run.code < 0:
            said += ended_by(run.code, said, exercise.chapter.number)
        elif run.code > 0:
            said += memory_cause(said)
        return run.code == 0, said

    def sanitized(self, exercise, answer):
        """The address sanitizer's report on an answer that crashed, in two lines that name the reader's line. Empty if
        the compiler has no sanitizer, or if the answer does not crash with it."""
        flags, objects = ("-fsanitize=address", "-fno-omit-frame-pointer", "-g1"), []
        try:
            if exercise.kind == "part":
                objects = [self.compile(exercise.checker, (*flags, *flags_of_answers(exercise), f"-I{answer}"))[0]]
            else:
                objects = [self.compile(answer, (*flags, *flags_of_answers(exercise)))[0]]
            if exercise.kind == "variation":
                objects.append(self.compile(exercise.checker)[0])
            program = self.link(objects[0].removesuffix(".o"), *objects, flags=flags[:1])
        except Trouble:
            return ""
        options = "detect_leaks=0:detect_stack_use_after_return=1:handle_abort=1:hard_rss_limit_mb=4000:color=never"
        run = Running(program, seconds=SECONDS, bounded=False, env=os.environ | {"ASAN_OPTIONS": options})
        for _ in run.lines():
            pass
        return place_of_crash(run.complaints, answer)

    def own_program(self, chapter, folder):
        """A chapter's program, optimised as in the build, with the pocket in `folder`; and the compiler's warnings."""
        made = pathlib.Path(self.folder.name) / chapter.program
        flags = [*self.words_for(chapter.source)[1:], "-Wno-unused-parameter"]
        warned = self.run_compiler(f"-I{folder}", "-c", chapter.source, "-o", f"{made}.o", flags=flags)
        target = f"tutorials/{chapter.program}"
        steps = subprocess.run(["ninja", "-t", "commands", target], cwd=self.build, **SAID)
        words = shlex.split(steps.stdout.splitlines()[-1])  # the last step links
        own = [w for w in words if w.startswith(f"{target}.p/") and w.endswith(f"{chapter.source.name}.o")]
        link = [str(made) if w == target else f"{made}.o" if w in own else w for w in words]
        run = subprocess.run(link, cwd=self.build, **SAID)
        if run.returncode != 0:
            raise Trouble(f"does not link:\n{run.stderr}")
        return str(made), warned

    def parse(self, source, folder):
        """Checks that a text that includes pocket/ compiles, without making a file."""
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
            file.write(source)
            file.flush()
            self.run_compiler(*self.parsed, f"-I{folder}", "-Werror", "-fsyntax-only", file.name)


def cut(text, lines=20):
    """The beginning of a long output."""
    shown = [line[:200] for line in text.split("\n", lines)[:lines]]
    return "\n".join([*shown, "...", ""]) if len(text) > 200 else text


CRASHES = {  # the address sanitizer's names of crashes, and their meaning
    "SEGV": "an address that is none was read or written",
    "ABRT": "the standard library stopped the program: an index past the end?",
    "FPE": "a whole number was divided by 0",
    "stack-overflow": "a recursion without end",
    "stack-use-after-return": "a variable was used after its function had ended: does a closure capture by reference ([&])?",
    "stack-use-after-scope": "a variable was used after its block had ended: does a closure capture by reference ([&])?",
    "heap-use-after-free": "memory was used after it was given back",
    "heap-buffer-overflow": "an index below 0 or past the end",
    "stack-buffer-overflow": "an index below 0 or past the end of an array",
    "global-buffer-overflow": "an index below 0 or past the end of an array",
}


def place_of_crash(report, answer):
    """Two lines from a report: the kind of crash, and the innermost line of the answer in the call stack."""
    kind = re.search(r"ERROR: AddressSanitizer: (\S+)(?: on unknown address 0x(\w+))?", report)
    home = pathlib.Path(answer)
    places = re.findall(r"^ +#\d+ .*? (/\S+?):(\d+)(?::\d+)?$", report, re.M)
    own = [(pathlib.Path(file), int(line)) for file, line in places if home in (pathlib.Path(file), *pathlib.Path(file).parents)]
    if not kind or not own:
        return ""
    happened = CRASHES.get(kind[1], kind[1])
    if kind[1] == "SEGV" and kind[2] and int(kind[2], 16) < 4096:
        happened = "a null pointer was followed"
    file, line = own[0]
    code = file.read_text(errors="backslashreplace").splitlines()[line - 1].strip()
    where = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
    return f"the address sanitizer says: {happened} ({kind[1]})\n    {where}:{line}: {code}\n"


def flags_of_answers(exercise):
    """The flags with which a check's answers must be compiled, from the check's first line:
    `// flags of answers: -fFLAG`."""
    named = exercise.kind != "predict" and re.match(r"// flags of answers: (.*)", exercise.checker.read_text())
    return tuple(named[1].split()) if named else ()


def program_lines(build, chapter, folder, *arguments, env=None):
    """The lines that a chapter's program prints; its figures go to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield from lines_of(pathlib.Path(build) / "tutorials" / chapter.program, str(folder), *arguments, env=env)
    except Ended as ended:
        raise Trouble(f"chapter {chapter.number}: {ended}") from None


def run_program(build, chapter, folder, env=None):
    """The whole output of a chapter's program; its figures go to `folder`."""
    return "".join(program_lines(build, chapter, folder, env=env))
