// Which orders of earlier sets a new one leaves in force, and which units have none (pbem/player/in_force.py).

import { scopeText, showOrder } from "./show.js";

const NOT_DUE = ["force", "leader", "group", "moved", "tied"];
const NAMED = 8;
const SCOPE = /^(?:@|turn (\d+) )(.+)$/;

// The report's orders in force, by what the set leaves of them: {kept, thisTurn, replaced}. Those of an actor in one
// scope are replaced together, but settings only by others about the same matter.
export function earlier(told, reading) {
  const settings = settingsOf(told), said = saidTo(told, reading, settings), { report } = told;
  const goes = (line) => {
    const about = said.get(head(line));
    return about === null || Boolean(about && aboutLine(line, settings).some((matter) => about.has(matter)));
  };
  const standing = report.standing || [], before = report.this_turn || [];
  const stays = (line) => !goes(line);
  return { kept: standing.filter(stays), thisTurn: before.filter(stays), replaced: [...standing, ...before].filter(goes) };
}

// The verbs that are settings, each with its matter.
function settingsOf(told) {
  const verbs = [...told.language.plans.values()].map((plan) => plan.verb).filter((verb) => verb.setting);
  return new Map(verbs.map((verb) => [verb.name, verb.once || verb.name]));
}

// Scope and actor -> the matters of what the set says to it; null for one that it clears.
function saidTo(told, reading, settings) {
  const found = new Map(), { turn } = told.report;
  for (const order of reading.orders) {
    const heads = [scopeText(order) + order.actor];
    if (order.turn === turn) heads.push(order.actor);
    // Orders for this turn that were written before it are replaced like those of its sets.
    if (told.whole && isNow(order) && order.when === null) heads.push(`turn ${turn} ${order.actor}`);
    const about = [...order.actions, ...order.otherwise].map((action) => settings.get(action.verb) || "");
    for (const one of heads) found.set(one, new Set([...(found.get(one) || []), ...about]));
  }
  for (const actor of reading.cleared) found.set(`@${actor}`, null);
  return found;
}

// The matters of an order line.
function aboutLine(line, settings) {
  let does = line.slice(line.indexOf(": ") + 2).replace(/;$/, "");
  if (/^(if|when) /.test(does)) does = does.slice(does.indexOf(" then ") + 6);
  return does.split(/ also | else /).map((action) => {
    const verbs = [...settings.keys()].filter((verb) => `${action} `.startsWith(`${verb} `));
    return verbs.length ? settings.get(verbs.reduce((one, other) => (other.length > one.length ? other : one))) : "";
  });
}

// The standing orders and those for later turns that are in force after this set.
export function inForce(told, reading) {
  const fresh = reading.orders.filter((order) => order.standing || (order.turn || 0) > (told.report.turn || 0));
  return [...earlier(told, reading).kept, ...fresh.map((order) => `${showOrder(order, told.language)};`)];
}

// The names of units that have no order in force for this turn; those that sail with others do as these do, and who has moved is done, who is tied not yet free.
export function withoutOrders(told, reading) {
  const report = reading.leaves, suggested = told.report.suggest || [];
  if (suggested.length && suggested.every((line) => line.startsWith("["))) return [];
  const ordered = new Set(orderedNow(told, reading));
  const free = (report.units || []).filter((unit) => !NOT_DUE.some((key) => unit[key]));
  return free.filter((unit) => unit.id in (report.menu || {}) && !ordered.has(unit.id)).map((unit) => unit.name);
}

// Names in a sentence; of many how many there are, and the first of them (pbem/text/layout.py).
export function firstNamed(names) {
  if (names.length <= NAMED) return names.join(", ");
  return `${names.length} units: ${names.slice(0, NAMED).join(", ")} and ${names.length - NAMED} more`;
}

function orderedNow(told, reading) {
  const found = [];
  for (const order of reading.orders.filter(isNow)) {
    found.push(order.actor);
    for (const action of [...order.actions, ...order.otherwise]) {
      for (const arg of told.language.plans.get(action.verb).verb.args) {
        if (arg.keyword === "with" && arg.name in action.args) found.push(...[action.args[arg.name]].flat().map(String));
      }
    }
  }
  found.push(...earlier(told, reading).thisTurn.map(head));
  for (const line of inForce(told, reading)) {
    const scope = SCOPE.exec(head(line));
    if (scope && (scope[1] === undefined || Number(scope[1]) === told.report.turn)) found.push(scope[2]);
  }
  return found;
}

function isNow(order) {
  return order.turn === null && !order.standing && !order.trigger;
}

function head(line) {
  return line.split(":")[0];
}
