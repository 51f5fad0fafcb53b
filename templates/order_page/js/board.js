// The chart: positions, zoom and taps.

import { book } from "./book.js";
import { byId, draw } from "./dom.js";

// reach: the cells in reach of the chosen unit. marks(): of each unit that has a mark, `done` or `locked`.
export const board = { map: null, facts: null, spots: [], view: { x: 0, y: 0, k: 1, all: 1, own: false }, picking: null, chosen: "",
  reach: new Map(), marks: () => new Map(), cursor: "", plot: null };
export const RIM = 8, FINGER = 26, NEAREST = 3, LOW = 1.7, LEGIBLE = 10, MOST_GROWTH = 1.6, FARTHEST = 0.7, PAD = 6;
const CELL_TO_TAP = matchMedia("(pointer: coarse)").matches || innerWidth < 600 ? 34 : 40;

// facts: frame, cells, outlines, units, contacts of the drawn chart; picking(cell): called for a tap on a zone
// for an argument; tapped(units, contacts, cell): called for any other tap.
export function openBoard(facts, report, tapped) {
  const first = !board.map;
  Object.assign(board, { map: byId("map"), tapped, cursor: "" });
  showBoard(facts, report);
  if (![facts.units, facts.contacts].some((drawn) => Object.keys(drawn).length)) drawMarks();
  if (!first) return;
  listen(board.map);
  new ResizeObserver(resized).observe(board.map);
}

// Shows the chart with these facts; a report may have several.
export function showBoard(facts, report) {
  Object.assign(board, { facts, spots: spotsOf(facts, report), least: 0 });
  byId("marks").replaceChildren();
  const [, , wide, high] = facts.frame;
  board.map.style.aspectRatio = `${wide} / ${high}`;
  byId("workspace").classList.toggle("low", wide > LOW * high);
  home();
}

function spotsOf(facts, report) {
  const found = new Map();
  const add = (id, at, kind) => {
    if (!at) return;
    const key = `${kind}${at}`;
    found.set(key, found.get(key) || { at, kind, items: [] });
    found.get(key).items.push(id);
  };
  const placed = (drawn, row) => drawn[row.id] || facts.cells[row.place] || midwayOf(cellsAlong(row, facts));
  for (const u of report.units) add(u, placed(facts.units, u), "unit");
  for (const c of report.contacts) add(c, placed(facts.contacts, c), "contact");
  return [...found.values()];
}

// The cells of a unit or contact that lies along a line of them.
const cellsAlong = (row, facts) => (row.piece?.line || []).map((cell) => facts.cells[cell]).filter(Boolean);
const midwayOf = (line) => line[line.length >> 1];

// Where an actor is on the chart.
export const whereIs = (id) => board.spots.find((s) => s.kind === "unit" && s.items.some((u) => u.id === id))?.at;

function smallest() {
  const [, , w, h] = board.facts.frame;
  return Math.min(board.map.clientWidth / (w + 2 * RIM), board.map.clientHeight / (h + 2 * RIM));
}

// A cell's width in pixels of the drawing; areas are larger than the pitch of their map.
const cellSize = () => board.facts.pitch * (board.facts.outlines[""] ? 1 : 1.5);

// Shows all of the chart if its cells are large enough to tap, else the part around the focus.
export function home() {
  const [x, y, w, h] = board.facts.frame, all = smallest(), size = cellSize(), { focus } = board.facts;
  const points = focus?.length ? focus : board.spots.filter((s) => s.kind === "unit").map((s) => s.at);
  const near = all * size < CELL_TO_TAP && points.length > 0;
  const [cx, cy] = near ? points[0] : [x + w / 2, y + h / 2];
  board.view = { x: cx, y: cy, k: near ? (CELL_TO_TAP * 1.25) / size : all, all, own: false };
  fit();
}

// After a phone is turned: a chart that shows everything, or was never touched, looks as if just opened.
function resized() {
  const { view } = board, whole = view.k <= view.all * 1.001;
  if (!view.own) return home();
  view.all = smallest();
  if (whole) view.k = view.all;
  fit();
}

function fit() {
  const { map, view, facts: { frame: [x, y, w, h] } } = board;
  if (!map.clientWidth) return;
  view.k = Math.min(Math.max(view.k, smallest()), NEAREST);
  const wide = map.clientWidth / view.k, high = map.clientHeight / view.k;
  const keep = (at, size, low, all) => (size >= all + 2 * RIM ? low + all / 2
    : Math.min(Math.max(at, low - RIM + size / 2), low + all + RIM - size / 2));
  view.x = keep(view.x, wide, x, w);
  view.y = keep(view.y, high, y, h);
  sizeLetters();
  map.setAttribute("viewBox", [view.x - wide / 2, view.y - high / 2, wide, high].map((n) => n.toFixed(2)).join(" "));
  showOverlay();
}

