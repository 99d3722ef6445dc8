"""Draws docs/learning.svg, the picture of README and the first page: the losses of a run, and texts that its model wrote
during training. Phones show docs/learning_narrow.svg.

usage: draw_learning.py LOG.jsonl STEP=TEXT_FILE...

For the default run, stopped and resumed at these steps:
    ./run train --max_iters=10 --lr_decay_iters=1200 --out_dir=drawn; ./run sample --out_dir=drawn --checkpoint=last >10.txt
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

LETTERS, LINES = 21, 9  # in a column


def draw(name, losses, written, width, columns):
    """`losses`: (step, bits) in order; `written`: the model's text for each marked step. Draws the curve, and below it the
    texts in `columns` columns."""
    left, right, top, bottom = 50, width - 10, 24, 170  # the curve's place
    most, least, last = losses[0][1], min(bits for _, bits in losses), losses[-1][0]

    def place(step, bits):
        return left + (right - left) * math.log(step) / math.log(last), top + (bottom - top) * (most - bits) / (most - least)

    rows = math.ceil(len(written) / columns)
    d = Drawing(name, width, 190 + 160 * rows, f"The losses of ./run train, from {most:.2f} to {least:.2f} bits per byte over {last} "
                "steps, and what the model wrote on its way: words in no order, then phrases, then sentences of a tale.",
                for_phones=rows > 1)  # fmt: skip
    d.text(left - 8, top, f"{most:.2f}", 11, "end")
    d.text(left - 8, bottom, f"{least:.2f}", 11, "end")
    d.text(left + 4, top - 12, "bits per byte" + " of each batch" * (rows == 1) + ", over the steps (as logarithms)", 11, "start")
    points = [place(*loss) for loss in losses]
    d.parts.append(
        '<polyline fill="none" stroke="#0072B2" stroke-width="2" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>'
    )
    column = (width - 10) / columns
    for i, (step, text) in enumerate(written.items()):
        x, y = min(points, key=lambda p: abs(p[0] - place(step, most)[0]))
        middle, down = 10 + (i % columns + 0.5) * column, 160 * (i // columns)
        d.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#D55E00"/>')
        if rows == 1:
            d.parts.append(
                f'<polyline fill="none" stroke="#808080" stroke-width="1" stroke-dasharray="3 3" points="{x:.1f},{y + 5:.1f} {middle:.1f},192"/>'
            )
        d.text(middle, 202 + down, f"after {step} steps", 12, bold=True)
        lines = textwrap.wrap(text, LETTERS)[:LINES]
        d.text(middle - column / 2 + 6, 222 + down + (len(lines) - 1) * 6.9, "\n".join(lines), 11, "start", mono=True)
    return d.svg()


def main():
    log, *marks = sys.argv[1:]
    losses = [(e["step"] + 1, e["bits_per_byte"]) for e in map(json.loads, open(log)) if "loss" in e]
    written = {int(step): " ".join(pathlib.Path(file).read_text().split()) for step, file in (mark.split("=") for mark in marks)}
    docs = pathlib.Path(__file__).parent.parent / "docs"
    (docs / "learning.svg").write_text(draw("learning", losses, written, 600, len(written)))
    (docs / "learning_narrow.svg").write_text(draw("learning_narrow", losses, written, 340, 2))  # for phones


if __name__ == "__main__":
    main()
