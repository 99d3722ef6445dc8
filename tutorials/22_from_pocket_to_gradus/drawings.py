"""Chapter 22: the arrays that softmax writes, as two ops and as one."""

from drawing import Drawing


def drawings():
    d = Drawing(
        "passes",
        570,
        388,
        "Softmax and its gradient, each array as a box. In pocket, forward writes log p from x, and p from that. Backward copies p, "
        "multiplies it by the dp that arrives, which gives dlog p, and sums its rows. It computes p again from log p, multiplies it by the "
        "sums, negates that, and adds dlog p, which gives dx. These six arrays have the numbers 1 to 6. As one op, forward writes p from x, and backward reads p and dp and "
        "writes dx.",
    )
    width, height = 74, 34

    def box(x, y, word, role="plain"):
        return d.box(x, y, width, height, word, role, size=12)

    def number(box, n):
        """Writes the number of an array above its box."""
        d.text(box.left[0] + 6, box.top[1] - 8, n, 12, bold=True)

    d.text(8, 16, "pocket: each box is an array that is written", 13, "start", bold=True)
    d.text(8, 40, "forward", 12, "start")
    d.text(54, 56, "x", 12)
    d.arrow((62, 53), (84, 53))
    log_p, p = box(84, 36, "log p"), box(184, 36, "p", "weights")
    d.arrow(log_p.right, p.left)
    d.text(8, 133, "backward", 12, "start")
    copy, product = box(184, 116, "copy of p", "weights"), box(284, 116, "dlog p", "gradient")
    d.text(302.5, 76, "dp arrives", 12, role="gradient")
    d.arrow((302.5, 82), product.along_top(0.25), role="gradient")
    again, scaled = box(84, 196, "p, again", "weights"), box(284, 196, "p × sum", "gradient")
    minus = d.box(376, 196, 90, height, "−(p × sum)", "gradient", size=12)
    dx = box(484, 116, "dx", "gradient")
    sums = d.box(386, 121, 50, 24, "sums", "gradient", size=11, dashed=True)
    for n, written in enumerate((copy, product, again, scaled, minus, dx), 1):
        number(written, str(n))
    d.arrow(p.bottom, copy.top)
    d.arrow(copy.right, product.left)
    d.arrow(product.right, sums.left)
    d.arrow(log_p.bottom, again.top)
    d.arrow(again.right, scaled.left)
    d.arrow((398, 145), (346, 194))
    d.arrow(scaled.right, minus.left)
    d.arrow(minus.right, (521, 213), dx.bottom)
    d.arrow(product.along_top(0.75), (339.5, 98), (521, 98), dx.top)
    d.text(8, 262, "fused, as one op", 13, "start", bold=True)
    d.text(8, 286, "forward", 12, "start")
    d.text(54, 302, "x", 12)
    d.arrow((62, 299), (84, 299))
    p = box(84, 282, "p", "weights")
    d.text(8, 361, "backward", 12, "start")
    dx = box(284, 344, "dx", "gradient")
    d.arrow(p.bottom, (121, 361), dx.left)
    d.text(404, 361, "dp arrives", 12, "start", role="gradient")
    d.arrow((400, 361), dx.right, role="gradient")
    yield d
