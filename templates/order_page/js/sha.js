// SHA-256 and SHA-512 (FIPS 180-4). Implemented here because a browser may open the page without
// WebCrypto, and because an asynchronous call for each of 4096 links would be slow.

import { concat, tlv, utf8 } from "./bytes.js";

const WORD = (1n << 64n) - 1n;

// The first 64 fractional bits of the k-th root of each of the first n primes.
function primeRoots(n, k) {
  const found = [];
  for (let p = 2n; found.length < n; p++) {
    let prime = true;
    for (let q = 2n; q * q <= p; q++) prime = prime && p % q !== 0n;
    if (prime) found.push(wholeRoot(p << (64n * k), k) & WORD);
  }
  return found;
}

function wholeRoot(n, k) {
  let low = 0n, high = 1n << 80n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** k <= n) low = middle;
    else high = middle;
  }
  return low;
}

const K512 = primeRoots(80, 3n), H512 = primeRoots(8, 2n);
const K256 = Int32Array.from(K512.slice(0, 64), (k) => Number(k >> 32n));
const H256 = Int32Array.from(H512, (h) => Number(h >> 32n));

function padded(message, block) {
  const zeros = new Uint8Array(block - ((message.length + 1 + block / 8) % block || block));
  const length = new Uint8Array(block / 8);
  new DataView(length.buffer).setBigUint64(block / 8 - 8, BigInt(message.length) * 8n);
  return concat(message, Uint8Array.of(0x80), zeros, length);
}

export function sha256(message) {
  const data = padded(message, 64), view = new DataView(data.buffer), w = new Int32Array(64);
  const h = Int32Array.from(H256), turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < data.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3))
        + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, z] = h;
    for (let i = 0; i < 64; i++) {
      const one = (z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K256[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [z, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, z].forEach((x, i) => { h[i] += x; });
  }
  const out = new DataView(new ArrayBuffer(32));
  h.forEach((x, i) => out.setInt32(4 * i, x));
  return new Uint8Array(out.buffer);
}

export function sha512(message) {
  const data = padded(message, 128), view = new DataView(data.buffer), w = [];
  const h = [...H512], turn = (x, n) => ((x >> n) | (x << (64n - n))) & WORD;
  for (let at = 0; at < data.length; at += 128) {
    for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(at + 8 * i);
    for (let i = 16; i < 80; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = (w[i - 16] + (turn(a, 1n) ^ turn(a, 8n) ^ (a >> 7n))
        + w[i - 7] + (turn(b, 19n) ^ turn(b, 61n) ^ (b >> 6n))) & WORD;
    }
    let [a, b, c, d, e, f, g, z] = h;
    for (let i = 0; i < 80; i++) {
      const one = z + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (~e & WORD & g)) + K512[i] + w[i];
      const two = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [z, g, f, e, d, c, b, a] = [g, f, e, (d + one) & WORD, c, b, a, (one + two) & WORD];
    }
    [a, b, c, d, e, f, g, z].forEach((x, i) => { h[i] = (h[i] + x) & WORD; });
  }
  const out = new DataView(new ArrayBuffer(64));
  h.forEach((x, i) => out.setBigUint64(8 * i, x));
  return new Uint8Array(out.buffer);
}

// H of docs/formats.md.
export const digestOf = (tag, ...fields) => sha256(concat(tlv(utf8(`pbem1/${tag}`)), ...fields.map(tlv)));
