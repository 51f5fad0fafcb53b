// What an officer of a role may order (pbem/player/role_orders.py): the units of his own report's menu,
// without conditions.

import { locate } from "./reading.js";
import { LEADING } from "./vocabulary.js";

// The reading without what a role may not order, each with its diagnostic; unchanged for a side.
export function withinRole(reading, report) {
  if (!report.role) return reading;
  const menu = report.menu || {}, orders = [], places = [], seen = [], diagnostics = [...reading.diagnostics];
  reading.orders.forEach((order, i) => {
    const fault = roleFault(reading, report, menu, order, reading.places[i]);
    if (fault) {
      diagnostics.push(locate(reading.unit, fault));
    } else {
      orders.push(order);
      places.push(reading.places[i]);
      seen.push(reading.seen[i]);
    }
  });
  for (const actor of reading.cleared) {
    if (!(actor in menu)) diagnostics.push(located(reading, actor.split(" ")[0], notYours(actor, report, menu)));
  }
  for (const word of LEADING) {
    if (word === "FINAL" || !reading.words.has(word)) continue;
    diagnostics.push(located(reading, word, { code: "commander-only", hint: "delete it",
      text: `${word} is for the commander, not for the ${report.role} officer` }));
  }
  diagnostics.sort((a, b) => a.line - b.line || a.column - b.column);
  const words = new Map([...reading.words].filter(([word]) => word === "FINAL"));
  return { ...reading, orders, places, seen, words, diagnostics, cleared: reading.cleared.filter((actor) => actor in menu) };
}

function roleFault(reading, report, menu, order, place) {
  if (!(order.actor in menu) && !reading.declared.includes(order.actor)) {
    return { ...notYours(order.actor, report, menu), ...place.actor };
  }
  if (!order.when && !order.trigger) return null;
  return { code: "role-condition", text: `the ${report.role} officer gives orders without conditions`,
    ...place.order, hint: "say what it does in any case" };
}

function notYours(actor, report, menu) {
  return { code: "not-yours", text: `${actor} is not for the ${report.role} officer to order`,
    hint: `yours to order: ${Object.keys(menu).join(", ") || "nothing now"}` };
}

// A diagnostic at the first token of the body that is this word.
function located(reading, word, fault) {
  const tokens = reading.unit.tokens.slice(reading.body);
  const { start, end } = tokens.find((token) => token.text === word) || tokens[0];
  return locate(reading.unit, { ...fault, start, end });
}

// Whom a report is for: a side, or its role.
export const deskOf = (report) => (report.role ? `${report.side}.${report.role}` : report.side);
