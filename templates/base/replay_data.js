// The game as data: frames that refer to shared tables of strings, units and places.

const D = JSON.parse(document.getElementById("data").textContent);
const within = (name) => name.replace(/^The /, "the ");
const NAMES = ["What really happened", ...D.sides.map((s) => `What ${within(s.name)} knew`)];
const $ = (id) => document.getElementById(id);
// What the scripts of shapes, hulls and further charts do, on pages that have them.
const EXTRA = {
  choose: () => null, follow: () => null, hash: () => "", keys: {}, size: 0.6, hulls: () => [], things: () => ({ under: [], over: [], ways: [], top: [] }),
  advance: () => false, chance: () => null, heat: () => [], go: () => null, glide: () => null, rows: (i, v) => D.frames[i].u[v], view: (i, v, view) => view,
};
const called = (c) => `${c.name || c.id} ${c.what || ""}`.trim();

// A unit of a view: its name, its place, and how it is drawn.
function unitOf([u, place, at, plan, base, heading, hull, ink, note]) {
  const [side, id, name, type, shown, symbol, role, caption, rank, force] = D.units[u];
  return { side, id, name, type, shown, symbol, role, caption, rank, force,
    place: D.text[place], at: D.points[at] || null, plan: pointsOf(plan), base: D.points[base] || null,
    ...aboard(heading, hull, ink), note: D.text[note] };
}

function contactOf(row, side) {
  const [id, label, what, note, place] = row.slice(0, 5).map((i) => D.text[i]);
  const [age, at, cells, trail, ring, ahead, name, level, submerged, ...more] = row.slice(5);
  return { side, id, name: D.text[name], label, what, note, place, age, at: D.points[at] || null, cells: pointsOf(cells),
    trail: pointsOf(trail), ring: pointsOf(ring), ahead: D.points[ahead] || null,
    level, submerged, ...aboard(...more) };
}

// The heading, outline and colour of a unit or contact, where it has them.
function aboard(heading = -1, hull = -1, ink) {
  return { heading, hull: hull < 0 ? null : pointsOf(hull), ink: D.text[ink] };
}

function pointsOf(list) {
  return D.lists[list].map((i) => D.points[i]);
}

function eventOf([to, text, rule, why]) {
  return { to, text: D.text[text], rule: D.text[rule], why: D.text[why] };
}

// What view v shows of frame i. v = 0 is the truth; no side's view reads from it.
function seen(i, v) {
  const f = D.frames[i], mine = ([to]) => !v || to.includes(v);
  return {
    units: f.u[v].map(unitOf),
    contacts: v ? f.c[v - 1].map((c) => contactOf(c, v)) : [],
    acts: f.m.filter(mine).map(eventOf),
    events: f.e.filter(mine).map(eventOf),
    rolls: f.r.filter(mine).map(([to, label, dice, proof]) => (
      { to, label: D.text[label], dice, proof })),
    searched: v ? pointsOf(f.s[v - 1]) : [],
    found: v ? pointsOf(f.h[v - 1]) : [],
    night: f.n[v ? v - 1 : 0],
    fog: pointsOf(f.d[v ? v - 1 : 0]),
    facts: (v ? f.f[v - 1] : common(f.f)).map((p) => p.map((t) => D.text[t])),
    orders: f.o.map((o, n) => ({ side: n + 1, lines: o && o.map((t) => D.text[t]) }))
      .filter((o) => f.closed && (!v || o.side === v)),
  };
}

// The facts that every side is told alike: what one alone has is no truth of the game.
function common(facts) {
  return facts[0].filter(([name, value]) => facts.every((one) => one.some(([n, t]) => n === name && t === value)));
}

// The places of a unit in earlier frames, oldest first, without repeats; on a map of areas, whose
// centres lie far apart, only in the last frame, and never across the whole world.
function wake(i, v, unit) {
  const way = [];
  for (let n = Math.max(0, i - (D.shape.own ? 1 : 8)); n <= i; n++) {
    const row = EXTRA.rows(n, v).find(([u]) => D.units[u][0] === unit.side && D.units[u][1] === unit.id);
    const at = row && D.points[row[2]];
    if (at && String(at) !== String(way[way.length - 1])) way.push(at);
  }
  if (D.shape.own && way.length > 1 && Math.abs(way[0][0] - way[1][0]) > D.board.frame[2] / 2) return [];
  return way;
}
