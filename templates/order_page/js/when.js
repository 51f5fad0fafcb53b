// `if CONDITION then ...`: the tests of a condition, read by the game's terms (orders/when.py).

import { shortest, thousandths } from "./arguments.js";
import { Mistake, near } from "./cursor.js";

const COMPARISONS = ["AT LEAST", "AT MOST", "IS", "OVER", "UNDER"];
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
  const term = byTerm.get(known[0]);
  if (known[1] === end) {
    if (term.kind === "flag") {
      return { left: term.name, op: "is", right: "YES", negated, term: false };
    }
    const text = `'${term.name}' must be compared with something`;
    throw new Mistake("missing-comparison", text, at, end, HOW);
  }
  const [op, behind] = comparison(cursor, term, known[1], end);
  const other = otherTerm(cursor, term, [at, known[1]], behind, end);
  const right = other || literal(cursor, term, behind, end);
  return { left: term.name, op, right, negated, term: Boolean(other) };
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

// The other term in `enemy evasion over own` or `... over own evasion`; empty if there is none.
function otherTerm(cursor, term, left, at, end) {
  const { terms, byTerm } = cursor.vocabulary.language, right = cursor.texts.slice(at, end);
  const short = [...right, ...cursor.texts.slice(left[0] + 1, left[1])].join(" ");
  const name = terms.exact.get(right.join(" ")) || (right.length === 1 && terms.exact.get(short));
  if (!name || name === term.name) return "";
  const other = byTerm.get(name);
  if (other.kind !== term.kind || scale(other) !== scale(term)) {
    const text = `'${term.name}' and '${name}' cannot be compared with each other`;
    throw new Mistake("bad-comparison", text, at, end);
  }
  return name;
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
