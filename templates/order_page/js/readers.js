// One value of each kind, read from the tokens (orders/readers.py): [canonical value, where it ends], or
// null if nothing there is of that kind. Throws Mistake for what is of the kind and cannot stand.

import { Mistake, beyond, near, parted, some } from "./cursor.js";
import { LEADING, RESERVED, placeShaped } from "./vocabulary.js";

const COMPASS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");
// Kinds whose values the sender's own report lists.
export const NAMES = new Set(["unit", "contact", "either"]);
export const LISTS = { path: "place", places: "place", units: "unit", rows: "row" };
const FILLERS = new Set("TO AT IN INTO THE TOWARD TOWARDS ON WITH OF FOR".split(" "));
const LONGEST_NAME = 16;

// `12.5` -> 12500: decimals are compared exactly, never as floats; null if the text is not a number.
export function thousandths(text) {
  const found = /^([0-9]+)(?:\.([0-9]{0,3}))?$/.exec(text);
  return found && Number(found[1]) * 1000 + Number(`${found[2] || ""}000`.slice(0, 3));
}

// `02.50` -> `2.5`, `2.0` -> `2`: the canonical form of a number.
export function shortest(number) {
  const [whole, part = ""] = number.split("."), tail = part.replace(/0+$/, "");
  return `${Number(whole)}${tail ? `.${tail}` : ""}`;
}

// The argument whose keyword begins at `at`: [name, where it ends], or null for one that has been read.
export function keywordAt(found, at) {
  const known = found.plan.keywords.match(found.cursor.texts, at, found.end);
  return known && !found.values.has(known[0]) ? known : null;
}

export function placeAt(cursor, at, end) {
  const language = cursor.vocabulary.language, token = cursor.texts[at];
  const named = cursor.named(language.aliases, at, end);
  if (named) return named;
  if (language.places.has(token)) return [token, at + 1];
  if (placeShaped(language, token)) {
    const text = `${cursor.said(at, at + 1)} is not on this board`;
    throw new Mistake("unknown-zone", text, at, at + 1, () => beyond(token, language.places) || near(token, language.places));
  }
  return null;
}

export function unitAt(cursor, at, end) {
  const token = cursor.texts[at];
  return cursor.declared.includes(token) ? [token, at + 1] : cursor.named(cursor.vocabulary.units, at, end);
}

export function contactAt(cursor, at, end) {
  return cursor.named(cursor.vocabulary.contacts, at, end);
}

function directionAt(found, arg, at) {
  const allowed = arg.choices.length ? arg.choices.map((c) => c.toUpperCase()) : COMPASS;
  const token = found.cursor.texts[at];
  return allowed.includes(token) ? [token, at + 1] : null;
}

// A number within its bounds; with decimals it stays text, without trailing zeros.
function numberAt(found, arg, at) {
  const token = found.cursor.texts[at], [whole, part = ""] = token.split(".");
  if (!/^[0-9]+$/.test(whole)) return null;
  const size = thousandths(token);
  if (whole.length > 4 || size === null || part.length > arg.decimals) {
    const text = `${found.cursor.said(at, at + 1)} is not a valid number here`;
    const what = arg.decimals ? `up to ${arg.decimals} decimals` : "no decimals";
    throw new Mistake("bad-number", text, at, at + 1, `write up to 4 digits and ${what}`);
  }
  if (size < arg.least * 1000 || size > arg.most * 1000) {
    const text = `${token} is not between ${arg.least} and ${arg.most}`;
    throw new Mistake("bad-number", text, at, at + 1);
  }
  return [shortest(token), at + 1];
}

