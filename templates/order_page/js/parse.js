// From tokens to orders, by the verb table and the sender's own report (orders/parse.py). One bad
// order does not affect the others: parsing continues at the next `;` or the next actor.

import { readAction, readValue } from "./arguments.js";
import { Cursor, Mistake, near } from "./cursor.js";
import { astray, headsIn, misspelt, unknownActor } from "./heads.js";
import { readHeader } from "./header.js";
import { alsoAt } from "./readers.js";
import { locate } from "./reading.js";
import { LEADING, PREFERENCES } from "./vocabulary.js";
import { readCondition, readTrigger } from "./when.js";

const DAY = /^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;
const MOST_MISTAKES = 100;
const MOST_ORDERS = 20000;
const BRANCHES = "write: if ... then ... else ...";

// Reads one block: header or null, orders with their positions, answers, cleared actors, words,
// declared names; refusals refuse the whole set, each diagnostic one order.
export function understand(unit, vocabulary) {
  const sheet = { orders: [], places: [], answers: new Map(), cleared: [], words: new Map(),
    mistakes: [], declared: [], once: vocabulary.language.once };
  if (unit.faults.length) {
    const refusals = unit.faults.slice(0, MOST_MISTAKES).map((fault) => locate(unit, fault));
    return { unit, header: null, ...sheet, refusals, diagnostics: [] };
  }
  const { header, body, faults } = readHeader(unit.tokens);
  const cursor = sheet.cursor = new Cursor(unit, vocabulary);
  readBody(sheet, body, unit.tokens.length - 2);
  const first = sheet.mistakes.sort((a, b) => a.start - b.start).slice(0, MOST_MISTAKES);
  return { unit, header, body, ...sheet, declared: cursor.declared,
    refusals: faults.map((fault) => locate(unit, fault)),
    diagnostics: first.map((mistake) => locate(unit, cursor.fault(mistake))) };
}

function readBody(sheet, body, end) {
  const found = headsIn(sheet.cursor, body, end), stops = [...found.map((h) => h.start), end];
  for (const [low, high] of pieces(sheet.cursor, body, stops[0])) {
    guard(sheet, () => readWord(sheet, low, high));
  }
  found.forEach((head, i) => readSection(sheet, head, stops[i + 1]));
}

// tokens[low:high] split at each `;`, without empty pieces.
function pieces(cursor, low, high) {
  const found = [];
  for (let i = low; i <= high; i++) {
    if (i < high && cursor.texts[i] !== ";") continue;
    if (low < i) found.push([low, i]);
    low = i + 1;
  }
  return found;
}

// Runs one reader; a mistake drops only that order and the names that it declared.
function guard(sheet, read) {
  const names = sheet.cursor.declared, known = names.length;
  try {
    read();
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    names.length = known;
    sheet.mistakes.push(mistake);
  }
}

// All orders under one head.
function readSection(sheet, head, stop) {
  const { cursor } = sheet;
  if (head.kind === "unknown" && !cursor.declared.includes(head.names[0][0])) {
    sheet.mistakes.push(unknownActor(cursor, head));
    return;
  }
  if (head.fault) {
    sheet.mistakes.push(head.fault);
    return;
  }
  const found = pieces(cursor, head.colon + 1, stop);
  if (!found.length) {
    const text = `${cursor.said(head.start, head.colon)} has no order after the colon`;
    sheet.mistakes.push(new Mistake("missing-verb", text, head.start, head.colon + 1));
  }
  if (head.kind === "question") guard(sheet, () => readAnswer(sheet, head, found));
  else for (const [low, high] of found) guard(sheet, () => readOrder(sheet, head, low, high));
}

