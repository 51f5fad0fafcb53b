// Who has an order, who still needs one, who may not have one; and orders for several at once.

import { book, fromForm, together, write, writeLine } from "./book.js";
import { formOf, goOf, judged } from "./reach.js";

export const plan = { report: null, last: [] };

// last: the orders that this seat signed for the window before, as lines.
export function openPlan(report, last) {
  Object.assign(plan, { report, last: last.filter((line) => judged(line).note !== undefined) });
}

const ownUnit = (id) => plan.report.units.find((u) => u.id === id);

// Why an actor may not be ordered now; empty if it may.
export function lockOf(id) {
  const unit = ownUnit(id);
  return unit ? unit.tied || (plan.report.menu[id] ? "" : "no orders now") : "";
}

const led = (id) => ownUnit(id)?.force || ownUnit(id)?.leader;
const stands = (id) => book.reading.orders.some((o) => o.standing && o.actor === id)
  || plan.report.standing.some((line) => line.replace(/^[@ ]+/, "").startsWith(`${id}:`));

// Whether the player has decided what an actor does.
export const decided = (id) => book.seen.includes(id) || stands(id)
  || book.reading.orders.some((o) => o.actor === id && !fromForm(o));

const everyone = () => [...plan.report.units.map((u) => u.id), ...Object.keys(plan.report.menu).filter((id) => !ownUnit(id))];
const mayBe = (id) => plan.report.menu[id] && !lockOf(id) && !led(id);

// Those for whom the form has an order: they need one.
export const needing = () => everyone().filter((id) => formOf(id).length && !lockOf(id));
export const undecided = () => needing().filter((id) => !decided(id));

// Those that may go somewhere and need no order, such as aircraft at their bases; those of which there are most
// of one type come first.
export function others() {
  const free = everyone().filter((id) => mayBe(id) && !formOf(id).length && goOf(id));
  const typed = (id) => ownUnit(id)?.type, many = (id) => free.filter((one) => typed(one) === typed(id)).length;
  return free.sort((a, b) => many(b) - many(a));
}

// Whom to order next: the one behind `id` among those that need an order, then among the others.
export function nextAfter(id) {
  const all = [...needing(), ...others()].filter((one) => one === id || !decided(one));
  const at = all.indexOf(id), behind = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].filter((one) => one !== id);
  return behind.find((one) => formOf(one).length) || behind[0] || "";
}

// What "all others hold" writes for an actor: `hold` if it may, else what the form proposes.
function restOf(id) {
  const holds = book.speaker.verbs(id).some((v) => v.verb === "hold") && judged(`${id}: hold;`);
  return holds && holds.note !== undefined ? [holds.line] : formOf(id);
}

export const restWord = () => {
  const said = undecided().filter(ownUnit).flatMap(restOf).map((line) => line.slice(line.indexOf(":") + 1).replace(";", "").trim());
  return said.length && said.every((word) => word === said[0]) ? said[0] : "";
};

export const asSuggested = () => fill(undecided(), formOf);
export const othersHold = () => fill(undecided(), restOf);
export function asLastTurn() {
  const actors = [...new Set(plan.last.map((line) => line.split(":")[0]))];
  fill(actors.filter((id) => !lockOf(id)), (id) => plan.last.filter((line) => line.startsWith(`${id}:`)));
}

// Writes lines for several actors as one step.
function fill(actors, linesOf) {
  together(() => {
    for (const id of actors) for (const line of linesOf(id)) writeLine(line);
    write(book.text, [...book.seen, ...actors]);
  });
}
