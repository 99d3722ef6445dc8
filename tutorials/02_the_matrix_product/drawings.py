from drawing import Drawing


def drawings():
    yield readings()
    yield tile()


def readings():
    d = Drawing(
        "readings",
        420,
        246,
        "The first eight numbers that two loops read of a matrix with eight columns, with lines of four numbers. "
        "The loop ijk goes down a column and touches eight lines; ikj goes along a row and touches two.",
    )
    for left, name, used in ((10, "ijk: down a column", lambda i, j: j == 0), (225, "ikj: along a row", lambda i, j: i == 0)):
        d.text(left + 92, 16, name, 14, bold=True)
        words = [[str(i + j) if used(i, j) else "" for j in range(8)] for i in range(8)]
        fetched = lambda i, j: used(i, j) or used(i, j // 4 * 4)  # noqa: B023, E731
        roles = [["masked" if fetched(i, j) else "plain" for j in range(8)] for i in range(8)]
        d.matrix(left, 32, words, roles=roles, cell=23)
        for x in (left, left + 92, left + 184):  # where lines begin and end
            d.line((x, 32), (x, 216), width=3)
    d.text(210, 238, "grey: lines fetched; thick: where lines end; numbers: the order", 12)
    return d


def tile():
    d = Drawing(
        "tile",
        480,
        290,
        "A tile of c, 4 rows by 32 columns, needs the same 4 rows of a and 32 columns of b. "
        "Each of these numbers of a is used 32 times, and each of b 4 times. "
        "With cache blocking, only some rows of b, the depth, are used until all tiles are done.",
    )
    size, x, y = 120, 40, 155
    d.box(x, y, size, size)
    d.box(x + 190, y, size, size)
    d.box(x + 190, 20, size, size)
    for text, at in (("a", (x + 12, y + 105)), ("c", (x + 202, y + 105)), ("b", (x + 202, 125))):
        d.text(*at, text, 16, bold=True)
    d.box(x, y + 40, 50, 14, role="masked")
    d.box(x + 190 + 60, y + 40, 34, 14, role="masked")
    d.box(x + 190, 20, size, 50, dashed=True)
    d.box(x + 190 + 60, 20, 34, 50, role="masked")
    d.arrow((x + 54, y + 47), (x + 244, y + 47))
    d.arrow((x + 190 + 77, 74), (x + 190 + 77, y + 36))
    d.text(x + 190 + size + 8, 45, "depth", 13, "start")
    d.text(x + 190 + size + 8, 90, "each number of b\nis used 4 times", 13, "start")
    d.text(x + 190 + size + 8, y + 47, "tile, 4 rows", 13, "start")
    d.text(x + 25, y + 26, "depth", 13)
    d.text(x + 60, y - 30, "each number of a\nis used 32 times", 13)
    d.text(x + 190 + 77, 10, "32 columns", 12)
    return d
