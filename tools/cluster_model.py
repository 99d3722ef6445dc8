#!/usr/bin/env python3
"""A model of the time of a step on several machines, checked on this one. docs/cluster.md shows its tables and drawing.

sums GRADUS TEXT   times sums between two ranks of this machine, through shared memory and TCP over loopback, and fits a
                   latency and a bandwidth to both
steps GRADUS TEXT --latency MS --bandwidth GB/S
                   predicts steps over loopback from the results of sums, and measures them
ranks GRADUS TEXT  times one process with two threads and two ranks with one each, in turn; needs two idle cores
next               prints the estimated gain of a sharded optimiser and of a pipeline at GPT-2's size
draw               prints the efficiency of 2 to 64 machines at GPT-2's size, and draws it (--out FILE.svg)

TEXT has about 65 different characters, like tinyshakespeare. GRADUS is built with -Dmpi=true.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import gnuplot

SIZE_FLAGS = ("n_layer", "n_head", "n_embd", "block_size", "batch_size")
SUMS = [(2, 2, n, 8, 2) for n in (16, 32, 64, 128, 256, 512)] + [(4, 8, 768, 8, 2)]
STEPS = {"tiny": (4, 4, 128, 64, 12), "small": (6, 6, 384, 256, 16), "GPT-2's blocks": (12, 12, 768, 64, 4)}
SHARED = STEPS | {"GPT-2's blocks, 2 x 1,024 tokens": (12, 12, 768, 1024, 2)}

# GPT-2 small: its parameters, and the measurements in docs/cluster.md.
PARAMETERS = 124_439_808
BATCH_TOKENS = 256  # 4 texts of 64 tokens
STEP_SECONDS = 1.131  # a step of GPT-2 with such a batch on one machine: docs/performance.md
UPDATE_SECONDS = 0.049 * PARAMETERS / 85e6  # gradient norm and AdamW, scaled from GPT-2's blocks, measured with --profile
COPY_RATE = 3.31e9  # bytes a second of a sum through shared memory, without a network line
# Assumed, because no such lines were available: the usable share of a line's bytes, and the time until a message
# arrives.
USABLE, LATENCY, PIECE = 0.9, 30e-6, 1 << 18
LINES = (1, 10, 100)  # Gb/s
MACHINES = (2, 4, 8, 16, 32, 64)
BATCHES = (1, 32)


def entries(log):
    return [json.loads(line) for line in open(log) if line.endswith("\n")] if os.path.exists(log) else []


def train(gradus, text, values, ranks, transport, steps, profile=False):
    """The last output of a training, under a profile, and the times of its steps in ms, without the first two."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        flags = [f"--{name}={value}" for name, value in zip(SIZE_FLAGS, values)]
        flags += ["--eval_interval=100000", "--eval_iters=1", "--log_interval=1", "--dropout=0", "--yes", "--out_dir", folder]
        flags += [f"--max_iters={steps}", "--profile"] if profile else ["--max_iters=100000"]
        start = ["mpirun", "--bind-to", "none", "--oversubscribe", "--mca", "btl", f"{transport},self",
                 "-n", str(ranks)] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])  # fmt: skip
        command = [*(start if ranks > 1 else []), gradus, "train", "--text", text, *flags]
        with open(folder + "/said", "w+") as said:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
            log = folder + "/log.jsonl"
            while process.poll() is None and (profile or sum("ms" in entry for entry in entries(log)) < steps):
                time.sleep(0.05)
            times = [entry["ms"] for entry in entries(log) if "ms" in entry]
            process.terminate()  # no need to wait until it saves its model
            process.wait()
            said.seek(0)
            told = said.read()
        if len(times) < steps:
            sys.exit(f"{told}cluster_model: failed: {' '.join(command)}")
        return told, times[2:]


def parameters(values):
    layers, _, n, block, _ = values
    return layers * (12 * n * n + 2 * n) + n * (65 + block) + n


def timed_sum(gradus, text, values, transport):
    """The time of a step's sum in ms, on the rank that waited less."""
    steps = 200 if values[2] <= 128 else 40 if values[2] <= 512 else 8
    told, _ = train(gradus, text, values, 2, transport, steps, True)
    return min(float(line.split()[3]) for line in re.findall(r"^  [01](?: +[0-9.]+){3}$", told, re.M))


def fitted(points):
    """The latency in ms and the ms a byte that give the least squares of relative errors."""
    a = b = c = d = e = 0.0
    for size, ms in points:
        a += 1 / ms**2
        b += size / ms**2
        c += size**2 / ms**2
        d += 1 / ms
        e += size / ms
    each = (a * e - b * d) / (a * c - b * b)
    return (d - b * each) / a, each


def row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def table(head, rows=()):
    row(head)
    print("|" + "---|" * len(head))
    for cells in rows:
        row(cells)


def time_sums(options):
    sizes = [4 * parameters(values) for values in SUMS]
    rows = [[f"{size / 1e6:.2f} MB"] for size in sizes]
    said = []
    for transport, name in (("vader", "shared memory"), ("tcp", "TCP over loopback")):
        times = [timed_sum(options.gradus, options.text, values, transport) for values in SUMS]
        latency, each = fitted(list(zip(sizes, times)))
        said.append(f"{name}: {latency:.3f} ms and {1e-6 / each:.2f} GB/s")
        for cells, size, ms in zip(rows, sizes, times):
            cells += [f"{ms:.2f}", f"{latency + each * size:.2f}"]
    table(["gradients", "shared memory, ms", "fitted", "TCP, ms", "fitted"], rows)
    print("\n" + "\n".join(said))


