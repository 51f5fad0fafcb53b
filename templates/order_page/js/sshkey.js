// OpenSSH private key files (PROTOCOL.key): reads them, and writes them for ssh-keygen and `pbem sign`.

import { aesCtr } from "./aes.js";
import { bcryptPbkdf } from "./bcrypt.js";
import { base64, concat, sameBytes, taker, tlv, u32, fromBase64, utf8 } from "./bytes.js";
import { publicOf } from "./ed25519.js";
import { sha256 } from "./sha.js";

const KEY_BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----", KEY_END = "-----END OPENSSH PRIVATE KEY-----";
const KEY_MAGIC = utf8("openssh-key-v1\0"), ED25519 = "ssh-ed25519", LOCKED_BY = "aes256-ctr";
const KDF_ROUNDS = 24, MOST_ROUNDS = 400;
const plainText = (bytes) => new TextDecoder().decode(bytes);

// Why the page cannot use a key file: a code, the reason, and what to do.
export class KeyFault extends Error {
  constructor(code, text, hint) {
    super(text);
    this.code = code;
    this.hint = hint;
  }
}

const notHere = () => new KeyFault("no-key", "This is not an OpenSSH private key file.",
  "Open the file that this page or `pbem keygen` made, the one without .pub.");

export const wireOf = (known) => concat(tlv(ED25519), tlv(known));
export const publicLine = (wire, comment = "") => `${ED25519} ${base64(wire)}${comment ? ` ${comment}` : ""}`;
export const fingerprint = (wire) => `SHA256:${base64(sha256(wire)).replace(/=+$/, "")}`;

function unpacked(text) {
  const clean = text.replace(/^\uFEFF/, "").trim();
  if (/^(ssh-|ecdsa-)/.test(clean)) {
    throw new KeyFault("public-key", "This is a public key.", "Open the private one: the file without .pub.");
  }
  const raw = clean.startsWith(KEY_BEGIN) && clean.endsWith(KEY_END)
    ? fromBase64(clean.slice(KEY_BEGIN.length, -KEY_END.length)) : null;
  if (!raw || !sameBytes(raw.subarray(0, KEY_MAGIC.length), KEY_MAGIC)) throw notHere();
  const take = taker(raw.subarray(KEY_MAGIC.length));
  const cipher = plainText(take.field()), kdf = plainText(take.field()), options = take.field();
  if (take.number() !== 1) throw notHere();
  const known = take.field(), secret = take.field();
  if (take.left() && ["none", LOCKED_BY].includes(cipher)) throw notHere();
  return { cipher, kdf, options, known, secret };
}

async function unlocked({ cipher, kdf, options, secret }, pass, told) {
  if (cipher === "none") return secret;
  if (cipher !== LOCKED_BY || kdf !== "bcrypt") {
    throw new KeyFault("cipher", `This key file is encrypted with ${cipher}, which this page cannot open.`,
      "On a computer, ssh-keygen -p -Z aes256-ctr -f FILE encrypts it in a way that it can.");
  }
  if (!pass) throw new KeyFault("locked", "This key file is encrypted with a passphrase.", "Type its passphrase.");
  const take = taker(options), salt = take.field(), rounds = take.number();
  if (rounds < 1 || rounds > MOST_ROUNDS) throw notHere();
  const key = await bcryptPbkdf(utf8(pass), salt, 48, rounds, told);
  return aesCtr(key.subarray(0, 32), key.subarray(32), secret);
}

// The key in an opened file: {seed, known, wire, comment, locked}. Throws KeyFault.
export async function readKey(text, pass, told) {
  try {
    const file = unpacked(text), kind = plainText(taker(file.known).field());
    if (kind !== ED25519) {
      throw new KeyFault("key-type", `This is a key of type ${kind}; the page signs only with ${ED25519} keys.`,
        "Sign with `pbem sign` on a computer, or make a key here and give its public key to the moderator.");
    }
    const take = taker(await unlocked(file, pass, told)), check = take.number();
    if (take.number() !== check) throw new KeyFault("passphrase", "The passphrase does not open this key file.", "Try it again.");
    take.field();
    const half = take.field(), pair = take.field(), comment = plainText(take.field());
    const seed = pair.slice(0, 32), known = publicOf(seed);
    if (pair.length !== 64 || !sameBytes(known, half) || !sameBytes(wireOf(known), file.known)) throw notHere();
    return { seed, known, wire: wireOf(known), comment, locked: file.cipher !== "none" };
  } catch (error) {
    throw error instanceof RangeError ? notHere() : error;
  }
}

// The text of a key file encrypted with a passphrase. random(n): n random bytes.
export async function writeKey(seed, comment, pass, random, told) {
  const known = publicOf(seed), wire = wireOf(known), check = random(4), salt = random(16);
  const plain = concat(check, check, wire, tlv(concat(seed, known)), tlv(comment));
  const pad = Uint8Array.from({ length: (16 - (plain.length % 16)) % 16 }, (_, i) => i + 1);
  const key = await bcryptPbkdf(utf8(pass), salt, 48, KDF_ROUNDS, told);
  const secret = aesCtr(key.subarray(0, 32), key.subarray(32), concat(plain, pad));
  const options = concat(tlv(salt), u32(KDF_ROUNDS));
  const file = concat(KEY_MAGIC, tlv(LOCKED_BY), tlv("bcrypt"), tlv(options), u32(1), tlv(wire), tlv(secret));
  return [KEY_BEGIN, ...base64(file).match(/.{1,70}/g), KEY_END, ""].join("\n");
}
