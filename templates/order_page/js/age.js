// Encrypted mail: age files for the moderator (pbem/crypto/age.py, pbem/crypto/age_armour.py), and the parts that
// decryption shares. Few browsers have X25519 and none has ChaCha20-Poly1305, so both are implemented here.

import { base64, concat, utf8 } from "./bytes.js";
import { inverted, lowFirst, modP, numberOf } from "./ed25519.js";
import { sha256 } from "./sha.js";

export const AGE_VERSION = "age-encryption.org/v1";
export const CHUNK = 65536;
export const TAG = 16;
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const SMALLEST = 8192;
const AGE_BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----", AGE_END = "-----END AGE ENCRYPTED FILE-----";

// The file to send in a game of encrypted mail: the signed file, padded, as an age file for the moderator.
// Throws an Error if the recipient is not a valid age key.
export function encryptedFile(report, signed) {
  const plain = utf8(signed), room = new Uint8Array(bucketOf(plain.length)).fill(10);
  room.set(plain);
  return ageArmour(ageFile(room, agePoint(report.moderator.age)));
}

// An age file of `plain` for one X25519 public key.
export function ageFile(plain, point) {
  const [key, nonce, secret] = [16, 16, 32].map((n) => crypto.getRandomValues(new Uint8Array(n)));
  const share = x25519(secret, BASE), shared = x25519(secret, point);
  if (shared.every((byte) => byte === 0)) throw new Error("the moderator's age key is not a valid key");
  const wrapping = hkdf(shared, concat(share, point), `${AGE_VERSION}/X25519`);
  const body = chachaPoly(wrapping, new Uint8Array(12), key);
  const head = `${AGE_VERSION}\n-> X25519 ${unpadded(share)}\n${unpadded(body)}\n---`;
  const payload = hkdf(key, nonce, "payload"), chunks = [];
  for (let at = 0, i = 0; at === 0 || at < plain.length; at += CHUNK, i++) {
    chunks.push(chachaPoly(payload, chunkNonce(i, at + CHUNK >= plain.length), plain.subarray(at, at + CHUNK)));
  }
  return concat(utf8(`${head} ${unpadded(headMac(key, head))}\n`), nonce, ...chunks);
}

export const headMac = (key, head) => hmac(hkdf(key, new Uint8Array(0), "header"), utf8(head));

// The 32 bytes of `age1...` (Bech32, BIP 173).
export function agePoint(text) {
  const found = unbech32("age", text.trim());
  if (!found) throw new Error("the report names no age key of the moderator that this page can encrypt to");
  return found;
}

// The 32 bytes of a key in Bech32, null for anything else.
export function unbech32(name, text) {
  const tail = text.startsWith(`${name}1`) ? text.slice(name.length + 1) : "";
  const values = Array.from(tail, (char) => BECH32.indexOf(char));
  const bits = values.slice(0, -6).map((value) => value.toString(2).padStart(5, "0")).join("");
  const expanded = [...utf8(name)].map((c) => c >> 5).concat(0, [...utf8(name)].map((c) => c & 31));
  const loose = bits.length !== 260 || bits.slice(256).includes("1");
  if (values.includes(-1) || loose || polymodP([...expanded, ...values]) !== 1) return null;
  return Uint8Array.from(bits.match(/.{8}/g), (byte) => parseInt(byte, 2));
}

function polymodP(values) {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = (check & 0x1ffffff) << 5 ^ value;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((g, i) => {
      if (top >> i & 1) check ^= g;
    });
  }
  return check;
}

// The armour that `age -a` writes.
const ageArmour = (file) => [AGE_BEGIN, ...base64(file).match(/.{1,64}/g), AGE_END, ""].join("\n");

// 8, 12, 16, 24, 32, 48 KiB and so on, so that sizes reveal less.
function bucketOf(size) {
  let step = SMALLEST;
  while (step < size) {
    if (step * 1.5 >= size) return step * 1.5;
    step *= 2;
  }
  return step;
}

export const unpadded = (bytes) => base64(bytes).replace(/=+$/, "");

// The nonce of a chunk: its number in eleven bytes, and whether it is the last.
export function chunkNonce(i, last) {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, i);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

