// Opens what the referee sent: from a mail, an encrypted file or a file saved from one it reads the signed
// object, its signature and the other parts (pbem/audit/open_file.py, pbem/audit/verify_report.py).

import { fromBase64, hex, sameBytes, taker, utf8 } from "./bytes.js";
import { digestOf } from "./sha.js";
import { coveredBy, keyDigest } from "./sshsig.js";
import { verifyEd25519 } from "./ed25519.js";
import { inflate } from "./inflate.js";
import { ageFilesIn, ageOpened } from "./unage.js";

export const SENT = { report: "report", receipt: "receipt", note: "note", lock: "lock-notice" };
const DEEPEST = 8, MOST_PARTS = 200, NO_GAME = "0".repeat(64), ENDING = ".eml.age";
const plainBytes = (text) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const rawText = (bytes) => {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 32768) parts.push(String.fromCharCode(...bytes.subarray(at, at + 32768)));
  return parts.join("");
};

// Canonical JSON of a value from JSON.parse. One difference: floats without a fraction have lost their point.
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!value || typeof value !== "object") return plainJson(value);
  return `{${Object.keys(value).sort().map((key) => `${plainJson(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}

const plainJson = (value) => JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

// The named parts of a mail as a map from name to bytes; its bodies are mail.txt and mail.html.
export function partsOf(bytes) {
  const found = new Map();
  collect(rawText(bytes), found, 0);
  return found;
}

function collect(text, found, depth) {
  const gap = /\r?\n\r?\n/.exec(text), head = gap ? text.slice(0, gap.index) : text, body = gap ? text.slice(gap.index + gap[0].length) : "";
  const field = (name) => new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, "im").exec(head)?.[1].replace(/\r?\n/g, "") || "";
  const type = field("Content-Type") || "text/plain", mark = parameter(type, "boundary");
  if (found.size > MOST_PARTS || depth > DEEPEST) return;
  if (mark && /^multipart\//i.test(type)) {
    for (const part of inParts(body, mark)) collect(part, found, depth + 1);
    return;
  }
  const name = parameter(field("Content-Disposition"), "filename") || parameter(type, "name")
    || (/^text\/plain/i.test(type) ? "mail.txt" : /^text\/html/i.test(type) ? "mail.html" : "");
  const content = name && decodedBody(body, field("Content-Transfer-Encoding").trim().toLowerCase());
  if (name && !(name.startsWith("mail.") && found.has(name))) found.set(name.replace(/\.gz$/, ""), gunzipped(content));
}

const parameter = (field, name) => new RegExp(";\\s*" + name + '="?([^";]+)"?', "i").exec(field)?.[1].trim() || "";

function inParts(body, mark) {
  const lines = `\n${body}`.split(`\n--${mark}`).slice(1), end = lines.findIndex((part) => part.startsWith("--"));
  return lines.slice(0, end < 0 ? lines.length : end).map((part) => part.replace(/^[ \t]*\r?\n/, "").replace(/\r$/, ""));
}

function decodedBody(body, how) {
  if (how === "base64") return fromBase64(body.replace(/[^A-Za-z0-9+/=]/g, "")) || new Uint8Array(0);
  if (how !== "quoted-printable") return plainBytes(body);
  return plainBytes(body.replace(/[ \t]+(?=\r?\n)/g, "").replace(/=\r?\n/g, "").replace(/=([0-9A-F]{2})/gi, (_, pair) => String.fromCharCode(parseInt(pair, 16))));
}

// What a gzip file without a name in it contains, as the mails bring long reports; any other file as it is.
function gunzipped(bytes) {
  if (bytes[0] !== 31 || bytes[1] !== 139 || bytes[3]) return bytes;
  return inflate(bytes.subarray(10, -8), new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true));
}

// The contents of a file: {facts, signature, kind, parts, encrypted}. who(): identities for encrypted files; it
// may throw if there are none yet. Throws Error with the reason.
export function openLetter(file, who) {
  const bytes = gunzipped(file);
  const first = rawText(bytes.subarray(0, 80)).replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
  if (first.startsWith("{")) return opened(new Map(), bytes, false);
  // The attachment first: an order page attached beside it has the first line of an armour in its script.
  const parts = partsOf(bytes), name = [...parts.keys()].find((each) => each.endsWith(ENDING));
  if (name) return opened(partsOf(ageOpened(ageFilesIn(parts.get(name)), who())), null, true);
  const files = ageFilesIn(bytes);
  if (files.length) return opened(partsOf(ageOpened(files, who())), null, true);
  return opened(parts, null, false);
}

