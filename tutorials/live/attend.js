const vocabulary = find('.words').textContent.match(/knows (.*)\./)[1].split(/, | and /);
const typed = find('.text'), seed = find('.seed'), told = find('.told'), table = find('.weights tbody');
const weights = held('weights').then(numbersIn);  // for the seeds 1 to 10
let asked = 0, model = null;

function take() {
  return model = weights.then(all => {
    const each = all.length / 10, first = (seed.value - 1) * each;
    return call('start', all.subarray(first, first + each));
  });
}

async function show() {
  const mine = ++asked;
  const named = typed.value.split(/[\s.,!?]+/).filter(Boolean).slice(0, 8);
  const words = named.map(word => vocabulary.findIndex(known => known.toLowerCase() === word.toLowerCase()));
  await (model ?? take());
  if (words.includes(-1) || !words.length) {
    told.textContent = words.length ? `It does not know “${named[words.indexOf(-1)]}”.` : 'Type some of its words.';
    return;
  }
  const seen = await call('look', words);
  if (mine !== asked) return;
  const length = words.length;
  told.textContent = `The model of seed ${seed.value}. Each row is a word, and its last column the partner that the model names.`;
  table.replaceChildren();
  const head = add(table, 'tr', { class: 'markdownTableHead' });
  add(head, 'th');
  for (const word of words) add(head, 'th', { scope: 'col' }, vocabulary[word]);
  add(head, 'th', { scope: 'col' }, 'partner');
  words.forEach((word, t) => {
    const row = add(table, 'tr');
    add(row, 'th', { scope: 'row' }, vocabulary[word]);
    for (let s = 0; s < length; ++s) {
      const weight = seen[t * length + s];
      add(row, 'td', { class: 'weight', style: `--weight: ${weight.toFixed(3)}` }, weight.toFixed(2));
    }
    const at = length * (length + 2) + 2 * t;
    add(row, 'td', { class: 'partner' }, `${vocabulary[seen[at]]} (${seen[at + 1].toFixed(2)})`);
  });
}

typed.addEventListener('input', show);
seed.addEventListener('input', () => {
  find('output').textContent = seed.value;
  take();
  show();
});
firstSeen = show;
