// The layers below the marks: night, fog, searches, routes and reaches.

function shaded(name, d, attrs) {
  return d ? [el("path", { class: name, d, ...attrs })] : [];
}

const cells = (points) => points.map(cell).join("");

// The sea of a view: night, fog, cells that were searched and those with a contact.
function waters(view) {
  const night = view.night < 0 ? "" : `M${LEFT} ${view.night}H${LEFT + WIDE}V${TOP + HIGH}H${LEFT}Z`;
  return [
    ...shaded("night", night, { fill: "var(--night)", "fill-opacity": 0.16 }),
    ...shaded("fog", cells(view.fog), { fill: "url(#fog)" }),
    ...shaded("searched", cells(view.searched), { fill: "url(#hatch)" }),
    ...shaded("found", cells(view.found), { fill: "var(--foe)", "fill-opacity": 0.15, stroke: "var(--foe)", "stroke-width": 2 }),
  ];
}

// Where enemies are, were and may be, as far as the view knows.
function reaches(view) {
  const lines = new Map();
  for (const c of view.contacts) {
    const ink = enemy(c.side);
    if (c.ring.length) lines.set(`ring${line(c.ring)}Z`, ["ring", { fill: ink, "fill-opacity": 0.045, stroke: ink, "stroke-opacity": 0.6, "stroke-width": 1.2, "stroke-dasharray": "3 4" }]);
    if (c.cells.length) lines.set(`area${cells(c.cells)}`, ["area", { fill: ink, "fill-opacity": 0.14, stroke: ink, "stroke-width": 1.3, "stroke-dasharray": "4 3" }]);
    for (const leg of c.at ? legs([...c.trail, c.at]) : []) lines.set(`trail${line(leg)}`, ["trail", { fill: "none", stroke: ink, "stroke-width": 1.6, "stroke-dasharray": "5 4" }]);
    if (c.at && c.ahead) lines.set(`course${line([c.at, toward(c.at, c.ahead, 40)])}`, ["course", { stroke: ink, "stroke-width": 2.2, "marker-end": "url(#a-foe)" }]);
  }
  return [...lines].flatMap(([d, [name, attrs]]) => shaded(name, d.slice(name.length), attrs));
}

function toward([x, y], [u, v], length) {
  const share = length / Math.hypot(u - x, v - y);
  return [x + (u - x) * share, y + (v - y) * share].map((n) => Math.round(n * 10) / 10);
}

// Past and planned routes of a view's own forces, each drawn once.
function ways(i, v, view) {
  const drawn = new Map();
  for (const u of view.units.filter((one) => one.at)) {
    const ink = colour(u.side), afloat = u.role === "counter" || u.role === "member";
    const past = afloat && !EXTRA.fought ? wake(i, v, u) : [], ahead = distinct([u.at, ...u.plan]);
    for (const leg of legs(past)) drawn.set(`wake${line(leg)}`, ["wake", { stroke: ink, "stroke-width": 2, "stroke-opacity": 0.5 }]);
    if (ahead.length > 1) drawn.set(`plan${line(ahead)}`, ["plan", { stroke: ink, "stroke-width": 2.4, "stroke-dasharray": "7 4", "marker-end": `url(#side${u.side})` }]);
    if (u.role === "flying" && u.base && String(u.base) !== String(u.at)) {
      drawn.set(`flight${line([u.base, u.at])}`, ["flight", { stroke: ink, "stroke-width": 1.3, "stroke-dasharray": "1.2 4", "stroke-linecap": "round" }]);
    }
  }
  return [...drawn].flatMap(([d, [name, attrs]]) => shaded(name, d.slice(name.length), { fill: "none", "stroke-linejoin": "round", ...attrs }));
}

// The legs of a route, each from west to east, so that a leg that several ships sailed is drawn only once:
// it is not darker, and its dashes stay visible.
const legs = (points) => distinct(points).slice(1).map((at, n) => [distinct(points)[n], at].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
const distinct = (points) => points.filter((p, n) => !n || String(p) !== String(points[n - 1]));

// An arrow head in the colour of each side.
function heads() {
  return D.sides.map((s, n) => el("marker", { id: `side${n + 1}`, viewBox: "0 0 10 10", refX: 7.5, refY: 5,
    markerWidth: 5.5, markerHeight: 5.5, orient: "auto" }, el("path", { d: "M0 0L10 5 0 10 2.5 5z", fill: colour(n + 1) })));
}

// Shows names that overlap no other mark or name, within the frame; the others appear when zoomed in, as
// do names of ports under a mark. A name goes above its counter, or lower, where a small marker lies over the place
// below it. named: whether there is room for any.
function uncrowd(scale, named) {
  const all = [...document.querySelectorAll("#live .mark, #live .token")].map((g) => (
    { x: +g.dataset.x, y: lifted(g, scale), label: g.querySelector(".label"), mark: g.classList.contains("mark") }));
  const around = (m, wide, high) => [m.x - wide * scale, m.y - high * scale, m.x + wide * scale, m.y + high * scale];
  const taken = all.filter((m) => m.mark).map((m) => around(m, 22, 12));
  const small = all.filter((m) => !m.mark && !m.label).map((m) => around(m, 7, 7));
  const meets = (box) => (b) => box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3];
  const free = (box) => !taken.some(meets(box));
  for (const { x, y, label: text, mark } of all.filter((m) => m.label)) {
    const half = 3 * scale * text.textContent.length, below = Number(text.dataset.below ||= text.getAttribute("y"));
    const middle = Math.min(Math.max(x, LEFT + half + 3), LEFT + WIDE - half - 3);
    const box = (line) => [middle - half, y + scale * (line - 9), middle + half, y + scale * (line + 2)];
    const fits = (line) => named && box(line)[1] > TOP && y + scale * line < TOP + HIGH && free(box(line));
    const lines = mark ? [below, ABOVE, below + LOWER] : [below];
    const line = lines.find((one) => fits(one) && !small.some(meets(box(one)))) ?? below;
    const shown = fits(line);
    text.setAttribute("x", (middle - x) / scale);
    text.setAttribute("y", line);
    text.setAttribute("display", shown ? "inline" : "none");
    if (shown) taken.push(box(line));
  }
  for (const [name, box] of PRINTED) name.setAttribute("display", free(box) ? "inline" : "none");
}

const ABOVE = -17, LOWER = 11; // The line of a name above its counter, and how much lower it may stand

// The names of ports on the board, and their boxes.
let PRINTED = printed();

function printed() {
  return [...document.querySelectorAll("#map .name")].map((name) => {
    const { x, y, width, height } = name.getBBox();
    return [name, [x, y, x + width, y + height]];
  });
}
