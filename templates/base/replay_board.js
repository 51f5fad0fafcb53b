// The marks on the board; the board below them is drawn once.

const FADE = [1, 0.8, 0.55, 0.4, 0.28];
shape();
const APART = 28; // From the middle of one mark of a stack to the next: both sides show
const zoom = { k: 1, first: 1, x: LEFT + WIDE / 2, y: TOP + HIGH / 2 };

// Gives the picture the proportions of the board.
function shape() {
  const aspect = (WIDE + 2 * EDGE) / (HIGH + 2 * EDGE), style = document.documentElement.style;
  style.setProperty("--aspect", aspect);
  style.setProperty("--narrow", Math.min(aspect, 1.3));
  document.querySelector("main").classList.toggle("wide", WIDE > 1.7 * HIGH);
}

// Marks of a view, each with its centre; marks in one place are stacked.
function marksOf(view) {
  const places = new Map();
  const add = (mark) => {
    const key = String(mark.at);
    places.set(key, [...(places.get(key) || []), mark]);
  };
  for (const group of grouped(view.contacts.filter((c) => c.at && !c.hull))) add({ kind: "contact", ...group });
  for (const group of grouped(view.units.filter((u) => u.at && u.role !== "flying" && !u.hull))) {
    const afloat = group.items.some((u) => u.role !== "based");
    add({ kind: afloat ? "unit" : "base", ...group });
  }
  const marks = [];
  for (const stack of places.values()) {
    stack.forEach((mark, n) => {
      const ashore = mark.kind === "base" ? -12 : 0;
      mark.x = mark.at[0] + ashore;
      mark.y = mark.at[1] + ashore;
      mark.lift = (n - (stack.length - 1) / 2) * APART;
      marks.push(mark);
    });
  }
  marks.push(...EXTRA.hulls(view));
  for (const group of grouped(view.units.filter((u) => u.at && u.role === "flying" && !u.hull))) {
    const [x, y] = group.at;
    marks.push({ kind: "plane", ...group, x: x - 0.34 * PITCH, y: y - 0.3 * PITCH });
  }
  return marks;
}

// Items of one side in one place.
function grouped(items) {
  const groups = new Map();
  for (const item of items) {
    const key = `${item.side} ${item.at}`;
    if (!groups.has(key)) groups.set(key, { side: item.side, at: item.at, items: [] });
    groups.get(key).items.push(item);
  }
  return [...groups.values()];
}

function counter(mark) {
  const top = mark.items.filter((u) => u.role === "counter").sort((a, b) => b.rank - a.rank);
  const lead = top[0] || mark.items[0], more = top.length - 1;
  const fill = colour(mark.side), parts = [];
  for (let n = Math.min(more, 2); n >= 0; n--) {
    parts.push(el("rect", { x: -23 + 3 * n, y: -12.5 - 3 * n, width: 46, height: 25, rx: 3.5, fill,
      stroke: "var(--halo)", "stroke-width": 1.4, ...(n ? {} : { class: "body" }) }));
  }
  const said = lead.caption + (more > 0 ? ` +${more}` : "");
  if (lead.symbol) {
    parts.push(el("use", { href: `#s-${lead.symbol}`, fill: "var(--sideink)",
      transform: said ? "translate(0 -2.8) scale(.9)" : "" }));
  }
  if (said) {
    parts.push(el("text", { y: lead.symbol ? 8.9 : 3, "font-size": 7.4, "font-weight": 700,
      "text-anchor": "middle", "letter-spacing": ".6", fill: "var(--sideink)" }, said));
  }
  parts.push(label(lead.shown + (more > 0 ? ` +${more}` : ""), 24, fill));
  return parts;
}

function label(text, y, fill) {
  return el("text", { class: "label", y, "font-size": 11, "font-weight": 700, "text-anchor": "middle",
    fill, stroke: "var(--halo)", "stroke-width": 2.8, "paint-order": "stroke", "stroke-linejoin": "round" }, text);
}

const some = (names) => names.slice(0, 2).join(", ") + (names.length > 2 ? ` +${names.length - 2}` : "");

function diamond(mark) {
  const first = mark.items[0], fill = enemy(mark.side), r = first.age > 1 ? 11 : 14;
  const pale = FADE[Math.min(first.age, FADE.length - 1)];
  return [
    el("path", { class: "body", d: `M0-${r}L${r} 0 0 ${r}-${r} 0z`, fill: "var(--sea2)" }),
    el("path", { d: `M0-${r}L${r} 0 0 ${r}-${r} 0z`, fill, "fill-opacity": pale, stroke: fill, "stroke-width": 1.8 }),
    el("text", { y: 3.4, "font-size": 9.6, "font-weight": 700, "text-anchor": "middle",
      fill: pale > 0.5 ? "var(--sideink)" : fill }, first.label + (mark.items.length > 1 && !first.name ? "+" : "")),
    label(some(mark.items.map((c) => c.name || c.what || c.id)), r + 11, fill),
  ];
}

function aircraft(mark) {
  const fill = colour(mark.side);
  if (mark.kind === "plane") {
    return [el("circle", { class: "body", r: 9, fill: "var(--halo)", "fill-opacity": .01 }),
      el("use", { href: "#plane", fill, stroke: "var(--halo)", "stroke-width": 1, "paint-order": "stroke", transform: "scale(1.2)" })];
  }
  return [el("circle", { class: "body", r: 7.4, fill: "var(--halo)", stroke: fill }),
    el("use", { href: "#plane", fill, transform: "scale(.75)" })];
}

