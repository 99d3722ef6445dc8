"""Draws docs/learning.svg, the picture of README and the first page: the losses of a run, and what it wrote on its way.

usage: draw_learning.py LOG.jsonl STEP=TEXT_FILE... > docs/learning.svg

For the default run, stopped and resumed at these steps:
    ./run train --max_iters=10 --lr_decay_iters=800 --out_dir=drawn; ./run sample --out_dir=drawn --checkpoint=last >10.txt
    ./run train --init_from=resume --out_dir=drawn --max_iters=60; ...
"""

import json
import math
import pathlib
import sys
import textwrap

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tutorials" / "course"))
from drawing import Drawing  # noqa: E402

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 600, 50, 590, 24, 170  # the curve's place
LETTERS, LINES = 21, 9  # of a column


def main():
    log, *marks = sys.argv[1:]
    entries = [json.loads(line) for line in open(log)]
    losses = [(e["step"] + 1, e["bits_per_byte"]) for e in entries if "loss" in e]
    most, last = losses[0][1], losses[-1][0]
    least = min(bits for _, bits in losses)

    def place(step, bits):
        x = LEFT + (RIGHT - LEFT) * math.log(step) / math.log(last)
        return x, TOP + (BOTTOM - TOP) * (most - bits) / (most - least)

    d = Drawing("learning", WIDTH, 350, f"The losses of ./run train, from {most:.2f} to {least:.2f} bits per byte over {last} "
                "steps, and what the model wrote on its way: single letters, then words, then sentences of a fable.")  # fmt: skip
    d.text(LEFT - 8, TOP, f"{most:.2f}", 11, "end")
    d.text(LEFT - 8, BOTTOM, f"{least:.2f}", 11, "end")
    d.text(LEFT + 4, TOP - 12, "bits per byte of each batch, over the steps (as logarithms)", 11, "start")
    points = [place(*loss) for loss in losses]
    d.parts.append(
        '<polyline fill="none" stroke="#0072B2" stroke-width="2" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>'
    )
    column = (WIDTH - 10) / len(marks)
    for i, mark in enumerate(marks):
        step, file = mark.split("=")
        x, y = min(points, key=lambda p: abs(p[0] - place(int(step), most)[0]))
        middle = 10 + (i + 0.5) * column
        d.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#D55E00"/>')
        d.parts.append(
            f'<polyline fill="none" stroke="#808080" stroke-width="1" stroke-dasharray="3 3" points="{x:.1f},{y + 5:.1f} {middle:.1f},192"/>'
        )
        d.text(middle, 202, f"after {step} steps", 12, bold=True)
        written = " ".join(pathlib.Path(file).read_text().split())
        lines = textwrap.wrap(written, LETTERS)[:LINES]
        d.text(middle - column / 2 + 6, 222 + (len(lines) - 1) * 6.9, "\n".join(lines), 11, "start", mono=True)
    print(d.svg(), end="")


main()
