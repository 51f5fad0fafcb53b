// 5 Ships on the search board, as their owner's report knows them (games/bismarck/movement.py).

import { Refused, around, isAir, isClosed, offeredValues, pathOf, sail } from "./checks_board.js";

// The ships of a counter, as far as the report shows them.
export function engines(seen, unit) {
  const ids = unit.ships?.length ? unit.ships : [unit.id];
  return ids.map((id) => seen.units.get(id)).filter((ship) => ship && "top" in ship)
    .map((s) => ({ name: s.name, type: s.type, top: s.top, evasion: s.evasion,
      fuel: s.factors ?? null, two: s.two ?? 0, tied: s.tied ?? "" }));
}

export function move(seen, actor, action) {
  const unit = seen.units.get(actor), path = pathOf(action);
  if (unit && isAir(unit)) {
    throw new Refused("not-a-ship", "6.1", `${actor} is an air unit`, `${actor}: fly ${path.join(" ")}`);
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

// 5.23, 5.26 `speed full` asks for two zones now, if the ships are capable of them.
function fullSpeed(seen, ships, zones) {
  for (const ship of ships) {
    if (ship.fuel === 0) {
      throw new Refused("no-fuel", "5.23",
        `${ship.name} has no fuel left and can move only one zone, in C turns`, "leave out 'speed full'");
    }
    if (ship.fuel !== null && ship.top === 2 && ship.two === seen.turn - 1 && zones > 1) {
      throw new Refused("two-zones-twice", "5.26",
        `${ship.name} moved two zones last turn and can move only one now`, "leave out 'speed full'");
    }
  }
}

// The turns that a way takes and the zones entered in them before the game ends. Without any ship in
// the report, both are 0.
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

// 9.729 Zones that a damaged ship may still move.
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

// 5.17-5.19 Every zone entered on the way through `path`, with gaps filled by the shortest way.
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

// 5.17, 5.18, 12.6 Refuses a zone that ships of this side may never enter.
function refuseClosed(seen, zone, item = 0) {
  if (!seen.sea.has(zone)) {
    const [code, what] = seen.land.has(zone) ? ["land-zone", "land"] : ["not-on-map", "not a zone of the board"];
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

export function voyage(seen, unit, action) {
  const way = seaRoute(seen, unit.place, pathOf(action));
  return way.length ? wayText(way, marchOf(seen, engines(seen, unit), way, action).turns) : "";
}

export function wayText(way, turns, more = "") {
  const zones = way.length === 1 ? "1 zone" : `${way.length} zones`;
  return `${zones}, ${turns === 1 ? "1 turn" : `${turns} turns`}${more}: ${way.join(" ")}`;
}
