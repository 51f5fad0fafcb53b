// What lies under the marks: night, fog, search, ways and reaches.

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

// What is known of where enemies are, were and can be.
function reaches(view) {
  const lines = new Map();
  for (const c of view.contacts) {
    const ink = enemy(c.side);
    if (c.ring.length) lines.set(`ring${line(c.ring)}Z`, ["ring", { fill: ink, "fill-opacity": 0.045, stroke: ink, "stroke-opacity": 0.6, "stroke-width": 1.2, "stroke-dasharray": "3 4" }]);
    if (c.cells.length) lines.set(`area${cells(c.cells)}`, ["area", { fill: ink, "fill-opacity": 0.14, stroke: ink, "stroke-width": 1.3, "stroke-dasharray": "4 3" }]);
    if (c.at && c.trail.length) lines.set(`trail${line(distinct([...c.trail, c.at]))}`, ["trail", { fill: "none", stroke: ink, "stroke-width": 1.6, "stroke-dasharray": "5 4" }]);
    if (c.at && c.ahead) lines.set(`course${line([c.at, toward(c.at, c.ahead, 40)])}`, ["course", { stroke: ink, "stroke-width": 2.2, "marker-end": "url(#a-foe)" }]);
  }
  return [...lines].flatMap(([d, [name, attrs]]) => shaded(name, d.slice(name.length), attrs));
}

function toward([x, y], [u, v], length) {
  const share = length / Math.hypot(u - x, v - y);
  return [x + (u - x) * share, y + (v - y) * share].map((n) => Math.round(n * 10) / 10);
}

// Ways behind and ahead of a view's own forces, each drawn once.
function ways(i, v, view) {
  const drawn = new Map();
  for (const u of view.units.filter((one) => one.at)) {
    const ink = colour(u.side), afloat = u.role === "counter" || u.role === "member";
    const past = afloat ? wake(i, v, u) : [], ahead = distinct([u.at, ...u.plan]);
    if (past.length > 1) drawn.set(`wake${line(past)}`, ["wake", { stroke: ink, "stroke-width": 2, "stroke-opacity": 0.5 }]);
    if (ahead.length > 1) drawn.set(`plan${line(ahead)}`, ["plan", { stroke: ink, "stroke-width": 2.4, "stroke-dasharray": "7 4", "marker-end": `url(#side${u.side})` }]);
    if (u.role === "flying" && u.base && String(u.base) !== String(u.at)) {
      drawn.set(`flight${line([u.base, u.at])}`, ["flight", { stroke: ink, "stroke-width": 1.3, "stroke-dasharray": "1.2 4", "stroke-linecap": "round" }]);
    }
  }
  return [...drawn].flatMap(([d, [name, attrs]]) => shaded(name, d.slice(name.length), { fill: "none", "stroke-linejoin": "round", ...attrs }));
}

const distinct = (points) => points.filter((p, n) => !n || String(p) !== String(points[n - 1]));

// An arrow head in the colour of each side.
function heads() {
  return D.sides.map((s, n) => el("marker", { id: `side${n + 1}`, viewBox: "0 0 10 10", refX: 7.5, refY: 5,
    markerWidth: 5.5, markerHeight: 5.5, orient: "auto" }, el("path", { d: "M0 0L10 5 0 10 2.5 5z", fill: colour(n + 1) })));
}

// Names stand where they meet no other mark or name; the rest appear from nearer.
function uncrowd(scale) {
  const marks = [...document.querySelectorAll("#live .mark")].map((g) => ({ x: +g.dataset.x, y: +g.dataset.y, label: g.querySelector(".label") }));
  const taken = marks.map((m) => [m.x - 22 * scale, m.y - 12 * scale, m.x + 22 * scale, m.y + 12 * scale]);
  for (const { x, y, label: text } of marks) {
    if (!text) continue;
    const half = 3 * scale * text.textContent.length, low = y + scale * text.getAttribute("y");
    const box = [x - half, low - 9 * scale, x + half, low + 2 * scale];
    const meets = taken.some((b) => box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3]);
    text.setAttribute("display", meets ? "none" : "inline");
    if (!meets) taken.push(box);
  }
}