// Letters that would be too small to read are drawn larger as far as there is room, else left out.
function sizeLetters() {
  const least = LEGIBLE / board.view.k;
  if (board.least === least) return;
  board.least = least;
  for (const text of board.map.querySelectorAll("#ground text, #marks text")) {
    const own = Number(text.dataset.size ||= parseFloat(getComputedStyle(text).fontSize)), size = Math.max(own, least);
    const length = Number(text.dataset.length ||= text.getAttribute("textLength") || 0);
    if (length) text.setAttribute("textLength", ((length * size) / own).toFixed(1));
    text.style.fontSize = `${size}px`;
    for (const part of text.querySelectorAll("[font-size]")) part.style.fontSize = `${(part.getAttribute("font-size") * size) / own}px`;
    const line = text.parentNode.matches("g.name") ? [...text.parentNode.children].indexOf(text) : 0; // lines of a label keep apart
    text.style.transform = line > 0 && size > own ? `translateY(${(line * (size - own)).toFixed(1)}px)` : "";
    text.style.display = size > own * MOST_GROWTH ? "none" : "";
  }
  sizePlates();
}

// The plate of a name is as large as its letters; without them it is left out.
function sizePlates() {
  for (const plate of board.map.querySelectorAll("#ground rect + g.name")) {
    const [rect, text] = [plate.previousElementSibling, plate.firstElementChild], box = text.getBBox();
    rect.style.display = text.style.display;
    if (!box.width) continue;
    for (const [key, value] of Object.entries({ x: box.x - PAD, width: box.width + 2 * PAD, y: box.y - 1, height: box.height + 2 })) {
      rect.setAttribute(key, value.toFixed(1));
    }
  }
}

export function nearer(factor, at = null) {
  const { view } = board, before = view.k;
  view.own = true;
  view.k = Math.min(Math.max(view.k * factor, smallest()), NEAREST);
  if (at) {
    view.x = at[0] + (view.x - at[0]) * (before / view.k);
    view.y = at[1] + (view.y - at[1]) * (before / view.k);
  }
  fit();
}

// Brings a point into view, large enough to tap around it; and with it, if there is room, other points.
export function lookAt(at, more = []) {
  if (!at) return;
  const { view, map } = board, all = [at, ...more], room = 1.5 * cellSize();
  view.own = true;
  view.k = Math.max(view.k, Math.min((CELL_TO_TAP * 1.25) / cellSize(), NEAREST));
  const [xs, ys] = [0, 1].map((i) => all.map((p) => p[i])), span = (some) => Math.max(...some) - Math.min(...some) + room;
  if (more.length) view.k = Math.max(Math.min(view.k, map.clientWidth / span(xs), map.clientHeight / span(ys)), smallest(), FARTHEST);
  const half = [map.clientWidth, map.clientHeight].map((size) => (size / view.k) * 0.36);
  const middle = (some) => (Math.max(...some) + Math.min(...some)) / 2;
  if (more.length) [view.x, view.y] = [middle(xs), middle(ys)];
  if (Math.abs(at[0] - view.x) > half[0] || Math.abs(at[1] - view.y) > half[1]) [view.x, view.y] = at;
  fit();
}

function pointOfEvent(e) {
  const box = board.map.getBoundingClientRect(), { view } = board;
  return [view.x + (e.clientX - box.left - box.width / 2) / view.k, view.y + (e.clientY - box.top - box.height / 2) / view.k];
}

// The cell under a point; empty outside the board.
export function cellAt([x, y]) {
  const { cells, outlines, pitch } = board.facts;
  const inside = (corners, dx, dy) => corners.reduce((odd, [ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length];
    const crosses = ay + dy > y !== by + dy > y && x < ((bx - ax) * (y - ay - dy)) / (by - ay) + ax + dx;
    return crosses ? !odd : odd;
  }, false);
  for (const [name, [cx, cy]] of Object.entries(cells)) {
    const own = outlines[name];
    if (own ? inside(own, 0, 0) : Math.hypot(cx - x, cy - y) < pitch && inside(outlines[""], cx, cy)) return name;
  }
  return "";
}

