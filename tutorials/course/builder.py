"""Compiles and runs: programs of chapters, and answers to exercises."""

import functools
import json
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile

from chapters import Trouble


class Builder:
    """Compiles answers with the flags of the build, against its library."""

    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        self.folder = tempfile.TemporaryDirectory()
        self.parsed = {}  # chapter: its exercises.h, precompiled
        commands = json.loads((self.build / "compile_commands.json").read_text())
        in_float = [c for c in commands if "-DGRADUS_DOUBLE" not in c["command"]]
        words = shlex.split(next(c for c in in_float if c["file"].endswith("common/plot.cpp"))["command"])
        if pathlib.Path(words[0]).name in ("ccache", "sccache"):
            words = words[1:]  # Meson puts it before the compiler where it is installed
        self.compiler, skip = words[:1], False
        self.flags = ["-D_GLIBCXX_ASSERTIONS"]  # an index past a vector's end is caught, and named
        for word in words[1:]:
            if skip:
                skip = False
            elif word in ("-o", "-c", "-MF", "-MQ"):
                skip = True
            elif word not in ("-MD", "-MMD", "-Werror") and not word.endswith("plot.cpp"):
                self.flags.append("-O0" if re.match(r"-O\d", word) else word)
        self.archives = [str(self.build / f"lib{name}.a") for name in ("gradus", "gradus_engine")]
        self.libraries = subprocess.run(
            ["pkg-config", "--libs", "openblas", "libpcre2-8", "libutf8proc", "zlib"], capture_output=True, text=True
        ).stdout.split()

    def run_compiler(self, *arguments):
        """With the build's flags; what it complains of is Trouble."""
        # A starter does not use its arguments yet.
        command = [*self.compiler, *self.flags, "-Wno-unused-parameter", *map(str, arguments)]
        run = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if run.returncode != 0:
            raise Trouble(f"does not compile:\n{run.stderr}")

    def precompile(self, chapter):
        """Parses exercises.h once for all wrong answers of a chapter: each then compiles in a quarter of the time."""
        header = pathlib.Path(self.folder.name) / f"{chapter.number}.h"
        header.write_text(f'#include "{chapter.folder / "exercises.h"}"\n')
        self.run_compiler("-x", "c++-header", header, "-o", f"{header}.gch")
        self.parsed[chapter] = ("-include", str(header))

    @functools.cache
    def compile(self, source, extra=()):
        """The object file of a source."""
        out = pathlib.Path(self.folder.name) / (re.sub(r"\W", "_", str(source)) + ".o")
        self.run_compiler(*extra, "-c", source, "-o", out)
        return str(out)

    def check(self, exercise, answer):
        """Whether the answer passes, and what the check said."""
        checker = self.compile(exercise.checker)
        made = self.compile(answer, self.parsed.get(exercise.chapter, ()) if answer in exercise.wrong else ())
        program = made.removesuffix(".o")
        link = subprocess.run(
            [*self.compiler, checker, made, *self.archives, *self.libraries, "-pthread", "-o", program],
            capture_output=True, text=True,
        )  # fmt: skip
        if link.returncode != 0:
            raise Trouble(f"does not link:\n{link.stderr}")
        run = subprocess.run([program], capture_output=True, text=True, timeout=60)
        said = run.stdout + run.stderr
        if run.returncode < 0:
            said += (
                f"RED    the program was ended by {signal.Signals(-run.returncode).name}\n"
                "likely cause: an index below 0 or past the end, or sizes that changed places\n"
            )
        return run.returncode == 0, said


def program_lines(build, chapter, folder):
    """What a chapter's program prints, a line as soon as it is there; its figures go to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    program = pathlib.Path(build) / "tutorials" / chapter.program
    with tempfile.TemporaryFile("w+") as complaints:
        run = subprocess.Popen([str(program), str(folder)], stdout=subprocess.PIPE, stderr=complaints, text=True)
        yield from run.stdout
        if run.wait() != 0:
            complaints.seek(0)
            raise Trouble(f"the program of chapter {chapter.number} ended with {run.returncode}:\n{complaints.read()}")


def run_program(build, chapter, folder):
    """All that a chapter's program prints; its figures go to `folder`."""
    return "".join(program_lines(build, chapter, folder))