function opened(parts, raw, encrypted) {
  for (const kind of Object.keys(SENT)) {
    const text = new TextDecoder().decode(raw || parts.get(`${kind}.json`) || new Uint8Array(0)).replace(/^\ufeff/, "");
    const facts = factsIn(text, kind);
    if (facts) return { facts, text, signature: parts.has(`${kind}.seal`) ? rawText(parts.get(`${kind}.seal`)) : null, kind, parts, encrypted };
  }
  throw new Error("This file is not from the referee. Save report.json, or the whole mail, and open that.");
}

// The formats of a report, which differ in the menu (lengthened).
const FORMATS = { report: ["pbem-report/1", "pbem-report/2"] };

function factsIn(text, kind) {
  try {
    const facts = JSON.parse(text);
    return (FORMATS[kind] || [`pbem-${kind}/1`]).includes(facts?.format) ? facts : null;
  } catch {
    return null;
  }
}

// A report in full, as `pbem-report/1` has it; version 2 says each verb once, with its usual arguments, each list of
// orders once, and the usual values of units, contacts and events once, of many units by type too (docs/formats.md,
// "Menu", "Usual values").
export function lengthened(report) {
  const { usual = {}, usual_by_type: types = {}, ...rest } = withOrders(report);
  for (const name of new Set([...Object.keys(usual), ...Object.keys(types)])) {
    const values = new Map(Object.entries(types[name] || {}));
    rest[name] = rest[name].map((item) => ({ ...usual[name], ...values.get(item.type), ...item }));
  }
  if (!rest.suggest && typeof rest.form === "string") rest.suggest = rest.form ? rest.form.split("\n") : [];
  return rest;
}

function withOrders(report) {
  if (!report.blocks) return report;
  const usual = (verb) => ({ verb, args: report.verbs[verb].args || [] });
  const valued = ({ verb, values }) => ({ verb, args: usual(verb).args.map((arg, i) => ({ ...arg, values: values[i] })) });
  const items = (block) => block.map((entry) => (typeof entry === "string" ? usual(entry) : entry.values ? valued(entry) : entry));
  const blocks = Object.fromEntries(Object.entries(report.blocks).map(([name, block]) => [name, items(block)]));
  return { ...report, menu: Object.fromEntries(Object.entries(report.menu).map(([unit, name]) => [unit, blocks[name]])) };
}

// Throws Error unless the object matches its digest.
export function requireWhole({ facts, text, kind }) {
  const { digest, ...rest } = facts, said = text.trim().replace(`"digest":"${digest}",`, "");
  const whole = [said, canonicalJson(rest)].some((plain) => hex(digestOf(SENT[kind], utf8(plain))) === digest);
  if (!whole) throw new Error(`This ${kind}.json was altered or cut short: its digest does not match. Use the attachment as it arrived.`);
}

// Throws Error unless an encrypted object is signed by this moderator (a public key line) for this key:
// anybody can encrypt to a public key. g0: the set-up digest of the game.
export function requireMeant({ facts, signature, kind, encrypted }, g0, moderator, wire) {
  const readers = facts.readers || [], strange = () => new Error(`The signature of this ${kind} is not the moderator's: do not trust it, and tell him.`);
  if (encrypted && signature === null) throw new Error("It has no signature of the moderator: anybody could have sent it. Open the whole mail, or the file that came with it.");
  if (signature !== null && !isSignatureOf(signature, kind, facts.setup === "" ? "" : g0, facts, moderator)) throw strange();
  if ((encrypted || readers.length) && wire && !readers.includes(keyDigest(wire))) {
    throw new Error("The moderator encrypted this to a key other than the open one. Open the key that you play with.");
  }
}

// Whether this key made the signature, over exactly this statement (docs/formats.md, "Statements").
export function isSignatureOf(signature, kind, g0, facts, moderator) {
  const said = `${kind} ${g0 || NO_GAME} ${facts.window} ${facts.side || "-"} ${facts.digest}\n`, clean = signature.replace(/\r\n/g, "\n");
  const armour = /^-----BEGIN SSH SIGNATURE-----\n([\s\S]*)\n-----END SSH SIGNATURE-----\n*$/.exec(clean.slice(said.length));
  const raw = armour && clean.startsWith(said) && fromBase64(armour[1]), wire = fromBase64(moderator.split(" ")[1] || "");
  return Boolean(raw && wire) && isSignature(raw, wire, utf8(said), `${kind}@pbem`);
}

function isSignature(raw, wire, message, namespace) {
  try {
    const take = taker(raw), word = () => rawText(take.field());
    if (rawText(take.raw(6)) !== "SSHSIG" || take.number() !== 1 || !sameBytes(take.field(), wire)) return false;
    if (word() !== namespace || word() !== "" || word() !== "sha512") return false;
    const inner = taker(take.field()), own = taker(wire);
    if (take.left() || rawText(inner.field()) !== "ssh-ed25519" || rawText(own.field()) !== "ssh-ed25519") return false;
    return verifyEd25519(own.field(), coveredBy(message, namespace), inner.field());
  } catch {
    return false;
  }
}
