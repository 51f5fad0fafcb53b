// Orders of Bismarck judged by their sender's report and the public board: games/bismarck/check.py
// and what it asks of board.py, movement.py, air.py and calendar.py, by the same rule numbers.

import { SYSTEMS } from "../desk/js/language.js";

SYSTEMS.bismarck = (told, report, language) => {
  const war = warOf(told, report, language);
  return { check: (order) => judged(war, order), note: (order) => noteOf(war, order) };
};

class Refused {
  constructor(code, rule, text, hint = "", item = 0) {
    Object.assign(this, { code, rule, text, hint, item });
  }
}

const ARGS = { move: "path", patrol: "path", fly: "path", form: "ships", detach: "ships",
  join: "force", mobilise: "ship", enter: "ship", huffduff: "zone", search: "zones" };
const CLOCK = ["2400", "0400", "0800", "1200", "1600", "2000"];

// The report and the board as the rules ask for them.
function warOf(told, report, language) {
  const land = new Set(told.land), side = report.side;
  return {
    report, side, land, turn: report.turn, told, name: side.toUpperCase(),
    units: new Map(report.units.map((unit) => [unit.id, unit])),
    sea: new Set([...language.places].filter((zone) => !land.has(zone))),
    ports: new Map(told.ports.map((port) => [port.zone, port])),
    irish: new Set(told.irish_sea), britain: new Set(told.great_britain),
    rule: (verb) => language.plans.get(verb).verb.rule,
  };
}

// The first thing wrong with an order, null when it can stand.
function judged(war, order) {
  const seen = { ...war, now: isNow(war, order) };
  for (const action of [...order.actions, ...order.otherwise]) {
    try {
      KINDS[action.verb]?.(seen, order.actor, action);
    } catch (no) {
      if (!(no instanceof Refused)) throw no;
      const arg = ARGS[action.verb] || "";
      return { ...no, arg: arg in action.args ? arg : "" };
    }
  }
  return null;
}

// What an order will take, empty where there is nothing to say.
function noteOf(war, order) {
  const unit = war.units.get(order.actor);
  for (const action of order.actions) {
    if (!unit || !isNow(war, order) || !("path" in action.args)) continue;
    try {
      return isAir(unit) ? flight(war, unit, action) : voyage(war, unit, action);
    } catch (no) {
      if (!(no instanceof Refused)) throw no;
    }
  }
  return "";
}

function isNow(war, order) {
  return !order.standing && (order.turn === null || order.turn === war.turn) && !order.when;
}

function isAir(unit) {
  return "reach" in unit;
}

function pathOf(action) {
  return action.args.path || [];
}

// 2.2 The board

function rowOf(zone) {
  return zone.charCodeAt(0);
}

function columnOf(zone) {
  return Number(zone.slice(1));
}

// The six neighbours on the lattice, whether they are on the board or not.
function around(zone) {
  return [[-1, -1], [-1, 0], [0, -1], [0, 1], [1, 0], [1, 1]]
    .map(([r, c]) => String.fromCharCode(rowOf(zone) + r) + (columnOf(zone) + c));
}

function distance(a, b) {
  const down = rowOf(b) - rowOf(a), across = columnOf(b) - columnOf(a);
  return Math.max(Math.abs(down), Math.abs(across), Math.abs(down - across));
}

// 5.18, 12.6 Is a sea zone shut: a foreign port, or the Irish Sea?
function isClosed(war, zone) {
  const port = war.ports.get(zone);
  return (port && port.side !== war.side) || (war.side === "german" && war.irish.has(zone));
}

// 5.17, 5.18, 12.6 Where a ship may go from a zone, in one step.
function seaSteps(war, zone) {
  const own = war.ports.get(zone);
  return around(zone).filter((to) => {
    const port = war.ports.get(to);
    return war.sea.has(to) && (!own || own.arrows.includes(to))
      && (!port || port.arrows.includes(zone)) && !isClosed(war, to);
  });
}

// 6.11, 6.12, 6.14 Where an air unit may go from a zone, in one step.
function airSteps(war, zone) {
  const shut = war.side === "german" && war.britain.has(zone);
  return around(zone).filter((to) => (war.sea.has(to) || war.land.has(to))
    && !(shut && war.britain.has(to)));
}

function sail(war, start, end) {
  if (!war.sea.has(end) || !war.sea.has(start) || isClosed(war, end)) return null;
  return shortest((zone) => seaSteps(war, zone), start, end);
}

