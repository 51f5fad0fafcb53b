// A course on a sea without cells: its reach, its legs, and the arc of a weapon at its end, dragged or set by keys. What
// is drawn is near enough; where a course ends to the hundredth, the note of its order says.

import { board, showOverlay } from "./board.js";
import { book, writeLine } from "./book.js";
import { give } from "./composer.js";
import { byId, button, choice, draw, make, select } from "./dom.js";
import { judged } from "./reach.js";

const CIRCLE = 5760, EIGHTH = 720, HALF_TURN = 2880, GRASP = 24, BAND = 10000;
const STEPS = { turn: [80, 8], ahead: [250, 50] };
const ARCS = { F: [[-720, 720]], A: [[2160, 3600]], P: [[-2160, -720]], S: [[720, 2160]], FT: [[-2160, 2160]], AT: [[720, 5040]],
  T: [[-2880, 2880]], BR: [[720, 2160], [-2160, -720]] };
// legs: [{way, v}] in mils or sixteenths of a degree, starboard above 0. on: the leg that keys change.
const plot = { unit: null, report: null, legs: [], on: 0, weapon: "", knob: -1, ruler: null };
board.plot = { choose: chooseShip, grab, drag, drop, tap: measure, key, drawn, panel, hint };

const sin = (angle) => Math.sin((angle * 2 * Math.PI) / CIRCLE), cos = (angle) => Math.cos((angle * 2 * Math.PI) / CIRCLE);
const turned = (angle) => ((angle % CIRCLE) + CIRCLE) % CIRCLE;
const bears = (arc, off) => (ARCS[arc] || []).some(([from, to]) => turned(off - from) <= to - from);
const within = (value, least, most) => Math.min(Math.max(value, least), most);
const number = (value) => String(Math.round(value * 100) / 100);
const inches = (mils) => number(mils / 1000), degrees = (angle) => number(Math.abs(angle) / 16);
const pixel = ({ x, y }) => [board.facts.plane[0] + (x / 1000) * board.facts.plane[2], board.facts.plane[1] - (y / 1000) * board.facts.plane[2]];
const place = ([x, y]) => ({ x: ((x - board.facts.plane[0]) / board.facts.plane[2]) * 1000, y: ((board.facts.plane[1] - y) / board.facts.plane[2]) * 1000 });
const may = (verb) => plot.unit && book.speaker.verbs(plot.unit.id).some((v) => v.verb === verb);
const ordersOf = (id, verb) => book.reading.orders.filter((o) => o.actor === id && !o.standing && o.turn === null && !o.when && o.order.actions[0].verb === verb);

function chooseShip(unit, report) {
  Object.assign(plot, { unit: unit?.hull_size?.[0] ? unit : null, report, legs: [], on: 0, knob: -1, ruler: null });
  if (!plot.unit) return;
  plot.legs = ordered(unit) || [{ way: "ahead", v: span().low }];
  plot.on = plot.legs.length - 1;
  if (!unit.mounts.some((m) => m.id === plot.weapon)) plot.weapon = "";
}

function hint() {
  if (!plot.unit) return "";
  return may("move") ? `Drag the hull of ${plot.unit.id}, or use the arrow keys` : may("deploy") ? `Tap where ${plot.unit.id} begins` : "";
}

// The setting by which she moves: the one that is ordered, else the one she has, less what a flooded hull or damage takes.
function setting(unit = plot.unit) {
  const [said] = ordersOf(unit.id, "speed"), wished = said ? said.order.actions[0].args.setting.toLowerCase() : unit.setting;
  const at = unit.spans.find((s) => s.setting === wished) || unit.spans[unit.spans.length - 1];
  const down = ordersOf(unit.id, "down").length || (unit.down && !ordersOf(unit.id, "up").length);
  return at ? (down ? at.deep : at.setting) : wished;
}

const span = (unit = plot.unit) => unit.spans.find((s) => s.setting === setting(unit)) || { low: 0, high: 0, eighth: 0, radius: 0 };
const astern = (unit) => (setting(unit) === "reverse" ? -1 : 1);
const cost = (leg, { eighth }) => (leg.way === "turn" ? Math.ceil((Math.abs(leg.v) * eighth) / EIGHTH) : leg.v);
const total = (legs, at) => legs.reduce((sum, leg) => sum + cost(leg, at), 0);

function sailed({ x, y, h }, leg, { radius }, way) {
  if (leg.way !== "turn") return { x: x + way * leg.v * sin(h), y: y + way * leg.v * cos(h), h };
  const end = turned(h + leg.v), r = way * radius * Math.sign(leg.v);
  return { x: x + r * (cos(h) - cos(end)), y: y - r * (sin(h) - sin(end)), h: end };
}

