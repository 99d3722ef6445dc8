"""Drawings of chapter 09: the lectures' table, and where queries, keys and values go."""

from drawing import Drawing

WORDS = ("Hello", "I", "love", "you")
TABLE = ((0.8, 0.1, 0.05, 0.05), (0.1, 0.6, 0.2, 0.1), (0.05, 0.2, 0.65, 0.1), (0.2, 0.1, 0.1, 0.6))


def drawings():
    yield lecture()
    yield flow()


def lecture():
    d = Drawing(
        "lecture_table",
        500,
        300,
        "A four by four table. Rows and columns are Hello, I, love, you. Hello: .8 .1 .05 .05. I: .1 .6 .2 .1. "
        "love: .05 .2 .65 .1. you: .2 .1 .1 .6. The row of love is marked: its new vector is the sum of the four "
        "words' vectors, times these weights.",
    )
    d.text(240, 16, "attends to", 13)
    cells = [[f"{w:g}".lstrip("0") for w in row] for row in TABLE]
    table = d.matrix(132, 52, cells, "weights", 54, WORDS, WORDS, 15, shades=TABLE)
    d.line((table.x - 3, 160), (table.x + 219, 160), (table.x + 219, 214), (table.x - 3, 214), (table.x - 3, 160), width=3)
    d.arrow((table.x + 224, 187), (table.x + 256, 187))
    d.text(428, 160, "new vector\nof “love”", 14)
    d.text(428, 216, ".05 Hello + .2 I\n+ .65 love + .1 you", 12)
    d.text(36, 160, "query\nword", 13)
    return d


def flow():
    d = Drawing(
        "qkv",
        560,
        520,
        "From bottom to top: the embeddings X, T by C, are multiplied by three matrices and become the queries Q, "
        "keys K and values V, T by D each. Q times K transposed over the square root of D gives the scores, "
        "T by T. Softmax turns each row into weights that sum to 1. The weights times V are the context vectors, T by D.",
    )
    x = d.box(190, 462, 180, 44, "embeddings X [T, C]")
    q = d.box(40, 360, 120, 48, "queries Q\n[T, D]", "query")
    k = d.box(220, 360, 120, 48, "keys K\n[T, D]", "key")
    v = d.box(400, 360, 120, 48, "values V\n[T, D]", "value")
    d.arrow(x.along_top(0.2), (x.along_top(0.2)[0], 436), (100, 436), q.bottom)
    d.arrow(x.top, k.bottom)
    d.arrow(x.along_top(0.8), (x.along_top(0.8)[0], 436), (460, 436), v.bottom)
    d.text(112, 424, "W_Q", 13, "start")
    d.text(288, 424, "W_K", 13, "start")
    d.text(472, 424, "W_V", 13, "start")
    scores = d.box(90, 264, 200, 48, "scores Q Kᵀ / √D\n[T, T]", "weights")
    d.arrow(q.top, (100, 312))
    d.arrow(k.top, (280, 312))
    shades = ((0.6, 0.4, 0.02, 0.02), (0.05, 0.25, 0.7, 0.02), (0.02, 0.6, 0.4, 0.02), (0.5, 0.02, 0.02, 0.5))
    weights = d.matrix(150, 126, [[""] * 4] * 4, "weights", 20, shades=shades)
    d.text(138, 166, "weights\n[T, T]", 14, "end")
    d.arrow((190, 264), (190, 208))
    d.text(200, 238, "softmax of each row", 13, "start")
    context = d.box(180, 14, 200, 48, "context vectors\n[T, D]", "value")
    times = d.join(280, 96, "×")
    d.arrow((190, weights.y), (190, 96), times.left)
    d.arrow(v.top, (460, 96), times.right)
    d.arrow(times.top, context.bottom)
    return d
