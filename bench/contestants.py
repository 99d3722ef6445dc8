"""The programs that `versus step` compares. turn(steps) makes steps and returns best_ms, median_ms, perhaps
peak_rss_mib, and the settings of the run."""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

from measuring import CORES, HERE, commit_of, fail, last_object, run, say

PYTHONS = ("python3", "/usr/bin/python3")  # interpreters that may have torch
TRIAL = 8  # steps to choose a contestant's number of threads
TURN_SECONDS = 6  # a turn makes fewer steps, but at least one, if they would take longer
HOW_TO_MAKE = (
    "tools/clean_root.sh --release trixie FOLDER sh -c 'apt-get update && "
    "apt-get install -y --no-install-recommends python3-torch python3-dev python3-setuptools libtorch-dev g++ libopenblas0-pthread'"
)


class Stopped(Exception):
    """A contestant ended before its time; the text is the end of its standard error."""


def reason_in(errors, code):
    """The last line of a standard error that names an error, or the last one of all."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"(\w+\.)*\w*(Error|error|Exception)\b", line)]
    return (named or lines or [f"it ended with {code}"])[-1]


class Started:
    """A program that is started again for each turn, and makes `warmup` steps that do not count."""

    def __init__(self, *command):
        self.command = command

    def turn(self, steps):
        warmup = max(2, steps // 10)
        return last_object(run(*self.command, f"--steps={steps}", f"--warmup={warmup}", "--json"))

    def close(self):
        pass


class Server:
    """A program that stays, so that it loads and compiles once. It reads a number of steps in a line, makes them, and prints
    a JSON object; between its turns it waits for the next line."""

    def __init__(self, command, **variables):
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True, env={**os.environ, **variables})  # fmt: skip

    def turn(self, steps):
        try:
            print(steps, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass  # its end is seen below
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        self.errors.seek(0)
        said = self.errors.read()
        self.close()
        raise Stopped(reason_in(said, self.process.returncode))

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        self.process.wait()
        self.errors.close()


def fastest(candidates, start):
    """The server with the fastest step of a trial, out of start(candidate) for each candidate."""
    best, best_ms = None, None
    for candidate in candidates:
        server = start(candidate)
        try:
            ms = server.turn(TRIAL)["best_ms"]
        except Stopped:
            if best:
                best.close()
            raise
        if best is None or ms < best_ms:
            server, best, best_ms = best, server, ms
        if server:
            server.close()
    return best


def numbers_of_threads():
    """1, 2, 4 and so on up to the number of cores, and that number."""
    return sorted({CORES, *(2**i for i in range(CORES.bit_length()) if 2**i <= CORES)})


class Torch:
    """PyTorch of a Python on this system, or of the Debian in the folder `root`."""

    # The command gets a mount namespace of its own, so that all mounts disappear when it ends, however it ends.
    ENTER = ('mount --bind "$1" "$0/mnt" && mount -t proc proc "$0/proc" && mount -t sysfs sysfs "$0/sys" && '
             'mount -t tmpfs tmpfs "$0/dev/shm" && shift && exec chroot "$0" /usr/bin/env -i "$@"')  # fmt: skip

    def __init__(self, python, root=None):
        self.python, self.root = python, root
        done = subprocess.run(self.command("about.py"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.about = last_object(done.stdout) if done.returncode == 0 else None
        self.error = reason_in(done.stderr, done.returncode)

    def command(self, script, *arguments):
        settings = {"PYTHONDONTWRITEBYTECODE": "1"}
        if not self.root:
            own = str(HERE / "peers" / script)
            return ["env", *(f"{k}={v}" for k, v in settings.items()), self.python, own, *arguments]
        settings.update(PATH="/usr/sbin:/usr/bin:/sbin:/bin", HOME="/root", LANG="C.UTF-8")
        chosen = ("OMP_", "GOMP_", "OPENBLAS_", "TORCH")
        settings.update({name: value for name, value in os.environ.items() if name.startswith(chosen)})
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", self.ENTER, str(self.root),
                str(HERE / "peers"), *(f"{k}={v}" for k, v in settings.items()), self.python, f"/mnt/{script}", *arguments]  # fmt: skip

    def describe(self):
        blas = self.about["blas"] or "an unknown BLAS"
        compiler = f", {self.about['compiler']}" if self.can_compile() else ""
        return f"PyTorch {self.about['torch']} with {blas}{compiler}; {self.about['system']}"

    def can_compile(self):
        return bool(self.about["compiler"]) and int(self.about["torch"].split(".")[0]) >= 2

    def start(self, work, how, setting):
        return Server(self.command("train_step.py", *work, *how, f"--seconds={TURN_SECONDS}", "--warmup=3", "--serve",
                                   f"--setting={setting}"))  # fmt: skip


def torch_of(root):
    """The PyTorch to compare with: in the folder `root` if one is given; otherwise a Python that has it, or None."""
    if root:
        made = f"(make one: {HOW_TO_MAKE})"
        if not (root / "etc" / "debian_version").exists():
            fail(f"--root must be a folder with a Debian that has PyTorch, got {root} {made}", 2)
        if os.geteuid() != 0:
            fail("--root needs the rights of root, to use chroot (run it as root, or leave --root out)", 2)
        torch = Torch("/usr/bin/python3", root.resolve())
        if not torch.about:
            fail(f"--root must be a folder with a Debian that has PyTorch, got {root}: {torch.error} {made}", 2)
        return torch
    chosen = os.environ.get("PYTHON")
    for python in [chosen] if chosen else PYTHONS:
        torch = Torch(python)
        if torch.about:
            return torch
        if chosen:
            fail(f"PYTHON must be a Python that has torch, got {chosen}: {torch.error} (give another, or leave PYTHON out)", 2)
    say("versus: no Python with torch (Debian: apt-get install python3-torch; any other: PYTHON=/path/to/python; a Debian in a "
        "folder: --root FOLDER): without PyTorch")  # fmt: skip
    return None


class LlmC:
    """llm.c's training step on the CPU, compiled from its sources in `folder` by peers/llmc_step.c."""

    def __init__(self, folder, made):
        where = "(clone https://github.com/karpathy/llm.c and give its folder)"
        if not (folder / "train_gpt2.c").exists():
            fail(f"--llmc must be the folder of llm.c, with its train_gpt2.c, got {folder} {where}", 2)
        self.program, self.weights = pathlib.Path(made, "llmc_step"), pathlib.Path(made, "weights.bin")
        self.commit = commit_of(folder)
        compiler = os.environ.get("CC", "cc")
        if not shutil.which(compiler):
            fail(f"--llmc needs a compiler for C, got {compiler}, which is not there (set CC)", 2)
        # The flags of llm.c's Makefile for gcc.
        command = [compiler, "-Ofast", "-march=native", "-fopenmp", "-DOMP", "-w", f"-I{folder}",
                   HERE / "peers" / "llmc_step.c", "-o", self.program, "-lm"]  # fmt: skip
        if platform.machine() in ("arm64", "ppc64le"):
            command.remove("-march=native")
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            say(done.stderr.strip())
            fail(f"llm.c in {folder} does not compile with {compiler} (try another version of llm.c, or another compiler: CC)")
        self.compiler = run(compiler, "--version").splitlines()[0]

    def describe(self):
        return f"llm.c{self.commit}, compiled by {self.compiler}"

    def start(self, values, threads):
        return Server([self.program, self.weights, *values, TURN_SECONDS], OMP_NUM_THREADS=str(threads))
