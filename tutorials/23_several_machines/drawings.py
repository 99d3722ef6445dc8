"""Chapter 23: a step of two ranks, the ring, the sum by parts, and the cost of fewer sums."""

import math
import re
from pathlib import Path

from drawing import ROLES, Drawing


def two_ranks():
    d = Drawing(
        "two_ranks",
        600,
        470,
        "One step of two ranks, read downwards. Both ranks draw the same 12 rows; rank 0 keeps rows 0 to 5, rank 1 rows 6 to 11. "
        "Each rank has the same weights w, and computes the gradient of its rows, g0 and g1. An all-reduce over the network: "
        "both ranks have the sum g0 + g1, and divide it by 2. Both give it to AdamW, and both have the same new weights.",
    )
    batch = d.box(175, 2, 250, 42, "the same 12 rows,\ndrawn by both")
    for rank, x in enumerate((10, 350)):
        middle = x + 120
        d.frame(x, 62, 240, 402, f"rank {rank}")
        rows = d.box(middle - 70, 90, 140, 32, "rows 0 to 5" if rank == 0 else "rows 6 to 11")
        d.arrow((batch.right if rank else batch.left), (middle, 23), rows.top)
        passes = d.box(middle - 95, 148, 190, 42, "forward and backward\nwith weights w", "residual", 13)
        d.arrow(rows.bottom, passes.top)
        own = d.box(middle - 60, 216, 120, 32, f"gradient g{'₀₁'[rank]}", "gradient")
        d.arrow(passes.bottom, own.top)
        mean = d.box(middle - 75, 332, 150, 32, "(g₀ + g₁) / 2", "gradient")
        step = d.box(middle - 60, 390, 120, 26, "AdamW", size=13)
        d.arrow(mean.bottom, step.top, role="gradient")
        d.arrow(step.bottom, (middle, 438))
        d.text(middle, 449, "the same new w", 13, role="residual", bold=True)
        total = d.box(middle - 60, 274, 120, 32, "g₀ + g₁", "gradient")
        d.arrow(own.bottom, total.top, role="gradient")
        d.arrow(total.bottom, mean.top, role="gradient")
    d.arrow((300, 290), (190, 290), role="gradient", width=2)  # both ways
    d.arrow((300, 290), (410, 290), role="gradient", width=2)
    d.text(300, 270, "all-reduce", 13)
    d.text(300, 311, "network", 13)
    return d


SUB = "₀₁₂"
FULL = 1.27  # the shade of a whole sum: the role's colour itself


def whole_sum(d, x, y, part, size):
    """White on the full colour, which dark letters are hard to read on."""
    d.parts.append(
        f'<text x="{x * d.share:g}" y="{y + size * 0.35:g}" font-size="{size}" text-anchor="middle" fill="#fff">s{SUB[part]}</text>'
    )


def cell(d, x, y, wide, high, role, shade):
    look = f'fill="{ROLES[role]}" fill-opacity="{0.05 + 0.75 * shade:.2f}" stroke="currentColor" stroke-width="0.8"'
    d.rect(x, y, wide, high, look)