function listen(map) {
  const fingers = new Map();
  let moved = 0, spread = 0, held = false;
  const gap = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  map.addEventListener("pointerdown", (e) => {
    fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    map.setPointerCapture(e.pointerId);
    if (fingers.size === 1) moved = 0;
    held = fingers.size === 1 && Boolean(board.plot?.grab(pointOfEvent(e)));
    spread = fingers.size === 2 ? gap() : 0;
  });
  map.addEventListener("pointermove", (e) => {
    const finger = fingers.get(e.pointerId);
    if (!finger) return;
    const dx = e.clientX - finger.x, dy = e.clientY - finger.y;
    moved += Math.abs(dx) + Math.abs(dy);
    Object.assign(finger, { x: e.clientX, y: e.clientY });
    if (held) {
      if (moved > 6) board.plot.drag(pointOfEvent(e), e.shiftKey);
    } else if (fingers.size === 2 && spread) {
      nearer(gap() / spread);
      spread = gap();
    } else if (moved > 6) {
      board.view.own = true;
      board.view.x -= dx / board.view.k;
      board.view.y -= dy / board.view.k;
      fit();
    }
  });
  map.addEventListener("pointerup", (e) => {
    const single = fingers.size === 1;
    fingers.delete(e.pointerId);
    if (held && moved > 6) board.plot.drop();
    else if (single && moved <= 6) tap(e);
    held = false;
    if (!single) moved = 99;
  });
  map.addEventListener("pointercancel", (e) => {
    fingers.delete(e.pointerId);
    held = false;
  });
  map.addEventListener("wheel", (e) => {
    if (!e.ctrlKey) return;
    e.preventDefault();
    nearer(e.deltaY < 0 ? 1.2 : 1 / 1.2, pointOfEvent(e));
  }, { passive: false });
}

// Moves the cursor of the keyboard to the next cell in a direction.
export function step(dx, dy) {
  const { cells, pitch } = board.facts, from = cells[board.cursor] || whereIs(board.chosen) || [board.view.x, board.view.y];
  const far = ([x, y]) => {
    const along = (x - from[0]) * dx + (y - from[1]) * dy, aside = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
    return along < pitch * 0.3 ? Infinity : along + 2 * aside;
  };
  const [name] = Object.keys(cells).map((cell) => [cell, far(cells[cell])]).reduce((a, b) => (b[1] < a[1] ? b : a), ["", Infinity]);
  board.cursor = name || board.cursor;
  if (board.cursor) lookAt(cells[board.cursor]);
  showOverlay();
  return board.cursor;
}

// What a tap on the middle of a cell does.
export const enter = (cell) => tapAt(board.facts.cells[cell], cell);

function tap(e) {
  const at = pointOfEvent(e);
  tapAt(at, cellAt(at));
}

function tapAt(at, cell) {
  if (board.picking) {
    if (cell && cellSize() * board.view.k < CELL_TO_TAP * 0.7) lookAt(at);
    else if (cell) board.picking(cell);
    return;
  }
  const reach = Math.max(FINGER / board.view.k, board.facts.pitch * 0.4);
  const far = (s) => Math.hypot(s.at[0] - at[0], s.at[1] - at[1]);
  const near = board.spots.filter((s) => far(s) <= reach).sort((a, b) => far(a) - far(b));
  const first = near.find((s) => s.kind === "unit");
  const foe = near.find((s) => s.kind === "contact");
  if (!near.length && board.plot?.tap(at)) return;
  board.tapped(first ? first.items : [], foe ? foe.items : [], cell);
}

// Draws over the chart: the chosen unit, the routes ordered, and the zones being picked.
// way: {from, zones, kind} of the order being written.
export function showOverlay(way = board.way) {
  board.way = way;
  if (!board.facts) return;
  const { cells, pitch } = board.facts, parts = [], px = (n) => n / Math.max(board.view.k, 0.4);
  for (const route of routes()) {
    parts.push(draw("path", { d: lineThrough(route), class: "route", "stroke-width": px(2.4), "stroke-dasharray": `${px(7)} ${px(4)}` }));
  }
  for (const cell of Object.keys(board.facts.moves?.[board.chosen] || {}).filter((c) => cells[c])) parts.push(draw("path", { d: outlineOf(cell), class: "picked", "data-cell": cell }));
  for (const [from, to, label] of steered()) {
    const [x, y] = cells[to], r = px(11);
    parts.push(draw("path", { d: lineThrough([from, cells[to]]), class: "way", "stroke-width": px(3.2) }), draw("circle", { cx: x, cy: y, r, class: "step" }),
      draw("text", { x, y: y + r * 0.36, "font-size": r * 0.95, class: "count" }, label));
  }
  const lit = way ? [] : [...board.reach.keys()].filter((cell) => cells[cell]);
  if (lit.length) parts.unshift(draw("path", { d: lit.map(outlineOf).join(""), class: "lit", "stroke-width": px(1.2) }));
  const signs = board.marks();
  for (const { at: [x, y], items } of board.spots.filter((s) => s.kind === "unit")) {
    const leads = items.filter((u) => !u.force && !u.leader).map((u) => signs.get(u.id)), sign = leads.length && leads.every((one) => one === leads[0]) ? leads[0] : "";
    if (sign) parts.push(draw("g", { class: sign, transform: `translate(${x + 22} ${y - 12}) scale(${px(1)})` }, draw("circle", { r: 7.5 }), draw("path", { d: SIGNS[sign] })));
  }
  if (board.cursor && cells[board.cursor]) parts.push(draw("path", { d: outlineOf(board.cursor), class: "cursor", "stroke-width": px(3) }));
  const at = board.chosen && whereIs(board.chosen);
  if (at) parts.push(draw("circle", { cx: at[0], cy: at[1], r: Math.max(pitch * 0.62, px(22)), class: "chosen", "stroke-width": px(3) }));
  const zones = (way?.zones || []).filter((z) => cells[z]);
  for (const zone of zones) parts.push(draw("path", { d: outlineOf(zone), class: "picked" }));
  const line = zones.map((z) => cells[z]);
  if (way?.kind === "path" && way.from) line.unshift(way.from);
  if (way?.kind === "path" && line.length > 1) parts.push(draw("path", { d: lineThrough(line), class: "way", "stroke-width": px(3.2) }));
  parts.push(...(board.plot?.drawn(px) || []));
  zones.forEach((zone, i) => {
    const [x, y] = cells[zone], r = px(8.5);
    parts.push(draw("circle", { cx: x, cy: y, r, class: "step" }),
      draw("text", { x, y: y + r * 0.42, "font-size": r * 1.2, class: "count" }, String(i + 1)));
  });
  byId("overlay").replaceChildren(...parts);
}

