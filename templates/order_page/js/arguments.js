// The arguments of one action, read by its verb's plan (orders/arguments.py). A keyword of the
// verb always wins over a name; lists go on while the next token is an item.

import { words } from "./canon.js";
import { Mistake, near, some } from "./cursor.js";
import { astray, misspelt } from "./heads.js";
import { LISTS, NAMES, READERS, fillerAt, keywordAt, missing, placeAt, unfit } from "./readers.js";
import { LEADING, zonesBetween } from "./vocabulary.js";

const NAME_WORDS = 3, WAYS = ["VIA", "THROUGH"], OPEN = new Set(["name", "row", "rows"]);

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

// All arguments between two tokens. Throws Mistake if a required one is missing.
function filled(cursor, plan, at, end) {
  const found = { cursor, plan, end, values: new Map(), spans: {}, last: null, misfit: null };
  while (at < end) {
    const keyword = keywordAt(found, at);
    if (keyword) {
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
  const whole = ["number", "bearing"].includes(arg.kind) && !arg.decimals;
  found.values.set(arg.name, whole ? Number(value) : value);
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
    if (here >= end || keywordAt(found, here)) break;
    const one = reader(found, arg, here);
    if (!one) break;
    const [value, stop] = one;
    if (arg.kind === "units" && items.some(([named]) => named === value)) {
      throw new Mistake("named-twice", `${cursor.said(here, stop)} is named twice`, here, stop, "name each unit once");
    }
    const ranged = stop < end && cursor.texts[stop] === "-";
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
  const last = dash + 1 < found.end ? placeAt(cursor, dash + 1, found.end) : null;
  if (!last) throw new Mistake("bad-range", "a range needs a zone at both ends", start, dash + 1);
  const low = placeAt(cursor, start, found.end);
  const zones = low && zonesBetween(language, low[0], last[0]);
  if (zones) return [zones, last[1]];
  const text = `${cursor.said(start, last[1])} is not a straight line of zones`;
  throw new Mistake("bad-range", text, start, last[1], "write each zone");
}

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
  if (token === "WHEN" && cursor.vocabulary.language.triggers.printed.length) {
    return new Mistake("misplaced-when", "'when' must begin the order", at, at + 1,
      "write: when ... if ... then ...");
  }
  if (token === "@" || token === "TURN") {
    return new Mistake("misplaced-scope", `${here} must be followed by a unit and a colon`, at, at + 1);
  }
  const unit = astray(cursor, at, end);
  if (unit) return unit;
  const menu = (cursor.vocabulary.menu.get(actor) || []).map((item) => String(item.verb));
  const listed = menu.length ? `orders: ${some(menu)}` : "";
  return new Mistake("unknown-verb", `${here} is not an order`, at, at + 1,
    () => misspelt(cursor, at, end) || near(here, menu) || listed);
}

function extra(found, at) {
  const { cursor, plan, end } = found, keyword = plan.keywords.match(cursor.texts, at, end);
  if (keyword) {
    return new Mistake("extra-words", `${cursor.said(at, keyword[1])} appears twice`, at, end);
  }
  const open = plan.verb.args.filter((a) => !a.keyword && !found.values.has(a.name));
  const named = open.find((a) => NAMES.has(a.kind)); // a name that the sender cannot know
  const also = open.filter((a) => a.kind === "word").flatMap((a) => a.choices);
  if (named) return unfit(found, named, at, also);
  const text = `'${plan.verb.name}' does not take ${cursor.said(at, end)}`;
  const left = plan.verb.args.filter((a) => a.keyword && !found.values.has(a.name)).map((a) => a.keyword);
  const said = cursor.said(at, at + 1);
  return new Mistake("extra-words", text, at, end,
    () => longer(cursor, at) || repeated(cursor, at, left) || fillerAt(cursor, at, plan) || near(said, left)
      || keyed(found, at) || worded(found, at) || "put ';' between two orders");
}

// What to write for `x 3`, `3 times` or `3` behind an order that may be repeated; else empty.
function repeated(cursor, at, left) {
  const number = cursor.texts.slice(at, at + 2).find((text) => /^[0-9]+$/.test(text));
  const bare = ["X", "*", number].includes(cursor.texts[at]);
  return number && bare && left.includes("times") ? `write 'times ${number}'` : "";
}

// `write 'with TF3' or 'air TF3'` where what stands at `at` is a value of arguments that begin with their
// keywords; else empty.
function keyed(found, at) {
  const fits = found.plan.verb.args.filter((a) => a.keyword && !found.values.has(a.name) && !OPEN.has(a.kind))
    .map((arg) => [arg, valueAt(found, arg, at)]).filter(([, one]) => one)
    .map(([arg, one]) => `'${arg.keyword} ${found.cursor.said(at, one[1]).slice(1)}`);
  return fits.length ? `write ${fits.join(" or ")}` : "";
}

// `write 'by canal'` for `via canal` or `through Panama`: where another word stands for the keyword of an
// argument that takes certain words; else empty.
function worded(found, at) {
  const { cursor, plan, end } = found, { texts } = cursor;
  if (cursor.vocabulary.language.verbs.match(texts, at, end)) return "";
  const behind = texts.slice(at + 1, end);
  for (const arg of plan.verb.args) {
    if (!arg.keyword || arg.kind !== "word" || found.values.has(arg.name)) continue;
    const said = WAYS.includes(texts[at]) && arg.choices.length === 1
      ? arg.choices : arg.choices.filter((word) => behind.includes(word.toUpperCase()));
    if (!said.length) continue;
    const wanted = `'${arg.keyword} ${said[0]}'`;
    return anybody(found, arg) ? `write ${wanted}` : `leave it out: ${wanted} is not possible now`;
  }
  return "";
}

// Does the menu offer the argument to anybody?
function anybody(found, arg) {
  return [...found.cursor.vocabulary.menu.values()].flat().some((item) =>
    item.verb === found.plan.verb.name && (item.args || []).some((one) => one.name === arg.name));
}

function valueAt(found, arg, at) {
  try {
    return READERS[LISTS[arg.kind] || arg.kind](found, arg, at);
  } catch (mistake) {
    if (mistake instanceof Mistake) return null;
    throw mistake;
  }
}

// `did you mean 'CAPE HORN PACIFIC' or ...?` where tokens up to `at` begin names of places, of which
// the words before it are another name; else empty.
function longer(cursor, at) {
  const places = cursor.vocabulary.language.aliases;
  for (let start = Math.max(at - NAME_WORDS, 0); start < at; start++) {
    const begun = cursor.texts.slice(start, at + 1), first = new Map();
    for (const name of places.printed) {
      const key = words(name), meaning = places.exact.get(key);
      if (begun.every((word, i) => key.split(" ")[i] === word) && !first.has(meaning)) first.set(meaning, name);
    }
    if (first.size) return `did you mean ${[...first.values()].map((name) => `'${name}'`).join(" or ")}?`;
  }
  return "";
}