function fly(war, start, end) {
  if (!war.sea.has(end) && !war.land.has(end)) return null;
  return shortest((zone) => airSteps(war, zone), start, end);
}

// The shortest legal way without its start; of equals the one nearest the straight line, then the
// most northern; null when there is none.
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

// 11.2 How the time record names a turn.
function turnLabel(turn) {
  return `${CLOCK[(turn - 1) % 6]} May ${22 + Math.floor((turn - 1) / 6)}`;
}

// 5 Ships

// The ships of a counter, as the report knows them.
function engines(seen, unit) {
  const ids = unit.ships?.length ? unit.ships : [unit.id];
  return ids.map((id) => seen.units.get(id)).filter((ship) => ship && "top" in ship)
    .map((s) => ({ name: s.name, type: s.type, top: s.top, evasion: s.evasion,
      fuel: s.factors ?? null, two: s.two ?? 0, tied: s.tied ?? "" }));
}

function move(seen, actor, action) {
  const unit = seen.units.get(actor), path = pathOf(action);
  if (unit && isAir(unit)) {
    throw new Refused("not-a-ship", "6.1", `${actor} flies`, `${actor}: fly ${path.join(" ")}`);
  }
  if (!unit || !seen.now) {
    refuseClosed(seen, path[0]);
    seaRoute(seen, path[0], path);
    return;
  }
  const ships = engines(seen, unit);
  refuseTied(seen, actor, ships);
  const way = seaRoute(seen, unit.place, path);
  if (action.args.speed === "full") fullSpeed(seen, ships, way.length);
  if (marchOf(seen, ships, way, action).reached < way.length) {
    throw new Refused("too-far", "11.23", `${path.at(-1)} cannot be reached before the game ends`,
      "name a nearer zone", path.length - 1);
  }
}

function refuseTied(seen, actor, ships) {
  if (offeredValues(seen, "mobilise", "ship").includes(actor)) return; // the same set may mobilise her
  const tied = ships.find((ship) => ship.tied);
  if (tied) throw new Refused("tied", "4.1", tied.tied);
}

// 5.23, 5.26 `speed full` asks for two zones now where the ships are made for them.
function fullSpeed(seen, ships, zones) {
  for (const ship of ships) {
    if (ship.fuel === 0) {
      throw new Refused("no-fuel", "5.23",
        `${ship.name} has no fuel left: one zone in a C turn, no more`, "leave out 'speed full'");
    }
    if (ship.fuel !== null && ship.top === 2 && ship.two === seen.turn - 1 && zones > 1) {
      throw new Refused("two-zones-twice", "5.26",
        `${ship.name} moved two zones last turn and may move one now`, "leave out 'speed full'");
    }
  }
}

// The turns that a way takes and the zones entered in them, while the game lasts. No ship the
// report describes sails a way in no turn.
function marchOf(seen, ships, way, action) {
  const { first, last, breakout } = seen.told, slow = action.args.speed === "economical";
  let bonus = seen.side === "german" && seen.turn === first ? breakout : null;
  let turn = seen.turn, reached = 0, now = ships;
  for (; ships.length && reached < way.length && turn <= last; turn++, bonus = null) {
    const most = Math.min(...now.map((ship) => allowance(ship, turn, slow, bonus)));
    const zones = Math.min(most, way.length - reached);
    now = now.map((ship) => afterMove(ship, zones, turn, bonus));
    reached += zones;
  }
  return { reached, turns: turn - seen.turn };
}

// 9.729 Zones that damage leaves a ship.
function pace(evasion, turn) {
  if (evasion >= 25) return 2;
  if (evasion >= 16) return 1;
  return evasion >= 7 ? cTurn(turn) : 0;
}

// 5.24 One in the turns marked C.
function cTurn(turn) {
  return turn % 2 === 0 ? 1 : 0;
}

// 5.12-5.14, 5.21-5.29 Zones that one ship may move in `turn`.
function allowance(ship, turn, economical, bonus) {
  if (ship.tied) return 0;
  if (bonus) {
    const fuel = economical ? 0 : ship.fuel;
    return bonus.free + bonus.cost.filter((factors) => ship.fuel === null || factors <= fuel).length;
  }
  const limit = Math.min(ship.top, pace(ship.evasion, turn));
  if (ship.fuel === 0) return Math.min(limit, cTurn(turn));
  if (ship.top === 1 && economical && !cTurn(turn)) return 0;
  const single = economical || ship.two === turn - 1;
  return single && ship.fuel !== null ? Math.min(limit, 1) : limit;
}