// Degrees, also from a compass point; 360 is 0.
function bearingAt(found, arg, at) {
  const token = found.cursor.texts[at], point = COMPASS.indexOf(token);
  if (point < 0) {
    const known = numberAt(found, { ...arg, least: 0, most: 360 }, at);
    return known && known[0] === "360" ? ["0", at + 1] : known;
  }
  const whole = Math.floor(point * 22.5), part = point % 2 * 5;
  if (part && !arg.decimals) {
    const text = `${token} is ${whole}.${part} degrees, but only whole degrees are possible here`;
    throw new Mistake("bad-bearing", text, at, at + 1, `write ${whole} or ${whole + 1}`);
  }
  return [shortest(`${whole}.${part}`), at + 1];
}

// Two numbers, with or without a comma between them.
function pointAt(found, arg, at) {
  const first = numberAt(found, arg, at), { cursor, end } = found;
  if (!first) return null;
  const behind = first[1], here = behind < end && cursor.texts[behind] === "," ? behind + 1 : behind;
  const second = here < end ? numberAt(found, arg, here) : null;
  if (second) return [`${first[0]} ${second[0]}`, second[1]];
  const text = `${cursor.said(at, behind)} is only the first number of a point`;
  throw new Mistake("bad-point", text, at, behind, "write two numbers, for example 12 30");
}

// A new name: one word that is not a zone and not a word of the order language.
function nameAt(found, arg, at) {
  const { cursor } = found, token = cursor.texts[at], language = cursor.vocabulary.language;
  if (!/^[A-Z]/.test(token)) return null;
  const shaped = placeShaped(language, token);
  const word = RESERVED.includes(token) || (token === "WHEN" && language.triggers.printed.length);
  const taken = word || LEADING.includes(token) || language.verbs.exact.has(token);
  if (taken || language.places.has(token) || shaped || token.length > LONGEST_NAME) {
    const why = shaped ? "looks like a zone" : "cannot be a name";
    throw new Mistake("bad-name", `${cursor.said(at, at + 1)} ${why}`, at, at + 1,
      `use up to ${LONGEST_NAME} letters and digits, for example TF6`);
  }
  return [token, at + 1];
}

// The parts of one row, side by side. Once its first part is there, all must be.
function rowAt(found, arg, at) {
  const texts = [];
  let here = at;
  for (const part of arg.of) {
    const over = here >= found.end || (texts.length && keywordAt(found, here));
    const one = over ? null : READERS[part.kind](found, part, here);
    if (!one && !texts.length) return null;
    if (!one) throw over ? cutOff(found, part, at, here) : unfit(found, part, here);
    texts.push(part.kind !== "point" && one[0].includes(" ") ? `"${one[0]}"` : one[0]);
    here = one[1];
  }
  return [texts.join(" "), here];
}

// A row that ends before `part`.
function cutOff(found, part, at, behind) {
  const text = `${found.cursor.said(at, behind)} still needs ${needed(part)}`;
  return new Mistake("missing-argument", text, at, behind, exampleOf(found.plan));
}

export const READERS = {
  place: (found, arg, at) => placeAt(found.cursor, at, found.end),
  unit: (found, arg, at) => unitAt(found.cursor, at, found.end),
  contact: (found, arg, at) => contactAt(found.cursor, at, found.end),
  word: (found, arg, at) => found.cursor.named(found.plan.choices.get(arg), at, found.end),
  number: numberAt,
  name: nameAt,
  direction: directionAt,
  bearing: bearingAt,
  point: pointAt,
  row: rowAt,
};

export const WHAT = {
  place: ["unknown-zone", "is not a place on this board"],
  unit: ["unknown-unit", "is not one of your units"],
  contact: ["unknown-contact", "is not one of your contacts"],
  either: ["unknown-contact", "is neither a contact nor one of your units"],
  word: ["bad-word", "is not allowed here"],
  number: ["bad-number", "is not a number"],
  name: ["bad-name", "cannot be a name"],
  direction: ["bad-direction", "is not a compass point of this board"],
  bearing: ["bad-bearing", "is not a bearing, as 270 and W are"],
  point: ["bad-point", "is not a point"],
};
export const NEEDS = { place: "a place on the board", unit: "one of your units", contact: "a contact",
  either: "a contact or one of your units",
  number: "a number", name: "a new name", direction: "a compass point",
  bearing: "a bearing in degrees", point: "a point, two numbers" };

