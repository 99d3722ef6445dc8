const [shape, other, reading, axis, begin, end] = ['.shape', '.other', '.reading', '.axis', '.begin', '.end'].map(find);
const told = find('.told'), view = find('.view'), memory = find('.memory');
let asked = 0, seen = null;  // the view's shape, strides, first offset and offsets

const sizes = field => field.value.match(/\d+/g)?.map(Number) ?? [];
const named = numbers => `[${numbers.join(', ')}]`;
const product = numbers => numbers.reduce((a, b) => a * b, 1);
const indicesOf = i => seen.shape.map((n, k) => Math.floor(i / product(seen.shape.slice(k + 1))) % n);

async function show() {
  const mine = ++asked, own = sizes(shape), chosen = Math.min(Math.max(axis.value, 0), Math.max(own.length - 1, 0));
  for (const label of all('[data-for]')) label.hidden = !label.dataset.for.includes(reading.selectedIndex);
  if (axis.length !== own.length) {
    axis.replaceChildren();
    own.forEach((_, k) => add(axis, 'option', {}, k));
    axis.selectedIndex = chosen;
  }
  begin.max = end.max = own[chosen] ?? 0;
  [begin, end].forEach((slider, i) => { all('output')[i].textContent = slider.value; });
  let found;
  try {
    found = [...await asking('read', [reading.selectedIndex, chosen, begin.value, end.value, own.length, ...own, ...sizes(other)])];
  } catch (trouble) {
    if (mine === asked) told.textContent = `${trouble}.`;
    return;
  }
  if (mine !== asked) return;  // the reader has changed the input
  const rank = found[0];
  seen = { shape: found.slice(1, 1 + rank), strides: found.slice(1 + rank, 1 + 2 * rank),
           first: found[1 + 2 * rank], offsets: found.slice(2 + 2 * rank) };
  find('.described').textContent = `shape ${named(seen.shape)}, strides ${named(seen.strides)}, first offset ${seen.first}`;
  const across = seen.shape.at(-1) ?? 1, down = seen.shape.at(-2) ?? 1;
  view.replaceChildren();
  seen.offsets.forEach((offset, i) => {
    if (i % (down * across) === 0) add(view, 'div', { class: 'block', style: `grid-template-columns: repeat(${across}, auto)` });
    const cell = add(view.lastChild, 'button', { type: 'button', class: 'cell', tabindex: -1 }, offset);
    cell.ariaLabel = `element ${named(indicesOf(i))}, offset ${offset}`;
  });
  memory.replaceChildren();
  for (let i = 0; i < product(own); ++i) {
    const cell = add(memory, 'button', { type: 'button', class: 'cell', tabindex: -1 }, i);
    cell.ariaLabel = `memory cell ${i}`;
    cell.classList.toggle('unread', !seen.offsets.includes(i));
  }
  if (seen.offsets.length) choose(Math.min(seen.offsets.length - 1, 1));
  else told.textContent = 'It has no elements.';
}

// Marks elements of the view and their cell, and shows how the offset is computed.
function mark(elements, cell) {
  [view, memory].forEach((group, i) => {
    const chosen = i ? [cell] : elements;
    group.querySelectorAll('.cell').forEach((button, at) => {
      button.classList.toggle('chosen', chosen.includes(at));
      button.tabIndex = at === (chosen[0] ?? 0) ? 0 : -1;
    });
  });
}
function choose(i) {
  const indices = indicesOf(i), { first, strides, offsets } = seen;
  mark([i], offsets[i]);
  const terms = indices.map((index, k) => `${index} · ${strides[k] < 0 ? `(${strides[k]})` : strides[k]}`);
  if (first) terms.unshift(first);
  told.textContent = `Element ${named(indices)} is in cell ${terms.join(' + ')}${terms.length ? ' = ' : ''}${offsets[i]}.`;
}
function chooseCell(cell) {
  const elements = [...seen.offsets.keys()].filter(i => seen.offsets[i] === cell);
  mark(elements, cell);
  const names = elements.map(i => named(indicesOf(i))).join(', ');
  told.textContent = elements.length ? `Cell ${cell} is read as ${names}.` : `Cell ${cell} is not read.`;
}

[[view, choose], [memory, chooseCell]].forEach(([group, chosen]) => {
  const cells = () => [...group.querySelectorAll('.cell')];
  group.addEventListener('click', event => {
    const at = cells().indexOf(event.target);
    if (at >= 0) chosen(at);
  });
  group.addEventListener('keydown', event => {
    const row = group === view ? seen.shape.at(-1) ?? 1 : 8;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[event.key];
    const at = cells().indexOf(event.target), to = cells()[at + step];
    if (at < 0 || !step) return;
    event.preventDefault();
    if (to) to.focus(), to.click();
  });
});
for (const field of [shape, other, begin, end]) field.addEventListener('input', show);
for (const choice of [reading, axis]) choice.addEventListener('change', show);
firstSeen = show;