const poseOf = (unit) => ({ x: unit.x, y: unit.y, h: unit.heading });
const posesOf = (legs, unit = plot.unit) => legs.reduce((found, leg) => [...found, sailed(found[found.length - 1], leg, span(unit), astern(unit))], [poseOf(unit)]);

// Points along a course, for its line.
function wayOf(legs, unit) {
  const found = [poseOf(unit)];
  for (const leg of legs) {
    const from = found[found.length - 1], parts = leg.way === "turn" ? Math.ceil(Math.abs(leg.v) / 120) || 1 : 1;
    for (let n = 1; n <= parts; n++) found.push(sailed(from, { ...leg, v: (leg.v * n) / parts }, span(unit), astern(unit)));
  }
  return found;
}

// The legs that are ordered for a unit; those of `steer` are in its note. Null without a course.
function ordered(unit) {
  const [move] = ordersOf(unit.id, "move"), [steer] = ordersOf(unit.id, "steer");
  const said = move ? move.order.actions[0].args.legs.join(" ") : steer ? /^now (.*?):/.exec(steer.note || "")?.[1] : "";
  const legs = [...(said || "").toUpperCase().matchAll(/(AHEAD|STARBOARD|PORT) ([\d.]+)/g)].map(([, way, by]) => (way === "AHEAD"
    ? { way: "ahead", v: Number(by) * 1000 } : { way: "turn", v: Number(by) * (way === "PORT" ? -16 : 16) }));
  return legs.length ? legs : null;
}

const written = (leg) => (leg.way === "ahead" ? `ahead ${inches(leg.v)}` : `${leg.v < 0 ? "port" : "starboard"} ${degrees(leg.v)}`);

// Writes the course as an order.
function settled() {
  const legs = plot.legs.filter((leg) => leg.v), at = plot.on;
  if (!legs.length) return;
  const fault = writeLine(`${plot.unit.id}: move ${legs.map(written).join(" ")};`);
  plot.on = within(at, 0, plot.legs.length - 1);
  byId("hint").textContent = fault ? fault.text : judged(`${plot.unit.id}: move ${legs.map(written).join(" ")};`).note || "";
  showOverlay();
}

// A leg's value, kept within what is left of the move.
function put(n, value) {
  const at = span(), leg = plot.legs[n], left = at.high - total(plot.legs.filter((_, i) => i !== n), at);
  if (leg.way === "ahead") leg.v = within(Math.round(value / 10) * 10, 0, Math.floor(left / 10) * 10);
  else {
    const most = at.eighth ? Math.min(HALF_TURN, Math.floor((left * EIGHTH) / at.eighth / 8) * 8) : 0;
    leg.v = within(Math.round(value / 8) * 8, -most, most);
  }
}

// The last straight makes up what the least of the setting asks for.
function lengthen() {
  const short = span().low - total(plot.legs, span()), last = plot.legs[plot.legs.length - 1];
  if (short > 0 && last?.way === "ahead") last.v += Math.ceil(short / 10) * 10;
  else if (short > 0) plot.legs.push({ way: "ahead", v: Math.ceil(short / 10) * 10 });
}

// The legs from the nth on that end nearest to a point: a turn and a straight.
function solve(n, goal) {
  const at = span(), way = astern(), from = posesOf(plot.legs.slice(0, n))[n], left = at.high - total(plot.legs.slice(0, n), at);
  const least = Math.max(0, at.low - total(plot.legs.slice(0, n), at));
  const most = !at.eighth ? 0 : Math.min(way < 0 ? EIGHTH : HALF_TURN, Math.floor((left * EIGHTH) / at.eighth / 8) * 8);
  let best = [Infinity, 0, 0];
  for (let angle = -most; angle <= most; angle += 8) {
    const turn = { way: "turn", v: angle }, spent = cost(turn, at), bow = angle ? sailed(from, turn, at, way) : from;
    const along = way * ((goal.x - bow.x) * sin(bow.h) + (goal.y - bow.y) * cos(bow.h));
    const on = within(Math.round(along / 50) * 50, Math.max(0, Math.ceil((least - spent) / 10) * 10), Math.max(0, Math.floor((left - spent) / 10) * 10));
    const end = sailed(bow, { way: "ahead", v: on }, at, way), far = Math.hypot(end.x - goal.x, end.y - goal.y) + Math.abs(angle) / 100;
    if (far < best[0]) best = [far, angle, on];
  }
  plot.legs = [...plot.legs.slice(0, n), ...(best[1] ? [{ way: "turn", v: best[1] }] : []), ...(best[2] || !best[1] ? [{ way: "ahead", v: best[2] }] : [])];
  plot.on = plot.legs.length - 1;
}