const SIGNS = { done: "M-3.5 0l2.5 3 4.500-5.500", locked: "M-3-.5h6v4h-6zM-1.800-.5v-1.500a1.800 1.800 0 0 1 3.600 0v1.500" };
const lineThrough = (points) => `M${points.map((p) => p.join(" ")).join("L")}`;

function outlineOf(zone) {
  const { cells, outlines } = board.facts, own = outlines[zone];
  const corners = own || outlines[""].map(([x, y]) => [x + cells[zone][0], y + cells[zone][1]]);
  return `${lineThrough(corners)}Z`;
}

// Of each unit that is ordered to one of the places that the chart offers: from where, the cell, the label.
function steered() {
  const { moves = {}, units } = board.facts, found = [];
  for (const [unit, places] of Object.entries(moves)) {
    for (const [cell, labels] of Object.entries(places)) {
      for (const [label, line] of Object.entries(labels)) if (book.text.includes(line)) found.push([units[unit], cell, label]);
    }
  }
  return found;
}

// The routes of this turn's orders.
function routes() {
  const { cells } = board.facts, found = [];
  for (const order of book.reading?.orders || []) {
    if (order.standing || order.turn !== null || (board.way && order.actor === board.chosen)) continue;
    for (const { verb, args } of order.order.actions) {
      const plan = book.speaker.verbs(order.actor).find((v) => v.verb === verb);
      const way = plan?.args.find((a) => a.kind === "path" || a.kind === "place");
      const zones = way && args[way.name] ? [args[way.name]].flat().filter((z) => cells[z]) : [];
      const from = whereIs(order.actor);
      if (zones.length && from) found.push([from, ...zones.map((z) => cells[z])]);
    }
  }
  return found;
}

// Draws counters on a board that has none (the page that opens a saved report).
function drawMarks() {
  const marks = board.spots.map(({ at: [x, y], kind, items }) => {
    const leads = items.filter((i) => !i.force), lead = leads[0] || items[0], more = leads.length - 1;
    const shape = kind === "unit" ? pieceOf(lead, more) : [draw("path", { d: "M0-13L13 0 0 13-13 0z", class: "foe" })];
    const name = (lead.name || lead.id) + (more > 0 ? ` +${more}` : "");
    const words = kind === "unit" ? name : `${lead.id} ${lead.type || ""}`.trim();
    return draw("g", { class: kind, transform: `translate(${x} ${y + (kind === "contact" ? -9 : 0)})` }, ...shape,
      draw("text", { y: kind === "unit" ? 24 : -16, class: "name" }, words));
  });
  byId("marks").replaceChildren(...board.spots.flatMap(({ kind, items }) => items.map((row) => [kind, cellsAlong(row, board.facts)]))
    .filter(([, line]) => line.length > 1).map(([kind, line]) => draw("path", { d: lineThrough(line), class: `line ${kind}` })), ...marks);
}

function pieceOf(unit, more) {
  const parts = [];
  for (let n = Math.min(Math.max(more, 0), 2); n >= 0; n--) {
    parts.push(draw("rect", { x: -23 + 3 * n, y: -12.5 - 3 * n, width: 46, height: 25, rx: 3.5, class: "counter" }));
  }
  const symbol = byId(`s-${unit.type}`) ? unit.type : "";
  if (symbol) parts.push(draw("use", { href: `#s-${symbol}`, class: "ink", transform: "translate(0 -2.8) scale(.9)" }));
  const caption = draw("text", { y: symbol ? 8.9 : 3, "font-size": symbol ? 7.4 : 10, class: "ink" }, unit.type);
  return [...parts, caption];
}
