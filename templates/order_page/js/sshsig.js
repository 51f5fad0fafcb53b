// SSH signatures in their bare form (docs/formats.md, "Signatures"), and dice chains.

import { concat, hex, tlv, u32, utf8 } from "./bytes.js";
import { signEd25519 } from "./ed25519.js";
import { digestOf, sha256, sha512 } from "./sha.js";

const PKCS8_ED25519 = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);
const CHAIN_LENGTH = 4096, MOST_EPOCHS = 64;
const LINKED = ["fast", "strict"];

export const coveredBy = (message, namespace) => concat(utf8("SSHSIG"), tlv(namespace), tlv(""), tlv("sha512"), tlv(sha512(message)));

// The 64-byte signature by the RFC's deterministic rule: the same each time.
export const signSame = (seed, message, namespace) => signEd25519(seed, coveredBy(message, namespace));

// The 64-byte signature by the browser's Ed25519, or by this page's if the browser has none.
export async function signBare(seed, message, namespace) {
  try {
    const key = await crypto.subtle.importKey("pkcs8", concat(PKCS8_ED25519, seed), "Ed25519", false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("Ed25519", key, coveredBy(message, namespace)));
  } catch {
    return signSame(seed, message, namespace);
  }
}

// Whether the browser supports Ed25519. Some that do would refuse a key of zeros.
export async function knowsEd25519() {
  try {
    await crypto.subtle.importKey("pkcs8", concat(PKCS8_ED25519, new Uint8Array(32).fill(1)), "Ed25519", false, ["sign"]);
    return true;
  } catch {
    return false;
  }
}

export const keyDigest = (wire) => hex(sha256(wire)).slice(0, 16);

// Every link of an epoch in hex, the anchor first. by: the moderator's key, empty for chains of release 0.1.0.
export function chainLinks(seed, game, side, epoch, by = "") {
  const links = [digestOf("tail", signSame(seed, utf8(`${game} ${side} ${epoch} ${by}`.trimEnd()), "dice@pbem"))];
  for (let k = CHAIN_LENGTH; k > 0; k--) links.push(digestOf("chain", game, side, u32(k), links[links.length - 1]));
  return links.reverse().map(hex);
}

// A cache of chains, so that each is computed once.
export function purseOf(seed) {
  const known = new Map();
  return (game, side, epoch, by) => {
    const name = `${game} ${side} ${epoch} ${by}`;
    if (!known.has(name)) known.set(name, chainLinks(seed, game, side, epoch, by));
    return known.get(name);
  };
}

// The chain with this anchor; null if the key makes none.
export function chainOf(links, game, side, anchor, moderator) {
  for (let epoch = 0; epoch < MOST_EPOCHS; epoch++) {
    for (const by of [moderator, ""]) if (links(game, side, epoch, by)[0] === anchor) return links(game, side, epoch, by);
  }
  return null;
}

function nextAnchor(links, { game, side, moderator }, mine) {
  for (let epoch = 0; epoch < MOST_EPOCHS; epoch++) {
    const anchor = links(game, side, epoch, moderator.key)[0];
    if (!mine.some((a) => a.anchor === anchor)) return anchor;
  }
  throw new RangeError("this key has no further dice anchors");
}

// `link` and `anchor` of the header that answers a report, as pbem/dice/chains.py writes them. `strange`:
// the report names an anchor of a chain that this key does not make; then the header announces a new one.
// words: those of the set, as RUN and LINKS reach beyond its window.
export function chainFields(report, wire, links, renew = false, words = {}) {
  if (!LINKED.includes(report.dice_mode)) return { link: "none", anchor: "" };
  const { game, side, window } = report, own = keyDigest(wire), by = report.moderator.key;
  const mine = ((report.anchors || {})[side] || []).filter((a) => a.key === own);
  const counts = mine.filter((a) => a.from <= window).map((a) => a.anchor);
  const strange = mine.length > 0 && !chainOf(links, game, side, mine[mine.length - 1].anchor, by);
  const fresh = renew || strange || !mine.length ? nextAnchor(links, report, mine) : "";
  const strict = report.dice_mode !== "fast", run = strict ? 1 : Number(words.RUN || 1);
  const last = window + Math.max(run, Number(words.LINKS || 1)) - 1;
  if (!counts.length || last > CHAIN_LENGTH || (strict && !words.LINKS)) return { link: "none", anchor: fresh, strange };
  const chain = chainOf(links, game, side, counts[counts.length - 1], by);
  if (!chain) return { link: "none", anchor: fresh || mine[mine.length - 1].anchor, strange };
  return { link: chain[last], anchor: fresh, strange };
}
