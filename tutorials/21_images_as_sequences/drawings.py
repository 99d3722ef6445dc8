"""Chapter 21: how an image becomes patches in memory, and the vision transformer."""

from drawing import Drawing


def drawings():
    yield axes()
    yield model()


def axes():
    d = Drawing(
        "patch_axes",
        580,
        300,
        "An image of 4 by 6 numbers, 0 to 23, in patches of 2 by 2. The patch with 2, 3, 8 and 9 is marked. Reshape gives"
        " the axes down 2, row 2, across 3, column 2. Permute swaps row and across. The second reshape joins down with"
        " across and row with column: a table of 6 rows with 4 numbers each. The marked patch is now row 1. In memory its"
        " four numbers were in two pieces, and are now in one.",
    )
    marked = (2, 3, 8, 9)
    roles = lambda numbers: ["residual" if n in marked else "plain" for n in numbers]  # noqa: E731
    rows = [list(range(6 * i, 6 * i + 6)) for i in range(4)]
    image = d.matrix(14, 52, [[str(n) for n in r] for r in rows], cell=26, roles=[roles(r) for r in rows])
    d.text(image.middle[0], 34, "image [4, 6]", 14)
    d.line((image.x, image.y + 52), (image.x + 156, image.y + 52), width=2.5)
    for i in (1, 2):
        d.line((image.x + 52 * i, image.y), (image.x + 52 * i, image.y + 104), width=2.5)
    d.text(300, 60, "reshape to\n[down 2, row 2, across 3, column 2]", 13)
    d.text(300, 112, "permute to\n[down 2, across 3, row 2, column 2]", 13)
    d.text(300, 160, "reshape to [N = 6, P² = 4]", 13)
    d.arrow((190, 139), (416, 139))
    first = [12 * down + 2 * across for down in (0, 1) for across in (0, 1, 2)]
    patches = [[n, n + 1, n + 6, n + 7] for n in first]
    cells = [[str(n) for n in p] for p in patches]
    table = d.matrix(450, 38, cells, cell=26, rows=[str(i) for i in range(6)], roles=[roles(p) for p in patches])
    d.text(table.middle[0], 20, "patches [6, 4]", 14)
    for y, name, order in ((222, "in memory before", sum(rows, [])), (272, "and after", sum(patches, []))):
        d.text(14, y - 11, name, 13, "start")
        d.matrix(14, y, [[str(n) for n in order]], cell=23, size=11, roles=[roles(order)])
    return d


def model():
    d = Drawing(
        "vision_model",
        580,
        430,
        "From bottom to top: an image is cut into patches. One linear layer makes a vector of each. A learned class token is"
        " put before them, a learned position is added to each of the N plus 1 vectors. The residual stream goes through L"
        " blocks of attention and feed-forward network and a last norm. Of the result only the class token's vector is used:"
        " a linear layer makes ten logits of it.",
    )
    x = [76 + 90 * i for i in range(5)]
    names = ("class", "patch 1", "patch 2", "patch 3", "patch N")
    for i in range(5):
        middle = x[i] + 35
        vector = d.box(x[i], 236, 70, 30, names[i], "residual", size=12)
        if i > 0:
            d.box(x[i] + 17, 388, 36, 36, "P²", size=12)
            d.arrow((middle, 388), (middle, 352))
            d.arrow((middle, 322), (middle, 304))
        else:
            d.box(x[i] - 6, 322, 82, 30, "class_token", size=12, dashed=True)
            d.arrow((middle, 322), (middle, 304))
        plus = d.join(middle, 293)
        d.arrow(plus.top, vector.bottom)
        d.arrow(vector.top, (middle, 214), role="residual")
    d.box(x[1], 322, x[4] + 70 - x[1], 30, "one linear layer for all patches: embed [P², C]")
    d.text(x[4] + 52, 293, "positions", 12, "start")
    d.text(x[0] + 35, 406, "the image,\nin patches", 12)
    d.text(x[3] + 80, 251, "…", 16)
    d.text(x[3] + 80, 406, "…", 16)
    d.frame(x[0] - 10, 118, 450, 96, "encoder: block × L, then a norm")
    d.box(x[0] + 12, 172, 406, 30, "attention: each of the N + 1 sees all", "weights", size=13)
    d.box(x[0] + 12, 142, 406, 26, "feed-forward, on each", "feed_forward", size=13)
    d.arrow((x[0] + 35, 118), (x[0] + 35, 96), role="residual")
    head = d.box(x[0], 66, 70, 30, "head", size=12)
    d.arrow(head.top, (head.top[0], 42))
    d.text(head.top[0], 30, "10 logits", 13)
    for i in range(1, 5):
        d.arrow((x[i] + 35, 118), (x[i] + 35, 100), role="masked", dashed=True)
    d.text(x[2] + 70, 86, "not used", 12)
    return d
