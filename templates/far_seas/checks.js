// Checks Far Seas orders against their sender's report and the open board, as games/far_seas/check.py
// and courses.py do, by the same rules.

import { SYSTEMS } from "../order_page/js/language.js";

SYSTEMS.far_seas = (told, report, language) => {
  const sea = { told, report, german: report.side === "german",
    rule: (verb) => language.plans.get(verb).verb.rule,
    unit: (actor) => report.units.find((unit) => unit.id === actor) };
  return { check: (order) => judged(sea, order), note: (order) => noteOf(sea, order) };
};

// Thrown for an order that cannot be carried out. arg: the argument at fault, empty for the whole order.
class Refused {
  constructor(code, rule, text, hint = "", arg = "") {
    Object.assign(this, { code, rule, text, hint, arg, item: 0 });
  }
}

// The first problem of an order; null if there is none.
function judged(sea, order) {
  for (const action of [...order.actions, ...order.otherwise]) {
    try {
      refuseForeign(sea, action);
      refuseChoice(sea, order.actor, action);
      if (sea.told.moves.includes(action.verb)) refuseMove(sea, order, action);
    } catch (no) {
      if (!(no instanceof Refused)) throw no;
      return { ...no, arg: no.arg in action.args ? no.arg : "" };
    }
  }
  return null;
}

// Where an order takes the ship; empty if there is nothing to say.
function noteOf(sea, order) {
  const unit = sea.unit(order.actor);
  for (const action of order.actions) {
    if (!unit || !isNow(sea, order) || !["move", "raid", "station"].includes(action.verb)) continue;
    try {
      return `to ${areaName(sea, COURSES[action.verb](sea, unit, action.args))}`;
    } catch (no) {
      if (!(no instanceof Refused)) throw no;
    }
  }
  return "";
}

// Whether the order acts in this segment in any case.
function isNow(sea, order) {
  return !order.standing && (order.turn === null || order.turn === sea.report.turn) && !order.when;
}

function refuseForeign(sea, { verb }) {
  if (!sea.told[sea.german ? "allied" : "german"].includes(verb)) return;
  const whose = sea.german ? "Allied" : "German";
  throw new Refused("not-yours", sea.rule(verb), `'${verb}' is for ${whose} ships`);
}

// An order that names a ship or a way to choose one must say exactly one of them.
function refuseChoice(sea, actor, { verb, args }) {
  const names = sea.told.choice[verb], said = names?.filter((name) => name in args);
  if (said?.length === 2) {
    const text = `'${verb}' takes a word or a ship, not both`;
    throw new Refused("extra-words", sea.rule(verb), text, "", names[1]);
  }
  if (!said || said.length || (verb === "target" && "how" in args)) return;
  const word = verb === "target" ? "best" : "any";
  throw new Refused("missing-argument", sea.rule(verb), `name a ship or write '${word}'`,
    `${actor}: ${verb} ${word}`);
}

function refuseMove(sea, order, { verb, args }) {
  const { actor } = order, unit = sea.unit(actor);
  if (!unit) {
    const text = `'${verb}' is an order for a ship`;
    throw new Refused("wrong-actor", sea.rule(verb), text, "name the ship");
  }
  if (verb === "join" && args.ship === actor) {
    throw new Refused("joins-itself", "M5", `${actor} cannot join itself`, "", "ship");
  }
  if (!isNow(sea, order)) return;
  const menu = sea.report.menu[actor] || [];
  if (!menu.some((item) => sea.told.moves.includes(item.verb))) {
    const why = unit.moved ? "has moved this turn" : "may move only in a turn's first segment";
    throw new Refused("may-not-move", "5.3", `${actor} ${why}`, "leave this order out");
  }
  if (verb === "join") return;
  COURSES[verb](sea, unit, args);
  if (["move", "cruise", "part"].includes(verb) && unit.trapped) {
    throw new Refused("trapped", "G7", `${actor} was found in the river and must remain there`);
  }
}

// An area as printed on the board: `29 Bay of Bengal`; a box has only its name.
function areaName(sea, area) {
  const { name } = sea.told.areas[area];
  return sea.told.sea.includes(area) ? `${area} ${name}` : name;
}

// M5, G1 Where a ship may go from `area` in one move; canal: the Panama Canal counts for Germans.
function neighbours(sea, area, canal) {
  const { ways = [], canal: behind = [], suez = [] } = sea.told.areas[area], { shut } = sea.told;
  const closed = sea.german
    ? [...shut.all, ...shut.german, ...suez, ...(canal ? [] : behind)] : shut.all;
  return ways.filter((way) => !closed.includes(way));
}

