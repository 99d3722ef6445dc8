"""Follows one of the pages "Adding an op", "Adding a layer" and so on (docs/architecture.md): applies tests/adding/NAME.patch,
which touches what the page lists, to a copy of the sources, and builds and tries what it adds. Only the sources in the patch are
compiled; the rest comes from the libraries in BUILD.

usage: run.py NAME ROOT BUILD
"""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

COPIED = ("autograd", "cli", "docs", "gradus", "nn", "tests", "tools")


def run(*command, folder):
    ended = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    if ended.returncode:
        sys.exit(f"FAIL {' '.join(map(str, command))[:200]}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


class Copy:
    """A copy of the sources in which a patch is applied."""

    def __init__(self, name, root, build):
        self.build, self.folder = build, build / "adding" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in COPIED:
            shutil.copytree(root / part, self.folder / part, ignore=shutil.ignore_patterns("golden", "corpus", "__pycache__"))
        patch = root / "tests/adding" / f"{name}.patch"
        run("patch", "--strip=1", "--no-backup-if-mismatch", "--input", patch, folder=self.folder)
        self.touched = re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M)
        print(f"ok   the patch applies, to {len(self.touched)} files: {', '.join(self.touched)}")

    def checks(self, *script):
        """Runs one of the project's own checks on the copy."""
        run(sys.executable, *script, folder=self.folder)
        print(f"ok   {script[0]} passes")

    def lists_sources(self, *lists):
        """Checks that every source that was touched is in a list of sources."""
        listed = "".join((self.folder / each).read_text() for each in lists)
        missing = [file for file in self.sources() if f"{pathlib.PurePath(file).name}'" not in listed]
        if missing:
            sys.exit(f"FAIL {', '.join(missing)}: in none of {', '.join(lists)}")

    def sources(self):
        return [file for file in self.touched if file.endswith(".cpp")]

    def program(self, like, *more, libraries):
        """Compiles what was touched, and more sources, with the flags that the build has for the object `like`, but for
        optimisation, and links it with these libraries of the build."""
        commands = json.loads((self.build / "compile_commands.json").read_text())
        command = next(shlex.split(entry["command"]) for entry in commands if entry["output"].endswith(like))
        first = next(i for i, word in enumerate(command) if word.startswith("-"))
        kept = [word for word in command if re.match("-(std|m|f(?!diag)|D|isystem|pthread)", word)]
        objects = []
        for file in [*self.sources(), *more]:
            objects.append(file.replace("/", "_") + ".o")
            run(*command[:first], *kept, "-I.", "-c", file, "-o", objects[-1], folder=self.folder)
        built = [(self.build / library).resolve() for library in libraries]
        run(*command[:first], *kept, *objects, *built, "-lopenblas", "-o", "program", folder=self.folder)
        return self.folder / "program"

    def passes(self, program, cases):
        """Runs the tests of these cases, of which there must be some."""
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


def main():
    name, root, build = sys.argv[1:]
    copy = Copy(name, pathlib.Path(root), pathlib.Path(build).resolve())
    {"op": op, "layer": layer}[name](copy)
    shutil.rmtree(copy.folder)


if __name__ == "__main__":
    main()
