"""Chapter 23: a step of two ranks, the ring, the sum by parts, and what fewer sums cost."""

import math
import re
from pathlib import Path

from drawing import Drawing


def two_ranks():
    d = Drawing(
        "two_ranks",
        600,
        430,
        "One step of two ranks, read downwards. A batch of 12 rows is cut in two: rows 0 to 5 go to rank 0, rows 6 to 11 to rank 1. "
        "Each rank has the same weights w, and computes the gradient of its rows, g0 and g1. The two gradients cross, and both "
        "ranks have their mean. Both give it to AdamW, and both have the same new weights.",
    )
    batch = d.box(200, 10, 200, 34, "batch: 12 rows")
    for rank, x in enumerate((20, 330)):
        middle = x + 125
        d.frame(x, 62, 250, 358, f"rank {rank}")
        rows = d.box(middle - 70, 90, 140, 32, "rows 0 to 5" if rank == 0 else "rows 6 to 11")
        d.arrow(batch.along_bottom(0.2 + 0.6 * rank), (middle, 53), rows.top)
        passes = d.box(middle - 95, 148, 190, 42, "forward and backward\nwith weights w", "residual", 13)
        d.arrow(rows.bottom, passes.top)
        own = d.box(middle - 60, 216, 120, 32, f"gradient g{'₀₁'[rank]}", "gradient")
        d.arrow(passes.bottom, own.top)
        mean = d.box(middle - 75, 292, 150, 32, "(g₀ + g₁) / 2", "gradient")
        d.arrow(own.bottom, mean.top, role="gradient")
        step = d.box(middle - 60, 346, 120, 26, "AdamW", size=13)
        d.arrow(mean.bottom, step.top, role="gradient")
        d.arrow(step.bottom, (middle, 394))
        d.text(middle, 404, "the same new w", 13, role="residual", bold=True)
    d.arrow((145, 258), (380, 258), (430, 290), role="gradient", width=2)
    d.arrow((455, 272), (220, 272), (195, 290), role="gradient", width=2)
    d.text(300, 240, "network", 13)
    return d


SUB = "₀₁₂"
FULL = 1.27  # the shade of a whole sum: the role's colour itself


def whole_sum(d, x, y, part, size):
    """White on the full colour, which dark letters are hard to read on."""
    d.parts.append(
        f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size}" text-anchor="middle" fill="#fff">s{SUB[part]}</text>'
    )


def ring():
    d = Drawing(
        "ring_of_ranks",
        600,
        330,
        "A ring of three ranks, and its sum in four steps. Rank 0 has a0, a1, a2, rank 1 has b0, b1, b2, rank 2 has c0, c1, c2: "
        "its numbers, in parts 0, 1 and 2. Step 1: rank 0 sends a0 to rank 1, which then has a0 plus b0; rank 1 sends b1 to rank 2, "
        "rank 2 sends c2 to rank 0. Step 2: each sends on what it has just added up: now rank 2 has the whole sum s0, rank 0 has s1, "
        "rank 1 has s2. Steps 3 and 4 send these sums round the ring: all have s0, s1, s2.",
    )
    boxes = [d.box(x, y, 74, 30, f"rank {r}", size=13) for r, (x, y) in enumerate(((20, 34), (150, 34), (85, 100)))]
    d.arrow(boxes[0].right, boxes[1].left, role="gradient", width=2)
    d.arrow(boxes[1].bottom, (187, 115), boxes[2].right, role="gradient", width=2)
    d.arrow(boxes[2].left, (57, 115), boxes[0].bottom, role="gradient", width=2)
    d.text(265, 50, "In each step every rank sends one part to the\nnext rank, and receives one from the rank before.", 13, "start")
    d.text(265, 106, "Two steps add up. Two more send the sums round.\nThe sum of part 0 is s₀ = a₀ + b₀ + c₀.", 13, "start")
    held = [[{rank} for _ in range(3)] for rank in range(3)]  # whose numbers are in each rank's part
    panels = [("at first", [[set(x) for x in row] for row in held])]
    for step in range(4):
        before = [[set(x) for x in row] for row in held]
        for rank in range(3):
            to = (rank + 1) % 3
            p = (rank - step if step < 2 else rank - step + 3) % 3
            held[to][p] = before[to][p] | before[rank][p] if step < 2 else set(before[rank][p])
        panels.append((f"step {step + 1}", [[set(x) for x in row] for row in held]))
    cell = 34
    for i, (title, rows) in enumerate(panels):
        x, y = 44 + 111 * i, 206
        is_whole = [[len(whose) == 3 for whose in row] for row in rows]
        cells = [
            ["" if len(whose) == 3 else "+".join("abc"[r] + SUB[p] for r in sorted(whose)) for p, whose in enumerate(row)]
            for row in rows
        ]
        shades = [[FULL if len(whose) == 3 else 0.05 + 0.3 * (len(whose) - 1) for whose in row] for row in rows]
        d.text(x + 1.5 * cell, y - 16, title, 13, bold=True)
        d.matrix(x, y, cells, "gradient", cell, shades=shades, size=10)
        for r in range(3):
            for p in range(3):
                if is_whole[r][p]:
                    whole_sum(d, x + (p + 0.5) * cell, y + (r + 0.5) * cell, p, 13)
    for rank in range(3):
        d.text(39, 223 + cell * rank, f"rank {rank}", 12, "end")
    return d


