// The report and the board for the Bismarck checker (games/bismarck/board.py).

const CLOCK = ["2400", "0400", "0800", "1200", "1600", "2000"];

// Thrown for an order that cannot be carried out. item: which of the named zones or ships, from 0.
export class Refused {
  constructor(code, rule, text, hint = "", item = 0) {
    Object.assign(this, { code, rule, text, hint, item });
  }
}

// The report and the board in the form that the rules need.
export function warOf(told, report, language) {
  const land = new Set(told.land), side = report.side;
  return {
    report, side, land, turn: report.turn, told, name: side.toUpperCase(),
    units: new Map(report.units.map((unit) => [unit.id, unit])),
    sea: new Set([...language.places].filter((zone) => !land.has(zone))),
    ports: new Map(told.ports.map((port) => [port.zone, port])),
    known: new Map(), irish: new Set(told.irish_sea), britain: new Set(told.great_britain),
    rule: (verb) => language.plans.get(verb).verb.rule,
  };
}

export function isNow(war, order) {
  return !order.standing && (order.turn === null || order.turn === war.turn) && !order.when;
}

export function isAir(unit) {
  return "reach" in unit;
}

export function pathOf(action) {
  return action.args.path || [];
}

// What the report's menu offers for an argument of a whole-side order.
export function offeredValues(seen, verb, name) {
  for (const item of seen.report.menu?.[seen.name] || []) {
    const arg = item.verb === verb && (item.args || []).find((one) => one.name === name);
    if (arg) return (arg.values || []).map(String);
  }
  return [];
}

// 2.2 The board

function rowOf(zone) {
  return zone.charCodeAt(0);
}

function columnOf(zone) {
  return Number(zone.slice(1));
}

// The six neighbours on the lattice, whether they are on the board or not.
export function around(zone) {
  return [[-1, -1], [-1, 0], [0, -1], [0, 1], [1, 0], [1, 1]]
    .map(([r, c]) => String.fromCharCode(rowOf(zone) + r) + (columnOf(zone) + c));
}

export function distance(a, b) {
  const down = rowOf(b) - rowOf(a), across = columnOf(b) - columnOf(a);
  return Math.max(Math.abs(down), Math.abs(across), Math.abs(down - across));
}

// 5.18, 12.6 Whether a sea zone is closed: a foreign port, or the Irish Sea.
export function isClosed(war, zone) {
  const port = war.ports.get(zone);
  return (port && port.side !== war.side) || (war.side === "german" && war.irish.has(zone));
}

// The result of `find`, cached by key: every keystroke asks for the same ways again.
function once(war, key, find) {
  if (!war.known.has(key)) war.known.set(key, find());
  return war.known.get(key);
}

// 5.17, 5.18, 12.6 Where a ship may go from a zone, in one step.
function seaSteps(war, zone) {
  return once(war, `sea ${zone}`, () => {
    const own = war.ports.get(zone);
    return around(zone).filter((to) => {
      const port = war.ports.get(to);
      return war.sea.has(to) && (!own || own.arrows.includes(to))
        && (!port || port.arrows.includes(zone)) && !isClosed(war, to);
    });
  });
}

// 6.11, 6.12, 6.14 Where an air unit may go from a zone, in one step.
function airSteps(war, zone) {
  return once(war, `air ${zone}`, () => {
    const shut = war.side === "german" && war.britain.has(zone);
    return around(zone).filter((to) => (war.sea.has(to) || war.land.has(to))
      && !(shut && war.britain.has(to)));
  });
}

export function sail(war, start, end) {
  if (!war.sea.has(end) || !war.sea.has(start) || isClosed(war, end)) return null;
  return once(war, `sail ${start} ${end}`, () => shortest((zone) => seaSteps(war, zone), start, end));
}

export function fly(war, start, end) {
  if (!war.sea.has(end) && !war.land.has(end)) return null;
  return once(war, `fly ${start} ${end}`, () => shortest((zone) => airSteps(war, zone), start, end));
}

// The shortest legal way without its start; of equals, the one nearest the straight line, then the
// most northern; null if there is none.
function shortest(steps, start, end) {
  const free = descend(steps, start, end, (zone) => distance(zone, end));
  if (free) return free;
  const far = spread(steps, start, end);
  return far.has(start) ? descend(steps, start, end, (zone) => far.get(zone) ?? -1) : null;
}

function spread(steps, start, end) {
  const far = new Map([[end, 0]]), queue = [end];
  for (let i = 0; i < queue.length && !far.has(start); i++) {
    for (const near of steps(queue[i])) {
      if (far.has(near)) continue;
      far.set(near, far.get(queue[i]) + 1);
      queue.push(near);
    }
  }
  return far;
}

function descend(steps, start, end, far) {
  const way = [], aside = (zone) => offLine(start, end, zone);
  for (let at = start; at !== end; way.push(at)) {
    const nearer = steps(at).filter((zone) => far(zone) === far(at) - 1);
    if (!nearer.length) return null;
    at = nearer.reduce((a, b) => (aside(b) - aside(a) || rowOf(b) - rowOf(a)
      || columnOf(b) - columnOf(a)) < 0 ? b : a);
  }
  return way;
}

// How far a zone lies off the straight line, in whole numbers.
function offLine(start, end, zone) {
  const [[x0, y0], [x1, y1], [x, y]] = [start, end, zone]
    .map((z) => [2 * columnOf(z) - rowOf(z), rowOf(z)]);
  return Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0));
}

// 11.2 The name of a turn on the time record.
export function turnLabel(turn) {
  return `${CLOCK[(turn - 1) % 6]} May ${22 + Math.floor((turn - 1) / 6)}`;
}
