// Positions in the player's text, and how a line is shown (orders/reading.py).

import { fold } from "./fold.js";

const WIDTH = 68;
const LEAD = 24;
const CUT = "...";

// The fault as a diagnostic: offsets become line and column, counted from 1.
export function locate(unit, fault, rule = "") {
  const begin = fault.start;
  const start = lineStart(unit.chars, begin), end = lineEnd(unit.chars, begin);
  const { source, at } = lineWindow(unit, start, end, begin);
  return { code: fault.code, text: fault.text, line: lineNumber(unit.chars, start),
    column: begin - start + 1, length: Math.max(1, Math.min(fault.end - begin, source.length - at)),
    source, at, hint: typeof fault.hint === "function" ? fault.hint() : fault.hint || "", rule,
    start: unitsBefore(unit, begin), end: unitsBefore(unit, fault.end) };
}

// `chars` in printable ASCII, character for character.
export function plain(chars) {
  return chars.map(plainChar).join("");
}

// UTF-16 units before a character, as a text field counts them.
export function unitsBefore(unit, at) {
  return unit.wide ? unit.chars.slice(0, at).join("").length : at;
}

function plainChar(char) {
  if (char >= " " && char <= "~") return char;
  if ("\t\n\r\v\f".includes(char)) return " ";
  const folded = char.length > 1 ? "" : fold(char).folded;
  return folded && folded[0] >= " " && folded[0] <= "~" ? folded[0] : "?";
}

// The line chars[start:end], or of a long line the part around `begin`, and the position of `begin` in it.
function lineWindow(unit, start, end, begin) {
  if (end - start <= WIDTH) return { source: shown(unit, start, end), at: begin - start };
  const low = Math.max(start, Math.min(begin - LEAD, end - WIDTH)), high = low + WIDTH;
  const before = low > start ? CUT : "", after = high < end ? CUT : "";
  const middle = shown(unit, low + before.length, high - after.length);
  return { source: before + middle + after, at: begin - low };
}

// The number of the line that begins at an offset; CRLF, CR and LF each end one line.
export function lineNumber(chars, start) {
  let line = 1;
  for (let i = 0; i < start; i++) {
    if (chars[i] === "\r" || (chars[i] === "\n" && (i === 0 || chars[i - 1] !== "\r"))) line++;
  }
  return line;
}

export function lineStart(chars, at) {
  while (at > 0 && chars[at - 1] !== "\n" && chars[at - 1] !== "\r") at--;
  return at;
}

function lineEnd(chars, at) {
  while (at < chars.length && chars[at] !== "\n" && chars[at] !== "\r") at++;
  return at;
}

// That part in printable ASCII of the same length; comments are never echoed.
function shown(unit, start, end) {
  const line = unit.chars.slice(start, end);
  for (const cut of unit.comments) {
    const a = Math.max(cut.start, start) - start, b = Math.min(cut.end, end) - start;
    if (a < b) line.fill(" ", a, b);
  }
  return plain(line);
}
