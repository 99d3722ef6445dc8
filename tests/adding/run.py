"""Follows one of the pages "Adding an op", "Adding a layer" and so on (docs/architecture.md, and tutorials/AUTHORS.md for a
chapter): applies tests/adding/NAME.patch to a copy of the sources, after a check that the page names all places that the patch
changes. Then it builds the addition and tries it. Only the sources in the patch are compiled; the rest comes from the libraries
in BUILD.

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

# The sections that each patch follows: the page, the title, and the folder of the files that the section names without one.
ARCHITECTURE, AUTHORS = "docs/architecture.md", "tutorials/AUTHORS.md"
SECTIONS = {
    "op": [(ARCHITECTURE, "Adding an op", "")],
    "layer": [(ARCHITECTURE, "Adding a layer", "")],
    "flag": [(ARCHITECTURE, "Adding a flag", "")],
    "kind": [(ARCHITECTURE, "Adding a kind of model", "")],
    "chapter": [
        (AUTHORS, "The files of a new chapter", "tutorials/NN_name/"),
        (AUTHORS, "Exercises", "tutorials/NN_name/exercises/NAME/"),
    ],
}
COPIED = ("autograd", "cli", "docs", "gradus", "nn", "tests", "tools", "tutorials")


def run(*command, folder):
    outside = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)}  # git apply would use the repository's files
    ended = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, env=outside)
    if ended.returncode:
        sys.exit(f"FAIL {' '.join(map(str, command))[:200]}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def check_places(patch, changed, root):
    """Checks that the sections of a patch name each changed file {name: whether it is new}. In a name on the page, SUBJECT is the
    subject of an op, and NAME and NN are those of the addition, so such a name is one of a new file."""
    named = set()
    for page, title, folder in SECTIONS[patch]:
        section = re.search(rf"^## {title}$(.*?)(?=^## |\Z)", (root / page).read_text(), re.M | re.S)
        if not section:
            sys.exit(f'FAIL {page} has no section "{title}"')
        names = re.findall(r"`([\w./]+)`", section[1])
        named.update(names, (folder + name for name in names))
    subject = re.search(r"autograd/ops/(\w+)\.h", " ".join(changed))
    for file, is_new in changed.items():
        others = {"SUBJECT": subject[1] if subject else r"\w+"} | ({"NN_name": r"\d+_\w+", "NAME": r"\w+"} if is_new else {})
        patterns = [re.sub("|".join(others), lambda found: others[found[0]], re.escape(name)) for name in named]
        if not any(re.fullmatch(pattern, file) for pattern in patterns):
            sys.exit(f"FAIL {patch}.patch changes {file}, which the section of {SECTIONS[patch][0][0]} does not name")


class Copy:
    """A copy of the sources with patches applied."""

    def __init__(self, name, patches, root, build):
        self.root, self.build, self.folder, self.touched = root, build, build / "adding" / name, []
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in COPIED:
            shutil.copytree(root / part, self.folder / part, ignore=shutil.ignore_patterns("golden", "corpus", "__pycache__"))
        for patch in (root / "tests/adding" / f"{each}.patch" for each in patches):
            run("git", "apply", patch, folder=self.folder)
            files = re.findall(r"^--- (\S+)\n\+\+\+ b/(\S+)", patch.read_text(), re.M)
            changed = {file: old == "/dev/null" for old, file in files}
            check_places(patch.stem, changed, root)
            touched = list(changed)
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
        sources.append("cli/main.cpp")
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

    def call(*arguments, says="", refused=False, ranks=1):
        as_root = ["--allow-run-as-root"] if os.getuid() == 0 else []
        launch = ["mpirun", "--bind-to", "none", "--oversubscribe", *as_root, "-n", str(ranks)] if ranks > 1 else []
        ended = subprocess.run([*launch, gradus, *arguments], cwd=copy.folder, capture_output=True, text=True,
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
    call("predict", "--held_out", says="checkpoint     out-bigram/best")
    options = {each["name"]: each["value"] for each in json.loads((copy.build / "meson-info/intro-buildoptions.json").read_text())}
    if options["mpi"]:
        call("train", *steps, "--max_iters=2", "--out_dir=shared", says="ranks       2, each with", ranks=2)
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
    said = run(sys.executable, "tutorials/course", "build", "check", "27", folder=copy.folder)
    print("\n".join(line for line in said.splitlines() if "27" in line or "passed" in line))


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