// 5.21-5.28 Fuel factors that moving `zones` takes.
function fuelCost(ship, zones, turn, bonus) {
  if (!ship.fuel || !zones) return 0;
  if (bonus) return zones > bonus.free ? bonus.cost[zones - bonus.free - 1] : 0;
  if (ship.top === 1) return cTurn(turn) ? 0 : zones;
  return zones >= 2 ? 1 : 0;
}

function afterMove(ship, zones, turn, bonus) {
  const spent = fuelCost(ship, zones, turn, bonus), double = bonus ? spent > 0 : zones >= 2;
  return { ...ship, fuel: ship.fuel === null ? null : ship.fuel - spent,
    two: double ? turn : ship.two, tied: "" };
}

// 5.17-5.19 Every zone entered on the way through `path`, gaps filled by the shortest way.
function seaRoute(seen, start, path) {
  const way = [];
  let at = start;
  path.forEach((zone, item) => {
    if (zone === at) return;
    refuseClosed(seen, zone, item);
    const leg = sail(seen, at, zone);
    if (!leg) {
      throw new Refused("no-route", "5.17", `there is no way by sea from ${at} to ${zone}`,
        besides(seen, zone), item);
    }
    way.push(...leg);
    at = zone;
  });
  return way;
}

// 5.17, 5.18, 12.6 Where ships of this side may never be.
function refuseClosed(seen, zone, item = 0) {
  if (!seen.sea.has(zone)) {
    const [code, what] = seen.land.has(zone) ? ["land-zone", "land"] : ["not-on-map", "no zone of the board"];
    throw new Refused(code, "5.17", `${zone} is ${what}: ships stay at sea`, besides(seen, zone), item);
  }
  if (!isClosed(seen, zone)) return;
  const port = seen.ports.get(zone);
  if (port) {
    const [code, kind] = port.side === "neutral" ? ["neutral-port", "a neutral port"] : ["enemy-port", "an enemy port"];
    throw new Refused(code, "12.6", `${zone} is ${port.name}, ${kind}`, besides(seen, zone), item);
  }
  throw new Refused("irish-sea", "5.18",
    `${zone} lies in the Irish Sea, which is closed to German ships`, besides(seen, zone), item);
}

function besides(seen, zone) {
  const open = around(zone).filter((z) => seen.sea.has(z) && !isClosed(seen, z));
  return open.length ? `sea zones beside it: ${open.join(" ")}` : "";
}

function voyage(seen, unit, action) {
  const way = seaRoute(seen, unit.place, pathOf(action));
  return way.length ? wayText(way, marchOf(seen, engines(seen, unit), way, action).turns) : "";
}

function wayText(way, turns, more = "") {
  const zones = way.length === 1 ? "1 zone" : `${way.length} zones`;
  return `${zones}, ${turns === 1 ? "1 turn" : `${turns} turns`}${more}: ${way.join(" ")}`;
}

function patrol(seen, actor, action) {
  const unit = seen.units.get(actor);
  if (unit && isAir(unit)) {
    if (unit.type !== "LR recon") {
      throw new Refused("bad-mode", "6.32", "only LR recon units patrol", "mode recon");
    }
    flyUnit(seen, actor, action);
    return;
  }
  if (unit && engines(seen, unit).every((ship) => ship.type === "CV")) {
    throw new Refused("patrol-carrier", "5.31", "aircraft carriers cannot patrol", `${actor}: hold`);
  }
  if (pathOf(action).length) move(seen, actor, action);
}

// 5.4 Task forces

function shipActor(seen, actor) {
  const unit = seen.units.get(actor);
  if (unit && isAir(unit)) throw new Refused("not-a-ship", "5.41", `${actor} is no ship`);
  return unit;
}

function goodName(name) {
  if (/^TF[1-9][0-9]?$/.test(name)) return;
  throw new Refused("bad-name", "5.43", `${name} is no name of a task force`, "TF1 to TF99");
}

function form(seen, actor, action) {
  const unit = shipActor(seen, actor);
  goodName(action.args.name);
  action.args.ships.forEach((id, item) => sameZone(seen, actor, unit, id, item));
}

function sameZone(seen, actor, unit, other, item) {
  const mate = shipActor(seen, other);
  if (seen.now && unit && mate && mate.place !== unit.place) {
    const text = `${other} is in ${mate.place}, ${actor} in ${unit.place}`;
    throw new Refused("not-in-same-zone", "5.41", text, "", item);
  }
}