// What `arg` begins with, and of which kind that is: an item of a list, a part of a row.
function beginning(arg) {
  const kind = LISTS[arg.kind] || arg.kind;
  return kind === "row" ? [arg.of[0], arg.of[0].kind] : [arg, kind];
}

function needed(arg) {
  const [first, kind] = beginning(arg);
  return NEEDS[kind] || `one of: ${first.choices.join(", ")}`;
}

const exampleOf = (plan) => (plan.verb.example ? `for example: ${plan.verb.example}` : "");

// The mistake where nothing at `at` fits `arg`: something is missing, or the text there is wrong.
export function unfit(found, arg, at, also = []) {
  const { cursor, plan, end } = found;
  if (at >= end || keywordAt(found, at)) return missing(plan, arg, at);
  const [first, kind] = beginning(arg), [code, what] = WHAT[kind];
  const gone = (kind === "unit" || kind === "either") && cursor.vocabulary.lost.match(cursor.texts, at, end);
  if (gone) return cursor.gone(at, gone[1], gone[0]);
  const stop = cursor.extent(at, end), said = cursor.said(at, stop);
  const words = [...(kind === "word" ? first.choices : []), ...also];
  const names = kind === "word" ? [] : namesOf(cursor.vocabulary, kind);
  const listed = words.length ? `one of: ${words.join(", ")}` : names.length && NAMES.has(kind) ? `${kind === "unit" ? "your units" : "known"}: ${some(names)}` : "";
  const known = [...names, ...words, ...plan.keywords.printed];
  const bare = cursor.texts[at] === '"' ? cursor.texts.slice(at + 1, stop - 1) : cursor.texts.slice(at, end);
  return new Mistake(code, `${said} ${what}`, at, stop,
    () => parted(bare, known) || fillerAt(cursor, at, plan) || keyedList(found, at) || near(said, known) || listed);
}

// `write 'at port 1'` of a word with which a list begins that needs its keyword; else empty.
function keyedList(found, at) {
  const word = found.cursor.texts[at].toLowerCase();
  for (const arg of found.plan.verb.args) {
    if (!arg.keyword || found.values.has(arg.name) || !arg.of[0]?.choices.includes(word)) continue;
    const numbers = arg.of.filter((part) => part.kind === "number").map((part) => Math.max(1, part.least));
    return `write '${[arg.keyword, word, ...numbers].join(" ")}'`;
  }
  return "";
}

// What to do about a word of everyday speech that orders do without: `move to C8`; empty for any
// other word.
export function fillerAt(cursor, at, plan) {
  const two = alsoAt(cursor, at);
  if (two) return two;
  if (!FILLERS.has(cursor.texts[at])) return "";
  const example = exampleOf(plan);
  return `leave ${cursor.said(at, at + 1)} out${example ? `; ${example}` : ""}`;
}

// What to write for `then` or `and` before a second order of a unit; else empty.
export function alsoAt(cursor, at) {
  const { texts } = cursor, two = texts[at] === "THEN" || texts[at] === "AND";
  return two && cursor.vocabulary.language.verbs.match(texts, at + 1, texts.length)
    ? "write 'also' between two orders that are carried out together" : "";
}

// The names of a kind that the sender might have meant; none of kinds without names.
export function namesOf(words, kind) {
  const units = words.units.printed, contacts = words.contacts.printed;
  return { place: words.language.aliases.printed, unit: units, contact: contacts,
    either: [...contacts, ...units] }[kind] || [];
}

export function missing(plan, arg, end) {
  const text = `'${plan.verb.name}' still needs ${arg.keyword ? `${arg.keyword} ` : ""}${needed(arg)}`;
  return new Mistake("missing-argument", text, end - 1, end, exampleOf(plan));
}
