"""Draws the files that the reader has built: a transformer whose parts are pocket's files."""

import re

from terminal import coloured

# {attention} stands for a file, which is drawn with the same width.
DRAWING = """\
                                               the next word
                                                     ▲
                                       ┌─────────────┴─────────────┐
                                       │ {write                  } │
                                       └─────────────▲─────────────┘
    ┌─ encoder ─────────────────┐      ┌─ decoder ───┴─────────────┐
    │ {bert                   } │      │ {gpt                    } │
    │ ┌───────────────────────┐ │      │ ┌───────────────────────┐ │
    │ │ {block              } │ │  ┌───│►│ {block              } │ │
    │ │ add, norm, feed-fwd   ├─│──┘   │ │ by {transformer     } │ │
    │ └───────────▲───────────┘ │      │ └───────────▲───────────┘ │
    │ ┌───────────┴───────────┐ │      │ ┌───────────┴───────────┐ │
    │ │ {attention          } │ │      │ │ {attention          } │ │
    │ │ sees both sides       │ │      │ │ sees what came before │ │
    │ └───────────▲───────────┘ │      │ └───────────▲───────────┘ │
    │ {position               } │      │ {position               } │
    └─────────────▲─────────────┘      └─────────────▲─────────────┘
    ┌─────────────┴─────────────┐      ┌─────────────┴─────────────┐
    │ {text                   } │      │ {tokens                 } │
    └─────────────▲─────────────┘      └─────────────▲─────────────┘
            one sentence                       the words so far
      or an image: {vision   }

    ┌─ the engine that carries them ───────────────────────────────┐
    │ {tensor         } {matmul         } {graph          }        │
    │ {ops            } {gradcheck      } {learn          }        │
    │ before attention: {recurrent     } and by chance: {random   }│
    └──────────────────────────────────────────────────────────────┘
"""
MARKS = {"done": "✓", "begun": "…", "none": " "}
COLOURS = {"done": "green", "begun": "yellow", "none": "dim"}


def state_of(file, pocket, mine, is_solved):
    """The state of a file: "done" if the reader has all its lines and has solved each exercise; otherwise "begun" or "none"."""
    blocks = [b for b in pocket.blocks if b.file == file]
    if not blocks or not (mine.files / file).is_file():
        return "none"
    reached, holes = mine.reached()[0], [h.label for b in blocks for h in b.holes]
    given = mine.reached()[1]  # holes that a catch-up filled count as solved
    whole = all(b.chapter <= reached for b in blocks)
    return "done" if whole and all(is_solved(h) or h[:2] <= given for h in holes) else "begun"


def drawn(pocket, mine, is_solved):
    def part(found):
        name, width = found[1], len(found[0])
        state = state_of(f"{name}.h", pocket, mine, is_solved)
        return coloured(f"{name}.h {MARKS[state]}".ljust(width), COLOURS[state])

    return re.sub(r"\{(\w+) *\}", part, DRAWING)
