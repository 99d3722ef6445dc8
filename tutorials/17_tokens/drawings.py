"""Chapter 17: five merges on a sentence, row by row, and the same text in two units."""

from drawing import Drawing

TEXT = "the hen and then the other hen"
MERGES = (("h", "e", 6), ("t", "he", 4), (" ", "he", 2), (" ", "the", 2), (" he", "n", 2))


def merged(tokens, left, right):
    result = []
    for token in tokens:
        if token == right and result and result[-1][0] == left and not result[-1][1]:
            result[-1] = (left + right, True)
        else:
            result.append((token, False))
    return [token for token, _ in result]


def words(text):
    """The bytes of each word; a space begins a word."""
    return [list(word) for word in text.replace(" ", "| ").split("|")]


def drawings():
    cell, top, step = 18.5, 52, 52
    d = Drawing(
        "merges",
        590,
        352,
        "The sentence the hen and then the other hen, as 30 bytes in the first row. In each following row one pair of"
        " neighbours has become one token: h and e six times, t and he four times, then space and he, space and the, and"
        " space he and n, twice each. In the last row 14 tokens are left, among them the, space hen and space the.",
    )
    rows, names = words(TEXT), ["30 bytes"]
    shown = [rows]
    for left, right, count in MERGES:
        rows = [merged(word, left, right) for word in rows]
        shown.append(rows)
        name = f"{left} + {right}".replace(" ", "_", left.startswith(" "))
        names.append(f"{name}, {count} times: {sum(map(len, rows))} tokens")
    for i, (rows, name) in enumerate(zip(shown, names)):
        y, x = top + step * i, 14
        d.text(x, y - 14, name, 12, "start")
        new = "".join(MERGES[i - 1][:2]) if i else None
        for word in rows:
            for token in word:
                role = "weights" if token == new else "masked" if len(token) > 1 else "plain"
                d.box(x + 1, y - 2, cell * len(token) - 2, 26, token.replace(" ", "_"), role, 12)
                x += cell * len(token)
    d.text(14, 14, "Each row merges the most frequent pair of the row above:", 13, "start", bold=True)
    yield d
