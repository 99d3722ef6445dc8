"""Drawings of chapter 25: GPT-2's block beside Llama's, and heads that share keys and values."""

from drawing import Drawing


def blocks():
    d = Drawing(
        "two_blocks",
        640,
        620,
        "Two pre-norm blocks, read upwards. Left, GPT-2's: token and position vectors are added below all blocks; layer norm, "
        "attention with H heads, sum; layer norm, linear layer, GELU, linear layer, sum. Right, Llama's: no position vectors; RMS norm, "
        "attention with H heads of queries, K heads of keys and values, and queries and keys rotated, sum; RMS norm, then two linear layers beside "
        "each other, gate with SiLU and up, multiplied, then a linear layer down, sum. No part of Llama's block has biases.",
    )
    for x, name in ((36, "GPT-2's block"), (360, "Llama's block")):
        llama = x > 100
        left, wide = x + 38, 240
        middle, right = left + wide / 2, left + wide
        d.text(x + 140, 16, name, 16, bold=True)
        d.text(x - 16, 606, "tokens" if llama else "tokens + positions", 13, "start")
        d.arrow((x, 590), (x, 56), role="residual", width=4)

        norm = d.box(left, 526, wide, 30, "RMS norm" if llama else "layer norm", "norm", 13)
        d.arrow((x, 576), (middle, 576), norm.bottom)
        attention = d.box(left, 398, wide, 104, "", "weights")
        few = "K" if llama else "H"
        parts = ((left + 6, 84, "query", "H queries"), (left + 94, 62, "key", f"{few} keys"), (left + 160, 74, "value", f"{few} values"))
        for at, across, role, words in parts:
            part = d.box(at, 464, across, 30, words, role, 12)
            if llama and role != "value":
                d.arrow(part.top, (part.top[0], 450))
        if llama:
            d.text(left + 82, 440, "rotate", 13)
        d.text(middle, 416, "attention", 13)
        d.arrow(norm.top, attention.bottom)
        d.arrow(attention.top, (middle, 364), (x + 12, 364))
        d.join(x, 364, "+", "residual")

        norm = d.box(left, 296, wide, 30, "RMS norm" if llama else "layer norm", "norm", 13)
        d.arrow((x, 342), (middle, 342), norm.bottom)
        network = d.box(left, 124, wide, 148, "", "feed_forward")
        d.arrow(norm.top, network.bottom)
        if llama:
            gate = d.box(left + 12, 236, 100, 28, "gate", "feed_forward", 13)
            up = d.box(right - 112, 236, 100, 28, "up", "feed_forward", 13)
            d.text(middle, 222, "8 C / 3 wide", 12)
            silu = d.box(left + 32, 188, 60, 24, "SiLU", size=13)
            d.arrow(gate.top, silu.bottom)
            d.arrow(up.top, (up.top[0], 178), (middle + 12, 178))
            d.arrow(silu.top, (silu.top[0], 178), (middle - 12, 178))
            d.join(middle, 178, "×", "feed_forward")
            down = d.box(middle - 50, 130, 100, 28, "down", "feed_forward", 13)
            d.arrow((middle, 168), down.bottom)
        else:
            first = d.box(middle - 70, 236, 140, 28, "linear, to 4 C", "feed_forward", 13)
            gelu = d.box(middle - 30, 188, 60, 24, "GELU", size=13)
            second = d.box(middle - 70, 130, 140, 28, "linear, to C", "feed_forward", 13)
            d.arrow(first.top, gelu.bottom)
            d.arrow(gelu.top, second.bottom)
        d.arrow(network.top, (middle, 92), (x + 12, 92))
        d.join(x, 92, "+", "residual")
    return d


def heads():
    d = Drawing(
        "shared_heads",
        600,
        214,
        "Three ways to share keys and values among four heads of queries. Left, many heads: each head of queries has its own head of keys and values. "
        "Middle, grouped: two neighbouring heads of queries share one head of keys and values. Right, multi-query: all four share one.",
    )
    for x, name, groups in ((10, "many heads, K = 4", 4), (212, "grouped, K = 2", 2), (414, "multi-query, K = 1", 1)):
        d.text(x + 88, 16, name, 14, bold=True)
        queries = [d.box(x + 46 * i, 140, 38, 30, f"q{i}", "query", 13) for i in range(4)]
        for g in range(groups):
            share = 4 // groups
            at = (queries[g * share].top[0] + queries[(g + 1) * share - 1].top[0]) / 2
            key = d.box(at - 19, 44, 38, 26, f"k{g}", "key", 13)
            d.box(at - 19, 70, 38, 26, f"v{g}", "value", 13)
            for i in range(g * share, (g + 1) * share):
                d.arrow(queries[i].top, (at + (i - (g + 0.5) * share + 0.5) * 8, 98))
            assert key
        d.text(x + 88, 192, f"cache: {2 * groups} vectors a token", 13)
    return d


def drawings():
    yield blocks()
    yield heads()
