// Hulls to scale, headings, and contacts by how well they are known.

const inkOf = (one) => (one.ink ? tint(one.ink, one.side) : colour(one.side));
const down = (points) => points.map(([, y]) => y);

// The hulls of a view, below the marks; each is turned about its middle.
EXTRA.bodies = (view) => [...view.contacts, ...view.units].filter((one) => one.hull && one.at).map((one) => {
  const bow = Math.min(...down(one.hull)), stern = Math.max(...down(one.hull)), long = stern - bow, fill = inkOf(one);
  const g = group("hull", one.shown || called(one),
    ...(one.heading < 0 ? [] : [el("path", { d: `M0 ${bow}V${bow - 0.45 * long}`, stroke: fill, "stroke-width": 1.4 })]),
    el("path", { class: "outline", d: `${line(one.hull)}Z`, fill, stroke: "var(--halo)", "stroke-width": 1.4, "stroke-linejoin": "round", "paint-order": "stroke" }),
    ...(one.symbol ? [el("use", { href: `#s-${one.symbol}`, fill: "var(--sideink)", transform: `translate(0 ${(bow + stern) / 2}) scale(${long / 16})` })] : []));
  g.addEventListener("click", () => chosen(one));
  g.setAttribute("transform", `translate(${one.at.join(" ")}) rotate(${Math.max(one.heading, 0)})`);
  Object.assign(g.dataset, { side: one.side, ids: one.id, place: [...one.at, Math.max(one.heading, 0)].join(" ") });
  return g;
});

// A click on a hull is one on its mark.
function chosen(one) {
  const mark = [...document.querySelectorAll("#live .mark")].find((m) => m.dataset.ids === one.id && Number(m.dataset.side) === one.side);
  if (mark) mark.dispatchEvent(new Event("click"));
}

// The marks of hulls: what is chosen by a click, and their names.
EXTRA.hulls = (view) => [...view.units, ...view.contacts].filter((one) => one.hull && one.at).map((one) => (
  { kind: view.units.includes(one) ? "unit" : "contact", side: one.side, at: one.at, items: [one], x: one.at[0], y: one.at[1] }));

function hullMark(one) {
  const turn = (Math.max(one.heading, 0) * Math.PI) / 180;
  const low = Math.max(...one.hull.map(([x, y]) => x * Math.sin(turn) + y * Math.cos(turn)));
  return [el("circle", { class: "body", r: 10, fill: "var(--halo)", "fill-opacity": 0.01 }),
    label(one.shown ?? (one.name || one.what ? called(one) : ""), low + 13, inkOf(one))];
}

// The heading of the first of several things in one place.
function pointer(mark) {
  const one = mark.items.find((u) => u.heading >= 0);
  if (!one) return [];
  const turn = (one.heading * Math.PI) / 180;
  return [el("path", { class: "pointer", d: `M0 0L${(36 * Math.sin(turn)).toFixed(1)} ${(-36 * Math.cos(turn)).toFixed(1)}`,
    stroke: inkOf(one), "stroke-width": 2, "stroke-linecap": "round" })];
}

// A diamond, or a triangle for what is submerged: hollow, half full or full.
function level(mark) {
  const first = mark.items[0], ink = enemy(mark.side), r = first.age > 1 ? 11 : 14, tip = 0.45 * r;
  const full = !first.level || first.level === 3, half = first.level === 2;
  const d = first.submerged ? `M-${r}-${tip}h${2 * r}L0 ${r}z` : `M0-${r}L${r} 0 0 ${r}-${r} 0z`;
  const lower = first.submerged ? `M-${0.66 * r} ${0.05 * r}h${1.32 * r}L0 ${r}z` : `M0 ${r}L${r} 0h-${2 * r}z`;
  return [el("path", { class: "body", d, fill: full ? ink : "var(--halo)", stroke: ink, "stroke-width": 1.8, ...(first.age ? { "stroke-dasharray": "3 2" } : {}) }),
    ...(half ? [el("path", { d: lower, fill: ink })] : []),
    el("text", { y: half ? -1.2 : first.submerged ? 2.2 : 3.4, "font-size": half ? 7.6 : 9.6, "font-weight": 700, "text-anchor": "middle",
      fill: full ? "var(--sideink)" : ink }, first.label + (mark.items.length > 1 && !first.name ? "+" : "")),
    label(some(mark.items.map((c) => c.name || c.what || c.id)), r + 11, ink)];
}

DRAW.unit = (mark) => (mark.items[0].hull ? hullMark(mark.items[0]) : [...pointer(mark), ...counter(mark)]);
DRAW.contact = (mark) => (mark.items[0].hull ? hullMark(mark.items[0]) : [...pointer(mark),
  ...(mark.items[0].level || mark.items[0].submerged ? level(mark) : diamond(mark))]);

// From one window to the next hulls sail to where they lie then, bow first, and their names with them; not for those
// who want no motion, nor where the view or the chart changes.
const SAIL = 700, STROKES = 14, still = matchMedia("(prefers-reduced-motion: reduce)");
const harbour = { i: -1, v: -1, hash: "", places: new Map() };
const keyOf = (g) => `${g.dataset.side} ${g.dataset.ids}`;

// The way between two places as a curve that leaves along the first heading and arrives along the second.
function passage([x0, y0, h0], [x1, y1, h1]) {
  const far = Math.hypot(x1 - x0, y1 - y0), way = (h, s) => (s ? -Math.cos((h * Math.PI) / 180) : Math.sin((h * Math.PI) / 180)) * far;
  const ahead = (x1 - x0) * way(h0, 0) + (y1 - y0) * way(h0, 1) >= 0 ? 1 : -1, turn = ((h1 - h0 + 540) % 360) - 180;
  return Array.from({ length: STROKES + 1 }, (_, n) => {
    const t = n / STROKES, a = 2 * t ** 3 - 3 * t ** 2 + 1, b = ahead * (t ** 3 - 2 * t ** 2 + t), c = 1 - a, d = ahead * (t ** 3 - t ** 2);
    return [a * x0 + b * way(h0, 0) + c * x1 + d * way(h1, 0), a * y0 + b * way(h0, 1) + c * y1 + d * way(h1, 1), h0 + turn * t];
  });
}

EXTRA.glide = (i, v) => {
  const hulls = [...document.querySelectorAll("#live .hull")], places = new Map(hulls.map((g) => [keyOf(g), g.dataset.place]));
  const sails = Math.abs(i - harbour.i) === 1 && v === harbour.v && EXTRA.hash() === harbour.hash && !still.matches;
  if (sails) {
    for (const g of [...hulls, ...document.querySelectorAll("#live .mark")]) {
      const from = harbour.places.get(keyOf(g)), to = places.get(keyOf(g));
      if (!from || !to || from === to) continue;
      const end = to.split(" ").map(Number), [, scale = ""] = / (scale\([^)]*\))/.exec(g.getAttribute("transform")) || [];
      const [, mx, my] = /translate\(([-\d.e]+)[ ,]([-\d.e]+)/.exec(g.getAttribute("transform")).map(Number);
      g.animate(passage(from.split(" ").map(Number), end).map(([x, y, h]) => (
        { transform: `translate(${mx + x - end[0]}px, ${my + y - end[1]}px) ${g.dataset.place ? `rotate(${h}deg)` : scale}` })), { duration: SAIL, easing: "ease-in-out" });
    }
  }
  Object.assign(harbour, { i, v, hash: EXTRA.hash(), places });
};