// HMAC-SHA-256 (RFC 2104); no key here is longer than a block.
export function hmac(key, message) {
  const mixed = (mask) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ mask);
  return sha256(concat(mixed(0x5c), sha256(concat(mixed(0x36), message))));
}

// HKDF-SHA-256 (RFC 5869), 32 bytes.
export const hkdf = (secret, salt, info) => hmac(hmac(salt, secret), concat(utf8(info), Uint8Array.of(1)));

// RFC 7748

export const BASE = Uint8Array.of(9, ...new Uint8Array(31));

export function x25519(secret, point) {
  const k = numberOf(secret) & ~7n & (1n << 255n) - 1n | 1n << 254n;
  const u = numberOf(point) & (1n << 255n) - 1n;
  let [x2, z2, x3, z3, swap] = [1n, 0n, u, 1n, 0n];
  for (let t = 254n; t >= 0n; t--) {
    const bit = k >> t & 1n;
    if (swap !== bit) [x2, x3, z2, z3] = [x3, x2, z3, z2];
    swap = bit;
    const a = x2 + z2, b = x2 - z2, aa = modP(a * a), bb = modP(b * b), e = aa - bb;
    const da = modP((x3 - z3) * a), cb = modP((x3 + z3) * b);
    [x3, z3] = [modP((da + cb) ** 2n), modP(u * (da - cb) ** 2n)];
    [x2, z2] = [modP(aa * bb), modP(e * (aa + 121665n * e))];
  }
  if (swap) [x2, z2] = [x3, z3];
  return lowFirst(modP(x2 * inverted(z2)));
}

// RFC 8439: ciphertext and tag, without associated data.
export function chachaPoly(key, nonce, plain) {
  const [text, once] = chacha(key, nonce, plain);
  return concat(text, tagOf(once, text));
}

// The plaintext; null if the tag does not match.
export function unchachaPoly(key, nonce, encrypted) {
  const body = encrypted.slice(0, Math.max(0, encrypted.length - TAG)), [text, once] = chacha(key, nonce, body);
  const wrong = tagOf(once, body).reduce((sum, byte, i) => sum | byte ^ encrypted[body.length + i], 0);
  return wrong === 0 && encrypted.length >= TAG ? text : null;
}

// The text XORed with the key stream, and the one-time key of the tag.
function chacha(key, nonce, plain) {
  const state = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
    ...littleWords(key), 0, ...littleWords(nonce));
  const once = chachaBlock(state), text = Uint8Array.from(plain);
  for (let at = 0; at < text.length; at += 64) {
    state[12]++;
    const stream = chachaBlock(state);
    for (let i = 0; i < 64 && at + i < text.length; i++) text[at + i] ^= stream[i];
  }
  return [text, once.slice(0, 32)];
}

function tagOf(once, text) {
  const gap = new Uint8Array((16 - text.length % 16) % 16);
  return poly1305(once, concat(text, gap, lowFirst(BigInt(text.length) << 64n, 16)));
}

function littleWords(bytes) {
  const view = new DataView(Uint8Array.from(bytes).buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

function chachaBlock(state) {
  const x = Uint32Array.from(state);
  const turn = (a, b, c, d) => {
    for (const [p, q, r, n] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
      x[p] += x[q];
      x[r] ^= x[p];
      x[r] = x[r] << n | x[r] >>> (32 - n);
    }
  };
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 4; i++) turn(i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i++) turn(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  const out = new DataView(new ArrayBuffer(64));
  x.forEach((word, i) => out.setUint32(4 * i, word + state[i], true));
  return new Uint8Array(out.buffer);
}

function poly1305(key, message) {
  const r = numberOf(key.slice(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn, view = new DataView(message.buffer);
  let sum = 0n;
  for (let at = 0; at < message.length; at += 16) {
    const part = view.getBigUint64(at, true) | view.getBigUint64(at + 8, true) << 64n;
    sum = (sum + part + (1n << 128n)) * r % (2n ** 130n - 5n);
  }
  return lowFirst(sum + numberOf(key.slice(16)), 16);
}
