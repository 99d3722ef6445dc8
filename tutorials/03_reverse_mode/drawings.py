"""The drawing of chapter 03: an expression as a graph."""

from drawing import Drawing

WIDTH, HEIGHT = 120, 50


def node(picture, x, y, name, value, gradient):
    box = picture.box(x, y, WIDTH, HEIGHT)
    picture.text(x + WIDTH / 2, y + 16, f"{name} = {value}", 13)
    picture.text(x + WIDTH / 2, y + 36, f"gradient {gradient}", 12, role="gradient")
    return box


def edge(picture, start, end, slope, above):
    """An arrow from an input to the op's result, with the slope beside it."""
    picture.arrow(start, end)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    picture.text(x, y + (-14 if above else 15), slope, 13, bold=True)


def drawings():
    d = Drawing(
        "expression",
        600,
        276,
        "The graph of y = (a b + c) d, from left to right. a = 2 and b = 3 lead to p = 6, with slopes 3 and 2; p and "
        "c = -2 lead to s = 4, with slopes 1 and 1; s and d = 5 lead to y = 20, with slopes 5 and 4. The gradients "
        "are, from y back: y 1, s 5, d 4, p 5, c 5, a 15, b 10.",
    )
    a = node(d, 4, 10, "a", "2", "15")
    b = node(d, 4, 90, "b", "3", "10")
    p = node(d, 162, 50, "p = a b", "6", "5")
    c = node(d, 162, 134, "c", "-2", "5")
    s = node(d, 320, 92, "s = p + c", "4", "5")
    e = node(d, 320, 180, "d", "5", "4")
    y = node(d, 477, 136, "y = s d", "20", "1")
    edge(d, a.right, (p.x, p.y + 16), "3", True)
    edge(d, b.right, (p.x, p.y + 34), "2", False)
    edge(d, p.right, (s.x, s.y + 16), "1", True)
    edge(d, c.right, (s.x, s.y + 34), "1", False)
    edge(d, s.right, (y.x, y.y + 16), "5", True)
    edge(d, e.right, (y.x, y.y + 34), "4", False)
    d.arrow((540, 264), (60, 264), role="gradient")
    d.text(300, 250, "the backward pass", 13, role="gradient")
    yield d
