// Shared parts of the parser: tokens with their vocabulary, mistakes, and similar words.

import { words } from "./canon.js";
import { plain } from "./reading.js";

const SHOWN = 40;
const HINTED = 24;
const PARTS = 6; // words into which a name may be broken
const ALIKE = 0.8; // how close several words must be to a name

// Thrown for an order that cannot be understood. start, end: token indices. hint may be a function.
export class Mistake {
  constructor(code, text, start, end, hint = "") {
    Object.assign(this, { code, text, start, end, hint });
  }
}

// The tokens of one block, as bare texts and with their positions, and the sender's vocabulary.
// declared: the new names that the set's orders have declared so far (`as TF6`).
export class Cursor {
  constructor(unit, vocabulary) {
    Object.assign(this, { chars: unit.chars, tokens: unit.tokens, vocabulary, declared: [] });
    this.texts = unit.tokens.map((token) => token.text);
  }

  // The position of tokens[start:end]; an empty range points at the end of the token before it.
  span(start, end) {
    if (end > start) return { start: this.tokens[start].start, end: this.tokens[end - 1].end };
    const at = this.tokens[start - 1].end;
    return { start: at - 1, end: at };
  }

  // Those tokens as the player wrote them, printable and short, in quotes.
  said(start, end) {
    const span = this.span(start, end);
    const raw = this.chars.slice(span.start, span.end);
    let shown = plain(raw);
    if (shown.includes("[") || raw.includes("\n")) {
      shown = this.tokens.slice(start, end)
        .map((token) => plain(this.chars.slice(token.start, token.end))).join(" ");
    }
    shown = shown.replace(/^[" ]+|[" ]+$/g, "") || shown;
    return `'${shown.length <= SHOWN ? shown : `${shown.slice(0, SHOWN - 3)}...`}'`;
  }

  // The mistake that a unit is named that is gone; fate: what became of it.
  gone(start, end, fate) {
    return new Mistake("unknown-unit", `${this.said(start, end)} ${fate}`, start, end, "leave it out");
  }

  fault(mistake) {
    return { code: mistake.code, text: mistake.text, ...this.span(mistake.start, mistake.end),
      hint: mistake.hint };
  }

  // The name at `at`, in quotes or bare: [meaning, where it ends], or null.
  named(names, at, end) {
    if (this.texts[at] !== '"') return names.match(this.texts, at, end);
    const close = this.closing(at, end);
    const meaning = names.exact.get(this.texts.slice(at + 1, close).join(" "));
    return meaning === undefined ? null : [meaning, close + 1];
  }

  closing(at, end) {
    for (let i = at + 1; i < end; i++) if (this.texts[i] === '"') return i;
    throw new Mistake("open-quote", "this quote is not closed", at, at + 1, 'write "NAME"');
  }

  // The end of the word or quoted name at `at`, for marking it.
  extent(at, end) {
    if (this.texts[at] !== '"') return Math.min(at + 1, end);
    for (let i = at + 1; i < end; i++) if (this.texts[i] === '"') return i + 1;
    return end;
  }
}

// The first eight, with dots if there are more.
export const some = (values) => values.slice(0, 8).join(", ") + (values.length > 8 ? " ..." : "");

// `row E ends at E19` for a place E22; empty for one that is not outside a numbered row.
export function beyond(place, known) {
  const letters = place.replace(/[0-9]+$/, "");
  const number = (name) => name.startsWith(letters) && /^[0-9]{1,4}$/.test(name.slice(letters.length)) ? Number(name.slice(letters.length)) : -1;
  const row = [...known].map(number).filter((n) => n >= 0), wanted = Math.max(number(place), 0);
  const least = Math.min(...row), most = Math.max(...row);
  if (!letters || !row.length || (least <= wanted && wanted <= most)) return "";
  return `row ${letters} ${wanted > most ? "ends" : "begins"} at ${letters}${wanted > most ? most : least}`;
}

// `did you mean 'st johns'?` where the first texts are a known name, but for the gaps between its words:
// `St. John's`, `STJOHNS`, `St-Johns`, or nearly one of several words: `Saint Johns`; empty where they are not.
export function parted(texts, known) {
  const meant = new Map(), several = new Map(), said = texts.filter((text) => text !== "-").slice(0, PARTS);
  for (const name of known) {
    const parts = words(name).split(" ").filter((word) => word !== "-");
    meant.set(parts.join(""), name);
    if (parts.length > 1) several.set(parts.join(" "), name);
  }
  const asked = (name) => `did you mean '${name}'?`;
  for (let i = 1; i <= said.length; i++) {
    const name = meant.get(said.slice(0, i).join(""));
    if (name) return asked(name);
  }
  for (let i = 2; i <= said.length; i++) {
    const close = closest(said.slice(0, i).join(" "), several.keys(), ALIKE);
    if (close) return asked(several.get(close));
  }
  return "";
}

// `did you mean 'move'?` from the given words only; empty if none is similar.
export function near(word, known) {
  const close = closest(word, known);
  return close ? `did you mean '${close}'?` : "";
}

// The listed word that is most like this one; empty if none is.
export function closest(word, known, alike = 0.6) {
  const wanted = word.replace(/^['" ]+|['" ]+$/g, "").toLowerCase().slice(0, HINTED);
  const folded = new Map();
  for (const name of known) folded.set(name.toLowerCase(), name);
  let best = 0, found = "";
  for (const name of folded.keys()) {
    const ratio = likeness(name, wanted);
    if (ratio >= alike && (ratio > best || (ratio === best && name > found))) {
      best = ratio;
      found = name;
    }
  }
  return best ? folded.get(found) : "";
}

// Ratcliff and Obershelp: twice the matching characters divided by the total.
function likeness(a, b) {
  const total = a.length + b.length;
  return total ? 2 * matching(a, b, 0, a.length, 0, b.length) / total : 1;
}

function matching(a, b, alow, ahigh, blow, bhigh) {
  const { i, j, size } = longest(a, b, alow, ahigh, blow, bhigh);
  return size && size + matching(a, b, alow, i, blow, j)
    + matching(a, b, i + size, ahigh, j + size, bhigh);
}

// The longest common substring; of several, the one that starts first in a, then in b.
function longest(a, b, alow, ahigh, blow, bhigh) {
  let best = { i: alow, j: blow, size: 0 };
  let before = [];
  for (let i = alow; i < ahigh; i++) {
    const here = [];
    for (let j = blow; j < bhigh; j++) {
      if (a[i] !== b[j]) continue;
      const size = here[j] = (before[j - 1] || 0) + 1;
      if (size > best.size) best = { i: i - size + 1, j: j - size + 1, size };
    }
    before = here;
  }
  return best;
}
