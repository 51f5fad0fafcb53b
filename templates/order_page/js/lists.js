// Questions, the orders as understood, the text, and its mistakes.

import { book, fromForm, stepBack, textWithout, textWithoutAnswer, write } from "./book.js";
import { amend, choose, say } from "./composer.js";
import { button, byId, choice, make, named, redraw } from "./dom.js";
import { firstNamed } from "./in_force.js";
import { decided } from "./plan.js";
import { capital } from "./reach.js";

const SHOWN_FAULTS = 30;
const FEW_KEPT = 5; // standing orders that are shown without a tap

export function openLists(report) {
  const text = byId("text");
  text.oninput = () => write(text.value);
  byId("undo").onclick = () => {
    stepBack();
    choose("");
    say("Undone");
  };
  byId("fresh").onclick = () => write(book.form.map((line) => `${line}\n`).join(""), []);
  book.told.push(() => showLists(report));
  showLists(report);
}

function showLists(report) {
  const { reading } = book, text = byId("text");
  if (text.value !== book.text) text.value = book.text;
  byId("undo").disabled = !book.past.length;
  const said = Object.keys(reading.answers).length + reading.cleared.length + Object.keys(reading.words).length;
  byId("n-orders").textContent = reading.orders.length + said ? `(${reading.orders.length + said})` : "";
  redraw(byId("list"), orderItems());
  redraw(byId("rest-of"), restParts());
  redraw(byId("faults"), faultParts());
  showQuestions(report);
}

function orderItems() {
  const { reading } = book;
  const items = reading.orders.map((order) => lineItem(`${order.text};`, order.note, order));
  items.unshift(...reading.cleared.map((actor) => lineItem(`@${actor}: none;`, "its standing orders end", null)));
  items.unshift(...Object.entries(reading.words).map(([word, value]) => lineItem(`${word} ${value}`.trim(), "", null)));
  return items.length ? items : [make("li", { className: "none" }, "No orders yet.")];
}

function lineItem(text, note, order) {
  const scope = order?.scope.trim() || "", mark = scope === "@" ? "standing" : scope || (order?.order.trigger ? "when" : order?.when ? "if" : "");
  const proposed = order && fromForm(order) && !decided(order.actor);
  const words = [make("code", {}, text), note || proposed ? make("small", {}, [proposed && "suggested", note].filter(Boolean).join(" · ")) : null];
  if (!order) return make("li", {}, make("div", { className: "said" }, words));
  const said = button("", () => changeOrder(order), { className: "said", title: "Change it" });
  said.append(...words.filter(Boolean));
  said.setAttribute("aria-label", `Change ${text} ${note}`);
  const drop = button("×", () => takeOut(order), { className: "drop", title: "Remove it" });
  drop.setAttribute("aria-label", `Remove ${text}`);
  return make("li", {}, said, drop, mark ? make("span", { className: "scope" }, mark) : null);
}

// With buttons if the composer can show the order, else in the text.
function changeOrder(order) {
  if (!amend(order)) markText(order.start, order.end);
  else byId("composer").scrollIntoView({ block: "nearest" });
}

function takeOut(order) {
  const left = textWithout([order]);
  if (left === null) markText(order.start, order.end);
  else write(left);
}

// Selects a part of the text for editing.
export function markText(start, end) {
  const text = byId("text");
  byId("free").open = true;
  text.focus();
  text.setSelectionRange(start, end);
  text.scrollIntoView({ block: "center" });
}

function restParts() {
  const { reading } = book, { kept, thisTurn, replaced } = reading, parts = [];
  if (reading.without.length) {
    parts.push(make("p", { id: "without" }, make("b", {}, "Without an order: "), `${firstNamed(reading.without)}. ${reading.idle}`));
  }
  if (kept.length) {
    const open = document.getElementById("standing")?.open ?? kept.length <= FEW_KEPT;
    parts.push(make("details", { id: "standing", open }, make("summary", {}, `Standing orders in force (${kept.length})`),
      make("ul", { className: "kept" }, kept.map((line) => keptItem(line)))));
  }
  for (const [label, lines] of [["Ordered earlier this turn", thisTurn], ["No longer in force, replaced by this set", replaced]]) {
    if (lines.length) {
      parts.push(make("p", { className: "label" }, label),
        make("ul", { className: "kept" }, lines.map((line) => make("li", {}, make("code", {}, line)))));
    }
  }
  return parts;
}

function keptItem(line) {
  const actor = line.startsWith("@") ? line.slice(1).split(":")[0].trim() : "";
  const item = make("li", {}, make("code", {}, line));
  if (actor) {
    const end = button("End", () => write(`@${actor}: none;\n${book.text}`));
    end.setAttribute("aria-label", `End the standing orders of ${actor}`);
    item.append(end);
  }
  return item;
}

function faultParts() {
  const { problems } = book.reading;
  const shown = problems.slice(0, SHOWN_FAULTS).map(faultItem);
  if (!shown.length) return [];
  const more = problems.length - shown.length;
  return [make("h3", {}, problems.length === 1 ? "One mistake" : `${problems.length} mistakes`), ...shown,
    more ? make("p", {}, `and ${more} more`) : null];
}

function faultItem(p) {
  const caret = `${" ".repeat(p.at)}^${"~".repeat(Math.max(p.length - 1, 0))}`;
  const go = button("Show", () => markText(p.start, p.end));
  go.setAttribute("aria-label", `Show the mistake in line ${p.line}`);
  const item = make("div", { className: "mistake" },
    make("p", { className: "fault" }, make("b", {}, `Line ${p.line}: `), p.text, p.rule ? ` (${p.rule})` : "", " ", make("code", { className: "code" }, p.code)),
    make("pre", {}, `${p.source}\n${caret}`), p.hint ? make("p", {}, p.hint) : null, go);
  item.dataset.code = p.code;
  item.dataset.at = `${p.line}:${p.column}`;
  return item;
}

function showQuestions(report) {
  byId("ask").hidden = !report.questions.length;
  redraw(byId("questions"), report.questions.map(questionParts));
}

function questionParts(q) {
  const said = [book.reading.answers[q.id] ?? []].flat().join(" ");
  const options = (q.choices || []).map((c) => [String(c), String(c) === String(q.default) ? `${c} (default)` : String(c)]);
  const label = make("p", { className: "label" }, make("b", {}, q.id), ` ${q.prompt}${q.rule ? ` (${q.rule})` : ""}`);
  const control = make("input", { type: "text", id: `answer-${q.id}`, value: said, autocomplete: "off", oninput: () => answered(q.id, control.value.trim()) });
  const note = book.reading.answerNotes[q.id];
  const fallback = said ? note && make("small", {}, `${capital(note)}.`) : make("small", {}, `Without an answer, your orders decide; otherwise: ${[q.default].flat().join(" ") || "nothing"}.`);
  return make("div", { className: "field" }, label,
    options.length ? choice(q.prompt, options, said, (v) => answered(q.id, v === said ? "" : v)) : named(`Answer to ${q.id}`, control), fallback);
}

function answered(id, value) {
  write(`${textWithoutAnswer(id)}${value ? `${id}: ${value};\n` : ""}`);
}