def ring():
    d = Drawing(
        "ring_of_ranks",
        600,
        446,
        "A ring of three ranks, and its sum in four steps. Rank 0 has a0, a1, a2, rank 1 has b0, b1, b2, rank 2 has c0, c1, c2: "
        "its numbers, in parts 0, 1 and 2. Step 0: rank 0 sends a0 to rank 1, which then has a0 plus b0; rank 1 sends b1 to rank 2, "
        "rank 2 sends c2 to rank 0. Step 1: each sends on what it has just added up: now rank 2 has the whole sum s0, rank 0 has s1, "
        "rank 1 has s2. Steps 2 and 3 send these sums round the ring: all have s0, s1, s2. What just arrived is outlined; what was "
        "sent on before it was whole is grey, and will be overwritten.",
    )
    boxes = [d.box(x, y, 74, 30, f"rank {r}", size=13) for r, (x, y) in enumerate(((20, 20), (150, 20), (85, 86)))]
    d.arrow(boxes[0].right, boxes[1].left, role="gradient", width=2)
    d.arrow(boxes[1].bottom, (187, 101), boxes[2].right, role="gradient", width=2)
    d.arrow(boxes[2].left, (57, 101), boxes[0].bottom, role="gradient", width=2)
    d.text(265, 38, "In each step every rank sends\none part to the next rank, and\nreceives one from the rank before.", 13, "start")
    d.text(265, 100, "Outlined: where something has just\narrived. Grey: already sent, and\nnot a whole sum.", 13, "start")
    d.text(10, 379, "Steps 0 and 1\nadd what arrives.\nSteps 2 and 3 copy\nthe whole sums.", 13, "start")
    held = [[(rank,) for _ in range(3)] for rank in range(3)]  # whose numbers are in each rank's part
    panels, sent = [("at first", held, set(), set())], set()
    for step in range(4):
        before = panels[-1][1]
        held, arrived = [list(row) for row in before], set()
        for rank in range(3):
            to, p = (rank + 1) % 3, (rank - step if step < 2 else rank - step + 3) % 3
            held[to][p] = before[rank][p] + before[to][p] if step < 2 else before[rank][p]
            arrived.add((to, p)), sent.add((rank, p))
        panels.append((f"step {step}", held, arrived, set(sent)))
    wide, high = 52, 34
    for i, (title, held, arrived, sent) in enumerate(panels):
        x, y = (58, 226, 394, 226, 394)[i], (172, 172, 172, 328, 328)[i]
        d.text(x + 1.5 * wide, y - 14, title, 13, bold=True)
        for r, row in enumerate(held):
            if i in (0, 3):  # the first of its line
                d.text(x - 8, y + (r + 0.5) * high, f"rank {r}", 12, "end")
            for p, whose in enumerate(row):
                stale = len(whose) < 3 and (r, p) in sent
                shade = FULL if len(whose) == 3 else 0.5 if stale else 0.05 + 0.3 * (len(whose) - 1)
                colour, left, top = ("masked" if stale else "gradient"), x + p * wide, y + r * high
                cell(d, left, top, wide, high, colour, shade)
                if len(whose) == 3:
                    whole_sum(d, left + wide / 2, top + high / 2, p, 13)
                else:
                    words = "+".join("abc"[w] + SUB[p] for w in whose)
                    d.text(left + wide / 2, top + high / 2, words, 13 if len(whose) == 1 else 12)
        for r, p in arrived:
            left, top = x + p * wide, y + r * high
            d.line((left, top), (left + wide, top), (left + wide, top + high), (left, top + high), (left, top), width=3)
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
    tried = {1: (400, 100, 40, 8, 4, 1), 2: (400, 100, 40, 8, 4, 1), 4: (400, 100, 40)}  # the sums, at each rate
    means = [{n: row(f"means of weights, sums: {n}, x {times}") for n in all_sums} for times, all_sums in tried.items()]
    gradients = [row(f"gradients, sums: 400, x {times}") for times in (1, 2)]
    larger, alone = row("64 rows, x 4, warm-up of 80"), min(row(f"one rank alone, sums: 0, x {times}") for times in (1, 2))
    said = ["; ".join(f"{n} {'sum' if n == 1 else 'sums'} {loss[0]:.3f}" for n, loss in each.items()) for each in means]
    d = Drawing(
        "fewer_sums",
        600,
        300,
        f"Held-out loss over the number of sums. Means of weights: {said[0]}. At twice the rate: {said[1]}. At four times: {said[2]}. A batch four times as large, at its best "
        f"setting: 100 sums {larger[0]:.3f}. A sum of gradients in every step: 400 sums {gradients[0][0]:.3f}; at twice the rate "
        f"{gradients[1][0]:.3f}. One rank alone, at its best rate: {alone[0]:.3f}.",
    )
    all_rows = [*(loss for each in means for loss in each.values()), *gradients, larger, alone]
    low, high = min(least for _, least, _ in all_rows) - 0.025, max(most for _, _, most in all_rows) + 0.025
    left, right, top, bottom = 70, 560, 30, 240
    x = lambda sums: right - (right - left - 26) * math.log(sums) / math.log(400)  # noqa: E731
    y = lambda loss: bottom - (bottom - top) * (loss - low) / (high - low)  # noqa: E731
    for loss in (alone[0], gradients[1][0]):
        d.line((left, y(loss)), (right, y(loss)), role="masked", dashed=True)
    d.text(left + 12, y(alone[0]) - 11, "one rank alone, no sum: 0%", 13, "start", role="masked")
    d.text(right - 4, y(gradients[1][0]) - 11, "gradients in every step, rate x 2: 100%", 13, "end", role="value")
    for tenths in range(math.ceil(10 * low), math.floor(10 * high) + 1):
        d.text(left - 12, y(tenths / 10), f"{tenths / 10:.1f}", 12, "end")
    d.line((left, top), (left, bottom), (right, bottom), width=1)
    for sums in (400, 100, 40, 8, 4, 1):
        d.text(x(sums), bottom + 16, str(sums), 12)
    d.text((left + right) / 2, bottom + 42, "sums, fewer to the right", 13)
    d.text(left - 8, 12, "held-out loss", 13, "start")
    for each, width, dashed in zip(means, (2, 2, 1), (False, True, False)):
        d.line(*[(x(sums) + 4 * means.index(each), y(loss[0])) for sums, loss in each.items()], role="query", width=width, dashed=dashed)
    marks = [(x(n) + 4 * i, loss, "query") for i, each in enumerate(means) for n, loss in each.items()]
    marks += [(x(100) - 6, larger, "key")] + [(x(400) - 10 - 4 * i, loss, "value") for i, loss in enumerate(gradients)]
    for at, (mean, least, most), role in marks:
        at, low_end, high_end = round(at), round(y(least), 1), round(y(most), 1)
        d.line(*[(at + aside, end) for end in (low_end, high_end) for aside in (0, -4, 4, 0)], role=role)
        d.line((at - 7, round(y(mean), 1)), (at + 7, round(y(mean), 1)), role=role, width=3)
    d.text(x(21), y(low + 0.36 * (high - low)), "means of weights:\nrate x 1 solid, x 2 dashed, x 4 thin", 13, "start", role="query")
    d.text(x(130), y(larger[2]) - 11, "larger batch, x 4", 13, role="key")
    return d


