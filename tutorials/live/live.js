// A live piece of a page. Its program runs in a worker, which is made of text that is in the page, and only
// once it is needed: when the piece comes into view, or is touched. call(name, numbers, bytes) gives numbers.
const inWorker = `
  var Module = {};
  const ready = new Promise(done => { Module.onRuntimeInitialized = done; });
  onmessage = async ({ data: [name, numbers] }) => {
    try {
      await ready;
      const at = Module._live_arguments(numbers.length) / 8;
      Module.HEAPF64.set(numbers, at);
      const count = Module.ccall('live_call', 'number', ['string'], [name]);
      const from = Module._live_results() / 8;
      postMessage([Module.HEAPF64.slice(from, from + count)]);
    } catch (error) { postMessage([null, String(error)]); }
  };`;
const root = document.currentScript.closest('.live');
const find = what => root.querySelector(what);
const all = what => [...root.querySelectorAll(what)];
const held = name => find(`script.${name}`).textContent;

let worker;
const waiting = [];  // the worker answers in order
function start() {
  if (worker) return;
  const url = URL.createObjectURL(new Blob([inWorker, held('program')], { type: 'text/javascript' }));
  worker = new Worker(url);
  worker.onmessage = ({ data: [numbers, error] }) => {
    const { name, asked, done, failed } = waiting.shift();
    if (error) return stop(error), failed(Error(error));
    if (window.liveCalls) window.liveCalls.push([name, asked, numbers]);  // for docs/check_live.py
    done(numbers);
  };
  worker.onerror = event => stop(event.message);
}
const call = (name, numbers = [], bytes = []) => new Promise((done, failed) => {
  start();
  const asked = new Float64Array(numbers.length + bytes.length);
  asked.set(numbers);
  asked.set(bytes, numbers.length);
  waiting.push({ name, asked, done, failed });
  worker.postMessage([name, asked]);
});
function stop(error) {
  find('.still').hidden = false;
  find('.working').hidden = true;
  find('.why').textContent = `It could not run here: ${error}`;
}

const bytes = text => new TextEncoder().encode(text);
const text = numbers => new TextDecoder().decode(Uint8Array.from(numbers));
// Numbers of 32 bits that live.py wrote in base 64.
const numbersIn = words => new Float32Array(Uint8Array.from(atob(words), letter => letter.charCodeAt(0)).buffer);
// An element with these attributes and this content; of a drawing, if its parent is one.
function add(parent, tag, attributes = {}, content = '') {
  const drawing = parent.namespaceURI.endsWith('svg');
  const made = drawing ? document.createElementNS(parent.namespaceURI, tag) : document.createElement(tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.textContent = content;
  return parent.appendChild(made);
}

let firstSeen = start;  // what a piece shows when it comes into view
find('.still').hidden = true;
find('.working').hidden = false;
new IntersectionObserver((seen, observer) => {
  if (seen.some(entry => entry.isIntersecting)) observer.disconnect(), setTimeout(() => firstSeen());
}).observe(root);

