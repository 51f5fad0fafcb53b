// Heads: splits a block into the orders of each actor (orders/heads.py).

import { Mistake, closest, near, some } from "./cursor.js";

const NAME_TOKENS = 5;
const JOINING = [",", "AND"];
const STOPS = [";", "ALSO", "THEN", "ELSE", "END"];

// Every `@ turn 7 TF1, TF2:` in tokens[body:end]. kind: actor, question or unknown; names:
// [actor or question, start, end] of each; fault: what is wrong with its scope.
export function headsIn(cursor, body, end) {
  const found = [];
  let low = body;
  for (let i = body; i < end; i++) {
    if (cursor.texts[i] === ":") found.push(headAt(cursor, low, i));
    if (":;".includes(cursor.texts[i])) low = i + 1;
  }
  return found;
}

// The message for a head that names no unit of the sender's.
export function unknownActor(cursor, head) {
  const [name, start, end] = head.names[0], words = cursor.vocabulary;
  if (start === end) return new Mistake("unknown-unit", "a unit is missing before ':'", end, end + 1);
  const said = cursor.said(start, end);
  if (/^Q[0-9]+$/.test(name)) {
    const asked = [...words.questions.keys()].join(", ") || "none";
    return new Mistake("unknown-question", `there is no question ${said}`, start, end, `open questions: ${asked}`);
  }
  const bare = cursor.texts[end - 1] === '"' ? end - 1 : end, gone = words.lost.ending(cursor.texts, bare, start);
  if (gone) return cursor.gone(gone[1], bare, gone[0]);
  const listed = `your units: ${some([...words.menu.keys()])}`;
  return new Mistake("unknown-unit", `${said} is not one of your units`, start, end,
    () => near(said, words.actors.printed) || listed);
}

function headAt(cursor, low, colon) {
  const known = knownName(cursor, low, colon);
  if (!known) {
    const [start, name] = phraseOf(cursor, low, colon);
    return scoped(cursor, low, colon, "unknown", [[name, start, colon]]);
  }
  const [name, start] = known;
  const kind = cursor.vocabulary.questions.has(name) ? "question" : "actor";
  const more = kind === "actor" && start > low && JOINING.includes(cursor.texts[start - 1]);
  const before = more ? severalNames(cursor, low, start) : [];
  return scoped(cursor, low, colon, kind, [...before, [name, start, colon]]);
}

// The actor or question whose name ends before `end`, and where it starts.
function knownName(cursor, low, end) {
  if (end <= low) return null;
  const { texts, vocabulary } = cursor;
  if (texts[end - 1] === '"') {
    const start = texts.lastIndexOf('"', end - 2);
    if (end < 2 || start < low) return null;
    const quoted = vocabulary.actors.exact.get(texts.slice(start + 1, end - 1).join(" "));
    return quoted ? [quoted, start] : null;
  }
  const actor = vocabulary.actors.ending(texts, end, low);
  if (!actor && vocabulary.questions.has(texts[end - 1])) return [texts[end - 1], end - 1];
  return actor;
}

// The actors before the last one, if there are only names since `low`, with commas or `and` between.
function severalNames(cursor, low, end) {
  const names = [];
  let at = end;
  while (at > low && JOINING.includes(cursor.texts[at - 1])) {
    const both = cursor.texts[at - 1] === "AND" && cursor.texts[at - 2] === ",";
    const stop = both ? at - 2 : at - 1;
    const known = knownName(cursor, low, stop);
    if (!known) return [];
    names.unshift([known[0], known[1], stop]);
    at = known[1];
  }
  return scopeStart(cursor, low, at) === low ? names : [];
}

// The start of the `@` or `turn N` directly before `start`.
function scopeStart(cursor, low, start) {
  while (start > low) {
    if (cursor.texts[start - 1] === "@") start -= 1;
    else if (start - 1 > low && cursor.texts[start - 2] === "TURN") start -= 2;
    else break;
  }
  return start;
}

function scoped(cursor, low, colon, kind, names) {
  const start = names[0][1], first = scopeStart(cursor, low, start);
  const scope = cursor.texts.slice(first, start);
  const count = (word) => scope.filter((text) => text === word).length;
  const standing = scope.includes("@");
  const number = scope.includes("TURN") ? scope[scope.indexOf("TURN") + 1] : "";
  let fault = null;
  if (number && !/^[0-9]{1,4}$/.test(number)) {
    fault = new Mistake("bad-turn", `${cursor.said(first, start)} is not a valid turn`, first, start,
      "write 'turn 7' before the unit");
  } else if (count("TURN") > 1 || count("@") > 1 || (standing && number)) {
    fault = new Mistake("two-scopes", "write only one '@' or 'turn N' before a unit",
      first, start, "'@' orders stay until replaced, 'turn N' orders apply in that turn");
  }
  const turn = number && !fault ? Number(number) : null;
  return { start: first, colon, kind, names, standing, turn, fault };
}

// The start of an unknown name: everything since the last `;` if that may be one name, else the one
// token before the colon.
function phraseOf(cursor, low, colon) {
  const { texts } = cursor;
  let start = low;
  while (start < colon && (texts[start] === "@" || texts[start] === "TURN")) {
    start += texts[start] === "TURN" ? 2 : 1;
  }
  start = Math.min(start, Math.max(colon - 1, low));
  const whole = texts.slice(start, colon);
  const simple = whole.length <= NAME_TOKENS && !whole.some((t) => ["IF", ",", "@"].includes(t));
  const verbs = cursor.vocabulary.language.verbs;
  if (!simple || (whole.length > 1 && verbs.match(texts, start, colon))) {
    start = Math.max(colon - 1, low);
  }
  return [start, texts.slice(start, colon).join(" ")];
}

// The mistake where tokens[at:end] begin with a unit instead of an order, or are words before the
// name of the next unit; null where they do not.
export function astray(cursor, at, end) {
  const { texts, vocabulary } = cursor, found = vocabulary.actors.match(texts, at, end);
  const stop = found ? found[1] : at + (vocabulary.questions.has(texts[at]) ? 1 : 0);
  const before = end < texts.length && !STOPS.includes(texts[end]);
  const said = cursor.said(at, Math.max(stop, at + 1)), gone = vocabulary.lost.match(texts, at, end);
  if (gone) return cursor.gone(at, gone[1], gone[0]);
  if (found && before && (stop === end || JOINING.includes(texts[stop]))) {
    return new Mistake("missing-colon", `${said} has no order`, at, stop,
      "write a comma between two units, and a colon after the last");
  }
  if (stop > at) {
    return new Mistake("missing-colon", `${said} has no colon after it`, at, stop,
      `write '${said.slice(1, -1)}: ...'`);
  }
  if (before && end - at < NAME_TOKENS && !vocabulary.language.verbs.match(texts, at, end)) {
    return new Mistake("extra-words", `${cursor.said(at, end)} is not part of the name after it`, at,
      end, "leave it out; only a name stands before a colon");
  }
  return null;
}

// `did you mean 'SUFFOLK: hold ...'?` where what is like the name of a unit stands before an order, without a
// colon; else empty.
export function misspelt(cursor, at, end) {
  const { actors, language } = cursor.vocabulary;
  for (let stop = at + 1; stop < Math.min(at + NAME_TOKENS, end); stop++) {
    const verb = language.verbs.match(cursor.texts, stop, end);
    const name = verb && closest(cursor.said(at, stop), actors.printed);
    if (name) return `did you mean '${name}: ${verb[0]} ...'?`;
  }
  return "";
}