// What lies under a finger: the hull at the end of the course, or the end of a leg.
function grab(at) {
  if (!plot.unit || !may("move") || board.picking || !plot.legs.length) return false;
  const reach = GRASP / board.view.k, far = (pose) => Math.hypot(pixel(pose)[0] - at[0], pixel(pose)[1] - at[1]);
  const found = posesOf(plot.legs).map((pose, n) => [far(pose), n]).reverse().sort((a, b) => a[0] - b[0])[0];
  const own = Math.max(reach, (plot.unit.hull_size[0] / 2000) * board.facts.plane[2]);
  plot.knob = found[0] <= (found[1] === plot.legs.length || found[1] === 0 ? own : reach) ? found[1] || plot.legs.length : -1;
  return plot.knob >= 0;
}

function drag(at, fine) {
  const goal = place(at), n = plot.knob - 1;
  if (plot.knob === plot.legs.length) solve(Math.max(0, plot.legs.length - 2), goal);
  else {
    const from = posesOf(plot.legs)[n], leg = plot.legs[n], step = STEPS[leg.way][fine ? 1 : 0];
    if (leg.way === "ahead") put(n, Math.round((astern() * ((goal.x - from.x) * sin(from.h) + (goal.y - from.y) * cos(from.h))) / step) * step);
    else {
      const ends = Array.from({ length: (2 * HALF_TURN) / step + 1 }, (_, i) => i * step - HALF_TURN);
      const far = (v) => { const end = sailed(from, { way: "turn", v }, span(), astern()); return Math.hypot(end.x - goal.x, end.y - goal.y); };
      put(n, ends.reduce((a, b) => (far(b) < far(a) ? b : a)));
    }
    plot.on = n;
  }
  plot.knob = Math.min(plot.knob, plot.legs.length);
  if (plot.on === plot.legs.length - 1 && n >= plot.on) plot.knob = plot.legs.length;
  byId("hint").textContent = `${plot.legs.map(written).join(" ")}: ${inches(total(plot.legs, span()))} of ${inches(span().high)} inches`;
  showOverlay();
}

function drop() {
  lengthen();
  settled();
}

// Arrow keys: left and right turn, up and down go on or less far; Shift by little.
function key(dx, dy, fine) {
  if (!plot.unit || !may("move")) return false;
  const way = dx ? "turn" : "ahead", step = STEPS[way][fine ? 1 : 0];
  let n = plot.legs[plot.on]?.way === way ? plot.on : plot.legs.map((leg) => leg.way).lastIndexOf(way);
  if (n < 0) {
    n = way === "turn" ? 0 : plot.legs.length;
    plot.legs.splice(n, 0, { way, v: 0 });
  }
  plot.on = n;
  change(n, way === "turn" ? dx * step : -dy * step);
  return true;
}

function change(n, by) {
  const leg = plot.legs[n], before = leg.v;
  put(n, leg.v + by);
  const after = plot.legs.map((one, i) => i !== n && one.way).lastIndexOf("ahead");
  if (leg.v === before && by && after >= 0) { // the straight gives way to a turn
    put(after, plot.legs[after].v - Math.max(50, cost({ way: leg.way, v: by }, span())));
    put(n, before + by);
  }
  lengthen();
  settled();
}

// A tap on the open sea: a point for the order being written, a place to begin, else a ruler.
function measure(at) {
  if (!board.facts.plane) return false;
  const { x, y } = place(at), said = `${inches(Math.round(x / 10) * 10)} ${inches(Math.round(y / 10) * 10)}`;
  const field = byId("composer").querySelector("input.point, input.points");
  if (field) {
    field.value = field.className === "points" ? `${field.value} ${said}`.trim() : said;
    field.dispatchEvent(new Event("input"));
  } else if (may("deploy")) {
    const fault = writeLine(`${plot.unit.id}: deploy ${said} heading ${degrees(plot.unit.heading)};`);
    byId("hint").textContent = fault ? fault.text : `${plot.unit.id} begins at ${said}`;
  } else {
    const from = plot.unit && posesOf(plot.legs).pop();
    plot.ruler = from ? [from, { x, y }] : null;
    byId("hint").textContent = from ? `${said}: ${inches(Math.hypot(x - from.x, y - from.y))} inches from ${plot.unit.id}, bearing ${bearing(from, { x, y })}` : said;
    showOverlay();
  }
  return true;
}

