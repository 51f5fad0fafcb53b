// From the text of a mail to the canonical token stream that is signed (orders/canon.py).
// Offsets count characters as Python does: code points, not UTF-16 units.

import { fold, isAscii } from "./fold.js";

const TOKEN = /[0-9]+\.[0-9]+(?![0-9A-Z])|[A-Z0-9]+|[-:;@,"&]/g;
const STRAY = /[^A-Z0-9\-:;@,"&\t\n\v\f\r .'\x60]/g;
const IN_NAME = /([A-Z0-9][ \t\n\r\v\f]*)\(([A-Z]+(?:[ \t\n\r\v\f.'-]+[A-Z]+)*\.?)\)/g;
const GAP = "[ \\t\\n\\r\\v\\f>|]";
const EDGE = new RegExp(`(?<![A-Z0-9])(BEGIN|END)${GAP}+ORDERS(?![A-Z0-9])`, "g");
const COMMENT = /\[[^[\]]*\]/g;
const NOT_IN_COMMENTS = /(?<![A-Z0-9])(?:BEGIN|END)(?![A-Z0-9])/;
const QUOTING = /(?:^|(?<=[\r\n]))(?:[ \t]*(?:[>|]|- (?=-)))+/g;
const SIGNATURES = [
  ["base32", new RegExp(`${GAP}*BEGIN${GAP}+SEAL(?![A-Z0-9])`, "y"),
    new RegExp(`(?<![A-Z0-9])END${GAP}+SEAL(?![A-Z0-9])`, "g")],
  ["ssh", new RegExp(`(?:${GAP}|-)*BEGIN${GAP}+SSH${GAP}+SIGNATURE-*`, "y"),
    new RegExp(`END${GAP}+SSH${GAP}+SIGNATURE-*`, "g")],
];
const LONGEST_SIGNATURE = 16384;
const MOST_STRAYS = 100;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

// The text of a file from any program: UTF-8, UTF-16 with a byte order mark, else Windows-1252.
export function decode(bytes) {
  const mark = bytes[0] * 256 + bytes[1];
  if (mark === 0xfffe) return new TextDecoder("utf-16le").decode(bytes);
  if (mark === 0xfeff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}

// Every unit of orders in `text`: a block and the signature that directly follows it.
export function streams(text) {
  const source = sourceOf(text);
  const units = [];
  let begin = -1, after = 0;
  for (const edge of source.upper.matchAll(EDGE)) {
    if (edge.index < after) continue;
    if (edge[1] === "BEGIN") {
      begin = edge.index;
    } else if (begin >= 0) {
      units.push(unitOfBlock(source, begin, edge.index + edge[0].length));
      after = units.at(-1).after;
      begin = -1;
    }
  }
  if (begin >= 0 && !units.length) units.push(unfinished(source, begin));
  return units;
}

// The canonical tokens of a printed name, joined by spaces (`St. Nazaire` -> `ST NAZAIRE`).
export function words(name) {
  return (fold(flat(Array.from(name))).folded.toUpperCase().match(TOKEN) || []).map(spelt).join(" ");
}

// A raw signature as BEGIN SEAL ... END SEAL: base32, lower case, groups of eight.
export function signatureText(bytes) {
  const groups = grouped(base32(bytes).toLowerCase());
  const lines = [];
  for (let i = 0; i < groups.length; i += 7) lines.push(groups.slice(i, i + 7).join(" "));
  return ["BEGIN SEAL", ...lines, "END SEAL", ""].join("\n");
}

// Groups of eight: mail programs break longer words.
export function grouped(digits) {
  return digits.match(/.{1,8}/g) || [];
}

// One UTF-16 unit for each character: characters beyond the first plane are never folded and always stray.
function flat(chars) {
  return chars.map((char) => (char.length > 1 ? "\ue000" : char)).join("");
}

function sourceOf(text) {
  const chars = Array.from(text), wide = chars.length < text.length;
  const { folded, places } = fold(flat(chars));
  return { chars, wide, folded, upper: folded.replace(/[a-z]+/g, (low) => low.toUpperCase()), places };
}

// The range of the text that a range of the folded text came from, end exclusive.
function spanOf(source, start, end) {
  if (!source.places) return { start, end };
  const first = source.places[start];
  return { start: first, end: end > start ? source.places[end - 1] + 1 : first };
}

function unitOfBlock(source, begin, end) {
  const { tokens, faults, comments } = tokensOf(source, begin, end);
  const { signature, armour, after, broken } = signatureAt(source, end);
  const found = [...faults, ...broken];
  const canonical = found.length ? "" : `${tokens.map((token) => token.text).join(" ")}\n`;
  return { chars: source.chars, wide: source.wide, tokens, canonical, signature, armour,
    faults: found, comments, after };
}

function unfinished(source, begin) {
  const fault = { code: "no-end", text: "this block of orders has no END ORDERS",
    ...spanOf(source, begin, begin + 5), hint: "write END ORDERS after the last order" };
  return { chars: source.chars, wide: source.wide, tokens: [], canonical: "", signature: null, armour: "",
    faults: [fault], comments: [], after: begin + 5 };
}

// Tokens, faults and comments of folded[begin:end].
function tokensOf(source, begin, end) {
  const faults = [], comments = [];
  const blank = (cut) => " ".repeat(cut.length);
  let block = source.upper.slice(begin, end);
  block = block.replace(COMMENT, (cut, at) => {
    comments.push(spanOf(source, begin + at, begin + at + cut.length));
    if (NOT_IN_COMMENTS.test(cut)) faults.push(badComment(comments.at(-1)));
    return blank(cut);
  }).replace(QUOTING, blank).replace(IN_NAME, "$1 $2 ");
  let strays = 0;
  for (const stray of block.matchAll(STRAY)) {
    if (strays++ === MOST_STRAYS) break;
    faults.push(strayFault(source, begin + stray.index, stray[0]));
  }
  const tokens = Array.from(block.matchAll(TOKEN), (found) => ({ text: spelt(found[0]),
    ...spanOf(source, begin + found.index, begin + found.index + found[0].length) }));
  return { tokens, faults, comments };
}

// A token as it is signed: `&` is the word AND.
const spelt = (token) => token === "&" ? "AND" : token;

function badComment(span) {
  return { code: "bad-comment", text: "a comment must not contain BEGIN or END", ...span,
    hint: "reword the comment" };
}

function strayFault(source, at, char) {
  const span = spanOf(source, at, at + 1);
  if ("[]".includes(char)) {
    return { code: "bad-comment", text: "this bracket has no matching bracket", ...span,
      hint: "comments cannot be nested and must not contain BEGIN ORDERS or END ORDERS" };
  }
  const own = char === "\ue000" ? source.chars[span.start] : char;
  const code = own.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  const shown = char > " " && char < "\x7f" ? `'${char}'` : `U+${code}`;
  const hint = { "<": "write 'under' or 'at most'", ">": "write 'over' or 'at least'; if a mail program put it there, attach the file",
    "=": "write 'is', 'at least' or 'at most'", "#": "write comments in [brackets]",
    "/": "write comments in [brackets], and a space between two names",
    "(": "write comments in [brackets]", ")": "write comments in [brackets]" }[char];
  return { code: "stray-character", text: `${shown} is not allowed in orders`, ...span,
    hint: hint || "remove it" };
}

// The signature directly after the block that ends at `end`.
function signatureAt(source, end) {
  for (const [armour, opening, closing] of SIGNATURES) {
    opening.lastIndex = end;
    const head = opening.exec(source.upper);
    if (!head) continue;
    const from = end + head[0].length;
    const limit = Math.min(source.folded.length, from + LONGEST_SIGNATURE);
    const stop = searchIn(EDGE, source.upper, from, limit)?.index ?? limit;
    const tail = searchIn(closing, source.upper, from, stop);
    const raw = bytesOf(tail ? source.folded.slice(from, tail.index) : "", armour);
    const after = tail ? tail.index + tail[0].length : from;
    if (raw) return { signature: raw, armour, after, broken: [] };
    const at = from - head[0].replace(/^[ \t\n\r\v\f>|]+/, "").length;
    const fault = { code: "damaged-signature", text: "this signature is damaged",
      ...spanOf(source, at, from), hint: "sign again and send the whole file" };
    return { signature: null, armour, after, broken: [fault] };
  }
  return { signature: null, armour: "", after: end, broken: [] };
}

// The first match in text[from:to]; to the pattern, the text ends at `to`.
function searchIn(pattern, text, from, to) {
  const again = new RegExp(pattern.source, "g");
  again.lastIndex = from;
  return again.exec(text.slice(0, to));
}

// The raw signature, null where the text is not base32 (signature) or base64 (ssh), or empty.
function bytesOf(body, armour) {
  const packed = body.replace(new RegExp(`${GAP}+`, "g"), "");
  const raw = armour === "base32" ? unbase32(packed) : unbase64(packed.replace(/-+$/, ""));
  return raw && raw.length ? raw : null;
}

// Encodes base32 without padding; unbase32 decodes, or returns null if the text is not base32.
export function base32(bytes) {
  let text = "", bits = 0, held = 0;
  for (const byte of bytes) {
    held = (held << 8 | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[held >> (bits - 5) & 31];
  }
  return bits ? text + BASE32[held << (5 - bits) & 31] : text;
}

export function unbase32(packed) {
  if (!isAscii(packed)) return null;
  const digits = packed.toUpperCase().replace(/=+$/, "");
  const length = Math.ceil(packed.length / 8) * 8;
  if (![0, 1, 3, 4, 6].includes(length - digits.length) || /[^A-Z2-7]/.test(digits)) return null;
  const bytes = [];
  let bits = 0, held = 0;
  for (const digit of digits) {
    held = (held << 5 | BASE32.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push(held >> (bits -= 8) & 255);
  }
  return Uint8Array.from(bytes);
}

function unbase64(packed) {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed)) return null;
  return Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
}
