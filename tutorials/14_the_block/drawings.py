"""Drawings of chapter 14: the residual stream, the two axes of norms, and the block, pre- and post-norm."""

from drawing import Drawing


def stream():
    d = Drawing(
        "stream",
        600,
        270,
        "Above, plain layers: each part receives only what the part before it made, so all information passes through "
        "every part. Below, the residual stream: a line runs from the embeddings to the output. Each part reads from "
        "it by a branch, and what the part computes is added back. Backwards, the gradient follows the line past the parts.",
    )
    d.text(10, 18, "plain: y = f(x)", 14, "start", bold=True)
    parts = [("attention", "weights"), ("network", "feed_forward"), ("attention", "weights"), ("network", "feed_forward")]
    at = 50
    d.text(12, 60, "x", 15, "start")
    d.arrow((28, 60), (at, 60))
    for i, (name, role) in enumerate(parts):
        box = d.box(at, 42, 92, 36, name, role)
        last = i == len(parts) - 1
        d.arrow(box.right, (box.right[0] + (36 if last else 40), 60))
        at += 132
    d.text(10, 118, "residual: y = x + f(x)", 14, "start", bold=True)
    d.text(12, 220, "x", 15, "start")
    at = 28
    for name, role in parts:
        box = d.box(at + 22, 140, 78, 34, name, role, 13)
        d.line((at, 220), (at + 106, 220), role="residual", width=4)
        d.arrow((at + 12, 220), (at + 12, 157), box.left)
        d.arrow(box.right, (at + 116, 157), (at + 116, 210))
        d.join(at + 116, 220, "+", "residual")
        at += 126
    d.arrow((at, 220), (at + 46, 220), role="residual", width=4)
    d.text(300, 254, "the residual stream: read by branches, and only added to", 13, role="residual")
    return d


def axes():
    d = Drawing(
        "axes",
        600,
        230,
        "Two matrices whose rows are positions of the batch and whose columns are channels. Layer norm takes mean and "
        "variance along a row: of one position, over its channels. Batch norm takes them along a column: of one "
        "channel, over all positions of the batch.",
    )
    rows, columns, cell = 4, 5, 30
    middle, below = columns * cell / 2, 62 + rows * cell
    for x, name, inside, said in (
        (60, "layer norm", lambda i, j: i == 1, "one position, all channels"),
        (370, "batch norm", lambda i, j: j == 2, "one channel, all positions"),
    ):
        d.text(x + middle, 18, name, 15, bold=True)
        shades = [[0.9 if inside(i, j) else 0 for j in range(columns)] for i in range(rows)]
        roles = [["norm" if inside(i, j) else "plain" for j in range(columns)] for i in range(rows)]
        d.matrix(x, 62, [[""] * columns] * rows, cell=cell, shades=shades, roles=roles)
        d.text(x + middle, 46, "C channels", 13)
        d.text(x - 8, (62 + below) / 2, "B T\nrows", 13, "end")
        d.text(x + middle, below + 22, "mean and variance of\n" + said, 13)
    return d


def block():
    d = Drawing(
        "block",
        600,
        560,
        "Two blocks, read upwards. Left, pre-norm: the stream runs straight up; layer norm, attention and dropout are "
        "in a branch beside it, and the result is added; then layer norm, feed-forward network and dropout in a second "
        "branch, added too. Right, post-norm: the same branches without norms, and a norm on the stream after each sum.",
    )
    for x, name, pre in ((70, "pre-norm", True), (360, "post-norm", False)):
        stream, left, wide, norm_wide = x, x + 60, 130, 100
        d.text(x + 90, 16, name, 16, bold=True)
        d.text(stream, 546, "x [B, T, C]", 13)
        y = 528
        for part, role, extra in (("attention", "weights", "H heads"), ("feed-forward", "feed_forward", "C to 4 C to C")):
            start = y
            boxes = [("layer norm", "norm")] * pre + [(part, role), ("dropout", "plain")]
            top = start - 22
            before = None
            for label, colour in boxes:
                height = 46 if label == part else 30
                top -= height
                words = f"{label}\n{extra}" if label == part else label
                box = d.box(left, top, wide, height, words, colour, 13)
                if before is None:
                    d.arrow((stream, start - 8), (box.bottom[0], start - 8), box.bottom)
                else:
                    d.arrow(before.top, box.bottom)
                before = box
                top -= 18
            join_y = top - 8
            d.line((stream, y), (stream, join_y + 10), role="residual", width=4)
            d.arrow(before.top, (before.top[0], join_y), (stream + 10, join_y))
            d.join(stream, join_y, "+", "residual")
            y = join_y - 10
            if not pre:
                d.arrow((stream, y), (stream, y - 20), role="residual", width=4)
                norm = d.box(stream - norm_wide / 2, y - 50, norm_wide, 30, "layer norm", "norm", 13)
                y = norm.y
        d.arrow((stream, y), (stream, 60), role="residual", width=4)
        d.text(stream, 46, "y [B, T, C]", 13)
    return d


def drawings():
    yield stream()
    yield axes()
    yield block()
