// Which orders of earlier sets a new one leaves in force, and which units have none (pbem/player/in_force.py).

import { words } from "./canon.js";
import { scopeText, showOrder } from "./show.js";

const NOT_DUE = ["force", "leader", "group", "moved", "tied"];
const NAMED = 8;
const SCOPE = /^(?:@|turn (\d+) )(.+)$/;

// The report's orders in force, by what the set leaves of them: {kept, thisTurn, replaced}. Those of an actor in one
// scope are replaced together, but settings only by others about the same matter; what goes on of a programme all
// together, by the lines of a new one.
export function earlier(told, reading) {
  const settings = settingsOf(told), said = saidTo(told, reading, settings), { report, spent } = told;
  const anew = newProgramme(told, reading), again = new Set(reading.orders.map((order) => `${showOrder(order, told.language)};`));
  const goes = (line) => {
    const about = said.get(head(line));
    return about === null || Boolean(about && verbsOfLine(line, told).some((verb) => about.has(settings.get(verb) || "")));
  };
  // no other line of spent verbs is left in the turn
  const went = (line) => (verbsOfLine(line, told).every((verb) => spent.includes(verb)) ? anew : goes(line));
  const standing = report.standing || [], before = report.this_turn || [], not = (test) => (line) => !test(line);
  return { kept: standing.filter(not(goes)), thisTurn: before.filter(not(went)), replaced: [...standing.filter(goes), ...before.filter(went)].filter((line) => !again.has(line)) };
}

// Does the set bring a line of a programme, which takes the place of one that goes on?
function newProgramme({ report, spent }, reading) {
  const now = reading.orders.filter((order) => !order.standing && (order.turn === null || order.turn === report.turn));
  return now.some((order) => [...order.actions, ...order.otherwise].some((action) => spent.includes(action.verb)));
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

// The verbs of an order line, its words split as the parser splits them: an action begins behind the colon, or behind
// THEN if it waits for something, and behind ALSO and ELSE.
function verbsOfLine(line, { language }) {
  const texts = words(line.slice(line.indexOf(":") + 1)).split(" "), first = texts.indexOf("THEN") + 1;
  return texts.flatMap((_, i) => (i === first || (i > first && ["ALSO", "ELSE"].includes(texts[i - 1]))
    ? [language.verbs.match(texts, i, texts.length)?.[0] || ""] : []));
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
  return free.filter((unit) => (report.menu || {})[unit.id]?.length && !ordered.has(unit.id)).map((unit) => unit.name);
}

// Names in a sentence; of many how many there are, and the first of them (pbem/text/layout.py).
export function firstNamed(names) {
  if (names.length <= NAMED) return names.join(", ");
  return `${names.length} units: ${names.slice(0, NAMED).join(", ")} and ${names.length - NAMED} more`;
}

function orderedNow(told, reading) {
  const found = [], { turn } = told.report, held = earlier(told, reading);
  for (const order of reading.orders) {
    const now = isNow(order, turn);
    if (now || order.standing) found.push(order.actor);
    if (now) found.push(...companions(told, order));
  }
  for (const line of held.kept) {
    const scope = SCOPE.exec(head(line));
    if (scope && (scope[1] === undefined || Number(scope[1]) === turn)) found.push(scope[2]);
  }
  return [...found, ...held.thisTurn.map(head)];
}

// Whom an order names as going along.
function companions({ language }, order) {
  return [...order.actions, ...order.otherwise].flatMap(({ verb, args }) => language.plans.get(verb).verb.args
    .filter((arg) => arg.keyword === "with" && arg.name in args).flatMap((arg) => [args[arg.name]].flat().map(String)));
}

// Is an order for this turn alone, whatever happens in it? turn: the one that is played, if orders that name it count.
function isNow(order, turn = null) {
  return (order.turn === null || order.turn === turn) && !order.standing && !order.trigger;
}

function head(line) {
  return line.split(":")[0];
}
