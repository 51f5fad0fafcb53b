// The words that an order file may use: from the verb table and the sender's own report
// (orders/vocabulary.py).

import { words } from "./canon.js";

export const RESERVED = ["IF", "THEN", "ELSE", "ALSO", "AND", "OR", "NOT", "NONE", "TURN"];
export const LEADING = ["FINAL", "ABSENT", "RESIGN", "CONSENT", "RUN", "LINKS", "PREFER"];
export const PREFERENCES = ["ZONE", "MAIL", "PICTURES", "PAGE", "REMIND", "DATES"];

// Names of one or more tokens, each with its meaning; the longest match wins.
export class Phrases {
  // pairs: [printed name, meaning]; if two names fold to the same text, the first counts.
  constructor(pairs) {
    Object.assign(this, { exact: new Map(), printed: [], first: new Map(), last: new Map() });
    const keys = [];
    for (const [name, meaning] of pairs) {
      const key = words(name);
      if (!key || this.exact.has(key)) continue;
      this.exact.set(key, meaning);
      this.printed.push(name);
      keys.push(key.split(" "));
    }
    for (const key of keys.sort((a, b) => b.length - a.length)) {
      grouping(this.first, key[0]).push(key);
      grouping(this.last, key.at(-1)).push(key);
    }
  }

  // The longest name that starts at `at`: [meaning, where it ends], or null.
  match(texts, at, end) {
    for (const key of (at < end && this.first.get(texts[at])) || []) {
      const stop = at + key.length;
      if (stop <= end && key.every((word, i) => texts[at + i] === word)) {
        return [this.exact.get(key.join(" ")), stop];
      }
    }
    return null;
  }

  // The longest name that ends before `end` and starts at `least` or later: [meaning, where it starts], or null.
  ending(texts, end, least) {
    for (const key of (end > least && this.last.get(texts[end - 1])) || []) {
      const start = end - key.length;
      if (start >= least && key.every((word, i) => texts[start + i] === word)) {
        return [this.exact.get(key.join(" ")), start];
      }
    }
    return null;
  }
}

function grouping(map, key) {
  if (!map.has(key)) map.set(key, []);
  return map.get(key);
}

// Prepares a system's language. raw: data.languages[system] (pbem/web/order_language.py).
export function languageOf(raw) {
  const verbs = raw.verbs.map((verb) => ({ ...verb, args: verb.args.map(wholeArg) }));
  const several = raw.places.filter((place) => words(place).includes(" ")).sort();
  const terms = raw.terms.map((term) => ({ values: [], of: "", ...term }));
  return {
    verbs: new Phrases(verbs.flatMap((v) => [v.name, ...(v.synonyms || [])].map((w) => [w, v.name]))),
    plans: new Map(verbs.map((verb) => [verb.name, planOf(verb)])),
    once: new Map(verbs.filter((verb) => verb.once).map((verb) => [verb.name, verb.once])),
    places: new Set(raw.places),
    shapes: new RegExp(`^(?:${shapesOf(raw.places).join("|") || "(?!)"})$`),
    aliases: new Phrases([...Object.entries(raw.aliases), ...several.map((p) => [p, p])]),
    terms: new Phrases(terms.map((term) => [term.name, term.name])),
    byTerm: new Map(terms.map((term) => [term.name, term])),
    values: new Map(terms.map((term) => [term.name, same(term.values)])),
    triggers: same(raw.triggers),
  };
}

// Everything that the sender can name.
export function vocabularyOf(report, language) {
  const units = report.units || [], menu = new Map(Object.entries(report.menu || {}));
  const names = units.map((unit) => [String(unit.id), String(unit.name || unit.id)]);
  return {
    language,
    menu,
    actors: new Phrases(actorPairs(menu, names)),
    units: new Phrases([
      ...names.map(([id]) => [id, id]), ...names.map(([id, name]) => [name, id]),
      ...[...menu.keys()].map((actor) => [actor, actor]), ...offered(menu, ["unit", "units"]),
    ]),
    lost: new Phrases(Object.entries(report.lost || {})),
    contacts: new Phrases([
      ...(report.contacts || []).map((c) => [String(c.id), String(c.id)]),
      ...offered(menu, ["contact"]),
    ]),
    questions: new Map((report.questions || []).map(questionOf).map((q) => [q.id, q])),
  };
}

// Whether a token has the shape of a place of this board, even if there is no such place.
export function placeShaped(language, token) {
  return language.shapes.test(token);
}

// The zones of `F19-F21`: one row in numerical order; null if there is no such line.
export function zonesBetween(language, first, last) {
  const low = /^([A-Z]+)([0-9]+)$/.exec(first), high = /^([A-Z]+)([0-9]+)$/.exec(last);
  if (!low || !high || low[1] !== high[1]) return null;
  const zones = [];
  for (let i = Number(low[2]); i <= Number(high[2]); i++) zones.push(low[1] + i);
  return zones.length && zones.every((zone) => language.places.has(zone)) ? zones : null;
}

// The shapes of a board's numbered places: `K14` -> `[A-Z][0-9][0-9]`.
function shapesOf(places) {
  const zones = places.filter((place) => /^[A-Z]*[0-9][A-Z0-9]*$/.test(place));
  return [...new Set(zones.map((zone) => zone.replace(/./g, (c) => (c < "A" ? "[0-9]" : "[A-Z]"))))];
}

function wholeArg(arg) {
  const whole = { keyword: "", optional: false, choices: [], least: 0, most: 9999, decimals: 0, ...arg };
  return { ...whole, of: (arg.of || []).map(wholeArg) };
}

function planOf(verb) {
  return {
    verb,
    positional: verb.args.filter((arg) => !arg.keyword),
    keywords: new Phrases(verb.args.filter((a) => a.keyword).map((a) => [a.keyword, a.name])),
    args: new Map(verb.args.map((arg) => [arg.name, arg])),
    choices: new Map(verb.args.flatMap((arg) => [arg, ...arg.of]).map((arg) => [arg, same(arg.choices)])),
  };
}

function same(names) {
  return new Phrases(names.map((name) => [name, name]));
}

// Menu keys, then ids and names of units that have a menu under their other name.
function actorPairs(menu, names) {
  const folded = new Map([...menu.keys()].map((actor) => [words(actor), actor]));
  const pairs = [...menu.keys()].map((actor) => [actor, actor]);
  for (const [unit, name] of names) {
    const actor = folded.get(words(unit)) || folded.get(words(name)) || unit;
    pairs.push([unit, actor], [name, actor]);
  }
  return pairs;
}

// Names that the menu offers for arguments of those kinds, such as a ship not yet in play.
function offered(menu, kinds) {
  return [...menu.values()].flat().flatMap((item) => item.args || [])
    .filter((arg) => kinds.includes(arg.kind))
    .flatMap((arg) => (arg.values || []).map((value) => [String(value), String(value)]));
}

function questionOf(raw) {
  const choices = (raw.choices || []).map(String);
  const form = raw.form ? planOf({ name: "answer", args: [wholeArg(raw.form)] }) : null;
  return { id: String(raw.id).toUpperCase(), choices, phrases: same(choices), form };
}
