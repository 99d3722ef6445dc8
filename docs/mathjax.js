// Formulas that are wider than the page go on in another line.
MathJax.Hub.Config({SVG: {linebreaks: {automatic: true}}});
