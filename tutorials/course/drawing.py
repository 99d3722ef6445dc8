"""Draws architectures in one visual language: boxes, arrows and small matrices.

A chapter's drawings.py has `def drawings():`, which yields Drawings. The command `capture` writes each as NAME.svg
beside the program's figures; the page shows it like any figure. A thing has the same colour in the whole course: code
gives its role, not its colour. Letters and lines take the page's colour, so that a drawing reads in light and dark.

A phone shows a drawing as wide as its screen, without scrolling. So a wide drawing is made WIDEST wide: all places move
together in x, while letters, circles and heads of arrows keep their shapes; and small letters become larger. If that is
too tight, yield two Drawings: NAME with for_phones=False, and NAME_narrow.
"""

import importlib.util
import json
from html import escape
from pathlib import Path

from wrong import Trouble

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
PHONE, LEAST, WIDEST = 390, 9.5, 507  # the width of a phone, the least height of letters on it, and the greatest width
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
    def __init__(self, name, width, height, about, for_phones=True):
        """`about` describes the drawing in whole sentences, for readers who cannot see it. `for_phones` is false if phones
        show another drawing, NAME_narrow, instead."""
        self.name, self.width, self.height, self.about, self.parts = name, width, height, about, []
        self.share = min(1, WIDEST / width) if for_phones else 1  # all x are multiplied by it
        self.least = LEAST * max(1, width * self.share / PHONE) if for_phones else 0  # the least font size

    def text(self, x, y, text, size=14, anchor="middle", role="plain", bold=False, mono=False):
        """Words whose middle is at height y; a line break begins a new line. anchor: start, middle or end."""
        lines, size, x = text.split("\n"), max(size, self.least), x * self.share
        look = f'font-size="{size:.4g}" text-anchor="{anchor}" fill="{ROLES[role] or "currentColor"}"'
        look += ' font-weight="bold"' * bold + ' font-family="monospace"' * mono
        for i, line in enumerate(lines):
            at = y + (i - (len(lines) - 1) / 2) * size * 1.25 + size * 0.35
            self.parts.append(f'<text x="{x:.5g}" y="{at:g}" {look}>{escape(line)}</text>')

    def box(self, x, y, width, height, text="", role="plain", size=14, dashed=False):
        """Draws a box with words in its middle. Returns its place, for arrows."""
        colour = ROLES[role]
        fill = f'fill="{colour}" fill-opacity="0.22"' if colour else 'fill="none"'
        dash = ' stroke-dasharray="5 4"' * dashed
        self.rect(x, y, width, height, f'rx="6" {fill} stroke="{colour or "currentColor"}" stroke-width="1.5"{dash}')
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
        at = " ".join(f"{self.share * x:.5g},{y:g}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' * dashed
        self.parts.append(
            f'<polyline points="{at}" fill="none" stroke="{ROLES[role] or "currentColor"}" stroke-width="{width:g}"{dash}/>'
        )

    def arrow(self, *points, role="plain", text="", dashed=False, width=1.5, size=13):
        """Draws an arrow through the points, with its head at the last; its words stand right of the middle of the first
        line."""
        (x0, y0), (x1, y1) = ((self.share * x, y) for x, y in points[-2:])
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        self.line(*points[:-1], ((x1 - 6 * dx) / self.share, y1 - 6 * dy), role=role, dashed=dashed, width=width)
        base, side = (x1 - 9 * dx, y1 - 9 * dy), (-dy * 4.5, dx * 4.5)
        corners = (x1, y1), (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])
        head = " ".join(f"{x:.5g},{y:.5g}" for x, y in corners)
        self.parts.append(f'<polygon points="{head}" fill="{ROLES[role] or "currentColor"}"/>')
        if text:
            (ax, ay), (bx, by) = points[:2]
            self.text((ax + bx) / 2 + 7 / self.share, (ay + by) / 2, text, size, "start")

    def join(self, x, y, sign="+", role="plain"):
        """Draws a small circle for an addition (+) or a multiplication (×). Returns its box."""
        self.circle(x, y, 10, f'fill="none" stroke="{ROLES[role] or "currentColor"}" stroke-width="1.5"')
        self.text(x, y, sign, 16)
        return Box(x - 10 / self.share, y - 10, 20 / self.share, 20)

    def rect(self, x, y, width, height, look):
        """Draws a rectangle; `look` are its other attributes."""
        left, wide = self.share * x, self.share * width
        self.parts.append(f'<rect x="{left:.5g}" y="{y:.5g}" width="{wide:.5g}" height="{height:.5g}" {look}/>')

    def circle(self, x, y, radius, look):
        self.parts.append(f'<circle cx="{self.share * x:.5g}" cy="{y:.5g}" r="{radius:g}" {look}/>')

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
                self.rect(x + j * cell, y + i * cell, cell, cell, f'{fill} stroke="currentColor" stroke-width="0.8"')
                if word:
                    self.text(x + (j + 0.5) * cell, y + (i + 0.5) * cell, word, size)
        return Box(x, y, cell * max(map(len, cells)), cell * len(cells))

    def svg(self):
        parts, width = "\n".join(self.parts), round(self.width * self.share)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{self.height}"'
            f' viewBox="0 0 {width} {self.height}" font-family="sans-serif" aria-label="{escape(self.about)}">\n'
            f"{STYLE}\n{parts}\n</svg>\n"
        )


def kept_part(script, name):
    """A part of expected.txt, for a drawing of its numbers; `script` is __file__. The page must show this part from expected.txt
    too, or its table could be of another run than its drawing."""
    folder = Path(script).parent
    about = json.loads((folder / "chapter.json").read_text())
    if name not in (*about.get("varies", ()), *about.get("amplifies", ())):
        raise Trouble(f"{folder.name}/drawings.py draws the part {name} of expected.txt, but the page shows this run's (name it in varies or amplifies)")
    return (folder / "expected.txt").read_text().split(f"[{name}]")[1].strip()


def drawings_of(chapter):
    """The Drawings that a chapter's drawings.py yields, or none."""
    script = chapter.folder / "drawings.py"
    if not script.exists():
        return []
    spec = importlib.util.spec_from_file_location(f"drawings_{chapter.number}", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.drawings())


def draw(chapter):
    """Writes the drawings of a chapter into its output, and removes those for phones that an earlier version drew."""
    drawings = drawings_of(chapter)
    for drawing in drawings:
        (chapter.output / f"{drawing.name}_narrow.svg").unlink(missing_ok=True)
    for drawing in drawings:
        (chapter.output / f"{drawing.name}.svg").write_text(drawing.svg())