def between_means():
    """How far two of four ranks are apart in each step, for several intervals between means, from long.txt."""
    text = (Path(__file__).parent / "long.txt").read_text()
    rows = {n: [float(x) for x in re.search(rf"^{n}: (.+)$", text, re.M)[1].split()] for n in (400, 50, 10)}
    most = {n: max(row) for n, row in rows.items()}
    d = Drawing(
        "between_means",
        600,
        270,
        "The largest difference between the weights of ranks 0 and 1 over 400 steps. Without a mean it grows to "
        f"{most[400]:.2f}. A mean every 50 steps brings it back to 0 each time: it grows to {most[50]:.2f} at most in between; "
        f"with a mean every 10 steps, to {most[10]:.2f}.",
    )
    left, right, top, bottom, high = 60, 580, 30, 210, 0.1 * math.ceil(10 * most[400])
    x = lambda step: left + (right - left) * step / 400  # noqa: E731
    y = lambda distance: bottom - (bottom - top) * distance / high  # noqa: E731
    for step in (0, 100, 200, 300, 400):
        d.text(x(step), bottom + 16, str(step), 12)
    for tenths in range(0, round(10 * high) + 1, 2):
        d.text(left - 10, y(tenths / 10), f"{tenths / 10:.1f}", 12, "end")
    d.line((left, top), (left, bottom), (right, bottom), width=1)
    d.text((left + right) / 2, bottom + 40, "step", 13)
    d.text(left - 8, 12, "largest difference of two ranks' weights", 13, "start")
    for (n, row), role in zip(rows.items(), ("key", "query", "value")):
        points = [(0, 0)]
        for step, distance in enumerate(row, 1):
            points.append((step, distance))
            if step % n == 0 and n < 400:
                points.append((step, 0))  # all have the mean
        d.line(*[(round(x(a), 1), round(y(b), 1)) for a, b in points], role=role, width=2 if n > 10 else 1.5)
    d.text(x(300), y(most[400]) + 42, "no mean until the end", 13, role="key")
    d.text(x(300), y(0.42 * high), "a mean every 50 steps", 13, role="query")
    d.text(x(348), y(0.15 * high), "every 10 steps", 13, role="value")
    return d


def drawings():
    yield between_means()
    yield two_ranks()
    yield ring()
    yield by_parts()
    yield fewer_sums()