def time_steps(options):
    table(["", "gradients", "half a step, ms", "+ sum, ms", "predicted, ms", "measured, ms", "measured / predicted"])
    for name, values in STEPS.items():
        steps = 100 if name == "tiny" else 5
        half = (*values[:4], values[4] // 2)
        alone = statistics.median(train(options.gradus, options.text, half, 1, "", steps)[1])
        both = statistics.median(train(options.gradus, options.text, values, 2, "tcp", steps)[1])
        size = 4 * parameters(values)
        predicted = alone + options.latency + size / options.bandwidth * 1e-6
        row([name, f"{size / 1e6:.1f} MB", f"{alone:.1f}", f"{predicted - alone:.1f}", f"{predicted:.1f}", f"{both:.1f}",
             f"{both / predicted:.2f}"])  # fmt: skip


def compare_ranks(options):
    table(["", "two threads", "two ranks", "best to best"])
    for name, values in SHARED.items():
        best = {1: [], 2: []}
        for ranks in (1, 2) * 2:
            os.environ["OMP_NUM_THREADS"] = str(2 // ranks)
            steps = 100 if name == "tiny" else 5
            best[ranks].append(min(train(options.gradus, options.text, values, ranks, "vader", steps)[1]))
        row([name, *(", ".join(f"{ms:.1f}" for ms in best[ranks]) for ranks in best), f"{min(best[2]) / min(best[1]):.2f}"])


def seconds_of_sum(machines, gigabits):
    size = 4 * PARAMETERS
    exchanges = -(-PARAMETERS // (PIECE * machines))
    line = 2 * (machines - 1) / machines * size / (USABLE * gigabits * 1e9 / 8)
    return size / COPY_RATE + line + 2 * exchanges * LATENCY


def efficiency(machines, gigabits, batches):
    alone = UPDATE_SECONDS + batches * (STEP_SECONDS - UPDATE_SECONDS)
    return alone / (alone + seconds_of_sum(machines, gigabits))


def plan_next(_):
    """Estimates the gain of a sharded optimiser (ZeRO) and of a pipeline (GPipe) at GPT-2's size."""
    gb = 4e-9 * PARAMETERS
    print(f"weights, gradients and AdamW's two: {4 * gb:.2f} GB; update {1000 * UPDATE_SECONDS:.0f} ms\n")
    table(["machines", "optimiser in shares", "gradients too", "weights too", "update"],
          [[str(n), f"{(2 + 2 / n) * gb:.2f} GB", f"{(1 + 3 / n) * gb:.2f} GB", f"{4 / n * gb:.2f} GB", f"{1000 * UPDATE_SECONDS / n:.0f} ms"]
           for n in (2, 8, 64)])  # fmt: skip
    boundary = 4 * BATCH_TOKENS * 768
    print(f"\nbetween two stages, a batch and direction: {boundary / 1e6:.2f} MB\n")
    table(["stages", *(f"idle, {m} batches a step" for m in (4, 32))],
          [[str(k), *(f"{(k - 1) / (m + k - 1):.0%}" for m in (4, 32))] for k in (2, 4, 12)])  # fmt: skip


DRAWING = """
set terminal svg size 600,340 font 'sans-serif,14'
set output '{out}'
set border 3
set tics nomirror
set grid lc rgb '#808080' lw 0.4 lt 1
set logscale x 2
set xrange [1.8:256]
set xtics (2, 4, 8, 16, 32, 64)
set yrange [0:105]
set ytics 20
set format y '%g%%'
set xlabel 'machines'
set key off
set multiplot layout 1,2
{panels}
unset multiplot
"""
COLOURS = ("#d9742b", "#2f6fb0", "#2e8b57")


def draw(options):
    panels = []
    for batches in BATCHES:
        tokens = batches * BATCH_TOKENS
        shown = {line: [(n, 100 * efficiency(n, line, batches)) for n in MACHINES] for line in LINES}
        print(f"{tokens} tokens a machine and step:\n")
        table(["line", *(f"{n} machines" for n in MACHINES)],
              [[f"{line} Gb/s", *(f"{y:.0f}%" for _, y in points)] for line, points in shown.items()])  # fmt: skip
        data = "".join(f"$p{batches}_{line} << END\n" + "".join(f"{x} {y:.1f}\n" for x, y in points) + "END\n"
                       for line, points in shown.items())  # fmt: skip
        labels, below = "unset label\n", 110
        for line, points in reversed(shown.items()):
            below = min(below - 9, points[-1][1])  # keeps names apart where curves are close
            labels += f"set label '{line} Gb/s' at 72,{below:.1f}\n"
        curves = ", ".join(f"$p{batches}_{line} with linespoints lw 2 pt 7 ps 0.5 lc rgb '{colour}'" for line, colour in zip(LINES, COLOURS))
        panels.append(f"{data}{labels}set title '{tokens} tokens a machine and step'\nplot {curves}")
    if options.out:
        gnuplot.draw(DRAWING.format(out=options.out, panels="\n".join(panels)), options.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    works = parser.add_subparsers(required=True, metavar="WORK")
    for name, work in (("sums", time_sums), ("ranks", compare_ranks), ("steps", time_steps)):
        timing = works.add_parser(name)
        timing.add_argument("gradus")
        timing.add_argument("text")
        timing.set_defaults(work=work)
    timing.add_argument("--latency", type=float, required=True)
    timing.add_argument("--bandwidth", type=float, required=True)
    works.add_parser("next").set_defaults(work=plan_next)
    drawing = works.add_parser("draw")
    drawing.add_argument("--out")
    drawing.set_defaults(work=draw)
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    options.work(options)


main()
