"""Drawings of chapter 13: where positions enter attention, and what a bias looks like."""

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
    d.text(230, 314, "embeddings [B, T, C]", 13)
    d.arrow((230, 302), (230, 280))
    plus = d.join(230, 270)
    d.arrow((420, 270), plus.right)
    d.text(428, 270, "1  vectors p_t:\nsinusoidal, learned", 13, "start", bold=True)
    boxes = [d.box(x, 200, 90, 32, name, role) for x, name, role in (
        (60, "queries", "query"), (185, "keys", "key"), (310, "values", "value"))]
    for box in boxes:
        d.arrow((230, 260), (230, 246), (box.bottom[0], 246), box.bottom)
    turned = [d.box(x, 142, 90, 32, "rotate", role, dashed=True) for x, role in ((60, "query"), (185, "key"))]
    for below, box in zip(boxes, turned):
        d.arrow(below.top, box.bottom)
    d.text(428, 158, "2  rotation by t:\nrotary", 13, "start", bold=True)
    d.arrow((420, 158), turned[1].right)
    scores = d.box(85, 84, 165, 32, "scores Q K^T / √D", "weights")
    d.arrow(turned[0].top, (turned[0].top[0], 116))
    d.arrow(turned[1].top, (turned[1].top[0], 116))
    bias = d.join(168, 54)
    d.arrow(scores.top, bias.bottom)
    d.arrow((420, 54), bias.right)
    d.text(428, 54, "3  bias by distance:\nT5, ALiBi", 13, "start", bold=True)
    d.arrow(bias.top, (168, 24))
    d.text(168, 12, "softmax, then the sum of values", 13)
    d.line((355, 200), (355, 12), dashed=True)
    d.arrow((355, 12), (285, 12), dashed=True)
    return d


def tables():
    d = Drawing(
        "tables",
        600,
        275,
        "Two matrices of six queries and six keys, causal. Left, T5: each cell has the number of its bucket, which is the "
        "distance from key to query, the same along each diagonal. Right, the steepest head of ALiBi: minus a quarter of "
        "that distance.",
    )
    n = 6
    for x, name, word in (
        (40, "T5: a learnt number for each bucket", lambda a: str(a)),
        (370, "ALiBi: - |t - s| / 4", lambda a: f"{-a / 4:g}"),
    ):
        d.text(x + 108, 14, name, 14, bold=True)
        cells = [[word(i - j) if j <= i else "" for j in range(n)] for i in range(n)]
        shades = [[1 - (i - j) / 5 if j <= i else 0 for j in range(n)] for i in range(n)]
        roles = [["weights" if j <= i else "masked" for j in range(n)] for i in range(n)]
        d.matrix(x, 50, cells, cell=36, rows=[f"t={i}" for i in range(n)], columns=[f"s={j}" for j in range(n)],
                 size=11, shades=shades, roles=roles)  # fmt: skip
    return d


def drawings():
    yield ways()
    yield tables()
