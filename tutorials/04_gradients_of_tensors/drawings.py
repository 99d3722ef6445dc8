"""The drawings of chapter 04: what undoes a broadcast, and the shapes of the matrix product's gradients."""

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


def product_back():
    d = Drawing(
        "product_back",
        600,
        330,
        "Matrices as rectangles with their sizes. Above: A, M by K, times B, K by N, gives Y, M by N. In the middle: "
        "dY, M by N, times B transposed, N by K, gives dA, M by K. Below: A transposed, K by M, times dY, M by N, "
        "gives dB, K by N.",
    )
    m, k, n = 40, 90, 64

    def line(y, parts):
        x = 20
        for name, height, width, role, sign in parts:
            d.box(x, y + 48 - height / 2, width, height, name, role, 14)
            if sign:
                d.text(x + width + 18, y + 48, sign, 18)
            x += width + 36
        return x

    def words(y, text):
        d.text(370, y + 48, text, 14, "start")

    line(0, [("A", m, k, "plain", "×"), ("B", k, n, "plain", "="), ("Y", m, n, "plain", "")])
    words(0, "Y = A B\n[M, K] [K, N] to [M, N]")
    line(112, [("dY", m, n, "gradient", "×"), ("Bᵀ", n, k, "plain", "="), ("dA", m, k, "gradient", "")])
    words(112, "dA = dY Bᵀ\n[M, N] [N, K] to [M, K]")
    line(224, [("Aᵀ", k, m, "plain", "×"), ("dY", m, n, "gradient", "="), ("dB", k, n, "gradient", "")])
    words(224, "dB = Aᵀ dY\n[K, M] [M, N] to [K, N]")
    return d


def drawings():
    yield broadcast_back()
    yield product_back()
