// The arguments of one action, read by its verb's plan (orders/arguments.py). A keyword of the
// verb always wins over a name; lists go on while the next token is an item.

import { Mistake, near, some } from "./cursor.js";
import { LEADING, RESERVED, placeShaped, zonesBetween } from "./vocabulary.js";

const COMPASS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");
const LISTS = { path: "place", places: "place", units: "unit" };
const LONGEST_NAME = 16;

// The one action in tokens[at:end], its position, and the new names that it declares.
export function readAction(cursor, actor, at, end) {
  if (at >= end) throw new Mistake("missing-verb", "an order is missing here", at - 1, at);
  const language = cursor.vocabulary.language;
  const known = language.verbs.match(cursor.texts, at, end);
  if (!known) throw noVerb(cursor, actor, at, end);
  const [verb, behind] = known, plan = language.plans.get(verb);
  const found = filled(cursor, plan, behind, end);
  const args = {};
  for (const arg of plan.verb.args) {
    if (found.values.has(arg.name)) args[arg.name] = found.values.get(arg.name);
  }
  const fresh = plan.verb.args.filter((a) => a.kind === "name" && a.name in args);
  return { action: { verb, args }, said: { verb: cursor.span(at, behind), args: found.spans },
    fresh: fresh.map((arg) => args[arg.name]) };
}

// The free answer of a question, whose one argument is `plan`'s.
export function readValue(cursor, plan, at, end) {
  return filled(cursor, plan, at, end).values.get(plan.verb.args[0].name);
}

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

// All arguments between two tokens. Throws Mistake if a required one is missing.
function filled(cursor, plan, at, end) {
  const found = { cursor, plan, end, values: new Map(), spans: {}, last: null, misfit: null };
  while (at < end) {
    const keyword = plan.keywords.match(cursor.texts, at, end);
    if (keyword && !found.values.has(keyword[0])) {
      const arg = plan.args.get(keyword[0]), behind = take(found, arg, keyword[1]);
      if (behind === null) throw unfit(found, arg, keyword[1]);
      at = behind;
    } else {
      at = positional(found, at);
    }
  }
  for (const arg of plan.verb.args) {
    if (!arg.optional && !found.values.has(arg.name)) throw missing(plan, arg, end);
  }
  return found;
}

// Reads the next argument without a keyword; skips optional ones that do not fit.
function positional(found, at) {
  found.misfit = null;
  for (const arg of found.plan.positional) {
    if (found.values.has(arg.name)) continue;
    const behind = take(found, arg, at);
    if (behind !== null) return behind;
    if (!arg.optional) throw unfit(found, arg, at);
    found.misfit ||= arg;
  }
  const doubtful = found.misfit || found.last;
  if (doubtful && doubtful.kind !== "word" && !",-".includes(found.cursor.texts[at])) {
    throw unfit(found, doubtful, at);
  }
  throw extra(found, at);
}

// Reads `arg` at `at` into `found`; returns where it ends, or null if nothing there fits.
function take(found, arg, at) {
  if (at >= found.end) return null;
  if (arg.kind in LISTS) return takeList(found, arg, at);
  const one = READERS[arg.kind](found, arg, at);
  if (!one) return null;
  const [value, behind] = one;
  found.values.set(arg.name, arg.kind === "number" && !arg.decimals ? Number(value) : value);
  found.spans[arg.name] = [found.cursor.span(at, behind)];
  found.last = null;
  return behind;
}

function takeList(found, arg, at) {
  const { items, behind } = listAt(found, arg, at);
  if (!items.length) return null;
  if (items.length < arg.least) {
    throw new Mistake("too-few", `list at least ${arg.least} here`, at, behind);
  }
  if (items.length > arg.most) {
    throw new Mistake("too-many", `list at most ${arg.most} here`, at, behind);
  }
  found.values.set(arg.name, items.map(([value]) => value));
  found.spans[arg.name] = items.map(([, span]) => span);
  found.last = arg;
  return behind;
}

// Items from `at` on, with optional commas, up to a keyword or anything that is not an item.
function listAt(found, arg, at) {
  const reader = READERS[LISTS[arg.kind]], { cursor, end } = found, items = [];
  while (at < end) {
    const here = items.length && cursor.texts[at] === "," ? at + 1 : at;
    const keyword = found.plan.keywords.match(cursor.texts, here, end);
    if (here >= end || (keyword && !found.values.has(keyword[0]))) break;
    const one = reader(found, arg, here);
    if (!one) break;
    const [value, stop] = one, ranged = stop < end && cursor.texts[stop] === "-";
    const [values, behind] = ranged ? range(found, arg, here, stop) : [[value], stop];
    items.push(...values.map((each) => [each, cursor.span(here, behind)]));
    at = behind;
  }
  return { items, behind: at };
}

// `F19-F21`, whose first zone is tokens[start:dash]: the zones, and where it ends.
function range(found, arg, start, dash) {
  const { cursor } = found, language = cursor.vocabulary.language;
  if (arg.kind !== "places") {
    const hint = arg.kind === "path" ? "write each zone, with spaces between them" : "";
    throw new Mistake("range-here", "a range is not allowed here", start, dash + 1, hint);
  }
  const last = dash + 1 < found.end ? placeAt(found, arg, dash + 1) : null;
  if (!last) throw new Mistake("bad-range", "a range needs a zone at both ends", start, dash + 1);
  const low = placeAt(found, arg, start);
  const zones = low && zonesBetween(language, low[0], last[0]);
  if (zones) return [zones, last[1]];
  const text = `${cursor.said(start, last[1])} is not a straight line of zones`;
  throw new Mistake("bad-range", text, start, last[1], "write each zone");
}

