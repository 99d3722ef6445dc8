"""A sentence, its positions as clocks, and their sum."""

import math

from drawing import Drawing


def clocks():
    about = (
        "Four words, Hello I love you, at positions 0 to 3. Below each word are three clocks: the hand of "
        "pair 0 turns by 1 radian at each position, that of pair 1 by a quarter of it, that of pair 2 by a "
        "sixteenth, and hardly moves. Sine and cosine of the hands are the position's vector. It is added to "
        "the word's embedding, and the sum goes to attention."
    )
    d = Drawing("clocks", 600, 430, about)
    for t, word in enumerate(["Hello", "I", "love", "you"]):
        x = 162 + 118 * t
        d.box(x - 45, 20, 90, 34, word)
        d.text(x + 7, 76, f"position {t}", 13)
        for k in range(3):
            y = 122 + 68 * k
            a = t * 4.0**-k
            d.circle(x, y, 25, 'fill="none" stroke="currentColor" stroke-width="1"')
            d.arrow((x, y), (x + 23 / d.share * math.sin(a), y - 23 * math.cos(a)), width=2)
        plus = d.join(x, 316)
        d.line((x - 38, 54), (x - 38, 316))
        d.arrow((x - 38, 316), plus.left)
        d.arrow((x, 288), plus.top)
        total = d.box(x - 45, 350, 90, 34, f"x{'₀₁₂₃'[t]}  [C]", role="residual")
        d.arrow(plus.bottom, total.top)
    for k, speed in enumerate(["fast", "slower", "slow"]):
        d.text(8, 122 + 68 * k, f"pair {k}, {speed}", 13, "start")
    d.text(8, 37, "embedding e", 13, "start")
    d.text(8, 316, "e + p", 13, "start")
    d.text(339, 410, "to queries, keys and values", 13)
    return d


def drawings():
    yield clocks()
