"""Follows one of the pages "Adding an op", "Adding a layer" and so on (docs/architecture.md, and tutorials/AUTHORS.md for a
chapter): applies tests/adding/NAME.patch, which changes the places that the page lists, to a copy of the sources. Then it
builds the addition and tries it. Only the sources in the patch are compiled; the rest comes from the libraries in BUILD.

usage: run.py op|layer|command|chapter ROOT BUILD
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

COPIED = ("autograd", "cli", "docs", "gradus", "nn", "tests", "tools", "tutorials")


def run(*command, folder):
    outside = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)}  # git apply would use the repository's files
    ended = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, env=outside)
    if ended.returncode:
        sys.exit(f"FAIL {' '.join(map(str, command))[:200]}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


class Copy:
    """A copy of the sources with patches applied."""

    def __init__(self, name, patches, root, build):
        self.root, self.build, self.folder, self.touched = root, build, build / "adding" / name, []
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in COPIED:
            shutil.copytree(root / part, self.folder / part, ignore=shutil.ignore_patterns("golden", "corpus", "__pycache__"))
        for patch in (root / "tests/adding" / f"{each}.patch" for each in patches):
            run("git", "apply", patch, folder=self.folder)
            touched = re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M)
            print(f"ok   {patch.name} applies, to {len(touched)} files: {', '.join(touched)}")
            self.touched += touched

    def checks(self, *script):
        """Runs one of the project's own checks on the copy."""
        run(sys.executable, *script, folder=self.folder)
        print(f"ok   {script[0]} passes")

    def lists_sources(self, *lists):
        """Checks that every changed source is in a list of sources."""
        listed = "".join((self.folder / each).read_text() for each in lists)
        missing = [file for file in self.sources() if f"{pathlib.PurePath(file).name}'" not in listed]
        if missing:
            sys.exit(f"FAIL {', '.join(missing)}: in none of {', '.join(lists)}")

    def sources(self):
        return [file for file in self.touched if file.endswith(".cpp")]

    def compiled(self, like, sources):
        """Compiles sources with the build's flags for the object `like`, without optimisation. Returns the compiler with its
        flags, and the objects."""
        commands = json.loads((self.build / "compile_commands.json").read_text())
        command = next(shlex.split(entry["command"]) for entry in commands if entry["output"].endswith(like))
        first = next(i for i, word in enumerate(command) if word.startswith("-"))
        kept = [word for word in command if re.match("-(std|m|f(?!diag)|D|isystem|pthread)", word)]
        objects = []
        for file in sources:
            objects.append(file.replace("/", "_") + ".o")
            run(*command[:first], *kept, "-I.", "-c", file, "-o", objects[-1], folder=self.folder)
        return [*command[:first], *kept], objects

    def program(self, like, *more, libraries):
        """Compiles the changed sources, and more sources, and links them with these libraries of the build."""
        compiler, objects = self.compiled(like, [*self.sources(), *more])
        built = [(self.build / library).resolve() for library in libraries]
        run(*compiler, *objects, *built, "-lopenblas", "-o", "program", folder=self.folder)
        return self.folder / "program"

    def gradus(self):
        """Builds the command from all of its sources, because all include a changed file. Several are compiled at a time, as in
        the build."""
        listed = (self.folder / "cli/meson.build").read_text().split("program_sources")[0]
        sources = [f"cli/{file}" for file in re.findall(r"'([\w/]+\.cpp)'", listed) if file != "program/machine.cpp"]
        pieces = []
        for first in range(0, len(sources), 16):
            pieces.append(f"piece{len(pieces)}.cpp")
            (self.folder / pieces[-1]).write_text("".join(f'#include "{file}"\n' for file in sources[first:first + 16]))
        others = [file for file in self.sources() if not file.startswith("cli/")]
        _, objects = self.compiled("gradus.p/meson-generated_gradus-unity0.cpp.o", pieces + others)
        link = shlex.split(run("ninja", "-t", "commands", "gradus", folder=self.build).splitlines()[-1])
        kept = [word for word in link if not re.match(r"gradus\.p/.*\.o$", word)]
        place = kept.index("-o")
        kept[place + 1] = self.folder / "program"
        # An object of a library holds several sources, and one of them may be here too: the linker takes the first.
        kept[place:place] = ["-Wl,--allow-multiple-definition", *(self.folder / each for each in objects)]
        run(*kept, folder=self.build)
        return self.folder / "program"

    def passes(self, program, cases):
        """Runs the tests of these cases; at least one must exist."""
        said = run(program, f"--test-case={cases}", folder=self.folder)
        number = int(re.search(r"test cases:\s+(\d+)", said)[1])
        if not number:
            sys.exit(f"FAIL no test is called {cases}\n{said}")
        print(f"ok   {number} tests of {cases} pass")


IN_DOUBLE = "kernel_tests_double.a.p/main.cpp.o"  # where gradients can be compared with finite differences


