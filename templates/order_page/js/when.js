// `if CONDITION then ...` and `when TRIGGER ...`, read by the game's terms and triggers (orders/when.py).

import { Mistake, near } from "./cursor.js";
import { NEEDS, WHAT, contactAt, namesOf, placeAt, shortest, thousandths, unitAt } from "./readers.js";

const COMPARISONS = ["AT LEAST", "AT MOST", "IS", "OVER", "UNDER"];
const ABOUT = { unit: [unitAt], contact: [contactAt], either: [contactAt, unitAt], place: [placeAt] };
const HOW = "comparisons are: is, over, under, at least, at most";

// The condition in tokens[at:end], between `if` and `then`.
export function readCondition(cursor, at, end) {
  if (at >= end) throw new Mistake("missing-condition", "a condition is missing here", at - 1, at);
  const joints = [];
  for (let i = at; i < end; i++) if (["AND", "OR"].includes(cursor.texts[i])) joints.push(i);
  for (const i of joints) {
    if (cursor.texts[i] !== cursor.texts[joints[0]]) {
      throw new Mistake("mixed-joiner", "'and' and 'or' cannot be mixed in one condition", i, i + 1,
        "write two orders, one for each case");
    }
  }
  const ends = [...joints, end];
  const tests = [at, ...joints.map((i) => i + 1)].map((start, n) => readTest(cursor, start, ends[n]));
  return { tests, joiner: joints.length && cursor.texts[joints[0]] === "OR" ? "or" : "and" };
}

function readTest(cursor, at, end) {
  const first = at, negated = at < end && cursor.texts[at] === "NOT";
  if (negated) at++;
  if (at >= end) {
    throw new Mistake("missing-condition", "a test is missing here", Math.max(first - 1, 0), first + 1);
  }
  const { terms, byTerm } = cursor.vocabulary.language, known = terms.match(cursor.texts, at, end);
  if (!known) {
    const said = cursor.said(at, at + 1);
    throw new Mistake("unknown-term", `${said} is not a term that a condition can test`, at, at + 1,
      () => near(said, terms.printed));
  }
  const term = byTerm.get(known[0]), [of, stop] = aboutAt(cursor, term, at, known[1], end);
  const about = of ? { of } : {};
  if (stop === end) {
    if (term.kind === "flag") {
      return { left: term.name, op: "is", right: "YES", negated, term: false, ...about };
    }
    const text = `${of ? cursor.said(at, stop) : `'${term.name}'`} must be compared with something`;
    throw new Mistake("missing-comparison", text, at, end, HOW);
  }
  const [op, behind] = comparison(cursor, term, stop, end);
  const [name, other] = otherTerm(cursor, term, [at, known[1]], behind, end) || [];
  const right = name || literal(cursor, term, behind, end);
  return { left: term.name, op, right, negated, term: Boolean(name), ...about, ...(other ? { other } : {}) };
}

// What the term, tokens[start:at], is about (`C3` of `range of C3`), and where that ends; empty for a term
// that is about nothing in particular.
function aboutAt(cursor, term, start, at, end) {
  if (!term.of) return ["", at];
  if (at >= end) {
    throw new Mistake("missing-argument", `'${term.name}' needs ${NEEDS[term.of]} behind it`, start, at);
  }
  for (const read of ABOUT[term.of]) {
    const found = read(cursor, at, end);
    if (found) return found;
  }
  const stop = cursor.extent(at, end), [code, what] = WHAT[term.of], said = cursor.said(at, stop);
  throw new Mistake(code, `${said} ${what}`, at, stop,
    () => near(said, namesOf(cursor.vocabulary, term.of)));
}

function comparison(cursor, term, at, end) {
  for (const size of [2, 1]) {
    const said = cursor.texts.slice(at, at + size).join(" ");
    if (!COMPARISONS.includes(said) || said.split(" ").length !== size) continue;
    if (at + size >= end) {
      throw new Mistake("missing-value", "the value to compare with is missing", at, end);
    }
    if (said !== "IS" && (term.kind === "word" || term.kind === "flag")) {
      const text = `'${term.name}' can only be compared with 'is'`;
      throw new Mistake("bad-comparison", text, at, at + size, HOW);
    }
    return [said.toLowerCase(), at + size];
  }
  const text = `${cursor.said(at, at + 1)} is not a comparison`;
  throw new Mistake("bad-comparison", text, at, at + 1, HOW);
}

// The other term in `enemy evasion over own` or `... over own evasion`, and what that one is about; null if
// there is none. left: the tokens of the first term's name.
function otherTerm(cursor, term, left, at, end) {
  const { terms, byTerm } = cursor.vocabulary.language;
  let [name, of] = wholeTerm(cursor, at, end) || ["", ""];
  if (!name && end === at + 1 && !term.of) {
    name = terms.exact.get([cursor.texts[at], ...cursor.texts.slice(left[0] + 1, left[1])].join(" "));
    if (name && byTerm.get(name).of) name = "";
  }
  if (!name || (name === term.name && !of)) return null;
  const other = byTerm.get(name);
  if (other.kind !== term.kind || scale(other) !== scale(term)) {
    const text = `'${term.name}' and '${name}' cannot be compared with each other`;
    throw new Mistake("bad-comparison", text, at, end);
  }
  return [name, of];
}

// The term that is all of tokens[at:end], and what it is about; null if that is no term.
function wholeTerm(cursor, at, end) {
  const { terms, byTerm } = cursor.vocabulary.language, known = terms.match(cursor.texts, at, end);
  if (!known) return null;
  const [of, stop] = aboutAt(cursor, byTerm.get(known[0]), at, known[1], end);
  return stop === end ? [known[0], of] : null;
}

// The trigger behind `when`, which is tokens[at]: [its name, where it ends]. Throws Mistake.
export function readTrigger(cursor, at, end) {
  const { triggers } = cursor.vocabulary.language, known = triggers.match(cursor.texts, at + 1, end);
  if (known) return known;
  const listed = `triggers: ${triggers.printed.join(", ")}`;
  if (at + 1 >= end) {
    throw new Mistake("missing-trigger", "'when' needs a trigger behind it", at, end, listed);
  }
  const said = cursor.said(at + 1, at + 2);
  throw new Mistake("unknown-trigger", `${said} is not a trigger of this game`, at + 1, at + 2,
    () => near(said, triggers.printed) || listed);
}

function scale(term) {
  return term.kind === "rank" ? term.values.join("|") : "";
}

function literal(cursor, term, at, end) {
  const token = cursor.texts[at];
  if (term.kind === "number") {
    const size = token.split(".")[0].length <= 4 ? thousandths(token) : null;
    if (size === null || end !== at + 1) {
      throw new Mistake("bad-number", `${cursor.said(at, end)} is not a valid number`, at, end);
    }
    const text = shortest(token);
    return text.includes(".") ? text : Number(text);
  }
  if (term.kind === "flag" && end === at + 1 && (token === "YES" || token === "NO")) return token;
  const named = cursor.named(cursor.vocabulary.language.values.get(term.name), at, end);
  if (named && named[1] === end) return named[0];
  const listed = term.values.length ? term.values : ["yes", "no"], said = cursor.said(at, end);
  throw new Mistake("bad-value", `${said} is not a value of '${term.name}'`, at, end,
    () => near(said, listed) || `one of: ${listed.join(", ")}`);
}
