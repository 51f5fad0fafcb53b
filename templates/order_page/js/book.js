// The set being written: its text, what it means, and the steps to undo.

// proposed: the orders of the form, without its remarks. seen: the actors whose suggested orders the player has accepted as they are.
export const book = { speaker: null, form: [], proposed: [], text: "", seen: [], reading: null, past: [], told: [] };
const MOST_STEPS = 200;

export function openBook(speaker, form, text) {
  Object.assign(book, { speaker, form, proposed: form.map((line) => line.replace(/\s*\[[^\]]*\]/g, "").trim()).filter(Boolean), text: null, seen: [], past: [], told: [] });
  write(text);
  book.past = [];
}

export function write(text, seen = book.seen) {
  if (text === book.text && seen === book.seen) return;
  if (book.text !== null) book.past.push([book.text, book.seen]);
  if (book.past.length > MOST_STEPS) book.past.shift();
  settle(text, seen);
}

export function stepBack() {
  if (book.past.length) settle(...book.past.pop());
}

// Several changes as one step.
export function together(act) {
  const depth = book.past.length, { told } = book;
  book.told = [];
  act();
  book.told = told;
  if (book.past.length > depth) book.past.length = depth + 1;
  for (const tell of told) tell();
}

function settle(text, seen) {
  Object.assign(book, { text, seen });
  book.reading = book.speaker.checkLines(text);
  for (const tell of book.told) tell();
}

const ended = (line) => (line.endsWith(";") ? line : `${line};`);
const joinLines = (lines) => lines.filter((line) => line.trim()).map((line) => `${line}\n`).join("");
export const sameHead = (order, actor, scope) => order.actor === actor && order.scope === scope;
export const fromForm = (order) => book.proposed.includes(ended(order.text));

// The text without these orders; null if only the player can remove them.
export function textWithout(victims) {
  let text = book.text, reading = book.reading;
  for (const victim of victims) {
    const order = reading.orders.find((o) => o.text === victim.text);
    text = order ? cutOut(text, reading, order) : text;
    if (text === null) return null;
    reading = book.speaker.checkLines(text);
  }
  return text;
}

function cutOut(text, reading, order) {
  const fits = sparing(reading, reading.orders.filter((o) => o !== order));
  const end = text[order.end] === ";" ? order.end + 1 : order.end;
  const from = text.lastIndexOf("\n", order.start - 1) + 1, after = text.indexOf("\n", end - 1);
  const lines = text.slice(0, from) + text.slice(after < 0 ? text.length : after + 1);
  const alone = text.slice(0, order.start) + text.slice(end);
  const whole = reading.problems.length ? null
    : joinLines(reading.lines.split("\n").filter((line) => line !== ended(order.text)));
  return [lines, alone, whole].find((candidate) => candidate !== null && fits(candidate)) ?? null;
}

// Tests whether a text has these orders and as many mistakes as a reading. fewer: or fewer.
function sparing({ problems }, orders, fewer = false) {
  const said = (some) => some.map((o) => o.text).join("\n"), left = said(orders);
  return (text) => {
    const found = book.speaker.checkLines(text), less = problems.length - found.problems.length;
    return (fewer ? less >= 0 : less === 0) && said(found.orders) === left;
  };
}

// The text without the answer to a question, which may be a mistake; unchanged if only the player can remove it
// without losing an order.
export function textWithoutAnswer(id) {
  const { text, reading } = book, line = new RegExp(`^\\s*${id}\\s*:`, "i");
  const alone = text.replace(new RegExp(`(^|;)[^\\S\\n]*${id}\\s*:[^;]*(;|$)`, "im"), "$1").split("\n");
  const found = [alone, text.split("\n").filter((each) => !line.test(each))].map(joinLines);
  return found.find(sparing(reading, reading.orders)) ?? found.find(sparing(reading, reading.orders, true)) ?? joinLines(text.split("\n"));
}

// The orders that a new order replaces: those that the form proposed for its actor and, if the new order is
// unconditional, an unconditional order with the same verb or with one that excludes it (`hold` and `move`). A
// reaction replaces and is replaced by none.
export function supersedes(actor, scope, verb, conditional) {
  return book.reading.orders.filter((o) => sameHead(o, actor, scope) && (fromForm(o)
    || (!conditional && !o.when && !o.order.trigger && o.order.actions.length === 1 && excludes(actor, o.order.actions[0].verb, verb))));
}

function excludes(actor, one, other) {
  const once = (verb) => (book.speaker.verbs(actor).find((v) => v.verb === verb)?.once || "").split(" ");
  return one === other || once(one).some((word) => word && once(other).includes(word));
}

// Writes one order in place of those that it replaces. Null where it was written, else why not.
export function writeLine(line) {
  const { orders: [made], problems: [fault] } = book.speaker.checkLines(line);
  if (!made) return fault || { text: `${line} is no order of this window` };
  const { actor, scope, order: { actions } } = made;
  const instead = supersedes(actor, scope, actions[0].verb, false), left = textWithout(instead);
  const text = textWith(left ?? book.text, line, actor, scope, false, left === null ? [] : instead);
  const at = text.split("\n").indexOf(line) + 1, bad = book.speaker.checkLines(text).problems.find((p) => p.line === at);
  if (!bad) write(text, [...book.seen, actor]);
  return bad || null;
}

// The text with one more line. The first order whose condition is met counts, so a conditional order goes
// before its actor's unconditional ones; any other goes where the order that it replaces was.
export function textWith(text, line, actor, scope, conditional, instead) {
  const lines = text.replace(/\n+$/, "").split("\n");
  const own = book.speaker.checkLines(text).orders.filter((o) => sameHead(o, actor, scope));
  const before = conditional ? own.find((o) => !o.when) : null;
  const behind = own[own.length - 1];
  const place = instead.length ? instead[0].line - 1 : lines.length;
  const at = before ? before.line - 1 : behind ? lineOf(text, behind.end) : place;
  const starts = at >= lines.length || /^\s*(@|turn\b)?[^;]*:/i.test(lines[at]) || !lines[at].trim();
  lines.splice(starts ? at : lines.length, 0, line);
  return joinLines(lines);
}

const lineOf = (text, at) => text.slice(0, at).split("\n").length;