const bearing = (from, to) => Math.round(turned((Math.atan2(to.x - from.x, to.y - from.y) / Math.PI) * HALF_TURN) / 16);

// What is drawn

const path = (points) => `M${points.map((p) => pixel(p).map((n) => n.toFixed(1)).join(" ")).join("L")}`;
const around = ({ x, y }, radius, from, to) => Array.from({ length: 37 }, (_, n) => {
  const angle = from + ((to - from) * n) / 36;
  return { x: x + radius * sin(angle), y: y + radius * cos(angle) };
});

function hullAt({ x, y, h }, [long, beam]) {
  const corner = (along, across) => ({ x: x + along * sin(h) + across * cos(h), y: y + along * cos(h) - across * sin(h) });
  return `${path([corner(long / 2, 0), corner(long / 4, beam / 2), corner(-long / 2, beam / 2), corner(-long / 2, -beam / 2), corner(long / 4, -beam / 2)])}Z`;
}

// All that she can reach this turn: the ends of a turn and a straight, at the most and at the least.
function reachPath() {
  const at = span(), way = astern(), from = poseOf(plot.unit), angles = Array.from({ length: 49 }, (_, n) => (n - 24) * 60);
  const ends = (length) => angles.filter((v) => !v || (at.eighth && cost({ way: "turn", v }, at) <= length)).map((v) => {
    const bow = v ? sailed(from, { way: "turn", v }, at, way) : from;
    return sailed(bow, { way: "ahead", v: length - cost({ way: "turn", v }, at) }, at, way);
  });
  return at.high ? `${path([...ends(at.high), ...ends(at.low).reverse()])}Z` : "";
}

function arcParts(pose, px) {
  const mount = plot.unit.mounts.find((m) => m.id === plot.weapon);
  if (!mount) return [];
  return (ARCS[mount.arc] || []).flatMap(([from, to]) => {
    const [low, high] = [pose.h + from, pose.h + to], bands = [BAND, 2 * BAND, mount.high].filter((r, i, all) => r > mount.low && r <= mount.high && all.indexOf(r) === i);
    return [draw("path", { d: `${path([...around(pose, mount.low, low, high), ...around(pose, mount.high, high, low)])}Z`, class: "bears" }),
      ...bands.flatMap((r) => {
        const [x, y] = pixel(around(pose, r, (low + high) / 2, high)[0]);
        return [draw("path", { d: path(around(pose, r, low, high)), class: "band", "stroke-width": px(1.2) }), draw("text", { x, y, "font-size": px(11), class: "measure" }, inches(r))];
      })];
  });
}

// Of each other unit the course that is ordered.
function otherCourses(px) {
  return (plot.report?.units || []).filter((u) => u !== plot.unit && u.hull_size?.[0] && u.spans?.length).flatMap((u) => {
    const legs = ordered(u);
    if (!legs) return [];
    const line = wayOf(legs, u);
    return [draw("path", { d: path(line), class: "route", "stroke-width": px(2), "stroke-dasharray": `${px(6)} ${px(4)}` }),
      draw("path", { d: hullAt(line[line.length - 1], u.hull_size), class: "ghost", "stroke-width": px(1.2) })];
  });
}

function drawn(px) {
  if (!board.facts.plane) return [];
  const found = otherCourses(px);
  if (plot.ruler) found.push(draw("path", { d: path(plot.ruler), class: "ruler", "stroke-width": px(1.6), "stroke-dasharray": px(4) }));
  if (!plot.unit) return found;
  const sails = may("move") || may("speed"), reach = sails && plot.unit.spans.length ? reachPath() : "";
  if (reach) found.push(draw("path", { d: reach, class: "reach", "stroke-width": px(1.2) }));
  if (!may("move")) return [...found, ...arcParts(poseOf(plot.unit), px)];
  const poses = posesOf(plot.legs), end = poses[poses.length - 1];
  found.push(...arcParts(end, px), draw("path", { d: path(wayOf(plot.legs, plot.unit)), class: "way", "stroke-width": px(3) }),
    draw("path", { d: hullAt(end, plot.unit.hull_size), class: "ghost on", "stroke-width": px(2) }));
  poses.slice(1).forEach((pose, n) => {
    const [cx, cy] = pixel(pose);
    found.push(draw("circle", { cx, cy, r: px(n === plot.legs.length - 1 ? 10 : 7), class: n === plot.on ? "knob on" : "knob", "stroke-width": px(2.4) }));
  });
  return found;
}

