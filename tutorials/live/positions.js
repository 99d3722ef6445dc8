const [position, distance, pair] = ['.position', '.distance', '.pair'].map(find), kDistances = 100;
const channels = find('.channels'), base = find('.base'), kind = find('.kind'), told = find('.told');
const [strips, waves, curve] = ['.vectors', '.waves', '.products'].map(find), kPositions = 200;
let table = null, asked = 0;
const isRotated = () => kind.value === 'rotated';

// The table has chapter 12's vectors of all positions; or the rotated query at all positions, then the rotated key.
function ask() {
  pair.max = channels.value / 2 - 1;
  table = call(isRotated() ? 'hands' : 'table', [channels.value, base.value]);
  for (const words of all('.added')) words.hidden = isRotated();
  for (const words of all('.turned')) words.hidden = !isRotated();
}
async function show() {
  if (!table) ask();
  const mine = ++asked, t = +position.value;
  [position, distance, pair].forEach((slider, i) => { all('output')[i].textContent = slider.value; });
  const [vectors, products] = await Promise.all([table, call(kind.value, [channels.value, base.value, t])]);
  if (mine !== asked) return;  // the reader has changed the input
  drawVectors(vectors, t);
  (isRotated() ? drawPart : drawWaves)(vectors, t);
  drawProducts(products, t);
}

// Makes a chart of numbers from `low` to `high` over 0 to `last`. Returns functions that draw a line through
// values, an upright line at i, and a dot at (i, value).
function chart(svg, height, last, low, high, marks) {
  const width = svg.clientWidth || 640, left = 44, right = width - 12, top = 10, bottom = height - 24;
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const x = i => left + (right - left) * i / last, y = value => bottom - (bottom - top) * (value - low) / (high - low);
  for (const value of marks) {
    add(svg, 'path', { class: 'grid', d: `M${left} ${y(value)}H${right}` });
    add(svg, 'text', { x: left - 6, y: y(value) + 5, 'text-anchor': 'end' }, +value.toFixed(1));
  }
  for (const i of [0, last / 2, last]) {
    add(svg, 'text', { x: x(i), y: height - 6, 'text-anchor': i === last ? 'end' : 'middle' }, i);
  }
  const line = (kind, values) =>
    add(svg, 'path', { class: kind, d: values.map((v, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join('') });
  const upright = i => add(svg, 'path', { class: 'mark', d: `M${x(i)} ${top}V${bottom}` });
  const dot = (kind, i, value) => add(svg, 'circle', { class: kind, cx: x(i), cy: y(value), r: 5 });
  return { line, upright, dot };
}

function drawVectors(vectors, t) {
  const width = strips.clientWidth || 640, count = +channels.value, left = 44, wide = (width - left - 12) / count;
  strips.setAttribute('viewBox', `0 0 ${width} 96`);
  strips.replaceChildren();
  const later = t + +distance.value, largest = isRotated() ? 3 : 1;  // normal numbers are seldom above 3
  const rows = isRotated() ? [['k', t, kPositions + t], ['q', later, later]] : [['p', t, t], ['p', later, later]];
  rows.forEach(([name, p, at], row) => {
    add(strips, 'text', { x: left - 6, y: 26 + 40 * row, 'text-anchor': 'end' }, `${name}${[...String(p)].map(d => '₀₁₂₃₄₅₆₇₈₉'[d]).join('')}`);
    for (let c = 0; c < count; ++c) {
      const value = vectors[at * count + c], opacity = Math.min(1, Math.abs(value) / largest);
      const place = { x: left + wide * c, y: 6 + 40 * row, width: wide, height: 30, 'fill-opacity': opacity.toFixed(3) };
      add(strips, 'rect', { class: value < 0 ? 'below' : 'full', ...place });
    }
  });
  add(strips, 'rect', { class: 'empty', x: left + 2 * wide * pair.value, y: 3, width: 2 * wide, height: 76 });
  add(strips, 'text', { x: left, y: 94 }, 'pair 0');
  add(strips, 'text', { x: width - 12, y: 94, 'text-anchor': 'end' }, `pair ${count / 2 - 1}`);
}

function drawWaves(vectors, t) {
  const count = +channels.value, last = 199, k = 2 * pair.value, other = t + +distance.value;
  const { line, upright, dot } = chart(waves, 150, last + 1, -1, 1, [-1, 0, 1]);
  const of = c => Array.from({ length: last + 1 }, (_, p) => vectors[p * count + c]);
  const both = [['second', of(k + 1)], ['line', of(k)]];
  for (const p of [t, other]) upright(p);
  for (const [kind, values] of both) line(kind, values);
  for (const p of [t, other]) for (const [kind, values] of both) dot(kind, p, values[p]);
  const said = p => `sine ${both[1][1][p].toFixed(2)}, cosine ${both[0][1][p].toFixed(2)} at position ${p}`;
  waves.setAttribute('aria-label', `Pair ${pair.value}: ${said(t)}; ${said(other)}`);
}

// The pair's part of the score, by the distance: the dot product of the query's and the key's two channels.
function drawPart(vectors, t) {
  const count = +channels.value, d = +distance.value, key = (kPositions + t) * count + 2 * pair.value;
  const part = Array.from({ length: kDistances }, (_, away) => {
    const query = (t + away) * count + 2 * pair.value;
    return vectors[query] * vectors[key] + vectors[query + 1] * vectors[key + 1];
  });
  const size = Math.max(...part.map(Math.abs));
  const { line, upright, dot } = chart(waves, 150, kDistances, -size, size, [-size, 0, size]);
  upright(d);
  line('line', part);
  dot('line', d, part[d]);
  waves.setAttribute('aria-label', `The part of pair ${pair.value} is ${part[0].toFixed(2)} at distance 0, and ${part[d].toFixed(2)} at ${d}`);
}

function drawProducts(products, t) {
  const low = Math.min(0, ...products), high = Math.max(...products), d = +distance.value;
  const marks = low < 0 ? [low, 0, high].filter(v => !v || Math.abs(v) > (high - low) / 8) : [0, high / 2, high];
  const { line, upright, dot } = chart(curve, 190, kDistances, low, high, marks);
  upright(d);
  line('line', [...products]);
  dot('line', d, products[d]);
  const value = products[d].toFixed(3);
  const name = isRotated() ? 'score' : 'dot product';
  curve.setAttribute('aria-label', `The ${name} is ${products[0].toFixed(2)} at distance 0 and ${products[kDistances - 1].toFixed(2)} at 99; at ${d} it is ${value}`);
  told.textContent = isRotated()
    ? `A query at ${t + d} and a key at ${t}, ${d} steps back: score ${value}. Move both: the score stays.`
    : `p(${t}) · p(${t + d}) = ${value}. Move both: any two positions ${d} apart have this product.`;
}

for (const slider of [position, distance, pair]) slider.addEventListener('input', show);
for (const choice of [channels, base, kind]) choice.addEventListener('change', () => { ask(); show(); });
addEventListener('resize', show);
firstSeen = show;
