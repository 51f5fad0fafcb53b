// Opening encrypted mail: age files for the player's SSH key or age key (pbem/crypto/age.py).

import { AGE_VERSION, BASE, chunkNonce, CHUNK, headMac, hkdf, TAG, unbech32, unchachaPoly, unpadded, x25519 } from "./age.js";
import { concat, fromBase64, sameBytes, utf8 } from "./bytes.js";
import { decode } from "./canon.js";
import { sha256, sha512 } from "./sha.js";

const LONGEST_HEAD = 16384, MOST_STANZAS = 20, AGE_COLUMNS = 64, ENCRYPTED_MOST = 64 * 1024 * 1024;
const AGE_SPACE = "[\\s>|\\u200b-\\u200d\\u2060\\ufeff\\u00ad]";
const AGE_MARK = new RegExp(`\\b(BEGIN|END)${["", "AGE", "ENCRYPTED", "FILE"].join(`${AGE_SPACE}+`)}\\b`, "gi");
const AGE_SECRET = /^\s*AGE-SECRET-KEY-1\w+/mi;

// An error: why an encrypted file does not open. code: as in docs/formats.md.
export const ageFault = (code, text) => Object.assign(new Error(text), { code });

// Identities that open files: an Ed25519 SSH key, or the keys in a file of `age-keygen`. Throws for a bad key.
export const sshIdentity = ({ seed, wire }) => ({ secret: sha512(seed).slice(0, 32), wire });

export function ageIdentities(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const secret = unbech32("age-secret-key-", line.toLowerCase());
    if (!secret) throw ageFault("age-form", "A line of this age key file is not a key. Open the file as age-keygen wrote it.");
    return { secret, wire: null };
  });
}

export const isAgeKey = (text) => AGE_SECRET.test(text);

// The age files in a file: binary, armoured, or armoured within a text; an Error for each damaged one.
export function ageFilesIn(bytes) {
  if (startsAge(bytes)) return [bytes];
  const text = decode(bytes), marks = [...text.matchAll(AGE_MARK)];
  return marks.flatMap((mark, i) => {
    const next = marks[i + 1], closed = next && next[1].toUpperCase() === "END";
    if (mark[1].toUpperCase() !== "BEGIN") return [];
    return [dearmoured(closed ? text.slice(mark.index + mark[0].length, next.index) : "")];
  });
}

const startsAge = (bytes) => sameBytes(bytes.subarray(0, AGE_VERSION.length), utf8(AGE_VERSION));

function dearmoured(body) {
  const packed = body.replace(/=\r?\n(?=[\s>|]*[A-Za-z0-9+/])/g, "").replaceAll("=3D", "=")
    .replace(new RegExp(`(?:${AGE_SPACE}|=)+`, "g"), "").replace(/^[-\u2010-\u2015\u2212]+|[-\u2010-\u2015\u2212]+$/g, "");
  return (packed && unpaddedBytes(packed)) || ageFault("age-armour", "The encrypted block is damaged: it is not valid base64. Save the attachment as it arrived.");
}

// Canonical base64 without padding, decoded; null for anything else.
function unpaddedBytes(text) {
  const raw = fromBase64(text + "=".repeat((4 - text.length % 4) % 4));
  return raw && unpadded(raw) === text ? raw : null;
}

// The contents of the first of these files that opens. If none does, throws the error of the first.
export function ageOpened(files, who) {
  let first = null;
  for (const file of files) {
    try {
      if (file instanceof Error) throw file;
      return decrypted(file, who);
    } catch (error) {
      first = first || error;
    }
  }
  throw first || ageFault("age-form", "This is not an age file.");
}

// The contents of an age file, decrypted with one of these identities.
export function decrypted(file, who) {
  if (file.length > ENCRYPTED_MOST) throw ageFault("age-form", "The encrypted file is too long.");
  const { stanzas, head, mac, payload } = headOf(file);
  let key = null;
  for (const stanza of stanzas) for (const one of who) key = key || unwrapped(stanza, one);
  if (!key) throw ageFault("not-for-you", "The file is encrypted to keys other than yours.");
  if (!sameBytes(headMac(key, head), mac)) throw ageFault("age-mac", "The header of the encrypted file was altered.");
  return payloadOf(key, payload);
}

function headOf(file) {
  const text = String.fromCharCode(...file.subarray(0, LONGEST_HEAD)), end = text.indexOf("\n--- ");
  const stop = text.indexOf("\n", end + 1), mac = unpaddedBytes(text.slice(end + 5, stop));
  if (!text.startsWith(`${AGE_VERSION}\n`) || end < 0 || stop < 0 || !mac) throw ageFault("age-form", "This is not an age file.");
  const lines = text.slice(AGE_VERSION.length + 1, end + 1).split("\n").slice(0, -1);
  return { stanzas: stanzasOf(lines), head: text.slice(0, end + 4), mac, payload: file.subarray(stop + 1) };
}

function stanzasOf(lines) {
  const found = [], hurt = () => ageFault("age-form", "The header of the encrypted file is malformed or cut short.");
  for (let at = 0; at < lines.length;) {
    const [arrow, ...args] = lines[at++].split(" "), parts = [];
    if (arrow !== "->" || !args.length || !args.every((word) => /^[!-~]+$/.test(word)) || found.length >= MOST_STANZAS) throw hurt();
    do {
      if (at >= lines.length || lines[at].length > AGE_COLUMNS) throw hurt();
      parts.push(unpaddedBytes(lines[at]));
    } while (lines[at++].length === AGE_COLUMNS);
    if (parts.includes(null)) throw hurt();
    found.push({ args, body: concat(...parts) });
  }
  if (!found.length) throw hurt();
  return found;
}

// The file key; null if the stanza is for somebody else.
function unwrapped({ args, body }, { secret, wire }) {
  const ours = wire ? ["ssh-ed25519", unpadded(sha256(wire).subarray(0, 4))] : ["X25519"];
  if (args.slice(0, -1).join(" ") !== ours.join(" ")) return null;
  const share = unpaddedBytes(args[args.length - 1]);
  if (share?.length !== 32 || body.length !== 32) throw ageFault("age-form", "A wrapped key of the encrypted file has the wrong length.");
  const label = `${AGE_VERSION}/${wire ? "ssh-ed25519" : "X25519"}`, point = x25519(secret, BASE);
  const plain = x25519(secret, share), shared = wire ? x25519(hkdf(new Uint8Array(0), wire, label), plain) : plain;
  if (plain.every((byte) => byte === 0)) throw ageFault("age-form", "A wrapped key of the encrypted file is malformed.");
  return unchachaPoly(hkdf(shared, concat(share, point), label), new Uint8Array(12), body);
}

function payloadOf(key, payload) {
  const inner = hkdf(key, payload.slice(0, 16), "payload"), rest = payload.subarray(16), parts = [];
  const hurt = () => ageFault("age-payload", "The encrypted file was altered or cut short.");
  if (rest.length < TAG) throw hurt();
  for (let at = 0, i = 0; at < rest.length; at += CHUNK + TAG, i++) {
    const last = at + CHUNK + TAG >= rest.length;
    const part = unchachaPoly(inner, chunkNonce(i, last), rest.subarray(at, at + CHUNK + TAG));
    if (!part || (i && !part.length)) throw hurt();
    parts.push(part);
  }
  return concat(...parts);
}
