"""Trains the default run, and shows it everywhere: draws docs/learning.svg (README and the first page; phones show
docs/learning_narrow.svg), and writes the tale of its end to docs/tale.txt, which the first page and "Start here" include.

usage: show_default_run.py [BUILD/gradus]

Training stops after each of STEPS, writes with the weights of that step, and is resumed. That gives the same bits as one run.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import textwrap

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tutorials" / "course"))
from drawing import Drawing  # noqa: E402

STEPS = (10, 60, 200, 1200)  # the last is the default run's number of steps
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


def train(gradus, folder):
    """Trains the default run. Returns the text that the model writes after each of STEPS."""
    written = {}
    for step in STEPS:
        resume = ["--init_from=resume"] if written else []
        flags = [f"--max_iters={step}", f"--lr_decay_iters={STEPS[-1]}", f"--out_dir={folder}", *resume]
        subprocess.run([gradus, "train", *flags], check=True)
        sample = [gradus, "sample", f"--out_dir={folder}", *(["--checkpoint=last"] if step != STEPS[-1] else [])]
        written[step] = subprocess.run(sample, check=True, capture_output=True, text=True).stdout
    return written


def tale(text):
    """The first tale of the text as a quote in Markdown. Its first line is the title, and two blank lines end it."""
    title, *paragraphs = text.strip().split("\n\n\n")[0].split("\n\n")
    quoted = [f"*{title}*", *(textwrap.fill(" ".join(p.split()), 120) for p in paragraphs)]
    return textwrap.indent("\n\n".join(quoted), "> ", lambda line: True).replace("> \n", ">\n") + "\n"


def main():
    gradus = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "gradus"
    with tempfile.TemporaryDirectory() as folder:
        written = train(gradus, folder)
        log = map(json.loads, (pathlib.Path(folder) / "log.jsonl").read_text().splitlines())
        losses = [(e["step"] + 1, e["bits_per_byte"]) for e in log if "loss" in e]
    docs = ROOT / "docs"
    (docs / "tale.txt").write_text(tale(written[STEPS[-1]]))
    shown = {step: " ".join(text.split()) for step, text in written.items()}
    (docs / "learning.svg").write_text(draw("learning", losses, shown, 600, len(shown)))
    (docs / "learning_narrow.svg").write_text(draw("learning_narrow", losses, shown, 340, 2))  # for phones


if __name__ == "__main__":
    main()
