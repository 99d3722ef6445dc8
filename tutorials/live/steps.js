const typed = find('.text'), example = find('.example'), told = find('.told'), graph = find('.graph');
let asked = 0;

async function show() {
  const mine = ++asked, lines = bytes(typed.value);
  let made, values;
  try {
    [made, values] = await Promise.all([asking('figure', [], lines), asking('gradients', [], lines)]);
  } catch (trouble) {
    if (mine === asked) told.textContent = trouble;
    return;
  }
  if (mine !== asked) return;  // the reader has changed the input
  find('.still figure')?.remove();  // its names belong to the typed figure now
  graph.innerHTML = text(made);
  const svg = graph.querySelector('svg'), script = graph.querySelector('script');
  svg.style.minWidth = `${0.6 * svg.getAttribute('width')}px`;  // letters can still be read
  const again = document.createElement('script');  // a script added with innerHTML does not run
  again.textContent = script.textContent;
  script.replaceWith(again);
  told.textContent = `The result is ${+values.at(-2).toFixed(4)}; the graph has ${values.length / 2} numbers.`;
}

example.addEventListener('change', () => {
  typed.value = example.value;
  typed.rows = example.value.split('\n').length;
  show();
});
typed.addEventListener('input', show);
firstSeen = show;