// The course among the unit's orders: telegraph, legs, weapon, and what it bears on.
function panel() {
  if (!plot.unit || !board.facts.plane) return null;
  const parts = [];
  if (may("speed")) {
    const values = book.speaker.verbs(plot.unit.id).find((v) => v.verb === "speed").args[0].values;
    parts.push(choice("Telegraph", values.map((v) => [String(v).toLowerCase(), String(v).toLowerCase()]), setting(), (v) => {
      const line = `${plot.unit.id}: speed ${v};`;
      if (!may("move")) return give(line);
      writeLine(line);
      plot.legs.forEach((_, n) => put(n, plot.legs[n].v));
      lengthen();
      return settled();
    }));
  }
  if (may("move")) parts.push(...legParts());
  const { mounts } = plot.unit;
  if (mounts.length) {
    parts.push(make("div", { className: "row" }, make("label", { htmlFor: "weapon" }, "Weapon"), select([["", "none"], ...mounts.map((m) => [m.id, `${m.id}: ${m.kind} ${m.fp}, to ${inches(m.high)}`])], plot.weapon, (v) => {
      plot.weapon = v;
      showOverlay();
      byId("bears").textContent = bearsOn();
    }, { id: "weapon" })), make("p", { className: "quiet", id: "bears" }, bearsOn()));
  }
  return parts.length ? make("div", { className: "plot", id: "plot" }, parts) : null;
}

function legParts() {
  const at = span(), length = total(plot.legs, at), bad = length < at.low || length > at.high;
  const step = (n, by, words, what) => {
    const one = button(words, () => { plot.on = n; change(n, by); }, { id: `leg-${n}-${what}` });
    one.setAttribute("aria-label", `${written(plot.legs[n])}: ${what}`);
    return one;
  };
  const rows = plot.legs.map((leg, n) => {
    const [by] = STEPS[leg.way], gone = button("×", () => { plot.legs.splice(n, 1); lengthen(); plot.on = 0; settled(); }, { id: `leg-${n}-gone`, disabled: plot.legs.length < 2 });
    gone.setAttribute("aria-label", `Remove ${written(leg)}`);
    return make("li", { className: n === plot.on ? "leg on" : "leg" }, make("b", {}, leg.way === "ahead" ? (astern() < 0 ? "astern" : "ahead") : leg.v < 0 ? "port" : "starboard"),
      step(n, -by, leg.way === "turn" ? "⟲" : "−", leg.way === "turn" ? "more to port" : "less"), make("output", {}, leg.way === "ahead" ? inches(leg.v) : `${degrees(leg.v)}°`),
      step(n, by, leg.way === "turn" ? "⟳" : "+", leg.way === "turn" ? "more to starboard" : "more"), gone);
  });
  const add = (way, v, words) => button(words, () => { plot.legs.push({ way, v: 0 }); plot.on = plot.legs.length - 1; change(plot.on, v); }, { id: `add-${way}` });
  return [make("p", { className: bad ? "fault" : "label", id: "length" }, `Course: ${inches(length)} of ${inches(at.low)} to ${inches(at.high)} inches at ${setting()}`),
    make("ul", { className: "legs" }, rows), make("p", { className: "row" }, add("ahead", 1000, "+ straight"), add("turn", 240, "+ turn"),
      button("Straight on", () => { plot.legs = [{ way: "ahead", v: at.low }]; plot.on = 0; settled(); }, { id: "straight" }))];
}

// The enemies in the arc and range of the chosen weapon at the end of the course, middles about an inch and a half off.
function bearsOn() {
  const mount = plot.unit.mounts.find((m) => m.id === plot.weapon), end = may("move") ? posesOf(plot.legs).pop() : poseOf(plot.unit);
  if (!mount) return "";
  const seen = plot.report.contacts.filter((c) => c.kind === "vessel" && c.state !== "wreck").map((c) => {
    const far = Math.hypot(c.x - end.x, c.y - end.y), off = turned((Math.atan2(c.x - end.x, c.y - end.y) / Math.PI) * HALF_TURN - end.h);
    return { far, said: `${c.name} ${inches(Math.round(far / 100) * 100)}`, in: bears(mount.arc, off) && far >= mount.low && far <= mount.high + 1500 };
  }).filter((c) => c.in).sort((a, b) => a.far - b.far);
  return seen.length ? `${mount.id} bears on ${seen.map((c) => c.said).join(", ")}` : `${mount.id} bears on nobody there`;
}
