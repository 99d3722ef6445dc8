"""The drawings of chapter 04: the pass over the loss's graph, what undoes a broadcast, the matrix product's gradients."""

from drawing import Drawing


def broadcast_back():
    d = Drawing(
        "broadcast_back",
        560,
        250,
        "Left, the forward pass: b, one row of three numbers, is added to both rows of x. Right, the backward pass: "
        "the two rows of dy, 1 2 3 and 4 5 6, are added up to db, 5 7 9.",
    )
    cell = 36
    d.text(130, 16, "forward: one row is read twice", 14, bold=True)
    b = d.matrix(76, 40, [["b₁", "b₂", "b₃"]], "plain", cell, size=13)
    d.matrix(76, 146, [["b₁", "b₂", "b₃"], ["b₁", "b₂", "b₃"]], "plain", cell, size=13)
    d.text(130, 236, "added to x [2, 3]", 13)
    for i in range(3):
        d.arrow((b.x + 18 + 36 * i, 80), (b.x + 18 + 36 * i, 140))
    d.text(54, 58, "b", 14)
    d.text(425, 16, "backward: two rows are added", 14, bold=True)
    d.matrix(371, 40, [["5", "7", "9"]], "gradient", cell, size=13)
    d.matrix(371, 146, [["1", "2", "3"], ["4", "5", "6"]], "gradient", cell, size=13)
    for i in range(3):
        d.arrow((389 + 36 * i, 140), (389 + 36 * i, 80), role="gradient")
    d.text(425, 236, "dy [2, 3]", 13)
    d.text(345, 58, "db", 14)
    return d


def loss_graph():
    d = Drawing(
        "loss_graph",
        600,
        468,
        "The 13 nodes of the loss, the newest at the top. The ops are 12 mean, 11 sum, both of shape [], 10 error times error "
        "[60, 1], 9 minus sides [60, 1], 8 plus b2 [60, 1], 7 the product with w2 [60, 1], 6 tanh [60, 8], 5 plus b1 [60, 8] "
        "and 4 the product with w1 [60, 8]. The leaves are 3 b2, 2 w2, 1 b1 and 0 w1. Beside each op are the nodes that "
        "arrived holds after its turn: 11; 10; 9; 8; 7 and 3; 6, 3 and 2; 5, 3 and 2; 4, 3, 2 and 1; 3, 2, 1 and 0.",
    )
    ops = [
        ("12  mean: times 1/60", "[]", None, "11"),
        ("11  sum", "[]", None, "10"),
        ("10  error times error", "[60, 1]", None, "9, added up from two"),
        ("9  minus sides", "[60, 1]", None, "8"),
        ("8  plus b2", "[60, 1]", ("3  b2", "[1]"), "7, 3"),
        ("7  times w2", "[60, 1]", ("2  w2", "[8, 1]"), "6, 3, 2"),
        ("6  tanh", "[60, 8]", None, "5, 3, 2"),
        ("5  plus b1", "[60, 8]", ("1  b1", "[8]"), "4, 3, 2, 1"),
        ("4  times w1", "[60, 8]", ("0  w1", "[2, 8]"), "3, 2, 1, 0"),
    ]
    d.text(113, 14, "ops", 14, bold=True)
    d.text(338, 14, "leaves", 14, bold=True)
    d.text(436, 14, "then in arrived", 14, "start", bold=True)
    last = None
    for i, (name, shape, leaf, arrived) in enumerate(ops):
        y = 30 + 49 * i
        box = d.box(4, y, 218, 32)
        d.text(14, y + 16, name, 13, "start")
        d.text(212, y + 16, shape, 13, "end")
        if last and i == 3:  # error is both factors
            for aside in (-24, 24):
                d.arrow((113 + aside, last.bottom[1]), (113 + aside, y), role="gradient")
        elif last:
            d.arrow(last.bottom, box.top, role="gradient")
        if leaf:
            end = d.box(268, y, 140, 32)
            d.text(278, y + 16, leaf[0], 13, "start")
            d.text(398, y + 16, leaf[1], 13, "end")
            d.arrow(box.right, end.left, role="gradient")
        d.text(436, y + 16, arrived, 13, "start", role="gradient")
        last = box
    return d


def product_back():
    d = Drawing(
        "product_back",
        600,
        376,
        "Matrices as rectangles with their sizes. Above: A, M by K, times B, K by N, gives Y, M by N. In the middle: "
        "dY, M by N, times B transposed, N by K, gives dA, M by K. Below: A transposed, K by M, times dY, M by N, "
        "gives dB, K by N.",
    )
    sizes = {"M": 40, "K": 90, "N": 64}

    def line(top, parts, text):
        x, middle = 26, top + 68
        for name, rows, columns, role, sign in parts:
            height, width = sizes[rows], sizes[columns]
            d.box(x, middle - height / 2, width, height, name, role, 14)
            d.text(x - 10, middle, rows, 12)
            d.text(x + width / 2, middle - height / 2 - 10, columns, 12)
            if sign:
                d.text(x + width + 15, middle, sign, 18)
            x += width + 48
        d.text(384, middle, text, 14, "start")

    line(0, [("A", "M", "K", "plain", "×"), ("B", "K", "N", "plain", "="), ("Y", "M", "N", "plain", "")],
         "Y = A B\n[M, K] [K, N] to [M, N]")  # fmt: skip
    line(122, [("dY", "M", "N", "gradient", "×"), ("Bᵀ", "N", "K", "plain", "="), ("dA", "M", "K", "gradient", "")],
         "dA = dY Bᵀ\n[M, N] [N, K] to [M, K]")  # fmt: skip
    line(250, [("Aᵀ", "K", "M", "plain", "×"), ("dY", "M", "N", "gradient", "="), ("dB", "K", "N", "gradient", "")],
         "dB = Aᵀ dY\n[K, M] [M, N] to [K, N]")  # fmt: skip
    return d


def drawings():
    yield loss_graph()
    yield broadcast_back()
    yield product_back()
