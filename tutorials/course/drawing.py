"""Draws architectures in one visual language: boxes, arrows and small matrices.

A chapter's drawings.py has `def drawings():`, which yields Drawings. The command `capture` writes each as NAME.svg
beside the program's figures; the page shows it like any figure. A thing has the same colour in the whole course: code
gives its role, not its colour. Letters and lines take the page's colour, so that a drawing reads in light and dark. Keep
drawings at most 600 wide: a narrow screen must scroll wider ones.
"""

import importlib.util
from html import escape

ROLES = {
    "plain": None,  # the page's own colour
    "query": "#0072B2",
    "key": "#D55E00",
    "value": "#009E73",
    "weights": "#E69F00",  # scores, before and after softmax
    "residual": "#CC79A7",
    "norm": "#56B4E9",
    "feed_forward": "#8A6FC0",
    "gradient": "#C0392B",
    "masked": "#808080",
}
STYLE = (
    "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}@media print{svg{color:#000}}</style>"
)


class Box:
    """The place of a box: its middle, and the middles of its sides."""

    def __init__(self, x, y, width, height):
        self.x, self.y, self.width, self.height = x, y, width, height
        self.left, self.right = (x, y + height / 2), (x + width, y + height / 2)
        self.top, self.bottom = (x + width / 2, y), (x + width / 2, y + height)
        self.middle = (x + width / 2, y + height / 2)

    def along_top(self, share):
        """A point on the upper side, 0 at its left end and 1 at its right."""
        return (self.x + share * self.width, self.y)

    def along_bottom(self, share):
        return (self.x + share * self.width, self.y + self.height)


class Drawing:
    def __init__(self, name, width, height, about):
        """`about` describes the drawing in whole sentences, for readers who cannot see it."""
        self.name, self.width, self.height, self.about, self.parts = name, width, height, about, []

    def text(self, x, y, text, size=14, anchor="middle", role="plain", bold=False, mono=False):
        """Words whose middle is at height y; a line break begins a new line. anchor: start, middle or end."""
        lines = text.split("\n")
        look = f'font-size="{size}" text-anchor="{anchor}" fill="{ROLES[role] or "currentColor"}"'
        look += ' font-weight="bold"' * bold + ' font-family="monospace"' * mono
        for i, line in enumerate(lines):
            at = y + (i - (len(lines) - 1) / 2) * size * 1.25 + size * 0.35
            self.parts.append(f'<text x="{x:g}" y="{at:g}" {look}>{escape(line)}</text>')

    def box(self, x, y, width, height, text="", role="plain", size=14, dashed=False):
        """Draws a box with words in its middle. Returns its place, for arrows."""
        colour = ROLES[role]
        fill = f'fill="{colour}" fill-opacity="0.22"' if colour else 'fill="none"'
        dash = ' stroke-dasharray="5 4"' * dashed
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" {fill}'
            f' stroke="{colour or "currentColor"}" stroke-width="1.5"{dash}/>'
        )
        if text:
            self.text(x + width / 2, y + height / 2, text, size)
        return Box(x, y, width, height)

    def frame(self, x, y, width, height, text=""):
        """Draws a dashed frame around a group, with the group's name inside at the upper left."""
        frame = self.box(x, y, width, height, dashed=True)
        if text:
            self.text(x + 10, y + 14, text, 13, "start", bold=True)
        return frame

    def line(self, *points, role="plain", dashed=False, width=1.5):
        at = " ".join(f"{x:g},{y:g}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' * dashed
        self.parts.append(
            f'<polyline points="{at}" fill="none" stroke="{ROLES[role] or "currentColor"}" stroke-width="{width:g}"{dash}/>'
        )

    def arrow(self, *points, role="plain", text="", dashed=False, width=1.5, size=13):
        """Draws an arrow through the points, with its head at the last; its words stand right of the middle of the first
        line."""
        (x0, y0), (x1, y1) = points[-2:]
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        self.line(*points[:-1], (x1 - 6 * dx, y1 - 6 * dy), role=role, dashed=dashed, width=width)
        base, side = (x1 - 9 * dx, y1 - 9 * dy), (-dy * 4.5, dx * 4.5)
        head = f"{x1:g},{y1:g} {base[0] + side[0]:g},{base[1] + side[1]:g} {base[0] - side[0]:g},{base[1] - side[1]:g}"
        self.parts.append(f'<polygon points="{head}" fill="{ROLES[role] or "currentColor"}"/>')
        if text:
            (ax, ay), (bx, by) = points[:2]
            self.text((ax + bx) / 2 + 7, (ay + by) / 2, text, size, "start")

    def join(self, x, y, sign="+", role="plain"):
        """Draws a small circle for an addition (+) or a multiplication (×). Returns its box."""
        colour = ROLES[role] or "currentColor"
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        self.text(x, y, sign, 16)
        return Box(x - 10, y - 10, 20, 20)

    def matrix(self, x, y, cells, role="plain", cell=26, rows=(), columns=(), size=12, shades=None, roles=None):
        """Draws squares with the words of `cells` (rows of words; "" for none). `rows` and `columns` are their names.
        `shades`, rows of numbers from 0 to 1, give the strength of each colour; `roles`, rows of roles, give the colour
        of each square."""
        for j, name in enumerate(columns):
            self.text(x + (j + 0.5) * cell, y - 10, name, size)
        for i, row in enumerate(cells):
            if rows:
                self.text(x - 7, y + (i + 0.5) * cell, rows[i], size, "end")
            for j, word in enumerate(row):
                colour = ROLES[roles[i][j] if roles else role]
                strength = 0.22 if shades is None else 0.05 + 0.75 * shades[i][j]
                fill = f'fill="{colour}" fill-opacity="{strength:.2f}"' if colour else 'fill="none"'
                self.parts.append(
                    f'<rect x="{x + j * cell:g}" y="{y + i * cell:g}" width="{cell:g}" height="{cell:g}" {fill}'
                    ' stroke="currentColor" stroke-width="0.8"/>'
                )
                if word:
                    self.text(x + (j + 0.5) * cell, y + (i + 0.5) * cell, word, size)
        return Box(x, y, cell * max(map(len, cells)), cell * len(cells))

    def svg(self):
        parts = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}"'
            f' viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" aria-label="{escape(self.about)}">\n'
            f"{STYLE}\n{parts}\n</svg>\n"
        )


def draw(chapter):
    """Writes the drawings of a chapter that has drawings.py into its output."""
    script = chapter.folder / "drawings.py"
    if not script.exists():
        return
    spec = importlib.util.spec_from_file_location(f"drawings_{chapter.number}", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for drawing in module.drawings():
        (chapter.output / f"{drawing.name}.svg").write_text(drawing.svg())
