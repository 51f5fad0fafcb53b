// Which orders of earlier sets a new one leaves in force, and which units have none (pbem/player/in_force.py).

import { scopeText, showOrder } from "./show.js";

const LED = ["force", "leader", "group"];
const SCOPE = /^(?:@|turn (\d+) )(.+)$/;

// The report's orders in force, by what the set leaves of them: {kept, replaced}.
export function earlier(told, reading) {
  const heads = new Set(reading.orders.map((order) => scopeText(order) + order.actor));
  for (const actor of reading.cleared) heads.add(`@${actor}`);
  if (told.whole) {
    for (const order of reading.orders) {
      if (isNow(order) && order.when === null) heads.add(`turn ${told.report.turn} ${order.actor}`);
    }
  }
  const lines = told.report.standing || [];
  return { kept: lines.filter((line) => !heads.has(head(line))), replaced: lines.filter((line) => heads.has(head(line))) };
}

// The standing orders and those for later turns that are in force after this set.
export function inForce(told, reading) {
  const fresh = reading.orders.filter((order) => order.standing || (order.turn || 0) > (told.report.turn || 0));
  return [...earlier(told, reading).kept, ...fresh.map((order) => `${showOrder(order, told.language)};`)];
}

// The names of units that have no order in force for this turn; those that sail with others do as these do.
export function withoutOrders(told, reading) {
  const report = reading.leaves, suggested = told.report.suggest || [];
  if (suggested.length && suggested.every((line) => line.startsWith("["))) return [];
  const ordered = new Set(orderedNow(told, reading));
  const free = (report.units || []).filter((unit) => !LED.some((key) => unit[key]));
  return free.filter((unit) => unit.id in (report.menu || {}) && !ordered.has(unit.id)).map((unit) => unit.name);
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
