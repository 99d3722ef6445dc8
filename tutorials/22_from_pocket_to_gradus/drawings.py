"""Chapter 22: the arrays that softmax writes, as two ops and as one."""

from drawing import Drawing


def drawings():
    d = Drawing(
        "passes",
        560,
        250,
        "Softmax and its gradient, each array as a box. In pocket, forward writes the log-softmax and then its exponential. "
        "Backward writes six more arrays: a copy of the slopes, their product with the gradient, the exponential again, its "
        "product with a sum, its negative, and the sum of two. As one op, forward writes y, and backward dx.",
    )
    width, height = 66, 34

    def row(y, words, role, last):
        boxes = []
        for i, word in enumerate(words):
            chosen = last if i == len(words) - 1 else "plain"
            boxes.append(d.box(112 + 75 * i, y, width, height, word, chosen if chosen else role, size=12))
        for a, b in zip(boxes, boxes[1:]):
            d.arrow(a.right, b.left)

    d.text(8, 16, "pocket: each op writes an array, and the next one reads it", 13, "start", bold=True)
    d.text(100, 53, "forward", 12, "end")
    row(36, ["log p", "p"], "plain", "weights")
    d.text(100, 103, "backward", 12, "end")
    row(86, ["slope", "× dp", "exp", "× sum", "minus", "dx"], "plain", "gradient")
    d.text(8, 153, "as one op", 13, "start", bold=True)
    d.text(100, 179, "forward", 12, "end")
    row(162, ["p"], "plain", "weights")
    d.text(100, 223, "backward", 12, "end")
    row(206, ["dx"], "plain", "gradient")
    d.text(290, 201, "each loop reads a row of the array,\nwhich stays in the cache, a few times", 12, "start")
    yield d
