// Orders that parse but cannot be accepted (orders/diagnose.py). Every message comes from the sender's
// own words, his own report and the public board.

import { some } from "./cursor.js";
import { locate } from "./reading.js";

// The reading with a diagnostic in place of each order that cannot be accepted. Verbs must be in the
// unit's menu; the values that the menu lists bind only orders for now. check: the game's own check,
// (order) -> problem or null.
export function judge(reading, report, check) {
  const menu = new Map(Object.entries(report.menu || {}).map(([a, items]) => [a, allowed(items)]));
  const orders = [], places = [], diagnostics = [...reading.diagnostics];
  reading.orders.forEach((order, i) => {
    const place = reading.places[i];
    const fault = pastFault(report, order, place) || menuFault(reading, menu, order, place)
      || gameFault(check, order, place) || contradiction(reading.once, orders, order, place);
    if (fault) {
      diagnostics.push(locate(reading.unit, fault, fault.rule));
    } else {
      orders.push(order);
      places.push(place);
    }
  });
  diagnostics.sort((a, b) => a.line - b.line || a.column - b.column);
  return { ...reading, orders, places, diagnostics };
}

// verb -> argument -> values allowed now; an empty list if the board decides.
function allowed(items) {
  return new Map(items.map((item) => [item.verb,
    new Map((item.args || []).map((arg) => [arg.name, arg.values || []]))]));
}

// An order for a turn that is over.
function pastFault(report, order, place) {
  if (order.turn === null || !Number.isInteger(report.turn) || order.turn >= report.turn) return null;
  return { code: "past-turn", text: `turn ${order.turn} is over`, ...place.actor,
    hint: `turn ${report.turn} is being played` };
}

function menuFault(reading, menu, order, place) {
  if (order.standing || order.turn !== null || order.trigger) return null;
  const verbs = menu.get(order.actor);
  if (!verbs) {
    if (reading.declared.includes(order.actor)) return null;
    return { code: "not-now", text: `${order.actor} cannot be given orders now`, ...place.actor };
  }
  const actions = [...order.actions, ...order.otherwise];
  for (const [i, action] of actions.entries()) {
    const said = place.actions[i], listed = verbs.get(action.verb);
    if (!listed) {
      return { code: "not-now", text: `${order.actor} cannot be given '${action.verb}' now`,
        ...said.verb, hint: `orders: ${[...verbs.keys()].join(", ")}` };
    }
    const fault = order.when ? null : valueFault(action, said, listed);
    if (fault) return fault;
  }
  return null;
}

// A value that the menu does not offer for this argument.
function valueFault(action, said, listed) {
  for (const [name, value] of Object.entries(action.args)) {
    const values = listed.get(name) || [];
    for (const [i, item] of [value].flat().map(String).entries()) {
      if (!values.length || values.includes(item)) continue;
      return { code: "not-now", text: `'${action.verb}' is not possible with ${item} now`,
        ...spotOf(said, name, i), hint: `possible now: ${some(values)}` };
    }
  }
  return null;
}

function gameFault(check, order, place) {
  const problem = check(order);
  if (!problem) return null;
  const said = place.actions.find((each) => problem.arg in each.args);
  const span = said ? spotOf(said, problem.arg, problem.item) : place.order;
  return { code: problem.code, text: problem.text, ...span, hint: problem.hint, rule: problem.rule };
}

// An order that can never be carried out, because the same actor has one for the same time that binds
// without a condition, of verbs that exclude each other.
function contradiction(once, kept, order, place) {
  for (const other of kept) {
    if (other.when || timeOf(other) !== timeOf(order)) continue;
    for (const [i, action] of order.actions.entries()) {
      for (const rival of other.actions) {
        const word = once.get(action.verb);
        if (!word || word !== once.get(rival.verb) || wordsOf(action) === wordsOf(rival)) continue;
        return { code: "contradiction", ...place.actions[i].verb,
          text: `'${wordsOf(action)}' contradicts '${wordsOf(rival)}', which ${order.actor}`
            + " is ordered in this set already",
          hint: "leave one of them out, or put the one with a condition first" };
      }
    }
  }
  return null;
}

const timeOf = (order) => JSON.stringify([order.actor, order.standing, order.turn, order.trigger || ""]);

const wordsOf = (action) => [action.verb,
  ...Object.values(action.args).filter((value) => typeof value === "string")].join(" ");

function spotOf(said, arg, item) {
  const spans = said.args[arg]?.length ? said.args[arg] : [said.verb];
  return spans[Math.min(Math.max(item, 0), spans.length - 1)];
}