def op(copy):
    copy.checks("tests/docs/all_ops_test.py", ".")
    copy.checks("tools/check_core.py")
    copy.lists_sources("autograd/meson.build", "tests/meson.build")
    copy.passes(copy.program(IN_DOUBLE, "tests/main.cpp", libraries=["libgradus_engine_double.a"]), "softsign*,undefined*")


def layer(copy):
    copy.checks("tools/check_core.py")
    copy.lists_sources("nn/meson.build", "tests/meson.build")
    libraries = ["libgradus_double.a", "libgradus_engine_double.a"]
    copy.passes(copy.program(IN_DOUBLE, "tests/main.cpp", libraries=libraries), "highway*,undefined*")


def command(copy):
    """Tries a flag and a kind of model in one program, because most of cli/ includes the files that both change."""
    copy.lists_sources("cli/meson.build", "nn/meson.build")
    gradus = copy.gradus()

    def call(*arguments, says="", refused=False):
        ended = subprocess.run([gradus, *arguments], cwd=copy.folder, capture_output=True, text=True,
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
        if ended.returncode != (2 if refused else 0) or says not in ended.stdout + ended.stderr:
            sys.exit(f"FAIL gradus {' '.join(arguments)}: exit {ended.returncode}\n{ended.stdout}{ended.stderr}")
        print(f"ok   gradus {' '.join(arguments)}")
        return ended

    tiny = "--n_layer=1 --n_head=1 --n_embd=8 --block_size=16 --batch_size=2 --tokenizer=char --max_iters=1 --eval_iters=1".split()
    written = call("train", *tiny, "--sample_tokens=7", "--out_dir=few").stdout
    if not 1 <= len(written.strip("\n")) <= 7:
        sys.exit(f"FAIL --sample_tokens=7 writes {written!r}")
    resumed = call("train", "--init_from=resume", "--out_dir=few", "--max_iters=2").stdout
    if not 1 <= len(resumed.strip("\n")) <= 7:
        sys.exit(f"FAIL --sample_tokens=7 is lost when the run resumes, which writes {resumed!r}")
    call("train", "--flag-names", says="\n--sample_tokens\n")
    call("train", "--sample_tokens=7", "--model=bert", "--dry_run", says="--sample_tokens: has no effect on --model=bert", refused=True)

    steps = ["--model=bigram", "--eval_iters=1", "--eval_interval=5", "--lr_decay_iters=20"]
    call("train", *steps, "--max_iters=20", says="bigram of 3.72 k parameters")
    call("train", *steps, "--max_iters=10", "--out_dir=half")
    call("train", "--init_from=resume", "--out_dir=half", "--max_iters=20", says="max_iters from 10 to 20")
    models = [(copy.folder / folder / "last/model.safetensors").read_bytes() for folder in ("out-bigram", "half")]
    if models[0] != models[1]:
        sys.exit("FAIL a resumed bigram is another than one that was trained at once")
    call("info", says='"kind": "bigram"')
    call("train", "--model=bigram", "--patch=3", "--dry_run", says="--patch: only for --model=vit", refused=True)


def chapter(copy):
    """Configures a chapter with the course's own list of programs, and checks it with the course's own command."""
    shutil.copytree(copy.root / "nn/data/corpus", copy.folder / "nn/data/corpus")
    for file in ("meson.build", "meson_options.txt"):
        shutil.copy(copy.root / file, copy.folder)
    options = {each["name"]: each["value"] for each in json.loads((copy.build / "meson-info/intro-buildoptions.json").read_text())}
    native = str(options["native"]).lower()
    run("meson", "setup", "build", "-Dcourse=true", f"-Dnative={native}", f"-Dbuildtype={options['buildtype']}", folder=copy.folder)
    built = copy.folder / "build"
    for library in ("libgradus_engine.a", "tutorials/libplot.a"):  # the patch changes no source of theirs
        for name in (library, f"{library}.p"):
            shutil.rmtree(built / name, ignore_errors=True)
            (built / name).symlink_to(copy.build / name)
    for command in run("ninja", "-t", "commands", "tutorials/moving_averages", folder=built).splitlines():
        if "tutorials/moving_averages" in command:
            run("sh", "-c", command, folder=built)
    said = run(sys.executable, "tutorials/course", "build", "check", "25", folder=copy.folder)
    print("\n".join(line for line in said.splitlines() if "25" in line or "passed" in line))


# The function that tries each addition, and the patches that change the places of its page.
WHAT = {"op": (op, ["op"]), "layer": (layer, ["layer"]), "command": (command, ["flag", "kind"]), "chapter": (chapter, ["chapter"])}


def main():
    name, root, build = sys.argv[1:]
    try_it, patches = WHAT[name]
    copy = Copy(name, patches, pathlib.Path(root), pathlib.Path(build).resolve())
    try_it(copy)
    shutil.rmtree(copy.folder)


if __name__ == "__main__":
    main()
