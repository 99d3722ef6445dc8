// Unpacks bytes that packed() of tutorials/course/dress.py has compressed for a page.
const unpacked = words => {
  const bytes = Uint8Array.from(atob(words), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
};

// Shows the reader's place: marks the current section in the page's contents, and on a narrow screen a bar at the
// top shows how much has been read. Without this script only these two are missing.
addEventListener('DOMContentLoaded', () => {
  const contents = document.querySelector('details.sections');
  if (!contents) return;
  const wide = matchMedia('(min-width: 1200px)');
  const unfold = () => { contents.open = wide.matches; };
  wide.addEventListener('change', unfold);
  unfold();
  contents.addEventListener('click', event => {
    if (event.target.tagName === 'A' && !wide.matches) contents.open = false;
  });

  const links = new Map([...contents.querySelectorAll('a')].map(a => [decodeURIComponent(a.hash.slice(1)), a]));
  const headings = [...links.keys()].map(id => document.getElementById(id)).filter(Boolean);
  const bar = document.body.appendChild(document.createElement('div'));
  bar.className = 'read';
  bar.ariaHidden = 'true';
  const page = document.getElementById('doc-content');
  const mark = () => {
    const top = Math.max(0, page.getBoundingClientRect().top) + 120;
    const passed = headings.filter(h => h.getBoundingClientRect().top < top);
    for (const a of links.values()) a.removeAttribute('aria-current');
    if (passed.length) links.get(passed.at(-1).id).setAttribute('aria-current', 'true');
    const scroller = page.scrollHeight > page.clientHeight + 1 ? page : document.documentElement;
    const most = scroller.scrollHeight - scroller.clientHeight;
    bar.style.width = most > 0 ? `${100 * scroller.scrollTop / most}%` : '0';
  };
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; mark(); });
  };
  addEventListener('scroll', later, { capture: true, passive: true });
  addEventListener('resize', later);
  mark();
});

// Marks tables that are wider than the screen, so that they can say that they scroll.
const wider = new ResizeObserver(changed => {
  for (const { target: table } of changed) {
    const parts = [table, ...table.tBodies];
    table.classList.toggle('scrolls', parts.some(part => part.scrollWidth > part.clientWidth + 1));
  }
});
addEventListener('DOMContentLoaded', () => {
  for (const table of document.querySelectorAll('div.contents table')) wider.observe(table);
});
