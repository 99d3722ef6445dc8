"""Chapter 21: how an image becomes patches in memory, the vision transformer, and the gain from positions."""

import re
from pathlib import Path

from drawing import ROLES, Drawing


def drawings():
    yield axes()
    yield model()
    yield price()


def axes():
    d = Drawing(
        "patch_axes",
        580,
        300,
        "An image of 4 by 6 numbers, 0 to 23, in patches of 2 by 2. The patch with 2, 3, 8 and 9 is marked. Reshape gives"
        " the axes down 2, row 2, across 3, column 2. Permute swaps row and across, which gives six squares of 2 by 2. The"
        " second reshape joins down with across and row with column: a table of 6 rows with 4 numbers each. The marked patch is now row 1. In memory its"
        " four numbers were in two pieces, and are now in one.",
    )
    marked = (2, 3, 8, 9)
    roles = lambda numbers: ["residual" if n in marked else "plain" for n in numbers]  # noqa: E731
    rows = [list(range(6 * i, 6 * i + 6)) for i in range(4)]
    d.text(146, 18, "image [4, 6], reshaped to\n[down, row, across, column]", 12)
    x, y, cell = 108, 70, 24
    d.matrix(x, y, [[str(n) for n in r] for r in rows], cell=cell, roles=[roles(r) for r in rows])
    d.line((x, y + 2 * cell), (x + 6 * cell, y + 2 * cell), width=2.5)
    for i in range(4):
        d.text(x - 6, y + cell * i + 12, f"down {i // 2}, row {i % 2}", 11, "end")
    for i in range(6):
        d.text(x + cell * i + 12, y - 7, str(i % 2), 11)
    d.text(x - 6, y - 7, "column", 11, "end")
    d.text(x - 6, y - 22, "across", 11, "end")
    for i in range(3):
        d.text(x + cell * (2 * i + 1), y - 22, str(i), 11)
        if i > 0:
            d.line((x + 2 * cell * i, y), (x + 2 * cell * i, y + 4 * cell), width=2.5)
    d.arrow((256, y + 2 * cell), (271, y + 2 * cell))
    first = [12 * down + 2 * across for down in (0, 1) for across in (0, 1, 2)]
    patches = [[n, n + 1, n + 6, n + 7] for n in first]
    d.text(356, 18, "permuted to\n[down, across, row, column]", 12)
    for i, p in enumerate(patches):
        two = [p[:2], p[2:]]
        d.matrix(274 + i % 3 * 56, 66 + i // 3 * 56, [[str(n) for n in r] for r in two], cell=23,
                 roles=[roles(r) for r in two])  # fmt: skip
    d.arrow((442, y + 2 * cell), (462, y + 2 * cell))
    cells = [[str(n) for n in p] for p in patches]
    d.text(530, 18, "reshaped to\n[N, P²]", 12)
    d.matrix(484, 48, cells, cell=23, rows=[str(i) for i in range(6)], roles=[roles(p) for p in patches])
    for y, name, order in ((222, "in memory before", sum(rows, [])), (270, "and after", sum(patches, []))):
        d.text(14, y - 11, name, 13, "start")
        d.matrix(14, y, [[str(n) for n in order]], cell=23, size=11, roles=[roles(order)])
    return d


