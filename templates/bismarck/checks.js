// Checks Bismarck orders against their sender's report and the public board, as games/bismarck/check.py
// does; the rules that it needs are in the files beside this one.

import { SYSTEMS } from "../order_page/js/language.js";
import { flight, flyUnit, returnHome } from "./checks_air.js";
import { Refused, isAir, isNow, offeredValues, pathOf, warOf } from "./checks_board.js";
import { engines, move, voyage } from "./checks_ships.js";

SYSTEMS.bismarck = (told, report, language) => {
  const war = warOf(told, report, language);
  return { check: (order) => judged(war, order), note: (order) => noteOf(war, order) };
};

const ARGS = { move: "path", patrol: "path", fly: "path", form: "ships", detach: "ships",
  join: "force", mobilise: "ship", enter: "ship", huffduff: "zone", search: "zones" };

// The first problem of an order; null if there is none.
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

// What an order will take; empty if there is nothing to say.
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
  if (unit && isAir(unit)) throw new Refused("not-a-ship", "5.41", `${actor} is not a ship`);
  return unit;
}

function goodName(name) {
  if (/^TF[1-9][0-9]?$/.test(name)) return;
  throw new Refused("bad-name", "5.43", `${name} is not a valid task force name`, "use TF1 to TF99");
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
    throw new Refused("no-task-force", "5.44", `${actor} is not a task force`);
  }
  return unit;
}

// The side as a whole

function whole(seen, actor, verb, side = "") {
  if (side && seen.side !== side) {
    const name = side[0].toUpperCase() + side.slice(1);
    throw new Refused("not-yours", seen.rule(verb), `'${verb}' is for the ${name} player`);
  }
  if (actor !== seen.name) {
    throw new Refused("wrong-actor", seen.rule(verb), `'${verb}' is an order for the whole side`,
      `${seen.name}: ${verb}`);
  }
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
    throw new Refused("land-zone", "10.22", `${zone} is not a sea zone`);
  }
}

function mobilise(seen, actor, action) {
  whole(seen, actor, "mobilise", "british");
  const { ship } = action.args, escorts = offeredValues(seen, "mobilise", "ship");
  if (escorts.includes(ship)) return;
  const hint = escorts.length ? `escorts: ${escorts.join(", ")}` : "";
  throw new Refused("not-an-escort", "12.42", `${ship} does not escort a convoy`, hint);
}

function enter(seen, actor, action) {
  whole(seen, actor, "enter", "british");
  if (seen.told.unknown.includes("ships.toml")) return;
  const { ship, turn } = action.args, first = seen.told.entry[ship];
  if (first === undefined) {
    throw new Refused("not-yours", "4.1", `you cannot choose when ${ship} comes into play`);
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
