from drawing import Drawing

CELL = 30


def drawings():
    yield memory()
    yield repeated()


def memory():
    d = Drawing(
        "memory",
        420,
        250,
        "The 24 numbers of a tensor of shape [2, 3, 4] as one row in memory, drawn in two lines of twelve. "
        "Going one number further moves by 1, one word further by 4, one sentence further by 12. "
        "Element [1, 2, 1] is at offset 21.",
    )
    left, tops = 30, (60, 180)
    for sentence, top in enumerate(tops):
        d.text(left, top - 48 if sentence == 0 else top + CELL + 16, f"sentence {sentence}", 13, "start", bold=True)
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
    d.arrow((middle(0) - 9, below + 3), (middle(0) - 9, tops[1] - 3))
    d.text(middle(0) - 2, below + 38, "+12", 13, "start")
    d.text(middle(9), tops[1] + CELL + 16, "[1, 2, 1] is at offset 21", 13)
    return d


def repeated():
    d = Drawing(
        "repeated",
        420,
        235,
        "A column of 1, 2, 3 and a row of 10, 20, 30, 40 give a table of three rows and four columns. "
        "The column is read with strides 1 and 0, the row with strides 0 and 1.",
    )
    column, row = (1, 2, 3), (10, 20, 30, 40)
    d.matrix(40, 90, [[str(c)] for c in column], cell=36)
    d.matrix(160, 30, [[str(r) for r in row]], cell=36, role="masked")
    d.matrix(160, 90, [[str(c + r) for r in row] for c in column], cell=36)
    d.arrow((84, 144), (150, 144))
    d.text(117, 130, "stride 0", 12)
    d.arrow((325, 48), (345, 48), (345, 90))
    d.text(352, 68, "stride 0", 12, "start")
    d.text(58, 215, "[3, 1]", 13)
    d.text(232, 15, "[4]", 13)
    d.text(232, 215, "[3, 4]", 13)
    return d
