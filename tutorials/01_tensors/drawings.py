from drawing import Drawing

CELL = 30


def drawings():
    yield memory()
    yield three_readings()
    yield repeated()


def memory():
    d = Drawing(
        "memory",
        420,
        260,
        "The 24 numbers of a tensor of shape [2, 3, 4] as one row in memory, drawn in two lines of twelve. "
        "Going one number further moves by 1, one word further by 4, one sentence further by 12. "
        "Element [1, 2, 1] is at offset 21.",
    )
    left, tops = 36, (60, 190)
    for sentence, top in enumerate(tops):
        d.text(left, top - 46, f"sentence {sentence}", 13, "start", bold=True)
        for word in range(3):
            x = left + 4 * word * CELL
            d.text(x + 2 * CELL, top - 24, f"word {word}", 13)
            d.line((x + 14, top - 12), (x + 4 * CELL - 14, top - 12))
            first = sentence * 12 + word * 4
            roles = [["masked" if first + i == 21 else "plain" for i in range(4)]]
            d.matrix(x, top, [[str(first + i) for i in range(4)]], roles=roles, cell=CELL)
    middle = lambda i: left + (i % 12 + 0.5) * CELL  # noqa: E731
    below = tops[0] + CELL
    d.arrow((middle(0), below + 3), (middle(0), below + 14), (middle(1), below + 14), (middle(1), below + 3))
    d.text(middle(1) + 8, below + 16, "+1", 13, "start")
    d.arrow((middle(4), below + 3), (middle(4), below + 20), (middle(8), below + 20), (middle(8), below + 3))
    d.text(middle(6), below + 32, "+4", 13)
    half = CELL / 2
    d.arrow((left - 3, tops[0] + half), (left - 20, tops[0] + half), (left - 20, tops[1] + half), (left - 3, tops[1] + half))
    d.text(left - 14, below + 30, "+12", 13, "start")
    d.text(middle(9), tops[1] + CELL + 16, "[1, 2, 1] is at offset 21", 13)
    return d


def three_readings():
    d = Drawing(
        "three_readings",
        400,
        215,
        "Six cells with the offsets 0 to 5, read as three matrices. Shape [3, 2] with strides 2 and 1 gives the rows 0 1, 2 3 "
        "and 4 5. Shape [3, 2] with strides 1 and 3 gives the rows 0 3, 1 4 and 2 5, the transpose. Shape [2, 3] with strides "
        "0 and 1 gives the row 0 1 2 twice.",
    )
    d.matrix(110, 24, [[str(i) for i in range(6)]], cell=CELL)
    d.text(200, 12, "in memory", 13)
    for x, shape, strides, name in (
        (30, (3, 2), (2, 1), "new shape"),
        (160, (3, 2), (1, 3), "transpose"),
        (280, (2, 3), (0, 1), "repeated row"),
    ):
        cells = [[str(i * strides[0] + j * strides[1]) for j in range(shape[1])] for i in range(shape[0])]
        middle = x + shape[1] * CELL / 2
        d.text(middle, 78, name, 13, bold=True)
        d.matrix(x, 92, cells, cell=CELL)
        d.text(middle, 198, f"[{shape[0]}, {shape[1]}]; strides {strides[0]}, {strides[1]}", 12)
    return d


def repeated():
    d = Drawing(
        "repeated",
        420,
        275,
        "A column of 1, 2, 3 and a row of 10, 20, 30, 40 give a table of three rows and four columns. "
        "The column is read with strides 1 and 0, the row with strides 0 and 1.",
    )
    column, row = (1, 2, 3), (10, 20, 30, 40)
    d.matrix(40, 112, [[str(c)] for c in column], cell=36, role="masked")
    d.matrix(160, 30, [[str(r) for r in row]], cell=36, role="masked")
    d.matrix(160, 112, [[str(c + r) for r in row] for c in column], cell=36)
    d.arrow((84, 166), (150, 166))
    d.text(117, 152, "stride 0", 12)
    d.arrow((232, 72), (232, 106))
    d.text(242, 90, "stride 0", 12, "start")
    d.text(58, 240, "[3, 1]", 13)
    d.text(58, 258, "strides 1, 0", 12)
    d.text(232, 15, "[4], read with strides 0, 1", 13)
    d.text(232, 240, "[3, 4]", 13)
    return d
