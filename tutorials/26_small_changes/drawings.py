"""Chapter 26: a low-rank pair beside a frozen matrix, a row in eight bits, and two answers' probabilities in training."""

from pathlib import Path

from drawing import Drawing

ROW = (0.31, -0.08, 0.52, 0.14, -0.43, 0.02)  # the row of the program, whose third number is 52 with the outlier


def pair():
    d = Drawing(
        "low_rank_pair",
        600,
        246,
        "A large grey square W with in rows and out columns is frozen. To it is added s times the product of two thin orange"
        " matrices, which are trained: A has in rows and r columns, and B has r rows and out columns.",
    )
    d.text(110, 20, "frozen", 14, bold=True)
    d.box(30, 56, 160, 144, "W", "masked", 18)
    d.text(110, 222, "in × out numbers", 13)
    d.text(214, 128, "+", 22)
    d.text(250, 128, "s", 18)
    d.text(408, 20, "trained", 14, bold=True)
    d.box(288, 56, 26, 144, "A", "weights", 16)
    d.box(366, 115, 160, 26, "B", "weights", 16)
    d.text(301, 43, "r columns", 12)
    d.text(446, 102, "r rows", 12)
    d.text(420, 222, "r × (in + out) numbers", 13)
    return d


def line(d, y, title, numbers):
    """A row's numbers, on the line of the 255 numbers that its scale can store."""
    left, right, largest = 40, 560, max(numbers)
    at = lambda x: (left + right) / 2 + x / largest * (right - left) / 2  # noqa: E731
    d.text(left, y - 34, title, 13, "start", bold=True)
    d.line((left, y), (right, y), role="masked")
    for whole in range(-127, 128):
        half = 10 if whole in (-127, 0, 127) else 5
        d.line((at(whole * largest / 127), y - half), (at(whole * largest / 127), y + half), role="masked", width=0.6)
    for whole in (-127, 0, 127):
        d.text(at(whole * largest / 127), y + 24, str(whole), 12)
    for x in numbers:
        d.circle(at(x), y, 4.5, 'fill="#D55E00" fill-opacity="0.8"')


def rows():
    d = Drawing(
        "row_in_int8",
        600,
        192,
        "Two lines, each with 255 ticks from -127 to 127. On the upper line, the six numbers of a row lie far apart, and the"
        " largest, 0.52, lies on 127. On the lower line, 52 lies on 127, and the other five numbers lie together at 0.",
    )
    line(d, 58, "the largest number is 0.52", ROW)
    line(d, 152, "the largest number is 52", (*ROW[:2], 52, *ROW[3:]))
    return d


def part_of(name):
    """A part of the long run's output, as lines."""
    return (Path(__file__).parent / "long.txt").read_text().split(f"[{name}]")[1].strip().split("\n")


def panel(d, left, top, wide, title, steps, better, worse, least):
    """ln p of both answers over the steps."""
    high = 150
    at = lambda step, p: (left + wide * step / steps[-1], top + 30 + high * p / least)  # noqa: E731
    d.text(left + wide / 2, top, title, 13, bold=True)
    for p in range(0, least - 1, -2):
        d.line(at(0, p), at(steps[-1], p), role="masked", width=0.5)
        d.text(left - 8, at(0, p)[1], str(p), 12, "end")
    for step in range(0, steps[-1] + 1, 20):
        d.text(at(step, 0)[0], top + high + 46, str(step), 12)
    d.line(*(at(*point) for point in zip(steps, better, strict=True)), role="value", width=2.5)
    d.line(*(at(*point) for point in zip(steps, worse, strict=True)), role="key", width=2.5, dashed=True)


TITLES = ("DPO", "better answers alone", "DPO + better answers")


def curves(narrow):
    table = [[float(word) for word in row.split()] for row in part_of("long_curves")[2:]]
    steps = [int(row[0]) for row in table]
    least = -2 * int(-min(min(row[1:]) for row in table) / 2 + 1)
    d = Drawing(
        "both_answers" + "_narrow" * narrow,
        390 if narrow else 640,
        700 if narrow else 260,
        "Three panels with the mean log-probability of the better and the worse answers over 60 steps. With DPO, the better"
        " answers rise a little in the first ten to twenty steps, and then both fall, the worse ones further. With the better"
        " answers alone, the better ones rise steadily. With DPO plus the better answers, the better ones rise and the worse"
        " ones fall.",
        for_phones=narrow,
    )
    for i, title in enumerate(TITLES):
        columns = [row[1 + 2 * i] for row in table], [row[2 + 2 * i] for row in table]
        if narrow:
            panel(d, 56, 16 + 222 * i, 310, title, steps, *columns, least)
        else:
            panel(d, 40 + 206 * i, 14, 160, title, steps, *columns, least)
    x, y = (40, 688) if narrow else (170, 246)
    for role, name, dashed in (("value", "better answers", False), ("key", "worse answers", True)):
        d.line((x, y), (x + 30, y), role=role, width=2.5, dashed=dashed)
        d.text(x + 38, y, name, 13, "start")
        x += 170
    return d


def drawings():
    yield pair()
    yield rows()
    yield curves(False)
    yield curves(True)