def by_parts():
    d = Drawing(
        "sum_by_parts",
        600,
        240,
        "The sum by parts, for three ranks. At first rank 0 has a0, a1, a2, rank 1 has b0, b1, b2, rank 2 has c0, c1, c2. Each sends "
        "part p to rank p: now rank 0 has a0, b0, c0, rank 1 has a1, b1, c1, rank 2 has a2, b2, c2. Each adds its row from left to "
        "right, and has one part of the sum: s0, s1, s2. Each sends its part to all: all have s0, s1, s2.",
    )
    first = [[f"{'abc'[r]}{SUB[p]}" for p in range(3)] for r in range(3)]
    moved = [[f"{'abc'[r]}{SUB[p]}" for r in range(3)] for p in range(3)]
    cell, y = 34, 84
    light, full = [[0.05] * 3] * 3, [[FULL] * 3] * 3
    a = d.matrix(58, y, first, "gradient", cell, rows=[f"rank {r}" for r in range(3)], shades=light, size=13)
    b = d.matrix(226, y, moved, "gradient", cell, shades=light, size=13)
    s = d.matrix(394, y, [[""]] * 3, "gradient", cell, shades=[[FULL]] * 3)
    e = d.matrix(490, y, [[""] * 3] * 3, "gradient", cell, shades=full)
    for p in range(3):
        whole_sum(d, s.middle[0], y + (p + 0.5) * cell, p, 13)
        for r in range(3):
            whole_sum(d, e.x + (p + 0.5) * cell, y + (r + 0.5) * cell, p, 13)
    for left, right in ((a, b), (b, s), (s, e)):
        d.arrow((left.right[0] + 8, y + 51), (right.x - 8, y + 51))
    d.text(a.middle[0], 52, "own numbers,\nin parts", 13)
    d.text(b.middle[0], 52, "all numbers\nof one part", 13)
    d.text(s.middle[0], 52, "added from\nleft to right", 13)
    d.text(e.middle[0], 60, "the sum", 13)
    d.text(193, 214, "part p to rank p\n(all to all)", 12)
    d.text(361, 206, "add", 12)
    d.text(459, 214, "to all\n(all gather)", 12)
    return d


def fewer_sums():
    """Held-out loss over the number of sums, from long.txt."""
    text = (Path(__file__).parent / "long.txt").read_text()
    row = lambda name: [float(x) for x in re.search(rf"^{name} +([\d.]+)  ([\d.]+) to ([\d.]+)$", text, re.M).groups()]  # noqa: E731
    means = {400: "every step", 100: "every 4 steps", 40: "every 10 steps", 8: "every 50 steps", 4: "every 100 steps", 1: "once, at the end"}
    losses = {sums: row(f"weights, {name}") for sums, name in means.items()}
    larger, all_sums, alone = row("  rate x 4, warm-up of 80"), row("gradients, every step"), row("one rank of 4 rows alone")
    said = ", ".join(f"{n} {'sum' if n == 1 else 'sums'} {loss[0]:.2f}" for n, loss in losses.items())
    d = Drawing(
        "fewer_sums",
        600,
        300,
        f"Held-out loss after the same number of rows, over the number of sums. Means of weights: {said}. A batch four times as large: 100 sums {larger[0]:.2f}. "
        f"A sum of gradients in every step: 400 sums {all_sums[0]:.2f}. One rank alone: {alone[0]:.2f}.",
    )
    left, right, top, bottom, high, low = 70, 560, 30, 240, 2.34, 1.88
    x = lambda sums: right - (right - left) * math.log(sums) / math.log(400)  # noqa: E731
    y = lambda loss: bottom - (bottom - top) * (loss - low) / (high - low)  # noqa: E731
    for loss in (alone[0], all_sums[0]):
        d.line((left, y(loss)), (right, y(loss)), role="masked", dashed=True)
    d.text(left + 12, y(alone[0]) - 11, "one rank alone, no sum", 13, "start", role="masked")
    d.text(left + 12, y(all_sums[0]) - 11, "gradients in every step", 13, "start", role="value")
    for loss in (1.9, 2.0, 2.1, 2.2, 2.3):
        d.text(left - 12, y(loss), f"{loss:.1f}", 12, "end")
    d.line((left, top), (left, bottom), (right, bottom), width=1)
    for sums in (400, 100, 40, 8, 4, 1):
        d.text(x(sums), bottom + 16, str(sums), 12)
    d.text((left + right) / 2, bottom + 42, "sums, fewer to the right", 13)
    d.text(left - 8, 12, "held-out loss", 13, "start")
    d.line(*[(x(sums), y(loss[0])) for sums, loss in losses.items()], role="query", width=2)
    for points, role in ((losses, "query"), ({100: larger}, "key"), ({400: all_sums}, "value")):
        for sums, (mean, least, most) in points.items():
            d.line((x(sums), y(least)), (x(sums), y(most)), role=role, width=5)
            d.line((x(sums) - 6, y(mean)), (x(sums) + 6, y(mean)), role=role, width=3)
    d.text(x(20), y(2.07), "means of weights", 13, "start", role="query")
    d.text(x(100), y(larger[2]) - 11, "larger batch", 13, role="key")
    return d


def drawings():
    yield two_ranks()
    yield ring()
    yield by_parts()
    yield fewer_sums()