def model():
    d = Drawing(
        "vision_model",
        580,
        430,
        "From bottom to top: an image is cut into patches. One linear layer makes a vector of each. A learned class token is"
        " put before them, a learned position is added to each of the N plus 1 vectors. The residual stream goes through L"
        " blocks of attention and feed-forward network and a last norm. Of the result only the class token's vector is used:"
        " a linear layer makes ten logits of it.",
    )
    x = [76 + 90 * i for i in range(5)]
    strokes = (
        ((0, 0, 0, 0), (0, 0, 0, 0.2), (0, 0.1, 0.9, 1), (0, 0.3, 1, 0.5)),
        ((0, 0, 0, 0), (0.1, 0, 0.1, 0), (1, 1, 1, 1), (0.5, 0.4, 0.5, 0.4)),
        ((0, 0, 0, 0), (0, 0.1, 0, 0), (1, 0.9, 0.1, 0), (0.4, 0.3, 0, 0.1)),
        ((0.9, 0.3, 0, 0), (0.2, 0, 0, 0.1), (0, 0, 0.1, 0), (0, 0.1, 0, 0)),
    )  # of four patches
    names = ("class", "patch 1", "patch 2", "patch 3", "patch N")
    for i in range(5):
        middle = x[i] + 35
        vector = d.box(x[i], 236, 70, 30, names[i], "residual", size=12)
        if i > 0:
            d.matrix(x[i] + 17, 388, [[""] * 4] * 4, cell=9, shades=strokes[i - 1], roles=[["masked"] * 4] * 4)
            d.arrow((middle, 388), (middle, 352))
            d.arrow((middle, 322), (middle, 304))
        else:
            d.box(x[i] - 11, 322, 92, 30, "class_token", size=12, dashed=True)
            d.arrow((middle, 322), (middle, 304))
        plus = d.join(middle, 293)
        d.arrow(plus.top, vector.bottom)
        d.arrow(vector.top, (middle, 214), role="residual")
    d.box(x[1], 322, x[4] + 70 - x[1], 30, "one linear layer for all: embed [P², C]", size=13)
    d.text(x[4] + 52, 293, "positions", 12, "start")
    d.text(x[0] + 35, 406, "the image,\nin patches", 12)
    d.text(x[3] + 80, 251, "…", 16)
    d.text(x[3] + 80, 406, "…", 16)
    d.frame(x[0] - 10, 118, 450, 96, "encoder: block × L, then a norm")
    d.box(x[0] + 12, 172, 406, 30, "attention: each of the N + 1 sees all", "weights", size=13)
    d.box(x[0] + 12, 142, 406, 26, "feed-forward, on each", "feed_forward", size=13)
    d.arrow((x[0] + 35, 118), (x[0] + 35, 96), role="residual")
    head = d.box(x[0], 66, 70, 30, "head", size=12)
    d.arrow(head.top, (head.top[0], 42))
    d.text(head.top[0], 30, "10 logits", 13)
    for i in range(1, 5):
        d.arrow((x[i] + 35, 118), (x[i] + 35, 100), role="masked", dashed=True)
    d.text(x[2] + 70, 86, "not used", 12)
    return d


def price():
    """The table of the long run: mean and range after 1000 and 3000 steps."""
    printed = (Path(__file__).parent / "long.txt").read_text().split("[long]")[1]
    table = {line[:27].strip(): re.findall(r"([\d.]+), ([\d.]+) to ([\d.]+)", line[27:]) for line in printed.split("\n")}
    about = "Percent of held-out images read right after 1000 and 3000 steps, with positions: means of five seeds."
    ranges, dots, rivals, left, step, bottom = "", ["", ""], "", 44, 50, 240
    at = lambda percent: round(bottom - 4.4 * (float(percent) - 50), 1)  # noqa: E731
    d = Drawing("price", 350, 340, "")
    for percent in (50, 60, 70, 80, 90, 100):
        d.text(left - 8, at(percent), f"{percent}" + " %" * (percent == 100), 12, "end")
    x = left + step / 2
    for row in ("patches of 8", "patches of 4", "patches of 2"):
        d.text(x + step / 2, bottom + 32, row, 13)
        both = [" and ".join(numbers[0] for numbers in table[row + words]) for words in ("", ", no positions")]
        about += f" {row.capitalize()}: {both[0]}; without, {both[1]}."
        for i, steps in enumerate((1000, 3000)):
            d.text(x, bottom + 14, str(steps), 11)
            for kind, words in enumerate(("", ", no positions")):
                numbers = table[row + words]
                if i < len(numbers):
                    mean, least, most = numbers[i]
                    dx = x - 7 + 14 * kind
                    ranges += f"M{dx:g} {at(least)}V{at(mean) + 4:g}M{dx:g} {at(mean) - 4:g}V{at(most)}"
                    dots[kind] += f'<circle cx="{dx:g}" cy="{at(mean)}" r="4"/>'
            rivals += f"M{x - 21:g} {at(table['hidden layer of 100'][i][0])}h42"
            x += step
    d.text(left + 5.65 * step, at(54), "not\nrun", 11)
    d.line((left, at(100)), (left, bottom), (x - step / 2, bottom), width=1)
    y, below = bottom + 60, bottom + 84
    for x, height, words in ((60, y, "with positions"), (200, y, "without"), (84, below, "the hidden layer of 100")):
        d.text(x + 12, height, words, 13, "start")
    dots = [dots[0] + f'<circle cx="60" cy="{y}" r="4"/>', dots[1] + f'<circle cx="200" cy="{y}" r="4"/>']
    rivals += f"M48 {below}h38"
    d.parts += [
        f'<path d="{ranges}" stroke="currentColor" stroke-width="1.5" stroke-opacity="0.6"/>',
        f'<path d="{rivals}" stroke="{ROLES["feed_forward"]}" stroke-width="2.5" stroke-dasharray="5 3"/>',
        f'<g fill="currentColor">{dots[0]}</g>',
        f'<g fill="none" stroke="currentColor" stroke-width="1.5">{dots[1]}</g>',
    ]
    d.about = about
    return d
