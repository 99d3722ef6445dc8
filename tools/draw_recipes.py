#!/usr/bin/env python3
"""Draws validation losses over training time from the log.jsonl of runs, with nanoGPT's published loss.

usage: draw_recipes.py OUT.svg LABEL=FOLDER[,FOLDER...] ...

Runs with one label, such as several seeds, have one colour. The time of an evaluation is the time of all steps before
it, if each is as long as the steps that the log has timed.
"""

import json
import pathlib
import statistics
import sys

from gnuplot import draw

PUBLISHED = 1.4697  # README of nanoGPT: train_shakespeare_char.py on one A100, "best validation loss"
COLOURS = ("#d9742b", "#2f6fb0", "#2e8b57", "#8f4fb0")
DRAWING = """
set terminal svg size 600,360 font 'sans-serif,14'
set output '{out}'
set border 3
set tics nomirror
set grid lc rgb '#808080' lw 0.4 lt 1
set logscale x
set xrange [0.3:1500]
set xtics ('1 s' 1, '10 s' 10, '1 min' 60, '5 min' 300, '15 min' 900)
set yrange [1.3:2.6]
set xlabel 'training time'
set ylabel 'validation loss'
set key off
set label "nanoGPT's recipe on an A100, published: {published}" at 0.4,{published} offset 0,-0.7
{labels}
{data}
plot {published} with lines dt 2 lc rgb '#808080', {curves}
"""


def points_of(folder):
    """(seconds, validation loss) of each evaluation except the first."""
    lines = [json.loads(line) for line in (pathlib.Path(folder) / "log.jsonl").read_text().splitlines()]
    milliseconds = statistics.mean(line["ms"] for line in lines if line.get("ms") and line["step"] > 0)
    return [(line["step"] * milliseconds / 1000, line["val_loss"]) for line in lines if line.get("val_loss") and line["step"] > 0]


def main():
    out, *runs = sys.argv[1:] or [""]
    if not out.endswith(".svg") or not runs or not all("=" in run for run in runs):
        sys.exit(__doc__)
    data, curves, labels = "", [], ""
    for i, run in enumerate(runs):
        label, _, folders = run.partition("=")
        for k, folder in enumerate(folders.split(",")):
            points = points_of(folder)
            print(f"{label:<16} {folder}: " + ", ".join(f"{loss:.4f} after {seconds:.0f} s" for seconds, loss in points[-1:]))
            data += f"$r{i}_{k} << END\n" + "".join(f"{x:.2f} {y:.4f}\n" for x, y in points) + "END\n"
            curves.append(f"$r{i}_{k} with linespoints lw 1.6 pt 7 ps 0.4 lc rgb '{COLOURS[i]}'")
        x, y = points[-1]
        labels += f"set label '{label}' at {x * 1.1:.2f},{y:.3f} tc rgb '{COLOURS[i]}'\n"
    drawing = DRAWING.format(out=out, published=PUBLISHED, labels=labels, data=data, curves=", ".join(curves))
    draw(drawing, out)


main()