// FINAL, ABSENT UNTIL, RESIGN, CONSENT, RUN, LINKS, PREFER: the words before the first actor. PREFER may come again.
function readWord(sheet, low, high) {
  const { cursor } = sheet, word = cursor.texts[low], { language, menu } = cursor.vocabulary;
  if (!LEADING.includes(word)) {
    const unit = astray(cursor, low, high);
    if (unit) throw unit;
    const known = language.verbs.match(cursor.texts, low, high);
    const text = `${cursor.said(low, low + 1)} comes before any unit`;
    const first = menu.keys().next().value ?? "TF1";
    throw new Mistake("no-actor", text, low, low + 1, () => (known ? "" : misspelt(cursor, low, high) || near(word, LEADING))
      || `begin with a unit and a colon, for example '${first}:'`);
  }
  const told = sheet.words.get(word);
  if (told !== undefined && word !== "PREFER") throw new Mistake("twice", `${word} appears twice`, low, high);
  const rest = restOfWord(cursor, word, low + 1, high);
  sheet.words.set(word, told === undefined ? rest : `${told} ${rest}`);
}

// The argument of a leading word: a day for ABSENT, words for CONSENT, a number for RUN and LINKS,
// otherwise nothing.
function restOfWord(cursor, word, low, high) {
  const texts = cursor.texts.slice(low, high);
  if (word === "ABSENT") {
    const day = texts.slice(1).join("");
    if (texts[0] !== "UNTIL" || !isDay(day)) {
      throw new Mistake("bad-date", "ABSENT needs the day of your return", low - 1, high,
        "write ABSENT UNTIL YYYY-MM-DD;");
    }
    return day;
  }
  if (word === "RUN" || word === "LINKS") {
    const number = texts.length === 1 && /^0*([1-9][0-9]?)$/.exec(texts[0]);
    if (number) return number[1];
    const counted = word === "RUN" ? "turns" : "windows";
    throw new Mistake(`bad-${word.toLowerCase()}`, `${word} needs a number of ${counted}, 1 to 99`, low - 1, high,
      `write ${word} 3;`);
  }
  if (word === "PREFER" && !prefers(texts)) {
    throw new Mistake("bad-preference", "PREFER needs what you prefer, and how", low - 1, high,
      `write PREFER dates iso; you may name ${PREFERENCES.join(", ").toLowerCase()}`);
  }
  if (texts.length && word !== "CONSENT" && word !== "PREFER") {
    throw new Mistake("extra-words", `${word} does not take ${cursor.said(low, high)}`, low, high,
      "put ';' behind it");
  }
  return texts.join(" ");
}

// Whether words are preferences, each with a value behind it.
function prefers(texts) {
  const named = texts.map((text) => PREFERENCES.includes(text));
  return named.length > 0 && named[0] && !named.at(-1) && !named.some((one, i) => one && named[i + 1]);
}

