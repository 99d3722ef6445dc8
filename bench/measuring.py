"""Code for the scripts of this folder: running programs, tables, and a description of the machine."""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SIZE_FLAGS = ("n_layer", "n_head", "n_embd", "block_size", "batch_size", "vocab_size")
try:
    CORES = len(os.sched_getaffinity(0))
except AttributeError:  # macOS
    CORES = os.cpu_count()
SCRIPT = pathlib.Path(sys.argv[0]).name


def say(text):
    print(text, file=sys.stderr, flush=True)


def fail(text, code=1):
    say(f"{SCRIPT}: {text}")
    sys.exit(code)


def run(*command):
    """The standard output of a command; its standard error is shown only if it fails."""
    command = [str(part) for part in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        fail(f"failed with {done.returncode}: {' '.join(command)}")
    return done.stdout


def last_object(output):
    return json.loads(output.splitlines()[-1])


def flags(settings):
    return [f"--{name}={value}" for name, value in settings.items()]


def size_flags(values):
    return flags(dict(zip(SIZE_FLAGS, values)))


def existing(program):
    if not program.exists():
        fail(f"there is no {program} (./run bench {SCRIPT} builds it)")
    return program


def positive(text):
    """A positive whole number, as argparse's type."""
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a positive whole number, got {text!r} (give one such as 3)")
    return int(text)


def print_table(head, rows):
    """Columns as wide as they need be; the first one to the left."""
    table = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    for row in table:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    print(flush=True)


def describe_machine(products):
    """Two lines: the machine with the date, and gradus with its BLAS, as the program `products` names it."""
    cpu, vectors = platform.processor(), ""
    if os.path.exists("/proc/cpuinfo"):
        text = pathlib.Path("/proc/cpuinfo").read_text()
        values = lambda key: next((x.split(":")[1].strip() for x in text.splitlines() if x.startswith(key)), "")
        cpu = values("model name") or cpu
        found = values("flags").split()
        names = {"avx512_bf16": "AVX-512 with bfloat16", "avx512f": "AVX-512", "avx2": "AVX2"}
        vectors = next((f" with {name}" for flag, name in names.items() if flag in found), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    if load > 0.5:
        say(f"{SCRIPT}: the load is {load:.1f}: figures of a busy machine mean little")
    one = last_object(run(products, "--steps=1", "--warmup=0", "--json"))
    return [f"{cpu}{vectors}, {CORES} cores, {memory:.0f} GiB; {platform.system()}; {time.strftime('%d %B %Y').lstrip('0')}",
            f"gradus{commit_of(HERE)} with {one['blas']}"]  # fmt: skip


def commit_of(folder):
    """A blank and the short name of the folder's commit, with + if files differ; nothing outside of a repository."""
    done = subprocess.run(["git", "-C", folder, "describe", "--always", "--dirty=+", "--exclude=*"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # fmt: skip
    return f" {done.stdout.strip()}" if done.returncode == 0 else ""