const DRAW = { unit: counter, contact: diamond, base: aircraft, plane: aircraft };

function drawBoard(i, v, view) {
  const over = [];
  const last = (mark) => mark.kind === "contact";
  for (const mark of marksOf(view).sort((a, b) => last(a) - last(b))) {
    const names = mark.items.map((m) => m.shown || called(m));
    const g = el("g", { class: `mark ${mark.kind}`, "data-x": mark.x, "data-y": mark.y, "data-lift": mark.lift || 0, "data-side": mark.side,
      "data-ids": mark.items.map((m) => m.id).join("|") }, el("title", {}, names.join(", ")), ...DRAW[mark.kind](mark));
    g.addEventListener("click", () => pick(g, `${mark.items[0].place}: ${names.join(", ")}`));
    over.push(g);
  }
  const more = EXTRA.things(i, v, view);
  $("live").replaceChildren(...heads(), ...waters(view), ...EXTRA.heat(i, v), ...more.under, ...reaches(view), ...more.over,
    ...ways(i, v, view), ...more.ways, ...over, ...more.top);
  follows();
  fit();
}

function pick(g, text) {
  for (const hit of document.querySelectorAll(".hit")) hit.classList.remove("hit");
  g.classList.add("hit");
  $("pick").textContent = text;
  const ids = g.dataset.ids.split("|");
  for (const row of document.querySelectorAll(`#units tr[data-side="${g.dataset.side}"]`)) {
    row.classList.toggle("hit", ids.includes(row.dataset.id) && !g.classList.contains("contact"));
  }
}

// The visible part of the board: all of it at zoom 1. Marks grow if the board is small, as on a phone.
function fit() {
  const map = $("map"), all = [WIDE + 2 * EDGE, HIGH + 2 * EDGE];
  const ratio = map.clientHeight ? map.clientWidth / map.clientHeight : all[0] / all[1];
  const whole = Math.max(all[0], all[1] * ratio), w = whole / zoom.k, h = w / ratio;
  const keep = (at, size, low, long) => (size >= long ? low + (long - size) / 2
    : Math.min(Math.max(at - size / 2, low), low + long - size));
  const x = keep(zoom.x, w, LEFT - EDGE, all[0]), y = keep(zoom.y, h, TOP - EDGE, all[1]);
  zoom.x = x + w / 2;
  zoom.y = y + h / 2;
  map.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
  map.classList.toggle("near", h < all[1]);
  const shrunk = map.clientWidth ? w / map.clientWidth : 1;
  const scale = Math.min(Math.max(shrunk * EXTRA.size, 1), 2.2);
  for (const g of document.querySelectorAll("#live .mark, #live .token")) {
    g.setAttribute("transform", `translate(${g.dataset.x} ${lifted(g, scale)}) scale(${scale})`);
  }
  uncrowd(scale, shrunk <= 2.4);
}

// On a phone, a wide board begins zoomed in until it fills the picture, and shows where contacts
// are, else the side with fewer units (the hunted one), until the reader moves it.
function begin() {
  const map = $("map"), ratio = map.clientHeight ? map.clientWidth / map.clientHeight : 1;
  zoom.k = zoom.first = Math.max(1, (WIDE + 2 * EDGE) / (HIGH + 2 * EDGE) / ratio);
}

function follows() {
  if (zoom.moved || zoom.k === 1) return;
  const marks = [...document.querySelectorAll("#live .contact")];
  const sides = D.sides.map((_, n) => [...document.querySelectorAll(`#live .unit[data-side="${n + 1}"]`)]);
  const fewest = sides.filter((units) => units.length).sort((a, b) => a.length - b.length)[0] || [];
  const goal = middle(marks.length ? marks : fewest);
  if (goal) [zoom.x, zoom.y] = goal;
}

// The mark that has most others near it, and its place.
function middle(marks) {
  const all = marks.map((g) => [+g.dataset.x, +g.dataset.y]), reach = WIDE / zoom.k / 2;
  const near = ([x]) => all.filter(([u]) => Math.abs(u - x) < reach).length;
  return all.sort((a, b) => near(b) - near(a))[0];
}

// The first zoom step centres on the chosen counter, else on a contact.
function nearer(factor) {
  zoom.moved = true;
  const goal = document.querySelector("#live .hit") || document.querySelector("#live .contact");
  if (zoom.k === zoom.first && goal) [zoom.x, zoom.y] = [Number(goal.dataset.x), Number(goal.dataset.y)];
  zoom.k = Math.min(Math.max(zoom.k * factor, 1), 8);
  fit();
}

function drag(map) {
  let from = null;
  map.addEventListener("pointerdown", (e) => { from = zoom.k > 1 ? [e.clientX, e.clientY] : null; });
  window.addEventListener("pointermove", (e) => {
    if (!from) return;
    zoom.moved = true;
    const unit = map.viewBox.baseVal.width / map.clientWidth;
    zoom.x -= (e.clientX - from[0]) * unit;
    zoom.y -= (e.clientY - from[1]) * unit;
    from = [e.clientX, e.clientY];
    fit();
  });
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { from = null; });
}
