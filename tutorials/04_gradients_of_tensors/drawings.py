"""The drawings of chapter 04: turns of a backward pass, a broadcast and its Jacobian, the matrix product's gradients."""

from drawing import Drawing


def broadcast_back():
    d = Drawing(
        "broadcast_back",
        400,
        152,
        "Left, forward: the row b, 7, 8, 9, is read into both rows of a table. Right, backward: the table's gradients 1, 2, 3 and "
        "4, 5, 6 are added, column by column, into the row 5, 7, 9.",
    )
    cell = 30
    for left, title, row, table, role, names in (
        (80, "forward: read twice", [7, 8, 9], [[7, 8, 9], [7, 8, 9]], "plain", ("b", "table")),
        (290, "backward: add", [5, 7, 9], [[1, 2, 3], [4, 5, 6]], "gradient", ("db", "dy")),
    ):
        d.text(left + 1.5 * cell, 14, title, 14, bold=True)
        d.matrix(left, 34, [[str(n) for n in row]], role, cell, size=14)
        d.matrix(left, 86, [[str(n) for n in line] for line in table], role, cell, size=14)
        d.text(left - 16, 49, names[0], 14, "end")
        d.text(left - 16, 116, names[1], 14, "end")
        for i in range(3):
            x = left + cell * (i + 0.5)
            ends = (x, 66), (x, 84)
            d.arrow(*(ends if role == "plain" else ends[::-1]), role=role)
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
        ("7  matmul w2", "[60, 1]", ("2  w2", "[8, 1]"), "6, 3, 2"),
        ("6  tanh", "[60, 8]", None, "5, 3, 2"),
        ("5  plus b1", "[60, 8]", ("1  b1", "[8]"), "4, 3, 2, 1"),
        ("4  matmul w1", "[60, 8]", ("0  w1", "[2, 8]"), "3, 2, 1, 0"),
    ]
    d.text(127, 14, "ops", 14, bold=True)
    d.text(340, 14, "leaves", 14, bold=True)
    d.text(416, 14, "arrived afterwards", 14, "start", bold=True)
    last = None
    for i, (name, shape, leaf, arrived) in enumerate(ops):
        y = 30 + 49 * i
        box = d.box(4, y, 246, 32)
        d.text(14, y + 16, name, 13, "start")
        d.text(240, y + 16, shape, 13, "end")
        if last and i == 3:  # error is both factors
            for aside in (-24, 24):
                d.arrow((127 + aside, last.bottom[1]), (127 + aside, y), role="gradient")
        elif last:
            d.arrow(last.bottom, box.top, role="gradient")
        if leaf:
            end = d.box(280, y, 120, 32)
            d.text(290, y + 16, leaf[0], 13, "start")
            d.text(390, y + 16, leaf[1], 13, "end")
            d.arrow(box.right, end.left, role="gradient")
        d.text(416, y + 16, arrived, 13, "start", role="gradient")
        last = box
    return d


def turns(d, left, title, of_t, of_s, passed, total):
    """The graph of y = s + t at x = 3, with the turn of each node and the gradient that it passes on."""
    d.text(left + 120, 14, title, 14, bold=True)
    y = d.box(left + 70, 34, 96, 34, "y = s + t")
    t = d.box(left, 108, 96, 34, "t = s²")
    s = d.box(left + 70, 192, 96, 34, "s = x²")
    x = d.box(left + 70, 274, 96, 34, "x = 3")
    d.text(left + 176, 51, "turn 1", 13, "start")
    d.text(left + 106, 125, of_t, 13, "start")
    d.text(left + 176, 209, of_s, 13, "start")
    d.arrow((left + 90, 68), (left + 56, t.top[1]), role="gradient")
    d.text(left + 56, 86, "1", 13, role="gradient")
    d.arrow((left + 156, 68), (left + 156, s.top[1]), role="gradient")
    d.text(left + 166, 150, "1", 13, "start", role="gradient")
    d.arrow((left + 56, 142), (left + 90, s.top[1]), role="gradient")
    d.text(left + 62, 172, "18", 13, "end", role="gradient")
    d.arrow(s.bottom, x.top, role="gradient")
    d.text(left + 128, 250, passed, 13, "start", role="gradient")
    d.text(left + 176, 291, total, 13, "start", role="gradient")


def two_users():
    d = Drawing(
        "two_users",
        300,
        318,
        "The graph of y = s + t with t = s times s and s = x times x, at x = 3. y has turn 1 and passes 1 to t and 1 to s. t has "
        "turn 2 and passes 18 to s. s has turn 3 and passes 19 times 6 = 114 to x.",
    )
    turns(d, 20, "the backward pass", "turn 2", "turn 3: 1 + 18", "19 · 6", "114")
    return d


def late_share():
    d = Drawing(
        "late_share",
        360,
        318,
        "The same graph with the numbers of s and t exchanged: y has turn 1, s turn 2 with 1 and passes 6 to x, t turn 3 and "
        "passes 18 to s, and s turn 4 with 18 and passes 108 to x, together 114.",
    )
    turns(d, 20, "numbers exchanged, nothing freed", "turn 3", "turn 2: 1\nturn 4: 18", "1 · 6\n18 · 6", "6 + 108 = 114")
    return d


def product_back():
    d = Drawing(
        "product_back",
        600,
        376,
        "Matrices as rectangles with their sizes. Above: A, M by K, times B, K by N, gives Y, M by N. In the middle: "
        "dY, M by N, times B transposed, N by K, gives dA, M by K. Below: A transposed, K by M, times dY, M by N, "
        "gives dB, K by N. Shaded above are one element of A and the row of Y that uses it. Shaded in the middle are that row "
        "of dY, a column of B transposed, and the element of dA that they give.",
    )
    sizes = {"M": 40, "K": 90, "N": 64}
    at = {"M": 4, "K": 16}  # where row m and column k are

    def line(top, parts, text, shaded=()):
        x, middle = 26, top + 68
        for name, rows, columns, role, sign in parts:
            height, width = sizes[rows], sizes[columns]
            d.box(x, middle - height / 2, width, height, name, role, 14)
            if name in shaded:
                row, column = "m" in shaded[name], "k" in shaded[name]
                left, upper = x + at["K"] * column, middle - height / 2 + at["M"] * row
                d.rect(left, upper, 9 if column else width, 9 if row else height, 'fill="currentColor" fill-opacity="0.45"')
            d.text(x - 10, middle, rows, 12)
            d.text(x + width / 2, middle - height / 2 - 10, columns, 12)
            if sign:
                d.text(x + width + 15, middle, sign, 18)
            x += width + 48
        d.text(384, middle, text, 14, "start")

    line(0, [("A", "M", "K", "plain", "×"), ("B", "K", "N", "plain", "="), ("Y", "M", "N", "plain", "")],
         "Y = A B\n[M, K] [K, N] to [M, N]", {"A": "mk", "Y": "m"})  # fmt: skip
    line(122, [("dY", "M", "N", "gradient", "×"), ("Bᵀ", "N", "K", "plain", "="), ("dA", "M", "K", "gradient", "")],
         "dA = dY Bᵀ\n[M, N] [N, K] to [M, K]", {"dY": "m", "Bᵀ": "k", "dA": "mk"})  # fmt: skip
    line(250, [("Aᵀ", "K", "M", "plain", "×"), ("dY", "M", "N", "gradient", "="), ("dB", "K", "N", "gradient", "")],
         "dB = Aᵀ dY\n[K, M] [M, N] to [K, N]")  # fmt: skip
    return d


def drawings():
    yield loss_graph()
    yield two_users()
    yield late_share()
    yield broadcast_back()
    yield product_back()
