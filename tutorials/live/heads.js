const typed = find('.text'), off = find('.off'), told = find('.told'), table = find('table.weights tbody'), thumbs = all('.thumbs button');
let asked = 0, begun = null, chosen = 5, seen = null;  // of the last answer: words and numbers

const taken = () => begun ??= held('weights').then(kept => call('start', numbersIn(kept)));

async function show() {
  const mine = ++asked, words = typed.value.split(/[\s.,!?]+/).filter(Boolean);
  await taken();
  if (words.length < 1 || words.length > 12) {
    told.textContent = words.length ? `${words.length} words: the model has twelve positions.` : 'Type some words.';
    return;
  }
  // The model has twelve signs instead of words: the first word is sign 0, the next different word is
  // sign 1.
  const same = words.map(word => word.toLowerCase()), signs = [...new Set(same)];
  const numbers = await call('look', [off.checked ? Math.floor(chosen / 4) : -1, chosen % 4, ...same.map(word => signs.indexOf(word))]);
  if (mine !== asked) return;  // the reader has changed the input
  seen = { words, numbers, named: signs.map(sign => words[same.indexOf(sign)]) };
  draw();
}

function draw() {
  const { words, numbers, named } = seen, length = words.length, name = `Head ${chosen % 4 + 1} of layer ${Math.floor(chosen / 4) + 1}`;
  const weight = (head, t, s) => numbers[(head * length + t) * length + s];
  thumbs.forEach((thumb, head) => {
    thumb.ariaPressed = head === chosen;
    const svg = thumb.firstChild;
    svg.setAttribute('viewBox', `0 0 ${length} ${length}`);
    svg.replaceChildren();
    for (let t = 0; t < length; ++t) {
      for (let s = 0; s <= t; ++s) {
        if (weight(head, t, s) > 0.03) add(svg, 'rect', { class: 'full', x: s, y: t, width: 1, height: 1, 'fill-opacity': weight(head, t, s).toFixed(2) });
      }
    }
  });
  table.replaceChildren();
  const header = add(table, 'tr', { class: 'markdownTableHead' });
  add(header, 'th');
  for (const word of words) add(header, 'th', { scope: 'col' }, word);
  add(header, 'th', { scope: 'col' }, 'next');
  const isNew = t => words.slice(0, t).every(word => word.toLowerCase() !== words[t].toLowerCase());
  const next = t => named[numbers[8 * length * length + 2 * t]];
  words.forEach((word, t) => {
    const row = add(table, 'tr');
    add(row, 'th', { scope: 'row' }, word);
    for (let s = 0; s < length; ++s) {
      const shown = weight(chosen, t, s);  // 0 above the diagonal
      add(row, 'td', { class: 'weight', style: `--weight: ${shown.toFixed(3)}` }, s > t ? '' : shown.toFixed(2));
    }
    const p = numbers[8 * length * length + 2 * t + 1];
    add(row, 'td', { class: 'next' }, isNew(t) ? '' : `${next(t)} (${p.toFixed(2)})`);
  });
  const last = length - 1, weights = words.map((_, s) => weight(chosen, last, s)), most = weights.indexOf(Math.max(...weights));
  const expects = isNew(last) ? 'Of a new word, the model was never asked what follows.' : `The model expects ${next(last)} next.`;
  told.textContent = `${name}${off.checked ? ', switched off,' : ''} looks from the last word, ${words[last]}, at ${words[most]} at place ${most + 1} (${weights[most].toFixed(2)}). ${expects}`;
}

thumbs.forEach((thumb, head) => thumb.addEventListener('click', () => {
  chosen = head;
  if (off.checked) show();
  else if (seen) draw();
}));
typed.addEventListener('input', show);
off.addEventListener('change', show);
firstSeen = show;
