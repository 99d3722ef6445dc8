"""Draws an SVG with gnuplot, for the pages of docs/."""

import pathlib
import re
import subprocess


def draw(script, out):
    """Runs a script that writes `out`. In the figure, black becomes the colour of the text around it; a figure shown alone
    has a white background."""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
    figure = pathlib.Path(out)
    svg = re.sub(r"rgb\(  0,   0,   0\)|(?<=['\"])black(?=['\"])", "currentColor", figure.read_text())
    alone = "\n<style>svg{color:#000;background:#fff}</style>"
    figure.write_text(re.sub(r"<svg[^>]*>", lambda tag: tag[0] + alone, svg, count=1))
