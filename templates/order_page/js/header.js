// The header of an order file (orders/header.py): each wrong field gets its own error.

import { grouped } from "./canon.js";

const EIGHT = /^[0-9A-F]{8}$/;
const HEX = "64 hex digits in words of eight";
const MOST_FAULTS = 20;

const one = (pattern) => (value) => value.length === 1 && pattern.test(value[0]);
const digest = (value) => value.length === 8 && value.every((word) => EIGHT.test(word));
const short = (value) => value.length > 0 && value.length <= 8 && value.every((w) => EIGHT.test(w));

const FIELDS = [
  ["game", one(/^[A-Z][A-Z0-9]{0,15}$/), "a letter and up to 15 letters or digits"],
  ["setup", digest, HEX],
  ["window", one(/^[1-9][0-9]{0,5}$/), "a number from 1 to 999999"],
  ["side", one(/^[A-Z][A-Z0-9]{0,31}$/), "the name of your side"],
  ["seq", one(/^[1-9][0-9]{0,14}$/), "the signing time in seconds"],
  ["report", digest, HEX],
  ["link", (value) => value.join(" ") === "NONE" || digest(value), `${HEX}, or none`],
  ["moderator", short, "hex digits in words of eight, 64 at most"],
  ["anchor", digest, HEX],
].map(([name, shape, should]) => ({ name, shape, should, optional: name === "anchor" }));
const BY_NAME = new Map(FIELDS.map((field) => [field.name.toUpperCase(), field]));

// Reads the fields from tokens[2] on, in any order: the header (null if anything is wrong or
// missing), the index of the first token after it, and every fault.
export function readHeader(tokens) {
  const found = new Map(), faults = [];
  let at = 2;
  while (opensField(tokens, at)) {
    const field = BY_NAME.get(tokens[at].text), named = at;
    at = valueEnd(tokens, at + 2);
    const value = tokens.slice(named + 2, at).map((token) => token.text);
    const span = { start: tokens[named].start, end: tokens[at - 1].end };
    if (found.has(field.name)) {
      if (faults.length < MOST_FAULTS) faults.push(headerFault("twice", field, span, "appears twice"));
      continue;
    }
    if (!field.shape(value)) {
      faults.push(headerFault("bad", field, span, `should be ${field.should}`));
    }
    found.set(field.name, value);
  }
  const span = tokens[Math.min(1, tokens.length - 1)];
  for (const field of FIELDS) {
    if (!found.has(field.name) && !field.optional) {
      faults.push(headerFault("no", field, { start: span.start, end: span.end }, "is missing"));
    }
  }
  return { header: faults.length ? null : headerOf(found), body: at, faults };
}

// The header as our tools write it, with digests in groups of eight.
export function showHeader(header) {
  const hexed = (name) => `${name}: ${grouped(header[name]).join(" ")}`;
  return [
    `game: ${header.game}  window: ${header.window}  side: ${header.side}  seq: ${header.seq}`,
    hexed("setup"), hexed("report"), header.link === "none" ? "link: none" : hexed("link"),
    hexed("moderator"), ...(header.anchor ? [hexed("anchor")] : []), "",
  ].join("\n");
}

function opensField(tokens, at) {
  return at + 1 < tokens.length && BY_NAME.has(tokens[at].text) && tokens[at + 1].text === ":";
}

// The end of the value at `at`: the next field if one follows, else one token or all groups of eight
// hex digits. A word before a colon is never part of a value.
function valueEnd(tokens, at) {
  let stop = at;
  while (stop < tokens.length && !":;".includes(tokens[stop].text)) stop++;
  if (stop < tokens.length && tokens[stop].text === ":") stop--;
  stop = Math.max(at, stop);
  if (stop > at && opensField(tokens, stop)) return stop;
  let end = at;
  while (end < stop && EIGHT.test(tokens[end].text)) end++;
  return end > at ? end : Math.min(at + 1, stop);
}

function headerFault(how, field, span, what) {
  return { code: `${how}-${field.name}`, text: `the field '${field.name}:' ${what}`, ...span,
    hint: "'pbem sign' writes the header; leave it as it is" };
}

function headerOf(found) {
  const header = { anchor: "" };
  for (const [name, value] of found) header[name] = value.join("").toLowerCase();
  return { ...header, window: Number(header.window), seq: Number(header.seq) };
}