function detach(seen, actor, action) {
  const force = forceOf(seen, actor), { ships, name } = action.args;
  if (name) goodName(name);
  ships.forEach((id, item) => {
    if (force && seen.now && !force.ships.includes(id)) {
      throw new Refused("not-in-force", "5.44", `${id} is not in ${actor}`, "", item);
    }
  });
}

function forceOf(seen, actor) {
  const unit = seen.units.get(actor);
  if (unit && !("ships" in unit)) {
    throw new Refused("no-task-force", "5.44", `${actor} is no task force`);
  }
  return unit;
}

// 6 Air units

function wingsOf(seen, unit) {
  const modes = Object.keys(unit.reach), base = seen.units.get(unit.base);
  const faces = modes.map((mode) => ({ endurance: unit.endurance[mode], speed: unit.reach[mode] }));
  return { type: unit.type, at: unit.place, base: unit.home, mode: unit.mode || modes[0],
    front: faces[0], back: faces[1] || null, up: unit.up ?? 0, afloat: Boolean(base && !base.tied) };
}

function faceOf(wings, mode) {
  return wings.back && (mode === "patrol" || mode === "recon") ? wings.back : wings.front;
}

function flyUnit(seen, actor, action) {
  const unit = seen.units.get(actor);
  if (!unit || !isAir(unit)) {
    throw new Refused("not-an-air-unit", "6.1", `${actor} does not fly`, `${actor}: move`);
  }
  const wings = wingsOf(seen, unit), mode = pickMode(wings, seen.now ? wantedMode(action) : "");
  if (!seen.now) return;
  const ready = unit.ready ?? 0, path = pathOf(action);
  if (ready > seen.turn) {
    throw new Refused("resting", "6.42", `${actor} rests until ${turnLabel(ready)}`);
  }
  if (!wings.up && !path.length) {
    throw new Refused("at-base", "6.1", `${actor} is at its base`, `${actor}: fly`);
  }
  hopsOf(seen, wings, path, mode, action);
}

function wantedMode(action) {
  return action.verb === "patrol" ? "patrol" : action.args.mode || "";
}

// 6.31-6.33 The mode it flies in; a bomber chooses on taking off.
function pickMode(wings, wanted) {
  const recon = wings.type === "LR recon";
  if (!recon && wings.up) {
    if (wanted && wanted !== wings.mode) {
      throw new Refused("mode-fixed", "6.31", `it took off in ${wings.mode} mode`, "leave out 'mode'");
    }
    return wings.mode;
  }
  const modes = (recon ? ["move", "patrol"] : ["attack", "recon"]).slice(0, wings.back ? 2 : 1);
  if (!wanted || modes.includes(wanted)) return wanted || modes[0];
  const code = wanted === "recon" && !recon ? "no-recon" : "bad-mode";
  throw new Refused(code, "2.434", `it has ${modes.join(" and ")} mode, no ${wanted} mode`, `mode ${modes[0]}`);
}

// 6.11-6.14 Every zone flown through, gaps filled by the shortest way.
function airRoute(seen, start, path) {
  const way = [];
  let at = start;
  path.forEach((zone, item) => {
    if (seen.side === "german" && distance(at, zone) === 1
      && seen.britain.has(at) && seen.britain.has(zone)) {
      const text = `${at} and ${zone} both hold a part of Great Britain`;
      throw new Refused("over-britain", "6.12", text, "", item);
    }
    const leg = zone === at ? [] : fly(seen, at, zone);
    if (!leg) {
      const known = seen.sea.has(zone) || seen.land.has(zone);
      throw known
        ? new Refused("over-britain", "6.12", `there is no way to ${zone} but over Great Britain`, "", item)
        : new Refused("not-on-map", "6.14", `${zone} is no zone of the board`, "", item);
    }
    way.push(...leg);
    at = zone;
  });
  return way;
}

// 6.21-6.23 Can it still come home from `at`, if a carrier comes to meet it at best? up: turns in
// the air, this one included; used: zones flown this turn.
function homeBy(seen, wings, at, up, used, mode) {
  const way = fly(seen, at, wings.base);
  if (!way) return false;
  const face = faceOf(wings, mode), left = face.endurance - up;
  const cruise = wings.type === "LR recon" ? wings.front.speed : face.speed;
  const meeting = (zones) => (wings.afloat ? zones : 0);
  if (up === 1 && used + way.length - meeting(1) <= face.speed) return true;
  return left > 0 && way.length - meeting(2 * left - (up === 1 ? 1 : 0)) <= cruise * left;
}

