// Where a unit may be sent with one tap, and what else one tap may order. The checks of the system decide: what
// they would refuse, or what comes later than this turn, is not offered.

import { board, cellAt, whereIs } from "./board.js";
import { book } from "./book.js";

const NEAR = 100, AT_ONCE = 10, MOST_EXITS = 12;
const LATER = /\b(?!1\b)\d+ turns\b|\bleft out\b/;
const PLACE = ["place", "path"];
const known = new Map();

// The verb that sends an actor to a place, if a place is all that it needs.
export const goOf = (actor) => book.speaker.verbs(actor).find(({ args }) => {
  const [first, ...more] = args;
  return first && PLACE.includes(first.kind) && !first.optional && more.every((arg) => arg.optional);
});

// One order judged alone: {line, note, now}, or {line, fault}. now: it is done in this turn.
export function judged(line) {
  const { orders: [order], problems: [fault] } = book.speaker.checkLines(line);
  return order ? { line, note: order.note, now: !LATER.test(order.note) } : { line, fault: fault?.text || "" };
}

export function orderTo(actor, cell) {
  const go = goOf(actor);
  return go ? judged(`${actor}: ${go.verb} ${cell};`) : null;
}

export const placeOf = (actor) => {
  const at = whereIs(actor);
  return at && board.facts ? cellAt(at) : "";
};

// Forgets what was found for a former report.
export const openReach = () => known.clear();

// The cells in reach of an actor, from near to far, each with its order. They are judged a few milliseconds at a
// time; `told` is called when all are found.
export function reachOf(actor, told = () => {}) {
  if (known.has(actor)) return known.get(actor);
  const found = new Map(), own = placeOf(actor), waiting = candidates(actor).filter((cell) => cell !== own);
  known.set(actor, found);
  const some = () => {
    const until = performance.now() + AT_ONCE;
    while (waiting.length && performance.now() < until) {
      const cell = waiting.shift(), order = orderTo(actor, cell);
      if (order.now) found.set(cell, order);
    }
    if (waiting.length) setTimeout(some);
    else {
      found.whole = true;
      told();
    }
  };
  found.whole = !waiting.length;
  if (waiting.length) some();
  return found;
}

// The places that the menu names, else the cells around the actor.
function candidates(actor) {
  const go = goOf(actor), at = whereIs(actor);
  if (!go) return [];
  if (go.args[0].values?.length) return go.args[0].values.map(String);
  if (!at || !board.facts) return [];
  const far = ([x, y]) => Math.hypot(x - at[0], y - at[1]);
  return Object.entries(board.facts.cells).sort(([, a], [, b]) => far(a) - far(b)).slice(0, NEAR).map(([name]) => name);
}

// The printed name of a place: `24 Philippines & Dutch Indies`.
export const titleOf = (cell) => board.facts?.titles?.[cell] || cell;

// The order lines that the form proposes for an actor, as they would be listed.
export const formOf = (actor) => book.proposed.filter((line) => line.split(":")[0].trim() === actor);

// Orders of one tap besides the places of the chart: [{label, line, note}].
export function quickOf(actor, last = []) {
  const go = goOf(actor), found = new Map();
  const add = (label, line) => {
    const order = found.has(line) ? {} : judged(line);
    if (order.note !== undefined) found.set(line, { label, ...order });
  };
  const said = (line) => capital(line.slice(line.indexOf(":") + 1).replace(";", "").trim());
  for (const line of formOf(actor)) add(`${said(line)} (suggested)`, line);
  for (const line of last.filter((l) => l.split(":")[0] === actor)) add(`${said(line)} (as last turn)`, line);
  const group = go?.once || book.speaker.verbs(actor).find((v) => formOf(actor).some((line) => said(line).toLowerCase().startsWith(v.verb)))?.once;
  for (const { verb, once, args } of book.speaker.verbs(actor)) {
    if (group ? once === group && !args.some((arg) => !arg.optional) : go && !args.length) add(capital(verb), `${actor}: ${verb};`);
  }
  return [...found.values()];
}

// The places that the menu names, where it names few.
export function listedOf(actor) {
  const listed = goOf(actor)?.args[0].values || [];
  return board.facts && listed.length <= MOST_EXITS ? listed.map(String) : [];
}

// The places by name where the menu lists few: [{label, line, note}].
export function exitsOf(actor) {
  return listedOf(actor).length
    ? [...reachOf(actor)].map(([cell, order]) => ({ label: titleOf(cell), ...order })) : [];
}

export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
