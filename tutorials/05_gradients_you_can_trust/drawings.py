from drawing import Drawing


def drawings():
    d = Drawing(
        "two_ways", 600, 250,
        "Above, the engine's way: from x through the op f to y, and back from the weights w through the op's closure to dx."
        " Below, the other way: each element of x is moved by plus and minus h, f is called again, the loss is the sum of"
        " w times y, and the difference of both losses over 2 h is the expected slope. Both meet in a comparison.",
    )  # fmt: skip
    d.text(20, 18, "backward", 13, "start", bold=True)
    d.text(20, 236, "differences", 13, "start", bold=True)
    x = d.box(20, 95, 70, 44, "x")
    f = d.box(150, 22, 70, 40, "f")
    y = d.box(270, 22, 60, 40, "y")
    closure = d.box(400, 22, 180, 40, "closure(w) = dx", role="gradient")
    d.arrow(x.along_top(0.5), (55, 42), f.left)
    d.arrow(f.right, y.left)
    d.arrow(y.right, closure.left, role="gradient")
    d.text(365, 28, "dy = w", 12)
    above = d.box(120, 150, 164, 36, "f(x + h), for one i", size=13)
    below = d.box(120, 200, 164, 36, "f(x - h), for one i", size=13)
    loss = d.box(310, 165, 100, 56, "L₊, L₋:\nΣ w y", size=13)
    slope = d.box(440, 165, 140, 56, "(L₊ - L₋) / 2h")
    d.arrow((55, 139), (55, 168), above.left)
    d.line((55, 168), (55, 218))
    d.arrow((55, 218), below.left)
    d.arrow(above.right, (310, 180))
    d.arrow(below.right, (310, 206))
    d.arrow(loss.right, slope.left)
    d.arrow((510, 62), (510, 98), role="gradient")
    d.arrow((510, 165), (510, 128))
    d.text(510, 113, "equal?", 15, bold=True)
    yield d
