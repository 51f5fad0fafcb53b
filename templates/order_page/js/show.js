// Orders as text: one order a line with its full scope (orders/show.py).

import { LEADING } from "./vocabulary.js";

// Every line of an order set: words, cleared standing orders, orders, answers; empty if there are none.
export function showSet(reading, language) {
  const lines = LEADING.filter((word) => reading.words.has(word))
    .map((word) => showWord(word, reading.words.get(word)));
  lines.push(...reading.cleared.map((actor) => `@${actor}: none;`));
  lines.push(...reading.orders.map((order) => `${showOrder(order, language)};`));
  for (const [name, value] of reading.answers) lines.push(`${name}: ${valueText(value)};`);
  return lines.map((line) => `${line}\n`).join("");
}

// One order with its scope, without `;`: `turn 7 CL1: patrol F19 F20`.
export function showOrder(order, language) {
  return `${scopeText(order)}${order.actor}: ${showContent(order, language)}`;
}

// The prefix of the actor: `@`, `turn 7 ` or nothing.
export function scopeText(order) {
  if (order.standing) return "@";
  return order.turn === null ? "" : `turn ${order.turn} `;
}

// The content of an order, without actor and scope.
export function showContent(order, language) {
  const text = showActions(order.actions, language), trigger = order.trigger ? `when ${order.trigger} ` : "";
  if (!order.when) return trigger ? `${trigger}then ${text}` : text;
  const other = order.otherwise.length ? ` else ${showActions(order.otherwise, language)}` : "";
  return `${trigger}if ${showCondition(order.when)} then ${text}${other}`;
}

// One action: its verb, then its arguments in the order of the verb table.
export function showAction(action, language) {
  const parts = [action.verb];
  for (const arg of language.plans.get(action.verb).verb.args) {
    if (!(arg.name in action.args)) continue;
    parts.push(...(arg.keyword ? [arg.keyword] : []), valueText(action.args[arg.name]));
  }
  return parts.join(" ");
}

// The tests with their joiner, terms in full (`over own evasion`).
export function showCondition(condition) {
  return condition.tests.map(showTest).join(` ${condition.joiner} `);
}

export function valueText(value) {
  return [value].flat().join(" ");
}

function showWord(word, value) {
  return `${`${word} ${word === "ABSENT" ? "UNTIL " : ""}${value}`.trimEnd()};`;
}

function showActions(actions, language) {
  return actions.map((action) => showAction(action, language)).join(" also ");
}

function showTest(test) {
  const left = (test.negated ? "not " : "") + test.left + (test.of ? ` ${test.of}` : "");
  if (test.op === "is" && test.right === "YES") return left;
  return `${left} ${test.op} ${valueText(test.right)}${test.other ? ` ${test.other}` : ""}`;
}