// The turns that a flight takes: {step, left: turns it may still stay up, home}.
function hopsOf(seen, wings, path, mode, action) {
  const face = faceOf(wings, mode), hops = [];
  let rest = airRoute(seen, wings.at, path), up = wings.up, at = wings.at;
  while (rest.length || up === wings.up) {
    const step = rest.slice(0, face.speed);
    rest = rest.slice(face.speed);
    up += 1;
    at = step.at(-1) ?? at;
    const lands = up > 1 && at === wings.base;
    if (up > face.endurance || !(lands || homeBy(seen, wings, at, up, step.length, mode))) {
      throw new Refused("out-of-endurance", "6.21",
        `it could not be back in ${wings.base} from ${at} in time`,
        `endurance ${face.endurance}, speed ${face.speed}`);
    }
    const left = face.endurance - up;
    hops.push({ step, left, home: up === 1 && (left === 0 || ("back" in action.args && !rest.length)) });
  }
  return hops;
}

function flight(seen, unit, action) {
  const wings = wingsOf(seen, unit), mode = pickMode(wings, wantedMode(action));
  const hops = hopsOf(seen, wings, pathOf(action), mode, action), last = hops.at(-1);
  const way = hops.flatMap((hop) => hop.step);
  const more = last.home ? ", lands after the attacks" : `, ${last.left} more turns in the air`;
  return way.length ? wayText(way, hops.length, more) : "";
}

function returnHome(seen, actor) {
  const unit = seen.units.get(actor);
  if (!unit || !isAir(unit)) {
    throw new Refused("not-an-air-unit", "6.2", `${actor} does not fly`, `${actor}: move`);
  }
}

// The side as a whole

function whole(seen, actor, verb, side = "") {
  if (side && seen.side !== side) {
    const name = side[0].toUpperCase() + side.slice(1);
    throw new Refused("not-yours", seen.rule(verb), `'${verb}' is for the ${name} player`);
  }
  if (actor !== seen.name) {
    throw new Refused("wrong-actor", seen.rule(verb), `'${verb}' is an order of the whole side`,
      `${seen.name}: ${verb}`);
  }
}

// What the report's menu offers for an argument of a whole-side order.
function offeredValues(seen, verb, name) {
  for (const item of seen.report.menu?.[seen.name] || []) {
    const arg = item.verb === verb && (item.args || []).find((one) => one.name === name);
    if (arg) return (arg.values || []).map(String);
  }
  return [];
}

function search(seen, actor, action) {
  whole(seen, actor, "search");
  if (Object.keys(action.args).length) return;
  throw new Refused("missing-argument", "7.21", "say where to search", `${actor}: search all`);
}

function huffduff(seen, actor, action) {
  whole(seen, actor, "huffduff", "german");
  if (!Object.keys(action.args).length) {
    throw new Refused("missing-argument", "10.22", "say what to answer", `${actor}: huffduff random`);
  }
  const { zone } = action.args;
  if (zone && !seen.sea.has(zone)) {
    throw new Refused("land-zone", "10.22", `${zone} has no coordinate that could be named`);
  }
}

function mobilise(seen, actor, action) {
  whole(seen, actor, "mobilise", "british");
  const { ship } = action.args, escorts = offeredValues(seen, "mobilise", "ship");
  if (escorts.includes(ship)) return;
  const hint = escorts.length ? `escorts: ${escorts.join(", ")}` : "";
  throw new Refused("not-an-escort", "12.42", `${ship} escorts no convoy`, hint);
}

function enter(seen, actor, action) {
  whole(seen, actor, "enter", "british");
  const { ship, turn } = action.args, first = seen.told.entry[ship];
  if (first === undefined) {
    throw new Refused("not-yours", "4.1", `when ${ship} comes into play is not yours to choose`);
  }
  const least = Math.max(first, seen.turn + 1);
  if (turn < least) {
    throw new Refused("bad-turn", "4.1", `${ship} cannot enter in turn ${turn}`, `turn ${least} or later`);
  }
}

const KINDS = {
  move, patrol, form, detach, search, huffduff, mobilise, enter,
  join: (seen, actor, action) => sameZone(seen, actor, shipActor(seen, actor), action.args.force, 0),
  break: forceOf,
  fly: flyUnit,
  return: returnHome,
  convoy: (seen, actor) => whole(seen, actor, "convoy", "german"),
};