function placeAt(found, arg, at) {
  const { cursor } = found, language = cursor.vocabulary.language, token = cursor.texts[at];
  const named = cursor.named(language.aliases, at, found.end);
  if (named) return named;
  if (language.places.has(token)) return [token, at + 1];
  if (placeShaped(language, token)) {
    const text = `${cursor.said(at, at + 1)} is not on this board`;
    throw new Mistake("unknown-zone", text, at, at + 1, () => near(token, language.places));
  }
  return null;
}

function unitAt(found, arg, at) {
  const { cursor } = found, token = cursor.texts[at];
  if (cursor.declared.includes(token)) return [token, at + 1];
  return cursor.named(cursor.vocabulary.units, at, found.end);
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

// A new name: one word that is not a zone and not a word of the order language.
function nameAt(found, arg, at) {
  const { cursor } = found, token = cursor.texts[at], language = cursor.vocabulary.language;
  if (!/^[A-Z]/.test(token)) return null;
  const shaped = placeShaped(language, token);
  const taken = RESERVED.includes(token) || LEADING.includes(token) || language.verbs.exact.has(token);
  if (taken || language.places.has(token) || shaped || token.length > LONGEST_NAME) {
    const why = shaped ? "looks like a zone" : "cannot be a name";
    throw new Mistake("bad-name", `${cursor.said(at, at + 1)} ${why}`, at, at + 1,
      `use up to ${LONGEST_NAME} letters and digits, for example TF6`);
  }
  return [token, at + 1];
}

const READERS = {
  place: placeAt,
  unit: unitAt,
  contact: (found, arg, at) => found.cursor.named(found.cursor.vocabulary.contacts, at, found.end),
  word: (found, arg, at) => found.cursor.named(found.plan.choices.get(arg.name), at, found.end),
  number: numberAt,
  name: nameAt,
  direction: directionAt,
};

const WHAT = {
  place: ["unknown-zone", "is not a zone or port"],
  unit: ["unknown-unit", "is not one of your units"],
  contact: ["unknown-contact", "is not one of your contacts"],
  word: ["bad-word", "is not allowed here"],
  number: ["bad-number", "is not a number"],
  name: ["bad-name", "cannot be a name"],
  direction: ["bad-direction", "is not a compass point of this board"],
};
const NEEDS = { place: "a zone or port", unit: "one of your units", contact: "a contact",
  number: "a number", name: "a new name", direction: "a compass point" };

function noVerb(cursor, actor, at, end) {
  const token = cursor.texts[at], here = cursor.said(at, at + 1);
  if (token === "IF") {
    return new Mistake("nested-if", "an 'if' cannot contain another 'if'", at, at + 1,
      "write two orders, each with its own condition");
  }
  if (LEADING.includes(token)) {
    return new Mistake("misplaced-word", `${here} must come before the first unit`, at, at + 1,
      "move it to the top, directly after the header");
  }
  if (token === "@" || token === "TURN") {
    return new Mistake("misplaced-scope", `${here} must be followed by a unit and a colon`, at, at + 1);
  }
  const menu = (cursor.vocabulary.menu.get(actor) || []).map((item) => String(item.verb));
  const listed = menu.length ? `orders: ${some(menu)}` : "";
  return new Mistake("unknown-verb", `${here} is not an order`, at, at + 1,
    () => near(here, menu) || listed);
}

// The mistake where nothing at `at` fits `arg`: something is missing, or the text there is wrong.
function unfit(found, arg, at) {
  const { cursor, plan, end } = found, kind = LISTS[arg.kind] || arg.kind;
  if (at >= end) return missing(plan, arg, end);
  const stop = cursor.extent(at, end), [code, what] = WHAT[kind], said = cursor.said(at, stop);
  const listed = kind === "word" ? `one of: ${arg.choices.join(", ")}` : "";
  const words = cursor.vocabulary;
  const known = { place: words.language.aliases.printed, unit: words.units.printed,
    contact: words.contacts.printed, word: arg.choices }[kind] || [];
  return new Mistake(code, `${said} ${what}`, at, stop,
    () => near(said, [...known, ...plan.keywords.printed]) || listed);
}

function extra(found, at) {
  const { cursor, plan, end } = found, keyword = plan.keywords.match(cursor.texts, at, end);
  if (keyword) {
    return new Mistake("extra-words", `${cursor.said(at, keyword[1])} appears twice`, at, end);
  }
  const text = `'${plan.verb.name}' does not take ${cursor.said(at, end)}`;
  const left = plan.verb.args.filter((a) => a.keyword && !found.values.has(a.name)).map((a) => a.keyword);
  const said = cursor.said(at, at + 1);
  return new Mistake("extra-words", text, at, end,
    () => near(said, left) || "put ';' between two orders");
}

function missing(plan, arg, end) {
  const need = NEEDS[LISTS[arg.kind] || arg.kind] || `one of: ${arg.choices.join(", ")}`;
  const text = `'${plan.verb.name}' still needs ${arg.keyword ? `${arg.keyword} ` : ""}${need}`;
  const hint = plan.verb.example ? `for example: ${plan.verb.example}` : "";
  return new Mistake("missing-argument", text, end - 1, end, hint);
}
