"""Drawings of chapter 13: where positions enter attention, two kinds of bias, and rotations."""

import math

from drawing import Drawing


def ways():
    d = Drawing(
        "ways",
        600,
        330,
        "Attention read upwards, with three places where positions can enter. At the bottom, a vector for each position "
        "is added to the embeddings. In the middle, queries and keys are rotated by their position. At the top, a bias "
        "that depends on the distance is added to the scores, before the softmax.",
    )
    d.text(415, 314, "embeddings [B, T, C]", 13)
    d.arrow((415, 302), (415, 280))
    plus = d.join(415, 270)
    d.text(5, 270, "1  vectors pₜ:\nsinusoidal, learned", 13, "start", bold=True)
    d.arrow((174, 270), plus.left)
    boxes = [d.box(x, 200, 90, 32, name, role) for x, name, role in (
        (245, "queries", "query"), (370, "keys", "key"), (495, "values", "value"))]
    for box in boxes:
        d.arrow((415, 260), (415, 246), (box.bottom[0], 246), box.bottom)
    turned = [d.box(x, 142, 90, 32, "rotate", role, dashed=True) for x, role in ((245, "query"), (370, "key"))]
    for below, box in zip(boxes, turned):
        d.arrow(below.top, box.bottom)
    d.text(5, 158, "2  rotation by t:\nrotary", 13, "start", bold=True)
    both = d.box(235, 134, 235, 48, dashed=True)
    d.arrow((174, 158), both.left)
    scores = d.box(270, 84, 165, 32, "scores Q Kᵀ / √D", "weights")
    for box in turned:
        d.arrow(box.top, (box.top[0], 116))
    bias = d.join(353, 54)
    d.arrow(scores.top, bias.bottom)
    d.text(5, 54, "3  bias by distance:\nT5, ALiBi", 13, "start", bold=True)
    d.arrow((174, 54), bias.left)
    d.arrow(bias.top, (353, 24))
    d.text(353, 12, "softmax, then the sum of values", 13)
    d.line((540, 200), (540, 12), dashed=True)
    d.arrow((540, 12), (480, 12), dashed=True)
    return d


def axes(d, x, y, width, height, across, ticks_x, ticks_y):
    """Two axes from the lower left corner (x, y), with (place, words) of each mark."""
    d.line((x, y - height), (x, y), (x + width, y))
    for at, word in ticks_x:
        d.line((at, y), (at, y + 4))
        d.text(at, y + 13, word, 12)
    for at, word in ticks_y:
        d.line((x - 4, at), (x, at))
        d.text(x - 8, at, word, 12, "end")
    d.text(x + width / 2, y + 31, across, 13)


def buckets():
    d = Drawing(
        "buckets",
        600,
        235,
        "The bucket of each distance from 0 to 140, a staircase. Up to distance 15 each step is one distance wide. Then "
        "the steps grow wider and wider. Distance 113 reaches the last bucket, 31, which holds everything beyond.",
    )
    at = lambda away: 70 + away * 510 / 144
    up = lambda bucket: 190 - bucket * 170 / 32
    axes(d, 70, 190, 515, 180, "distance t - s", [(at(n), str(n)) for n in (0, 16, 32, 64, 96, 128)],
         [(up(n), str(n)) for n in (0, 8, 16, 24, 31)])  # fmt: skip
    d.text(12, 14, "bucket", 13, "start")
    steps = []
    for away in range(144):
        n = away if away < 16 else min(16 + int(math.log(away / 16) / math.log(8) * 16), 31)
        steps += [(at(away), up(n)), (at(away + 1), up(n))]
    d.line(*steps, role="weights", width=2.5)
    d.text(at(16) + 10, up(6), "below 16: one distance each", 13, "start")
    d.text(at(70), up(21), "from 16 on: steps that widen", 13, "start")
    return d


def triangle():
    d = Drawing(
        "triangle",
        600,
        334,
        "The bias of ALiBi's steepest head for six queries and six keys, causal: 0 on the diagonal, and a quarter less "
        "for each step to the left.",
    )
    n = 6
    cells = [[f"{(j - i) / 4:g}" if j <= i else "" for j in range(n)] for i in range(n)]
    shades = [[1 - (i - j) / 5 if j <= i else 0 for j in range(n)] for i in range(n)]
    roles = [["weights" if j <= i else "masked" for j in range(n)] for i in range(n)]
    d.text(300, 14, "- |t - s| / 4", 14, bold=True)
    d.matrix(162, 50, cells, cell=46, rows=[f"t={i}" for i in range(n)], columns=[f"s={j}" for j in range(n)],
             size=12, shades=shades, roles=roles)  # fmt: skip
    return d


def hand(d, x, y, r, angle, role, name):
    """A hand from (x, y), its angle from twelve o'clock on, its name at the end."""
    right, up = math.sin(angle) / d.share, math.cos(angle)
    d.arrow((x, y), (x + r * right, y - r * up), role=role, width=2)
    d.text(x + (r + 15) * right, y - (r + 15) * up, name, 14, role=role, bold=True)


def rotations():
    d = Drawing(
        "rotations",
        600,
        250,
        "Three clocks, one pair of channels. On the first, query and key at position 0: the hands have some angle between "
        "them. On the second, the query has turned by 3 radians and the key by 1. On the third, by 13 and 11. The "
        "angle between the hands is the same on the second and the third.",
    )
    for x, t, s, name in (
        (96, 0, 0, "before the rotation"),
        (294, 3, 1, "query at 3, key at 1"),
        (492, 13, 11, "query at 13, key at 11"),
    ):
        y, r = 125, 68
        d.circle(x, y, r, 'fill="none" stroke="currentColor" stroke-width="1"')
        q, k = 0.9 + t, 0.2 + s
        arc = [(x + 26 * math.sin(a) / d.share, y - 26 * math.cos(a)) for a in (k + (q - k) * i / 30 for i in range(31))]
        d.line(*arc, role="weights", width=3)
        hand(d, x, y, r, q, "query", "q")
        hand(d, x, y, r, k, "key", "k")
        d.text(x, 232, name, 13)
    d.text(393, 16, "same distance, same angle, same score", 13, role="plain", bold=True)
    return d


def drawings():
    yield ways()
    yield buckets()
    yield triangle()
    yield rotations()