// M5, G1, 5.5 Returns `to` if the ship may go or stay there.
function within(sea, unit, to, arg = "area", canal = false) {
  if (to === unit.place) return to;
  if (!neighbours(sea, unit.place, canal).includes(to)) refuseApart(sea, unit, to, arg, canal);
  const { areas } = sea.report.board;
  if (areas.length && !areas.includes(to)) {
    const text = `${areaName(sea, to)} is not in play in this scenario`;
    throw new Refused("not-in-play", "M5", text, "", arg);
  }
  const [atlantic, pacific] = sea.told.oceans, bound = !sea.german && unit.nation !== "UK";
  if (bound && !(atlantic.includes(unit.start) ? atlantic : pacific).includes(to)) {
    const text = `${unit.nation} ships do not leave their ocean for ${areaName(sea, to)}`;
    throw new Refused("other-ocean", "5.5", text, "", arg);
  }
  return to;
}

function refuseApart(sea, unit, to, arg, canal) {
  if (neighbours(sea, unit.place, true).includes(to)) {
    throw new Refused("canal", "G1", `the way to ${areaName(sea, to)} is the Panama Canal`,
      `${unit.id}: move ${to} by canal`, arg);
  }
  const text = `${areaName(sea, to)} is not adjacent to ${areaName(sea, unit.place)}`;
  const near = neighbours(sea, unit.place, canal).join(", ");
  throw new Refused("not-adjacent", "M5", text, `adjacent: ${near}`, arg);
}

function stay(sea, unit) {
  if (sea.told.sea.includes(unit.place)) return unit.place;
  throw new Refused("in-box", "M5", `${areaName(sea, unit.place)} is no area of the sea`);
}

function stationOf(sea, word) {
  return Object.keys(sea.told.stations).find((name) => name.toLowerCase() === word.toLowerCase());
}

// M6 Why a ship may not cover merchants; empty if it may.
function noConvoy(sea, unit) {
  const { grades, guns } = sea.told.convoy;
  if (!grades.includes(unit.speed) || !guns.includes(unit.gun)) {
    return "only ships with A or B guns and speed 3+ or less cover merchants";
  }
  const alone = (sea.report.board.options.convoy ?? "uk") === "uk";
  return alone && unit.nation !== "UK" ? "only British ships cover merchants" : "";
}

// The destination of each kind of move.
const COURSES = {
  cruise: stay,
  part: stay,
  hold: (sea, unit) => unit.place,
  move(sea, unit, { area, by }) {
    const to = within(sea, unit, area, "area", Boolean(by));
    if (!by || to !== unit.place) return to;
    throw new Refused("canal", "G1", "the ship does not move", `${unit.id}: cruise`, "by");
  },
  raid(sea, unit, args) {
    const station = stationOf(sea, args.station);
    if (sea.report.board.raided.includes(station)) {
      const text = `${station} was raided before; a station counts once in a game`;
      throw new Refused("raided-before", "E3", text, "", "station");
    }
    return within(sea, unit, sea.told.stations[station], "station");
  },
  river(sea, unit) {
    const { area, ships } = sea.told.river;
    if (sea.german && !ships.includes(unit.id)) {
      throw new Refused("too-deep", "G2", `only ${ships.join(", ")} can enter the Rufiji`);
    }
    return within(sea, unit, area, "");
  },
  intern(sea, unit) {
    const { areas, sea: all } = sea.told;
    if (unit.type !== "AMC") throw new Refused("no-liner", "found b", "only liners are interned");
    if (areas[unit.place].ports) return unit.place;
    const text = `there is no neutral port in ${areaName(sea, unit.place)}`;
    const known = all.filter((area) => areas[area].ports).join(", ");
    throw new Refused("no-port", "found b", text, `neutral ports are in ${known}`);
  },
  return(sea, unit) {
    const { home } = sea.told;
    if (unit.place === home) return home;
    throw new Refused("no-way-home", "G9", `the way home begins in ${areaName(sea, home)}`);
  },
  convoy(sea, unit, { area }) {
    const why = noConvoy(sea, unit);
    if (why) throw new Refused("no-convoy-ship", "M6", why);
    const to = within(sea, unit, area || unit.place);
    if (sea.told.areas[to].density) return to;
    throw new Refused("no-merchants", "M6", `no merchants sail in ${areaName(sea, to)}`, "", "area");
  },
  station(sea, unit, args) {
    return within(sea, unit, sea.told.stations[stationOf(sea, args.station)], "station");
  },
  support(sea, unit, { landing }) {
    if (sea.report.scenario !== "war") {
      throw new Refused("no-landings", "found c", "this scenario has no landings", "", "landing");
    }
    const [name, area, first, last] = sea.told.landings[landing];
    if (sea.report.turn < first || sea.report.turn > last) {
      const text = `${name} needs ships in turns ${first} to ${last}`;
      throw new Refused("no-landing-now", "found c", text, "", "landing");
    }
    return within(sea, unit, area, "landing");
  },
};
