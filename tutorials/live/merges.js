const typed = find('.text'), other = find('.other'), told = find('.told'), list = find('.list tbody');
let count = 0, asked = 0;

/// The text of a token. Bytes that make no whole character are shown as numbers.
function shown(piece) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(piece)).replaceAll(' ', '_').replaceAll('\n', '/');
  } catch { return piece.map(byte => `<${byte}>`).join(''); }
}
function showTokens(line, tokens, pieces, newest, next = []) {
  line.replaceChildren();
  tokens.forEach((token, i) => {
    if (token < 0) return;
    const pair = [[0, 1], [-1, 0]].some(([a, b]) => tokens[i + a] === next[0] && tokens[i + b] === next[1]);
    const kind = `token${token === newest ? ' new' : ''}${pair ? ' next' : ''}`;
    add(line, 'span', { class: kind, title: `token ${token}` }, shown(pieces[token]));
  });
}

async function show() {
  const mine = ++asked, text = bytes(typed.value);
  const made = [...await call('merges', [count], text)];
  const encoded = await call('encode', [made[0], text.length], new Uint8Array([...text, ...bytes(other.value)]));
  if (mine !== asked) return;  // the reader has changed the input
  count = made[0];
  const pieces = [...Array(256).keys()].map(byte => [byte]);
  list.replaceChildren(list.firstElementChild);
  let said = '';
  for (let i = 0; i < count; ++i) {
    const [left, right, times] = made.slice(1 + 3 * i, 4 + 3 * i);
    pieces.push([...pieces[left], ...pieces[right]]);
    const row = add(list, 'tr');
    for (const cell of [256 + i, shown(pieces[256 + i]), `${left}, ${right}`, times]) add(row, 'td', {}, cell);
    said = `${shown(pieces[left])} and ${shown(pieces[right])}, ${times} times, became token ${256 + i}. `;
  }
  const [left, right, times] = made.slice(1 + 3 * count, 4 + 3 * count);
  const more = times > 1;
  said += more ? `Next: ${shown(pieces[left])} and ${shown(pieces[right])}, ${times} times.` : 'No pair occurs twice.';
  told.textContent = said;
  const tokens = made.slice(4 + 3 * count);
  showTokens(find('.merged'), tokens, pieces, count ? 255 + count : -2, more ? [left, right] : []);
  showTokens(find('.encoded'), [...encoded], pieces);
  find('.count').textContent = `${text.length} bytes, ${tokens.filter(t => t >= 0).length} tokens`;
  find('.run').disabled = find('.every').disabled = !more;
  find('.undo').disabled = count === 0;
}

find('.run').addEventListener('click', () => { ++count; show(); });
find('.undo').addEventListener('click', () => { --count; show(); });
find('.every').addEventListener('click', () => { count = 9999; show(); });
typed.addEventListener('input', () => { count = 0; show(); });
other.addEventListener('input', show);
firstSeen = show;