function isDay(text) {
  if (!DAY.test(text)) return false;
  const [year, month, day] = text.split("-").map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function readAnswer(sheet, head, found) {
  const { cursor } = sheet, name = head.names[0][0];
  if (head.standing || head.turn !== null || sheet.answers.has(name)) {
    const text = `${name} takes one answer, without '@' or 'turn'`;
    throw new Mistake("bad-answer", text, head.start, head.colon);
  }
  if (!found.length) return;
  if (found.length > 1) {
    throw new Mistake("bad-answer", `${name} takes one answer`, ...found[1],
      "orders for a unit begin with its name and a colon");
  }
  const question = cursor.vocabulary.questions.get(name), [low, high] = found[0];
  if (question.form) {
    sheet.answers.set(name, readValue(cursor, question.form, low, high));
  } else if (question.choices.length) {
    sheet.answers.set(name, chosen(cursor, question, low, high));
  } else {
    sheet.answers.set(name, cursor.texts.slice(low, high).join(" "));
  }
}

function chosen(cursor, question, low, high) {
  const known = cursor.named(question.phrases, low, high);
  if (known && known[1] === high) return known[0];
  const said = cursor.said(low, high), listed = `answers: ${question.choices.join(", ")}`;
  throw new Mistake("bad-answer", `${said} is not an answer to ${question.id}`, low, high,
    () => near(said, question.choices) || listed);
}

// One order, for each actor of its head.
function readOrder(sheet, head, low, high) {
  const { cursor } = sheet;
  if (cursor.texts[low] === "NONE") {
    clearStanding(sheet, head, low, high);
    return;
  }
  if (sheet.orders.length + head.names.length > MOST_ORDERS) {
    throw new Mistake("too-many-orders", `a set can have at most ${MOST_ORDERS} orders`, low, high);
  }
  const [trigger, begin] = triggerAt(cursor, low, high);
  const [when, parts] = branchesOf(cursor, begin, high), said = [];
  const [actions, otherwise = []] = parts.map((part) => branch(cursor, head, part, said));
  for (const [actor, start, stop] of head.names) {
    sheet.orders.push({ actor, actions, when, otherwise, standing: head.standing, turn: head.turn,
      ...(trigger ? { trigger } : {}) });
    sheet.places.push({ order: cursor.span(low, high), actor: cursor.span(start, stop), actions: said });
  }
}

// The actions of one branch; adds their positions to `said`.
function branch(cursor, head, [low, high], said) {
  return joined(cursor, low, high).map(([from, to]) => {
    const { action, said: where, fresh } = readAction(cursor, head.names[0][0], from, to);
    said.push(where);
    cursor.declared.push(...fresh);
    return action;
  });
}

function clearStanding(sheet, head, low, high) {
  if (!head.standing || high > low + 1) {
    throw new Mistake("bad-none", "'none' is only valid alone, after '@' and a unit", low, high,
      `write @${head.names[0][0]}: none;`);
  }
  for (const [name] of head.names) if (!sheet.cleared.includes(name)) sheet.cleared.push(name);
}

// The trigger of `when TRIGGER then ...`, empty without one, and where the rest begins: the actions, or the
// `if` of `when TRIGGER if ...`.
function triggerAt(cursor, low, high) {
  if (cursor.texts[low] !== "WHEN" || !cursor.vocabulary.language.triggers.printed.length) return ["", low];
  const [trigger, behind] = readTrigger(cursor, low, high);
  const following = behind < high ? cursor.texts[behind] : "";
  if (following === "THEN") return [trigger, behind + 1];
  if (following === "IF") return [trigger, behind];
  throw new Mistake("missing-then", "this 'when' has no 'then'", low, behind, `write: when ${trigger} then ...`);
}

// The condition, and the tokens of its one or two branches.
function branchesOf(cursor, low, high) {
  if (cursor.texts[low] !== "IF") {
    const stray = findWord(cursor, "ELSE", low, high) || findWord(cursor, "THEN", low, high);
    if (!stray) return [null, [[low, high]]];
    const text = `${cursor.said(stray, stray + 1)} needs an 'if' before it`;
    throw new Mistake("missing-if", text, stray, stray + 1, alsoAt(cursor, stray) || BRANCHES);
  }
  const nested = findWord(cursor, "IF", low + 1, high);
  if (nested) {
    throw new Mistake("nested-if", "an 'if' cannot contain another 'if'", nested, nested + 1,
      "write two orders, each with its own condition");
  }
  const then = findWord(cursor, "THEN", low + 1, high);
  if (!then) throw new Mistake("missing-then", "this 'if' has no 'then'", low, low + 1, BRANCHES);
  const when = readCondition(cursor, low + 1, then), other = findWord(cursor, "ELSE", then + 1, high);
  return [when, other ? [[then + 1, other], [other + 1, high]] : [[then + 1, high]]];
}

// tokens[low:high] split at each `also`.
function joined(cursor, low, high) {
  const parts = [];
  for (let cut; (cut = findWord(cursor, "ALSO", low, high)); low = cut + 1) parts.push([low, cut]);
  return [...parts, [low, high]];
}

// The index of `word` outside quotes, 0 if it is not there.
function findWord(cursor, word, low, high) {
  let quoted = false;
  for (let i = low; i < high; i++) {
    if (cursor.texts[i] === '"') quoted = !quoted;
    else if (cursor.texts[i] === word && !quoted) return i;
  }
  return 0;
}
