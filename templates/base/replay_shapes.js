// Shapes, tracks, markers and their names, as the charts of the sides have them.

const LIVE = { own: (side) => colour(side), ownlab: (side) => colour(side), foe: (side) => enemy(side) };
const tint = (ink, side) => (LIVE[ink] ? LIVE[ink](side) : `var(--${ink})`);
let defs = new Map();

// The id of a pattern or an arrow head in a colour; it is made when it is first asked for.
function defined(kind, ink, side, make) {
  const id = `${kind}-${LIVE[ink] ? side : ""}-${ink}`;
  if (!defs.has(id)) defs.set(id, make({ id }, tint(ink, side)));
  return `url(#${id})`;
}

const hatched = (ink, side) => defined("h", ink, side, (id, fill) => el("pattern", { ...id, width: 7, height: 7,
  patternUnits: "userSpaceOnUse", patternTransform: "rotate(-45)" }, el("rect", { width: 1, height: 7, fill, "fill-opacity": 0.45 })));
const headed = (kind, ink, side, d, refX, size) => defined(kind, ink, side, (id, fill) => el("marker", { ...id, refX, refY: 5,
  viewBox: "0 0 10 10", markerWidth: size, markerHeight: size, orient: "auto" }, el("path", { d, fill })));
const arrowed = (ink, side) => headed("a", ink, side, "M0 0L10 5 0 10 2.5 5z", 7.5, 5);

function group(name, said, ...inside) {
  return el("g", { class: name }, ...(said ? [el("title", {}, said)] : []), ...inside);
}

const circles = (places, attrs) => places.filter((_, n) => n % 2 === 0)
  .map((x, n) => el("circle", { cx: x, cy: places[2 * n + 1], ...attrs }));

const STAR = "M0-10L2.3-5.5 7.1-7.1 5.5-2.3 10 0 5.5 2.3 7.1 7.1 2.3 5.5 0 10-2.3 5.5-7.1 7.1-5.5 2.3-10 0-5.5-2.3-7.1-7.1-2.3-5.5z";

const DRAWN = {
  shape(side, ink, d, edge, width, dash, arrow, fill, hatch, over, said) {
    const line = edge ? { stroke: tint(edge, side), "stroke-width": width, "stroke-linejoin": "round",
      ...(dash ? { "stroke-dasharray": dash } : {}), ...(arrow ? { "marker-end": arrowed(ink, side) } : {}) } : {};
    const area = fill ? { fill: tint(ink, side), "fill-opacity": fill, "fill-rule": "evenodd" } : { fill: "none" };
    return group("shape", said, el("path", { d, ...area, ...line }), ...(hatch ? [el("path", { d, fill: hatched(ink, side) })] : []));
  },
  way(side, ink, d, bold, core, dashed, arrow, ends, beads, said) {
    const stroke = tint(ink, side), plain = { d, fill: "none", "stroke-linejoin": "round" };
    if (!bold) {
      return group("way", said, el("path", { ...plain, stroke, "stroke-width": 1.6, "stroke-opacity": 0.6,
        ...(dashed ? { "stroke-dasharray": "2 4" } : {}), ...(arrow ? { "marker-end": arrowed(ink, side) } : {}) }));
    }
    const thick = { ...plain, "stroke-linecap": "round" }, halo = "var(--halo)";
    return group("way", said, el("path", { ...thick, stroke: halo, "stroke-width": 8.5, "stroke-opacity": 0.85 }),
      el("path", { ...thick, stroke, "stroke-width": 5.5, ...(dashed ? { "stroke-dasharray": "9 9" } : {}),
        ...(arrow ? { "marker-end": headed("b", ink, side, "M0 0L10 5 0 10z", 3, 2.8) } : {}) }),
      ...(core ? [el("path", { ...plain, stroke: halo, "stroke-width": 1.7, "stroke-dasharray": "7 5" })] : []),
      ...circles(beads, { r: 2.7, fill: halo }), ...circles(ends, { r: 5, fill: halo, stroke, "stroke-width": 2.2 }));
  },
  mark(side, ink, x, y, r, label, symbol, size, solid, said, star) {
    if (star) return token(x, y, said, el("path", { d: STAR, transform: `scale(${r / 10})`, fill: "var(--area)", stroke: "var(--halo)", "stroke-width": 1.2 }),
      el("text", { y: 3.2, "font-size": 9.5, "font-weight": 700, "text-anchor": "middle", fill: "var(--ownink)" }, label));
    const own = tint(ink, side), back = solid ? own : "var(--halo)", fill = solid ? "var(--sideink)" : own;
    return token(x, y, said, el("circle", { r, fill: back, stroke: solid ? "var(--halo)" : own, "stroke-width": symbol ? 1.6 : 1.2 }),
      ...(symbol ? [el("use", { href: `#s-${symbol}`, transform: "scale(.5)", fill })] : label
        ? [el("text", { y: 3.1, "font-size": size, "font-weight": 600, "text-anchor": "middle", fill }, label)] : []));
  },
  name: (side, ink, x, y, words) => token(x, y, "", label(words, 4, tint(ink, side))),
};

// Something that keeps its size when the board is zoomed.
function token(x, y, said, ...inside) {
  const g = group("token", said, ...inside);
  g.dataset.x = x;
  g.dataset.y = y;
  return g;
}

// What a view shows: a side its chart, the truth what each side owns, each thing once.
function thingsOf(i, v, chart) {
  const sides = (EXTRA.round(i, chart) || (D.frames[i].x || [])[chart] || []).map((list, n) => [n + 1, list.map((t) => D.things[t])]);
  if (v) return sides.filter(([side]) => side === v).flatMap(([side, list]) => list.map((t) => [side, t]));
  const real = sides.flatMap(([side, list]) => list.filter((t) => t[1] !== "enemy").map((t) => [side, t]));
  const seen = new Set();
  return real.filter(([side, t]) => {
    const key = t[1] === "neutral" || t[1] === "board" ? JSON.stringify(t) : `${side} ${JSON.stringify(t)}`;
    return !seen.has(key) && seen.add(key);
  });
}

EXTRA.chart = () => 0;
EXTRA.round = () => null;
EXTRA.things = (i, v, view) => {
  defs = new Map();
  const all = thingsOf(i, v, EXTRA.chart(i, v)).map(([side, [kind, , ...rest]]) => (
    { kind, over: kind === "shape" && rest[8], drawn: DRAWN[kind](side, ...rest) }));
  const of = (kind, over) => all.filter((t) => t.kind === kind && (kind !== "shape" || t.over === over)).map((t) => t.drawn);
  return { under: [el("defs", {}, ...defs.values()), ...of("shape", 0)], over: of("shape", 1),
    ways: [...of("way"), ...EXTRA.bodies(view)], top: [...of("mark"), ...of("name")] };
};
